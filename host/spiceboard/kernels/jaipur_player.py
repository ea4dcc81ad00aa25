"""Jaipur's strong bot: from a view to an event, by a search on the kernel."""

from typing import Any

from spiceboard.kernels.jaipur_search import search
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.jaipur_text import event_of
from spiceboard.kernels.jaipur_value import load
from spiceboard.kernels.jaipur_view import from_view


def think(view: dict[str, Any], swaps: int, passes: int, chance: int) -> list[Any]:
    """The event to send, after at most about `passes` answers were looked for.

    swaps: exchanges that the seat on turn has made in a row; chance: 1..2**30 - 1.
    """
    s = from_view(view)
    _, move = search(s, tables(), load(), swaps, passes, chance)
    return event_of(s, move)
