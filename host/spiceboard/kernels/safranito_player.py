"""Safranito's strong bot: from a view to an event or a throw, by a search on the kernel."""

from typing import Any

import numpy as np

from spiceboard.bots.safranito_memory import PURSES, unknown
from spiceboard.bots.safranito_model import throws_of
from spiceboard.kernels import safranito_places as places
from spiceboard.kernels import throws
from spiceboard.kernels.safranito_search import search
from spiceboard.kernels.safranito_text import aim_of, event_of, from_state
from spiceboard.kernels.safranito_value import load
from spicecore.games.safranito.data import BOWLS, CHIPS, INDEX

Event = list[Any]


def think(
    view: dict[str, Any], legal: list[Event], memory: list[int], passes: int, chance: int
) -> tuple[Event, dict[str, Any] | None]:
    """(the event to send, what to throw or None), after about `passes` rounds played out.

    memory: a row of `spiceboard.bots.safranito_memory`; what cannot be is not believed.
    chance: 1..2**30 - 1.
    """
    known = believed(view, memory)
    s = from_view(view, legal, known)
    seat = view["you"]["seat"]
    _, move = search(s, throws.load(), load(), np.array(known, np.int32), seat, passes, chance)
    return event_of(s, move), aim_of(s, move) if move & 31 == places.THROW else None


def believed(view: dict[str, Any], memory: list[int]) -> list[int]:
    """The memory of the other seats, or an empty one if the view leaves no room for its cards."""
    mine = view["you"]["seat"]
    known = list(memory)
    known[9 * mine : 9 * mine + 9] = [0] * 9
    unseen = _unseen_cards(view)
    for spice in range(9):
        if sum(known[spice:PURSES:9]) > unseen.count(spice):
            return unknown()
    return known


def from_view(view: dict[str, Any], legal: list[Event], known: list[int]) -> Any:
    """The kernel's position for `view(state, seat)`, made of nothing else.

    legal: what the seat may do; chips that it threw and nobody saw are no more in there. known: of
    the others, from `believed`. What the seat cannot know is dealt in a fixed order. Searches deal
    it at random before they use it.
    """
    you, seats = view["you"], range(view["players"])
    cards, blends = _unseen_cards(view), _unseen_blends(view)
    for spice in range(9):
        for _ in range(sum(known[spice:PURSES:9])):
            cards.remove(spice)
    own_blends = [number for number, _ in you["reserved"]]
    hands, reserved = [], []
    for seat in seats:
        mine, row = seat == you["seat"], known[9 * seat : 9 * seat + 9]
        hands.append(_spices(you["hand"]) if mine else _hand(cards, view["cards"][seat], row))
        reserved.append(own_blends if mine else _take(blends, view["reserved"][seat]))
    phase = list(view["phase"])
    if phase[0] == "keep":
        phase[2] = "".join(str(BOWLS.index(spice)) for spice in you["drawn"])
    s = from_state(
        {
            **{name: view[name] for name in ("mode", "options", "round", "chef", "missed")},
            "n": view["players"],
            "phase": phase,
            "chance": 1,
            "lying": {},
            "revealed": [],
            "seen": [],
            "traded": [],
            "open": [number for number, _ in view["open"]],
            "pile": blends,
            "reserved": reserved,
            "cooked": [[number for number, _ in each] for each in view["cooked"]],
            "discard": _spices(view["discard"]),
            "display": _spices(view["display"]),
            "hands": hands,
            "money": [you["money"] if i == you["seat"] else view["money"][i] or 0 for i in seats],
            "deck": "".join(map(str, cards)),
        }
    )
    _lay_chips(s, view, throws_of(legal))
    return s


def _take(items: list[int], count: int) -> list[int]:
    """Remove some items from the end of a list."""
    return [items.pop() for _ in range(count)]


def _spices(named: dict[str, int]) -> list[int]:
    return [named.get(bowl, 0) for bowl in BOWLS]


def _hand(cards: list[int], size: int, known: list[int]) -> list[int]:
    """A hand of the known cards and of some from the end of a list."""
    dealt = _take(cards, size - sum(known))
    return [known[spice] + dealt.count(spice) for spice in range(9)]


def _unseen_cards(view: dict[str, Any]) -> list[int]:
    """The cards of the deck and of the others' hands, in order."""
    you, found = view["you"], []
    for spice, bowl in enumerate(BOWLS):
        seen = sum(where.get(bowl, 0) for where in (you["hand"], view["display"], view["discard"]))
        found += [spice] * (6 - seen - you["drawn"].count(bowl))
    return found


def _unseen_blends(view: dict[str, Any]) -> list[int]:
    """The blends of the pile and those that the others have reserved, in order."""
    shown = [
        *view["you"]["reserved"],
        *view["open"],
        *(b for each in view["cooked"] for b in each),
    ]
    seen = {number for number, _ in shown}
    return [blend for blend in range(18) if blend not in seen]


def _lay_chips(s: Any, view: dict[str, Any], free: list[str]) -> None:
    """Lay the chips that the seat sees, and mark those that were thrown."""
    you = view["you"]
    throwing = view["phase"][0] in ("throw", "extra_throw")
    for chip, zone in you["chips"].items():
        i = CHIPS.index(chip)
        if zone:
            s[places.LYING + i] = INDEX[zone]
        if zone or (throwing and free and chip not in free):
            s[places.THROWN] |= 1 << i
    for chips in view["zones"].values():
        for seat, value in chips:
            if value:
                s[places.REVEALED] |= 1 << 6 * seat + value // 10 - 1
    for zone, chips in view["zones"].items():
        for seat, value in sorted(chips, key=lambda chip: not chip[1]):
            if seat != you["seat"]:
                chip = value // 10 - 1 if value else _hidden(s, seat)
                s[places.LYING + 6 * seat + chip] = INDEX[zone]
                s[places.THROWN] |= 1 << 6 * seat + chip
    if throwing:
        _mark_missed(s, view)


def _hidden(s: Any, seat: int) -> int:
    """The seat's lowest chip that lies nowhere and is not turned up."""
    for chip in range(6):
        lies = s[places.LYING + 6 * seat + chip] != places.NOWHERE
        if not lies and not s[places.REVEALED] >> 6 * seat + chip & 1:
            return chip
    raise ValueError(f"seat {seat} has more than six chips")


def _mark_missed(s: Any, view: dict[str, Any]) -> None:
    """Mark chips of the others that were thrown and lie nowhere: their number is known."""
    n = view["players"]
    made = view["phase"][1] if view["phase"][0] == "throw" else int(places.all_throws(s))
    for seat in range(n):
        if seat != view["you"]["seat"]:
            thrown = sum((view["chef"] + i) % n == seat for i in range(made))
            bits = range(6 * seat, 6 * seat + 6)
            missing = thrown - sum(s[places.LYING + i] != places.NOWHERE for i in bits)
            for i in bits:
                if missing > 0 and s[places.LYING + i] == places.NOWHERE:
                    s[places.THROWN] |= 1 << i
                    missing -= 1
