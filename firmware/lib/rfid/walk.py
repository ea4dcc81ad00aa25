"""Find all tags in the field of one reader: walk their UIDs level by level."""

from rfid.codes import (
    CASCADE,
    COMPLETE,
    CROWDED,
    CT,
    DEAD,
    DIFFERENT,
    GARBLED,
    GONE,
    LEAF,
    NOBODY,
    READY,
    REQA,
    SAME,
    STAYS,
    TIMEOUT,
    WAIT_US,
    WUPA,
)
from rfid.known import SPLIT, TRIES, UNKNOWN, Known
from rfid.uidset import UidSet

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


ROOM = const(32)  # tags in one field that a walk can tell apart
_ROUNDS = const(3)  # rounds of a walk, each for tags that the one before overlooked


class Walk(Known):
    """Scratch storage of a walk, and its steps."""

    def __init__(self) -> None:
        Known.__init__(self)
        self.splits = bytearray(33)  # positions where the walk branched off
        self.values = (bytearray(4 * ROOM), bytearray(4 * ROOM), bytearray(4 * ROOM))
        self.chosen = bytearray(3)  # index into values of the parents
        # Values that verify() left in values[0], their tags READY; -3: it failed. After renew():
        # how many of them were known.
        self.met = 0
        self.ready = False  # renew(): they still are
        self.halted = False  # prove() may have halted tags
        self.trouble = COMPLETE
        self.hitch = False  # a frame had to be repeated, or failed
        self.astray = False  # the states of the tags are unknown

    def fail(self, reason: int) -> None:
        """Remember why it is incomplete; a garbled branch alone does not end the walk."""
        self.hitch = True
        if reason == DEAD or not self.ended():
            self.trouble = reason

    def ended(self) -> bool:
        return self.trouble != COMPLETE and self.trouble != GARBLED

    # -- inventory ------------------------------------------------------------------------------

    def reopen(self, level: int) -> int:
        """All tags below the chosen parents to READY, whatever state they are in: 0 or more, -1,
        GONE."""
        got = 0
        if self.gather() == GONE:
            return GONE
        for parent in range(level):
            got = self.reader.choose(self.values[parent], parent, 4 * self.chosen[parent])
            if got < 0:
                break
        return got

    def walk(self, level: int) -> int:
        """All values that READY tags answer at the level, into values[level]; how many."""
        if level == 0:
            found = self.reader.first_level(self)
            if found >= 0:
                return found
            self.hitch = True
            self.reopen(0)
        return self.steps(level)

    def steps(self, level: int) -> int:
        """walk(), frame by frame. Depth first: at a split first the tags with a 1, then those
        with a 0."""
        path = self.path
        splits = self.splits
        known = depth = found = 0
        while True:
            got = self.insist(level, known)
            if self.ended():
                return found
            if got == SPLIT:
                known = splits[depth] = self.split
                depth += 1
                path[known - 1 >> 3] |= 1 << (known - 1 & 7)
                continue
            if got == LEAF:
                if found == ROOM:
                    self.fail(CROWDED)
                    return found
                for k in range(4):
                    self.values[level][4 * found + k] = path[k]
                found += 1
            while depth and not self.bit(splits[depth - 1]):
                depth -= 1  # both ways are done
            if depth == 0:
                return found
            known = splits[depth - 1]
            path[known - 1 >> 3] &= 0xFF ^ 1 << (known - 1 & 7)
            if self.falls:  # those with a 0 did not stay for the others
                self.reopen(level)

    def bit(self, place: int) -> int:
        """Bit 1..32 of the path."""
        return self.path[place - 1 >> 3] >> (place - 1 & 7) & 1

    def insist(self, level: int, known: int) -> int:
        """ask(), repeated if needed: where a collision was, a tag must answer. LEAF, SPLIT, or
        failed."""
        got = NOBODY
        for attempt in range(TRIES + 1):
            if self.late():
                self.fail(TIMEOUT)
                return NOBODY
            if attempt:
                self.hitch = True
                if got == NOBODY:
                    self.reopen(level)
            was = got
            got = self.ask(level, known)
            if got == GONE:
                self.fail(DEAD)
                return NOBODY
            if got == LEAF or got == SPLIT:
                if attempt and was == NOBODY:
                    self.falls = True
                return got
        self.reader.coll_counts = UNKNOWN  # should it have been found out wrongly
        self.fail(GARBLED)
        return got

    def reach(self, level: int, i: int) -> int:
        """SELECT value i of the level below the chosen parents: SAK, -1, GONE. For the first
        one the tags are READY from the walk; later ones lie in IDLE, where REQA is enough."""
        got = 0
        for attempt in range(TRIES):
            self.hitch = self.hitch or attempt > 0
            if attempt or i or self.falls or self.astray:
                known = attempt == 0 and level == 0 and i and not self.astray
                got = self.reader.call(REQA) if known else self.reopen(level)
                self.astray = False
            if got >= 0 or level == 0:
                got = self.reader.choose(self.values[level], level, 4 * i)
            if got >= 0 or got == GONE:
                return got
        return -1

    def descend(self, level: int, uids: UidSet, last: bool) -> None:
        """Resolve all tags below the chosen parents. last: no tags come after them, and the very
        last need not be halted, because an ACTIVE tag does not answer the REQA that ends the walk.
        """
        count = self.walk(level)
        done = 0
        # `last` at level 0: the first round, so no tag can come a second time.
        if level == 0 and last and not self.hitch:
            done = self.at_once(0, count, READY | STAYS, uids)
        for i in range(done, count):
            if self.late():
                self.fail(TIMEOUT)
            if self.ended():
                return
            self.chosen[level] = i
            final = last and i == count - 1
            sak = self.reach(level, i)
            if sak == GONE:
                self.fail(DEAD)
                return
            more = self.values[level][4 * i] == CT
            if sak < 0 or more != (sak & CASCADE != 0) or (more and level == 2):
                self.fail(GARBLED)
            elif more:
                self.descend(level + 1, uids, final)
            elif not uids.join(self.values, self.chosen, level):
                self.fail(CROWDED)
            else:
                if uids.find(uids, uids.count - 1) < uids.count - 1:
                    uids.count -= 1  # its HLTA was lost, so it came a second time
                if self.hitch or not final:
                    self.reader.halt(WAIT_US)

    def at_once(self, i: int, end: int, flags: int, uids: UidSet) -> int:
        """Values i to end - 1 of level 0, each from REQA (but the first where READY) to HLTA
        (but the last where STAYS), where all goes by the book, in time and as far as there is
        room: the first that is left."""
        end = min(end, i + uids.room - uids.count)
        done = self.reader.leaves(self, uids.data, flags | 13 * uids.count << 12 | end << 6 | i)
        uids.grow(done - i)
        if done < end:
            self.hitch = self.astray = True
        return done

    # -- verification -----------------------------------------------------------------------------

    def verify(self, known: UidSet) -> int:
        """REQA, and exactly the known tags answer: SAME, DIFFERENT, TIMEOUT, DEAD."""
        got = self.reader.call(REQA)
        if got == NOBODY and known.count:
            got = self.gather()
        if got == GONE:
            return DEAD
        if got == NOBODY or known.count == 0:
            return SAME if got == NOBODY and known.count == 0 else DIFFERENT
        self.trouble = COMPLETE
        self.hitch = self.astray = False
        return self.matches(0, known, known.count)

    def matches(self, level: int, known: UidSet, expected: int) -> int:
        """Do READY tags answer just as the known ones below the chosen parents, `expected` of
        them? The level below is asked only where several share all of this one."""
        count = self.walk(level)
        if self.trouble != COMPLETE:
            return self.trouble if self.trouble in (DEAD, TIMEOUT) else DIFFERENT
        if level == 0 and not self.hitch:
            self.met = count
        met = 0
        for i in range(count):
            self.chosen[level] = i
            held = known.holds(self.values, self.chosen, level)
            if held == 0:
                return DIFFERENT
            met += held
        if met < expected or (met > count and level == 2):
            return DIFFERENT
        for i in range(count if met > count else 0):
            self.chosen[level] = i
            held = known.holds(self.values, self.chosen, level)
            if held > 1:
                self.met = 0
                self.reopen(level + 1)
                got = self.matches(level + 1, known, held)
                if got != SAME:
                    return got
        return SAME

    # -- update ---------------------------------------------------------------------------------

    def renew(self, known: UidSet, found: UidSet) -> int:
        """READY tags into `found`, by level 1: a known tag is taken from `known`, others are
        resolved. COMPLETE, or GARBLED: not by the book."""
        self.trouble = COMPLETE
        self.hitch = self.astray = False
        found.clear()
        count = self.met if self.met > 0 else self.reader.first_level(self)
        self.met = 0
        if count <= 0:
            return COMPLETE if self.gather() == NOBODY else GARBLED
        self.ready = True
        for i in range(count):
            j = known.alone(self.values[0], 4 * i)
            if j >= 0:
                found.take(known, j)
                self.met += 1
                continue
            flags = READY if self.ready else 0
            if self.at_once(i, i + 1, flags, found) == i:
                return GARBLED
            self.ready = False
        return GARBLED if self.hitch else COMPLETE

    def all_found(self, taken: UidSet, found: UidSet) -> bool:
        """After renew(): does nobody lie in IDLE but tags of `found`? Newcomers are halted; where
        they were selected, those of `taken` fell to IDLE, and are READY again before the last
        REQA, while a tag that falls by an ANTICOLLISION for others answers it."""
        if not self.ready:
            i = found.count - 1
            while i >= 0 and taken.find(found, i) < 0:
                i -= 1
            if i >= 0 and (self.reader.call(REQA) == NOBODY or self.name(found, i, 0) != LEAF):
                return False
        return self.reader.call(REQA) == NOBODY

    def wake(self, known: UidSet, found: UidSet) -> int:
        """After renew() all tags to READY once more; known ones that are not in `found` may not
        answer. COMPLETE, DIFFERENT, DEAD."""
        if self.reader.call(WUPA) == NOBODY:
            return DIFFERENT
        for i in range(known.count):
            if found.find(known, i) < 0:
                got = self.name(known, i, 0)
                if got != NOBODY:
                    return DEAD if got == GONE else DIFFERENT
        return COMPLETE

    def again(self, found: UidSet) -> int:
        """Does each of these READY tags answer to all of its level 1? After renew() none shares
        it with another. COMPLETE, DIFFERENT, DEAD."""
        for i in range(found.count):
            got = self.name(found, i, 0)
            if got != LEAF:
                return DEAD if got == GONE else DIFFERENT
        return COMPLETE

    def resolve(self, uids: UidSet) -> int:
        """Walk until every tag is halted; returns the reason."""
        for turn in range(_ROUNDS):
            self.trouble = COMPLETE
            self.hitch = self.astray = False
            self.descend(0, uids, turn == 0)
            if self.ended():
                return self.trouble
            # After a walk without problems, any tag that is left fell to IDLE at the last SELECT.
            got = NOBODY if self.hitch else self.reader.call(REQA)
            if self.hitch or (got != NOBODY and got != GONE):
                got = self.gather()
            if got == GONE:
                return DEAD
            if got == NOBODY:
                return COMPLETE
        return GARBLED
