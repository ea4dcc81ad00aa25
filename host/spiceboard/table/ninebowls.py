"""Nine Bowls at the terminal table: who has which bowl, and a menu of those that are free."""

from typing import Any

from rich.console import RenderableType
from rich.text import Text

from spiceboard.table.announcements import words
from spiceboard.table.board import COLOURS
from spiceboard.table.menu import Menu
from spiceboard.table.open_game import arbiter as arbiter
from spiceboard.table.open_game import hand as hand
from spiceboard.table.open_game import private as private
from spiceboard.table.open_game import slow as slow
from spiceboard.table.panel import Chooser, Event, View
from spiceboard.words import _
from spiceboard.words.places import place
from spicecore.games.ninebowls.rules import SEATS
from spicecore.parts import BOWLS, ZONES


def name(seat: int | None) -> str:
    """A seat in its colour, as markup."""
    if seat is None:
        return _("nobody")
    return f"[{COLOURS[SEATS[seat]]}]{_(SEATS[seat].capitalize())}[/]"


def labels(view: View) -> dict[str, list[str]]:
    """The owner of each bowl; nothing beside the small rings."""
    result = {zone: [""] for zone in ZONES[BOWLS:]}
    for bowl, zone in enumerate(ZONES[:BOWLS]):
        seat = view["bowls"][bowl] if view else None
        result[zone] = [words(zone), name(seat) if seat is not None else _("free")]
    return result


def public(view: View) -> RenderableType:
    """How many bowls each has."""
    if not view:
        return Text(_("no game is on"))
    bowls = view["bowls"]
    text = _("{blue} has {a}, {red} has {b}, {n} are free").format(
        blue=name(0), a=bowls.count(0), red=name(1), b=bowls.count(1), n=bowls.count(None)
    )
    return Text.from_markup(text)


def picture(view: View, rows: int) -> RenderableType | None:
    """Nothing grows beside the board."""
    return None


def prompt(view: View) -> str:
    """Who must do what now."""
    if not view:
        return _("no game is on")
    phase = view["phase"]
    if phase[0] == "occupy":
        return _("{name} lays a chip into a free bowl.").format(name=name(phase[1]))
    if phase[1] == "line":
        return _("{name} has three in a line and wins!").format(name=name(phase[2]))
    return _("All bowls are taken: a draw.") if phase[1] == "full" else _("The game was ended.")


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    return words(event[2])


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log."""
    kind, parts = effect[1], effect[2:]
    if kind == "occupied":
        return _("{name} takes {bowl}").format(name=name(parts[0]), bowl=place(parts[1]))
    if kind == "aligned":
        bowls = ", ".join(map(words, parts[1]))
        return _("{name} has a line: {bowls}").format(name=name(parts[0]), bowls=bowls)
    if kind == "over" and parts[0] is None:
        return _("nobody has a line: a draw")
    return _("the game was ended") if kind == "aborted" else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """A menu of the free bowls."""
    items = [(describe(event, view), event) for event in legal]
    return Menu(_("{name}, into which bowl?").format(name=name(seat)), items)
