"""Safranito's cards and blends: laying out a round, cooking, the next round.

A handler takes (state, seat, argument, effects), changes the state that it was given and adds its
effects; it returns None, or (code, sentence) when the rules refuse. The state is the step's own
copy: handlers replace what they change and never write into a list that was there before.
"""

from spicecore import chance
from spicecore.games.safranito.data import (
    BLENDS,
    BLENDS_TO_WIN,
    BOWLS,
    COLOURS,
    INDEX,
    SEAT,
    TABLE,
    can_cook,
    order,
)


def add(counts: list, index: int, by: int) -> list:
    """A copy of the counts with one changed."""
    copy = list(counts)
    copy[index] += by
    return copy


def put(rows: list, index: int, row: object) -> list:
    """A copy of the rows with one replaced."""
    copy = list(rows)
    copy[index] = row
    return copy


def take_cards(state: dict, count: int, effects: list) -> str:
    """Take cards from the deck, shuffling the discard pile if needed; perhaps fewer than asked."""
    if len(state["deck"]) < count:
        cards = [spice for spice in range(9) for _ in range(state["discard"][spice])]
        if cards:
            state["chance"] = chance.shuffle(state["chance"], cards)
            state["discard"] = [0] * 9
            effects.append([None, "reshuffled", len(cards)])
            state["deck"] += "".join([str(spice) for spice in cards])
    cards_taken = state["deck"][:count]
    state["deck"] = state["deck"][count:]
    return cards_taken


def lay_out(state: dict, effects: list) -> None:
    """Fill up the open blends and add the round's spice cards."""
    blends, cards, _ = TABLE[state["n"]]
    missing = max(0, blends - len(state["open"]))
    fresh = state["pile"][:missing]
    state["open"] = state["open"] + fresh
    state["pile"] = state["pile"][missing:]
    effects.append([None, "opened", fresh])
    if state["mode"] != "full":
        effects.append([None, "lay", cards])
        return
    laid = take_cards(state, cards, effects)
    state["display"] = list(state["display"])
    for digit in laid:
        state["display"][int(digit)] += 1
    effects.append([None, "laid", [BOWLS[int(digit)] for digit in laid]])


def cook_from(state: dict, k: int) -> None:
    """Ask the k-th seat of the play order to cook, or the first after it that can decide."""
    seats = order(state)
    while k < state["n"]:
        if state["open"] or state["reserved"][seats[k]]:
            state["phase"] = ["cook", k, 0]
            return
        k += 1
    state["phase"] = ["round_over"]


def _cook_on(state: dict, seat: int, opened: int) -> None:
    """The same seat goes on while something is left for it to decide."""
    k = state["phase"][1]
    if state["reserved"][seat] or (state["open"] and not opened):
        state["phase"] = ["cook", k, opened]
    else:
        cook_from(state, k + 1)


def cook_open(state: dict, seat: int, blend: int, effects: list) -> tuple | None:
    """Cook an open blend: one in each round."""
    if state["phase"][2]:
        return ("no_blend", "One open blend a round: you have decided about it.")
    return _cook(state, seat, blend, state["open"], "open", effects)


def cook_reserved(state: dict, seat: int, blend: int, effects: list) -> tuple | None:
    """Cook a reserved blend: any number of them."""
    return _cook(state, seat, blend, state["reserved"][seat], "reserved", effects)


def _cook(
    state: dict, seat: int, blend: int, rest: list, kind: str, effects: list
) -> tuple | None:
    if blend not in rest:
        return ("no_blend", "There is no such blend for you to put together.")
    if state["mode"] == "full":
        if not can_cook(state, seat, blend):
            return ("no_card", "You do not hold the three spices of that blend.")
        hand, discard = list(state["hands"][seat]), list(state["discard"])
        for spice in BLENDS[blend]:
            hand[spice] -= 1
            discard[spice] += 1
        state["hands"], state["discard"] = put(state["hands"], seat, hand), discard
    rest = list(rest)
    rest.remove(blend)
    opened = state["phase"][2]
    if kind == "open":
        state["open"], opened = rest, 1
    else:
        state["reserved"] = put(state["reserved"], seat, rest)
    state["cooked"] = put(state["cooked"], seat, state["cooked"][seat] + [blend])
    effects.append([None, "cooked", seat, blend, kind])
    if len(state["cooked"][seat]) == BLENDS_TO_WIN:
        effects.append([None, "winner", seat])
        state["phase"] = ["over", seat]
    else:
        _cook_on(state, seat, opened)
    return None


def no_open(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The cook takes no open blend in this round."""
    if state["phase"][2] or not state["open"]:
        return ("no_blend", "There is no open blend to do without.")
    effects.append([None, "no_open", seat])
    _cook_on(state, seat, 1)
    return None


def done(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The cook ends their turn."""
    effects.append([None, "done", seat])
    cook_from(state, state["phase"][1] + 1)
    return None


def next_round(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The mill passes to the left; blends and spice cards are laid out."""
    if state["astray"]:
        places = sorted([SEAT[c], INDEX[z], z] for c, z in state["astray"].items())
        named = ", ".join(["%s in %s" % (COLOURS[p[0]], p[2]) for p in places])
        return ("not_clear", "Lift the chips that still lie on the board first: %s." % named)
    state["chef"] = (state["chef"] + 1) % state["n"]
    state["round"] += 1
    state["seen"], state["revealed"], state["missed"] = [], [], [0] * state["n"]
    effects.append([None, "chef", state["chef"]])
    effects.append([None, "round", state["round"]])
    lay_out(state, effects)
    state["phase"] = ["throw", 0]
    return None
