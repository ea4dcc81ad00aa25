"""Phases 1 and 2 of Safranito: throws that nobody saw, and the action spaces.

A handler takes (state, seat, argument, effects), changes the state that it was given and adds its
effects; it returns None, or (code, sentence) when the rules refuse. The state is the step's own
copy: handlers replace what they change and never write into a list that was there before.
"""

from spicecore.games.safranito.board import go_home, miss, reveal
from spicecore.games.safranito.cook import add, put, take_cards
from spicecore.games.safranito.data import ACTIONS, BOWLS, VALUE, chips_in, leader, top_chip
from spicecore.games.safranito.trade import next_bowl


def missed(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """A throw that no zone saw."""
    phase = s["phase"]
    s["phase"] = ["throw", phase[1] + 1] if phase[0] == "throw" else ["extra_throw", seat, 1]
    miss(s, seat)
    fx.append([None, "missed", seat])
    return None


def start_evaluation(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The head chef turns up the action spaces, or goes on after the extra throw."""
    if s["phase"][0] == "throw":
        _evaluate(s, 0, fx)
    else:
        _space_done(s, fx)
    return None


def _evaluate(s: dict, index: int, fx: list) -> None:
    """Evaluate action spaces from this one on, up to the first that asks its winner."""
    while index < len(ACTIONS):
        zone = ACTIONS[index]
        chips = chips_in(s, zone)
        if chips:
            seat, total = leader(s, zone)
            reveal(s, zone, chips, fx)
            fx.append([None, "won", zone, seat, total])
            phase = _offer(s, zone, seat)
            if phase:
                s["phase"] = phase
                return
            if zone == "reserve":
                fx.append([None, "no_blend", seat])
            _chips_done(s, zone, fx)
        index += 1
    for zone in ACTIONS:
        go_home(s, zone, chips_in(s, zone), fx)
    s["missed"] = [0] * s["n"]
    next_bowl(s, fx)


def _offer(s: dict, zone: str, seat: int) -> list | None:
    """The phase that asks the winner of the space, or None when there is nothing to ask."""
    if zone == "extra_throw":
        return [zone, seat, 0]
    if zone == "spice_card":
        return [zone, seat, VALUE[top_chip(s, zone, seat)] // 10]  # type: ignore[index]
    if zone == "reserve":
        return [zone, seat] if s["pile"] else None
    return [zone, seat] if seat != s["chef"] else None


def _chips_done(s: dict, zone: str, fx: list) -> None:
    if s["options"]["action_chips"] == "home":
        go_home(s, zone, chips_in(s, zone), fx)


def _space_done(s: dict, fx: list) -> None:
    """The space of the present phase is done: go on with the next."""
    name = s["phase"][0]
    zone = "spice_card" if name == "keep" else name
    _chips_done(s, zone, fx)
    _evaluate(s, ACTIONS.index(zone) + 1, fx)


def decline_action(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The winner of an action space does without; it does not pass on."""
    fx.append([None, "passed", seat, s["phase"][0]])
    _space_done(s, fx)
    return None


def draw(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The winner looks at his spice cards (full), or has done so at the table (referee)."""
    count = s["phase"][2]
    cards = ""
    if s["mode"] == "full":
        cards = take_cards(s, count, fx)
        count = len(cards)
    fx.append([None, "drew", seat, count])
    if cards:
        fx.append([seat, "cards", [BOWLS[int(digit)] for digit in cards]])
        s["phase"] = ["keep", seat, cards]
    else:
        _space_done(s, fx)
    return None


def keep(s: dict, seat: int, spice: str, fx: list) -> tuple | None:
    """He keeps one card; the others go under the deck in the order drawn."""
    cards = s["phase"][2]
    at = cards.find(str(BOWLS.index(spice))) if spice in BOWLS else -1
    if at < 0:
        return ("no_card", "You have not drawn that card.")
    s["hands"] = put(s["hands"], seat, add(s["hands"][seat], int(cards[at]), 1))
    s["deck"] += cards[:at] + cards[at + 1 :]
    fx.append([None, "kept", seat])
    fx.append([seat, "kept_card", spice])
    _space_done(s, fx)
    return None


def reserve(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The top blend of the pile becomes the winner's own."""
    blend = s["pile"][0]
    s["pile"] = s["pile"][1:]
    s["reserved"] = put(s["reserved"], seat, s["reserved"][seat] + [blend])
    fx.append([None, "reserved", seat])
    if s["mode"] == "full":
        fx.append([seat, "blend", blend])
    _space_done(s, fx)
    return None


def take_mill(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The winner is head chef at once."""
    s["chef"] = seat
    fx.append([None, "chef", seat])
    _space_done(s, fx)
    return None
