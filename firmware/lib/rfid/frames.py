"""Frames of ISO/IEC 14443-3 type A over a reader's exchange(): each is a method of the reader.

A reader class that derives from Frames and iso14443a.TypeA has to bring

    exchange(length, last_bits, align, expect, wait_us), tx, rx, coll, last_bits, crc_a()

as mfrc522.MFRC522 has them. A reader that can send frames, or several in a row, by itself
implements the methods of this class instead: the walk needs nothing else.
"""

from rfid.codes import (
    CASCADE,
    COLLIDED,
    CT,
    GONE,
    LEAF,
    NOBODY,
    NOISE,
    READY,
    REQA,
    SAME,
    STAYS,
    WAIT_US,
)
from rfid.walk import Walk

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


TYPE_CHECKING = const(0)
if TYPE_CHECKING:
    from collections.abc import Callable

_SEL = const(0x93)  # 0x95 and 0x97 at levels 2 and 3


class Frames:
    """Every method costs one frame of 0.3 to 1 ms, except first_level(), leaves() and reach()."""

    tx: "bytearray | memoryview"
    rx: "bytearray | memoryview"
    coll: int
    last_bits: int
    exchange: "Callable[[int, int, int, int, int], int]"
    crc_a: "Callable[[bytearray | memoryview, int], int]"

    def call(self, command: int) -> int:
        """REQA or WUPA: NOBODY, GONE, or anything else if a tag is there. Answers of several tags
        may collide beyond recognition; that is an answer, too."""
        self.tx[0] = command
        return self.exchange(1, 7, 0, 2, WAIT_US)

    def halt(self, wait_us: int) -> int:
        """HLTA; silence for this long (NOBODY) is success. ACTIVE tags halt, READY ones fall to
        IDLE."""
        tx = self.tx
        tx[0] = 0x50
        tx[1] = 0x00
        tx[2] = 0x57  # CRC_A
        tx[3] = 0xCD
        return self.exchange(4, 0, 0, 0, wait_us)

    def ask(self, path: bytearray, level: int, known: int) -> int:
        """ANTICOLLISION at the level (0..2) for tags whose level begins with the first `known`
        bits (0..32) of path, which gets the answer: LEAF, COLLIDED | coll, NOBODY, NOISE, GONE.
        The first bit of the answer goes where the last one sent was (RxAlign = TxLastBits)."""
        tx = self.tx
        whole = known >> 3
        part = known & 7
        count = whole + (1 if part else 0)
        tx[0] = _SEL + 2 * level
        tx[1] = 0x20 + (whole << 4) + part
        for i in range(count):
            tx[2 + i] = path[i]
        got = self.exchange(2 + count, part, part, 5 - whole, WAIT_US)
        if got <= 0:
            return got if got == NOBODY or got == GONE else NOISE
        mask = (1 << part) - 1
        kept = path[whole] & mask
        if got > 5 - whole:
            return NOISE
        for i in range(got):
            path[whole + i] = self.rx[i]
        path[whole] = path[whole] & (0xFF ^ mask) | kept
        if self.coll:
            return COLLIDED | self.coll
        if got != 5 - whole or self.last_bits:
            return NOISE
        if path[0] ^ path[1] ^ path[2] ^ path[3] ^ path[4]:
            return NOISE
        return LEAF

    def choose(self, uids: "bytearray | memoryview", level: int, at: int) -> int:
        """SELECT the four bytes uids[at:] at the level: SAK, or -1 (nobody or noise), or GONE."""
        tx = self.tx
        tx[0] = _SEL + 2 * level
        tx[1] = 0x70
        bcc = 0
        for k in range(4):
            tx[2 + k] = uids[at + k]
            bcc ^= uids[at + k]
        tx[6] = bcc
        crc = self.crc_a(tx, 7)
        tx[7] = crc & 0xFF
        tx[8] = crc >> 8
        got = self.exchange(9, 0, 0, 3, WAIT_US)
        if got == GONE:
            return GONE
        rx = self.rx
        if got != 3 or self.coll or self.last_bits or self.crc_a(rx, 1) != rx[2] << 8 | rx[1]:
            return self._cascading(got)
        return rx[0]

    def _cascading(self, got: int) -> int:
        """Tags that share this level may have different SAKs: the cascade bit is enough, if it
        came before the collision."""
        if got > 0 and self.coll > 3 and self.rx[0] & CASCADE:
            return CASCADE
        return -1

    def first_level(self, walk: Walk) -> int:
        """All values of level 1 of READY tags into walk.values[0], 4 bytes each: how many. A
        reader that does it in one step returns -1 if anything unexpected happened."""
        return walk.steps(0)

    def leaves(self, walk: Walk, data: bytearray, what: int) -> int:
        """The tags whose level 1 are walk.values[0][4 * first : 4 * end], each: REQA (but the
        first where what & READY), SELECT, level 2 and SELECT, HLTA (but the last where what &
        STAYS). Their UIDs go to data[to:], as a UidSet has them. what: to << 12 | end << 6 |
        first. Returns end, or the first that was not one tag of 4 or 7 bytes that did all this,
        or that comes after the walk's time: its state is open then."""
        end = what >> 6 & 0x3F
        i = what & 0x3F
        to = what >> 12 & 0xFFF
        ready = what & READY
        while i < end:
            if walk.late() or not self._leaf(walk, i, data, to, ready):
                return i
            i += 1
            to += 13
            ready = 0
            if (i < end or not what & STAYS) and self.halt(WAIT_US) == GONE:
                return i - 1
        return i

    def _leaf(self, walk: Walk, i: int, data: bytearray, to: int, ready: int) -> bool:
        values = walk.values[0]
        path = walk.path
        at = 4 * i
        if not ready:
            got = self.call(REQA)
            if got == NOBODY or got == GONE:
                return False
        sak = self.choose(values, 0, at)
        data[to] = 4
        if values[at] == CT:
            if sak < 0 or not sak & CASCADE or self.ask(path, 1, 0) != LEAF or path[0] == CT:
                return False
            sak = self.choose(path, 1, 0)
            data[to] = 7
        if sak < 0 or sak & CASCADE:
            return False
        for k in range(4):
            data[to + 1 + k] = values[at + k]
            data[to + 5 + k] = path[k]
        return True

    def reach(self, data: bytearray, at: int, command: int) -> int:
        """REQA or WUPA (or 0: it is READY), and SELECT at all levels of the UID at data[at:], as a
        UidSet has it: SAME it answered, -1 not (or with noise), GONE."""
        if command:
            got = self.call(command)
            if got == NOBODY:  # it was READY or ACTIVE, and is called from where it fell to
                got = self.call(command)
            if got == NOBODY or got == GONE:
                return GONE if got else -1
        sak = 0
        for level in range(data[at] // 3):
            sak = self.choose(data, level, at + 1 + 4 * level)
            if sak < 0:
                return sak
        return -1 if sak & CASCADE else SAME
