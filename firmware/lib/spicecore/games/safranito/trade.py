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


def next_bowl(s: dict, fx: list) -> None:
    if bowls_left(s):
        s["phase"] = ["choose"]
    else:
        s["traded"] = []
        cook_from(s, 0)


def choose(s: dict, seat: int, bowl: str, fx: list) -> tuple | None:
    """The head chef names the bowl to trade next; its chips are turned up."""
    chips = chips_in(s, bowl) if bowl in BOWLS else []
    if not chips:
        return ("empty_bowl", "No chip lies in that bowl: choose another.")
    price = sum([VALUE[chip] for chip in chips])
    reveal(s, bowl, chips, fx)
    fx.append([None, "price", bowl, price])
    s["phase"] = ["sale", bowl, price, [_at_first(s, each) for each in range(s["n"])]]
    return None


def _at_first(s: dict, seat: int) -> int | None:
    """Not declared yet; none of a seat that, as all can see, holds no card at all."""
    return 0 if s["mode"] == "full" and not sum(s["hands"][seat]) else None


def declare(s: dict, seat: int, count: int, fx: list) -> None:
    """Write down how many cards the seat sells."""
    _, bowl, price, counts = s["phase"]
    s["phase"] = ["sale", bowl, price, put(counts, seat, count)]
    fx.append([None, "offers", seat, count])


def sell(s: dict, seat: int, count: int, fx: list) -> tuple | None:
    """A seat declares how many cards of the spice it sells; open until the head chef closes."""
    _, bowl, _, counts = s["phase"]
    if s["options"]["sales"] == "turn":
        if counts[seat] is not None:
            return ("declared", "You have declared already.")
        if seat != seats_asked(s)[0]:
            return ("not_you", "It is not your turn to declare.")
    most = s["hands"][seat][INDEX[bowl]] if s["mode"] == "full" else CARDS_PER_SPICE
    if count > most:
        return ("wrong_count", "You can sell at most %d." % most)
    declare(s, seat, count, fx)
    return None


def close(s: dict, _: int, __: None, fx: list) -> tuple | None:
    """The head chef closes the sale: the sellers are paid, and their chips leave the bowl."""
    _, bowl, price, counts = s["phase"]
    if None in counts and (s["mode"] == "full" or s["options"]["sales"] == "turn"):
        return ("undeclared", "Not all players have said yet whether they sell.")
    s["traded"] = [each for each in BOWLS if each == bowl or each in s["traded"]]
    spice = INDEX[bowl]
    for seat in order(s):
        count = counts[seat]
        if count:
            if s["mode"] == "full":
                s["money"] = add(s["money"], seat, price * count)
                s["hands"] = put(s["hands"], seat, add(s["hands"][seat], spice, -count))
                s["discard"] = add(s["discard"], spice, count)
            fx.append([None, "sold", seat, bowl, count, price * count])
    go_home(s, bowl, [chip for chip in chips_in(s, bowl) if counts[SEAT[chip]]], fx)
    s["phase"] = ["buy", bowl, None]
    purchase_goes_on(s, fx)
    return None


def purchase_goes_on(s: dict, fx: list) -> None:
    """Stay in the purchase, or end it: no chip, or no card on display."""
    _, bowl, left = s["phase"]
    chips = chips_in(s, bowl)
    if chips:
        if s["mode"] == "full":
            left = s["display"][INDEX[bowl]]
        if left is None or left:
            return
        fx.append([None, "no_card", bowl])
        go_home(s, bowl, chips, fx)
    fx.append([None, "traded", bowl])
    next_bowl(s, fx)


def buy(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The buyer pays his total, takes a displayed card and his top chip."""
    _, bowl, left = s["phase"]
    price = leader(s, bowl)[1]
    if s["mode"] == "full":
        if s["money"][seat] < price:
            return ("no_money", "You cannot pay %d: decline." % price)
        spice = INDEX[bowl]
        s["money"] = add(s["money"], seat, -price)
        s["display"] = add(s["display"], spice, -1)
        s["hands"] = put(s["hands"], seat, add(s["hands"][seat], spice, 1))
    elif left:
        s["phase"] = ["buy", bowl, left - 1]
    fx.append([None, "bought", seat, bowl, price])
    go_home(s, bowl, [top_chip(s, bowl, seat)], fx)
    purchase_goes_on(s, fx)
    return None


def decline(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The buyer does not buy: his chips leave the bowl."""
    bowl = s["phase"][1]
    fx.append([None, "declined", seat, bowl])
    if s["options"]["decline"] == "top":
        chips = [top_chip(s, bowl, seat)]
    else:
        chips = [chip for chip in chips_in(s, bowl) if SEAT[chip] == seat]
    go_home(s, bowl, chips, fx)
    purchase_goes_on(s, fx)
    return None


def display(s: dict, _: int, count: int, fx: list) -> tuple | None:
    """Referee mode: the head chef tells how many cards of the spice are on display."""
    bowl = s["phase"][1]
    if count > CARDS_PER_SPICE:
        return ("wrong_count", "There are only %d cards of a spice." % CARDS_PER_SPICE)
    s["phase"] = ["buy", bowl, count]
    fx.append([None, "displayed", bowl, count])
    purchase_goes_on(s, fx)
    return None


def after_accept(s: dict, moved: list, fx: list) -> None:
    """What an accepted change brings about in the trade."""
    phase = s["phase"]
    name = phase[0]
    if name == "sale":
        came = [chip for chip in moved if s["lying"].get(chip) == phase[1]]
        if came:
            reveal(s, phase[1], chips_in(s, phase[1]), fx)
    if name == "buy":
        purchase_goes_on(s, fx)
    elif name == "choose":
        next_bowl(s, fx)


def lifted(s: dict, moved: list, fx: list) -> None:
    """Referee mode: lifting chips of the bowl in trade says that one sells, or buys."""
    phase = s["phase"]
    if phase[0] == "sale":
        touched = {SEAT[chip] for chip in moved if s["lying"].get(chip) == phase[1]}
        for seat in order(s):
            if seat in touched:
                _sells_by_lifting(s, seat, fx)
    elif phase[0] == "buy":
        buyer = leader(s, phase[1])[0]
        top = top_chip(s, phase[1], buyer)
        if top in moved and top in s["astray"] and s["astray"][top] is None:
            buy(s, buyer, None, fx)


def _sells_by_lifting(s: dict, seat: int, fx: list) -> None:
    _, bowl, _, counts = s["phase"]
    astray = s["astray"]
    off = [c for c in chips_in(s, bowl) if SEAT[c] == seat and c in astray and not astray[c]]
    turn = s["options"]["sales"] == "turn"
    if off and not counts[seat] and (not turn or seat == seats_asked(s)[0]):
        if not (turn and counts[seat] is not None):
            declare(s, seat, 1, fx)
    elif counts[seat] and not off and not turn:
        declare(s, seat, 0, fx)
