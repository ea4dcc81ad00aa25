"""Rat Hot for the search: moves are whole turns, chance is the order of the pile.

Its own turns are ranked by the outlook after them, and only the best are searched. The other is
expected to do what the sensible bot would do with the strips that a guess turns up for them.
"""

from spiceboard.bots.rathot_danger import outlook
from spiceboard.bots.rathot_model import Layout, Move

Turn = tuple[Move, ...]  # the placements of a turn in their order
FIRSTS, SECONDS = 80, 15  # placements of the first strip, and of the second after each, weighed
PROMISING = 6  # first placements after which the second is tried all over the table
BEHIND = 0.25  # a turn whose outlook is so much worse than the best one's is not searched
ANSWERS, MOST = 4, 16  # first placements weighed with the second one; and while all of them lose
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
        for n, (score, first) in enumerate(found[:MOST]):
            if n >= ANSWERS and saved:
                break
            after = layout.copy([])
            after.play(first)
            more: float = 0.0
            then: Turn = ()
            if not after.over:  # the table may be full after the first strip
                more, second = after.placements()[0]
                then = (second,)
            if best is None or score + more > best[0]:
                best = (score + more, (first, *then))
                saved = score + more > LOST
        assert best is not None  # the rules end a game in which no strip fits
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

    The order of the pile plays no part in it, so every guess has the same. For the most promising
    first strips the second is tried in every place on the table, for what it does to the rats.
    """
    found: dict[frozenset[Move], tuple[float, Turn]] = {}
    afters: dict[Move, Layout] = {}

    def look(before: Layout, *turn: Move) -> None:
        """Weigh a turn by the layout before its last strip."""
        if frozenset(turn) not in found:
            value = outlook(_after(before, turn[-1]))
            found[frozenset(turn)] = (value if layout.turn == 0 else 1.0 - value, turn)

    firsts = [move for _, move in layout.placements()]
    if len(layout.held) == 1:
        for move in firsts + layout.table_places(layout.held[0]):
            look(layout, move)
        return _best(found, width)
    for first in firsts[:FIRSTS]:
        after = afters[first] = _after(layout, first)
        if after.over:
            look(layout, first)
            continue
        for _, second in after.placements()[:SECONDS]:
            look(after, first, second)
    promising = dict.fromkeys(turn[0] for _, turn in _best(found, len(found)))
    for first in list(promising)[:PROMISING]:
        after = afters[first]
        for second in [] if after.over else after.table_places(after.held[0]):
            look(after, first, second)
    return _best(found, width)


def _after(layout: Layout, move: Move) -> Layout:
    after = layout.copy(list(layout.pile))
    after.play(move)
    return after


def _best(
    found: dict[frozenset[Move], tuple[float, Turn]], width: int
) -> list[tuple[float, Turn]]:
    best = sorted(found.values(), key=lambda item: -item[0])[:width]
    return [item for item in best if item[0] > best[0][0] - BEHIND]
