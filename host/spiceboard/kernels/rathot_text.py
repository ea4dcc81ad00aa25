"""Convert positions, moves and events between Rat Hot's kernel and `spicecore.games.rathot`."""

from typing import Any

import numpy as np

from spiceboard.kernels import rathot_layout as layout
from spicecore.games.rathot import rules
from spicecore.games.rathot.strips import STANDARD

FACES = "_12345678rgs"  # their numbers in the kernel are their places here
PHASES = ("turn_up", "lay", "over")
REASONS = ("end", "rats", "aborted")
Position = Any  # an int32 array of layout.LENGTH


def strip_codes(strips: list[str] = STANDARD) -> Any:
    """A set of strips as codes for `rathot_layout.new`."""
    codes = [sum(FACES.index(face) << 4 * k for k, face in enumerate(each)) for each in strips]
    return np.array(codes, np.int32)


def from_text(line: str) -> Position:
    """The position that a line of the rules' notation describes. ValueError says what is wrong."""
    return from_state(rules.parse(line))


def to_text(s: Position) -> str:
    """The line that describes a position."""
    return rules.text(to_state(s))


def from_state(state: dict[str, Any]) -> Position:
    """The kernel's position for a state of the rules; earlier strips cannot be undone in it."""
    s = np.zeros(layout.LENGTH, np.int32)
    options, phase = state["options"], state["phase"]
    s[layout.TOUCHING] = options["groups"] == "touching"
    s[layout.BOUNDS : layout.BOUNDS + 2] = options["bounds"] or [0, 0]
    s[layout.FIRST] = state["first"]
    s[layout.STRIPS : layout.STRIPS + 43] = strip_codes(state["strips"])
    s[layout.BOX : layout.BOX + 4] = layout.HALF
    for laid in state["laid"]:
        layout.put(s, move_of(["lay", 0, *laid]))
    s[layout.HELD_SIZE], s[layout.PILE_SIZE] = len(state["held"]), len(state["pile"])
    s[layout.HELD : layout.HELD + len(state["held"])] = state["held"]
    s[layout.PILE : layout.PILE + len(state["pile"])] = state["pile"]
    s[layout.CHIPS : layout.CHIPS + 4] = [*state["chips"][0], *state["chips"][1]]
    s[layout.RESERVE : layout.RESERVE + 2] = state["reserve"]
    s[layout.NOTED : layout.NOTED + 2] = state["noted"]
    s[layout.PHASE] = PHASES.index(phase[0])
    s[layout.WHO] = -1 if phase[-1] is None else phase[-1]
    s[layout.REASON] = REASONS.index(phase[1]) if phase[0] == "over" else 0
    return s


def to_state(s: Position) -> dict[str, Any]:
    """The rules' state for a position."""
    at = s[: layout.CELLS].tolist()  # whole numbers of Python, which are read many times sooner
    who = None if at[layout.WHO] < 0 else at[layout.WHO]
    name = PHASES[at[layout.PHASE]]
    bounds = at[layout.BOUNDS : layout.BOUNDS + 2]
    codes = at[layout.STRIPS : layout.STRIPS + 43]
    return {
        "options": {
            "groups": "touching" if at[layout.TOUCHING] else "changed",
            "bounds": bounds if bounds[0] else None,
        },
        "first": at[layout.FIRST],
        "strips": [FACES[c & 15] + FACES[c >> 4 & 15] + FACES[c >> 8] for c in codes],
        "laid": [_laid(move) for move in at[layout.LAID : layout.LAID + at[layout.LAID_SIZE]]],
        "held": at[layout.HELD : layout.HELD + at[layout.HELD_SIZE]],
        "pile": at[layout.PILE : layout.PILE + at[layout.PILE_SIZE]],
        "chips": [at[layout.CHIPS : layout.CHIPS + 2], at[layout.CHIPS + 2 : layout.CHIPS + 4]],
        "reserve": at[layout.RESERVE : layout.RESERVE + 2],
        "noted": at[layout.NOTED : layout.NOTED + 2],
        "phase": [name, REASONS[at[layout.REASON]], who] if name == "over" else [name, who],
    }


def _laid(move: int) -> list[int]:
    """[strip, x, y, direction] of a move that lays a strip."""
    y, x = divmod(move >> 8, layout.ROW)
    return [move & 63, x - layout.HALF, y - layout.HALF, move >> 6 & 3]


def event_of(s: Position, move: int) -> list[Any]:
    """The rules' event for a move of the kernel."""
    move, seat = int(move), int(s[layout.WHO])
    return ["turn_up", seat] if move == layout.TURN_UP else ["lay", seat, *_laid(move)]


def move_of(event: list[Any]) -> int:
    """The kernel's move for a seat's event."""
    if event[0] == "turn_up":
        return layout.TURN_UP
    strip, x, y, direction = event[2:]
    return int(strip | direction << 6 | ((y + layout.HALF) * layout.ROW + x + layout.HALF) << 8)
