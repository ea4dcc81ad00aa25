"""What a turn of Rat Hot does: strips turned up, laid and scored, rats and the final count.

`rules` decides whose turn it is to do what; these functions trust their caller.
"""

from spicecore.games.rathot.layout import (
    MARGIN,
    START_LAID,
    cells,
    changed,
    fault,
    groups,
    laid_on,
    place,
    places,
    surface,
    worth,
)
from spicecore.games.rathot.strips import RATS, owner

CHIPS = 15  # scoring chips of 1 and as many of 2
RATS_TO_LOSE = 3


def start(options: dict, first: int, strips: list, pile: list) -> dict:
    """The state with the start strip laid and this pile, its last strip drawn first."""
    return {
        "options": options,
        "first": first,
        "strips": strips,
        "laid": [START_LAID],
        "held": [],
        "pile": pile,
        "chips": [[0, 0], [0, 0]],
        "reserve": [CHIPS, CHIPS],
        "noted": [0, 0],
        "phase": ["turn_up", first],
    }


def aborted(state: dict) -> dict:
    """The state after the game was ended without a winner."""
    after = dict(state)
    after["phase"] = ["over", "aborted", None]
    return after


def refused_lay(state: dict, laid: list) -> tuple[str, str] | None:
    """(code, sentence) when [strip, x, y, d] cannot be laid now, else None."""
    if laid[0] not in state["held"]:
        return "strip", "Strip %d is not turned up." % laid[0]
    if abs(laid[1]) > MARGIN or abs(laid[2]) > MARGIN:
        return "touch", "Square (%d, %d) is far from every strip." % (laid[1], laid[2])
    top, _ = surface(state["strips"], state["laid"])
    return fault(top, laid, state["options"]["bounds"])


def turned_up(state: dict) -> tuple[dict, list]:
    """Turn up the strips of a turn: one in the first turn, then two, as long as there are two."""
    after = dict(state)
    n = 1 if len(state["laid"]) == 1 else min(2, len(state["pile"]))
    after["held"] = [state["pile"][-1 - i] for i in range(n)]
    after["pile"] = state["pile"][:-n]
    after["phase"] = ["lay", state["phase"][1]]
    return after, [[None, "turned_up", state["phase"][1], list(after["held"])]]


def lay(state: dict, laid: list) -> tuple[dict, list]:
    """Lay a strip, score it, and end the turn if no more can be laid."""
    strips, seat = state["strips"], state["phase"][1]
    _, before = surface(strips, state["laid"])
    after = dict(state)
    after["laid"], face = laid_on(strips, state["laid"], list(laid))
    after["held"] = [strip for strip in state["held"] if strip != laid[0]]
    effects: list = [[None, "laid", seat] + list(laid)]
    touching = state["options"]["groups"] == "touching"
    for spice, together in changed(before, face, cells(laid), touching):
        who = owner(spice)
        value = worth(len(together))
        _pay(after, who, value)
        where = [list(place(at)) for at in sorted(together)]
        effects.append([None, "scored", who, value, spice, where])
    bounds = state["options"]["bounds"]
    # The places for strips do not depend on their squares: if one fits nowhere, none ever will.
    full = bool(bounds) and not places(surface(strips, after["laid"])[0], bounds)
    left = len(after["held"]) + len(after["pile"])
    if full and left:
        effects.append([None, "set_aside", left])
    if full or not after["held"]:
        effects.extend(_end_of_turn(after, face, seat, full))
    return after, effects


def _pay(state: dict, seat: int, points: int) -> None:
    """Take chips for 1 or 2 points; if they run out, exchange two 1s, or else note the points."""
    state["chips"] = [list(pair) for pair in state["chips"]]
    state["reserve"] = list(state["reserve"])
    reserve, chips = state["reserve"], state["chips"]
    if points == 1 and reserve[0] == 0 and reserve[1]:
        for who in (seat, 1 - seat):
            if chips[who][0] >= 2 and reserve[0] == 0:
                _move(reserve, chips[who], 1)
                _move(chips[who], reserve, 0)
                _move(chips[who], reserve, 0)
    if reserve[points - 1]:
        _move(reserve, chips[seat], points - 1)
    elif points == 2 and reserve[0] >= 2:
        _move(reserve, chips[seat], 0)
        _move(reserve, chips[seat], 0)
    else:
        state["noted"] = list(state["noted"])
        state["noted"][seat] += points


def _move(source: list, target: list, kind: int) -> None:
    source[kind] -= 1
    target[kind] += 1


def _end_of_turn(state: dict, face: dict, seat: int, full: bool) -> list:
    """Three own rats lose at once; after the last strip everything is scored; otherwise the other
    player is on turn.

    full: no strip fits on the table any more, so this one was the last.
    """
    if rats(face, seat) >= RATS_TO_LOSE:
        state["phase"] = ["over", "rats", 1 - seat]
        return [[None, "rats", seat, rats(face, seat)], [None, "over", 1 - seat]]
    if state["pile"] and not full:
        state["phase"] = ["turn_up", 1 - seat]
        return [[None, "turn", 1 - seat]]
    final = final_count(face)
    totals = [points(state, who) + final[who] for who in (0, 1)]
    winner = None if totals[0] == totals[1] else 0 if totals[0] > totals[1] else 1
    state["phase"] = ["over", "end", winner]
    return [[None, "final", final, totals], [None, "over", winner]]


def rats(face: dict, seat: int) -> int:
    """How many rats of a seat's colour are visible."""
    mine = RATS[seat]
    return sum(1 for square in face.values() if square == mine)


def points(state: dict, seat: int) -> int:
    """The points taken so far."""
    ones, twos = state["chips"][seat]
    return ones + 2 * twos + state["noted"][seat]


def final_count(face: dict) -> list[int]:
    """What every visible group is worth once more, by seat."""
    counted = [0, 0]
    for spice, together in groups(face):
        who = owner(spice)
        counted[who] += worth(len(together))
    return counted
