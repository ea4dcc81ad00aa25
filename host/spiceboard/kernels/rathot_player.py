"""Rat Hot's strong bot: from a view to a turn, by a search on the kernel."""

from typing import Any

from spiceboard.bots.rathot_model import unseen
from spiceboard.kernels.rathot_search import search
from spiceboard.kernels.rathot_text import event_of, from_state
from spiceboard.kernels.rathot_turns import desk, found
from spiceboard.kernels.rathot_value import load

WIDTH = 12  # turns that the search looks at
ANSWERS = 4  # turns from which the best answer is found


def from_view(view: dict[str, Any]) -> Any:
    """The kernel's position for `view(state, seat)`; the pile is in order."""
    return from_state({**view, "pile": unseen(view)})


def think(view: dict[str, Any], passes: int, chance: int) -> list[list[Any]]:
    """The events of the rest of the turn, after about `passes` answers; chance: 1..2**30 - 1."""
    s = from_view(view)
    best = found(WIDTH)
    search(s, passes, chance, desk(load()), best, found(ANSWERS))
    return [event_of(s, move) for move in best.turns[0] if move >= 0]
