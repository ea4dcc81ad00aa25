"""Jaipur's strong bot: from a view to an event, by a search on the kernel."""

from typing import Any

from spiceboard.kernels.jaipur_play import search, worths
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.jaipur_text import event_of
from spiceboard.kernels.jaipur_view import from_view


def think(view: dict[str, Any], games: int, chance: int) -> list[Any]:
    """The event to send, after about `games` rounds played out; chance: 1..2**30 - 1."""
    s = from_view(view)
    _, move = search(s, tables(), worths(), view["seat"], games, chance)
    return event_of(s, move)
