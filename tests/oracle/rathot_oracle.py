"""A second Rat Hot, slow and plain, written from the rule text; nothing of the firmware is used.

The table is a dict of stacks: square (x, y) -> the squares lying there from the bottom up, each
(number of its strip, code). Codes are those of the component data: R1, G4, RR, GR, __, S.
"""

from collections.abc import Iterator
from typing import Any

Square = tuple[int, int]
WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
FIRST_LETTER = ("R", "G")  # of seat 0 and of seat 1


class Game:
    """One game; the order of the strips is given by somebody else."""

    def __init__(
        self,
        strips: list[list[str]],
        order: list[int],
        first: int,
        touching: bool = False,
        bounds: tuple[int, int] | None = None,
    ) -> None:
        self.strips = strips
        self.order = list(order)  # the first is turned up first
        self.touching, self.bounds = touching, bounds
        self.stacks: dict[Square, list[tuple[int, str]]] = {}
        self.turn, self.first_turn = first, True
        self.held: list[int] = []
        self.points = [0, 0]
        self.end: tuple[str, int | None] | None = None
        for k, code in enumerate(strips[0]):
            self.stacks[(k - 1, 0)] = [(0, code)]

    # -- the turn

    def turn_up(self) -> None:
        """Show the strips of this turn: one at first, then two, at the end what is left."""
        assert not self.held and self.end is None
        for _ in range(1 if self.first_turn else 2):
            if self.order:
                self.held.append(self.order.pop(0))
        self.first_turn = False

    def lay(self, strip: int, x: int, y: int, way: int) -> list[tuple[int, int]]:
        """Lay a strip that may lie there; the (seat, points) of each group that it scored."""
        before = self.all_groups()
        for square, code in zip(squares(x, y, way), self.strips[strip], strict=True):
            self.stacks.setdefault(square, []).append((strip, code))
        self.held.remove(strip)
        scored = []
        new = set(squares(x, y, way))
        for found in self.all_groups() - before:
            if not self.touching or found[1] & new:
                seat = FIRST_LETTER.index(found[0][0])
                scored.append((seat, 1 if len(found[1]) == 2 else 2))
        for seat, points in scored:
            self.points[seat] += points
        full = self.bounds is not None and not self.fits_somewhere()
        if full or not self.held:
            self._end_turn(full)
        return sorted(scored)

    def _end_turn(self, full: bool) -> None:
        rat = FIRST_LETTER[self.turn] + "R"
        if sum(1 for code in self.seen().values() if code == rat) >= 3:
            self.end = ("rats", 1 - self.turn)
        elif full or not self.order:
            for code, group in self.all_groups():
                self.points[FIRST_LETTER.index(code[0])] += 1 if len(group) == 2 else 2
            red, green = self.points
            self.end = ("end", None if red == green else int(green > red))
        else:
            self.turn = 1 - self.turn

    # -- what is seen

    def seen(self) -> dict[Square, str]:
        """The code on top of each stack."""
        return {square: stack[-1][1] for square, stack in self.stacks.items()}

    def all_groups(self) -> set[tuple[str, frozenset[Square]]]:
        """Every group of two or more alike spices: by joining neighbours until nothing joins."""
        seen = self.seen()
        label = {square: {square} for square, code in seen.items() if code[-1] in "1234"}
        for x, y in sorted(label):
            for other in ((x + 1, y), (x, y + 1)):
                if other in label and seen[other] == seen[(x, y)]:
                    together = label[other] | label[(x, y)]
                    for member in together:
                        label[member] = together
        return {(seen[next(iter(g))], frozenset(g)) for g in label.values() if len(g) > 1}

    # -- where a strip may lie

    def may_lie(self, x: int, y: int, way: int) -> bool:
        """The rules of placement, one after the other."""
        where = squares(x, y, way)
        heights = [len(self.stacks.get(square, [])) for square in where]
        if len(set(heights)) > 1:
            return False  # partly on the table, or over a gap
        if heights[0] == 0:
            around = {(sx + dx, sy + dy) for sx, sy in where for dx, dy in WAYS}
            if not around & set(self.stacks):
                return False
        elif len({self.stacks[square][-1][0] for square in where}) < 2:
            return False
        if self.bounds:
            every = [*self.stacks, *where]
            for axis in (0, 1):
                along = [square[axis] for square in every]
                if max(along) - min(along) >= self.bounds[axis]:
                    return False
        return True

    def legal(self) -> set[tuple[Any, ...]]:
        """Every event of the seat on turn."""
        if self.end:
            return set()
        if not self.held:
            return {("turn_up", self.turn)}
        return {("lay", self.turn, strip, *spot) for spot in self.spots() for strip in self.held}

    def spots(self) -> Iterator[tuple[int, int, int]]:
        """Every (x, y, way) where a strip may lie, by trying every square near the strips."""
        xs, ys = [x for x, _ in self.stacks], [y for _, y in self.stacks]
        for x in range(min(xs) - 3, max(xs) + 4):
            for y in range(min(ys) - 3, max(ys) + 4):
                for way in range(4):
                    if self.may_lie(x, y, way):
                        yield x, y, way

    def fits_somewhere(self) -> bool:
        """Whether any strip can be laid; what it shows does not matter."""
        return next(self.spots(), None) is not None


def squares(x: int, y: int, way: int) -> list[Square]:
    """The three squares of a strip whose first one lies at (x, y)."""
    dx, dy = WAYS[way]
    return [(x, y), (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)]
