"""ISO/IEC 14443-3 type A: all tags in a reader's field, by their whole UIDs.

    reader.antenna(True)                            # reader: mfrc522.MFRC522, a TypeA
    uids = UidSet(16)
    print(REASONS[reader.inventory(uids, 250_000)])
    for i in range(uids.count):
        print(uids.uid(i))

Nothing here allocates once the UidSets exist, so a sweep runs with the heap locked. One walk at a
time: the scratch storage is the module's.

How the field is walked: every tag answers in state READY; an ANTICOLLISION frame names the first
bits of a UID and only tags that have them answer. A collision splits the tags in two, so n tags
cost 2n - 1 frames, and all of cascade level 1 is walked before anything is selected. A SELECT
sends all other tags to IDLE, from where REQA fetches them for the next; the selected tag is halted
once its UID is whole. At the end no tag may answer REQA: that proves that nothing was overlooked.
"""

from rfid.codes import (
    COMPLETE,
    DEAD,
    DIFFERENT,
    GARBLED,
    GONE,
    LEAF,
    NOBODY,
    REQA,
    SAME,
    TIMEOUT,
    WUPA,
)
from rfid.uidset import UidSet
from rfid.walk import Walk

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


TYPE_CHECKING = const(0)
if TYPE_CHECKING:
    from collections.abc import Callable

    from rfid.reader import Clock

_WALKS = const(3)  # a visit's
_SHARED = const(255)  # strengths(): not heard yet, and shares level 1 with another

scratch = Walk()
_nobody = UidSet(0)


class TypeA:
    """The part of reader.Reader that is about tags, for a reader that has reader.Framing."""

    clock: "Clock"
    gain_db: int
    antenna: "Callable[[bool], None]"
    gain: "Callable[[int], None]"
    settle: "Callable[[], None]"
    off_us = 5_000  # a tag has reset after 5 ms without a field (ISO 14443-3, 6.2.3)

    def _begin(self, budget_us: int) -> None:
        scratch.begin(self, budget_us)  # type: ignore[arg-type]  # who derives brings the frames

    def restart(self) -> None:
        """Switch the field off until the tags have lost their state; then on, and settle."""
        self.antenna(False)
        self.clock.sleep_us(self.off_us)
        self.antenna(True)
        self.settle()

    def inventory(self, uids: UidSet, budget_us: int) -> int:
        """All tags of the field into `uids`: COMPLETE, TIMEOUT, CROWDED, GARBLED, DEAD.

        A UID counts only with the right BCC at each level and a SAK that says complete. With
        anything but COMPLETE, `uids` holds what was resolved so far. No tag may be halted before
        (field just switched on, or verify() before); all but the last are halted after it.
        """
        self._begin(budget_us)
        scratch.trouble = COMPLETE
        uids.clear()
        self.settle()
        # With the field just on, one REQA is enough. A tag that falls to IDLE instead is found at
        # the end of the walk.
        got = scratch.reader.call(REQA)
        if got == NOBODY:
            got = scratch.reader.call(REQA)  # all were READY or ACTIVE, and are IDLE by the first
        if got == GONE or got == NOBODY:
            return DEAD if got == GONE else COMPLETE
        return scratch.resolve(uids)

    def verify(self, known: UidSet, budget_us: int, follow: "TypeA | None" = None) -> int:
        """Do exactly the known tags answer? SAME, DIFFERENT, TIMEOUT, DEAD. A walk of level 1, so
        2n - 1 frames; a SELECT only where known tags share all of level 1. At a difference
        update() goes on from the walk. Never hands the field over.

        Blind to a new tag that shares all of level 1 with a known one (the roster warns of such),
        to a strong tag that hides a weak one, and to a new tag of another make that falls to IDLE
        where the known ones stay READY: so call prove() from time to time.
        """
        scratch.met = 0
        scratch.halted = False
        self.settle()
        self._begin(budget_us)
        return scratch.verify(known)

    def prove(self, known: UidSet, budget_us: int) -> int:
        """SELECT and HALT each known tag by its whole UID, then nobody may answer REQA: SAME,
        DIFFERENT, TIMEOUT, DEAD. The tags are halted after it. Expects them READY, as verify()
        leaves them; a field just switched on costs a frame more."""
        self.settle()
        self._begin(budget_us)
        scratch.met = 0
        scratch.halted = True
        return scratch.reach_all(known, REQA, True, True)

    def confirm(self, found: UidSet, budget_us: int) -> int:
        """After inventory(): does each tag found answer a SELECT of its whole UID? SAME,
        DIFFERENT, TIMEOUT, DEAD."""
        self._begin(budget_us)
        return scratch.reach_all(found, WUPA, False, False)

    def update(
        self, known: UidSet, found: UidSet, gain_db: int, budget_us: int, proof: bool
    ) -> int:
        """After verify() or prove() said DIFFERENT: who lies there, by two readings that agree.

        The first reading is a walk of level 1; a known tag counts by that, as in verify(), others
        (with a proof: all) only by their whole UIDs, and are halted. In the second reading each of
        them answers to all of its level 1, at gain_db: with a lower gain than the first they are
        known to be strong; and who is missing does not answer. After it (where one is missing, or
        all were halted: before it) no tag may answer a REQA that was not found: a tag that fell to
        IDLE while others were asked does. COMPLETE: `found` (not `known` itself) is what lies
        there. DIFFERENT: no clear answer, resolve() may find one. DEAD.

        Without a proof it is blind to a tag that wakes up only while known ones are asked.
        """
        self._begin(budget_us)
        if scratch.halted:
            self.restart()  # out of HALT
            scratch.reader.call(REQA)
        elif scratch.met < 0 or (known.count and not scratch.met):
            scratch.gather()
        taken = _nobody if proof else known
        if scratch.renew(taken, found) != COMPLETE:
            return DIFFERENT
        if found.count == 0:
            return COMPLETE
        if scratch.met == 0 or scratch.met < known.count:
            if not scratch.all_found(taken, found):
                return DIFFERENT
            reason = scratch.wake(known, found)
            return reason if reason != COMPLETE else self.strong(found, gain_db)
        if not scratch.ready:
            scratch.reader.call(WUPA)
        reason = self.strong(found, gain_db)
        if reason == COMPLETE and scratch.reader.call(REQA) != NOBODY:
            return DIFFERENT
        return reason

    def strong(self, known: UidSet, gain_db: int) -> int:
        """While these tags are READY, as verify() leaves them: is each heard at gain_db too?
        COMPLETE, DIFFERENT (or two share all of level 1), DEAD."""
        self._begin(0)  # verify() may have done without
        swept = self.gain_db
        if gain_db != swept:
            self.gain(gain_db)
        reason = scratch.again(known)
        if gain_db != swept:
            self.gain(swept)
        return reason

    def resolve(self, found: UidSet, second: UidSet, budget_us: int) -> int:
        """The long way, from any state: walk all tags from the start and confirm, at most three
        times: COMPLETE, TIMEOUT, CROWDED, GARBLED, DEAD."""
        clock = self.clock
        start = clock.ticks_us()
        reason = DIFFERENT
        found.clear()
        second.clear()
        for _ in range(_WALKS):
            self.restart()  # out of HALT
            left = budget_us - clock.ticks_diff(clock.ticks_us(), start)
            reason = TIMEOUT if left <= 0 else self.inventory(found, left)
            if reason == COMPLETE:
                left = budget_us - clock.ticks_diff(clock.ticks_us(), start)
                reason = TIMEOUT if left <= 0 else self.confirm(found, left)
                if reason == SAME:
                    return COMPLETE
            second.merge(found)
            if reason != DIFFERENT and reason != GARBLED:
                break
        found.copy(second)
        return GARBLED if reason == DIFFERENT else reason

    def strengths(self, uids: UidSet, gains_db: "tuple[int, ...]", out: bytearray) -> int:
        """out[i] = the lowest of gains_db (ascending) at which tag i is heard, 0 at none: a low
        gain is a strong coupling. COMPLETE or DEAD. Leaves the reader at the last gain (OSError
        as gain())."""
        self._begin(0)  # no deadline: one frame a gain and tag
        for i in range(uids.count):
            out[i] = _SHARED if uids.shared(i) else 0
        for db in gains_db:
            self.gain(db)
            for i in range(uids.count):
                if out[i] == 0 or out[i] == _SHARED:
                    got = scratch.hears(uids, i, 1 if out[i] == _SHARED else 0)
                    if got == GONE:
                        return DEAD
                    if got == LEAF:
                        out[i] = db
        for i in range(uids.count):
            if out[i] == _SHARED:
                out[i] = 0
        return COMPLETE
