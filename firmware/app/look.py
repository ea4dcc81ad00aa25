"""One visit to a zone whose field is on. The result is one number, so nothing is allocated:

a reason of rfid.codes; plus TWICE if two readings of this visit agreed; plus MEASURED if the
strengths of the zone's tags were measured in this visit.
"""

from micropython import const

from rfid.codes import COMPLETE, DEAD, DIFFERENT, HANDED, SAME
from rfid.uidset import UidSet

REASON = const(7)  # the bits of a result that are its reason
TWICE = const(8)
MEASURED = const(16)

# What a visit has to find out in addition to the tags.
PROVE = const(1)  # each tag by its whole UID, and no other tag answers
WATCH = const(2)  # whether tags that were strong still are
WEIGH = const(4)  # how strong all tags are, even if they are the same

_BUDGET_US = const(250_000)  # deadline of a visit; the result is incomplete if it is exceeded

_second = UidSet()


def look(zone, asked, follow):
    """Read the zone as soon as its tags are awake, and switch its field off. A result. follow: the
    zone whose field goes on next, or None. OSError: the reader does not do what it is told."""
    if asked or zone.fresh or follow is None:
        reason = zone.reader.verify(zone.known, _BUDGET_US)
    else:
        reason = zone.reader.verify(zone.known, _BUDGET_US, follow.reader)
        if reason == HANDED:
            return reason
    asked = _read(zone, asked, reason)
    zone.reader.antenna(False)
    return asked


# Functions of each visit have few variables: more than 11 words of them would be on the heap, and
# a search of the heap takes as long as a frame.


def _read(zone, asked, reason):
    if asked & PROVE and reason == SAME and zone.known.count:  # of none verify() is proof enough
        reason = zone.reader.prove(zone.known, _BUDGET_US)
    if reason == SAME and not zone.fresh and not asked & WEIGH:
        if not asked & WATCH or _still(zone):
            return reason
        zone.fresh = True
    return _resolve(zone, reason, asked)


def _still(zone):
    """Is every tag of the zone still strong enough? A chip that was pushed to the edge is not, nor
    is one whose first measurement was lucky."""
    strong = zone.strong
    for place in range(zone.known.count):
        if not 0 < zone.strength[place] <= strong:
            return False
    return zone.reader.strong(zone.known, strong) == COMPLETE


def _resolve(zone, reason, asked):
    """Read a zone where something changed, is new, or must be measured."""
    known = zone.known
    twice = 0
    if reason == DIFFERENT:
        reason = _update(zone, asked)
        if reason != DIFFERENT and reason != DEAD:
            return reason
    if reason == DIFFERENT:
        reason = zone.reader.resolve(known, _second, _BUDGET_US)
        twice = TWICE if reason == COMPLETE else 0
    elif reason != SAME:
        known.clear()  # nobody is sure of them
    if reason == DEAD or (reason == SAME and not zone.fresh and not asked & WEIGH):
        return reason
    zone.fresh = False
    if known.count:
        zone.reader.strengths(known, zone.gains, zone.strength)
    return reason | twice | MEASURED


def _update(zone, asked):
    """Read the zone quickly, if all its tags are strong: they answer two readings, the second at a
    lower gain. The exact strength only matters if a chip is heard in another zone too."""
    strong = zone.strong
    proof = asked & PROVE != 0
    reason = zone.reader.update(zone.known, _second, strong, _BUDGET_US, proof)
    if reason != COMPLETE:
        return reason
    zone.known.swap(_second)
    for place in range(zone.known.count):
        zone.strength[place] = strong
    zone.fresh = False
    return COMPLETE | TWICE | MEASURED
