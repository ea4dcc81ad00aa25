"""Choosing one of several things with the keyboard: by its number, or by arrows and Enter."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType
from rich.markup import escape
from rich.text import Text

ROWS = 17  # that a question may fill where nobody says otherwise
LEAST_PAGE = 3  # items shown at once


class Menu:
    """A numbered list. Digits and Enter choose by number, arrows move, Enter takes the marked one.

    The first item is marked at the start, so Enter alone takes the first: put the harmless or
    usual choice there.
    """

    def __init__(self, title: str, items: Sequence[tuple[str, Any]]) -> None:
        if not items:
            raise ValueError("there is nothing to choose")
        self.title = title
        self.items = list(items)
        self.marked = 0
        self.typed = ""
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
            mark = "[reverse]" if index == self.marked else ""
            lines.append(f"{mark}{index + 1:3} {label}{'[/]' if mark else ''}")
        if len(self.items) > page:
            lines.append(f"[dim]    {len(self.items)} in all, arrows show more[/]")
        typed = f"  number: {escape(self.typed)}" if self.typed else ""
        lines.append(f"[dim]a number or arrows, then Enter{typed}[/]")
        return Text.from_markup("\n".join(lines))

    def key(self, key: str) -> Any:
        """Take one key; the value of the chosen item, or None while there is none yet."""
        if key in ("up", "down"):
            self.typed = ""
            self.marked = (self.marked + (1 if key == "down" else -1)) % len(self.items)
        elif key in ("pageup", "pagedown"):
            self.typed = ""
            moved = self.marked + (self._page if key == "pagedown" else -self._page)
            self.marked = max(0, min(moved, len(self.items) - 1))
        elif key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self.typed = ""
        elif key.isdigit():
            self.typed += key
            number = int(self.typed)
            if not 1 <= number <= len(self.items):
                self.typed = ""
                raise ValueError(f"there is no number {number}: 1 to {len(self.items)}")
            self.marked = number - 1
        elif key == "enter":
            return self.items[self.marked][1]
        elif len(key) == 1:
            raise ValueError(f"`{key}` means nothing here: type a number, or use the arrows")
        return None


class Number:
    """A whole number within bounds, typed or changed by arrows."""

    def __init__(self, title: str, low: int, high: int, start: int) -> None:
        self.title, self.low, self.high, self.value = title, low, high, start
        self.typed = ""

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The number as it is, with its bounds."""
        return Text.from_markup(
            f"[bold]{self.title}[/]\n   [reverse] {self.typed or self.value} [/]  "
            f"({self.low} to {self.high})\n[dim]digits or arrows, then Enter[/]"
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
                raise ValueError(f"{number} is not from {self.low} to {self.high}")
            return number
        elif len(key) == 1:
            raise ValueError(f"`{key}` is not a digit")
        return None
