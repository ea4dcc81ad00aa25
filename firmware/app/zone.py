"""What is known of one zone: its reader, the tags that answered last, and how strong they are."""

import time

from micropython import const

from rfid.uidset import UidSet

_OFF_US = const(5_000)  # tags have reset after this time without a field (ISO 14443-3, 6.2.3)
# A tag that is heard with `margin_db` less than the zone's gain lies inside the zone; one that
# needs more is weak. Strengths are noted as if this limit were the same in all zones: antennas
# differ, chips are alike.
WEAK_DB = const(23)


class Zone:
    """One reader and what is known of it."""

    # Class attributes, because few of the thirteen zones ever set them.
    retry_at = 0
    errors = 0
    reinits = 0
    incomplete = 0
    strangers = 0
    hall = 0

    def __init__(self, reader):
        self.reader = reader
        self.known = UidSet()
        self.strength = bytearray(16)  # dB, in the order of `known`
        self.state = "dead"  # one of:
        #   ok          every tag is a chip of the roster
        #   incomplete  something answers that cannot be read whole
        #   stranger    a tag that is not in the roster
        #   duplicate   a tag that also answers well inside another zone
        #   dead        the reader does not answer correctly; it is asked once a second
        self.fresh = True  # strengths must be measured
        self.looks = 0  # visits of this sweep
        self.switched_at = 0  # when its field went on or off last, microseconds
        self.gains: tuple = ()  # receiver gains that strengths are measured with, dB, ascending
        self.strong = 0  # the gain at which every tag is heard that is not weak
        self.weak_db = 0  # a tag that needs more gain is weak

    def set_up(self, gains, settle_us, margin_db):
        """Use other settings; sweeps use the last of the gains."""
        self.gains = gains
        self.weak_db = gains[-1] - margin_db
        below = [db for db in gains if db <= self.weak_db]
        self.strong = below[-1] if below else gains[0]
        self.reader.settle_us = settle_us
        self.forget()

    def forget(self):
        """Forget what is known, so that the zone is read again."""
        self.known.clear()
        self.fresh = True

    def asleep_us(self):
        """Microseconds that its tags still need to reset; its field is off."""
        rest = _OFF_US - time.ticks_diff(time.ticks_us(), self.switched_at)
        return rest if 0 < rest <= _OFF_US else 0

    def heard(self, roster, seen):
        """Fill `seen` {chip: lowest gain in dB, WEAK_DB at most if it is not weak}; return how
        many tags are not in the roster."""
        strangers = 0
        top = self.gains[-1]
        for place in range(self.known.count):
            chip = roster.find(self.known, place)
            if chip >= 0:
                seen[chip] = max((self.strength[place] or top) + WEAK_DB - self.weak_db, 1)
            else:
                strangers += 1
        return strangers

    def is_strong(self, roster, chip):
        """Was the chip heard well below the zone's gain at its last visit?"""
        for place in range(self.known.count):
            if roster.find(self.known, place) == chip:
                return 0 < self.strength[place] <= self.weak_db
        return False
