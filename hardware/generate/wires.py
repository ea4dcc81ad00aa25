"""The wires of a sheet: a small search that keeps off symbols and texts, with few bends."""

import heapq
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from hardware.generate.symbols import G, Point, uid

NONE: dict[str, set[Point]] = {}
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
Turn = tuple[Point, int]  # a point, and the direction in which it was reached


class Wires:
    """What is taken on a sheet, in steps of the grid, and the wires laid so far."""

    def __init__(self, *names: str) -> None:
        """`names`: of the sheet; its identifiers are made from them."""
        self.names, self.count = names, 0
        self.items: list[list[Any]] = []
        self.solid: set[Point] = set()  # nothing may pass: bodies and texts
        self.words: set[Point] = set()  # beside a label: no other label here
        self.pins: dict[Point, str] = {}  # pin ends, by net
        self.outward: dict[Point, Point] = {}
        self.wires: dict[Point, dict[str, set[Point]]] = {}  # point: net: directions taken
        self.lines: list[tuple[Point, Point]] = []

    def id(self, *names: object) -> str:
        self.count += 1
        return uid(*self.names, self.count, *names)

    def wire(self, net: str, path: list[Point]) -> None:
        """Lays a wire; remembers every grid point it takes."""
        corners = [path[0]]
        for a, b, c in zip(path, path[1:], path[2:], strict=False):
            if (b[0] - a[0], b[1] - a[1]) != (c[0] - b[0], c[1] - b[1]):
                corners.append(b)
        corners.append(path[-1])
        for a, b in itertools.pairwise(corners):
            if a == b:
                continue
            self.lines.append((a, b))
            step = ((b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1]))
            point = a
            while True:
                taken = self.wires.setdefault(point, {}).setdefault(net, set())
                if point != b:
                    taken.add(step)
                if point != a:
                    taken.add((-step[0], -step[1]))
                if point == b:
                    break
                point = (point[0] + step[0], point[1] + step[1])

    def search(
        self, net: str, sources: set[Point], goals: set[Point], area: tuple[float, ...]
    ) -> list[Point] | None:
        """The cheapest wire from the sources to a goal: length + 4 a bend + 5 a crossing."""
        queue: list[tuple[float, int, Point, int]] = []
        best: dict[Turn, float] = {}
        done: set[Turn] = set()
        came: dict[Turn, Turn | None] = {}
        tick = itertools.count()
        for turn in self._starts(sources):
            best[turn], came[turn] = 0.0, None
            heapq.heappush(queue, (0.0, next(tick), *turn))
        ahead = _distance_to(goals)
        while queue:
            _, _, point, d = heapq.heappop(queue)
            here = (point, d)
            if here in done:
                continue
            done.add(here)
            if point in goals:
                return _way_back(came, here)
            for nxt, heading, step in self._steps(net, point, d, came[here] is None, area):
                there = (nxt, heading)
                if there in done:
                    continue
                more = self._step(net, nxt, heading, goals)
                if more is None:
                    continue
                new = best[here] + more + step
                if new < best.get(there, 1e9):
                    best[there] = new
                    came[there] = here
                    heapq.heappush(queue, (new + ahead(nxt), next(tick), nxt, heading))
        return None

    def _starts(self, sources: set[Point]) -> Iterator[Turn]:
        """A pin without a wire is left outwards; a wire in any direction."""
        for s in sources:
            bare = s in self.pins and s not in self.wires
            for d in [DIRECTIONS.index(self.outward[s])] if bare else range(4):
                yield s, d

    def _steps(
        self, net: str, point: Point, d: int, first: bool, area: tuple[float, ...]
    ) -> Iterator[tuple[Point, int, float]]:
        """(next point, heading, cost of a bend) of what may follow; the first step goes straight."""
        x0, y0, w, h = area
        straight_on = first or self._others(net, point)  # no corner on another net's wire
        for heading, (dx, dy) in enumerate(DIRECTIONS):
            if (heading + 2) % 4 == d or (straight_on and heading != d):
                continue
            nxt = (point[0] + dx, point[1] + dy)
            if x0 < nxt[0] < x0 + w and y0 < nxt[1] < y0 + h:
                yield nxt, heading, 4.0 if heading != d else 0.0

    def _others(self, net: str, point: Point) -> bool:
        """Does a wire of another net pass here?"""
        nets = self.wires.get(point)
        return nets is not None and (len(nets) > 1 or net not in nets)

    def _step(self, net: str, point: Point, d: int, goals: set[Point]) -> float | None:
        if point in goals:
            if self._others(net, point):
                return None  # a branch where two nets cross would join them
            if point in self.pins and point not in self.wires:
                back = DIRECTIONS[(d + 2) % 4]
                return 1.0 if self.outward[point] == back else None
            return 1.0
        if point in self.pins or point in self.solid:
            return None
        cost = 1.0
        for other, taken in self.wires.get(point, NONE).items():
            if other == net:
                return 1.0
            straight = taken == {(1, 0), (-1, 0)} or taken == {(0, 1), (0, -1)}
            if not straight or DIRECTIONS[d] in taken:
                return None
            cost += 5.0
        x, y = point
        for beside in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            if beside in self.solid or beside in self.pins:  # keep a little off everything else
                cost += 0.6
            elif beside in self.wires and self._others(net, beside):
                cost += 0.4
        return cost

    def join(
        self, net: str, tree: set[Point], points: list[Point], area: tuple[float, ...]
    ) -> set[Point]:
        """Wires as many of the points together as the search can; returns the pins joined."""
        joined = set(tree)
        grown = set(tree)
        rest = sorted((p for p in points if p not in tree), key=lambda p: near(p, grown))
        for goal in rest:
            path = self.search(net, {goal}, set(grown), area)
            if path is None:
                continue
            self.wire(net, path)
            grown |= set(path)
            joined.add(goal)
        return joined

    def junctions(self) -> None:
        """Dots where three arms meet; wires end there, for KiCad joins wires at their ends."""
        dots = []
        for point, nets in self.wires.items():
            for _, taken in nets.items():
                arms = len(taken) + (1 if point in self.pins else 0)
                if arms >= 3:
                    dots.append(point)
                    self.items.append(
                        [
                            "junction",
                            ["at", f"{point[0] * G:g}", f"{point[1] * G:g}"],
                            ["diameter", "0"],
                            ["color", "0", "0", "0", "0"],
                            ["uuid", self.id("junction", point)],
                        ]
                    )

        for a, b in self.lines:
            step = ((b[0] > a[0]) - (b[0] < a[0]), (b[1] > a[1]) - (b[1] < a[1]))
            length = abs(b[0] - a[0]) + abs(b[1] - a[1])
            cuts = [(a[0] + step[0] * k, a[1] + step[1] * k) for k in range(1, length)]
            stops = [a, *[c for c in cuts if c in dots], b]
            for c, d in itertools.pairwise(stops):
                self.items.append(
                    [
                        "wire",
                        [
                            "pts",
                            ["xy", f"{c[0] * G:g}", f"{c[1] * G:g}"],
                            ["xy", f"{d[0] * G:g}", f"{d[1] * G:g}"],
                        ],
                        ["stroke", ["width", "0"], ["type", "default"]],
                        ["uuid", self.id("wire", c, d)],
                    ]
                )


def _distance_to(goals: set[Point]) -> Callable[[Point], int]:
    """A lower bound of what is left to go."""
    left, right = min(g[0] for g in goals), max(g[0] for g in goals)
    top, bottom = min(g[1] for g in goals), max(g[1] for g in goals)

    def ahead(p: Point) -> int:
        return max(left - p[0], 0, p[0] - right) + max(top - p[1], 0, p[1] - bottom)

    return ahead


def _way_back(came: dict[Turn, Turn | None], end: Turn) -> list[Point]:
    path: list[Point] = []
    key: Turn | None = end
    while key is not None:
        path.append(key[0])
        key = came[key]
    return list(dict.fromkeys(path[::-1]))


def near(p: Point, tree: set[Point]) -> int:
    return min(abs(p[0] - q[0]) + abs(p[1] - q[1]) for q in tree)


def spread(points: list[Point]) -> int:
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return max(xs) - min(xs) + max(ys) - min(ys)
