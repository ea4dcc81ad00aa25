"""`spiceboard monitor`: it listens, and a game does not notice that it came and went."""

import io
import json
import subprocess
import sys
import time
from typing import Any

from spiceboard.host.client import Client
from spiceboard.host.monitor import line_of, watch
from spiceboard.sim.headless import BoardLink
from spiceboard.sim.process import SimulatedBoard

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


def test_a_board_that_goes_is_told_at_once() -> None:
    """Its end is on stderr long before the wait for its return is over; then exit code 3."""
    board = subprocess.Popen(
        [sys.executable, "-m", "spiceboard.sim", "--pty"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert board.stdout
    port = json.loads(board.stdout.readline())["port"]
    command = [sys.executable, "-m", "spiceboard.host.cli", "monitor", "--port", port]
    monitor = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert monitor.stderr and "playing nothing" in monitor.stderr.readline()
    board.kill()
    board.wait()
    gone = time.monotonic()
    said = monitor.stderr.readline()
    assert "lost" in said and "waiting up to 10 s" in said
    assert time.monotonic() - gone < 5
    assert monitor.wait(60) == 3 and "there is no such port" in monitor.stderr.read()
