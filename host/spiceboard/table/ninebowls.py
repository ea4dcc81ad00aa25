"""Nine Bowls at the terminal table: who has which bowl, and a menu of those that are free."""

from typing import Any

from rich.console import RenderableType
from rich.text import Text

from spiceboard.table.announcements import words
from spiceboard.table.board import COLOURS
from spiceboard.table.menu import Menu
from spiceboard.table.panel import Chooser, Event, View
from spicecore.games.ninebowls.rules import SEATS
from spicecore.parts import BOWLS, ZONES


def name(seat: int | None) -> str:
    """A seat in its colour, as markup."""
    if seat is None:
        return "nobody"
    return f"[{COLOURS[SEATS[seat]]}]{SEATS[seat].capitalize()}[/]"


def labels(view: View) -> dict[str, list[str]]:
    """The owner of each bowl; nothing beside the small rings."""
    result = {zone: [""] for zone in ZONES[BOWLS:]}
    for bowl, zone in enumerate(ZONES[:BOWLS]):
        seat = view["bowls"][bowl] if view else None
        result[zone] = [zone, name(seat) if seat is not None else "[dim]free[/]"]
    return result


def public(view: View) -> RenderableType:
    """How many bowls each has."""
    if not view:
        return Text("no game is on")
    counts = [f"{name(seat)} has {view['bowls'].count(seat)}" for seat in (0, 1)]
    return Text.from_markup(f"{', '.join(counts)}, {view['bowls'].count(None)} are free")


def picture(view: View, rows: int) -> RenderableType | None:
    """Nothing grows beside the board."""
    return None


def hand(view: View, seat: int) -> RenderableType | None:
    """Nothing is hidden in this game."""
    return None


def private(legal: list[Event]) -> bool:
    """Nothing is hidden in this game."""
    return False


def prompt(view: View) -> str:
    """Who must do what now."""
    if not view:
        return "no game is on"
    phase = view["phase"]
    if phase[0] == "occupy":
        return f"{name(phase[1])} lays a chip into a free bowl."
    if phase[1] == "line":
        return f"{name(phase[2])} has three in a line and wins!"
    return "All bowls are taken: a draw." if phase[1] == "full" else "The game was ended."


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    return words(event[2])


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log."""
    kind, parts = effect[1], effect[2:]
    if kind == "occupied":
        return f"{name(parts[0])} takes {words(parts[1])}"
    if kind == "aligned":
        return f"[bold]{name(parts[0])} has a line: {', '.join(map(words, parts[1]))}[/]"
    if kind == "over" and parts[0] is None:
        return "[bold]nobody has a line: a draw[/]"
    return "the game was ended" if kind == "aborted" else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """A menu of the free bowls."""
    items = [(describe(event, view), event) for event in legal]
    return Menu(f"{name(seat)}, into which bowl?", items)
