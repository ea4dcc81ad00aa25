"""Bots for Jaipur: a random one, one that weighs every turn by itself, and one that searches."""

from typing import Any

from spiceboard.bots.bot import Event, RandomBot, View, beginner, maker
from spiceboard.bots.compiled import CompiledBot
from spiceboard.bots.jaipur_model import KINDS, Move, Trade, guess
from spiceboard.bots.search import search
from spiceboard.words import N_

PASSES = 120  # worlds that the searcher looks at for a decision
PATIENCE = 6  # plies that it plays on from a new position
WIDTH = 8  # moves of a position that it looks at
ANSWERS = 1000  # that the strong bot looks for in a decision, at most about


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


class Strong(CompiledBot):
    """Rates moves and the other's best answers by a network, for many guesses of what is hidden.

    It needs the compiled kernels (the extra `fast`).
    """

    def __init__(self, seat: int, seed: int) -> None:
        super().__init__(seat, seed)
        from spiceboard.kernels import jaipur_player, jaipur_search  # here: they need numba

        self.think = jaipur_player.think
        self.kernel = jaipur_search.search
        self.swaps = 0  # exchanges in a row

    def decide(self, view: View, legal: list[Event]) -> Event:
        event = legal[0]
        if len(legal) > 1 and view["phase"][0] == "turn":
            event = self.think(view, self.swaps, ANSWERS, self.chance.randrange(1, 1 << 30))
        self.swaps = self.swaps + 1 if event[0] == "exchange" else 0
        return event


BOTS = {
    "random": maker(RandomBot),
    "beginner": beginner(maker(Sensible)),
    "sensible": maker(Sensible),
    "searcher": maker(Searcher),
    "strong": maker(Strong),
}
COMPILED = ("strong",)
THINKS = {
    "sensible": N_("what each turn gains its own hand, and what it uncovers for the other"),
    "strong": N_("how the round may end, for many guesses of the other's hand and the deck"),
}
