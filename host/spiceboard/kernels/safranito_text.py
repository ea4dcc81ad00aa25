"""Convert positions, moves and events between Safranito's kernel and its rules in `spicecore`."""

from typing import Any

import numpy as np

from spiceboard.kernels import safranito_places as places
from spicecore.games.safranito import rules
from spicecore.games.safranito.data import BOWLS, CHIPS, SEAT, ZONES
from spicecore.games.safranito.on_demand.options import OPTIONS

PHASES = (
    "throw", "extra_throw", "spice_card", "keep", "reserve", "head_chef", "choose", "sale", "buy",
    "cook", "round_over", "over",
)  # fmt: skip
KINDS = (
    "missed", "reveal", "pass", "moved", "draw", "keep", "reserve", "take", "choose", "sell",
    "close", "buy", "decline", "cook_open", "cook_reserved", "no_open", "done", "next_round",
)  # fmt: skip
NAMES = ("tie", "purses", "sales", "decline", "action_chips")  # of options, in the kernel's order
Position = Any  # an int32 array of places.LENGTH


def from_text(line: str) -> Position:
    """The position that a line of the rules' notation describes. ValueError says what is wrong."""
    return from_state(rules.parse(line))


def to_text(s: Position) -> str:
    """The line that describes a position."""
    return rules.text(to_state(s))


def option_bits(options: dict[str, Any]) -> int:
    """The rules' options as bits for `safranito.new`."""
    return sum(
        1 << i
        for i, name in enumerate(NAMES)
        if options.get(name, OPTIONS[name][0]) != OPTIONS[name][0]
    )


def from_state(state: dict[str, Any]) -> Position:
    """The kernel's position for a state of mode full, without chips that should have gone home.

    The rules do not know a chip that was thrown and landed nowhere: it may be thrown again.
    """
    if state["mode"] != "full":
        raise ValueError("Safranito's kernel keeps cards and purses: mode full only")
    s = np.zeros(places.LENGTH, np.int32)
    s[places.SEATS] = state["n"]
    bits = option_bits(state["options"])
    s[places.TIE_LAST : places.TIE_LAST + 5] = [bits >> i & 1 for i in range(5)]
    s[places.ROUND], s[places.CHEF], s[places.CHANCE] = (
        state["round"], state["chef"], state["chance"],
    )  # fmt: skip
    s[places.LYING : places.LYING + 24] = places.NOWHERE
    for chip, zone in state["lying"].items():
        s[places.LYING + CHIPS.index(chip)] = ZONES.index(zone)
    for at, names in (
        (places.SEEN, "seen"),
        (places.REVEALED, "revealed"),
        (places.THROWN, "seen"),
    ):
        s[at] = sum(1 << CHIPS.index(chip) for chip in state[names])
    _row(s, places.MISSED, state["missed"])
    s[places.TRADED] = sum(1 << BOWLS.index(bowl) for bowl in state["traded"])
    _row(s, places.OPEN, state["open"], places.OPEN_SIZE)
    _row(s, places.PILE, state["pile"][::-1], places.PILE_SIZE)
    for seat in range(state["n"]):
        _row(s, places.RESERVED + 18 * seat, state["reserved"][seat], places.RESERVED_SIZE + seat)
        _row(s, places.COOKED + 3 * seat, state["cooked"][seat], places.COOKED_SIZE + seat)
        _row(s, places.HANDS + 9 * seat, state["hands"][seat])
    _row(s, places.DISCARD, state["discard"])
    _row(s, places.DISPLAY, state["display"])
    _row(s, places.MONEY, state["money"])
    _row(s, places.DECK, [int(digit) for digit in state["deck"]], places.DECK_SIZE)
    _write_phase(s, state["phase"])
    return s


def _row(s: Position, at: int, numbers: list[int], size: int | None = None) -> None:
    s[at : at + len(numbers)] = numbers
    if size is not None:
        s[size] = len(numbers)


def _write_phase(s: Position, phase: list[Any]) -> None:
    name, rest = phase[0], phase[1:]
    s[places.PHASE] = PHASES.index(name)
    if name == "sale":
        s[places.P1], s[places.P2] = ZONES.index(rest[0]), rest[1]
        _row(s, places.SALE, [-1 if count is None else count for count in rest[2]])
    elif name == "buy":
        s[places.P1] = ZONES.index(rest[0])
    elif name == "keep":
        s[places.P1] = rest[0]
        _row(s, places.DRAWN, [int(digit) for digit in rest[1]], places.DRAWN_SIZE)
    elif name == "over":
        s[places.P1] = -1 if rest[0] is None else rest[0]
    else:
        _row(s, places.P1, rest)


def to_state(s: Position) -> dict[str, Any]:
    """The rules' state for a position; every chip lies where it should."""
    at = s.tolist()  # whole numbers of Python, which are read many times sooner
    n = at[places.SEATS]
    lying = at[places.LYING : places.LYING + 6 * n]
    chosen = dict(zip(NAMES, at[places.TIE_LAST : places.TIE_LAST + len(NAMES)], strict=True))
    first, ring = at[places.DECK_FIRST], at[places.DECK : places.DECK + 64]
    return {
        "game": "safranito",
        "mode": "full",
        "n": n,
        "options": {name: values[chosen[name]] for name, values in OPTIONS.items()},
        "round": at[places.ROUND],
        "chef": at[places.CHEF],
        "phase": _phase(at, n),
        "lying": {CHIPS[i]: ZONES[zone] for i, zone in enumerate(lying) if zone != places.NOWHERE},
        "astray": {},
        "revealed": _chips(at[places.REVEALED]),
        "seen": _chips(at[places.SEEN]),
        "missed": at[places.MISSED : places.MISSED + n],
        "traded": [bowl for i, bowl in enumerate(BOWLS) if at[places.TRADED] >> i & 1],
        "open": _list(at, places.OPEN, places.OPEN_SIZE),
        "pile": _list(at, places.PILE, places.PILE_SIZE)[::-1],
        "reserved": [
            _list(at, places.RESERVED + 18 * i, places.RESERVED_SIZE + i) for i in range(n)
        ],
        "cooked": [_list(at, places.COOKED + 3 * i, places.COOKED_SIZE + i) for i in range(n)],
        "chance": at[places.CHANCE],
        "deck": "".join(map(str, (ring + ring)[first : first + at[places.DECK_SIZE]])),
        "discard": at[places.DISCARD : places.DISCARD + 9],
        "display": at[places.DISPLAY : places.DISPLAY + 9],
        "hands": [at[places.HANDS + 9 * i : places.HANDS + 9 * i + 9] for i in range(n)],
        "money": at[places.MONEY : places.MONEY + n],
    }


def _chips(bits: int) -> list[str]:
    return [chip for i, chip in enumerate(CHIPS) if bits >> i & 1]


def _list(at: list[int], first: int, size: int) -> list[int]:
    return at[first : first + at[size]]


def _phase(at: list[int], n: int) -> list[Any]:
    name = PHASES[at[places.PHASE]]
    p1, p2 = at[places.P1], at[places.P2]
    if name == "sale":
        counts = at[places.SALE : places.SALE + n]
        return [name, ZONES[p1], p2, [None if count < 0 else count for count in counts]]
    if name == "keep":
        return [name, p1, "".join(map(str, _list(at, places.DRAWN, places.DRAWN_SIZE)))]
    if name == "buy":
        return [name, ZONES[p1], None]
    if name == "over":
        return [name, None if p1 < 0 else p1]
    if name in ("extra_throw", "spice_card", "cook"):
        return [name, p1, p2]
    return [name, p1] if name in ("throw", "reserve", "head_chef") else [name]


def event_of(s: Position, move: int) -> list[Any]:
    """The rules' event for a move; a throw in the form in which `legal` lists it."""
    kind, item, seat = KINDS[move & 31], int(move) >> 5, int(places.on_turn(s))
    if kind == "moved":
        return ["moved", None, [[CHIPS[6 * seat + (item & 7)], None]]]
    if kind in ("keep", "choose"):
        return [kind, seat, BOWLS[item]]
    if kind in ("sell", "cook_open", "cook_reserved"):
        return [kind, seat, item]
    return [kind, seat]


def aim_of(s: Position, move: int) -> dict[str, Any]:
    """Chip, zone and strength of a throw, as a bot names them."""
    item, seat = int(move) >> 5, int(places.on_turn(s))
    return {
        "chip": CHIPS[6 * seat + (item & 7)],
        "zone": ZONES[item >> 3 & 15],
        "strength": (item >> 7) / 2,
    }


def thrown_events(before: dict[str, Any], s: Position, move: int) -> list[list[Any]]:
    """The board's events for a throw that `apply` made; before: the rules' state before it."""
    seat = rules.seats_asked(before)[0]
    own = CHIPS[6 * seat + (int(move) >> 5 & 7)]
    moved = [
        [CHIPS[each >> 4], None if each & 15 == places.NOWHERE else ZONES[each & 15]]
        for each in s[places.LANDED : places.LANDED + s[places.LANDED_SIZE]].tolist()
    ]
    events: list[list[Any]] = [["moved", None, moved]] if moved else []
    if not any(chip == own for chip, _ in moved):
        events.append(["missed", seat])
    return events


def seat_of(chip: str) -> int:
    """The seat that owns a chip."""
    return SEAT[chip]
