"""Which zone to visit next, and what the visit has to find out."""

from micropython import const

from app.look import PROVE, WATCH, WEIGH

_PROVE_EVERY = const(2)  # sweeps until one reader is proved instead of verified
_WEIGH_EVERY = const(4)  # sweeps until the strengths of a doubtful zone are measured again
_WATCH = const(6)  # places behind the proof: a zone whose strengths are looked at
_CANARIES = const(2)  # readers in each sweep whose registers are checked closely


class Schedule:
    """The order of a sweep. revived(index): does a dead reader answer again?"""

    def __init__(self, zones, revived):
        self.zones = zones
        self.revived = revived
        self.sweeps = 0
        self.order = bytearray(range(len(zones)))
        self._at = 0  # place in it

    def begin(self):
        """A new sweep, in `order`."""
        self._at = 0
        for zone in self.zones:
            zone.looks = 0

    def next(self, inventory, open_):
        """The next zone to visit whose reader answers, or -1 if the sweep is over. open_: the zone
        whose field is on, or None."""
        while True:
            index = self._second_look(inventory, open_) if inventory.arriving else -1
            if index < 0:
                if self._at == len(self.order):
                    return -1
                index = self.order[self._at]
                self._at += 1
            zone = self.zones[index]
            zone.looks += 1
            if zone.state != "dead" or self.revived(index):
                return index

    def _second_look(self, inventory, open_):
        """A zone where a chip is arriving and that may be visited again in this sweep, or -1."""
        arriving = inventory.arriving
        for index in range(len(self.zones)):
            if arriving >> index & 1 and index != open_:
                zone = self.zones[index]
                if 0 < zone.looks < inventory.k and not zone.asleep_us():
                    return index
        return -1

    def asked(self, index, doubtful):
        """What a visit has to find out: bits of app.look."""
        count = len(self.zones)
        asked = 0
        if self.sweeps % (_PROVE_EVERY * count) == _PROVE_EVERY * index:
            asked = PROVE
        elif (self.sweeps + _WATCH) % count == index and not doubtful:
            asked = WATCH if self.zones[index].known.count else 0
        return asked | WEIGH if doubtful and not self.sweeps % _WEIGH_EVERY else asked

    def closely(self, index):
        """Check this reader closely? Two in each sweep, so a lock-up is found within a second."""
        return (index - self.sweeps * _CANARIES) % len(self.zones) < _CANARIES
