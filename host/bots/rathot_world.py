"""Rat Hot for the search: moves are whole turns, chance is the order of the pile.

Its own turns are ranked by the outlook after them, and only the best are searched. The other is
expected to do what the sensible bot would do with the strips that a guess turns up for him.
"""

from typing import Any

from spiceboard.host.bots.rathot_danger import outlook
from spiceboard.host.bots.rathot_model import Layout, Move

Turn = tuple[Move, ...]  # the placements of a turn in their order
FIRSTS, SECONDS = 80, 15  # placements of the first strip, and of the second after each, weighed
BEHIND = 0.25  # a turn whose outlook is so much worse than the best one's is not searched
ANSWERS = 4  # first placements that are weighed with the second one, and more while all lose
LOST = -30.0  # scores below are of turns that end with three own rats


class Play:
    """A guessed game whose moves are whole turns (a `World`)."""

    def __init__(self, layout: Layout, patience: int) -> None:
        self.layout = layout
        self.patience = patience  # turns after which `value` looks

    @property
    def turn(self) -> int:
        """The seat whose turn it is."""
        return self.layout.turn

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.layout.over

    def moves(self) -> list[tuple[float, Turn]]:
        """The one turn that is expected of the seat on turn."""
        layout = self.layout
        found = layout.placements()
        if len(layout.held) == 1:
            return [(found[0][0], (found[0][1],))]
        best: tuple[float, Turn] | None = None
        saved = False
        for n, (score, first) in enumerate(found):
            if n >= ANSWERS and saved:
                break
            after = layout.copy([])
            after.play(first)
            more, second = after.placements()[0]
            if best is None or score + more > best[0]:
                best = (score + more, (first, second))
                saved = score + more > LOST
        assert best is not None  # a strip can always be laid
        return [best]

    def play(self, move: Turn) -> None:
        """Lay the strips of a turn."""
        for each in move:
            self.layout.play(each)

    def value(self) -> float:
        """How likely seat 0 wins, after the next expected turns."""
        while not self.over and self.layout.turns < self.patience:
            self.play(self.moves()[0][1])
        return outlook(self.layout)


def ranked(layout: Layout, width: int) -> list[tuple[float, Turn]]:
    """The best turns of the seat on turn by the outlook after them (0.0 to 1.0), best first.

    The order of the pile plays no part in it, so every guess has the same.
    """
    found: list[tuple[float, Turn]] = []
    seen: set[Any] = set()
    for _, first in layout.placements()[: FIRSTS if len(layout.held) > 1 else FIRSTS * SECONDS]:
        after = layout.copy(list(layout.pile))
        after.play(first)
        if len(layout.held) == 1:
            found.append((_outlook_of(after, layout.turn), (first,)))
            continue
        for _, second in after.placements()[:SECONDS]:
            if frozenset((first, second)) not in seen:
                seen.add(frozenset((first, second)))
                end = after.copy(list(layout.pile))
                end.play(second)
                found.append((_outlook_of(end, layout.turn), (first, second)))
    found.sort(key=lambda item: -item[0])
    return [item for item in found[:width] if item[0] > found[0][0] - BEHIND]


def _outlook_of(layout: Layout, seat: int) -> float:
    value = outlook(layout)
    return value if seat == 0 else 1.0 - value
