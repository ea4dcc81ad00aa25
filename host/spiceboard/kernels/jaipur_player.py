"""Jaipur's strong bot: from a view to an event, by a search on the kernel."""

from typing import Any

from spiceboard.kernels.jaipur_play import worths
from spiceboard.kernels.jaipur_search import search
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.jaipur_text import event_of
from spiceboard.kernels.jaipur_view import from_view
from spiceboard.kernels.jaipur_worths import load


def think(view: dict[str, Any], games: int, chance: int) -> list[Any]:
    """The event to send, after at most about `games` rounds played out; chance: 1..2**30 - 1."""
    s = from_view(view)
    _, move = search(s, tables(), worths(), load(), view["seat"], games, chance)
    return event_of(s, move)
