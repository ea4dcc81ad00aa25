"""What a ring shows -> colours of its LEDs over time; docs/play.md has the table for people.

A shape is what a game's `show` gives for a zone. `frame(shape, t)` returns the number of the
picture of its animation, `render` draws it; time is an argument. An unknown shape is dark. LED 0
is at the top, the others follow clockwise.
"""

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


SEATS = ("#0050ff", "#ff0000", "#00c800", "#ff5a00")  # blue, red, green, orange
NAMED = {"spice": "#ff8c28", "white": "#b4b4b4", "amber": "#ffbe00", "off": "#000000"}
FULL, DIM = 8, 2  # levels, in eighths
# Level of each LED of a player's part, repeated along it: a texture for people who cannot see
# colours.
TEXTURES = (
    (FULL,),  # blue: even
    (FULL, DIM),  # red: every second one
    (FULL, FULL, DIM, DIM),  # green: pairs
    (FULL, DIM, DIM, DIM),  # orange: every fourth one
)
BLINK_MS = 400  # asked to act: bright, faint
DOUBT_MS = 250  # doubt: amber, dark
PULSE_MS = 100  # sixteen steps of swelling
MOVING = ("blink", "doubt", "pulse")  # shapes whose picture changes with time
_LED_IDLE_MA = const(1)
_CHANNEL_MA = const(20)  # of one of three channels at full

_PULSE = (1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1)


def frame(shape: "list[object]", t_ms: int) -> int:
    """Number of the picture that is due; it changes only when the ring does."""
    kind = shape[0] if shape else "dark"
    if kind == "blink":
        return t_ms // BLINK_MS % 2
    if kind == "doubt":
        return t_ms // DOUBT_MS % 2
    if kind == "pulse":
        return t_ms // PULSE_MS % 16
    return 0


def brightest(shape: "list[object]") -> int:
    """Number of the picture of the shape that draws most."""
    return _PULSE.index(FULL) if shape and shape[0] == "pulse" else 0


def shares(weights: "list[int]", count: int) -> "list[int]":
    """LEDs of each part: proportional, at least one for each positive weight, `count` in total."""
    total = sum(weights)
    if total <= 0:
        return [0] * len(weights)
    parts = [weight * count // total for weight in weights]
    for index in range(len(parts)):
        if weights[index] > 0 and parts[index] == 0:
            parts[index] = 1
    while sum(parts) != count:  # the largest error first, of equal ones the first
        step = 1 if sum(parts) < count else -1
        best, worst = -1, 0
        for index in range(len(parts)):
            error = (weights[index] * count - parts[index] * total) * step
            if parts[index] + step >= 1 and (best < 0 or error > worst):
                best, worst = index, error
        if best < 0:
            return parts  # more owners than LEDs: render cuts
        parts[best] += step
    return parts


class Painter:
    """Draws shapes as bytes in the chain's order, at one brightness (0..100 percent)."""

    def __init__(self, brightness: int = 100, order: str = "GRB"):
        self.brightness = brightness
        self._order = [order.find(channel) for channel in "RGB"]
        self._units: "dict[object, bytes]" = {}  # of _part: no more than are ever drawn

    def colour(self, owner: object, level: int = FULL) -> bytes:
        """The three bytes of an owner's colour at a level of 0..8 eighths."""
        text = _hex(owner)
        light = bytearray(3)
        for channel in range(3):
            value = int(text[1 + 2 * channel : 3 + 2 * channel], 16)
            light[self._order[channel]] = value * self.brightness * level // 800
        return bytes(light)

    def render(
        self, out: bytearray, first: int, count: int, shape: "list[object]", number: int
    ) -> None:
        """Draw picture `number` of a shape on LEDs first..first+count-1 of the chain `out`."""
        kind = shape[0] if shape else "dark"
        if kind == "whole":
            self._part(out, first, count, shape[1], FULL)
        elif kind == "arcs":
            self._arcs(out, first, count, shape[1])
        elif kind == "blink":
            self._part(out, first, count, shape[1], 1 if number else FULL)
        elif kind == "doubt":
            self._plain(out, first, count, "off" if number else "amber", FULL)
        elif kind == "pulse":
            self._part(out, first, count, shape[1], _PULSE[number % 16])
        elif kind == "count":
            self._count(out, first, count, shape)
        else:
            self._plain(out, first, count, "off", 0)

    def _plain(self, out: bytearray, first: int, count: int, owner: object, level: int) -> None:
        dark = owner == "off"
        out[3 * first : 3 * (first + count)] = (
            bytes(3 * count) if dark else self.colour(owner, level) * count
        )

    def _part(self, out: bytearray, first: int, count: int, owner: object, level: int) -> None:
        """LEDs in an owner's colour and texture; `level` weakens all of them."""
        # a number if possible: each tuple would be on the heap as long as its picture
        key: object = owner * 16 + level if isinstance(owner, int) else (owner, level)
        unit = self._units.get(key)
        if unit is None:
            pattern = TEXTURES[owner % 4] if isinstance(owner, int) else (FULL,)
            unit = b"".join([self.colour(owner, (own * level + 4) // 8) for own in pattern])
            self._units[key] = unit
        out[3 * first : 3 * (first + count)] = (unit * (3 * count // len(unit) + 1))[: 3 * count]

    def _arcs(self, out: bytearray, first: int, count: int, arcs: object) -> None:
        pairs = arcs if isinstance(arcs, list) else []
        parts = shares([pair[1] for pair in pairs], count)
        done = 0
        for index in range(len(pairs)):
            part = min(parts[index], count - done)
            self._part(out, first + done, part, pairs[index][0], FULL)
            done += part
        self._plain(out, first + done, count - done, "off", 0)

    def _count(self, out: bytearray, first: int, count: int, shape: "list[object]") -> None:
        _, owner, number, of = shape
        number, of = _number(number), max(_number(of), 1)
        lit = min(count, max(number * count // of, 1 if number > 0 else 0))
        self._plain(out, first, lit, owner, FULL)
        self._plain(out, first + lit, count - lit, "off", 0)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _hex(owner: object) -> str:
    """The "#rrggbb" of a seat, a name, or a colour itself; black for anything else."""
    if isinstance(owner, int):
        return SEATS[owner % len(SEATS)]
    if isinstance(owner, str):
        if owner in NAMED:
            return NAMED[owner]
        if len(owner) == 7 and owner[0] == "#":
            return owner
    return NAMED["off"]


def current_ma(chain: bytearray) -> int:
    """Estimated current of a chain of three-byte LEDs: 20 mA a full channel, 1 mA an idle LED."""
    return len(chain) // 3 * _LED_IDLE_MA + sum(chain) * _CHANNEL_MA // 255


def scale(chain: bytearray, cap_ma: int, peak: int = 0) -> int:
    """How much to weaken the chain so that it draws at most the cap: 256 means not at all.

    peak: the sum of all bytes when every ring shows its brightest picture. All pictures are
    weakened like that one: a blink keeps its contrast, and still rings do not flicker with it. A
    cap below the current of dark LEDs cannot be kept: then everything is dark."""
    idle = len(chain) // 3 * _LED_IDLE_MA
    wanted = max(current_ma(chain), idle + peak * _CHANNEL_MA // 255)
    if wanted <= cap_ma:
        return 256
    return max(cap_ma - idle, 0) * 256 // max(wanted - idle, 1)


def weaken(chain: bytearray, out: bytearray, scale: int) -> None:
    """Copy the chain to `out`, each byte weakened to scale / 256."""
    if scale == 256:
        out[:] = chain
    else:
        for index in range(len(chain)):
            out[index] = chain[index] * scale >> 8
