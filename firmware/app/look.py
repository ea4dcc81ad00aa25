"""One visit to a zone whose field is on. What came of it is one number, so nothing is allocated:

a reason of rfid.iso14443a, or HANDED; with TWICE where two readings of this visit agreed on it,
and with MEASURED where the strengths of the zone's tags are no older than it.
"""

from micropython import const

from rfid import iso14443a
from rfid.iso14443a import COMPLETE, DEAD, DIFFERENT, SAME, UidSet

REASON = const(7)  # the bits of a result that are its reason
HANDED = const(7)  # as SAME, and the field of the zone that follows is on instead of this one's
TWICE = const(8)
MEASURED = const(16)

# What is asked of a visit beside who lies there.
PROVE = const(1)  # each tag by its whole UID, and nobody else answers
WATCH = const(2)  # whether what was strong still is
WEIGH = const(4)  # how strong all are, whether they are the same ones or not

_BUDGET_US = const(250_000)  # a visit's deadline; what is not resolved by then is incomplete
_BUS_HANDED = const(-2)  # mfrc522.Bus.follow: the next field is on

_second = UidSet()


def look(zone, asked, follow):
    """Read the zone as soon as its tags are awake, and switch its field off. A result, DEAD also
    where the field does not go off. follow: the zone whose field is on next, or None."""
    bus = zone.reader.bus
    if follow is not None and not asked and not zone.fresh:
        bus.follow = follow.reader.select
    try:
        result = _read(zone, asked)
        if bus.follow == _BUS_HANDED:
            result = HANDED
        else:
            zone.reader.antenna(False)
    except OSError:
        result = DEAD
    bus.follow = -1
    return result


def _read(zone, asked):
    reason = iso14443a.check(zone.reader, zone.known, _BUDGET_US, asked & PROVE != 0)
    if reason == SAME and not zone.fresh and not asked & WEIGH:
        if not asked & WATCH or _still(zone):
            return reason
        zone.fresh = True
    return _resolve(zone, reason, asked)


def _still(zone):
    """Is every tag of the zone as strong as before, as far as it matters? A chip that was pushed
    to the edge is not, nor is one whose first measurement was lucky."""
    strong = zone.strong
    for place in range(zone.known.count):
        if not 0 < zone.strength[place] <= strong:
            return False
    return iso14443a.strong(zone.reader, zone.known, strong) == COMPLETE


def _resolve(zone, reason, asked):
    """What lies in a zone where something changed, is new, or is to be weighed."""
    known = zone.known
    twice = 0
    if reason == DIFFERENT:
        reason = _update(zone, asked)
        if reason != DIFFERENT and reason != DEAD:
            return reason
    if reason == DIFFERENT:
        reason = iso14443a.resolve(zone.reader, known, _second, _BUDGET_US)
        twice = TWICE if reason == COMPLETE else 0
    elif reason != SAME:
        known.clear()  # nobody is sure of them
    if reason == DEAD or (reason == SAME and not zone.fresh and not asked & WEIGH):
        return reason
    zone.fresh = False
    if known.count:
        iso14443a.strengths(zone.reader, known, zone.gains, zone.strength)
    return reason | twice | MEASURED


def _update(zone, asked):
    """What lies there, if all of it is strong: it answers two readings, of which the second
    needs less gain. How strong exactly matters only when a chip is heard elsewhere too."""
    strong = zone.strong
    proof = asked & PROVE != 0
    reason = iso14443a.update(zone.reader, zone.known, _second, strong, _BUDGET_US, proof)
    if reason != COMPLETE:
        return reason
    zone.known.swap(_second)
    for place in range(zone.known.count):
        zone.strength[place] = strong
    zone.fresh = False
    return COMPLETE | TWICE | MEASURED
