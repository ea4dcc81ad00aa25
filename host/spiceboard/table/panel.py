"""What the table asks of a game: one small module `<game>.py` with these names.

The table itself knows no game. It draws the board, the log and who must act; the panel turns the
game's public view into words and pictures, and lets a person choose among legal events.
"""

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

from rich.console import RenderableType

from spiceboard.errors import UserError
from spiceboard.table.menu import ROWS

Event = list[Any]
View = dict[str, Any]


class Chooser(Protocol):
    """How a person makes one decision with the keyboard; the decision is an event, or a list of
    events that are sent one after another.

    `draw` shows the choice, in so many rows if it can. `key` takes one key ("a", "7", "enter",
    "up", "down", "left", "right", "tab", "backspace", "escape") and returns the chosen event, or
    None while more keys are needed.
    It raises ValueError with a clear sentence for a key or an entry that cannot be taken.
    One that draws what lies on the table itself has an attribute `pictured`.
    """

    def draw(self, rows: int = ROWS) -> RenderableType: ...
    def key(self, key: str) -> Event | None: ...


class Panel(Protocol):
    """The names that a module `<game>.py` offers, all pure functions of public data.

    `view` is the game's own `view(state, seat_or_None)` as it came over the wire.
    """

    def labels(self, view: View) -> dict[str, list[str]]:
        """Zone -> up to three short lines (12 characters) of rich markup, drawn inside it."""

    def public(self, view: View) -> RenderableType:
        """What everybody may see beside the board: displays, piles, money, points."""

    def picture(self, view: View, rows: int) -> RenderableType | None:
        """What grows on the table, in so many rows; None in a game without such a thing."""

    def hand(self, view: View, seat: int) -> RenderableType | None:
        """What only this seat may see; `view` is the seat's own. None: the game hides nothing."""

    def private(self, legal: list[Event]) -> bool:
        """Does a question with these answers tell by itself what only its seat may know?"""

    def name(self, seat: int) -> str:
        """A seat in its colour, as markup."""

    def prompt(self, view: View) -> str:
        """One sentence: who must do what now."""

    def describe(self, event: Event, view: View) -> str:
        """A legal event as one line of a menu."""

    def tell(self, effect: list[Any], view: View) -> str | None:
        """A public effect `[None, kind, ...]` as one line of the log; None: not worth a line."""

    def arbiter(self, view: View) -> int | None:
        """The seat that decides where a doubtful chip lies; None: anybody."""

    def slow(self, effect: list[Any]) -> bool:
        """Do people want to look at this public effect before the game goes on?"""

    def chooser(self, view: View, legal: list[Event], seat: int) -> Chooser:
        """Lets the person at `seat` choose among `legal`; usually `menu.Menu`."""


def bold(text: str) -> str:
    """Markup of a text that stands out."""
    return f"[bold]{text}[/]"


def dim(text: str) -> str:
    """Markup of a text that stands back."""
    return f"[dim]{text}[/]"


def load(game: str, find: Callable[[str], ModuleType] = importlib.import_module) -> Any:
    """The panel of a game; UserError when there is none."""
    module = f"spiceboard.table.{game}"
    try:
        return find(module)
    except ModuleNotFoundError as error:
        if error.name != module:  # it is there, and imports something that is not
            raise
        raise UserError(
            f"the table does not know the game {game!r}: the module {module} is missing"
        ) from error
