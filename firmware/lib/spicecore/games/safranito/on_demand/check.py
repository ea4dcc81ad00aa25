"""Refuse impossible positions of Safranito: each check raises a ValueError that says why."""

from spicecore.games.safranito.data import (
    ACTIONS,
    BLENDS,
    BLENDS_TO_WIN,
    BOWLS,
    CARDS_PER_SPICE,
    CHIPS,
    INDEX,
    SEAT,
    TABLE,
    bowls_left,
    chips_in,
)


def check_chips(state: dict) -> None:
    seen = state["seen"]
    for chip in seen:
        if chip not in SEAT or SEAT[chip] >= state["n"]:
            raise ValueError("seen chips: no chip %s in this game" % chip)
    if len(set(seen)) != len(seen) or seen != [chip for chip in CHIPS if chip in seen]:
        raise ValueError("seen chips must be sorted, each once")
    for chip in state["lying"]:
        if chip not in seen:
            raise ValueError("%s lies on the board but was not seen in this round" % chip)
    for chip, zone in state["astray"].items():
        if zone == state["lying"].get(chip):
            raise ValueError("%s is not astray: it lies where it should" % chip)


def check_blends(state: dict) -> None:
    blends = state["open"] + state["pile"]
    for row in state["reserved"] + state["cooked"]:
        blends = blends + row
    if len(blends) != len(BLENDS) or (state["mode"] == "full" and len(set(blends)) != len(blends)):
        raise ValueError("each of the %d blends must be in one place" % len(BLENDS))
    if len(state["open"]) > TABLE[state["n"]][0]:
        raise ValueError("at most %d blends are open" % TABLE[state["n"]][0])
    best = max([len(cooked) for cooked in state["cooked"]])
    won = state["phase"][1] if state["phase"][0] == "over" else None
    if won is not None and len(state["cooked"][won]) != BLENDS_TO_WIN:
        raise ValueError("the winner must have cooked %d blends" % BLENDS_TO_WIN)
    if best > BLENDS_TO_WIN or (won is None and best == BLENDS_TO_WIN):
        raise ValueError("the game ends with the first %d blends" % BLENDS_TO_WIN)
    full_hands = [
        seat for seat in range(state["n"]) if len(state["cooked"][seat]) == BLENDS_TO_WIN
    ]
    if len(full_hands) > 1:
        raise ValueError("only one can win")


def check_cards(state: dict) -> None:
    counts = list(state["discard"])
    drawn = state["phase"][2] if state["phase"][0] == "keep" else ""
    if state["phase"][0] == "keep" and not 1 <= len(drawn) <= 6:
        raise ValueError("one to six cards are looked at")
    for digit in state["deck"] + drawn:
        if not "0" <= digit <= "8":
            raise ValueError("no spice has the number %s" % digit)
        counts[int(digit)] += 1
    for row in [state["display"]] + state["hands"]:
        counts = [a + b for a, b in zip(counts, row)]
    for spice, count in enumerate(counts):
        if count != CARDS_PER_SPICE:
            raise ValueError("%d cards of %s, not %d" % (count, BOWLS[spice], CARDS_PER_SPICE))
    for money in state["money"]:
        if money % 10:
            raise ValueError("money comes in tens")


def check_phase(state: dict) -> None:
    """Refuse phases that the rest of the position makes impossible."""
    phase, full = state["phase"], state["mode"] == "full"
    name = phase[0]
    if name == "keep" and not full:
        raise ValueError("in referee mode the cards are kept on the table")
    if name in ("throw", "extra_throw") and state["astray"]:
        raise ValueError("no chip is astray while chips are thrown")
    if name == "throw" and phase[1] == 0 and (state["lying"] or state["seen"]):
        raise ValueError("no chip lies on the board before the first throw")
    if name in ("cook", "round_over") and state["lying"]:
        raise ValueError("no chip lies on the board once the trade is over")
    if name in ("choose", "sale", "buy"):
        if [zone for zone in state["lying"].values() if zone in ACTIONS]:
            raise ValueError("no chip lies on an action space during the trade")
        if name != "sale" and not bowls_left(state):
            raise ValueError("there is no chip left to trade for")
    _check_traded(state)
    if name == "reserve" and not state["pile"]:
        raise ValueError("there is no blend left to reserve")
    if name == "head_chef" and phase[1] == state["chef"]:
        raise ValueError("the head chef cannot win the mill: he has it")
    if name == "sale" and full:
        _check_sale(state)
    if name == "buy":
        _check_buy(state)
    if name == "cook":
        seat = (state["chef"] + phase[1]) % state["n"]
        if not state["reserved"][seat] and (phase[2] or not state["open"]):
            raise ValueError("that seat has nothing left to cook")


def _check_traded(state: dict) -> None:
    """Whether bowls whose sale is closed fit the phase: all but the one in purchase are empty."""
    phase, traded = state["phase"], state["traded"]
    if traded and phase[0] not in ("choose", "sale", "buy", "over"):
        raise ValueError("no sale is closed before or after the trade")
    if phase[0] in ("sale", "buy") and (phase[1] in traded) != (phase[0] == "buy"):
        raise ValueError("a bowl is in purchase when its sale is closed")
    open_bowl = phase[1] if phase[0] == "buy" else None
    for chip, zone in state["lying"].items():
        if zone in traded and zone != open_bowl and phase[0] != "over":
            raise ValueError("%s lies in a bowl that was traded" % chip)


def _check_sale(state: dict) -> None:
    _, bowl, _, counts = state["phase"]
    for seat, count in enumerate(counts):
        if count and count > state["hands"][seat][INDEX[bowl]]:
            raise ValueError("a seat sells more cards than it holds")


def _check_buy(state: dict) -> None:
    _, bowl, left = state["phase"]
    if not chips_in(state, bowl):
        raise ValueError("nobody has a chip in the bowl to buy from")
    if state["mode"] == "full" and (left is not None or not state["display"][INDEX[bowl]]):
        raise ValueError("no card of that spice is on display to buy")
