"""The application: builds everything, runs the tasks, and connects them.

sense sweeps and sends frames; only play writes the game (except for what sense sees while nothing
else waits); glow draws; talk speaks to a host; hands watches the buttons; guard feeds the watchdog
while all of them live.
"""

import asyncio
import gc
import io
import os
import sys
import time

from micropython import const

import slots
from app import unload
from app.glow import LOW_MV, Glow, Lights
from app.play import Play
from app.refused import Refused
from app.sense import Sense
from app.talk import Outbox, Talk
from spicecore.games import BY_BUTTONS, GAMES
from spicecore.parts import colour
from spicecore.sensing.buttons import Buttons
from spicecore.storage.journal import Journal

DATA = "data"  # settings, roster, journal: never touched by an update
_GUARD_MS = const(250)
_ASK_MS = const(1500)  # ask about missing chips this long after a change: they may still move
_UNSEEN = const(2)  # the kind of a doubt about a chip that nobody knows (on_demand.visit)
_COLLECT_EVERY = const(12)  # guard's turns, and nothing moves: it takes 20 ms
_HEAP_EVERY = const(80)  # guard's turns: counting what is free takes 25 ms


class Chosen:
    """The settings in use; spicecore.settings reads, checks and stores them."""

    def __init__(self, values):
        self.values = values

    def get(self, name):
        """A setting of the whole board."""
        return self.values[name]

    def zone(self, name, zone):
        """A setting of one zone."""
        return self.values[name][zone]


class Session:
    """Owns every part; the parts get it as `session`."""

    def __init__(self, board):
        try:
            os.mkdir(DATA)
        except OSError:
            pass  # it is there
        self._ticks = time.ticks_ms()
        self._now = 0
        self.settings = Chosen(self.stored_settings().values())
        self.journal = Journal(DATA + "/log")
        self.outbox = Outbox(board.crc16)
        self.board = board
        self.starts = self._count_start()
        self.lights = Lights(self.board, self.settings, self.now)
        self.play = Play(self.journal, self.tell)
        self.sense = Sense(self)
        self.play.relook = self.sense.reload
        self.play.resolve = lambda ask: self.play.missed.check(self, ask)
        self.glow = Glow(self)
        self.talk = Talk(self, self.outbox)
        self.buttons = Buttons(board.BUTTONS)
        self.game = 0  # index in BY_BUTTONS of the game that is started at the board
        self.players = 2  # number of players for it
        self.ready = False  # all zones have been visited since the start
        self.doubt_number = 0
        self.supply_mv = None
        self.supply_lowest = None
        self.brownouts = 0
        self.lowest_free = None
        self.tasks = {}
        self._beats = {}
        self._inbox = []
        self._inbox_full = asyncio.Event()
        self._stop = asyncio.Event()
        self.why_stopped = None  # None: it runs; "prompt", "reboot": what a host asked for

    def stored_settings(self):
        """The settings on flash."""
        from spicecore.storage.on_demand.settings import Settings

        unload.on_demand()
        return Settings(DATA + "/settings")

    @property
    def roster(self):
        """The roster on flash; sense keeps what a sweep needs of it."""
        from spicecore.storage.on_demand.roster import Roster

        unload.on_demand()
        return Roster(DATA + "/roster")

    def _count_start(self):
        """Number of this start. If the flash cannot be written, only the number is lost."""
        from spicecore.storage.on_demand import store

        unload.on_demand()
        starts = store.load(DATA + "/starts")[1].get("starts")
        starts = starts + 1 if isinstance(starts, int) else 1
        try:
            store.save(DATA + "/starts", {"starts": starts})
        except OSError as error:
            self.tell("board", ["journal", "flash: %s" % error])
        return starts

    # -- what tasks use of each other --------------------------------------------------------

    def now(self):
        """Milliseconds since the start; does not wrap."""
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now

    def tell(self, kind, item):
        """Queue an event for the host."""
        self.outbox.event(kind, item)

    def log(self, text, error=None):
        """Console text for the host's log, in line with the messages."""
        self.outbox.console("spiceboard: " + text)
        if error is not None:
            text = io.StringIO()
            sys.print_exception(error, text)
            for line in text.getvalue().split("\n"):
                self.outbox.console(line)

    def beat(self, task):
        """Note that the task lives; returns milliseconds since the start."""
        now = self._beats[task] = self.now()
        return now

    def post(self, function):
        """Let the play task call the function, without waiting."""
        self._inbox.append([function, None])
        self._inbox_full.set()

    async def ask(self, function):
        """Let the play task call the function; return its result, or raise what it refused."""
        item = [function, asyncio.Event(), None, None]
        self._inbox.append(item)
        self._inbox_full.set()
        await item[1].wait()
        if item[3]:
            raise item[3]
        return item[2]

    def moved(self, moves):
        """Chips settled elsewhere (from sense)."""
        if self.play.sensing == "wire" and self.play.on():
            return
        if self._inbox:  # earlier jobs are done first
            self.post(lambda: self._facts(moves))
            return
        try:
            self._facts(moves)  # at once, because somebody waits for it
        except Exception as error:
            self.post(lambda error=error: self._died(error))

    def _died(self, error):
        """An error in the game belongs to the play task, wherever it happened."""
        raise error

    def _facts(self, moves):
        if self.ready:
            self.play.facts(moves)
        else:
            self.play.place(moves)

    def doubted(self, doubts):
        """The open doubts after a sweep (from sense); posted only if they have changed."""
        if self.play.sensing == "wire" and self.play.on():
            doubts = []
        known = 0
        for doubt in self.play.doubts:
            goes_on = _goes_on(doubt, doubts)
            if not goes_on and type(doubt[3]) is not int:
                break
            if goes_on or (doubt[3] == 0 and doubt[1] in [other[0] for other in doubts]):
                known += 1  # a person said where it lies: that is decided first
        else:
            if known == len(doubts):
                return
        self.post(lambda: self._doubts(doubts))

    def _doubts(self, doubts):
        play = self.play
        for doubt in list(play.doubts):
            if type(doubt[3]) is not int and not _goes_on(doubt, doubts):
                play.doubts.remove(doubt)
                self.tell("board", ["decided", doubt[0], None])
        mine = [doubt[1] for doubt in play.doubts]
        expected = None if self.ready else play.expected()
        for chip, zones, kind in doubts:
            if chip in mine:
                continue
            if expected and expected.get(chip) in zones:
                self.sense.decide(
                    chip, expected[chip]
                )  # decided before the board was switched off
                continue
            self.open_doubt(chip, list(zones), kind)
        play.resolve(False)

    def open_doubt(self, chip, zones, kind):
        """Ask the head chef whether the chip lies in the first of the zones."""
        self.doubt_number += 1
        self.play.doubts.append([self.doubt_number, chip, zones, kind])
        self.play.sounds.append("doubt")
        self.tell("board", ["doubt", self.doubt_number, colour(chip), zones[0]])

    def decide(self, number, counts):
        """Decide a doubt: does the chip count in the zone in question?"""
        for doubt in self.play.doubts:
            if doubt[0] == number:
                break
        else:
            raise Refused("no_doubt", "no doubt %s is open" % number)
        play = self.play
        _, chip, zones, kind = doubt
        if kind == _UNSEEN and counts:
            raise Refused(
                "bad_argument", "name chip and zone on a page, or lay it so that it is heard"
            )
        play.doubts.remove(doubt)
        self.tell("board", ["decided", number, counts])
        if type(kind) is int:
            from app.on_demand.visit import decided

            decided(self, doubt, counts)
            unload.on_demand()
        elif counts or len(zones) == 1:
            zone = zones[0] if counts else None
            self.sense.decide(chip, zone)
            play.judged(chip, zone)
            if zone is None:
                play.missed.discard(chip)
        else:
            self.open_doubt(chip, zones[1:], kind)
        play.missed.retry_at = -1
        play.resolve(False)

    # -- tasks -----------------------------------------------------------------------------

    async def _play(self):
        while True:
            while not self._inbox:
                self._inbox_full.clear()
                await self._inbox_full.wait()
            self.beat("play")
            item = self._inbox.pop(0)
            try:
                result = item[0]()
                if item[1]:
                    item[2] = result
            except Exception as error:
                if item[1] is None:
                    raise
                item[3] = error
            if item[1]:
                item[1].set()

    async def _hands(self):
        """The three buttons."""
        while True:
            for word in self.buttons.feed(self.board.pressed(), self.beat("hands")):
                self.tell("board", ["button", word])
                self.play.sounds.append("press")
                self.post(lambda word=word: self._pressed(word))
            await asyncio.sleep_ms(15)

    def _pressed(self, word):
        try:
            self._press(word)
        except Refused as refused:
            self.play.sounds.append("bad")
            self.tell("board", ["refused", refused.code, refused.text])

    def _press(self, word):
        play = self.play
        if word == "ok":
            play.resolve(True)
        if word == "undo-long":
            play.abort()
        elif word == "no-long":
            play.release()
        elif word == "ok-long":
            play.accept()
        elif play.doubts and word in ("ok", "no"):
            self.decide(play.doubts[0][0], word == "ok")
        elif not play.on():
            self._menu(word)
        elif not play.running():
            play.leave()
        elif word == "undo":
            play.undo()
        else:
            play.press(word)

    def _menu(self, word):
        """No game: `undo` chooses the game, `no` counts the players, `ok` starts it."""
        name, mode = BY_BUTTONS[self.game]
        fewest, most = GAMES[name]
        if word == "undo":
            self.game = (self.game + 1) % len(BY_BUTTONS)
            self.players = GAMES[BY_BUTTONS[self.game][0]][0]
        elif word == "no":
            self.players = self.players + 1 if self.players < most else fewest
        elif word == "ok":
            # the moment of the release is random enough
            seed = time.ticks_us() & 0x3FFFFFFF
            options = {"players": self.players, "mode": mode, "seed": seed}
            self.play.new(name, options, None, "readers")

    async def _guard(self):
        """Feed the watchdog while every task lives; watch supply and heap."""
        self.board.watchdog_start()
        turn = since = 0  # since: turns since garbage was collected
        while True:
            now = self.now()
            if not self._inbox:
                self.beat("play")  # it waits for work
            for task in self._beats:
                if now - self._beats[task] > self.board.BEAT_MS:
                    self.log("task %s hangs" % task)
                    break
            else:
                self.board.watchdog_feed()
            self._watch_supply()
            self._waiting(now)
            if turn % _HEAP_EVERY == 0:
                free = gc.mem_free()
                if self.lowest_free is None or free < self.lowest_free:
                    self.lowest_free = free
            turn += 1
            since += 1
            if since >= _COLLECT_EVERY and not self.sense.places.moving:
                since = 0
                unload.collect()
            if not self.ready and (self.sense.settled() or self.play.sensing == "wire"):
                self.post(self._become_ready)
            await asyncio.sleep_ms(_GUARD_MS)

    def _become_ready(self):
        """All zones have been visited: from now on changes are events."""
        if not self.ready:
            self.ready = True
            if self.play.missed.declared:
                from app.on_demand.visit import resume

                resume(self)
                unload.on_demand()
            self.play.started()
            slots.good()

    def _waiting(self, now):
        """Some time after the last change, ask about chips that should lie somewhere."""
        missed = self.play.missed
        if missed.retry_at == -1:
            missed.retry_at = now + _ASK_MS
        elif missed.retry_at is not None and now - missed.retry_at >= 0:
            missed.retry_at = None
            self.post(lambda: self.play.resolve(True))

    def _watch_supply(self):
        if not self.settings.get("supply"):
            return
        mv = self.board.supply_mv()
        self.supply_mv = mv
        if self.supply_lowest is None or mv < self.supply_lowest:
            self.supply_lowest = mv
        low = mv < LOW_MV
        if low != self.lights.half:
            self.lights.half = low
            self.lights.dirty = True
            if low:
                self.brownouts += 1
                self.tell("board", ["supply", mv])

    async def _live(self, name, function):
        """Run a task. If it dies, report it and start it again: one part fails, not the board."""
        while True:
            self.tasks[name] = "runs"
            try:
                await function()
            except Exception as error:
                self.log("task %s died" % name, error)
                self.tasks[name] = "%s: %s" % (type(error).__name__, error)
                self.tell("board", ["task", name, self.tasks[name]])
                if name == "sense":
                    self.board.fields_off()
            await asyncio.sleep_ms(500)

    def stop(self, why):
        """End the application: "prompt" or "reboot". Waiting replies are still sent."""
        self.why_stopped = why
        self._stop.set()

    async def run(self):
        self.play.resume()
        jobs = (
            ("sense", self.sense.run),
            ("play", self._play),
            ("glow", self.glow.run),
            ("talk", self.talk.run),
            ("hands", self._hands),
            ("guard", self._guard),
        )
        tasks = [asyncio.create_task(self._live(name, function)) for name, function in jobs]
        await self._stop.wait()
        await self.talk.flush(500)
        for task in tasks:
            task.cancel()

    def close(self):
        """No watchdog, fields off, LEDs off: safe for the prompt. Tools send Ctrl-C more than
        once; if one interrupts this function, it starts again."""
        while True:
            try:
                self.board.watchdog_stop()
                self.sense.stop()
                self.board.dark()
                time.sleep_ms(10)  # the last frame is on its way
                return
            except KeyboardInterrupt:
                pass

    # -- what a host may see at any time -----------------------------------------------------

    def snapshot(self):
        """The public state."""
        play = self.play
        return {
            "seq": self.outbox.seq,
            "game": play.public(),
            "last": None if play.on() else play.last,
            "chips": play.chips(),
            "doubts": [[doubt[0], colour(doubt[1]), doubt[2][0]] for doubt in play.doubts],
            "mismatch": play.public_wrong(),
            "show": self.glow.shapes,
            "readers": self.sense.states(),
        }


def _goes_on(doubt, doubts):
    """Is the doubt still open, and about this zone?"""
    for chip, zones, _ in doubts:
        if chip == doubt[1]:
            for zone in zones:
                if zone in doubt[2]:
                    return True
    return False


def main(board):
    """Run until a host wants the prompt, or Ctrl-C; a reboot does not return."""
    session = Session(board)
    try:
        asyncio.run(session.run())
    finally:
        session.close()
        asyncio.new_event_loop()
    if session.why_stopped == "reboot":
        session.board.reboot()
