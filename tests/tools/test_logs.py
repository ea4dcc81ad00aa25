"""`spiceboard log`: listing, copying, replaying; only `erase --yes` erases."""

import json
from pathlib import Path
from typing import Any

import pytest

from diag_bench import Bench
from rulesboard import Answer, RulesBoard
from spiceboard.board.client import Client, Refused
from spiceboard.commands import main
from spiceboard.commands.log import Replay, fetch, from_file
from spiceboard.errors import UserError
from spiceboard_sim import faults
from spicecore.games.ninebowls import rules as ninebowls
from spicecore.games.safranito import rules as safranito


def texts(said: list[dict[str, Any]]) -> str:
    return "\n".join(str(message.get("text", json.dumps(message))) for message in said)


def play(bench: Bench, moves: int = 4) -> str:
    """A game of which some events are accepted (fed by wire); its position as text."""
    options = {"players": 2, "mode": "referee", "seed": 7}
    reply = bench.ask("new", game="safranito", options=options, sensing="wire")
    assert "error" not in reply, reply
    for _ in range(moves):
        asked = bench.ask("snapshot")["game"]["asked"]
        for seat in asked:
            for event in bench.ask("view", seat=seat, key=None).get("legal", []):
                if event[0] == "moved":
                    done = bench.ask("sense", moves=[[event[2][0][0], "curry"]])
                else:
                    done = bench.ask("act", seat=seat, event=event)
                if "error" not in done:
                    break
    return str(bench.ask("text")["text"])


def test_copies_and_replays_to_the_same_position(bench: Bench, tmp_path: Path) -> None:
    text = play(bench)
    files = sorted(path.name for path in (bench.flash / "data/log").iterdir())
    before = {name: (bench.flash / "data/log" / name).read_bytes() for name in files}
    code, said = bench.command("log")
    assert code == 0 and "g0001-000.log" in texts(said) and "open" in texts(said)
    code, said = bench.command("log", "copy", "--to", str(tmp_path))
    assert code == 0, bench.words()
    copied = tmp_path / "g0001-000.jsonl"
    assert len(copied.read_text().splitlines()) >= 4
    code, said = bench.command("log", "copy", "g0001-000", "--to", str(tmp_path / "again"))
    assert code == 0, bench.words()
    assert (tmp_path / "again/g0001-000.jsonl").read_text() == copied.read_text()
    code, (listed,) = bench.command("log", "--json")
    (log,) = listed["logs"]
    assert log["name"] == "g0001-000.log" and log["bytes"] == sum(map(len, before.values()))
    assert log["records"] == len(copied.read_text().splitlines()) - 1 and log["over"] is False
    for where in (str(copied), "g0001-000.log", "g0001-000"):
        code, said = bench.command("log", "replay", where)
        assert code == 0, bench.words()
        assert text in texts(said), where
    assert {n: (bench.flash / "data/log" / n).read_bytes() for n in files} == before


def test_a_name_that_is_none_lists_what_there_is(bench: Bench, tmp_path: Path) -> None:
    code, _ = bench.command("log", "copy", "g1", "--to", str(tmp_path))
    assert code == 1 and "there is no log g1; the board has no games" in bench.words()
    play(bench, 1)
    for words in (("copy", "g0001-000.log", "g1", "--to", str(tmp_path)), ("replay", "g1")):
        code, said = bench.command("log", *words)
        assert code == 1 and not said
        assert "there is no log g1; the board has g0001-000.log" in bench.words()
    assert list(tmp_path.iterdir()) == []


def test_erasing_is_separate_and_confirmed(bench: Bench) -> None:
    play(bench, 1)
    code, _ = bench.command("log", "erase", "g0001-000.log")
    assert code == 2 and "cannot be undone" in bench.words()
    code, _ = bench.command("log", "erase", "g0001-000.log", "--yes")
    assert code == 1 and "game that is on" in bench.words()
    bench.ask("abort", confirm=True)
    assert (bench.flash / "data/log/g0001-000.log").exists()
    code, _ = bench.command("log", "erase", "g0009-000.log", "--yes")
    assert code == 1 and "no log g0009-000.log; the board has g0001-000.log" in bench.words()
    code, said = bench.command("log", "erase", "g0001-000", "--yes")
    assert code == 0 and not (bench.flash / "data/log/g0001-000.log").exists()
    code, said = bench.command("log")
    assert code == 0 and "no game" in texts(said)


def test_a_full_game_keeps_its_secrets(bench: Bench, tmp_path: Path) -> None:
    bench.ask("new", game="safranito", options={"players": 2, "mode": "full", "seed": 1})
    assert bench.command("log", "list")[0] == 0  # names and sizes tell nothing
    for words in (("copy", "--to", str(tmp_path)), ("replay", "g0001-000.log")):
        code, said = bench.command("log", *words)
        assert code == 1 and "a full game is being played" in bench.words()
        assert "when the game is over or aborted" in bench.words()
        assert "seed" not in texts(said)
    assert list(tmp_path.iterdir()) == []
    bench.ask("abort", confirm=True)
    assert bench.command("log", "copy", "--to", str(tmp_path))[0] == 0
    assert len(list(tmp_path.iterdir())) == 1


def test_a_disk_that_is_full_or_no_folder(bench: Bench, tmp_path: Path) -> None:
    play(bench, 1)
    (tmp_path / "file").write_text("x")
    code, _ = bench.command("log", "copy", "--to", str(tmp_path / "file"))
    assert code == 2 and "cannot create" in bench.words()
    if Path("/dev/full").exists():
        target = tmp_path / "g0001-000.jsonl.new"
        target.symlink_to("/dev/full")
        code, _ = bench.command("log", "copy", "--to", str(tmp_path))
        assert code == 2 and "No space left" in bench.words()
        assert not (tmp_path / "g0001-000.jsonl").exists()


def test_what_is_no_file_is_told_before_a_board_is_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPICEBOARD_PORT", raising=False)
    monkeypatch.setattr("spiceboard.board.link.list_ports.comports", list)
    monkeypatch.setattr("spiceboard.board.link.configured", lambda environment: None)
    monkeypatch.setattr("spiceboard.board.link.LOOK_S", 0)
    deep = tmp_path / "deep.jsonl"
    deep.write_text("[" * 100_000)
    for log, code, word in (
        ("typo.jsonl", 2, "no file typo.jsonl here"),
        (str(tmp_path / "g0001-000.log"), 2, "no file "),
        (str(tmp_path), 2, "is a folder"),
        (str(deep), 2, "line 1 is damaged: it is nested too deeply"),
        ("g0001-000.log", 3, "no file g0001-000.log here, and no board is plugged in"),
    ):
        assert main.main(["log", "replay", log]) == code, log
        assert word in capsys.readouterr().err


def test_a_damaged_log_is_read_up_to_the_damage(bench: Bench) -> None:
    play(bench, 2)
    bench.ask("abort", confirm=True)
    bench.board.kill()
    faults.inject(bench.board, "file_corrupt", file="data/log/g0001-000.log", at=-20)
    bench.boot()
    code, said = bench.command("log", "replay", "g0001-000.log")
    assert code == 0 and "safranito" in texts(said)


def record(events: int) -> list[list[Any]]:
    """Records of a full game with chance in the state, made by the rules alone."""
    options = {"players": 2, "mode": "full", "seed": 5}
    state = safranito.new(options)
    found: list[list[Any]] = [["new", "safranito", options, None, "readers"], ["key", 0, "k"]]
    while len(found) < events + 2:
        seat = safranito.seats_asked(state)[0]
        event = safranito.legal(state, seat)[0]
        if event[0] == "moved":
            event = ["moved", None, [[event[2][0][0], "curry"]]]
        after, effects = safranito.step(state, event)
        assert after is not state, effects
        state = after
        found.append(["e", event])
    found.append(["end", safranito.text(state)])
    return found


class InPieces(RulesBoard):
    """A board whose memory has room for short replies only."""

    fits = 600

    def do_log_read(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["room"] > self.fits:
            raise Answer("no_memory", "the board has no room for so long a reply")
        return super().do_log_read(message)


def test_a_board_in_need_of_memory_is_asked_for_less() -> None:
    board = InPieces(ninebowls)
    client = Client(board)
    client.connect()
    client.request("new", game="ninebowls", options={"players": 2, "seed": 1})
    assert fetch(client, "g0001-000.log") == json.loads(json.dumps(board.records[1]))
    board.fits = 10
    with pytest.raises(Refused, match="no room"):
        fetch(client, "g0001-000.log")


def test_replay_gives_the_same_state() -> None:
    records = record(12)
    text = records.pop()[1]
    play = Replay()
    for one in records:
        play.take(one)
    assert safranito.text(play.state) == text and play.step == 12


def test_replay_says_what_does_not_fit() -> None:
    play = Replay()
    play.take(record(1)[0])
    with pytest.raises(UserError, match="rules refuse"):
        play.take(["e", ["moved", None, [["b10", "nowhere"]]]])
    with pytest.raises(UserError, match="cannot be replayed"):
        play.take(["undo"])
    with pytest.raises(UserError, match="does not have the game"):
        play.take(["new", "chess", {}, None, "readers"])


def test_files_that_are_no_logs(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for text, why in (
        ("", "not a copied log"),
        ("{}\n", "not a copied log"),
        ('{"spiceboard log": 1}\n["new"', "line 2 is damaged"),
        ('{"spiceboard log": 1}\n7\n', "not a record"),
    ):
        path.write_text(text)
        with pytest.raises(UserError, match=why):
            from_file(path)


def test_a_copy_of_another_game_is_not_overwritten(bench: Bench, tmp_path: Path) -> None:
    play(bench)
    copied = tmp_path / "g0001-000.jsonl"
    for _ in range(2):  # the same log again is welcome
        code, _ = bench.command("log", "copy", "--to", str(tmp_path))
        assert code == 0, bench.words()
    whole = copied.read_text()
    copied.write_text("\n".join(whole.splitlines()[:3]) + "\n")  # an earlier copy: it grew since
    assert bench.command("log", "copy", "--to", str(tmp_path))[0] == 0, bench.words()
    assert copied.read_text() == whole
    other = whole.replace("new", "state", 1)
    copied.write_text(other)
    code, _ = bench.command("log", "copy", "--to", str(tmp_path))
    assert code == 2 and "is not overwritten" in bench.words()
    assert copied.read_text() == other


def test_a_copy_of_the_whole_board_waits_for_the_end_of_a_game(
    bench: Bench, tmp_path: Path
) -> None:
    play(bench, 1)
    code, _ = bench.command("flash", "--backup", str(tmp_path / "all.zip"))
    assert code == 1 and "finish or abort it first" in bench.words()
    assert list(tmp_path.iterdir()) == []
    assert bench.ask("snapshot")["game"]["name"] == "safranito"
