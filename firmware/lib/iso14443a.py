"""ISO/IEC 14443-3 type A: all tags in a reader's field; usable alone, on both runtimes.

    reader.antenna(True)                            # reader: mfrc522.MFRC522
    time.sleep_ms(5)
    uids = UidSet(16)
    print(REASONS[inventory(reader, uids, 250_000)])
    for i in range(uids.count):
        print(uids.uid(i))

Field on and off is the caller's. Nothing here allocates once the UidSets exist, so a sweep runs
with the heap locked. One walk at a time: the scratch storage is the module's.

How the field is walked: every tag answers in state READY; an ANTICOLLISION frame names the first
bits of a UID and only tags that have them answer. A collision splits the tags in two, so n tags
cost 2n - 1 frames, and all of cascade level 1 is walked before anything is selected. A SELECT
sends all other tags to IDLE, from where WUPA fetches them for the next.
"""

from iso14443a_frames import (
    CASCADE,
    CT,
    GONE,
    HALT_US,
    LEAF,
    NOBODY,
    REQA,
    SPLIT,
    TRIES,
    WAIT_US,
    WUPA,
    Frames,
)
from mfrc522 import MFRC522
from uidset import ENTER, LEVEL_2, WALK, UidSet

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


# What every function returns. COMPLETE and SAME are good; with any other reason the set is
# incomplete, which is never a shorter list.
COMPLETE = 0  # the set is all that is in the field
SAME = 1  # exactly the known tags answered
DIFFERENT = 2  # something is missing or new
TIMEOUT = 3  # the time is over; the set is partial
CROWDED = 4  # more tags than the set has room for
GARBLED = 5  # BCC, CRC, SAK or a branch of the walk stayed wrong, or no two walks agreed
DEAD = 6  # the reader does not answer on the bus
REASONS = ("complete", "same", "different", "timeout", "crowded", "garbled", "dead")

ROOM = const(32)  # tags in one field that a walk can tell apart


class _Walk(Frames):
    """Scratch storage of a walk, and its steps."""

    def __init__(self) -> None:
        Frames.__init__(self)
        self.splits = bytearray(33)  # positions where the walk branched off
        self.values = (bytearray(4 * ROOM), bytearray(4 * ROOM), bytearray(4 * ROOM))
        self.chosen = bytearray(3)  # index into values of the parents
        self.parent = bytearray(4)
        self.trouble = COMPLETE

    def fail(self, reason: int) -> None:
        """Remember why it is incomplete; a garbled branch alone does not end the walk."""
        if reason == DEAD or not self.ended():
            self.trouble = reason

    def ended(self) -> bool:
        return self.trouble != COMPLETE and self.trouble != GARBLED

    # -- inventory ------------------------------------------------------------------------------

    def reopen(self, level: int) -> int:
        """All tags below the chosen parents to READY, whatever state they are in: 0 or more, -1,
        GONE."""
        got = 0
        if self.wake() == GONE:
            return GONE
        for parent in range(level):
            got = self.select(parent, self.values[parent], self.chosen[parent])
            if got < 0:
                break
        return got

    def walk(self, level: int) -> int:
        """All values that READY tags answer at the level, into values[level]; how many. Depth
        first: at a split first the tags with a 1, then those with a 0."""
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
        """ask(), and again: where a collision was, somebody must answer. LEAF, SPLIT, or
        failed."""
        got = NOBODY
        for attempt in range(TRIES + 1):
            if self.late():
                self.fail(TIMEOUT)
                return NOBODY
            if attempt and got == NOBODY:
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
        self.reader.coll_counts = self.reader.UNKNOWN  # should it have been found out wrongly
        self.fail(GARBLED)
        return got

    def reach(self, level: int, i: int) -> int:
        """SELECT value i of the level below the chosen parents: SAK, -1, GONE. For the first
        one the tags are READY from the walk; later ones lie in IDLE, where WUPA is enough."""
        got = 0
        for attempt in range(TRIES):
            if attempt or i or self.falls:
                got = self.reopen(level) if attempt or level or i == 0 else self.call(WUPA)
            if got >= 0 or level == 0:
                got = self.select(level, self.values[level], i)
            if got >= 0 or got == GONE:
                return got
        return -1

    def descend(self, level: int, uids: UidSet) -> None:
        """Resolve all tags below the chosen parents."""
        count = self.walk(level)
        for i in range(count):
            if self.late():
                self.fail(TIMEOUT)
            if self.ended():
                return
            self.chosen[level] = i
            sak = self.reach(level, i)
            if sak == GONE:
                self.fail(DEAD)
                return
            more = self.values[level][4 * i] == CT
            if sak < 0 or more != (sak & CASCADE != 0) or (more and level == 2):
                self.fail(GARBLED)
            elif more:
                self.descend(level + 1, uids)
            elif not uids.join(self.values, self.chosen, level):
                self.fail(CROWDED)

    # -- known tags -----------------------------------------------------------------------------

    def load(self, known: UidSet, i: int, level: int, into: bytearray) -> None:
        """into[0:4] = what known UID i answers at the level."""
        for k in range(4):
            into[k] = known.level_byte(i, level, k)

    def answers(self, known: UidSet, i: int, what: int, split: int) -> int:
        """One step of UidSet.plan(): SAME, DIFFERENT, DEAD."""
        level = 1 if what & LEVEL_2 else 0
        got = NOBODY
        for attempt in range(TRIES):
            if self.falls or (attempt and got == NOBODY):
                if self.enter(known, i, level) == DEAD:
                    return DEAD
            self.load(known, i, level, self.path)
            was = got
            got = self.ask(level, what & 0x3F)
            if got == GONE:
                return DEAD
            if attempt and was == NOBODY and got != NOBODY:
                self.falls = True
            if got == SPLIT:
                return SAME if self.split == split else DIFFERENT
            if got == LEAF:
                for k in range(4):
                    if self.path[k] != known.level_byte(i, level, k):
                        return DIFFERENT
                return DIFFERENT if split else SAME
        return DIFFERENT

    def cover(self, known: UidSet) -> int:
        """All steps of the plan: a new tag collides with a known one, or before one, or answers
        in place of one."""
        plan = known.plan()
        for step in range(known.steps):
            if self.late():
                return TIMEOUT
            what = plan[3 * step + 1]
            if what == WALK:
                return DIFFERENT
            if what == ENTER:
                got = self.enter(known, plan[3 * step], 1)
            else:
                got = self.answers(known, plan[3 * step], what, plan[3 * step + 2])
            if got != SAME:
                return got
        return SAME

    def enter(self, known: UidSet, i: int, level: int) -> int:
        """All tags to READY, for level 2 (1) those that share level 1 with a known UID."""
        if self.wake() == GONE:
            return DEAD
        if level == 0:
            return SAME
        self.load(known, i, 0, self.parent)
        sak = self.select(0, self.parent, 0)
        if sak == GONE:
            return DEAD
        return SAME if sak >= 0 and sak & CASCADE else DIFFERENT

    def hears(self, known: UidSet, i: int, level: int) -> int:
        """Ask for the whole level, so that only the BCC comes back: as ask(). Tags hear more than
        the reader does, so silence on the way there says nothing, and WUPA is sent once."""
        if self.halt(WAIT_US) == GONE:
            return GONE
        self.call(WUPA)
        if level:
            self.load(known, i, 0, self.parent)
            self.select(0, self.parent, 0)
        self.load(known, i, level, self.path)
        return self.ask(level, 32)

    def halt_known(self, known: UidSet, i: int) -> int:
        """REQA, SELECT at all levels, HLTA for known tag i: SAME, DIFFERENT, DEAD."""
        for _ in range(TRIES + 1):  # a tag in READY or ACTIVE falls to IDLE by the first REQA
            if self.call(REQA) == GONE:
                return DEAD
            sak = 0
            for level in range(known.levels(i)):
                self.load(known, i, level, self.parent)
                sak = self.select(level, self.parent, 0)
                if sak < 0:
                    break
            if sak == GONE:
                return DEAD
            if sak >= 0 and not sak & CASCADE:
                return SAME if self.halt(HALT_US) == NOBODY else DIFFERENT
        return DIFFERENT


_walk = _Walk()


def inventory(reader: MFRC522, uids: UidSet, budget_us: int) -> int:
    """All tags of the field into `uids`: COMPLETE, TIMEOUT, CROWDED, GARBLED, DEAD.

    A UID counts only with the right BCC at each level and a SAK that says complete. With
    anything but COMPLETE, `uids` holds what was resolved so far.
    """
    _walk.begin(reader, budget_us)
    _walk.trouble = COMPLETE
    uids.clear()
    got = _walk.wake()
    if got == GONE:
        return DEAD
    if got != NOBODY:
        _walk.descend(0, uids)
    return _walk.trouble


def verify(reader: MFRC522, known: UidSet, budget_us: int) -> int:
    """Do exactly the known tags answer? SAME, DIFFERENT, TIMEOUT, DEAD. The field was just
    switched on. One frame for each known tag and each stretch of bits
    that several share, a SELECT only where they share all of level 1.

    Blind to a new tag that shares all of level 1 with a known one (the roster warns of such),
    and to a strong tag that hides a weak one: hence prove() now and then.
    """
    _walk.begin(reader, budget_us)
    got = _walk.call(WUPA)
    if got == NOBODY and known.count:
        got = _walk.wake()
    if got == GONE:
        return DEAD
    if got == NOBODY or known.count == 0:
        return DIFFERENT if known.count or got != NOBODY else SAME
    return _walk.cover(known)


def prove(reader: MFRC522, known: UidSet, budget_us: int) -> int:
    """SELECT and HALT each known tag by its whole UID, then nobody may answer REQA: SAME,
    DIFFERENT, TIMEOUT, DEAD. The tags are halted afterwards; inventory() and verify() of a
    non-empty set wake them again."""
    _walk.begin(reader, budget_us)
    for i in range(known.count):
        if _walk.late():
            return TIMEOUT
        got = _walk.halt_known(known, i)
        if got != SAME:
            return got
    got = _walk.call(REQA)
    return DEAD if got == GONE else SAME if got == NOBODY else DIFFERENT


_WALKS = const(4)


def visit(
    reader: MFRC522, known: UidSet, found: UidSet, second: UidSet, budget_us: int, proof: bool
) -> int:
    """What a sweep does at a zone: verify() (or prove()), and at any difference walk in the same
    visit until two walks in a row agree, at most four.

    SAME or COMPLETE: `found` is what lies there. TIMEOUT, CROWDED, GARBLED: `found` is what was
    seen. DEAD: nothing is known. `second` is scratch.
    """
    start = reader.ticks_us()
    found.clear()
    reason = (prove if proof else verify)(reader, known, budget_us)
    if reason == SAME:
        found.copy(known)
    if reason != DIFFERENT:
        return reason
    complete = False
    for walk in range(_WALKS):
        left = budget_us - reader.ticks_diff(reader.ticks_us(), start)
        if left <= 0:
            return TIMEOUT
        reason = inventory(reader, second, left)
        if reason == COMPLETE and complete and second.equals(found):
            return COMPLETE
        if reason == COMPLETE and walk < _WALKS - 1:
            found.copy(second)
        else:
            found.merge(second)
        if reason != COMPLETE and reason != GARBLED:
            return reason
        complete = reason == COMPLETE
    return GARBLED


_SHARED = const(255)  # not heard yet, and shares level 1 with another


def strengths(reader: MFRC522, uids: UidSet, gains_db: "tuple[int, ...]", out: bytearray) -> int:
    """out[i] = the lowest of gains_db (ascending) at which tag i is heard, 0 at none: a low gain
    is a strong coupling. COMPLETE or DEAD. Leaves the reader at the last gain (OSError as
    MFRC522.gain)."""
    _walk.begin(reader, 0)
    for i in range(uids.count):
        out[i] = _SHARED if uids.shared(i) else 0
    for db in gains_db:
        reader.gain(db)
        for i in range(uids.count):
            if out[i] == 0 or out[i] == _SHARED:
                got = _walk.hears(uids, i, 1 if out[i] == _SHARED else 0)
                if got == GONE:
                    return DEAD
                if got == LEAF:
                    out[i] = db
    for i in range(uids.count):
        if out[i] == _SHARED:
            out[i] = 0
    return COMPLETE
