"""The pages at boards behind a port: thrown by hand, unplugged, restarted, of another version.

The hands are the test's: they lay and lift chips at the simulator's control channel, or at the
emulated RP2040, and the pages know nothing of them.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pagesbench import PATIENCE_S, Bench, CalmBoard, PortBench, Talker, people
from spiceboard.board.client import OldProtocol
from spiceboard.board.link import SerialLink
from spiceboard.board.simulated import VirtualBoard
from spiceboard.bots import bot
from spiceboard.errors import LinkError

ZONES = ["saffron", "mint", "saffron", "curry", "extra_throw", "head_chef", "garlic", "mint"]


class Hand:
    """A person's hand at a board that the server only reads."""

    def __init__(self, bench: Bench, lay: Callable[[str, str], Any], lift: Callable[[str], Any]):
        self.bench, self.lay, self.lift = bench, lay, lift
        self.page = Talker(bench, bench.table.keys.table)
        self.page.see(lambda frame: frame["is"] == "seat")
        self.minds = {seat: bot.load("safranito", "sensible")(seat, 1) for seat in range(2)}
        self.thrown = 0

    def until(self, true: Callable[[], Any]) -> None:
        end = time.monotonic() + 2 * PATIENCE_S
        while not true():
            assert time.monotonic() < end, str(self.bench.table.server.hub.table)
            time.sleep(0.05)

    def board_looks(self) -> None:
        """Wait for two looks at all zones: what lies there before a first look is no throw."""
        desk = self.bench.table.server.desk
        assert desk is not None

        def status() -> dict[str, Any]:
            request = desk.ask(lambda: desk._match().client.request("status"))
            found: dict[str, Any] = request.result(PATIENCE_S)
            return found

        before = status()["sweeps"]
        self.until(lambda: (now := status())["ready"] and now["sweeps"] >= before + 2)

    def made(self) -> int:
        return int(self.bench.game["view"]["throws"]["made"])

    def mismatch(self) -> list[list[Any]]:
        """What people are asked to put right, with the chips' names that they can see."""
        desk = self.bench.table.server.desk
        assert desk is not None
        return [
            row
            for seat in range(2)
            for row in desk.ask(lambda s=seat: desk._match().page(s)["mismatch"]).result(30)
        ]

    def throw(self) -> None:
        """The one who is asked throws a chip, for a bot as the page asks for it."""
        hub, made = self.bench.table.server.hub, self.made()
        if self.bench.game["asked"] == [1] and hub.table["chairs"][1]["who"] == "bot":
            self.grant()
        else:
            seat = self.bench.game["asked"][0]
            self.lay(f"{'br'[seat]}{10 * (1 + made // 2)}", ZONES[made % len(ZONES)])
        self.until(lambda: not self.throwing() or self.made() > made)

    def throwing(self) -> bool:
        return bool(self.bench.game["view"]["throws"])

    def grant(self) -> None:
        """Throw for a bot, as the page asks for it."""
        hub, desk = self.bench.table.server.hub, self.bench.table.server.desk
        assert desk is not None
        self.until(lambda: hub.table["wish"] and desk._match().wish)
        wish, step = desk._match().wish, self.bench.game["step"]
        assert wish is not None
        self.lay(wish["chip"], wish["zone"])
        self.until(lambda: self.bench.game["step"] != step)

    def decide(self) -> None:
        """What the page of the person asks; what bots do is waited for."""
        game, step = self.bench.game, self.bench.game["step"]
        if self.bench.table.server.hub.table["snapshot"]["mismatch"]:
            for chip, _, due in self.mismatch():
                self.lift(chip) if due is None else self.lay(chip, due)
                self.until(lambda c=chip: c not in [row[0] for row in self.mismatch()])
            return
        own = self.bench.table.server.hub.seats.get(0)
        desk = self.bench.table.server.desk
        if desk is not None and desk._match().wish:
            self.grant()
        elif 0 in game["asked"] and own and own["step"] == step:
            legal = [event for event in own["legal"] if event[0] != "moved"]
            self.page.ask("act", seat=0, event=self.minds[0].decide(own["view"], legal))
        elif 0 in self.bench.table.server.hub.table["waits"]:
            self.page.ask("go_on", seat=0)
        time.sleep(0.1)

    def play_round(self) -> None:
        end = time.monotonic() + 5 * PATIENCE_S
        while self.bench.game["view"]["round"] == 1:
            assert time.monotonic() < end, str(self.bench.table.server.hub.table)
            if self.throwing() and self.made() < 8:
                self.throw()
            else:
                self.decide()


def simulated(folder: Path, *more: str) -> VirtualBoard:
    return VirtualBoard(["--seed", "3", "--flash", str(folder / "flash"), *more])


@pytest.mark.slow
def test_a_round_at_a_board_behind_a_serial_port(tmp_path: Path) -> None:
    """Person and bot at one board; all chips are thrown and lifted by hand."""
    with simulated(tmp_path, "--speed", "3") as board:
        hands = board.hands()
        bench = PortBench(tmp_path, board.port, "safranito", people(1, 1), chef=0)
        try:
            Hand(bench, hands.lay, hands.lift).play_round()
            assert bench.game["view"]["round"] == 2
            assert not bench.table.server.hub.table["hands"]
            rings = bench.table.server.hub.eyes["rings"]
            assert len(rings) == 13 and any(set(ring) != {"0"} for ring in rings.values())
        finally:
            bench.close()
            hands.close()


@pytest.mark.slow
def test_a_board_that_is_unplugged_comes_back_and_so_does_a_server(tmp_path: Path) -> None:
    board = simulated(tmp_path, "--tcp", "0")
    bench = PortBench(tmp_path, board.port, "safranito", people(2), chef=0)
    hand = Hand(bench, board.hands().lay, board.hands().lift)
    key = bench.table.keys.table
    try:
        hand.throw()
        board._process.kill()  # the cable, and the power with it
        lost = hand.page.see(lambda frame: frame["is"] == "lost" and frame["text"])
        assert "lost" in lost["text"]
        board.close()
        board = simulated(tmp_path, "--tcp", board.port.rpartition(":")[2])
        hand.page.until(lambda frame: frame["is"] == "lost" and not frame["text"])
        hand.until(lambda: hand.made() == 1)
        hand.lay = board.hands().lay
        hand.lay("b10", "saffron")  # chips stay where they lie; this simulator's do not
        hand.board_looks()
        hand.throw()
        assert hand.made() == 2
        bench.close()
        bench = PortBench(tmp_path, board.port, "safranito", [])
        page = Talker(bench, key)
        page.see(lambda frame: frame["is"] == "seat" and frame["seat"] == 0)
        assert page.last("table")["snapshot"]["game"]["view"]["throws"]["made"] == 2
    finally:
        bench.close()
        board.close()


def flash(port: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run `spiceboard flash` as somebody at another terminal does."""
    command = [sys.executable, "-m", "spiceboard.commands.main", "flash", "--port", port, "--yes"]
    return subprocess.run(
        [*command, *options], capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL
    )


def lent(page: Talker, to: str) -> None:
    page.until(lambda frame: frame["is"] == "lost" and frame["lent"] == to)


def back(page: Talker) -> dict[str, Any]:
    """The board is there again: the table as the page is shown it then."""
    page.until(lambda frame: frame["is"] == "lost" and not (frame["lent"] or frame["text"]))
    return page.until(lambda frame: frame["is"] == "table")


@contextmanager
def at_table(folder: Path) -> Iterator[tuple[PortBench, Talker]]:
    """A game of two at a simulated board: the server, and the table's page."""
    with simulated(folder) as board:
        bench = PortBench(folder, board.port, "safranito", people(2), chef=0)
        try:
            page = Talker(bench, bench.table.keys.table)
            page.see(lambda frame: frame["is"] == "seat")
            yield bench, page
        finally:
            bench.close()


@pytest.mark.slow
def test_a_board_is_lent_to_commands_and_comes_back_by_itself(tmp_path: Path) -> None:
    """Nobody presses anything. A simulated board itself is refused by `flash`."""
    with at_table(tmp_path) as (bench, page):
        done = flash(bench.port)
        assert (done.returncode, "cannot be flashed" in done.stderr) == (5, True), done.stderr
        assert done.stderr.count("it lends the board until this command ends") == 1
        lent(page, "command")
        back(page)
        assert page.ask("act", seat=0, event=["missed", 0])["is"] == "done"
        command = [sys.executable, "-m", "spiceboard.commands.main", "monitor"]
        with subprocess.Popen(
            [*command, "--port", bench.port], stderr=subprocess.PIPE, text=True
        ) as monitor:
            try:
                assert monitor.stderr is not None
                assert any("playing safranito" in line for line in monitor.stderr)
                lent(page, "command")
                refused = page.ask("act", seat=1, event=["missed", 1])
                assert refused["is"] == "refused" and "not there" in refused["text"]
            finally:
                monitor.kill()
        back(page)
        assert page.ask("act", seat=1, event=["missed", 1])["is"] == "done"


@pytest.mark.slow
def test_a_board_is_lent_to_a_foreign_program_by_a_press(tmp_path: Path) -> None:
    """One that claims nothing: nobody but people knows when it is done."""
    with at_table(tmp_path) as (bench, page):
        with pytest.raises(LinkError, match="another program uses"):
            SerialLink(bench.port)
        assert Talker(bench).ask("lend")["is"] == "refused", "spectators lend nothing"
        assert page.ask("lend")["is"] == "done"
        lent(page, "people")
        foreign = SerialLink(bench.port)
        assert "another program uses" in flash(bench.port).stderr
        foreign.close()
        assert page.ask("take_back")["is"] == "done"
        back(page)
        assert page.ask("act", seat=0, event=["missed", 0])["is"] == "done"


@pytest.mark.soak
@pytest.mark.emulated
def test_the_real_board_is_flashed_under_an_open_table(tmp_path: Path) -> None:
    """Quiesced, interrupted, pointed at the other slot, restarted and proved by the command; the
    game is there again. (Uploads: tests/emulated/test_flash.py.)"""
    from spiceboard_sim.board.world import World
    from spiceboard_sim.emulator.board import installed, roster_files
    from spiceboard_sim.emulator.image import find_image
    from spiceboard_sim.emulator.runner import Runner

    link = tmp_path / "board"
    files = installed(slot="b") | installed() | roster_files(World(3))
    files["slot.txt"] = b"a b good 0\n"
    with Runner(find_image(), files, seed=3, link=link) as board:
        bench = PortBench(tmp_path, str(link), "safranito", people(2), chef=0)
        try:
            page = Talker(bench, bench.table.keys.table)
            page.see(lambda frame: frame["is"] == "seat")
            assert page.ask("act", seat=0, event=["missed", 0])["is"] == "done"
            step, resets = 1, board.call("figures")["resets"]
            page.see(lambda f: f["is"] == "table" and f["snapshot"]["game"]["step"] == step)
            done = flash(str(link), "--rollback")
            assert done.returncode == 0, done.stderr
            lent(page, "command")
            assert "slot b" in done.stderr + done.stdout
            assert board.call("figures")["resets"] > resets
            again = back(page)
            assert again["snapshot"]["game"]["step"] == step
            asked = bench.game["asked"][0]
            assert page.ask("act", seat=asked, event=["missed", asked])["is"] == "done"
        finally:
            bench.close()


@pytest.mark.soak
@pytest.mark.emulated
def test_a_round_at_the_emulated_rp2040(tmp_path: Path) -> None:
    """The real image, behind a pseudo-terminal that goes away at a restart, as USB does."""
    from spiceboard_sim.emulator.image import find_image
    from spiceboard_sim.emulator.runner import Runner

    link = tmp_path / "board"
    with Runner(find_image(), seed=3, link=link) as board:
        hands = (lambda c, z: board.call("lay", c, z), lambda c: board.call("lift", c))
        bench = PortBench(tmp_path, str(link), "safranito", people(1, 1), chef=0)
        try:
            hand = Hand(bench, *hands)
            hand.board_looks()
            hand.throw()
            board.call("power_cycle")
            hand.page.until(lambda frame: frame["is"] == "lost" and frame["text"])
            hand.page.until(lambda frame: frame["is"] == "lost" and not frame["text"])
            hand.board_looks()
            hand.play_round()
            assert bench.game["view"]["round"] == 2
        finally:
            bench.close()


class OtherBoard(CalmBoard):
    """A board that loses its cable, and whose firmware may be of another protocol version."""

    protocol: int | None = None
    gone = False

    def do_hello(self, message: dict[str, Any]) -> dict[str, Any]:
        return super().do_hello(message) | ({"protocol": self.protocol} if self.protocol else {})

    def read(self, timeout: float) -> bytes:
        if self.gone:
            self.gone = False
            raise LinkError("the cable was pulled")
        return super().read(timeout)


def test_a_board_of_another_version_gets_a_sentence_at_the_start(tmp_path: Path) -> None:
    class Other(Bench):
        def __init__(self) -> None:
            self.protocol = 99
            super().__init__(tmp_path, "safranito", [])

        def _opener(self) -> Any:
            self.board = OtherBoard(self.board.rules)
            self.board.protocol = self.protocol
            return self._open

    bench = Other()
    try:
        with pytest.raises(OldProtocol, match=r"protocol 99.*update this program"):
            bench.table.server.desk.first.result(PATIENCE_S)  # type: ignore[union-attr]
    finally:
        bench.close()


def test_a_board_that_comes_back_with_another_version_gets_a_sentence(tmp_path: Path) -> None:
    """As after `spiceboard flash` with another release; once it is mended, the game goes on."""

    class Other(Bench):
        def _opener(self) -> Any:
            self.board = OtherBoard(self.board.rules)
            return self._open

    bench = Other(tmp_path, "safranito", people(2), chef=0)
    try:
        page = Talker(bench, bench.table.keys.table)
        page.see(lambda frame: frame["is"] == "seat")
        board = bench.board
        board.protocol, board.gone = 98, True  # type: ignore[attr-defined]
        page.until(lambda frame: frame["is"] == "lost" and "protocol 98" in frame["text"])
        assert page.ask("act", seat=0, event=["missed", 0])["is"] == "refused"
        board.protocol = None  # type: ignore[attr-defined]
        page.until(lambda frame: frame["is"] == "lost" and not frame["text"])
        reply = page.ask("throw", seat=0, chip="b10", zone="mint", strength=0.1)
        assert reply["is"] == "done"
    finally:
        bench.close()
