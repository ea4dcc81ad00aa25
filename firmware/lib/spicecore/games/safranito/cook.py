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


def take_cards(s: dict, count: int, fx: list) -> str:
    """Take cards from the deck, shuffling the discard pile when it is short; maybe fewer."""
    if len(s["deck"]) < count:
        cards = [spice for spice in range(9) for _ in range(s["discard"][spice])]
        if cards:
            s["chance"] = chance.shuffle(s["chance"], cards)
            s["discard"] = [0] * 9
            fx.append([None, "reshuffled", len(cards)])
            s["deck"] += "".join([str(spice) for spice in cards])
    cards_taken = s["deck"][:count]
    s["deck"] = s["deck"][count:]
    return cards_taken


def lay_out(s: dict, fx: list) -> None:
    """Fill up the open blends and add the round's spice cards."""
    blends, cards, _ = TABLE[s["n"]]
    missing = max(0, blends - len(s["open"]))
    fresh = s["pile"][:missing]
    s["open"] = s["open"] + fresh
    s["pile"] = s["pile"][missing:]
    fx.append([None, "opened", fresh])
    if s["mode"] != "full":
        fx.append([None, "lay", cards])
        return
    laid = take_cards(s, cards, fx)
    s["display"] = list(s["display"])
    for digit in laid:
        s["display"][int(digit)] += 1
    fx.append([None, "laid", [BOWLS[int(digit)] for digit in laid]])


def cook_from(s: dict, k: int) -> None:
    """Ask the k-th seat of the play order to cook, or the first after it that can decide."""
    seats = order(s)
    while k < s["n"]:
        if s["open"] or s["reserved"][seats[k]]:
            s["phase"] = ["cook", k, 0]
            return
        k += 1
    s["phase"] = ["round_over"]


def _cook_on(s: dict, seat: int, opened: int) -> None:
    """The same seat goes on while something is left for it to decide."""
    k = s["phase"][1]
    if s["reserved"][seat] or (s["open"] and not opened):
        s["phase"] = ["cook", k, opened]
    else:
        cook_from(s, k + 1)


def cook_open(s: dict, seat: int, blend: int, fx: list) -> tuple | None:
    """Put together one of the open blends: one a round."""
    if s["phase"][2]:
        return ("no_blend", "One open blend a round: you have decided about it.")
    return _cook(s, seat, blend, s["open"], "open", fx)


def cook_reserved(s: dict, seat: int, blend: int, fx: list) -> tuple | None:
    """Put together a reserved blend: any number of them."""
    return _cook(s, seat, blend, s["reserved"][seat], "reserved", fx)


def _cook(s: dict, seat: int, blend: int, rest: list, kind: str, fx: list) -> tuple | None:
    if blend not in rest:
        return ("no_blend", "There is no such blend for you to put together.")
    if s["mode"] == "full":
        if not can_cook(s, seat, blend):
            return ("no_card", "You do not hold the three spices of that blend.")
        hand, discard = list(s["hands"][seat]), list(s["discard"])
        for spice in BLENDS[blend]:
            hand[spice] -= 1
            discard[spice] += 1
        s["hands"], s["discard"] = put(s["hands"], seat, hand), discard
    rest = list(rest)
    rest.remove(blend)
    opened = s["phase"][2]
    if kind == "open":
        s["open"], opened = rest, 1
    else:
        s["reserved"] = put(s["reserved"], seat, rest)
    s["cooked"] = put(s["cooked"], seat, s["cooked"][seat] + [blend])
    fx.append([None, "cooked", seat, blend, kind])
    if len(s["cooked"][seat]) == BLENDS_TO_WIN:
        fx.append([None, "winner", seat])
        s["phase"] = ["over", seat]
    else:
        _cook_on(s, seat, opened)
    return None


def no_open(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """He puts together no open blend in this round."""
    if s["phase"][2] or not s["open"]:
        return ("no_blend", "There is no open blend to do without.")
    fx.append([None, "no_open", seat])
    _cook_on(s, seat, 1)
    return None


def done(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """He ends his turn of cooking."""
    fx.append([None, "done", seat])
    cook_from(s, s["phase"][1] + 1)
    return None


def next_round(s: dict, seat: int, _: None, fx: list) -> tuple | None:
    """The mill passes to the left; blends and spice cards are laid out."""
    if s["astray"]:
        places = sorted([SEAT[c], INDEX[z], z] for c, z in s["astray"].items())
        named = ", ".join(["%s in %s" % (COLOURS[p[0]], p[2]) for p in places])
        return ("not_clear", "Lift the chips that still lie on the board first: %s." % named)
    s["chef"] = (s["chef"] + 1) % s["n"]
    s["round"] += 1
    s["seen"], s["revealed"], s["missed"] = [], [], [0] * s["n"]
    fx.append([None, "chef", s["chef"]])
    fx.append([None, "round", s["round"]])
    lay_out(s, fx)
    s["phase"] = ["throw", 0]
    return None
