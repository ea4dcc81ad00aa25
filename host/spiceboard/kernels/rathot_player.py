"""Rat Hot's strong bot: from a view to an event, by a search on the kernel."""

from typing import Any

from spiceboard.bots.rathot_model import unseen
from spiceboard.kernels.rathot_search import search
from spiceboard.kernels.rathot_text import event_of, from_state


def from_view(view: dict[str, Any]) -> Any:
    """The kernel's position for `view(state, seat)`; the pile is in order."""
    return from_state({**view, "pile": unseen(view)})


def think(view: dict[str, Any], passes: int, chance: int) -> list[Any]:
    """The event to send, after about `passes` turns played on; chance: 1..2**30 - 1."""
    s = from_view(view)
    _, move = search(s, view["phase"][1], passes, chance)
    return event_of(s, move)
