"""The MFRC522 over the RP2040's SPI and SIO registers from viper code: a frame as a whole.

About 90 us of processor time a frame instead of 360 (`machine.SPI` from bytecode). It sends the
same bytes in the same order as mfrc522.MFRC522. A reader is named by its address at the 4-to-16
decoder (0..15); the pins are those of the board's table.

    spi = machine.SPI(0, 8_000_000, sck=..., mosi=..., miso=...)   # sets pins, mode and clock
    lines = Lines(spi)
    readers = [FastMFRC522(lines, address) for address in range(13)]

RP2040 only.
"""

import time
from array import array

import micropython

from boards.pico.fast.viper import (
    AT,
    BUDGET,
    DONE,
    EXPECT,
    FRAMING,
    LENGTH,
    POLLS,
    ROOM,
    SETTLE,
    SPLITS,
    START,
    WHAT,
    ask,
    call,
    choose,
    field,
    leaves,
    meet,
    reach,
    run_frame,
    settle,
    swap,
    walk,
)
from rfid.chip import Chip
from rfid.codes import DEAD, DIFFERENT, HANDED, SAME, WAIT_US
from rfid.iso14443a import TypeA, scratch


class Lines:
    """The bus that all readers share, and the buffers of its frames."""

    def __init__(self, spi):
        self.spi = spi  # kept: it owns clock, mode and pins
        # Command: Idle; ComIrq: clear; FIFOLevel: flush; BitFraming; FIFOData and the frame
        self.load = bytearray(b"\x02\x02\x00\x02\x08\x7f\x02\x14\x80\x02\x1a\x00\x00\x12")
        self.load.extend(bytes(ROOM + 1))
        # Command: Transceive; BitFraming: StartSend; then the status chain and its answer
        self.start = bytearray(b"\x02\x02\x0c\x02\x1a\x80\x00\x88\x8c\x94\x98\x9c\x00")
        self.start.extend(bytes(7 + ROOM))
        self.state = array("i", bytes(4 * (SPLITS + 32 + 16)))
        self.state[DONE] = 0x21
        self.switch = bytearray(b"\x02\x00\x28\x80\xa8\x00")  # see field()
        self.pair = bytearray(2)
        self.got = bytearray(2)


class FastMFRC522(Chip):
    """See rfid.reader; rfid.frames says what call() to reach() do."""

    def __init__(self, lines, address, clock=time):
        self.lines = lines
        self.address = address
        self.clock = clock

    def write(self, register, value):
        """Write one register."""
        lines = self.lines
        lines.pair[0] = register << 1
        lines.pair[1] = value
        swap(self.address, lines.pair, lines.got, 2)

    def read(self, register):
        """Read one register."""
        lines = self.lines
        lines.pair[0] = 0x80 | register << 1
        lines.pair[1] = 0
        swap(self.address, lines.pair, lines.got, 2)
        return lines.got[1]

    def call(self, command):
        lines = self.lines
        lines.state[POLLS] = self.patience(WAIT_US)
        return call(self.address, command, lines.load, lines.start, lines.state)

    def halt(self, wait_us):
        lines = self.lines
        state = lines.state
        state[POLLS] = self.patience(wait_us)
        lines.load[AT] = 0x50
        lines.load[AT + 1] = 0x00
        lines.load[AT + 2] = 0x57  # CRC_A
        lines.load[AT + 3] = 0xCD
        state[LENGTH] = 4
        state[FRAMING] = state[EXPECT] = 0
        return run_frame(self.address, lines.load, lines.start, state)

    def ask(self, path, level, known):
        lines = self.lines
        lines.state[WHAT] = level << 6 | known
        lines.state[POLLS] = self.patience(WAIT_US)
        return ask(self.address, path, lines.load, lines.start, lines.state)

    def choose(self, uids, level, at):
        lines = self.lines
        lines.state[WHAT] = level << 16 | at
        lines.state[POLLS] = self.patience(WAIT_US)
        return choose(self.address, uids, lines.load, lines.start, lines.state)

    def first_level(self, steps):
        lines = self.lines
        state = lines.state
        state[WHAT] = self.coll_counts
        state[POLLS] = self.patience(WAIT_US)
        return walk(self.address, steps.path, steps.values[0], lines.load, lines.start, state)

    @micropython.native  # so its variables are on the stack, not on the heap
    def leaves(self, steps, data, what):
        lines = self.lines
        state = lines.state
        state[WHAT] = what
        state[POLLS] = self.patience(WAIT_US)
        state[START] = steps.start
        state[BUDGET] = steps.budget_us
        values = steps.values[0]
        return leaves(self.address, steps.path, values, data, lines.load, lines.start, state)

    def reach(self, data, at, command):
        lines = self.lines
        lines.state[WHAT] = command << 16 | at
        lines.state[POLLS] = self.patience(WAIT_US)
        return reach(self.address, data, lines.load, lines.start, lines.state)

    def antenna(self, on):
        """Antenna on, or Idle and antenna off."""
        lines = self.lines
        if not field(self.address, 1 if on else 0, lines.switch, lines.state):
            Chip.antenna(self, on)

    def settle(self):
        """Wait until the field has been on for settle_us."""
        state = self.lines.state
        state[SETTLE] = self.settle_us
        settle(self.address, state)

    @micropython.native
    def verify(self, known, budget_us, follow=None):
        """Send REQA after settle_us and walk level 1, all in machine code. If anything unexpected
        happens, continue step by step like the plain reader."""
        lines = self.lines
        state = lines.state
        scratch.met = 0
        scratch.halted = False
        state[WHAT] = self.coll_counts << 8 | known.count
        state[SETTLE] = self.settle_us
        state[POLLS] = self.patience(WAIT_US)
        values = scratch.values[0]
        got = meet(self.address, scratch.path, values, known.data, lines.load, lines.start, state)
        if got == 0:
            if follow is not None and field(self.address, 0, lines.switch, state):
                if field(follow.address, 1, lines.switch, state):
                    return HANDED
            return SAME
        if got > 0 or got == -3:
            scratch.met = got
            return DIFFERENT
        if got == -2:
            return DEAD
        return TypeA.verify(self, known, budget_us)
