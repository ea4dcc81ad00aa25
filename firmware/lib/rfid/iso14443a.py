"""ISO/IEC 14443-3 type A: all tags in a reader's field; usable alone, on both runtimes.

    reader.antenna(True)                            # reader: mfrc522.MFRC522
    uids = UidSet(16)
    print(REASONS[inventory(reader, uids, 250_000)])
    for i in range(uids.count):
        print(uids.uid(i))

Field on and off is the caller's. Nothing here allocates once the UidSets exist, so a sweep runs
with the heap locked. One walk at a time: the scratch storage is the module's.

How the field is walked: every tag answers in state READY; an ANTICOLLISION frame names the first
bits of a UID and only tags that have them answer. A collision splits the tags in two, so n tags
cost 2n - 1 frames, and all of cascade level 1 is walked before anything is selected. A SELECT
sends all other tags to IDLE, from where REQA fetches them for the next; the selected tag is halted
once its UID is whole. At the end nobody may answer REQA: that proves that nothing was overlooked.
"""

from rfid.frames import (
    COMPLETE,
    CROWDED,
    DEAD,
    DIFFERENT,
    GARBLED,
    GONE,
    LEAF,
    NOBODY,
    REASONS,
    REQA,
    SAME,
    TIMEOUT,
    WUPA,
)
from rfid.mfrc522 import MFRC522
from rfid.uidset import UidSet
from rfid.walk import Walk

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


__all__ = (
    "COMPLETE",
    "CROWDED",
    "DEAD",
    "DIFFERENT",
    "GARBLED",
    "REASONS",
    "SAME",
    "TIMEOUT",
    "UidSet",
    "confirm",
    "inventory",
    "prove",
    "strengths",
    "strong",
    "update",
    "verify",
    "visit",
)

_WALKS = const(3)  # a visit's
_SHARED = const(255)  # strengths(): not heard yet, and shares level 1 with another

_walk = Walk()
_nobody = UidSet(0)


def inventory(reader: MFRC522, uids: UidSet, budget_us: int) -> int:
    """All tags of the field into `uids`: COMPLETE, TIMEOUT, CROWDED, GARBLED, DEAD.

    A UID counts only with the right BCC at each level and a SAK that says complete. With
    anything but COMPLETE, `uids` holds what was resolved so far. No tag may be halted before
    (field just switched on, or verify() before); all but the last are halted after it.
    """
    _walk.begin(reader, budget_us)
    _walk.trouble = COMPLETE
    uids.clear()
    reader.settle()
    # With the field just on, one REQA is enough. Who falls to IDLE by it instead is found at the
    # end of the walk.
    got = _walk.call(REQA)
    if got == NOBODY:
        got = _walk.call(REQA)  # all were READY or ACTIVE, and are IDLE by the first
    if got == GONE or got == NOBODY:
        return DEAD if got == GONE else COMPLETE
    return _walk.resolve(uids)


def verify(reader: MFRC522, known: UidSet, budget_us: int) -> int:
    """Do exactly the known tags answer? SAME, DIFFERENT, TIMEOUT, DEAD. The field was just
    switched on: its tags get the rest of reader.settle_us. A walk of level 1, so 2n - 1 frames;
    a SELECT only where known tags share all of level 1. At a difference update() goes on from the
    walk.

    Blind to a new tag that shares all of level 1 with a known one (the roster warns of such), to
    a strong tag that hides a weak one, and to a new tag of another make that falls to IDLE where
    the known ones stay READY: hence prove() now and then.
    """
    bus = reader.bus
    _walk.met = 0
    _walk.halted = False
    if bus.whole:
        got = bus.cover(reader, known, _walk)
        if got != -1:
            return got if got > 0 else DEAD
    reader.settle()
    _walk.begin(reader, budget_us)
    return _walk.verify(known)


def prove(reader: MFRC522, known: UidSet, budget_us: int) -> int:
    """SELECT and HALT each known tag by its whole UID, then nobody may answer REQA: SAME,
    DIFFERENT, TIMEOUT, DEAD. The field was just switched on; the tags are halted after it."""
    reader.settle()
    return _prove(reader, known, budget_us, False)


def _prove(reader: MFRC522, known: UidSet, budget_us: int, ready: bool) -> int:
    _walk.begin(reader, budget_us)
    _walk.met = 0
    _walk.halted = True
    return _walk.reach_all(known, REQA, True, ready)


def confirm(reader: MFRC522, found: UidSet, budget_us: int) -> int:
    """After inventory(): does each tag found answer a SELECT of its whole UID? SAME, DIFFERENT,
    TIMEOUT, DEAD."""
    _walk.begin(reader, budget_us)
    return _walk.reach_all(found, WUPA, False, False)


def visit(
    reader: MFRC522, known: UidSet, found: UidSet, second: UidSet, budget_us: int, proof: bool
) -> int:
    """A zone whose field was just switched on: check(), at a difference update(), and where that
    finds no clear answer resolve().

    SAME or COMPLETE: `found` is what lies there. TIMEOUT, CROWDED, GARBLED: `found` is what was
    seen. DEAD: nothing is known. `second` is scratch; `found` may be `known` itself.
    """
    reason = check(reader, known, budget_us, proof)
    if reason == DIFFERENT:
        reason = update(reader, known, second, reader.gain_db, budget_us, proof)
        if reason == DIFFERENT:
            return resolve(reader, found, second, budget_us)
        known = second
    if reason != SAME and reason != COMPLETE:
        found.clear()
    elif found is not known:
        found.copy(known)
    return reason


def check(reader: MFRC522, known: UidSet, budget_us: int, proof: bool) -> int:
    """verify(), and where that sees nothing prove(): what it sees is found sooner without."""
    reason = verify(reader, known, budget_us)
    if proof and reason == SAME and known.count:  # of none verify() is proof enough
        return _prove(reader, known, budget_us, True)
    return reason


def update(
    reader: MFRC522, known: UidSet, found: UidSet, gain_db: int, budget_us: int, proof: bool
) -> int:
    """After check() said DIFFERENT: who lies there, by two readings that agree.

    The first reading is a walk of level 1; a known tag counts by that, as in verify(), others
    (with a proof: all) only by their whole UIDs, and are halted. Then nobody may answer a REQA
    who was not found: a tag that fell to IDLE while others were asked does. In the second reading
    each of them answers to all of its level 1, at gain_db: with a lower gain than the first they
    are known to be strong; and who is missing does not answer. COMPLETE: `found` (not `known`
    itself) is what lies there. DIFFERENT: no clear answer, resolve() may find one. DEAD.

    Without a proof it is blind to a tag that wakes up only while known ones are asked.
    """
    _walk.begin(reader, budget_us)
    if _walk.halted:
        reader.restart()  # out of HALT
        _walk.call(REQA)
    elif _walk.met < 0 or (known.count and not _walk.met):
        _walk.gather()
    taken = _nobody if proof else known
    if _walk.renew(taken, found) != COMPLETE:
        return DIFFERENT
    if found.count == 0:
        return COMPLETE
    if not _walk.all_found(taken, found):
        return DIFFERENT
    reason = _walk.wake(known, found)
    return reason if reason != COMPLETE else _agree(reader, found, gain_db)


def _agree(reader: MFRC522, found: UidSet, gain_db: int) -> int:
    """Do these READY tags answer at the gain? COMPLETE, DIFFERENT, DEAD."""
    swept = reader.gain_db
    if gain_db != swept:
        reader.gain(gain_db)
    reason = _walk.again(found)
    if gain_db != swept:
        reader.gain(swept)
    return reason


def resolve(reader: MFRC522, found: UidSet, second: UidSet, budget_us: int) -> int:
    """The long way, from any state: walk everybody from the start and confirm, at most thrice.
    As visit(), never SAME."""
    start = reader.ticks_us()
    reason = DIFFERENT
    found.clear()
    second.clear()
    for _ in range(_WALKS):
        reader.restart()  # out of HALT
        left = budget_us - reader.ticks_diff(reader.ticks_us(), start)
        reason = TIMEOUT if left <= 0 else inventory(reader, found, left)
        if reason == COMPLETE:
            left = budget_us - reader.ticks_diff(reader.ticks_us(), start)
            reason = TIMEOUT if left <= 0 else confirm(reader, found, left)
            if reason == SAME:
                return COMPLETE
        second.merge(found)
        if reason != DIFFERENT and reason != GARBLED:
            break
    found.copy(second)
    return GARBLED if reason == DIFFERENT else reason


def strong(reader: MFRC522, known: UidSet, gain_db: int) -> int:
    """After check() said SAME without a proof: is each known tag heard at gain_db too? COMPLETE,
    DIFFERENT (or two share all of level 1), DEAD."""
    return _agree(reader, known, gain_db)


def strengths(reader: MFRC522, uids: UidSet, gains_db: "tuple[int, ...]", out: bytearray) -> int:
    """out[i] = the lowest of gains_db (ascending) at which tag i is heard, 0 at none: a low gain
    is a strong coupling. COMPLETE or DEAD. Leaves the reader at the last gain (OSError as
    MFRC522.gain)."""
    _walk.begin(reader, 0)  # no deadline: one frame a gain and tag
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
