"""Phases 1 and 2 of Safranito: throws that nobody saw, and the action spaces.

A handler takes (state, seat, argument, effects), changes the state that it was given and adds its
effects; it returns None, or (code, sentence) when the rules refuse. The state is the step's own
copy: handlers replace what they change and never write into a list that was there before.
"""

from spicecore.games.safranito.board import go_home, miss, reveal
from spicecore.games.safranito.cook import add, put, take_cards
from spicecore.games.safranito.data import ACTIONS, BOWLS, VALUE, chips_in, leader, top_chip
from spicecore.games.safranito.trade import next_bowl


def missed(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """A throw that no zone detected."""
    phase = state["phase"]
    state["phase"] = ["throw", phase[1] + 1] if phase[0] == "throw" else ["extra_throw", seat, 1]
    miss(state, seat)
    effects.append([None, "missed", seat])
    return None


def start_evaluation(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The head chef turns up the action spaces, or continues after the extra throw."""
    if state["phase"][0] == "throw":
        _evaluate(state, 0, effects)
    else:
        _space_done(state, effects)
    return None


def _evaluate(state: dict, index: int, effects: list) -> None:
    """Evaluate action spaces from this one on, up to the first that asks its winner."""
    while index < len(ACTIONS):
        zone = ACTIONS[index]
        chips = chips_in(state, zone)
        if chips:
            seat, total = leader(state, zone)
            reveal(state, zone, chips, effects)
            effects.append([None, "won", zone, seat, total])
            phase = _offer(state, zone, seat)
            if phase:
                state["phase"] = phase
                return
            if zone == "reserve":
                effects.append([None, "no_blend", seat])
            _chips_done(state, zone, effects)
        index += 1
    for zone in ACTIONS:
        go_home(state, zone, chips_in(state, zone), effects)
    state["missed"] = [0] * state["n"]
    next_bowl(state, effects)


def _offer(state: dict, zone: str, seat: int) -> list | None:
    """The phase that asks the winner of the space, or None if there is nothing to ask."""
    if zone == "extra_throw":
        return [zone, seat, 0]
    if zone == "spice_card":
        return [zone, seat, VALUE[top_chip(state, zone, seat)] // 10]  # type: ignore[index]
    if zone == "reserve":
        return [zone, seat] if state["pile"] else None
    return [zone, seat] if seat != state["chef"] else None


def _chips_done(state: dict, zone: str, effects: list) -> None:
    if state["options"]["action_chips"] == "home":
        go_home(state, zone, chips_in(state, zone), effects)


def _space_done(state: dict, effects: list) -> None:
    """The space of the current phase is done: continue with the next."""
    name = state["phase"][0]
    zone = "spice_card" if name == "keep" else name
    _chips_done(state, zone, effects)
    _evaluate(state, ACTIONS.index(zone) + 1, effects)


def decline_action(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The winner of an action space declines; no other player gets it instead."""
    effects.append([None, "passed", seat, state["phase"][0]])
    _space_done(state, effects)
    return None


def draw(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The winner looks at their spice cards (full), or has done so at the table (referee)."""
    count = state["phase"][2]
    cards = ""
    if state["mode"] == "full":
        cards = take_cards(state, count, effects)
        count = len(cards)
    effects.append([None, "drew", seat, count])
    if cards:
        effects.append([seat, "cards", [BOWLS[int(digit)] for digit in cards]])
        state["phase"] = ["keep", seat, cards]
    else:
        _space_done(state, effects)
    return None


def keep(state: dict, seat: int, spice: str, effects: list) -> tuple | None:
    """The winner keeps one card; the others go under the deck in the order drawn."""
    cards = state["phase"][2]
    at = cards.find(str(BOWLS.index(spice))) if spice in BOWLS else -1
    if at < 0:
        return ("no_card", "You have not drawn that card.")
    state["hands"] = put(state["hands"], seat, add(state["hands"][seat], int(cards[at]), 1))
    state["deck"] += cards[:at] + cards[at + 1 :]
    effects.append([None, "kept", seat])
    effects.append([seat, "kept_card", spice])
    _space_done(state, effects)
    return None


def reserve(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The winner gets the top blend of the pile."""
    blend = state["pile"][0]
    state["pile"] = state["pile"][1:]
    state["reserved"] = put(state["reserved"], seat, state["reserved"][seat] + [blend])
    effects.append([None, "reserved", seat])
    if state["mode"] == "full":
        effects.append([seat, "blend", blend])
    _space_done(state, effects)
    return None


def take_mill(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The winner becomes head chef at once."""
    state["chef"] = seat
    effects.append([None, "chef", seat])
    _space_done(state, effects)
    return None
