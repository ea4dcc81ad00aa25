"""Rings and buzzer: draw what is public, over time, within the allowed current.

`Lights` holds the frame; only the arbiter sends it. `Glow` decides what each ring shows.
"""

import asyncio

from micropython import const

from spicecore.lights import rings
from spicecore.parts import COLOURS, LEDS, ZONES

_TICK_MS = const(17)
_SOON_MS = const(4)  # a picture waits to be sent: look again after this time
_FRAME_MS = const(16)  # at most one frame in that time
_WRONG_AFTER_MS = const(2000)  # show a mismatch after this time: before, hands may still be busy
LOW_MV = 4500  # below this supply voltage LEDs get half
SOUNDS = {  # word: ((Hz, ms), ...)
    "good": ((1760, 30),),
    "bad": ((220, 200),),
    "doubt": ((880, 60), (0, 60), (880, 60)),
    "won": ((880, 100), (1108, 100), (1318, 100), (1760, 300)),
    "press": ((1318, 15),),
}
FIRST = [sum(LEDS[:index]) for index in range(len(LEDS))]  # first LED of each ring in the chain


class Lights:
    """The frame of the whole chain, and the cap on its current."""

    def __init__(self, board, settings, now):
        self.board = board
        self.settings = settings
        self.chain = bytearray(board.frame_bytes)  # as drawn
        self.ma = 0
        self.peak = 0  # sum of the chain's bytes when each ring shows its brightest picture
        self.half = False  # the supply sags
        self.dirty = True
        self.frames = 0
        self._sent_at = 0
        self.now = now  # function: milliseconds since the start

    def due(self):
        """Is a frame due now?"""
        return self.dirty and self.now() - self._sent_at >= _FRAME_MS

    def send(self):
        """Start a frame; the caller knows that no field is on."""
        cap = self.settings.get("led_cap_ma")
        if self.half:
            cap = cap // 2
        raw = self.board.raw
        self.board.weaken(self.chain, raw, rings.scale(self.chain, cap, self.peak))
        self.ma = rings.current_ma(raw)
        self.board.show()
        self.dirty = False
        self.frames += 1
        self._sent_at = self.now()


class Glow:
    """session gives play, sense, lights, settings, now(), tell()."""

    def __init__(self, session):
        self.session = session
        self.shapes = {}  # as last drawn
        self.held = False  # maintenance: the host controls the rings
        self._tones = []
        self._tone_until = 0
        self.reload()

    def reload(self):
        """Read the brightness setting and draw everything again."""
        self.painter = rings.Painter(self.session.settings.get("brightness"))
        self._drawn: list = [None] * len(ZONES)  # frames as last drawn
        self._peaks = [0] * len(ZONES)  # sums of the bytes of each ring at its brightest
        self._moving = []  # indexes of rings whose picture changes by itself
        self._key = None

    async def run(self):
        self._key = None  # after an error: decide again
        while True:
            now = self.session.beat("glow")
            wait = _SOON_MS
            if self.held or not self.session.lights.dirty:  # the last picture was sent
                wait = _TICK_MS
                if not self.held:
                    self.draw(now)
            self._sound(now)
            await asyncio.sleep_ms(max(wait - (self.session.now() - now), 1))

    def draw(self, now):
        """Bring the chain up to date and report the rings that changed."""
        changed = {}
        rings_due: list | range = self._moving
        if self._stale(now):
            rings_due = range(len(ZONES))
            moving = []
            shapes = self.decide(now)
            for index in range(len(ZONES)):
                zone = ZONES[index]
                shape = shapes.get(zone) or ["dark"]
                if shape != self.shapes.get(zone):
                    changed[zone] = shape
                    self.shapes[zone] = shape
                    self._drawn[index] = None
                if self._drawn[index] is None:
                    self._weigh(index, shape)
                if shape[0] in rings.MOVING:
                    moving.append(index)
            self._moving = moving
        for index in rings_due:
            shape = self.shapes[ZONES[index]]
            if self._drawn[index] is not None and shape[0] not in rings.MOVING:
                continue
            frame = rings.frame(shape, now)
            if self._drawn[index] != frame:
                self._drawn[index] = frame
                lights = self.session.lights
                self.painter.render(lights.chain, FIRST[index], LEDS[index], shape, frame)
                lights.dirty = True
        if changed:
            self.session.tell("board", ["show", changed])

    def _weigh(self, index, shape):
        """Note the current of the ring's brightest picture; leave that picture on the chain."""
        chain, first, count = self.session.lights.chain, FIRST[index], LEDS[index]
        self.painter.render(chain, first, count, shape, rings.brightest(shape))
        self._peaks[index] = sum(chain[3 * first : 3 * (first + count)])
        self.session.lights.peak = sum(self._peaks)

    def _stale(self, now):
        """May the shapes have changed since the last call? Deciding costs most of a frame."""
        play = self.session.play
        late = play.wrong and 0 <= now - play.wrong_since - _WRONG_AFTER_MS < 1000
        dead = self.session.sense.dead
        menu = 8 * self.session.game + self.session.players
        # Mismatches are numbered: the newest number and the count identify a set.
        doubts = 64 * play.doubts[-1][0] + len(play.doubts) if play.doubts else 0
        key = self._key
        if (
            key is not None
            and not late
            and play.wrong_since >= 0
            and key[0] is play.state
            and key[1] is play.wrong
            and key[2] == doubts
            and key[3] == dead
            and key[4] == menu
        ):
            return False
        self._key = (play.state, play.wrong, doubts, dead, menu)
        return True

    def decide(self, now):
        """{zone: shape}: the game's shapes, overridden by what the board itself shows."""
        play = self.session.play
        if play.on():
            shapes = self._game_shapes()
        else:
            shapes = self._menu()
        if play.wrong:
            if play.wrong_since < 0:
                play.wrong_since = now
            if now - play.wrong_since >= _WRONG_AFTER_MS:
                for colour, there, due in play.public_wrong():
                    if colour in COLOURS:
                        shapes[there or due] = ["pulse", COLOURS.index(colour)]
        for doubt in play.doubts:
            shapes[doubt[2][0] or "head_chef"] = ["doubt"]
        for index in range(len(ZONES)):
            if self.session.sense.zones[index].state == "dead" and play.sensing != "wire":
                shapes[ZONES[index]] = ["dark"]
        return shapes

    def _game_shapes(self):
        """The game's own shapes; computed again only if its state has changed."""
        play = self.session.play
        if play.state is not self._state:
            self._state = play.state
            self._shown = play.game.show(play.state)
        return dict(self._shown)

    _state = None
    _shown: dict = {}

    def _menu(self):
        """No game: head_chef counts the players that ok will start with. Another game than the
        first lights the bowl that has its number."""
        shapes = {"head_chef": ["count", "white", self.session.players, 4]}
        if self.session.game:
            shapes[ZONES[self.session.game]] = ["whole", "white"]
        return shapes

    def _sound(self, now):
        sounds = self.session.play.sounds
        while sounds:
            word = sounds.pop(0)
            if self.session.settings.get("buzzer") and len(self._tones) < 8:
                self._tones.extend(SOUNDS[word])
        if now < self._tone_until:
            return
        if self._tones:
            hz, ms = self._tones.pop(0)
            self.session.board.buzz(hz)
            self._tone_until = now + ms
        elif self._tone_until:
            self.session.board.buzz(0)
            self._tone_until = 0
