"""Where chips lie, according to the visits: settled changes, doubts, tags in two places."""

from micropython import const

from app.look import MEASURED, REASON, TWICE
from app.zone import WEAK_DB
from rfid.codes import SAME
from rfid.uidset import UidSet
from spicecore.parts import CHIPS, ZONES
from spicecore.sensing.inventory import NOWHERE, Inventory

_DOUBT_MS = const(300)  # ask the head chef about a doubt of this age


class Places:
    """session gives roster, settings, play, talk, moved(), doubted(); become(index, state) tells
    a zone's state."""

    def __init__(self, session, zones, become):
        self.session = session
        self.zones = zones
        self.become = become
        self.doubtful = 0  # bits of zones with an open doubt
        self.moving = True  # something is settling: the order of visiting matters
        self._changed = False  # a visit of this sweep found a change
        self._twins = 0  # bits of zones with a tag that also lies elsewhere
        self._since = {}  # {chip: when its doubt arose}

    def reload(self):
        """Load roster and settings. Chips are searched again; missing ones are reported as soon as
        all zones have been seen."""
        get = self.session.settings.get
        self._roster = UidSet(len(CHIPS))
        for uid in self.session.roster.in_order():
            try:
                self._roster.add(uid)
            except ValueError:  # the place holder of a chip without a tag
                self._roster.add(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff" + uid[3:4])
        self.inventory = Inventory(len(ZONES), len(CHIPS), get("agree"), get("pass_ms"), WEAK_DB)
        self._recheck = True

    def same(self, index):
        """A visit that found the same as the last one, in a zone that is ok: True if that is no
        news."""
        return not self._twins >> index & 1 and self.inventory.same(index)

    def note(self, index, result, now):
        """Give a visit's result to the inventory, and set the state of the zone."""
        zone = self.zones[index]
        complete = result & REASON <= SAME
        strangers = 0
        if result & REASON != SAME:
            self._changed = True
        if complete and not zone.known.count:
            self.inventory.nothing(index, now)
        else:
            strangers = zone.heard(self._roster, self.inventory.seen)
            readings = 2 if result & TWICE else 1
            self.inventory.report(index, complete, now, readings, result & MEASURED != 0)
        if strangers:
            zone.strangers += 1
        if not complete:
            zone.incomplete += 1
            return "incomplete"
        if strangers:
            return "stranger"
        return "duplicate" if self._twins >> index & 1 else "ok"

    def report(self, now, settled):
        """Evaluate the whole last sweep."""
        self.moving = self._changed or self.doubtful != 0 or not settled
        self._changed = False
        inventory = self.inventory
        if inventory.loose or self._recheck:
            self.tell_moves(now, settled)
        if inventory.loose or self._since or self._twins or self.session.play.doubts:
            self._tell_doubts(now)
        else:
            self.doubtful = inventory.unsure = 0

    def tell_moves(self, now, settled):
        """Report settled changes; after a start also chips that are gone since."""
        named = []
        for chip, zone in self.inventory.changes(now):
            named.append([CHIPS[chip], None if zone is None else ZONES[zone]])
        if self._recheck and settled:
            self._recheck = False
            for chip in self.session.play.seen:
                unheard = chip in self.session.play.missed.declared
                if not unheard and self.inventory.place(CHIPS.index(chip)) == NOWHERE:
                    named.append([chip, None])
        if named:
            self.session.moved(named)
            self.session.talk.write()  # need not wait for its task's next turn

    def _tell_doubts(self, now):
        """Report doubts for the head chef, and tags that lie in two places."""
        self.doubtful = 0
        doubts = []
        since = {}
        twins = 0
        for chip, zones, kind in self.inventory.doubts():
            for zone in zones:
                self.doubtful |= 1 << zone
            since[chip] = self._since.get(chip, now)
            if now - since[chip] < _DOUBT_MS:
                continue  # another measurement of its strength may settle it
            strong = [zone for zone in zones if self.zones[zone].is_strong(self._roster, chip)]
            if len(strong) < 2:
                self.inventory.ask(chip, zones, kind)
                doubts.append([CHIPS[chip], [ZONES[zone] for zone in zones], kind])
                continue
            for zone in strong:  # well inside two zones at once: two tags with one UID
                twins |= 1 << zone
                self.become(zone, "duplicate")
        self.doubtful |= self.inventory.unsure
        self._since = since
        self._twins = twins
        self.session.doubted(doubts)

    def decide(self, chip, zone, now):
        """The head chef decides a doubt: the name of the zone, or None for nowhere. False: no
        reader hears the chip."""
        place = NOWHERE if zone is None else ZONES.index(zone)
        return self.inventory.decide(CHIPS.index(chip), place, now)

    def covered(self, chip):
        """Does the chip lie under others, so that no reader hears it?"""
        return self.inventory.covered(CHIPS.index(chip))
