"""Ctrl-C on the emulated board, in the ways of three tools, and a terminal that echoes.

The bytes and their gaps are those that the tools send; mpremote itself is a judge elsewhere
(test_new_board.py). One board does all that needs no second one: a start costs half a minute.
"""

from pathlib import Path

import pytest

from spiceboard.board.client import Client
from spiceboard_sim.emulator.board import EmulatedBoard, VirtualLink
from spicecore.wire import messages

pytestmark = [pytest.mark.emulated, pytest.mark.slow]

CTRL_A, CTRL_B, CTRL_C, CTRL_D = b"\x01", b"\x02", b"\x03", b"\x04"
# name: what a tool sends, and how many milliseconds it then waits
WAYS = {
    "mpremote": ((b"\r" + CTRL_C, 0.2), (b"\r" + CTRL_A, 0)),
    "rshell": ((b"\r" + CTRL_C + CTRL_C, 100), (b"\r" + CTRL_A, 0)),
    "Thonny": ((b"\r" + CTRL_C, 50), (CTRL_C, 100), (CTRL_C, 200), (CTRL_B, 10), (CTRL_A, 0)),
}
GAPS_MS = (0.2, 1, 5, 12, 20, 50)  # of two Ctrl-C: into the cleanup, at its begin and its end
RAW = b"raw REPL; CTRL-B to exit\r\n>"
WATCHDOG_MS = 9000  # longer than it can wait


class Bench:
    """A board that is restarted by Ctrl-D."""

    def __init__(self, image: Path) -> None:
        self.board = EmulatedBoard(image)
        self.board.run_until(lambda: self.board.chip.connected, 5000)

    def until(self, text: bytes, ms: float) -> bytes:
        """What the board says until it has said the text."""
        said = bytearray()

        def done() -> bool:
            said.extend(self.board.read())
            return text in said

        assert self.board.run_until(done, ms), said[-500:]
        return bytes(said)

    def running(self) -> None:
        """Wait until the firmware answers, its fields are in use and its rings are lit."""
        client = Client(VirtualLink(self.board))
        client.connect()
        self.board.run_for(400)

    def safe(self) -> None:
        """Nothing that could hurt while somebody copies files."""
        board, world = self.board, self.board.world
        assert not board.chip.mcu.watchdog._enable, "bit 30 of 0x40058000"
        assert not any(field.on for field in world.fields.values())
        board.run_for(20)
        assert {light for ring in world.rings().values() for light in ring} == {(0, 0, 0)}
        assert board.chip.resets == 0

    def again(self) -> None:
        """Out of the raw prompt, and a soft reset."""
        self.board.write(CTRL_B + CTRL_D)
        self.until(b"soft reboot", 3000)


def test_the_ways_of_three_tools_end_in_a_safe_prompt(image: Path) -> None:
    """In full run; the last one then waits for longer than a watchdog would."""
    bench = Bench(image)
    for way in WAYS.values():
        bench.running()
        for data, ms in way:
            bench.board.write(data)
            bench.board.run_for(ms)
        bench.until(RAW, 3000)
        bench.safe()
        bench.again()
    bench.running()
    bench.board.write(CTRL_C)
    bench.until(b">>> ", 3000)
    bench.board.run_for(WATCHDOG_MS)
    bench.safe()


@pytest.mark.soak
def test_ctrl_c_twice_with_each_gap(image: Path) -> None:
    """In full run, and while the application is loaded."""
    bench = Bench(image)
    for gap in GAPS_MS:
        for loaded in (True, False):
            if loaded:
                bench.running()
            else:
                bench.board.run_for(900)
            bench.board.write(b"\r" + CTRL_C)
            bench.board.run_for(gap)
            bench.board.write(CTRL_C)
            bench.until(b">>> ", 3000)
            bench.board.run_for(300)
            bench.safe()
            bench.again()


@pytest.mark.soak
def test_a_terminal_that_echoes_costs_no_sweeps(image: Path) -> None:
    """All that the board says comes back with carriage returns, as from `stty sane; cat`."""
    bench = Bench(image)
    bench.running()
    board = bench.board

    def sweeps(echo: bool, ms: int = 2000) -> int:
        """Fields switched on in that time; the host asks for the status now and then."""
        before = board.world.fields_on
        for step in range(ms // 10):
            if step % 50 == 0:
                board.write(messages.encode({"id": step, "do": "status"}) + b"who is there?\n")
            board.run_for(10)
            said = board.read()
            if echo and said:
                board.write(said.replace(b"\n", b"\r\n"))
        return board.world.fields_on - before

    alone = sweeps(False)
    echoed = sweeps(True)
    print(f"fields on in 2 s: {alone} without an echo, {echoed} with one")
    assert echoed > 0.8 * alone, (alone, echoed)
    board.run_for(500)
    board.read()
    board.run_for(1000)
    assert board.read() == b"", "it is quiet in the end"
