"""Rat Hot (Rattenscharf, Michael Schacht, Queen Games 2005): the rules as one pure step.

The contract of a game is in `games/__init__.py`. `docs/rathot.md` lists the rulings, events,
effects and the notation. Seat 0 is red, seat 1 green.
"""

from spicecore import chance, facts
from spicecore.facts import public_mismatch
from spicecore.games import GAMES, refused
from spicecore.games.rathot.board import mismatch, press, sensed, show
from spicecore.games.rathot.layout import (
    HALF,
    ROW,
    STEPS,
    numbers,
    pack_spots,
    places,
    surface,
    unpack_spots,
)
from spicecore.games.rathot.turn import (
    aborted,
    final_count,
    lay,
    points,
    refused_lay,
    start,
    turned_up,
)
from spicecore.games.rathot.view import view

NAME = "rathot"
SEATS = ("red", "green")
PHYSICAL = ()  # no effect says where chips are
__all__ = ["mismatch", "press", "public_mismatch", "sensed", "show", "view"]


def new(options: dict) -> dict:
    """The state before the first strip. Options: those of every game, and

    first   seat that starts, None (default): drawn by lot, for the board knows no ages
    groups  "changed" (default): every group that a strip changed scores; "touching": only those
            with a square of the strip
    bounds  [width, height] of the table in squares, 3 to 129; None (default): no edge. When no
            strip fits any more, the rest is set aside and the game is counted
    strips  another set of strips, of the form of a strips file (see docs/rathot.md)
    """
    from spicecore.games.on_demand.options import checked
    from spicecore.games.rathot.on_demand.options import CHOICES

    chosen = checked("Rat Hot", GAMES[NAME], options, CHOICES)
    kept = {name: chosen[name] for name in ("groups", "bounds")}
    first, strips = chosen["first"], chosen["strips"]
    x, lot = chance.below(chance.start(chosen["seed"]), 2)
    pile = list(range(1, len(strips)))
    chance.shuffle(x, pile)
    return start(kept, lot if first is None else first, strips, pile)


def text(state: dict) -> str:
    """The whole state, secrets included, as one line; docs/rathot.md has its fields."""
    from spicecore.games.rathot.on_demand.text import text as written

    return written(state)


def parse(line: str) -> dict:
    """The state of a line that `text` wrote. ValueError says what is wrong with it."""
    from spicecore.games.rathot.on_demand.read import parse as read_line

    return read_line(line)


def step(state: dict, event: list) -> tuple[dict, list]:
    """(state', effects) of an event; an illegal one gives the same state and one refusal."""
    refusal = _refusal(state, event)
    if refusal:
        return state, refused(event, len(SEATS), refusal[0], refusal[1])
    if event[0] == "abort":
        return aborted(state), [[None, "aborted"]]
    if event[0] in facts.FACTS:
        return state, []  # in this game chips are on the board only by mistake
    return turned_up(state) if event[0] == "turn_up" else lay(state, event[2:])


def _refusal(state: dict, event: list) -> tuple | None:
    """(code, sentence) when an event cannot be done now, else None."""
    refusal = facts.refused(event, ("turn_up", "lay"))
    if refusal:
        return refusal
    kind, phase = event[0], state["phase"]
    if kind in facts.FACTS and kind != "abort":
        return None
    if phase[0] == "over":
        return "over", "The game is over."
    if kind == "abort":
        return None
    if event[1] != phase[1]:
        return "not_you", "It is the other player's turn."
    if kind != phase[0]:
        if kind == "lay":
            return "not_now", "Turn up your strips first."
        return "not_now", "Lay the strips that are turned up first."
    if kind == "turn_up":
        return ("malformed", "To turn up names nothing more.") if len(event) != 2 else None
    return _refused_lay(state, event)


def _refused_lay(state: dict, event: list) -> tuple | None:
    laid = event[2:]
    if len(laid) != 4 or not all(type(n) is int for n in laid):
        return "malformed", "To lay, name the strip, x and y of its first square and 0 to 3."
    if not 0 <= laid[3] < len(STEPS):
        return "malformed", "A strip lies 0 right, 1 down, 2 left or 3 up of its first square."
    return refused_lay(state, laid)


def packed(state: dict, seat: int) -> list | None:
    """`legal` in a form that fits a line of the wire: [kind, seat, strips, spots], or None.

    Hundreds of events differ only by strip, spot and direction. `unpacked` writes them out.
    """
    if seats_asked(state) != [seat]:
        return None
    if state["phase"][0] == "turn_up":
        return ["turn_up", seat]
    return ["lay", seat, list(state["held"]), pack_spots(_spots(state))]


def _spots(state: dict) -> list:
    top, _ = surface(state["strips"], state["laid"])
    return places(top, state["options"]["bounds"])


def unpacked(brief: list | None) -> list[list]:
    """The events that `packed` stands for."""
    if brief is None:
        return []
    if brief[0] == "turn_up":
        return [brief]
    return _lays(brief[1], brief[2], unpack_spots(brief[3]))


def legal(state: dict, seat: int) -> list[list]:
    """All events that the seat may send now: turn up, or every strip in every place, in four
    directions."""
    if state["phase"][0] == "lay" and state["phase"][1] == seat:
        return _lays(seat, state["held"], numbers(_spots(state)))
    return unpacked(packed(state, seat))


def _lays(seat: int, held: list, spots: list) -> list[list]:
    """Every strip at every spot of `numbers`, either way round."""
    found = []
    for spot in spots:
        line, first = spot // ROW, spot % ROW - HALF
        if line < ROW:
            x, y, end_x, end_y, d = first, line - HALF, first + 2, line - HALF, 0
        else:
            x, y, end_x, end_y, d = line - ROW - HALF, first, line - ROW - HALF, first + 2, 1
        for strip in held:
            found.append(["lay", seat, strip, x, y, d])
            found.append(["lay", seat, strip, end_x, end_y, d + 2])
    return found


def seats_asked(state: dict) -> list[int]:
    """The seat on turn."""
    return [] if state["phase"][0] == "over" else [state["phase"][1]]


def arbiter(state: dict) -> int | None:
    """The seat that decides where a doubtful chip lies: the one whose turn it is."""
    return None if state["phase"][0] == "over" else state["phase"][1]


def over(state: dict) -> bool:
    """True after the last strip that fits, or if somebody ended a turn with three rats."""
    return bool(state["phase"][0] == "over")


def standing(state: dict) -> list[list]:
    """[[seat, rank, {"points": n}], ...]; the final count is in once the strips are used up.

    After a loss by rats nothing is scored: the winner is first, whatever the points.
    """
    total = [points(state, 0), points(state, 1)]
    phase = state["phase"]
    if phase[:2] == ["over", "end"]:
        _, face = surface(state["strips"], state["laid"])
        total = [a + b for a, b in zip(total, final_count(face))]  # noqa: B905 - two and two
    order = [0, 1] if total[0] >= total[1] else [1, 0]
    equal = total[0] == total[1]
    if phase[:2] == ["over", "rats"]:
        order, equal = [phase[2], 1 - phase[2]], False
    return [[seat, 1 if equal else i + 1, {"points": total[seat]}] for i, seat in enumerate(order)]


def undoable(state: dict, event: list) -> bool:
    """Laying reveals nothing and can be taken back until strips are turned up or it is over."""
    if _refusal(state, event) or event[0] != "lay":
        return False
    return not over(step(state, event)[0])
