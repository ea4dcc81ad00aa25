"""What a player of Safranito can recall of the others: which cards each took openly, and what is
in each purse. Everybody is told of purchases, sales and cooking.

It is one row of numbers, also for the compiled search: nine counts of cards a seat, then the
purses, `UNKNOWN` where a purse was not followed from the start.
"""

from typing import Any

from spiceboard.bots.bot import View
from spicecore.games.safranito.data import BLENDS, INDEX, START_MONEY

PURSES = 36  # where they begin
LENGTH = 40
UNKNOWN = -1
GONE = ("undone", "resync")  # said when what was told before may no longer be so


def unknown() -> list[int]:
    """The row of a player who has seen nothing of the game so far."""
    return [0] * PURSES + [UNKNOWN] * (LENGTH - PURSES)


def opening() -> list[int]:
    """The row at the beginning of a game."""
    return [0] * PURSES + [START_MONEY] * (LENGTH - PURSES)


class Memory:
    """`row` holds for each seat the cards that it surely has, and its purse in rupees."""

    def __init__(self) -> None:
        self.row = unknown()

    def look(self, view: View) -> list[int]:
        """The row, for a seat that decides now; what contradicts its view is forgotten."""
        if view["round"] == 1 and view["phase"][0] == "throw":
            self.row = opening()
        for seat in range(view["players"]):
            if sum(self.row[9 * seat : 9 * seat + 9]) > view["cards"][seat]:
                self.row = unknown()
        return self.row

    def hear(self, told: list[Any]) -> None:
        """What everybody is told (docs/notation.md), without the first None."""
        kind = told[0]
        if kind == "bought":
            self._change(told[1], INDEX[told[2]], 1, -told[3])
        elif kind == "sold":
            self._change(told[1], INDEX[told[2]], -told[3], told[4])
        elif kind == "cooked":
            for spice in BLENDS[told[2]]:
                self._change(told[1], spice, -1, 0)
        elif kind in GONE:
            self.row = unknown()

    def _change(self, seat: int, spice: int, cards: int, rupees: int) -> None:
        """A card that goes without being known was one that nobody had seen."""
        at = 9 * seat + spice
        self.row[at] = max(0, self.row[at] + cards)
        if self.row[PURSES + seat] != UNKNOWN:
            self.row[PURSES + seat] += rupees
