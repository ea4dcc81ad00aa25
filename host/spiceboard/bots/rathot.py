"""Bots for Rat Hot: a random one, one that weighs each strip by itself, and one that searches."""

from collections.abc import Callable
from typing import Any

from spiceboard.bots.bot import Event, RandomBot, View, beginner, maker
from spiceboard.bots.compiled import CompiledBot
from spiceboard.bots.rathot_model import Layout, Move, shuffled, unseen
from spiceboard.bots.rathot_world import Play, Turn, ranked
from spiceboard.bots.search import halve
from spiceboard.words import N_

PASSES = 40  # guesses of the pile for all the turns that the searcher looks at
PATIENCE = 3  # turns that it looks ahead: its own, the other's answer, and its next
WIDTH = 6  # turns that it looks at
TRUST = 24  # passes that the first opinion of a turn is worth
ANSWERS_TRIED = 1500  # by the strong bot for a turn, at most about
PAIRS = 80  # placements of the first strip for which the sensible bot looks at the second


class Sensible(RandomBot):
    """Lays its two strips where they score most for its colour, and is afraid of its own rats."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1:
            return legal[0]
        _, move = Layout(view, unseen(view)).turn_moves(PAIRS)[0]
        return ["lay", self.seat, *move]


class Searcher(RandomBot):
    """Information-set tree search over whole turns and the other's answers to them."""

    def __init__(self, seat: int, seed: int) -> None:
        super().__init__(seat, seed)
        self.planned: tuple[list[Any], Move] | None = None  # strips laid by then, and the next

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1:
            return legal[0]
        laid = view["laid"]
        if self.planned is None or self.planned[0] != laid:
            turn = self.search(view)
            if len(turn) == 1:
                return ["lay", self.seat, *turn[0]]
            self.planned = ([*laid, list(turn[0])], turn[1])
            return ["lay", self.seat, *turn[0]]
        return ["lay", self.seat, *self.planned[1]]

    def search(self, view: View) -> Turn:
        """The rest of its turn: one or two placements."""
        pile = unseen(view)
        layout = Layout(view, pile)

        def deal() -> Callable[[], Play]:
            order = shuffled(pile, self.chance)
            return lambda: Play(layout.copy(list(order)), PATIENCE)

        turn: Turn = halve(deal, ranked(layout, WIDTH), PASSES, TRUST)
        return turn


class Strong(CompiledBot):
    """Looks at thousands of turns, and at answers to the best ones for many guesses of the pile.

    It needs the compiled kernels (the extra `fast`).
    """

    def __init__(self, seat: int, seed: int) -> None:
        super().__init__(seat, seed)
        from spiceboard.kernels import rathot_player, rathot_search  # here: they need numba

        self.think = rathot_player.think
        self.kernel = rathot_search.search
        self.planned: tuple[list[Any], Event] | None = None  # strips laid by then, and the next

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1:
            return legal[0]
        laid = view["laid"]
        if self.planned is not None and self.planned[0] == laid:
            return self.planned[1]
        turn = self.think(view, ANSWERS_TRIED, self.chance.randrange(1, 1 << 30))
        if len(turn) == 2:
            self.planned = ([*laid, turn[0][2:]], turn[1])
        return turn[0]


BOTS = {
    "random": maker(RandomBot),
    "beginner": beginner(maker(Sensible)),
    "sensible": maker(Sensible),
    "searcher": maker(Searcher),
    "strong": maker(Strong),
}
COMPILED = ("strong",)
THINKS = {
    "sensible": N_("points for its colour this turn, and its own rats"),
    "strong": N_("which rats can still be covered, and what the other can answer"),
}
