"""Rat Hot for the bots: a layout to try moves on, and the placements that are worth a look.

A strip that touches nothing of its own kind scores the same wherever it lies on the table, so only
one such place a strip is looked at; those that touch, and those that cover something, are weighed.
"""

import random
from typing import Any

from spicecore.games.rathot.layout import STEPS, add, cells, fault, group, place, places, worth
from spicecore.games.rathot.strips import RATS, SPICES, SQUARES, owner

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
        self.together: dict[int, set[int]] = {}  # of each cell with a spice its group
        for at, square in self.face.items():
            if square in SPICES and at not in self.together:
                now = group(self.face, at)
                self.together.update(dict.fromkeys(now, now))
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
        other.together = dict(self.together)
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
            weighed.append((score + (0.0 if after.over else after.best()), move))
        weighed.sort(key=lambda item: -item[0])
        return weighed

    def best(self) -> float:
        """The score of the best placement."""
        return self.placements()[0][0]

    def placements(self) -> list[tuple[float, Move]]:
        """Placements of the strips held that are worth a look, with their scores, best first."""
        near, beside = self._near()
        stacks = self._stacks()
        me, last = self.turn, len(self.held) == 1
        mine, others = RATS[me], RATS[1 - me]
        face = self.face
        found: list[tuple[float, Move]] = []
        for strip in dict.fromkeys(self.held):
            squares = self.strips[strip]
            spots = stacks + [(start, way) for start, way in self._touching(squares, near)]
            spots.extend(self._plain(set(spots)))
            my_rats = self.rats[me] + squares.count(mine)
            other_rats = self.rats[1 - me] + squares.count(others)
            for spot, (start, way) in enumerate(spots):
                where = (start, start + way, start + 2 * way)
                my_left, other_left = my_rats, other_rats
                if spot < len(stacks):
                    under = (face[where[0]], face[where[1]], face[where[2]])
                    my_left -= under.count(mine)
                    other_left -= under.count(others)
                    lead = self._lead(squares, where, beside, me)
                else:
                    lead = self._joined(squares, where, beside, me)
                score = lead + OWN_RATS[last][min(5, my_left)] + OTHER_RATS[min(5, other_left)]
                x, y = place(start)
                found.append((score, (strip, x, y, STEPS.index(way))))
        found.sort(key=lambda item: -item[0])
        return found

    def _stacks(self) -> list[tuple[int, int]]:
        """Every placement on other strips: (first cell, step)."""
        top = self.top
        found = []
        for at, a in top.items():
            height = a // 64
            for step in STEPS[:2]:
                b, c = top.get(at + step, 0), top.get(at + 2 * step, 0)
                if b // 64 == height == c // 64 and not a == b == c:
                    found.append((at, step))
                    found.append((at + 2 * step, -step))
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

    def _plain(self, others: set[tuple[int, int]]) -> list[tuple[int, int]]:
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
                        return [(start, way)]
        if self.bounds:  # the only places left may be those that touch with the middle square
            return [
                (start, way)
                for start, way in places(self.top, self.bounds)
                if start not in top and (start, way) not in others
            ][:1]
        return []

    def table_places(self, strip: int) -> list[Move]:
        """Every placement of a strip on the table."""
        found: list[Move] = []
        for start, step in places(self.top, self.bounds):
            if start not in self.top:
                way = STEPS.index(step)
                found.append((strip, *place(start), way))
                found.append((strip, *place(start + 2 * step), way + 2))
        return found

    def _within(self, start: int, way: int) -> bool:
        """Whether a strip keeps to the edge of the table."""
        x, y = place(start)
        return fault(self.top, [0, x, y, STEPS.index(way)], self.bounds) is None

    def _near(self) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
        """For each spice the free cells beside one like it, and all the cells beside one."""
        near: dict[str, set[int]] = {}
        beside: dict[str, set[int]] = {spice: set() for spice in SPICES}
        for at, square in self.face.items():
            if square in SPICES:
                cells_of = near.setdefault(square, set())
                for side in STEPS:
                    if at + side not in self.top:
                        cells_of.add(at + side)
                beside[square].update((at + 1, at - 1, at + STEPS[1], at + STEPS[3]))
        return near, beside

    def _lead(
        self, squares: str, where: tuple[int, int, int], beside: dict[str, set[int]], me: int
    ) -> int:
        """Points, less the other's, of a strip laid on others."""
        cut = self._cut(where)
        if not cut:
            return self._joined(squares, where, beside, me)
        face = self.face
        under = {at: face[at] for at in where}
        for at, square in zip(where, squares, strict=True):
            face[at] = square
        lead = 0
        for spice, now in self._scoring(self._regrouped(where, cut), where, under):
            lead += worth(len(now)) if owner(spice) == me else -worth(len(now))
        face.update(under)
        return lead

    def _joined(
        self, squares: str, where: tuple[int, int, int], beside: dict[str, set[int]], me: int
    ) -> int:
        """Points of the groups that the strip joins or makes, where no group is covered."""
        lead, k = 0, 0
        while k < SQUARES:
            square, first = squares[k], k
            while k < SQUARES and squares[k] == square:
                k += 1
            if square not in SPICES or (k == first + 1 and where[first] not in beside[square]):
                continue
            size = k - first
            joined: list[set[int]] = []
            for at in where[first:k]:
                for side in STEPS:
                    if self.face.get(at + side) == square and at + side not in where:
                        other = self.together[at + side]
                        if not any(other is each for each in joined):
                            joined.append(other)
                            size += len(other)
            lead += worth(size) if owner(square) == me else -worth(size)
        return lead

    # -- groups

    def _cut(self, where: tuple[int, ...]) -> list[set[int]]:
        """The groups of two or more that a strip on these cells covers a part of."""
        found = [self.together[at] for at in where if at in self.together]
        return [each for each in found if len(each) > 1]

    def _regrouped(self, where: tuple[int, ...], cut: list[set[int]]) -> list[set[int]]:
        """The groups of the squares of a strip that lies there now, and what is left of `cut`."""
        found: list[set[int]] = []
        seen: set[int] = set()
        for cells_of in (where, *cut):
            for at in cells_of:
                if at not in seen and self.face[at] in SPICES:
                    now = group(self.face, at)
                    seen |= now
                    found.append(now)
        return found

    def _scoring(
        self, found: list[set[int]], where: tuple[int, ...], under: dict[int, str]
    ) -> list[tuple[str, set[int]]]:
        """(spice, cells) of those that score; `together` is as it was before the strip."""
        scoring = []
        for now in found:
            at = next(iter(now))
            spice = self.face[at]
            same = self.together.get(at) == now and under.get(at, spice) == spice
            if len(now) > 1 and not same and not (self.touching and now.isdisjoint(where)):
                scoring.append((spice, now))
        return scoring

    # -- playing

    def play(self, move: Move) -> None:
        """Lay a strip; the other's strips are turned up when the turn is over."""
        laid = list(move)
        where = cells(laid)
        cut = self._cut(where)
        under = {at: self.face[at] for at in where if at in self.face}
        add(self.top, self.face, self.strips, self.n, laid)
        self.n += 1
        squares, covered = self.strips[move[0]], list(under.values())
        for seat, rat in enumerate(RATS):
            self.rats[seat] += squares.count(rat) - covered.count(rat)
        found = self._regrouped(where, cut)
        for spice, now in self._scoring(found, where, under):
            self.points[owner(spice)] += worth(len(now))
        for at in under:
            self.together.pop(at, None)
        for now in found:
            self.together.update(dict.fromkeys(now, now))
        self.held.remove(move[0])
        full = self.bounds is not None and not places(self.top, self.bounds)
        if full or not self.held:
            self._end_turn(full)

    def _end_turn(self, full: bool) -> None:
        self.turns += 1
        if self.rats[self.turn] >= 3:
            self.over, self.loser = True, self.turn
        elif full or not self.pile:
            self.over = True
        else:
            self.turn = 1 - self.turn
            self.held = [self.pile.pop() for _ in range(min(2, len(self.pile)))]

    # -- what it comes to

    def in_sight(self) -> float:
        """Points of the visible groups, red less green; in full once the game is over."""
        lead = 0
        for each in {id(each): each for each in self.together.values()}.values():
            points = worth(len(each))
            lead += points if owner(self.face[next(iter(each))]) == 0 else -points
        return lead * (1.0 if self.over else SEEN_WORTH)


def unseen(view: dict[str, Any]) -> list[int]:
    """The strips of the pile, in no order."""
    gone = {each[0] for each in view["laid"]} | set(view["held"])
    return [strip for strip in range(len(view["strips"])) if strip not in gone]


def shuffled(pile: list[int], chance: random.Random) -> list[int]:
    """Another guess of the pile."""
    return chance.sample(pile, len(pile))
