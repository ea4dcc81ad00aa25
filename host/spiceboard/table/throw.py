"""Throwing on a virtual board: which chip, at which zone, how hard."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderableType

from spiceboard.bots.targets import ZONES
from spiceboard.table.announcements import words
from spiceboard.table.menu import ROWS, Menu, Number
from spiceboard.words import _


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
        items = [(_("the {value}").format(value=chip[1:]), chip) for chip in self.chips]
        self.question: Menu | Number = Menu(
            _("{name}, which chip do you throw?").format(name=self.who),
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
            zones = [(words(zone), zone) for zone in ZONES]
            title = _("{name}, at which zone?  (escape: another chip)").format(name=self.who)
            self.question = Menu(title, zones)
        elif "zone" not in self.aim:
            self.aim["zone"] = answer
            title = _("How hard? Soft is exact, hard pushes others.")
            self.question = Number(title, 0, 10, 3)
        else:
            return {**self.aim, "strength": answer / 10}
        return None
