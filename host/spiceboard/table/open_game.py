"""What is the same at the terminal table in every game in which nothing is hidden."""

from typing import Any

from rich.console import RenderableType

from spiceboard.table.panel import Event, View


def hand(view: View, seat: int) -> RenderableType | None:
    """Nothing is hidden."""
    return None


def private(legal: list[Event]) -> bool:
    """Nothing is hidden."""
    return False


def arbiter(view: View) -> int | None:
    """The seat on turn decides doubts."""
    return None if view["phase"][0] == "over" else int(view["phase"][1])


def slow(effect: list[Any]) -> bool:
    """Nothing is turned up that people wait for."""
    return False
