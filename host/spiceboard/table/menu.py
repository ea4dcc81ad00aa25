"""Choosing one of several things with the keyboard: by its number, or by arrows and Enter."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.markup import escape
from rich.text import Text

from spiceboard.words import _

ROWS = 17  # that a question may fill where nobody says otherwise
LEAST_PAGE = 3  # items shown at once


class Menu:
    """A numbered list. Digits and Enter choose by number, arrows move, Enter takes the marked one.

    The first item is marked at the start, so Enter alone takes the first: put the harmless or
    usual choice there. A list of one is taken by its number alone, too. After a number that there
    is not, Enter takes nothing until something else is chosen.
    """

    def __init__(self, title: str, items: Sequence[tuple[str, Any]]) -> None:
        if not items:
            raise ValueError("there is nothing to choose")
        self.title = title
        self.items = list(items)
        self.marked = 0
        self.typed = ""
        self._wrong: int | None = None  # a number that there is not
        self._page = len(items)  # as last drawn

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The page of the list around the marked item."""
        page = len(self.items)
        if page > rows - 2:  # title and hint; and then a line that says that there is more
            page = max(LEAST_PAGE, rows - 3)
        self._page = page
        first = max(0, min(self.marked - page // 2, len(self.items) - page))
        lines = [f"[bold]{self.title}[/]"]
        for index, (label, _value) in list(enumerate(self.items))[first : first + page]:
            mark = "[reverse]" if index == self.marked and self._wrong is None else ""
            lines.append(f"{mark}{index + 1:3} {label}{'[/]' if mark else ''}")
        if len(self.items) > page:
            more = _("{n} in all, arrows show more").format(n=len(self.items))
            lines.append(f"[dim]    {more}[/]")
        hint = _("a number or arrows, then Enter") if len(self.items) > 1 else _("Enter")
        number = _("number: {n}").format(n=escape(self.typed))
        typed = f"  {number}" if self.typed else ""
        lines.append(f"[dim]{hint}{typed}[/]")
        return Text.from_markup("\n".join(lines))

    def key(self, key: str) -> Any:
        """Take one key; the value of the chosen item, or None while there is none yet."""
        if key == "enter":
            if self._wrong is not None:
                raise ValueError(self._no_such(self._wrong))
            self.typed = ""  # if the choice is refused, the next digit begins a new number
            return self.items[self.marked][1]
        if key in ("up", "down"):
            self._mark((self.marked + (1 if key == "down" else -1)) % len(self.items))
        elif key in ("pageup", "pagedown"):
            moved = self.marked + (self._page if key == "pagedown" else -self._page)
            self._mark(max(0, min(moved, len(self.items) - 1)))
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self._mark(self.marked)
        elif key.isdigit():
            return self._digit(key)
        elif len(key) == 1:
            text = _("`{key}` means nothing here: type a number, or use the arrows")
            raise ValueError(text.format(key=key))
        return None

    def _mark(self, index: int) -> None:
        self.marked, self.typed, self._wrong = index, "", None

    def _digit(self, key: str) -> Any:
        typed = ("" if self._wrong is not None else self.typed) + key
        number = int(typed)
        if not 1 <= number <= len(self.items):
            self.typed, self._wrong = "", number
            raise ValueError(self._no_such(number))
        self._mark(number - 1)
        self.typed = typed
        return self.items[0][1] if len(self.items) == 1 else None

    def _no_such(self, number: int) -> str:
        text = _("there is no number {number}: 1 to {n}")
        return text.format(number=number, n=len(self.items))


class Number:
    """A whole number within bounds, typed or changed by arrows."""

    def __init__(self, title: str, low: int, high: int, start: int) -> None:
        self.title, self.low, self.high, self.value = title, low, high, start
        self.typed = ""

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The number as it is, with its bounds."""
        bounds = _("({low} to {high})").format(low=self.low, high=self.high)
        hint = _("digits or arrows, then Enter")
        return Text.from_markup(
            f"[bold]{self.title}[/]\n   [reverse] {self.typed or self.value} [/]  {bounds}\n"
            f"[dim]{hint}[/]"
        )

    def key(self, key: str) -> int | None:
        """Take one key; the number when Enter was pressed, else None."""
        if key in ("up", "right", "down", "left"):
            self.typed = ""
            step = 1 if key in ("up", "right") else -1
            self.value = max(self.low, min(self.value + step, self.high))
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key.isdigit():
            self.typed = (self.typed + key)[-6:]
        elif key == "enter":
            number = int(self.typed) if self.typed else self.value
            self.typed = ""
            if not self.low <= number <= self.high:
                text = _("{number} is not from {low} to {high}")
                raise ValueError(text.format(number=number, low=self.low, high=self.high))
            return number
        elif len(key) == 1:
            raise ValueError(_("`{key}` is not a digit").format(key=key))
        return None
