"""What a seat may do now in Safranito, and what the board's three buttons mean."""

from spicecore.games.safranito.data import (
    BOWLS,
    CARDS_PER_SPICE,
    INDEX,
    all_throws,
    bowls_left,
    can_cook,
    leader,
    seats_asked,
    throwable,
)


def legal(state: dict, seat: int) -> list:
    """All decisions that the seat may take now; for a throw also each chip that may be thrown."""
    phase = state["phase"]
    name = phase[0]
    if name == "sale":
        return _legal_sale(state, seat)
    events: list = []
    if name == "buy" and state["mode"] != "full" and seat == state["chef"]:
        events = [["display", seat, count] for count in range(CARDS_PER_SPICE + 1)]
    if seats_asked(state) != [seat]:
        return events
    if name == "throw":
        return _legal_throw(state, seat, phase[1] == all_throws(state), False)
    if name == "extra_throw":
        return _legal_throw(state, seat, phase[2] == 1, True)
    if name == "keep":
        digits = sorted(set(phase[2]))
        return [["keep", seat, BOWLS[int(digit)]] for digit in digits]
    if name == "choose":
        return [["choose", seat, bowl] for bowl in bowls_left(state)]
    if name == "buy":
        if state["mode"] != "full" or state["money"][seat] >= leader(state, phase[1])[1]:
            events.append(["buy", seat])
        return events + [["decline", seat]]
    if name == "cook":
        return _legal_cook(state, seat)
    if name == "round_over":
        return [] if state["astray"] else [["next_round", seat]]
    kind = {"spice_card": "draw", "reserve": "reserve", "head_chef": "take"}[name]
    return [[kind, seat], ["pass", seat]]


def _legal_throw(state: dict, seat: int, made: bool, extra: bool) -> list:
    if made:
        return [["reveal", seat]]
    events: list = [["missed", seat]] + ([["pass", seat]] if extra else [])
    # None stands for any zone; if it is sent unchanged, `step` treats it as nothing seen.
    return events + [["moved", None, [[chip, None]]] for chip in throwable(state, seat)]


def _legal_sale(state: dict, seat: int) -> list:
    _, bowl, _, counts = state["phase"]
    turn = state["options"]["sales"] == "turn"
    events: list = []
    if not turn or (counts[seat] is None and seats_asked(state)[0] == seat):
        most = state["hands"][seat][INDEX[bowl]] if state["mode"] == "full" else CARDS_PER_SPICE
        events = [["sell", seat, count] for count in range(most + 1)]
    if seat == state["chef"] and not (None in counts and (turn or state["mode"] == "full")):
        events.append(["close", seat])
    return events


def _legal_cook(state: dict, seat: int) -> list:
    opened = state["phase"][2]
    events: list = []
    full = state["mode"] == "full"
    for kind, blends in (("cook_open", [] if opened else state["open"]),
                         ("cook_reserved", state["reserved"][seat])):  # fmt: skip
        if full:
            events += [[kind, seat, blend] for blend in blends if can_cook(state, seat, blend)]
        elif blends:
            events.append([kind, seat])
    if state["open"] and not opened:
        events.append(["no_open", seat])
    events.append(["done", seat])
    return events


def sensed(state: dict, moves: list) -> list:
    """The event for a settled change of the board, [[chip, zone or None], ...]."""
    return ["moved", None, moves]


# What a button says: (event kind of "ok", of "no") by phase, for the seat that is asked.
BUTTONS = {
    "spice_card": ("draw", "pass"),
    "reserve": ("reserve", "pass"),
    "head_chef": ("take", "pass"),
    "round_over": ("next_round", None),
}


def press(state: dict, button: str) -> list | None:
    """The event that one of the board's buttons means now, or None: it means nothing."""
    phase = state["phase"]
    name, full, ok = phase[0], state["mode"] == "full", button == "ok"
    if name == "over" or button not in ("ok", "no"):
        return None
    seat = seats_asked(state)[0]
    if name in ("throw", "extra_throw"):
        made = phase[1] == all_throws(state) if name == "throw" else phase[2] == 1
        if made:
            return ["reveal", seat] if ok else None
        return None if ok else ["missed", seat]
    if name == "choose":
        return ["choose", seat, bowls_left(state)[0]] if ok else None
    if name == "sale":
        if state["options"]["sales"] == "turn" and None in phase[3] and not full:
            return ["sell", seat, 1 if ok else 0]
        return ["close", state["chef"]] if ok else None
    if name == "buy":
        return ["buy" if ok else "decline", seat]
    if name == "cook":
        return _press_cook(state, seat, ok)
    kinds = BUTTONS.get(name)
    kind = kinds[0 if ok else 1] if kinds else None
    return [kind, seat] if kind else None


def _press_cook(state: dict, seat: int, ok: bool) -> list | None:
    """First the open blend, then the reserved ones, each with yes or no."""
    if state["mode"] == "full":
        return None if ok else ["done", seat]
    if state["open"] and not state["phase"][2]:
        return ["cook_open", seat] if ok else ["no_open", seat]
    return ["cook_reserved", seat] if ok else ["done", seat]
