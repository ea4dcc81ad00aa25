"""Frames of ISO/IEC 14443-3 type A before one reader: call, ask, select, halt.

Two things on which sources and chips differ are found out instead of assumed:
- CollPos. The data sheet (9.3.1.15) counts in the received frame, and NXP's own library reads it
  so, RxAlign included; widespread drivers read it as the place in the cascade level. Both are
  the same while less than 8 bits are known. `place()` finds out.
- A tag that hears an ANTICOLLISION for others stays READY in most chips and falls to IDLE in
  others. `falls` remembers that tags of this field had to be called again.
"""

from rfid.mfrc522 import MFRC522

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


# What every function returns. COMPLETE and SAME are good; with any other reason the set is
# incomplete, which is never a shorter list.
COMPLETE = const(0)  # the set is all that is in the field
SAME = const(1)  # exactly the known tags answered
DIFFERENT = const(2)  # something is missing or new
TIMEOUT = const(3)  # the time is over; the set is partial
CROWDED = const(4)  # more tags than the set has room for
GARBLED = const(5)  # BCC, CRC, SAK or a branch of the walk stayed wrong, or no two walks agreed
DEAD = const(6)  # the reader does not answer on the bus
REASONS = ("complete", "same", "different", "timeout", "crowded", "garbled", "dead")

REQA = const(0x26)
WUPA = const(0x52)
CT = const(0x88)  # cascade tag: the UID goes on in the next level
CASCADE = const(0x04)  # SAK: UID not complete
TRIES = const(2)

# Answers of ask(), beside NOBODY and GONE, which are mfrc522's NOBODY and DEAD
LEAF = const(1)
SPLIT = const(2)
NOISE = const(3)
NOBODY = const(0)
GONE = const(-2)

_SEL = const(0x93)  # 0x95 and 0x97 at levels 2 and 3
# The tag's delay is 1172 to 1236 carrier cycles (91 us), its first 5 bits take 47 us.
WAIT_US = const(300)
HALT_US = const(1000)  # silence for 1 ms acknowledges HLTA


class Frames:
    """One reader's frames. `path` is the prefix that is being asked for, `split` the place of
    the first difference that the last ask() met."""

    def __init__(self) -> None:
        self.path = bytearray(5)
        self.split = 0
        self.falls = False

    def begin(self, reader: MFRC522, budget_us: int) -> None:
        """From now on the frames go to this reader, for so long."""
        self.reader = reader
        self.start = reader.ticks_us()
        self.budget_us = budget_us
        self.falls = False

    def late(self) -> bool:
        """Is the time over?"""
        reader = self.reader
        return reader.ticks_diff(reader.ticks_us(), self.start) >= self.budget_us

    def call(self, command: int) -> int:
        """REQA or WUPA: NOBODY, GONE, or anything else: somebody is there. Answers of several
        tags may collide beyond recognition, which is an answer."""
        reader = self.reader
        if reader.bus.whole:
            return reader.bus.call(reader.select, command, reader.patience(WAIT_US))
        reader.tx[0] = command
        return reader.exchange(1, 7, 0, 2, WAIT_US)

    def halt(self, wait_us: int) -> int:
        """HLTA; silence is success. ACTIVE tags halt, READY ones fall to IDLE."""
        tx = self.reader.tx
        tx[0] = 0x50
        tx[1] = 0x00
        tx[2] = 0x57  # CRC_A
        tx[3] = 0xCD
        return self.reader.exchange(4, 0, 0, 0, wait_us)

    def gather(self) -> int:
        """All tags that were not halted to READY, in whatever state they are; as call().

        The first REQA takes IDLE to READY, but READY and ACTIVE to IDLE; HLTA takes READY to
        IDLE too, and nothing is ACTIVE then; the second REQA finds all in IDLE.
        """
        first = self.call(REQA)
        if first == GONE or self.halt(WAIT_US) == GONE:
            return GONE
        second = self.call(REQA)
        return first if second == NOBODY else second

    def ask(self, level: int, known: int) -> int:
        """ANTICOLLISION for tags whose level begins with the first `known` bits of `path`.

        LEAF: one value answered, path[0:4] is whole and its BCC right. SPLIT: the first
        difference is at bit `split` (1..32), the bits before it are in `path`. NOBODY, NOISE,
        GONE.
        """
        path = self.path
        reader = self.reader
        bus = reader.bus
        if bus.whole:
            polls = reader.patience(WAIT_US)
            got = bus.ask(reader.select, path, level, known, polls)
            return got if got <= NOISE else self._parted(level, known, got & 0x3F)
        got = self._anticollision(level, known)
        if got <= 0:
            return got if got == NOBODY or got == GONE else NOISE
        whole = known >> 3
        mask = (1 << (known & 7)) - 1
        kept = path[whole] & mask
        if got > 5 - whole:
            return NOISE
        for i in range(got):
            path[whole + i] = reader.rx[i]
        path[whole] = path[whole] & (0xFF ^ mask) | kept
        if reader.coll:
            return self._parted(level, known, reader.coll)
        if got != 5 - whole or reader.last_bits:
            return NOISE
        if path[0] ^ path[1] ^ path[2] ^ path[3] ^ path[4]:
            return NOISE
        return LEAF

    def _parted(self, level: int, known: int, coll: int) -> int:
        """The chip saw a collision: SPLIT, or NOISE when it cannot have been there."""
        split = self.place(level, known, coll)
        if split <= known or split > 32:
            return NOISE
        self.split = split
        self.path[split - 1 >> 3] &= (1 << (split - 1 & 7)) - 1
        return SPLIT

    def _anticollision(self, level: int, known: int) -> int:
        """Send the frame: as MFRC522.exchange(). The first bit of the answer goes where the last
        one sent was (RxAlign = TxLastBits)."""
        reader = self.reader
        tx = reader.tx
        whole = known >> 3
        part = known & 7
        count = whole + (1 if part else 0)
        tx[0] = _SEL + 2 * level
        tx[1] = 0x20 + (whole << 4) + part
        for i in range(count):
            tx[2 + i] = self.path[i]
        return reader.exchange(2 + count, part, part, 5 - whole, WAIT_US)

    def place(self, level: int, known: int, coll: int) -> int:
        """Bit of the level (1..32) at which the chip saw its first collision; 33 unknown."""
        base = known & 0x38  # bits of whole bytes, which the received frame lacks
        if base == 0 or coll > 32:
            return coll
        reader = self.reader
        if reader.coll_counts == reader.UNKNOWN:
            if coll <= known:
                reader.coll_counts = reader.IN_FRAME
            elif base + coll > 32:
                reader.coll_counts = reader.IN_LEVEL
            else:
                reader.coll_counts = self._find_out(level, coll)
        return coll if reader.coll_counts == reader.IN_LEVEL else base + coll

    def _find_out(self, level: int, coll: int) -> int:
        """Counted in the frame, bit `coll` of the level came before the collision, so nobody has
        it otherwise; counted in the level, tags with either value are there."""
        reader = self.reader
        bit = 1 << (coll - 1 & 7)
        self.path[coll - 1 >> 3] ^= bit
        got = self._anticollision(level, coll)
        self.path[coll - 1 >> 3] ^= bit
        return reader.IN_FRAME if got == NOBODY else reader.IN_LEVEL

    def select(self, level: int, values: bytearray, at: int) -> int:
        """SELECT the four bytes values[at:]: SAK, or -1 (nobody or noise), or GONE."""
        reader = self.reader
        if reader.bus.whole:
            polls = reader.patience(WAIT_US)
            return reader.bus.choose(reader.select, values, level, at, polls)
        tx = reader.tx
        tx[0] = _SEL + 2 * level
        tx[1] = 0x70
        bcc = 0
        for k in range(4):
            tx[2 + k] = values[at + k]
            bcc ^= values[at + k]
        tx[6] = bcc
        crc = reader.bus.crc_a(tx, 7)
        tx[7] = crc & 0xFF
        tx[8] = crc >> 8
        got = reader.exchange(9, 0, 0, 3, WAIT_US)
        if got == GONE:
            return GONE
        rx = reader.rx
        if (
            got != 3
            or reader.coll
            or reader.last_bits
            or reader.bus.crc_a(rx, 1) != rx[2] << 8 | rx[1]
        ):
            return self.cascading(got)
        return rx[0]

    def cascading(self, got: int) -> int:
        """Tags that share this level may differ in their SAK: the cascade bit is enough, where
        it came before the collision."""
        reader = self.reader
        if got > 0 and reader.coll > 3 and reader.rx[0] & CASCADE:
            return CASCADE
        return -1
