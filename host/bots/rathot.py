"""Bots for Rat Hot: a random one, one that weighs each strip by itself, and one that searches."""

import random
from typing import Any

from spiceboard.host.bots.bot import Bot, Event, RandomBot, View
from spiceboard.host.bots.rathot_model import Layout, shuffled, unseen
from spiceboard.host.bots.search import search

PASSES = 80  # guesses of the pile that the searcher looks at for a strip
PATIENCE = 2  # turns that it looks ahead: the rest of its own, and the other's
WIDTH = 10  # placements of a position that it looks at


PAIRS = 80  # placements of the first strip for which the sensible bot looks at the second


class Sensible(RandomBot):
    """Lays its two strips where they score most for its colour, and is afraid of its own rats."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1:
            return legal[0]
        _, move = Layout(view, unseen(view)).turn_moves(PAIRS)[0]
        return ["lay", self.seat, *move]


class Searcher(RandomBot):
    """Information-set tree search over its two strips and the other's answer to them."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        if len(legal) == 1:
            return legal[0]
        pile = unseen(view)
        layout = Layout(view, pile)
        layout.width, layout.patience = WIDTH, PATIENCE
        move: Any = search(
            lambda: layout.copy(shuffled(pile, self.chance)), PASSES, explore=0.12, widen=1.0
        )
        return ["lay", self.seat, *move]


def _maker(kind: type[RandomBot]) -> Any:
    def make(seat: int, seed: int) -> Bot:
        bot: Any = kind(seat, seed)
        bot.chance = random.Random(f"{kind.__name__} {seed} {seat}")
        return bot  # type: ignore[no-any-return]

    return make


BOTS = {"random": _maker(RandomBot), "sensible": _maker(Sensible), "searcher": _maker(Searcher)}
