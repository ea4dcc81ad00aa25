"""Bots for Jaipur: a random one, one that weighs every turn by itself, and one that searches."""

from typing import Any

from spiceboard.bots.bot import Event, RandomBot, View, maker
from spiceboard.bots.jaipur_model import KINDS, Move, Trade, guess
from spiceboard.bots.search import search

PASSES = 120  # worlds that the searcher looks at for a decision
PATIENCE = 6  # plies that it plays on from a new position
WIDTH = 8  # moves of a position that it looks at


def event_of(move: Move, seat: int) -> Event:
    """The game's event of a move of the model."""
    if move[0] == "camels":
        return ["camels", seat]
    if move[0] == "exchange":
        return ["exchange", seat, *([KINDS[k] for k in cards] for cards in move[1:])]
    return [move[0], seat, KINDS[move[1]], *move[2:]]


class Sensible(RandomBot):
    """Takes what its hand gains most from, sells while tokens are dear, minds what it uncovers."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1 or view["phase"][0] != "turn":
            return legal[0]
        return event_of(guess(view, self.chance, Trade).moves()[0][1], self.seat)


class Narrow(Trade):
    """A guessed world for the search: only the best few moves are looked at."""

    def moves(self) -> list[tuple[float, Move]]:
        return super().moves()[:WIDTH]


class Searcher(RandomBot):
    """Information-set tree search over guessed hands and decks."""

    passes = PASSES

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1 or view["phase"][0] != "turn":
            return legal[0]

        def world() -> Narrow:
            trade = guess(view, self.chance, Narrow)
            trade.patience = PATIENCE
            return trade

        move: Any = search(world, self.passes)
        return event_of(move, self.seat)


BOTS = {"random": maker(RandomBot), "sensible": maker(Sensible), "searcher": maker(Searcher)}
