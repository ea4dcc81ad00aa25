"""`spiceboard diag` beside the matrix of faults: pages, games, bad ports, and its questions."""

import ast
import fcntl
import io
import json
import os
import re
import threading
import tty
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.live import Live

from checkout import ROOT
from diag_bench import Bench
from spiceboard.board.client import Client
from spiceboard.commands import main
from spiceboard.commands.diag import hold_field
from spiceboard.diag import rules_tags
from spiceboard.diag.findings import Case
from spiceboard.diag.live import Progress
from spiceboard.diag.measure import Measurer, layout
from spiceboard.diag.page import screen
from spiceboard.diag.people import AtTerminal, ByLines, ordinal
from spiceboard.diag.rules import RULES, so_far
from spiceboard.errors import UserError
from spiceboard_sim import faults
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.headless import BoardLink
from spicecore.parts import CHIPS, ZONES
from spicecore.wire import messages


def test_page_is_one_file_with_everything(bench: Bench, tmp_path: Path) -> None:
    faults.inject(bench.board, "reader_dies", zone="cumin")
    bench.board.run_for(300)
    path = tmp_path / "board.html"
    report = bench.diag("--no-reads", "--html", str(path))
    text = path.read_text()
    assert "reader <b>" not in text and "its neighbours do: check its select line" in text
    assert not re.search(r"(src|href)=|https?://", text)  # nothing beside it is needed
    assert all(f"<td>{zone}</td>" in text for zone in ZONES)
    assert report["measured"]["board"]["board"] in text
    assert not path.with_name("board.html.new").exists()


def test_figures_stay_whole_on_a_narrow_screen(bench: Bench) -> None:
    measured = bench.diag("--no-reads", "--quick")["measured"]
    for width in (200, 40):
        out = io.StringIO()
        Console(file=out, width=width).print(screen(measured, []))
        lines = out.getvalue().splitlines()
        assert max(len(line) for line in lines) <= width
        assert "…" not in out.getvalue()
        assert all(any(zone in line for line in lines) for zone in ZONES)
    assert any(line.startswith("ginger: version 0x92, bus ") for line in lines), lines


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
def test_the_live_screen_shows_step_zones_and_findings(
    bench: Bench, width: int, height: int
) -> None:
    """As it is while the tags are measured; rich would cut what is higher than the terminal."""
    faults.inject(bench.board, "reader_dies", zone="head_chef")
    faults.inject(bench.board, "button_stuck", button="no")
    bench.board.run_for(300)
    measured = bench.diag("--laid", "--quick", "--visits", "2")["measured"]
    for later in ("after", "answers"):
        del measured[later]
    out = io.StringIO()
    console = Console(
        file=out, width=width, height=height, force_terminal=True, color_system=None,
        legacy_windows=False,
    )  # fmt: skip
    with Live(console=console, auto_refresh=False) as live:
        out.truncate(0)
        live.update(Progress(measured, "reads mint, LEDs off"), refresh=True)
        lines = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r|\0", "", out.getvalue()).splitlines()
    assert len(lines) <= height and max(len(line) for line in lines) <= width
    assert lines[0].rstrip() == "measuring reads mint, LEDs off ..."
    assert all(any(zone in line for line in lines[1:20]) for zone in ZONES), lines
    for words in ("FAULT  reader `head_chef` does not", "FAULT  the button `no`", "supply: "):
        assert any(words in line for line in lines), (words, lines)


def test_findings_wait_until_the_bus_is_measured(bench: Bench) -> None:
    faults.inject(bench.board, "reader_dies", zone="cumin")
    bench.board.run_for(300)
    report = bench.diag("--no-reads")
    measured = report["measured"]
    assert [f.plain() for f in so_far(measured)] == report["findings"] != []
    del measured["marks"]
    assert so_far(measured) == []


def test_page_that_cannot_be_written(bench: Bench, tmp_path: Path) -> None:
    code, _ = bench.command("diag", "--no-reads", "--html", str(tmp_path / "no" / "x.html"))
    assert code == 2 and "cannot write" in bench.words()
    code, said = bench.command("diag", "--no-reads", "--html", "")
    assert code == 2 and "is a folder" in bench.words() and not said


def test_a_game_is_not_disturbed(bench: Bench) -> None:
    bench.ask("new", game="safranito", options={"players": 2, "mode": "full", "seed": 1})
    before = bench.ask("snapshot")["game"]
    report = bench.diag("--laid")
    measured = report["measured"]
    assert "tags" not in measured and measured["roster"] is None and "reads" not in measured
    assert any("game is on" in text for text in measured["left_out"])
    for chip in bench.board.world.chips.values():
        assert chip.tag.uid.hex() not in json.dumps(report)
    assert bench.ask("snapshot")["game"] == before


def test_board_is_left_as_it_was(bench: Bench) -> None:
    settings = bench.ask("settings")
    files = {p: p.read_bytes() for p in (bench.flash / "data").rglob("*") if p.is_file()}
    bench.diag("--laid", "--quick", "--visits", "2")
    assert not bench.ask("status")["maintenance"]
    assert bench.ask("settings") == settings
    assert files == {p: p.read_bytes() for p in (bench.flash / "data").rglob("*") if p.is_file()}
    bench.board.run_for(1000)
    assert sum(sum(n.values()) for n in bench.ask("snapshot")["chips"].values()) == 16


def test_layout_is_printed_and_has_every_zone(bench: Bench) -> None:
    code, said = bench.command("diag", "--layout")
    text = "\n".join(str(line.get("text")) for line in said)
    assert code == 0 and all(zone in text for zone in ZONES)
    assert set(layout(list(CHIPS)).values()) == set(ZONES)
    assert len(layout(list(CHIPS[:5]))) == 5


def test_layout_needs_no_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spiceboard.board.link.list_ports.comports", list)
    monkeypatch.setattr("spiceboard.commands.diag.configured", lambda environment: None)
    assert main.main(["diag", "--layout"]) == 0
    said = capsys.readouterr().out
    assert all(zone in said for zone in ZONES)
    assert main.main(["diag", "--layout", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"layout": layout(list(CHIPS))}


def test_no_chip_lies_there(bench: Bench) -> None:
    """One sentence, and not thirteen open antennas."""
    for chip in bench.board.world.chips:
        bench.board.world.lift(chip)
    bench.board.run_for(300)
    report = bench.diag("--laid", "--quick", "--visits", "2")
    assert [finding["kind"] for finding in report["findings"]] == ["no_chips"]
    assert "--layout" in report["findings"][0]["step"]


# --- ports and boards that are not as they should be ---


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Exit code 3 and a sentence."""
    assert main.main(words) == 3
    said = capsys.readouterr().err
    assert said.startswith("spiceboard: ") and len(said) > 40
    return said


COMMANDS = (("diag", "--json"), ("roster",), ("calibrate", "--yes"), ("log",))


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_no_such_port(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("spiceboard.board.link.BACK_S", 0.1)
    assert "there is no such port" in refused(capsys, *words, "--port", "/dev/ttyNOTHING")


def test_no_board(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spiceboard.board.link.list_ports.comports", list)
    monkeypatch.setattr("spiceboard.board.link.configured", lambda environment: None)
    assert "no board is plugged in" in refused(capsys, "diag", "--json")


def test_busy_port(capsys: pytest.CaptureFixture[str]) -> None:
    master, slave = os.openpty()
    fcntl.flock(slave, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert "another program uses this port" in refused(
        capsys, "diag", "--json", "--port", os.ttyname(slave)
    )
    os.close(master)
    os.close(slave)


def test_board_that_does_not_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spiceboard.board.client.HELLO_S", 0.2)
    monkeypatch.setattr("spiceboard.board.client.HELLO_STEP_S", 0.1)
    master, slave = os.openpty()
    tty.setraw(slave)
    said = refused(capsys, "diag", "--json", "--port", os.ttyname(slave))
    assert "spiceboard flash" in said
    assert b"\x03" not in os.read(master, 4096)  # what runs there is not interrupted
    os.close(master)
    os.close(slave)


def test_old_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)

    def old_board() -> None:
        decoder = messages.Decoder(messages.REQUEST_MAX)
        while True:
            for _, value in decoder.feed(os.read(master, 4096)):
                reply = {"re": value["id"], "ok": True, "protocol": -3}
                os.write(master, messages.encode(reply))
                return

    thread = threading.Thread(target=old_board)
    thread.start()
    assert "update the board" in refused(capsys, "diag", "--json", "--port", os.ttyname(slave))
    thread.join()
    os.close(master)
    os.close(slave)


# --- questions and rules ---


def imports(source: str) -> set[str]:
    """Modules that a source imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
    return found


def test_questions_at_a_terminal_insist() -> None:
    out = io.StringIO()
    person = AtTerminal(io.StringIO("maybe\ny\n\n"), out)
    assert person.ask("k", "Is it so?", ["yes", "no"]) == "yes"
    assert "one of these answers" in out.getvalue()
    assert person.ask("k", "And now?", ["done", "skip"]) == "done"  # an empty line: the first
    with pytest.raises(UserError, match="no terminal to ask you"):
        person.ask("k", "And then?", ["yes", "no"])


def test_questions_by_lines_are_strict() -> None:
    out = io.StringIO()
    person = ByLines(io.StringIO('"yes"\n"perhaps"\n'), out)
    assert person.ask("leds all", "All red?", ["yes", "no"]) == "yes"
    assert json.loads(out.getvalue())["ask"] == "leds all"
    with pytest.raises(UserError, match="not one of yes, no"):
        person.ask("leds all", "All red?", ["yes", "no"])
    with pytest.raises(UserError, match="no answer on standard input: write one line"):
        person.ask("leds all", "All red?", ["yes", "no"])
    assert ordinal(3) == "third" and ordinal(12) == "12th"


def test_rules_are_small_and_pure() -> None:
    names = {"findings", "rules", "rules_bus", "rules_tags", "rules_rest"}
    allowed = {f"spiceboard.diag.{name}" for name in names} | {
        "spiceboard.diag",
        "spiceboard.bots.targets",
        "spicecore.parts",
        "spicecore.storage.on_demand.settings",
        "collections.abc",
        "dataclasses",
        "typing",
        "re",
    }
    for name in names:
        assert imports((ROOT / f"host/spiceboard/diag/{name}.py").read_text()) <= allowed, name
    assert all(rule.__doc__ for rule in RULES) and len(RULES) >= 25


class Lucky(Measurer):
    """Measures a tag that answers six of ten visits, and by luck the first four in a row."""

    def diag(self, what: str, **arguments: Any) -> dict[str, Any]:
        n = arguments["n"]
        self.asked.append((arguments["leds"], n))
        times = n if self.asked == [("off", 4)] else n * 6 // 10
        return {"n": n, "seen": {"04": times}, "errors": {}, "incomplete": 0, "ms": n}


def test_luck_with_the_leds_off_is_not_taken_for_noise_of_the_leds() -> None:
    measurer = Lucky(None, visits=4, quick=True)  # type: ignore[arg-type]
    measurer.asked = []
    measurer.found |= {
        "readers": {zone: {"state": "ok" if zone == "mint" else "dead"} for zone in ZONES},
        "settings": {"gain": {"mint": 2}},
    }
    measurer._all_reads()
    off = measurer.found["reads"]["mint"]["off"]
    assert off["n"] == 20 and off["seen"]["04"] == 4 + 9, measurer.asked
    assert off["seen"]["04"] / off["n"] < 0.9  # so the rules call it unsteady, and blame no LED


def test_a_zone_with_a_learned_threshold_is_weak_only_beyond_it() -> None:
    def kinds(lowest: int, gain: int, margin_db: int) -> list[str]:
        read = {"n": 10, "seen": {"04": 10}, "errors": {}, "incomplete": 0}
        measured = {
            "reads": {"mint": {"off": {**read, "lowest": {"04": lowest}}}},
            "settings": {"gain": {"mint": gain}, "margin_db": {"mint": margin_db}},
        }
        return [finding.kind for finding in rules_tags.weak(Case(measured))]

    assert kinds(1, 2, 10) == [] and kinds(2, 2, 10) == ["weak"]
    assert kinds(2, 3, 5) == [] and kinds(3, 3, 5) == ["weak"]
    assert kinds(2, 4, 10) == ["weak"], (
        "only the gain was calibrated: nobody has seen that it works"
    )


def test_a_field_is_kept_on_for_a_meter_until_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    class Keys:
        """Somebody looks at the meter, then presses Enter."""

        def readline(self) -> str:
            seen.extend(board.world.fields[zone].on for zone in ("mint", "curry"))
            return "\n"

    monkeypatch.setattr("sys.stdin", Keys())
    with SimulatedBoard(seed=1) as board:
        client = Client(BoardLink(board))
        client.connect()
        hold_field(client, "mint")
        assert seen == [True, False]
        assert not board.world.fields["mint"].on
        assert client.request("status")["maintenance"] is False
        with pytest.raises(UserError, match="there is no zone salt: zones are curry"):
            hold_field(client, "salt")
