"""What has happened, a line each, in the language that is spoken when it is read."""

import time
from collections import deque
from collections.abc import Callable

SLOW_S = 0.5  # between the lines of what people want to follow one by one
KEPT = 400  # lines
Line = Callable[[], str | None]  # markup; None: not worth a line


class Story:
    """Lines that were told, and those that are still to come, one by one."""

    def __init__(self) -> None:
        self._told: deque[Line] = deque(maxlen=KEPT)
        self._coming: deque[Line] = deque()
        self._next = 0.0

    def add(self, line: Line, slow: bool = False) -> None:
        """Tell a line; a text of several lines is told line by line. slow: one after another."""
        text = line()
        if not text:
            return
        parts = len(text.split("\n"))
        for number in range(parts):
            part = line if parts == 1 else part_of(line, number)
            if slow or self._coming:
                self._coming.append(part)
            else:
                self._told.append(part)

    def go_on(self) -> None:
        """Tell what is due by now."""
        while self._coming and time.monotonic() >= self._next:
            self._told.append(self._coming.popleft())
            self._next = time.monotonic() + SLOW_S

    @property
    def telling(self) -> bool:
        """Is there more to come?"""
        return bool(self._coming)

    def lines(self) -> list[str]:
        """All that was told, the newest last."""
        return [text for line in self._told if (text := line())]


def part_of(line: Line, number: int) -> Line:
    """One line of a text that has several, in every language equally many."""

    def part() -> str | None:
        parts = (line() or "").split("\n")
        return parts[number] if number < len(parts) else None

    return part
