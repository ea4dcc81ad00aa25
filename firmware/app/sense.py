"""The arbiter of field and LED frames: sweeps the zones, keeps readers alive, reports changes.

One field at a time; a frame goes out only between two fields. If others need a reader (diagnosis,
calibration), they run as a job in the same place, so that no other code uses the bus. While tags
wake up in a new field, the result of the previous visit is processed and the other tasks run.

app.schedule decides where to look next and for what, app.look makes one visit, app.zone keeps what
is known of a zone, app.places derives where chips lie.
"""

import asyncio
import time

from micropython import const

from app.look import TWICE, look
from app.places import Places
from app.schedule import Schedule
from app.zone import Zone
from rfid.codes import DEAD, HANDED, SAME
from spicecore.parts import ZONES

_RETRY_MS = const(1000)  # a dead reader is asked again
_SOON_MS = const(4)  # a visit's time: a frame that is due by then goes out before the next field
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
        self.field = None  # zone whose field is on
        self.sweep_ms = 0
        self.jobs = []
        self._on_at = 0  # when the field went on, microseconds
        self._last = -1  # zone of the last visit, until its result is processed
        self._result = SAME  # its result
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
        self.schedule.sweeps = 0
        self.places.reload()

    def start(self):
        """Wake all readers; those that fail are dead and asked again later."""
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
        if self.field == index:
            self.field = None
        self._wake(index)

    def _revived(self, index):
        """Does a dead reader answer again? Tried once a second."""
        zone = self.zones[index]
        now = self.session.now()
        if now - zone.retry_at < 0:
            return False
        zone.retry_at = now + _RETRY_MS
        return zone.reader.version() not in (-1, 0, 255) and self._wake(index) != "dead"

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
        """Is there nothing to sense? True in maintenance, or in a game whose chips are reported
        over the wire."""
        play = self.session.play
        return self.paused or (play.sensing == "wire" and play.on())

    async def sweep(self):
        """Visit all zones once, and those where a chip arrives until enough readings agree. Report
        what has settled. What only a whole sweep shows is reported during the first visit of the
        next one."""
        index = self._begin()
        on = self._open(index)
        self.places.report(self.session.now(), self.settled())
        lights = self.session.lights
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
                at_once = at_once and not self.zones[follow].asleep_us()
                self._close(index, follow if at_once else -1)
            if self.jobs or lights.due():
                self._finish()
                await self.between()
            if follow < 0:
                break
            index = follow
            on = self.field == index or self._open(index)
        self._finish()
        if not idle:
            self.schedule.sweeps += 1

    def _begin(self):
        """The first zone of a new sweep."""
        hints = self._hints()
        if hints or self.places.moving:
            self.places.inventory.order(hints, self.schedule.order)
        self.schedule.begin()
        return self._next()

    def _next(self):
        return self.schedule.next(self.places.inventory, self.field)

    async def between(self):
        """No field is on: time for LED frames and jobs."""
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

    def _open(self, index):
        """Switch a zone's field on; False for -1, or if its reader was just found to be dead."""
        if index < 0 or self.zones[index].state == "dead":
            return False
        rest = self.zones[index].asleep_us()
        if rest:
            time.sleep_us(rest)
        return self._switch_on(index)

    # Functions of each visit have few variables: more than 11 words of them would be on the heap.

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
        # A reader that was reset would report an empty zone.
        if not self.zones[index].reader.healthy(self.schedule.closely(index)):
            self._lost(index)
            return False
        return True

    def _close(self, index, follow):
        """Visit the zone, switch its field off, and switch on that of the zone `follow` (-1:
        none)."""
        zone = self.zones[index]
        asked = self.schedule.asked(index, self.places.doubtful >> index & 1)
        result = look(zone, asked, self.zones[follow] if follow >= 0 else None)
        if result == DEAD:
            self._lost(index)
            return
        self.field = None
        zone.off_at = time.ticks_us()
        if result == HANDED:
            result = SAME
            self._begun(follow)
        elif follow >= 0:
            self._switch_on(follow)
        self._last = index
        self._result = result

    def _finish(self):
        """Process the result of the last visit."""
        index = self._last
        now = self.session.beat("sense")
        if index < 0:
            return
        self._last = -1
        zone = self.zones[index]
        result = self._result
        if result == SAME and zone.state == "ok" and self.places.same(index, now):
            return
        self._become(index, self.places.note(index, result, now))
        if zone.looks > 1 or result & TWICE:
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

    @property
    def sweeps(self):
        """Number of whole sweeps since the readers were set up."""
        return self.schedule.sweeps

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
