"""The arbiter of field and LED frames: sweeps the zones, keeps readers alive, reports changes.

One field at a time; a frame goes out only between two fields. What others want from a reader
(diagnosis, calibration) runs as a job in the same place, so that nobody else touches the bus.
While tags wake up in a field that was just switched on, the result of the visit before is worked
on and the other tasks have their turn.
"""

import asyncio
import time

from micropython import const

from rfid import iso14443a
from rfid.iso14443a import UidSet
from rfid.mfrc522 import GAINS_DB
from spicecore.parts import CHIPS, ZONES
from spicecore.sensing.inventory import NOWHERE, Inventory

_TX_ASK = const(0x15)  # MFRC522 9.3.2.6: 0 after a reset, 0x40 as configured
_TX_ASK_VALUE = const(0x40)
_BUDGET_US = const(250_000)  # a visit's deadline; what is not resolved by then is incomplete
_RETRY_MS = const(1000)  # a dead reader is asked again
_PROVE_EVERY = const(2)  # sweeps, then one reader is proved instead of verified
_CANARIES = const(2)  # readers a sweep whose registers are looked at closely
_HANDED = const(-2)  # mfrc522.Bus.follow: the next field is on
_SOON_MS = const(4)  # a visit's time: a frame that is due by then goes out before the next field
_OFF_US = const(5_000)  # a field that was off so long has reset its tags (ISO 14443-3, 6.2.3)
_DOUBT_MS = const(300)  # a doubt so old is put to the head chef
_DOUBT_EVERY = const(4)  # sweeps, then the strengths of a doubtful zone are measured again
_WATCH = const(6)  # places behind the proof: a zone whose strengths are looked at
# What is heard two steps below a zone's gain lies well inside it; what needs all of it is weak.
# Strengths are noted as if every zone swept at 33 dB: gains are calibrated, chips are alike.
_SWEEP_DB = const(33)
_WEAK_DB = const(23)
_HALL_STEP_MV = const(60)  # more than that from the last level: something moved there


class Zone:
    """One reader and what is known of it."""

    # Here, and not in each of thirteen, what few zones ever set.
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
        self.state = "dead"
        self.fresh = True  # strengths are to be measured
        self.looks = 0  # visits of this sweep
        self.off_at = 0  # when its field went off, microseconds


class Sense:
    """session gives board, settings, roster, lights, now(), tell() and post()."""

    def __init__(self, session):
        self.session = session
        self.board = session.board
        self.zones = [Zone(reader) for reader in session.board.readers]
        self.paused = False
        self.field = None  # zone whose field is on
        self.sweeps = 0
        self.sweep_ms = 0
        self.versions = []
        self.jobs = []
        self._second = UidSet()
        self._on_at = 0  # when the field went on, microseconds
        self._last = -1  # zone of the last visit, as long as its result was not looked at
        self._reason = 0  # and that result
        self._readings = 1  # how many agreed on it
        self._proof = False  # whether it is one that proves
        self._watch = False  # or one that asks whether strong chips still are
        self._measured = False  # and whether strengths were measured anew
        self._order = bytearray(range(len(ZONES)))
        self._at = 0  # place in it
        self.dead = (1 << len(ZONES)) - 1  # bits of zones whose reader is dead
        self._doubtful = 0  # bits of zones with an open doubt
        self._moving = True  # something is settling: the order of visiting matters
        self._changed = False
        self._twins = 0  # bits of zones that hold a tag which lies elsewhere too
        self._since = {}  # {chip: when its doubt arose}
        self._reload_due = False
        self._reload()

    def reload(self):
        """Take roster and settings as they are before the next sweep, readers from the start."""
        self._reload_due = True

    def _reload(self):
        """What lies where is found anew; what is gone then is told as soon as all was seen."""
        get = self.session.settings.get
        self._roster = UidSet(len(CHIPS))
        for uid in self.session.roster.in_order():
            try:
                self._roster.add(uid)
            except ValueError:  # the place holder of a chip without a tag
                self._roster.add(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff" + uid[3:4])
        self.inventory = Inventory(len(ZONES), len(CHIPS), get("agree"), get("pass_ms"), _WEAK_DB)
        self._gains = []
        self._strong = []  # gain in dB by which each zone hears what is not weak
        for name in ZONES:
            gains = GAINS_DB[: self.session.settings.zone("gain", name) + 1]
            if gains in self._gains:  # kept once
                gains = self._gains[self._gains.index(gains)]
            self._gains.append(gains)
            strong = [db for db in gains if db <= gains[-1] + _WEAK_DB - _SWEEP_DB]
            self._strong.append(strong[-1] if strong else gains[0])
        for index in range(len(ZONES)):
            zone = self.zones[index]
            zone.reader.settle_us = self.session.settings.zone("settle_us", ZONES[index])
            zone.known.clear()
            zone.fresh = True
        self.sweeps = 0
        self._recheck = True

    def gains(self, index):
        """Receiver gains in dB that a zone's strength is measured with, ascending."""
        return self._gains[index]

    def start(self):
        """Wake all readers; those that fail are dead and asked again later."""
        self.versions = self.board.start_bus()
        for index in range(len(self.zones)):
            self._wake(index)

    def _wake(self, index):
        """Initialise a reader; its state afterwards."""
        zone = self.zones[index]
        try:
            zone.reader.init(self._gains[index][-1])
            state = "ok"
            zone.known.clear()
            zone.fresh = True
        except OSError:
            state = "dead"
            zone.retry_at = self.session.now() + _RETRY_MS
        self._state(index, state)
        return state

    def _state(self, index, state):
        zone = self.zones[index]
        if zone.state != state:
            zone.state = state
            self.dead &= ~(1 << index)
            if state == "dead":
                self.dead |= 1 << index
            self.session.tell("board", ["reader", ZONES[index], state])

    def _lost(self, index):
        """A reader that no longer answers as it should: once more from the start."""
        zone = self.zones[index]
        zone.errors += 1
        zone.reinits += 1
        if self.field == index:
            self.field = None
        self._wake(index)

    async def run(self):
        self.start()
        while True:
            if self.idle():
                await self.between()
                await asyncio.sleep_ms(5)
                continue
            if self._reload_due:
                self._reload_due = False
                self._reload()
                self.start()
            begun = self.session.now()
            await self.sweep()
            self.sweep_ms = self.session.now() - begun

    def idle(self):
        """Nothing to look at: maintenance, or a game whose chips are told by wire."""
        play = self.session.play
        return self.paused or (play.sensing == "wire" and play.on())

    async def sweep(self):
        """All zones once, and those where a chip arrives until enough readings agree. What has
        settled is told; what only a whole sweep tells, during the next one's first visit."""
        hints = self._hints()
        if hints or self._moving:
            self.inventory.order(hints, self._order)
        for zone in self.zones:
            zone.looks = 0
        lights = self.session.lights
        self._at = 0
        index = self._next()
        on = self._open(index)
        self._report()
        while True:
            self._finish()
            await asyncio.sleep_ms(0)
            idle = self.idle()
            follow = -1 if idle else self._next()
            if on:
                settle = self.zones[index].reader.settle_us
                rest = settle - time.ticks_diff(time.ticks_us(), self._on_at)
                if rest >= 3000:  # shorter ones are not worth a change of tasks
                    await asyncio.sleep_ms(rest // 1000 - 1)
                at_once = follow >= 0 and not (self.jobs or lights.due(_SOON_MS))
                self._close(index, follow if at_once and not self._awake(follow) else -1)
            if self.jobs or lights.due():
                self._finish()
                await self.between()
            if follow < 0:
                break
            index = follow
            on = self.field == index or self._open(index)
        self._finish()
        if idle:
            return
        self.sweeps += 1

    async def between(self):
        """No field is on: LED frames and jobs have their time."""
        self.session.beat("sense")
        lights = self.session.lights
        if lights.due():
            lights.send()
            while lights.busy():
                await asyncio.sleep_ms(1)
        while self.jobs:
            job = self.jobs.pop(0)
            try:
                job[1] = await job[0]()
            except Exception as error:
                job[2] = error
            job[3].set()
            self.session.beat("sense")

    async def job(self, function):
        """Run an async function where no field is on; its result, or what it raised."""
        job = [function, None, None, asyncio.Event()]
        self.jobs.append(job)
        await job[3].wait()
        if job[2]:
            raise job[2]
        return job[1]

    def _next(self):
        """The zone to be visited next whose reader answers, or -1 when the sweep is over."""
        while True:
            index = self._second_look() if self.inventory.arriving else -1
            if index < 0:
                if self._at == len(self._order):
                    return -1
                index = self._order[self._at]
                self._at += 1
            zone = self.zones[index]
            zone.looks += 1
            if zone.state != "dead" or self._revived(index):
                return index

    def _revived(self, index):
        """Does a dead reader answer by now? Asked once a second."""
        zone = self.zones[index]
        now = self.session.now()
        if now - zone.retry_at < 0:
            return False
        zone.retry_at = now + _RETRY_MS
        return zone.reader.version() not in (-1, 0, 255) and self._wake(index) != "dead"

    def _second_look(self):
        """A zone where a chip arrives and that may be visited again in this sweep, or -1."""
        arriving = self.inventory.arriving
        for index in range(len(self.zones)):
            if arriving >> index & 1 and index != self.field:
                looks = self.zones[index].looks
                if 0 < looks < self.inventory.k and not self._awake(index):
                    return index
        return -1

    def _awake(self, index):
        """Microseconds that a zone's tags still need without a field to have been reset."""
        rest = _OFF_US - time.ticks_diff(time.ticks_us(), self.zones[index].off_at)
        return rest if 0 < rest <= _OFF_US else 0

    def _open(self, index):
        """Switch a zone's field on; False for -1, or when its reader was just found dead."""
        if index < 0 or self.zones[index].state == "dead":
            return False
        rest = self._awake(index)
        if rest:
            time.sleep_us(rest)
        return self._switch_on(index)

    # What each visit runs has few variables: more than 11 words of them lie on the heap.

    def _switch_on(self, index):
        try:
            self.zones[index].reader.antenna(True)
        except OSError:
            self._lost(index)
            return False
        return self._begun(index)

    def _begun(self, index):
        """The zone's field is on; False when its reader is not as it was set up."""
        self._on_at = time.ticks_us()
        self.field = index
        if not self._sane(index):
            self._lost(index)
            return False
        return True

    def _sane(self, index):
        """Is the reader as it was set up? One that was reset would say that nothing lies there.
        Two readers a sweep are looked at closely: a lock-up is found within a second."""
        reader = self.zones[index].reader
        if (index - self.sweeps * _CANARIES) % len(self.zones) < _CANARIES:
            return reader.canary_ok()
        return reader.bus.read(reader.select, _TX_ASK) == _TX_ASK_VALUE

    def _close(self, index, follow):
        """Read the zone, as soon as its tags are awake, switch its field off, and that of the zone
        `follow` on (-1: none)."""
        zone = self.zones[index]
        bus = zone.reader.bus
        if not self._closer(index) and follow >= 0:
            bus.follow = self.zones[follow].reader.select
        reason = self._look(index)
        handed = bus.follow == _HANDED
        bus.follow = -1
        if reason == iso14443a.DEAD:
            self._lost(index)
            return
        self.field = None
        zone.off_at = time.ticks_us()
        if handed:
            self._begun(follow)
        elif follow >= 0:
            self._switch_on(follow)
        self._last = index
        self._reason = reason

    def _closer(self, index):
        """Does this visit ask for more than level 1? Then the next field waits for its end."""
        zone = self.zones[index]
        self._proof = self.sweeps % (_PROVE_EVERY * len(self.zones)) == _PROVE_EVERY * index
        turn = (self.sweeps + _WATCH) % len(self.zones) == index
        self._watch = turn and zone.known.count > 0 and not self._proof
        return self._proof or self._watch or zone.fresh or self._doubtful >> index & 1

    def _look(self, index):
        """Read the zone; its field is off then."""
        reader = self.zones[index].reader
        try:
            reason = self._read(index)
            if reader.bus.follow != _HANDED:
                reader.antenna(False)
        except OSError:
            return iso14443a.DEAD
        return reason

    def _finish(self):
        """Work on the last visit's result."""
        index = self._last
        now = self.session.beat("sense")
        if index < 0:
            return
        self._last = -1
        zone = self.zones[index]
        if (
            self._reason == iso14443a.SAME
            and zone.state == "ok"
            and not self._measured
            and not self._twins >> index & 1
            and self.inventory.same(index, now)
        ):
            return
        self._note(index, self._reason, now)
        if zone.looks > 1 or self._readings > 1:
            self._tell_moves(now)

    def _read(self, index):
        zone = self.zones[index]
        self._readings = 1
        self._measured = False
        reason = iso14443a.check(zone.reader, zone.known, _BUDGET_US, self._proof)
        if reason == iso14443a.SAME and not zone.fresh and not self._doubtful >> index & 1:
            if not self._watch or self._still(index):
                return reason
            zone.fresh = True
        return self._resolve(index, reason)

    def _still(self, index):
        """Is every chip of the zone as strong as before, as far as it matters? A chip that was
        pushed to the edge is not, nor is one whose first measurement was lucky."""
        zone = self.zones[index]
        strong = self._strong[index]
        for place in range(zone.known.count):
            if not 0 < zone.strength[place] <= strong:
                return False
        return iso14443a.strong(zone.reader, zone.known, strong) == iso14443a.COMPLETE

    def _resolve(self, index, reason):
        """What lies in a zone where something changed, is new, or is in doubt."""
        zone = self.zones[index]
        if reason == iso14443a.DIFFERENT:
            reason = self._update(index)
            if reason == iso14443a.COMPLETE:
                return reason
        if reason == iso14443a.DIFFERENT:
            reason = iso14443a.resolve(zone.reader, zone.known, self._second, _BUDGET_US)
            self._readings = 2 if reason == iso14443a.COMPLETE else 1
        elif reason != iso14443a.SAME:
            zone.known.clear()  # nobody is sure of them
        if reason == iso14443a.DEAD:
            return reason
        if reason != iso14443a.SAME:
            self._changed = True
        elif not zone.fresh and self.sweeps % _DOUBT_EVERY:
            return reason
        zone.fresh = False
        self._measured = True
        if zone.known.count:
            iso14443a.strengths(zone.reader, zone.known, self._gains[index], zone.strength)
        return reason

    def _update(self, index):
        """What lies there, if all of it is strong: it answers two readings, of which the second
        needs less gain. How strong exactly matters only when a chip is heard elsewhere too."""
        zone = self.zones[index]
        strong = self._strong[index]
        reason = iso14443a.update(
            zone.reader, zone.known, self._second, strong, _BUDGET_US, self._proof
        )
        if reason == iso14443a.COMPLETE:
            zone.known, self._second = self._second, zone.known
            for place in range(zone.known.count):
                zone.strength[place] = strong
            zone.fresh = False
            self._changed = self._measured = True
            self._readings = 2
        return reason

    def _note(self, index, reason, now):
        """Hand what was found to the inventory."""
        zone = self.zones[index]
        complete = reason in (iso14443a.SAME, iso14443a.COMPLETE)
        count = zone.known.count
        strangers = 0
        if complete and not count:
            self.inventory.nothing(index, now)
        else:
            strangers = self._heard(index, count)
            self.inventory.report(index, complete, now, self._readings, self._measured)
        if not complete:
            zone.incomplete += 1
        if strangers:
            zone.strangers += 1
        state = "ok"
        if not complete:
            state = "incomplete"
        elif strangers:
            state = "stranger"
        elif self._twins >> index & 1:
            state = "duplicate"
        self._state(index, state)

    def _heard(self, index, count):
        """Fill the inventory's `seen`; how many tags no roster knows."""
        zone = self.zones[index]
        seen = self.inventory.seen
        strangers = 0
        top = self._gains[index][-1]
        for place in range(count):
            chip = self._roster.find(zone.known, place)
            if chip >= 0:
                seen[chip] = max((zone.strength[place] or top) + _SWEEP_DB - top, 1)
            else:
                strangers += 1
        return strangers

    def _hints(self):
        """Bits of zones whose hall sensor says that something moved; 0 where none are fitted."""
        if not self.session.settings.get("hall"):
            return 0
        hints = 0
        for index in range(len(self.zones)):
            level = self.board.hall_mv(index)
            if abs(level - self.zones[index].hall) > _HALL_STEP_MV:
                hints |= 1 << index
                self.zones[index].hall = level
        return hints

    def _report(self):
        """What the whole of the last sweep says."""
        now = self.session.now()
        self._moving = self._changed or bool(self._doubtful) or not self.settled()
        self._changed = False
        self._tell_moves(now)
        self._tell_doubts(now)

    def _tell_moves(self, now):
        """What has settled; after a start also what is gone since."""
        named = []
        for chip, zone in self.inventory.changes(now):
            named.append([CHIPS[chip], None if zone is None else ZONES[zone]])
        if self._recheck and self.settled():
            self._recheck = False
            for chip in self.session.play.seen:
                if self.inventory.place(CHIPS.index(chip)) == NOWHERE:
                    named.append([chip, None])
        if named:
            self.session.moved(named)
            self.session.talk.write()  # need not wait for its task's next turn

    def _tell_doubts(self, now):
        """What the head chef must decide, and tags that lie in two places."""
        self._doubtful = 0
        doubts = []
        since = {}
        twins = 0
        for chip, zones, kind in self.inventory.doubts():
            for zone in zones:
                self._doubtful |= 1 << zone
            since[chip] = self._since.get(chip, now)
            if now - since[chip] < _DOUBT_MS:
                continue  # a second look at its strength may settle it
            strong = [zone for zone in zones if self._is_strong(zone, chip)]
            if len(strong) < 2:
                self.inventory.ask(chip, zones, kind)
                doubts.append([CHIPS[chip], [ZONES[zone] for zone in zones], kind])
                continue
            for zone in strong:  # well inside two zones at once: two tags with one UID
                twins |= 1 << zone
                self._state(zone, "duplicate")
        self._doubtful |= self.inventory.unsure
        self._since = since
        self._twins = twins
        self.session.doubted(doubts)

    def _is_strong(self, index, chip):
        """Was the chip heard well below the zone's gain at its last visit?"""
        zone = self.zones[index]
        for place in range(zone.known.count):
            if self._roster.find(zone.known, place) == chip:
                return 0 < zone.strength[place] + _SWEEP_DB - self._gains[index][-1] <= _WEAK_DB
        return False

    def decide(self, chip, zone):
        """The head chef's word on a doubt: the zone's name, or None for nowhere."""
        place = NOWHERE if zone is None else ZONES.index(zone)
        self.inventory.decide(CHIPS.index(chip), place, self.session.now())

    def settled(self):
        """Has everything been looked at often enough to be believed?"""
        return self.sweeps >= self.session.settings.get("agree") + 2

    def states(self):
        """{zone: state of its reader}."""
        return {ZONES[index]: self.zones[index].state for index in range(len(ZONES))}

    def stop(self):
        """No field, nothing more to do: for the prompt."""
        self.paused = True
        self.board.fields_off()
