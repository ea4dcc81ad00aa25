"""The arbiter of field and LED frames: sweeps the zones, keeps readers alive, reports changes.

While one zone is read, the tags of the next ones wake up, if their fields do not disturb (see
app.schedule): three fields at most. A frame goes out only where no field is on. If others need a
reader (diagnosis, calibration), they run as a job in the same place, so that no other code uses
the bus. While tags wake up, the result of the previous visit is processed and other tasks run.

app.schedule decides where to look next and for what, app.look makes one visit, app.zone keeps what
is known of a zone, app.places derives where chips lie.
"""

import asyncio
import time

from micropython import const

from app.look import TWICE, look
from app.places import Places
from app.schedule import ROW, Schedule
from app.zone import Zone
from rfid.codes import DEAD, HANDED, SAME
from spicecore.parts import ZONES

_RETRY_MS = const(1000)  # a dead reader is asked again
_TURN_US = const(1000)  # waiting for this long, other tasks get a turn;
_TURN_EVERY = const(6)  # and after so many visits in any case
_LONG_US = const(3000)  # tags that need longer than this to wake up are worth a third field
_HALL_STEP_MV = const(60)  # a larger change of the level means that something moved


class Sense:
    """session gives board, settings, roster, lights, now(), tell() and post()."""

    def __init__(self, session):
        self.session = session
        self.board = session.board
        self.zones = [Zone(reader) for reader in session.board.readers]
        self.dead = (1 << len(ZONES)) - 1  # bits of zones whose reader is dead
        self.schedule = Schedule(self.zones, self._revived)
        self.places = Places(session, self.zones, self._become)
        self.paused = False
        # None: no field is on
        self.field: int = None  # type: ignore[assignment]  # zone that is read next
        self.second: int = None  # type: ignore[assignment]  # the one after it, if its is on too
        self.extra: int = None  # type: ignore[assignment]  # and the one after that
        self.sweep_ms = 0
        self._since = 0  # when the sweep began
        self.jobs = []
        self._last = -1  # zone of the last visit, until its result is processed
        self._result = SAME  # its result
        self.whole = False  # the last sweep is to be evaluated
        self.needed = False  # tags take so long to wake up that a third field is worth it
        self._reload_due = False
        self._reload()

    def reload(self):
        """Load roster and settings before the next sweep, and initialise the readers."""
        self._reload_due = True

    def _reload(self):
        zone_setting = self.session.settings.zone
        ladders: list = []  # equal ones are kept once
        for index in range(len(ZONES)):
            zone = self.zones[index]
            gains = zone.reader.gains_db[: zone_setting("gain", ZONES[index]) + 1]
            if gains in ladders:
                gains = ladders[ladders.index(gains)]
            ladders.append(gains)
            zone.set_up(
                gains,
                zone_setting("settle_us", ZONES[index]),
                zone_setting("margin_db", ZONES[index]),
            )
        self.needed = max([zone.reader.settle_us for zone in self.zones]) >= _LONG_US
        self.schedule.sweeps = 0
        self.places.reload()

    def start(self):
        """Wake all readers; those that fail are dead and asked again later. All fields are off."""
        self.field = self.second = self.extra = None  # type: ignore[assignment]
        self.board.start_bus()
        for index in range(len(self.zones)):
            self._wake(index)

    def _wake(self, index):
        """Initialise a reader; its state afterwards."""
        zone = self.zones[index]
        try:
            zone.reader.init(zone.gains[-1])
            state = "ok"
            zone.forget()
        except OSError:
            state = "dead"
            zone.retry_at = self.session.now() + _RETRY_MS
        self._become(index, state)
        return state

    def _become(self, index, state):
        """Set the state of a zone, and report it if it changed."""
        zone = self.zones[index]
        if zone.state != state:
            zone.state = state
            self.dead &= ~(1 << index)
            if state == "dead":
                self.dead |= 1 << index
            self.session.tell("board", ["reader", ZONES[index], state])

    def _lost(self, index):
        """A reader does not answer correctly: initialise it again."""
        zone = self.zones[index]
        zone.errors += 1
        zone.reinits += 1
        self._wake(index)

    def _revived(self, index):
        """Does a dead reader answer again? Tried once a second, after all jobs: one that is only
        half dead costs 80 ms."""
        zone = self.zones[index]
        now = self.session.now()
        if self.jobs or now - zone.retry_at < 0:
            return False
        zone.retry_at = now + _RETRY_MS
        return zone.reader.version() not in (-1, 0, 255) and self._wake(index) != "dead"

    async def run(self):
        self.start()
        while True:
            if not self.idle():
                if self._reload_due:
                    self._reload_due = False
                    self._reload()
                    self.start()
                await self.sweep()
            await self.between()
            await asyncio.sleep_ms(5)

    def idle(self):
        """Is there nothing to sense? True in maintenance, or in a game whose chips are reported
        over the wire."""
        play = self.session.play
        return self.paused or (play.sensing == "wire" and play.on())

    async def sweep(self):
        """Sweep until there is nothing to sense, or other settings to load. In each sweep visit
        all zones once, and those where a chip arrives until enough readings agree. Report what has
        settled. What only a whole sweep shows is reported during the first visit of the next."""
        turns = 0  # visits since the other tasks had one
        self._begin()
        while self.field is not None or self._goes_on() or self.renew():
            if self.second is None:
                self.second = self._open(self._next(self.field))
            if self.needed and self.extra is None and self.second is not None:
                self.extra = self._open(self._allowed(self.field, self.second))
            if self._last >= 0:
                self._finish()
            if self.whole:
                self.report()
            zone = self.zones[self.field]
            rest = zone.reader.settle_us - time.ticks_diff(time.ticks_us(), zone.switched_at)
            turns += 1
            if rest >= _TURN_US or turns == _TURN_EVERY:
                turns = 0
                await asyncio.sleep_ms(max(rest // 1000 - 1, 0))
            asked = self.schedule.asked(self.field, self.places.doubtful >> self.field & 1)
            if self.extra is None:
                follow = self._next(self.second)
            else:
                follow = self._allowed(self.second, self.extra)
            try:
                self._result = look(zone, asked, self.zones[follow] if follow >= 0 else None)
            except OSError:
                self._result = DEAD
            if self._result == HANDED:
                self.done(zone, follow)
            else:
                self._close(follow)
            if self.field is None and (self.jobs or self.session.lights.due()):
                self._finish()
                await self.between()

    def _goes_on(self):
        """Switch a field on if none is; False: the sweep is over."""
        while self.field is None:
            index = -1
            if not self.idle():
                index = self.schedule.next(self.places.inventory, None, None)
            if index < 0:
                return False
            self.field = self._open(index)
        return True

    def renew(self):
        """Begin the next sweep. False: not now, or no reader answers."""
        self._finish()
        if self.idle() or self._reload_due:
            return False
        self.advance()
        on = self._goes_on()
        if not on:
            self.report()
        return on

    def advance(self):
        """Count the sweep and begin the next."""
        self.schedule.sweeps += 1
        self.sweep_ms = self.session.beat("sense") - self._since
        self._begin()
        self.whole = True

    def report(self):
        """What only the whole last sweep shows."""
        self.whole = False
        self.places.report(self.session.now(), self.settled())

    def _begin(self):
        """A new sweep, and its order."""
        hints = self._hints()
        schedule = self.schedule
        if hints or self.places.moving or schedule.first:
            schedule.first = self.places.inventory.order(hints, ROW, schedule.order)
        schedule.begin()
        self._since = self.session.now()

    def _next(self, other):
        """The zone whose field may go on beside that one's (None: alone), or -1: none, or fields
        have to go off first, for a frame or a job or because there is nothing to sense. If only
        the last zone is still to be read and nothing moves, the next sweep begins."""
        if self._waiting():
            return -1
        schedule = self.schedule
        if other is None and not (schedule.left or self.places.moving or self._reload_due):
            self.advance()
        return schedule.next(self.places.inventory, self.field, other)

    def _allowed(self, field, other):
        """The zone whose field may go on while that of `field` is read and that of `other` is on,
        or -1."""
        if self.places.inventory.arriving or self._waiting():
            return -1
        return self.schedule.extra(field, other)

    def _waiting(self):
        """Does anything wait until no field is on?"""
        return self.jobs or self.session.lights.due() or self.idle()

    async def between(self):
        """No field is on: time for LED frames and jobs."""
        self.session.beat("sense")
        lights = self.session.lights
        if lights.due():
            lights.send()
            while lights.board.output.busy():
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

    def _open(self, index):
        """Switch a zone's field on as soon as its tags have reset: the zone, or None for -1, or if
        its reader was just found to be dead."""
        if index < 0 or self.zones[index].state == "dead":
            return None
        rest = self.zones[index].asleep_us()
        if rest:
            time.sleep_us(rest)
        return self._switch_on(index)

    # Functions of each visit have few variables, see look.py.

    def _switch_on(self, index):
        try:
            self.zones[index].reader.antenna(True)
        except OSError:
            self._lost(index)
            return None
        return self._begun(index)

    def _begun(self, index):
        """The zone's field is on; the zone, or None when its reader is not as it was set up."""
        zone = self.zones[index]
        zone.switched_at = time.ticks_us()
        # A reader that was reset would report an empty zone.
        if zone.reader.healthy(self.schedule.closely(index)):
            return index
        self._lost(index)
        return None

    def done(self, zone, follow):
        """The zone whose field was on has been read, and nothing changed; that of the zone
        `follow` went on."""
        zone.switched_at = time.ticks_us()
        self._result = SAME
        if zone.state != "ok" or not self.places.same(self.field):
            self._last = self.field
        self.go_on(self._begun(follow))

    def _close(self, follow):
        """The zone whose field was on has been read. Switch on that of the zone `follow` (-1:
        none)."""
        index = self.field
        if self._result == DEAD:
            self._lost(index)
        else:
            self.zones[index].switched_at = time.ticks_us()
            self._last = index
        self.go_on(self._open(follow))

    def go_on(self, index):
        """The second zone comes next; that of this index (or None) last."""
        if self.extra is not None:
            self.field = self.second
            self.second = self.extra
            self.extra = index
        elif self.second is not None:
            self.field = self.second
            self.second = index
        else:
            self.field = index

    def _finish(self):
        """Process the result of the last visit, if that was not done yet."""
        index = self._last
        self._last = -1
        if index < 0:
            return
        if self._result == SAME and self.zones[index].state == "ok" and self.places.same(index):
            return
        self.note(index, self.session.beat("sense"))

    def note(self, index, now):
        """A visit found what may be news."""
        self._become(index, self.places.note(index, self._result, now))
        if self.zones[index].looks > 1 or self._result & TWICE:
            self.places.tell_moves(now, self.settled())

    def _hints(self):
        """Bits of zones whose hall sensor noticed a movement; 0 if none are fitted."""
        if not self.session.settings.get("hall"):
            return 0
        hints = 0
        for index in range(len(self.zones)):
            level = self.board.hall_mv(index)
            if abs(level - self.zones[index].hall) > _HALL_STEP_MV:
                hints |= 1 << index
                self.zones[index].hall = level
        return hints

    def decide(self, chip, zone):
        """The head chef decides a doubt: the name of the zone, or None for nowhere. False: no
        reader hears the chip."""
        return self.places.decide(chip, zone, self.session.now())

    def settled(self):
        """Has every zone been visited often enough to be believed?"""
        return self.schedule.sweeps >= self.session.settings.get("agree") + 2

    def states(self):
        """{zone: state of its reader}."""
        return {ZONES[index]: self.zones[index].state for index in range(len(ZONES))}

    def stop(self):
        """Switch the field off and stop: for the prompt."""
        self.paused = True
        self.board.fields_off()
