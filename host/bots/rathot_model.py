"""Rat Hot as the bots think of it: a layout to be tried out, and which placements deserve a look.

A strip that touches nothing of its own kind scores the same wherever it lies on the table, so only
one such place a strip is looked at; those that touch, and all that cover something, are weighed.
"""

import random
from typing import Any

from spiceboard.spicecore.rathot_layout import (
    STEPS,
    add,
    cells,
    changed,
    fault,
    group,
    groups,
    place,
    worth,
)
from spiceboard.spicecore.rathot_strips import RATS, SPICES, owner

Move = tuple[int, int, int, int]  # strip, x, y, direction
# Worth of so many visible rats of the own colour, in points: while a strip is still to be laid,
# and at the end of the turn, when three lose the game.
OWN_RATS = ((0.0, -0.2, -0.5, -1.0, -2.0, -4.0), (0.0, -2.5, -7.0, -60.0, -61.0, -62.0))
OTHER_RATS = (0.0, 0.4, 1.5, 4.0, 8.0, 12.0)
SEEN_WORTH = 0.6  # of a point in the final count, while it is still far away


class Layout:
    """A game in the middle of play; the order of the pile is a guess."""

    def __init__(self, view: dict[str, Any], pile: list[int]) -> None:
        self.strips: list[str] = view["strips"]
        self.touching = view["options"]["groups"] == "touching"
        self.bounds: list[int] | None = view["options"]["bounds"]
        self.top: dict[int, int] = {}
        self.face: dict[int, str] = {}
        for i, each in enumerate(view["laid"]):
            add(self.top, self.face, self.strips, i, each)
        self.n = len(view["laid"])
        self.held: list[int] = list(view["held"])
        self.pile = pile
        self.points = [
            ones + 2 * twos + more
            for (ones, twos), more in zip(view["chips"], view["noted"], strict=True)
        ]
        self.rats: list[int] = list(view["rats"])
        self.turn: int = view["phase"][1]
        self.over = False
        self.loser: int | None = None
        self.turns = 0  # turns that ended since this was made

    def copy(self, pile: list[int]) -> "Layout":
        """The same position with another guess of the pile."""
        other = Layout.__new__(Layout)
        other.__dict__.update(self.__dict__)
        other.top, other.face = dict(self.top), dict(self.face)
        other.held, other.pile = list(self.held), pile
        other.points, other.rats = list(self.points), list(self.rats)
        return other

    # -- moves

    def turn_moves(self, pairs: int) -> list[tuple[float, Move]]:
        """`placements`, the first of two strips weighed with the best that the second can do.

        Only the `pairs` best first placements are weighed so and returned.
        """
        found = self.placements()
        if len(self.held) < 2:
            return found
        weighed = []
        for score, move in found[:pairs]:
            after = self.copy([])
            after.play(move)
            weighed.append((score + after.best(), move))
        weighed.sort(key=lambda item: -item[0])
        return weighed

    def best(self) -> float:
        """The score of the best placement."""
        return self.placements()[0][0]

    def placements(self) -> list[tuple[float, Move]]:
        """Placements of the strips held that are worth a look, with their scores, best first."""
        names, sizes = self._groups()
        near = self._near()
        stacks = self._stacks()
        found: list[tuple[float, Move]] = []
        for strip in dict.fromkeys(self.held):
            squares = self.strips[strip]
            spots = stacks + [(start, way, False) for start, way in self._touching(squares, near)]
            spots.extend(self._plain({(start, way) for start, way, _ in spots}))
            for start, way, stacked in spots:
                where = (start, start + way, start + 2 * way)
                found.append(self._weigh(strip, squares, where, way, names, sizes, stacked))
        found.sort(key=lambda item: -item[0])
        return found

    def _stacks(self) -> list[tuple[int, int, bool]]:
        """Every placement on other strips: (first cell, step, True)."""
        top = self.top
        found = []
        for at, a in top.items():
            height = a // 64
            for step in STEPS[:2]:
                b, c = top.get(at + step, 0), top.get(at + 2 * step, 0)
                if b // 64 == height == c // 64 and not a == b == c:
                    found.append((at, step, True))
                    found.append((at + 2 * step, -step, True))
        return found

    def _touching(self, squares: str, near: dict[str, set[int]]) -> set[tuple[int, int]]:
        """Placements on the table that bring a square of the strip beside one like it."""
        top = self.top
        found = set()
        for k, square in enumerate(squares):
            for at in near.get(square, ()):
                for way in STEPS:
                    start = at - k * way
                    if start in top or start + way in top or start + 2 * way in top:
                        continue
                    if self.bounds is None or self._within(start, way):
                        found.add((start, way))
        return found

    def _plain(self, others: set[tuple[int, int]]) -> list[tuple[int, int, bool]]:
        """One placement on the table that touches nothing of its kind, if there is one."""
        top = self.top
        for at in top:
            for side in STEPS:
                for way in STEPS:
                    start = at + side
                    if start in top or start + way in top or start + 2 * way in top:
                        continue
                    if (start, way) not in others and (
                        self.bounds is None or self._within(start, way)
                    ):
                        return [(start, way, False)]
        return []

    def _within(self, start: int, way: int) -> bool:
        """Whether a strip keeps to the edge of the table."""
        x, y = place(start)
        return fault(self.top, [0, x, y, STEPS.index(way)], self.bounds) is None

    def _groups(self) -> tuple[dict[int, int], list[int]]:
        """The number of the group of each cell with a spice, and the size of each group."""
        names: dict[int, int] = {}
        sizes: list[int] = []
        for at, square in self.face.items():
            if square in SPICES and at not in names:
                together = group(self.face, at)
                for each in together:
                    names[each] = len(sizes)
                sizes.append(len(together))
        return names, sizes

    def _near(self) -> dict[str, set[int]]:
        """For each spice the free cells beside one like it."""
        near: dict[str, set[int]] = {}
        for at, square in self.face.items():
            if square in SPICES:
                cells_of = near.setdefault(square, set())
                for side in STEPS:
                    if at + side not in self.top:
                        cells_of.add(at + side)
        return near

    def _weigh(
        self,
        strip: int,
        squares: str,
        where: tuple[int, int, int],
        way: int,
        names: dict[int, int],
        sizes: list[int],
        stacked: bool,
    ) -> tuple[float, Move]:
        """The score of a placement for the seat on turn, and the placement."""
        me = self.turn
        covers = stacked and any(at in names and sizes[names[at]] > 1 for at in where)
        if covers:
            after = dict(self.face)
            for at, square in zip(where, squares, strict=True):
                after[at] = square
            lead = 0
            for spice, together in changed(self.face, after, where, self.touching):
                lead += worth(len(together)) if owner(spice) == me else -worth(len(together))
        else:
            lead = self._joined(squares, where, names, sizes, me)
        rats = list(self.rats)
        for at, square in zip(where, squares, strict=True):
            under = self.face.get(at, "")
            for seat in (0, 1):
                rats[seat] += (square == RATS[seat]) - (under == RATS[seat])
        last = len(self.held) == 1
        score = lead + OWN_RATS[last][min(5, rats[me])] + OTHER_RATS[min(5, rats[1 - me])]
        x, y = place(where[0])
        return score, (strip, x, y, STEPS.index(way))

    def _joined(
        self,
        squares: str,
        where: tuple[int, int, int],
        names: dict[int, int],
        sizes: list[int],
        me: int,
    ) -> int:
        """Points of the groups that the strip joins or makes, where no group is covered."""
        lead, k = 0, 0
        while k < 3:
            square = squares[k]
            size, joined, first = 0, set(), k
            while k < 3 and squares[k] == square:
                size += 1
                for side in STEPS:
                    at = where[k] + side
                    if self.face.get(at) == square and at not in where:
                        joined.add(names.get(at))
                k += 1
            if square not in SPICES or k == first:
                continue
            size += sum(sizes[name] for name in joined if name is not None)
            lead += worth(size) if owner(square) == me else -worth(size)
        return lead

    # -- playing

    def play(self, move: Move) -> None:
        """Lay a strip; the other's strips are turned up when the turn is over."""
        laid = list(move)
        where = cells(laid)
        before = dict(self.face)
        for at in where:
            for seat in (0, 1):
                self.rats[seat] -= before.get(at) == RATS[seat]
        add(self.top, self.face, self.strips, self.n, laid)
        self.n += 1
        for at in where:
            for seat in (0, 1):
                self.rats[seat] += self.face[at] == RATS[seat]
        for spice, together in changed(before, self.face, where, self.touching):
            self.points[owner(spice)] += worth(len(together))
        self.held.remove(move[0])
        if not self.held:
            self._end_turn()

    def _end_turn(self) -> None:
        self.turns += 1
        if self.rats[self.turn] >= 3:
            self.over, self.loser = True, self.turn
        elif not self.pile:
            self.over = True
        else:
            self.turn = 1 - self.turn
            self.held = [self.pile.pop() for _ in range(min(2, len(self.pile)))]

    # -- what it comes to

    def in_sight(self) -> float:
        """Points of the visible groups, red less green; in full once the game is over."""
        lead = 0
        for spice, together in groups(self.face):
            lead += worth(len(together)) if owner(spice) == 0 else -worth(len(together))
        return lead * (1.0 if self.over else SEEN_WORTH)


def unseen(view: dict[str, Any]) -> list[int]:
    """The strips of the pile, in no order."""
    gone = {each[0] for each in view["laid"]} | set(view["held"])
    return [strip for strip in range(len(view["strips"])) if strip not in gone]


def shuffled(pile: list[int], chance: random.Random) -> list[int]:
    """Another guess of the pile."""
    return chance.sample(pile, len(pile))
