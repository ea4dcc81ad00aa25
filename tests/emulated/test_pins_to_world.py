"""What the emulated pins hand on to the world, without any firmware: the test moves the pins."""

import pytest

from spiceboard_sim.board.controller import PIXELS
from spiceboard_sim.board.world import World
from spiceboard_sim.chips.ws2812 import RESET_NS
from spiceboard_sim.emulator.chip import Chip
from spiceboard_sim.emulator.wiring import Wiring

pytestmark = pytest.mark.emulated
CTRL = 0x40014004 + 8 * PIXELS  # RP2040 data sheet 2.19.6.1, GPIO10_CTRL
SIO = 5  # its FUNCSEL
OUT_SET, OUT_CLEAR, OE_SET = 0xD0000014, 0xD0000018, 0xD0000024  # 2.3.1.7
# Pulses as seen while the whole firmware ran, and 16 ns worse: an edge may come late.
HIGH_NS = {0: (296, 375, 488), 1: (800, 875, 968)}
PERIOD_NS = (1176, 1250, 1400)


def test_late_edges_change_no_colour() -> None:
    chip, world = Chip(None), World(0)
    wiring = Wiring(chip, world)
    chip.mcu.write_uint32(CTRL, SIO)
    chip.mcu.write_uint32(OE_SET, 1 << PIXELS)
    count = 0
    for _ in range(16):
        for byte in (0x08, 0xF7, 0x81):  # green, red, blue
            for place in range(7, -1, -1):
                high = HIGH_NS[byte >> place & 1][count % 3]
                chip.mcu.write_uint32(OUT_SET, 1 << PIXELS)
                chip.clock.tick(high)
                chip.mcu.write_uint32(OUT_CLEAR, 1 << PIXELS)
                chip.clock.tick(PERIOD_NS[count // 3 % 3] - high)
                count += 1
    chip.clock.tick(2 * RESET_NS)
    wiring.sync()
    assert world.rings()["curry"] == [(0xF7, 0x08, 0x81)] * 16
