"""What a seat may know of Safranito, and what the rings show of it.

Secrets are removed here and nowhere else: the values of chips that were not turned up, hands,
purses, reserved blends, the deck, cards being looked at.
"""

from spicecore.games.safranito.data import (
    ACTIONS,
    BLENDS,
    BOWLS,
    CHIPS,
    COLOURS,
    INDEX,
    MILL,
    SEAT,
    UNKNOWN,
    VALUE,
    ZONES,
    all_throws,
    chips_in,
    groups,
    leader,
    seats_asked,
    throwable,
    totals,
)


def view(state: dict, seat: int | None) -> dict:
    """Everything that the seat (None: the public) may know; docs/notation.md lists the keys.

    It shares lists with the state: they are read, never changed.
    """
    seen = _public(state)
    if seat is not None:
        seen["you"] = _own(state, seat)
    return seen


def _public(state: dict) -> dict:
    phase = state["phase"]
    name = phase[0]
    full = state["mode"] == "full"
    shown = ["keep", phase[1], len(phase[2])] if name == "keep" else phase
    counts = [0] * state["n"]
    for chip in state["seen"]:
        counts[SEAT[chip]] += 1
    buyer, total = leader(state, phase[1]) if name == "buy" else (None, None)
    secret = state["options"]["purses"] == "secret"
    return {
        "game": "safranito",
        "mode": state["mode"],
        "players": state["n"],
        "options": state["options"],
        "round": state["round"],
        "chef": state["chef"],
        "phase": shown,
        "asked": seats_asked(state),
        "throws": {"made": phase[1], "of": all_throws(state)} if name == "throw" else None,
        "zones": _zones(state),
        "to_lift": _to_lift(state),
        "seen": counts,
        "missed": state["missed"],
        "bowl": phase[1] if name in ("sale", "buy") else None,
        "price": phase[2] if name == "sale" else None,
        "offers": phase[3] if name == "sale" else None,
        "buyer": buyer,
        "total": total,
        "display": _spices(state["display"]),
        "discard": _spices(state["discard"]),
        "deck": len(state["deck"]) if full else None,
        "open": _blends(state["open"]),
        "pile": len(state["pile"]),
        "cooked": [_blends(blends) for blends in state["cooked"]],
        "reserved": [len(blends) for blends in state["reserved"]],
        "cards": [sum(hand) for hand in state["hands"]] if full else None,
        "money": ([None] * state["n"] if secret else state["money"]) if full else None,
        "winner": phase[1] if name == "over" else None,
    }


def _own(state: dict, seat: int) -> dict:
    full = state["mode"] == "full"
    own = CHIPS[6 * seat : 6 * seat + 6]
    drawn = state["phase"][2] if state["phase"][0] == "keep" and state["phase"][1] == seat else ""
    return {
        "seat": seat,
        "chips": {chip: state["lying"].get(chip) for chip in own},
        "throwable": throwable(state, seat),
        "hand": _spices(state["hands"][seat]) if full else None,
        "money": state["money"][seat] if full else None,
        "reserved": _blends(state["reserved"][seat]),
        "drawn": [BOWLS[int(digit)] for digit in drawn] if full else None,
    }


def _zones(state: dict) -> dict:
    """{zone: [[seat, value or None], ...]}: by seat, then falling value, hidden ones last."""
    revealed = state["revealed"]
    zones: dict = {}
    for chip, zone in state["lying"].items():
        row = [SEAT[chip], VALUE[chip] if chip in revealed else None]
        if zone in zones:
            zones[zone].append(row)
        else:
            zones[zone] = [row]
    for rows in zones.values():
        if len(rows) > 1:
            rows.sort(key=lambda row: (row[0], -(row[1] or 0)))
    return zones


def _to_lift(state: dict) -> list:
    places = sorted([SEAT[c], INDEX[z]] for c, z in state["astray"].items() if z is not None)
    return [[seat, ZONES[index]] for seat, index in places]


def _spices(counts: list | None) -> dict | None:
    if counts is None:
        return None
    return {BOWLS[i]: count for i, count in enumerate(counts) if count}


def _blends(blends: list) -> list:
    named = []
    for blend in blends:
        if blend == UNKNOWN:
            named.append([blend, []])
        else:
            a, b, c = BLENDS[blend]
            named.append([blend, [BOWLS[a], BOWLS[b], BOWLS[c]]])
    return named


def mismatch(state: dict, seen: dict) -> list:
    """[[chip, zone seen or None, zone expected or None], ...] of chips that lie elsewhere.

    A seller may lift their chips before the sale is closed: that is not a mismatch.
    """
    lying, phase = state["lying"], state["phase"]
    if seen == lying:
        return []
    wrong = []
    for chip in CHIPS:
        there, due = seen.get(chip), lying.get(chip)
        if there == due:
            continue
        if phase[0] == "sale" and there is None and due == phase[1] and phase[3][SEAT[chip]]:
            continue
        wrong.append([chip, there, due])
    for chip in sorted(seen):
        if chip not in SEAT and chip != MILL and seen[chip] is not None:
            wrong.append([chip, seen[chip], None])
    return wrong


def public_mismatch(state: dict, wrong: list) -> list:
    """The same with colours instead of chips, in an order that reveals no value."""
    rows = []
    for chip, there, due in wrong:
        colour = SEAT.get(chip, len(COLOURS))
        rows.append((colour, INDEX.get(there, -1), INDEX.get(due, -1), there, due))
    rows.sort(key=_by_place)
    return [[(COLOURS + ("unknown",))[row[0]], row[3], row[4]] for row in rows]


def _by_place(row: tuple) -> tuple:
    return row[:3]


def show(state: dict) -> dict:
    """{zone: shape} for every ring; shapes as in spicecore/lights/rings.py."""
    phase = state["phase"]
    name = phase[0]
    if name == "over":
        shape = ["dark"] if phase[1] is None else ["whole", phase[1]]
        return dict.fromkeys(ZONES, shape)
    shapes = {zone: _heap(state, zone) for zone in ZONES}
    asked = seats_asked(state)[0]
    if name == "throw" and phase[1] < all_throws(state):
        for zone in ZONES:  # whose throw it is, wherever nothing lies
            if shapes[zone] == ["dark"]:
                shapes[zone] = ["pulse", asked]
    elif name == "keep":
        shapes["spice_card"] = ["blink", asked]
    elif name in ACTIONS and not (name == "extra_throw" and phase[2]):
        shapes[name] = ["blink", asked]
    elif name == "buy":
        shapes[phase[1]] = ["blink", asked]
        shapes["head_chef"] = ["pulse", state["chef"]]
    elif name == "cook":
        for zone in ACTIONS:
            shapes[zone] = ["blink", asked]
        shapes["saffron"] = ["count", asked, len(state["cooked"][asked]), 3]
    else:  # the head chef is asked: reveal, choose, sale, next round
        shapes["head_chef"] = ["blink", state["chef"]]
    return shapes


def _heap(state: dict, zone: str) -> list:
    """Shares of the chips in a zone: by number, and by total once all are turned up."""
    chips = chips_in(state, zone)
    if not chips:
        return ["dark"]
    revealed = state["revealed"]
    if all([chip in revealed for chip in chips]):  # noqa: C419 - no generator on the board
        sums = totals(state, zone)
        return ["arcs", [[seat, total] for seat, total in enumerate(sums) if total]]
    return ["arcs", groups(chips)]
