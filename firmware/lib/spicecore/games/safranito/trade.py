"""Phase 3 of Safranito: sale and purchase of the spices, bowl by bowl.

A handler takes (state, seat, argument, effects), changes the state that it was given and adds its
effects; it returns None, or (code, sentence) when the rules refuse. The state is the step's own
copy: handlers replace what they change and never write into a list that was there before.
"""

from spicecore.games.safranito.board import go_home, reveal
from spicecore.games.safranito.cook import add, cook_from, put
from spicecore.games.safranito.data import (
    BOWLS,
    CARDS_PER_SPICE,
    INDEX,
    SEAT,
    VALUE,
    bowls_left,
    chips_in,
    leader,
    order,
    seats_asked,
    top_chip,
)


def next_bowl(state: dict, effects: list) -> None:
    if bowls_left(state):
        state["phase"] = ["choose"]
    else:
        state["traded"] = []
        cook_from(state, 0)


def choose(state: dict, seat: int, bowl: str, effects: list) -> tuple | None:
    """The head chef names the bowl to trade next; its chips are turned up."""
    chips = chips_in(state, bowl) if bowl in BOWLS else []
    if not chips:
        return ("empty_bowl", "No chip lies in that bowl: choose another.")
    price = sum([VALUE[chip] for chip in chips])
    reveal(state, bowl, chips, effects)
    effects.append([None, "price", bowl, price])
    state["phase"] = ["sale", bowl, price, [_at_first(state, each) for each in range(state["n"])]]
    return None


def _at_first(state: dict, seat: int) -> int | None:
    """Not declared yet, or 0 for a seat that publicly has no cards at all."""
    return 0 if state["mode"] == "full" and not sum(state["hands"][seat]) else None


def declare(state: dict, seat: int, count: int, effects: list) -> None:
    """Write down how many cards the seat sells."""
    _, bowl, price, counts = state["phase"]
    state["phase"] = ["sale", bowl, price, put(counts, seat, count)]
    effects.append([None, "offers", seat, count])


def sell(state: dict, seat: int, count: int, effects: list) -> tuple | None:
    """A seat declares how many cards of the spice it sells; open until the head chef closes."""
    _, bowl, _, counts = state["phase"]
    if state["options"]["sales"] == "turn":
        if counts[seat] is not None:
            return ("declared", "You have declared already.")
        if seat != seats_asked(state)[0]:
            return ("not_you", "It is not your turn to declare.")
    most = state["hands"][seat][INDEX[bowl]] if state["mode"] == "full" else CARDS_PER_SPICE
    if count > most:
        return ("wrong_count", "You can sell at most %d." % most)
    declare(state, seat, count, effects)
    return None


def close(state: dict, _: int, __: None, effects: list) -> tuple | None:
    """The head chef closes the sale: the sellers are paid, and their chips leave the bowl."""
    _, bowl, price, counts = state["phase"]
    if None in counts and (state["mode"] == "full" or state["options"]["sales"] == "turn"):
        return ("undeclared", "Not all players have said yet whether they sell.")
    state["traded"] = [each for each in BOWLS if each == bowl or each in state["traded"]]
    spice = INDEX[bowl]
    for seat in order(state):
        count = counts[seat]
        if count:
            if state["mode"] == "full":
                state["money"] = add(state["money"], seat, price * count)
                state["hands"] = put(
                    state["hands"], seat, add(state["hands"][seat], spice, -count)
                )
                state["discard"] = add(state["discard"], spice, count)
            effects.append([None, "sold", seat, bowl, count, price * count])
    go_home(state, bowl, [chip for chip in chips_in(state, bowl) if counts[SEAT[chip]]], effects)
    state["phase"] = ["buy", bowl, None]
    purchase_goes_on(state, effects)
    return None


def purchase_goes_on(state: dict, effects: list) -> None:
    """Stay in the purchase, or end it: no chip, or no card on display."""
    _, bowl, left = state["phase"]
    chips = chips_in(state, bowl)
    if chips:
        if state["mode"] == "full":
            left = state["display"][INDEX[bowl]]
        if left is None or left:
            return
        effects.append([None, "no_card", bowl])
        go_home(state, bowl, chips, effects)
    effects.append([None, "traded", bowl])
    next_bowl(state, effects)


def buy(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The buyer pays their total, takes a displayed card and their top chip."""
    _, bowl, left = state["phase"]
    price = leader(state, bowl)[1]
    if state["mode"] == "full":
        if state["money"][seat] < price:
            return ("no_money", "You cannot pay %d: decline." % price)
        spice = INDEX[bowl]
        state["money"] = add(state["money"], seat, -price)
        state["display"] = add(state["display"], spice, -1)
        state["hands"] = put(state["hands"], seat, add(state["hands"][seat], spice, 1))
    elif left:
        state["phase"] = ["buy", bowl, left - 1]
    effects.append([None, "bought", seat, bowl, price])
    go_home(state, bowl, [top_chip(state, bowl, seat)], effects)
    purchase_goes_on(state, effects)
    return None


def decline(state: dict, seat: int, _: None, effects: list) -> tuple | None:
    """The buyer does not buy: their chips leave the bowl."""
    bowl = state["phase"][1]
    effects.append([None, "declined", seat, bowl])
    if state["options"]["decline"] == "top":
        chips = [top_chip(state, bowl, seat)]
    else:
        chips = [chip for chip in chips_in(state, bowl) if SEAT[chip] == seat]
    go_home(state, bowl, chips, effects)
    purchase_goes_on(state, effects)
    return None


def display(state: dict, _: int, count: int, effects: list) -> tuple | None:
    """Referee mode: the head chef tells how many cards of the spice are on display."""
    bowl = state["phase"][1]
    if count > CARDS_PER_SPICE:
        return ("wrong_count", "There are only %d cards of a spice." % CARDS_PER_SPICE)
    state["phase"] = ["buy", bowl, count]
    effects.append([None, "displayed", bowl, count])
    purchase_goes_on(state, effects)
    return None


def after_accept(state: dict, moved: list, effects: list) -> None:
    """The consequences of an accepted change for the trade."""
    phase = state["phase"]
    name = phase[0]
    if name == "sale":
        came = [chip for chip in moved if state["lying"].get(chip) == phase[1]]
        if came:
            reveal(state, phase[1], chips_in(state, phase[1]), effects)
    if name == "buy":
        purchase_goes_on(state, effects)
    elif name == "choose":
        next_bowl(state, effects)


def lifted(state: dict, moved: list, effects: list) -> None:
    """Referee mode: a player lifts a chip of the bowl in trade to sell, or to buy."""
    phase = state["phase"]
    if phase[0] == "sale":
        touched = {SEAT[chip] for chip in moved if state["lying"].get(chip) == phase[1]}
        for seat in order(state):
            if seat in touched:
                _sells_by_lifting(state, seat, effects)
    elif phase[0] == "buy":
        buyer = leader(state, phase[1])[0]
        top = top_chip(state, phase[1], buyer)
        if top in moved and top in state["astray"] and state["astray"][top] is None:
            buy(state, buyer, None, effects)


def _sells_by_lifting(state: dict, seat: int, effects: list) -> None:
    _, bowl, _, counts = state["phase"]
    astray = state["astray"]
    off = [c for c in chips_in(state, bowl) if SEAT[c] == seat and c in astray and not astray[c]]
    turn = state["options"]["sales"] == "turn"
    if off and not counts[seat] and (not turn or seat == seats_asked(state)[0]):
        if not (turn and counts[seat] is not None):
            declare(state, seat, 1, effects)
    elif counts[seat] and not off and not turn:
        declare(state, seat, 0, effects)
