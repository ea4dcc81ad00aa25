"""Bots for Nine Bowls: a random one, one that looks one turn ahead, and one that never loses."""

from functools import cache

from spiceboard.bots.bot import Event, RandomBot, View, beginner, maker
from spiceboard.words import N_
from spicecore.games.ninebowls.lines import LINES
from spicecore.parts import ZONES

Bowls = tuple[int | None, ...]
BEST_FIRST = (4, 0, 2, 6, 8, 1, 3, 5, 7)  # middle, corners, sides: by the lines that cross there


def wins(bowls: Bowls, seat: int) -> bool:
    """Has the seat a line?"""
    return any(all(bowls[bowl] == seat for bowl in line) for line in LINES)


def with_chip(bowls: Bowls, bowl: int, seat: int) -> Bowls:
    """The bowls after the seat occupied one."""
    return (*bowls[:bowl], seat, *bowls[bowl + 1 :])


def empty(bowls: Bowls) -> list[int]:
    """The bowls that are free, the best ones first."""
    return [bowl for bowl in BEST_FIRST if bowls[bowl] is None]


@cache
def outlook(bowls: Bowls, seat: int) -> int:
    """What the seat on turn reaches when both play well: 1 a win, 0 a draw, -1 a loss."""
    if wins(bowls, 1 - seat):
        return -1
    return max((-outlook(with_chip(bowls, b, seat), 1 - seat) for b in empty(bowls)), default=0)


class Sensible(RandomBot):
    """Wins where it can, blocks the other where it must, else takes the best free bowl."""

    def choose(self, bowls: Bowls) -> int:
        """The bowl to occupy."""
        for seat in (self.seat, 1 - self.seat):
            for bowl in empty(bowls):
                if wins(with_chip(bowls, bowl, seat), seat):
                    return bowl
        return empty(bowls)[0]

    def decide(self, view: View, legal: list[Event]) -> Event:
        return ["occupy", self.seat, ZONES[self.choose(tuple(view["bowls"]))]]


class Searcher(Sensible):
    """Looks at every way in which the game can go on; any of the best turns, by chance."""

    def choose(self, bowls: Bowls) -> int:
        values = {
            bowl: -outlook(with_chip(bowls, bowl, self.seat), 1 - self.seat)
            for bowl in empty(bowls)
        }
        best = max(values.values())
        return self.chance.choice([bowl for bowl, value in values.items() if value == best])


BOTS = {
    "random": maker(RandomBot),
    "beginner": beginner(maker(Sensible)),
    "sensible": maker(Sensible),
    "searcher": maker(Searcher),
    "strong": maker(Searcher),
}
THINKS = {
    "sensible": N_("lines that it or the other can finish now"),
    "strong": N_("every way in which the game can go on: it never loses"),
}
