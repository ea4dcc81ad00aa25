"""Known tags before one reader: do they answer, by their prefixes or by their whole UIDs?"""

from rfid.frames import (
    CASCADE,
    DEAD,
    DIFFERENT,
    GONE,
    HALT_US,
    NOBODY,
    REQA,
    SAME,
    TIMEOUT,
    TRIES,
    WAIT_US,
    WUPA,
    Frames,
)
from rfid.uidset import UidSet


class Known(Frames):
    """Each tag of a UidSet, asked for by what is known of it."""

    def hears(self, known: UidSet, i: int, level: int) -> int:
        """Ask for the whole level, so that only the BCC comes back: as ask(). Tags hear more than
        the reader does, so silence on the way there says nothing, and WUPA is sent once."""
        if self.halt(WAIT_US) == GONE:
            return GONE
        self.call(WUPA)
        if level:
            self.select(0, known.data, 13 * i + 1)
        return self.name(known, i, level)

    def name(self, known: UidSet, i: int, level: int) -> int:
        """Ask a READY tag for the whole level, as ask()."""
        for k in range(4):
            self.path[k] = known.data[13 * i + 1 + 4 * level + k]
        return self.ask(level, 32)

    def reach_known(self, known: UidSet, i: int, command: int, ready: bool) -> int:
        """REQA or WUPA (not where all are READY), and SELECT at all levels for known tag i: SAME,
        DIFFERENT, DEAD."""
        reader = self.reader
        bus = reader.bus
        if bus.whole:
            polls = reader.patience(WAIT_US)
            first = 0 if ready else command
            got = bus.reach(reader.select, known.data, 13 * i, first, polls)
            if got != -1:
                return SAME if got == SAME else DEAD
            ready = False
        for _ in range(TRIES + 1):  # a tag in READY or ACTIVE falls back by the first call
            if not ready:
                called = self.call(command)
                if called == GONE:
                    return DEAD
                if called == NOBODY:
                    continue
            ready = False
            sak = 0
            for level in range(known.levels(i)):
                sak = self.select(level, known.data, 13 * i + 1 + 4 * level)
                if sak < 0:
                    break
            if sak == GONE:
                return DEAD
            if sak >= 0 and not sak & CASCADE:
                return SAME
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
            if halting and self.halt(HALT_US) != NOBODY:
                return DIFFERENT
        if not halting:
            return SAME
        last = self.call(REQA)
        return DEAD if last == GONE else SAME if last == NOBODY else DIFFERENT
