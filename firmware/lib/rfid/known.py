"""Known tags before one reader: do they answer, by their prefixes or by their whole UIDs?

Two things on which sources and chips differ are found out instead of assumed:
- CollPos. The data sheet (9.3.1.15) counts in the received frame, and NXP's own library reads it
  so, RxAlign included; widespread drivers read it as the place in the cascade level. Both are
  the same while less than 8 bits are known. `place()` finds out.
- A tag that hears an ANTICOLLISION for others stays READY in most chips and falls to IDLE in
  others. `falls` remembers that tags of this field had to be called again.
"""

from rfid.codes import (
    COLLIDED,
    DEAD,
    DIFFERENT,
    GONE,
    NOBODY,
    NOISE,
    REQA,
    SAME,
    TIMEOUT,
    WAIT_US,
    WUPA,
)
from rfid.uidset import UidSet

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


TYPE_CHECKING = const(0)
if TYPE_CHECKING:
    from rfid.reader import Framing

TRIES = const(2)
SPLIT = const(2)  # ask(): values part at `split`
UNKNOWN = const(0)  # coll_counts of a reader: how its chip counts collisions
IN_FRAME = const(1)
IN_LEVEL = const(2)


class Known:
    """One reader's tags. `path` is the prefix that is being asked for, `split` the place of the
    first difference that the last ask() met."""

    def __init__(self) -> None:
        self.path = bytearray(5)
        self.split = 0
        self.falls = False
        self.start = self.budget_us = 0

    def begin(self, reader: "Framing", budget_us: int) -> None:
        """Send the following frames to this reader, for at most this long."""
        self.reader = reader
        self.start = reader.clock.ticks_us()
        self.budget_us = budget_us
        self.falls = False

    def late(self) -> bool:
        """Has the time run out?"""
        clock = self.reader.clock
        return clock.ticks_diff(clock.ticks_us(), self.start) >= self.budget_us

    def gather(self) -> int:
        """All tags that were not halted to READY, in whatever state they are; as call().

        The first REQA takes IDLE to READY, but READY and ACTIVE to IDLE; HLTA takes READY to
        IDLE too, and nothing is ACTIVE then; the second REQA finds all in IDLE.
        """
        first = self.reader.call(REQA)
        if first == GONE or self.reader.halt(WAIT_US) == GONE:
            return GONE
        second = self.reader.call(REQA)
        return first if second == NOBODY else second

    def ask(self, level: int, known: int) -> int:
        """ANTICOLLISION for tags whose level begins with the first `known` bits of `path`.

        LEAF: one value answered, path[0:4] is whole and its BCC right. SPLIT: the first
        difference is at bit `split` (1..32), the bits before it are in `path`. NOBODY, NOISE,
        GONE.
        """
        got = self.reader.ask(self.path, level, known)
        if got < COLLIDED:
            return got
        split = self.place(level, known, got & 0x3F)
        if split <= known or split > 32:
            return NOISE  # it cannot have been there
        self.split = split
        self.path[split - 1 >> 3] &= (1 << (split - 1 & 7)) - 1
        return SPLIT

    def place(self, level: int, known: int, coll: int) -> int:
        """Bit of the level (1..32) at which the chip saw its first collision; 33 unknown."""
        base = known & 0x38  # bits of whole bytes, which the received frame lacks
        if base == 0 or coll > 32:
            return coll
        reader = self.reader
        if reader.coll_counts == UNKNOWN:
            if coll <= known:
                reader.coll_counts = IN_FRAME
            elif base + coll > 32:
                reader.coll_counts = IN_LEVEL
            else:
                reader.coll_counts = self._find_out(level, coll)
        return coll if reader.coll_counts == IN_LEVEL else base + coll

    def _find_out(self, level: int, coll: int) -> int:
        """Counted in the frame, bit `coll` of the level came before the collision, so nobody has
        it otherwise; counted in the level, tags with either value are there. Only an answer
        changes the path, and only behind that bit."""
        bit = 1 << (coll - 1 & 7)
        self.path[coll - 1 >> 3] ^= bit
        got = self.reader.ask(self.path, level, coll)
        self.path[coll - 1 >> 3] ^= bit
        return IN_FRAME if got == NOBODY else IN_LEVEL

    def hears(self, known: UidSet, i: int, level: int) -> int:
        """Ask for the whole level, so that only the BCC comes back; returns like ask(). Tags hear
        more than the reader does, so silence before that means nothing, and WUPA is sent only
        once."""
        if self.reader.halt(WAIT_US) == GONE:
            return GONE
        self.reader.call(WUPA)
        if level:
            self.reader.choose(known.data, 0, 13 * i + 1)
        return self.name(known, i, level)

    def name(self, known: UidSet, i: int, level: int) -> int:
        """Ask a READY tag for the whole level, as ask()."""
        for k in range(4):
            self.path[k] = known.data[13 * i + 1 + 4 * level + k]
        return self.ask(level, 32)

    def reach_known(self, known: UidSet, i: int, command: int, ready: bool) -> int:
        """REQA or WUPA (not where all are READY), and SELECT at all levels for known tag i: SAME,
        DIFFERENT, DEAD."""
        for attempt in range(TRIES + 1):  # a tag in READY or ACTIVE falls back by the first call
            first = 0 if ready and attempt == 0 else command
            got = self.reader.reach(known.data, 13 * i, first)
            if got != -1:
                return SAME if got == SAME else DEAD
        return DIFFERENT

    def reach_all(self, known: UidSet, command: int, halting: bool, ready: bool) -> int:
        """Every known tag answers by its whole UID; halting: it is halted then, and nobody else
        may be left; ready: all are READY. SAME, DIFFERENT, TIMEOUT, DEAD."""
        for i in range(known.count):
            if self.late():
                return TIMEOUT
            got = self.reach_known(known, i, command, ready and i == 0)
            if got != SAME:
                return got
            if halting and self.reader.halt(WAIT_US) != NOBODY:
                return DIFFERENT
        if not halting:
            return SAME
        last = self.reader.call(REQA)
        return DEAD if last == GONE else SAME if last == NOBODY else DIFFERENT
