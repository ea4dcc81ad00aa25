"""The same Bus as mfrc522.Bus, over the RP2040's SPI and SIO registers from viper code.

About 90 us of processor time a frame instead of 360 (`machine.SPI` from bytecode). It sends the
same bytes in the same order. `select` is not a callable here but the reader's address at the
4-to-16 decoder (0..15): MFRC522(FastBus(spi), address). The pins are those of the board's table.

    spi = machine.SPI(0, 8_000_000, sck=..., mosi=..., miso=...)   # sets pins, mode and clock
    bus = FastBus(spi)

RP2040 only.
"""

from array import array

import micropython
from micropython import const

from boards.pico.fast.viper import (
    ANSWER,
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
    STATUS,
    WHAT,
    ask,
    call,
    choose,
    crc_a,
    field,
    leaves,
    meet,
    reach,
    run_frame,
    settle,
    swap,
    walk,
)

_WAIT_US = const(300)  # as frames.py


class FastBus:
    """See mfrc522.Bus: write, read, tx, rx, status; a frame is done as a whole."""

    ROOM = ROOM
    whole = True
    follow = -1

    def __init__(self, spi):
        self.spi = spi  # kept: it owns clock, mode and pins
        # Command: Idle; ComIrq: clear; FIFOLevel: flush; BitFraming; FIFOData and the frame
        self._load = bytearray(b"\x02\x02\x00\x02\x08\x7f\x02\x14\x80\x02\x1a\x00\x00\x12")
        self._load.extend(bytes(ROOM + 1))
        self.tx = memoryview(self._load)[AT : AT + ROOM]
        # Command: Transceive; BitFraming: StartSend; then the status chain and its answer
        self._start = bytearray(b"\x02\x02\x0c\x02\x1a\x80\x00\x88\x8c\x94\x98\x9c\x00")
        self._start.extend(bytes(7 + ROOM))
        self.status = memoryview(self._start)[STATUS:ANSWER]
        self._state = array("i", bytes(4 * (SPLITS + 32)))
        self._state[DONE] = 0x21
        self._pair = bytearray(2)
        self._got = bytearray(2)
        self._switch = bytearray(b"\x02\x00\x28\x80\xa8\x00")  # see field()
        self.rx = memoryview(self._start)[ANSWER + 1 :]

    def write(self, select: int, register: int, value: int):
        """Write one register."""
        self._pair[0] = register << 1
        self._pair[1] = value
        swap(select, self._pair, self._got, 2)

    def read(self, select: int, register: int) -> int:
        """Read one register."""
        self._pair[0] = 0x80 | register << 1
        self._pair[1] = 0
        swap(select, self._pair, self._got, 2)
        return self._got[1]

    def run(self, select: int, length: int, framing: int, expect: int, polls: int) -> int:
        """A frame from loading to fetching: as MFRC522.exchange()."""
        state = self._state
        state[LENGTH] = length
        state[FRAMING] = framing
        state[EXPECT] = expect
        state[POLLS] = polls
        return run_frame(select, self._load, self._start, state)

    def call(self, select: int, command: int, polls: int) -> int:
        """REQA or WUPA: as Frames.call() in frames.py."""
        state = self._state
        state[POLLS] = polls
        return call(select, command, self._load, self._start, state)

    def ask(self, select: int, path, level: int, known: int, polls: int) -> int:
        """ANTICOLLISION at the level (0..2) by the first `known` bits (0..32) of path, which gets
        the answer: as Frames.ask() in frames.py, but 40h | coll where tags differ."""
        state = self._state
        state[WHAT] = level << 6 | known
        state[POLLS] = polls
        return ask(select, path, self._load, self._start, state)

    def choose(self, select: int, uids, level: int, at: int, polls: int) -> int:
        """SELECT uids[at:at + 4] at the level: as Frames.select()."""
        state = self._state
        state[WHAT] = level << 16 | at
        state[POLLS] = polls
        return choose(select, uids, self._load, self._start, state)

    def walk(self, select: int, path, values, counts: int, polls: int) -> int:
        """All values of level 1 of READY tags into values, 4 bytes each: how many. -1 when
        anything went otherwise than in the books: then the walk is to be done step by step.
        counts: MFRC522.coll_counts."""
        state = self._state
        state[WHAT] = counts
        state[POLLS] = polls
        return walk(select, path, values, self._load, self._start, state)

    @micropython.native  # its variables lie on the stack then, and not on the heap
    def leaves(self, walk, data, what: int) -> int:
        """The tags whose level 1 are walk.values[0][4 * first : 4 * end], each: REQA (but the
        first where what & 2000000h), SELECT, level 2 and SELECT, HLTA (but the last where what &
        1000000h). Their UIDs go to data[to:], as a UidSet has them. what: to << 12 | end << 6 |
        first. Returns end, or the first that was not one tag of 4 or 7 bytes that did all this,
        or that comes after the walk's time: its state is open then."""
        state = self._state
        reader = walk.reader
        state[WHAT] = what
        state[POLLS] = reader.patience(_WAIT_US)
        state[START] = walk.start
        state[BUDGET] = walk.budget_us
        values = walk.values[0]
        return leaves(reader.select, walk.path, values, data, self._load, self._start, state)

    def field(self, select: int, on: bool) -> bool:
        """Antenna on, or Idle and antenna off; does TxControlReg read back so?"""
        return bool(field(select, 1 if on else 0, self._switch, self._state))

    def settle(self, us: int):
        """Wait until the field that was switched on last has been on for so long."""
        state = self._state
        state[SETTLE] = us
        settle(state)

    @micropython.native
    def cover(self, reader, known, walk):
        """REQA, once the tags of the field had reader.settle_us, and a walk of level 1: 1 just the
        known tags answered, 2 others or fewer did, -2 the reader is dead, -1 to be done step by
        step (the tags are in any state but HALT then). walk: an walk.Walk; for 2 its
        `met` is how many values were found, -3 when the walk failed. See Bus.follow."""
        state = self._state
        state[WHAT] = reader.coll_counts << 8 | known.count
        state[SETTLE] = reader.settle_us
        state[POLLS] = reader.patience(_WAIT_US)
        values = walk.values[0]
        data = known.data
        got = meet(reader.select, walk.path, values, data, self._load, self._start, state)
        if got > 0 or got == -3:
            walk.met = got
            return 2
        if got == 0 and self.follow >= 0 and field(reader.select, 0, self._switch, state):
            if field(self.follow, 1, self._switch, state):
                self.follow = -2
        return got or 1

    def reach(self, select: int, data, at: int, command: int, polls: int) -> int:
        """REQA or WUPA (or 0: it is READY), and SELECT at all levels of the UID at data[at:], as a
        UidSet has it: 1 it answered, -1 not (or with noise), -2 the reader is dead."""
        state = self._state
        state[WHAT] = command << 16 | at
        state[POLLS] = polls
        return reach(select, data, self._load, self._start, state)

    def crc_a(self, data, length: int) -> int:
        """As mfrc522.crc_a()."""
        return crc_a(data, length)
