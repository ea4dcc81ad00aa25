"""`spiceboard monitor`: it listens, and a game does not notice that it came and went."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spiceboard.board.client import RECONNECT_S, Client, OldProtocol, check_version
from spiceboard.commands.monitor import line_of, watch
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.headless import BoardLink
from spicecore.version import PROTOCOL

OPTIONS = {"players": 2, "mode": "referee", "seed": 3, "chef": 0}


class Recorded:
    """A link that remembers what went to the board, and leaves the board on at its end."""

    def __init__(self, link: BoardLink) -> None:
        self.link, self.name, self.sent = link, link.name, b""
        self.read, self.now, self.sleep = link.read, link.now, link.sleep

    def write(self, data: bytes) -> None:
        self.sent += data
        self.link.write(data)

    def close(self) -> None:
        """The cable stays in."""


def play(monitored: bool) -> tuple[dict[str, Any], bytes, str]:
    """A few throws; in the middle of them a monitor is attached and detached, or not."""
    shown, sent = io.StringIO(), b""
    with SimulatedBoard(seed=1) as board:
        link = BoardLink(board)
        client = Client(link)
        client.connect()
        client.request("new", game="safranito", options=OPTIONS)
        board.run_for(1500)  # the board has looked at itself
        board.world.lay("b10", "curry")
        board.run_for(500)
        if monitored:
            wire = Recorded(link)
            guest = Client(wire)
            guest.connect()
            board.world.lay("r20", "mint")
            watch(guest, shown, False, 0.5)
            guest.close()
            sent = wire.sent
        else:
            board.world.lay("r20", "mint")
            board.run_for(500)
        board.world.lay("b30", "curry")
        board.run_for(500)
        after = Client(link)
        after.connect()
        view = after.request("view")
        return {"view": view["view"], "step": view["step"]}, sent, shown.getvalue()


def test_attaching_and_detaching_in_the_middle_of_a_game_changes_nothing() -> None:
    alone, _, _ = play(monitored=False)
    watched, sent, shown = play(monitored=True)
    assert watched == alone and alone["step"] >= 2
    assert b"\x03" not in sent and b"\x04" not in sent and b"\x01" not in sent
    asked = {json.loads(line[1:-5])["do"] for line in sent.split(b"\n") if line.strip()}
    assert asked <= {"hello", "snapshot"}, "it only asks what changes nothing"
    assert 'board ["moved", [["red", null, "mint"]]]' in shown.splitlines()


def test_console_text_and_events_are_told_apart() -> None:
    assert line_of(("console", "Traceback"), False) == "| Traceback"
    assert line_of(("game", ["thrown", 0]), False) == 'game ["thrown", 0]'
    assert json.loads(line_of(("board", ["button", "ok"]), True)) == ["board", ["button", "ok"]]


class Desk:
    """A simulated board whose port has a name of its own, as a USB port has, and a monitor."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.link = folder / "board"
        self.board = self.plug_in()
        command = [sys.executable, "-m", "spiceboard.commands.main", "monitor", "--port"]
        self.monitor = subprocess.Popen(
            [*command, str(self.link), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert "playing nothing" in self.said()

    def plug_in(self) -> subprocess.Popen:
        board = subprocess.Popen(
            [sys.executable, "-m", "spiceboard_sim", "--pty"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert board.stdout
        self.link.symlink_to(json.loads(board.stdout.readline())["port"])
        self.board = board
        return board

    def unplug(self) -> None:
        self.link.unlink(missing_ok=True)
        self.board.kill()
        self.board.wait()

    def said(self) -> str:
        """The next line on stderr."""
        assert self.monitor.stderr
        return self.monitor.stderr.readline()

    def close(self) -> None:
        self.monitor.kill()
        self.monitor.wait()
        self.unplug()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    made: list[Desk] = []

    def make(*options: str) -> Desk:
        made.append(Desk(tmp_path, *options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_board_that_goes_is_told_at_once_and_waited_for(desk: Callable[..., Desk]) -> None:
    """Unplugged for longer than any other command waits, plugged in again: it goes on."""
    at = desk()
    at.unplug()
    gone = time.monotonic()
    said = at.said()
    assert "lost" in said and "waiting until Ctrl-C for it to come back" in said
    assert time.monotonic() - gone < RECONNECT_S  # sooner than it would give up
    time.sleep(RECONNECT_S + 1)
    assert at.monitor.poll() is None, "it gave the board up"
    at.plug_in()
    assert at.monitor.stdout
    assert "the connection was lost and is back" in at.monitor.stdout.readline()
    at.monitor.send_signal(signal.SIGINT)
    assert at.monitor.wait(20) == 130


def test_the_end_of_its_time_comes_without_the_board_too(desk: Callable[..., Desk]) -> None:
    """With --seconds the wait has an end: exit code 3."""
    at = desk("--seconds", "4")
    at.unplug()
    said = at.said()
    assert "lost" in said and "waiting up to" in said
    assert at.monitor.wait(30) == 3
    assert at.monitor.stderr and "there is no such port" in at.monitor.stderr.read()


def test_a_board_that_comes_back_with_an_old_protocol_is_not_waited_for() -> None:
    with pytest.raises(OldProtocol, match="spiceboard flash"):
        check_version({"protocol": PROTOCOL - 2})
