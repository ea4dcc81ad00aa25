"""Throwing on a virtual board: which chip, at which zone, how hard."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType

from spiceboard.bots.targets import ZONES
from spiceboard.table.menu import ROWS, Menu, Number


class ThrowChooser:
    """Three questions one after another; escape goes back to the first.

    `others` are decisions that may be taken instead of throwing (to pass, for instance). The
    result is such a decision, or {"chip", "zone", "strength"} with a strength of 0 to 1.
    """

    def __init__(
        self, who: str, chips: Sequence[str], others: Sequence[tuple[str, Any]] = ()
    ) -> None:
        self.who, self.chips, self.others = who, list(chips), list(others)
        self._begin()

    def _begin(self) -> None:
        self.aim: dict[str, Any] = {}
        items = [(f"the {chip[1:]}", chip) for chip in self.chips]
        self.question: Menu | Number = Menu(
            f"{self.who}, which chip do you throw?",
            [*items, *[(label, [event]) for label, event in self.others]],
        )

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The question at hand."""
        return self.question.draw(rows)

    def key(self, key: str) -> Any:
        """Take one key; the throw or decision when all is answered, else None."""
        if key == "escape":
            self._begin()
            return None
        answer = self.question.key(key)
        if answer is None:
            return None
        if isinstance(answer, list):
            return answer[0]
        if "chip" not in self.aim:
            self.aim["chip"] = answer
            zones = [(zone.replace("_", " "), zone) for zone in ZONES]
            self.question = Menu(f"{self.who}, at which zone?  (escape: another chip)", zones)
        elif "zone" not in self.aim:
            self.aim["zone"] = answer
            self.question = Number("How hard? Soft is exact, hard pushes others.", 0, 10, 3)
        else:
            return {**self.aim, "strength": answer / 10}
        return None
