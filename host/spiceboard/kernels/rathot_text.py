"""Between Rat Hot's kernel and the rules core: positions, moves and events."""

from typing import Any

import numpy as np

from spiceboard.kernels import rathot as kernel
from spicecore.games.rathot import rules
from spicecore.games.rathot.strips import STANDARD

FACES = "_12345678rgs"  # their numbers in the kernel are their places here
PHASES = ("turn_up", "lay", "over")
REASONS = ("end", "rats", "aborted")
Position = Any  # an int32 array of kernel.LENGTH


def strip_codes(strips: list[str] = STANDARD) -> Any:
    """A set of strips for `kernel.new`."""
    codes = [sum(FACES.index(face) << 4 * k for k, face in enumerate(each)) for each in strips]
    return np.array(codes, np.int32)


def from_text(line: str) -> Position:
    """The position of a line of the rules' notation. ValueError says what is wrong with it."""
    return from_state(rules.parse(line))


def to_text(s: Position) -> str:
    """The line of a position."""
    return rules.text(to_state(s))


def from_state(state: dict[str, Any]) -> Position:
    """The kernel's position of a state of the rules core; what was laid before is not undone."""
    s = np.zeros(kernel.LENGTH, np.int32)
    options, phase = state["options"], state["phase"]
    s[kernel.TOUCHING] = options["groups"] == "touching"
    s[kernel.BOUNDS : kernel.BOUNDS + 2] = options["bounds"] or [0, 0]
    s[kernel.FIRST] = state["first"]
    s[kernel.STRIPS : kernel.STRIPS + 43] = strip_codes(state["strips"])
    s[kernel.BOX : kernel.BOX + 4] = kernel.HALF
    for laid in state["laid"]:
        kernel.put(s, move_of(["lay", 0, *laid]))
    s[kernel.HELD_SIZE], s[kernel.PILE_SIZE] = len(state["held"]), len(state["pile"])
    s[kernel.HELD : kernel.HELD + len(state["held"])] = state["held"]
    s[kernel.PILE : kernel.PILE + len(state["pile"])] = state["pile"]
    s[kernel.CHIPS : kernel.CHIPS + 4] = [*state["chips"][0], *state["chips"][1]]
    s[kernel.RESERVE : kernel.RESERVE + 2] = state["reserve"]
    s[kernel.NOTED : kernel.NOTED + 2] = state["noted"]
    s[kernel.PHASE] = PHASES.index(phase[0])
    s[kernel.WHO] = -1 if phase[-1] is None else phase[-1]
    s[kernel.REASON] = REASONS.index(phase[1]) if phase[0] == "over" else 0
    return s


def to_state(s: Position) -> dict[str, Any]:
    """The state of the rules core that a position stands for."""
    who = None if s[kernel.WHO] < 0 else int(s[kernel.WHO])
    name = PHASES[s[kernel.PHASE]]
    chips = s[kernel.CHIPS : kernel.CHIPS + 4].tolist()
    codes = s[kernel.STRIPS : kernel.STRIPS + 43].tolist()
    bounds = s[kernel.BOUNDS : kernel.BOUNDS + 2].tolist()
    laid = s[kernel.LAID : kernel.LAID + s[kernel.LAID_SIZE]].tolist()
    return {
        "options": {
            "groups": "touching" if s[kernel.TOUCHING] else "changed",
            "bounds": bounds if bounds[0] else None,
        },
        "first": int(s[kernel.FIRST]),
        "strips": ["".join(FACES[code >> 4 * k & 15] for k in range(3)) for code in codes],
        "laid": [event_of(s, move)[2:] for move in laid],
        "held": s[kernel.HELD : kernel.HELD + s[kernel.HELD_SIZE]].tolist(),
        "pile": s[kernel.PILE : kernel.PILE + s[kernel.PILE_SIZE]].tolist(),
        "chips": [chips[:2], chips[2:]],
        "reserve": s[kernel.RESERVE : kernel.RESERVE + 2].tolist(),
        "noted": s[kernel.NOTED : kernel.NOTED + 2].tolist(),
        "phase": [name, REASONS[s[kernel.REASON]], who] if name == "over" else [name, who],
    }


def event_of(s: Position, move: int) -> list[Any]:
    """The rules' event of a move of the kernel."""
    move, seat = int(move), int(s[kernel.WHO])
    if move == kernel.TURN_UP:
        return ["turn_up", seat]
    y, x = divmod(move >> 8, kernel.ROW)
    return ["lay", seat, move & 63, x - kernel.HALF, y - kernel.HALF, move >> 6 & 3]


def move_of(event: list[Any]) -> int:
    """The kernel's move of an event of a seat."""
    if event[0] == "turn_up":
        return kernel.TURN_UP
    strip, x, y, direction = event[2:]
    return int(strip | direction << 6 | ((y + kernel.HALF) * kernel.ROW + x + kernel.HALF) << 8)
