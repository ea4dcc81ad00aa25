"""Which zone to visit next, and what the visit has to find out."""

from micropython import const

from app.look import PROVE, WATCH, WEIGH

_PROVE_EVERY = const(4)  # sweeps until one reader is proved instead of verified
_WEIGH_EVERY = const(4)  # sweeps until the strengths of a doubtful zone are measured again
_WATCH = const(6)  # places behind the proof: a zone whose strengths are looked at
_CANARIES = const(2)  # readers in each sweep whose registers are checked closely
# Bits of the zones whose fields may be on beside each zone's: tests calculate them with the RF
# model (docs/sensing.md). The middle bowl has none, the others form a chain. While a bowl is read,
# two others may be on; while an action space is read, one.
FIELDS = (
    0x1DE4, 0x19C0, 0x1BC9, 0x0D24, 0x0000, 0x1249, 0x0F27,
    0x0607, 0x164F, 0x09E4, 0x11C9, 0x024F, 0x0527,
)  # fmt: skip
ROW = b"\x00\x05\x06\x09\x0b\x01\x07\x02\x03\x08\x0a\x0c\x04"  # the middle bowl last
BOWLS = const(9)  # zones from this one on are action spaces


class Schedule:
    """The order of a sweep. revived(index): does a dead reader answer again?"""

    def __init__(self, zones, revived):
        self.zones = zones
        self.revived = revived
        self.sweeps = 0  # whole ones since the readers were set up
        self.order = bytearray(ROW)
        self.first = 0  # how many of its first places cannot wait for better company
        self._at = 0  # all places before this one are done
        self.left = 0  # bits of the zones that are not
        self.proof = -1  # the zone that is proved in this sweep

    def begin(self):
        """A new sweep, in `order`."""
        self._at = 0
        self.left = (1 << len(self.order)) - 1
        for zone in self.zones:
            zone.looks = 0
        self.proof = self.sweeps // _PROVE_EVERY % len(self.zones)
        if self.sweeps % _PROVE_EVERY:
            self.proof = -1

    def next(self, inventory, field, other):
        """The next zone to visit whose reader answers, or -1. field: the zone that is being read,
        or None; then -1 means that the sweep is over. other: the zone whose field will be on at
        the same time, or None. While a field is on, zones are left out whose tags need time to
        reset."""
        allowed = -1 if other is None else FIELDS[other]
        if field is not None:
            allowed &= ~(1 << field)
        while True:
            index = self._second_look(inventory, allowed) if inventory.arriving else -1
            if index < 0:
                index = self._look(allowed, field is None)
                if index < 0:
                    return -1
            self.zones[index].looks += 1
            if self.zones[index].state != "dead" or self.revived(index):
                return index

    def extra(self, field, other):
        """The zone whose field may go on as the third, while that of `field` is read and that of
        `other` is on: the next in the order, or -1."""
        if field >= BOWLS or not self.left:
            return -1
        while not self.left >> self.order[self._at] & 1:
            self._at += 1
        index = self.order[self._at]
        zone = self.zones[index]
        allowed = FIELDS[field] & FIELDS[other] & 1 << index
        if not allowed or zone.state == "dead" or zone.asleep_us():
            return -1
        self.left ^= 1 << index
        zone.looks += 1
        return index

    def _second_look(self, inventory, allowed):
        """A zone where a chip is arriving and that may be visited again in this sweep, or -1."""
        allowed &= inventory.arriving
        for index in range(len(self.zones)):
            if allowed >> index & 1:
                zone = self.zones[index]
                if 0 < zone.looks < inventory.k and not zone.asleep_us():
                    return index
        return -1

    def _look(self, allowed, wait):
        """The first zone in the order that was not visited in this sweep, or -1. wait: its tags
        may have to reset first."""
        for place in range(self._at, len(self.order)):
            index = self.order[place]
            if self.left >> index & 1:
                if allowed >> index & 1 and (wait or not self.zones[index].asleep_us()):
                    self.left ^= 1 << index
                    return index
                if place < self.first:
                    return -1
            elif place == self._at:
                self._at += 1
        return -1

    def asked(self, index, doubtful):
        """What a visit has to find out: bits of app.look."""
        asked = 0
        if index == self.proof:
            asked = PROVE
        elif (self.sweeps + _WATCH) % len(self.zones) == index and not doubtful:
            asked = WATCH if self.zones[index].known.count else 0
        return asked | WEIGH if doubtful and not self.sweeps % _WEIGH_EVERY else asked

    def closely(self, index):
        """Check this reader closely? Two in each sweep, so a lock-up is found within a second."""
        return (index - self.sweeps * _CANARIES) % len(self.zones) < _CANARIES
