"""A grid router: negotiated congestion on two layers (after McMurchie and Ebeling's PathFinder).

Every net is laid as a tree (no closed loops by construction) by Dijkstra's search with a lower
bound; cells that two nets need become more expensive until one net goes round them. Clearances are
kept by inflating what is fixed, and by counting, for each track width, where another net's copper
forbids a centre line.
"""

import heapq
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numba import njit
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

STEP = 0.1  # mm
CLEAR = 0.155
EDGE = 0.36
VIA = 0.6
VIA_COST = 90.0
DYS = (0, 1, 0, -1, 1, 1, -1, -1)  # the eight steps on a layer, straight ones first
DXS = (1, 0, -1, 0, 1, -1, 1, -1)
Cell = tuple[int, int, int]  # layer, row, column


@dataclass
class Shape:
    """Fixed copper: net "" belongs to no net. layers "F", "B" or "FB"."""

    net: str
    layers: str
    area: BaseGeometry
    core: BaseGeometry  # where a track may end
    pad: bool = False  # solder goes on it: no via may stand in it, whosever it is


@njit(cache=True)
def _cost(  # type: ignore[no-untyped-def]  # numba takes the types from its first call
    own, use, hist, ownv, usev, net, k, lv, y, x, ml, my, mx, lo, hi, strain, via_cost, histv
):
    """What a step from (lv, y, x) to (ml, my, mx) costs, k: which of the nine; below 0: shut."""
    if k < 8:
        if my < lo[0] or mx < lo[1] or my > hi[0] or mx > hi[1]:
            return -1.0
        o = own[ml, my, mx]
        if o != 0 and o != net:
            return -1.0
        base = 10.0 if k < 4 else 14.1
        return base * (1.0 + hist[ml, my, mx] + strain * use[ml, my, mx])
    o0, o1, o = ownv[0, y, x], ownv[1, y, x], own[ml, my, mx]
    if (o0 != 0 and o0 != net) or (o1 != 0 and o1 != net) or (o != 0 and o != net):
        return -1.0
    crowd = 10.0 * strain * (usev[0, y, x] + usev[1, y, x]) * 3.0
    return via_cost * (1.0 + histv[y, x]) + crowd


@njit(cache=True)
def _bound(my, mx, box):  # type: ignore[no-untyped-def]
    """No way from there to the box costs less."""
    ay = max(box[0] - my, my - box[2], 0)
    ax = max(box[1] - mx, mx - box[3], 0)
    return np.float32(10.0 * max(ay, ax) + 4.1 * min(ay, ax))


@njit(cache=True)
def _back(prev, lv, y, x):  # type: ignore[no-untyped-def]
    """The way that led to a cell, from its end."""
    out = [(lv, y, x)]
    k = prev[lv, y, x]
    while k >= 0:
        if k == 8:
            lv = 1 - lv
        else:
            y -= DYS[k]
            x -= DXS[k]
        out.append((lv, y, x))
        k = prev[lv, y, x]
    return out


@njit(cache=True)
def _search(  # type: ignore[no-untyped-def]
    own, use, hist, ownv, usev, net, source, target, box, lo, hi, strain, via_cost, histv
):
    """Path from any source cell to any target cell: array of (layer, y, x), or empty."""
    ny, nx = own.shape[1], own.shape[2]
    dist = np.full((2, ny, nx), np.float32(1e30), np.float32)
    prev = np.full((2, ny, nx), -1, np.int8)
    heap = [(np.float32(0.0), np.float32(0.0), 0, 0, 0)]
    heap.pop()
    for i in range(source.shape[0]):
        lv, y, x = source[i]
        dist[lv, y, x] = 0.0
        heapq.heappush(heap, (np.float32(0.0), np.float32(0.0), lv, y, x))
    while len(heap) > 0:
        _f, d, lv, y, x = heapq.heappop(heap)
        if d > dist[lv, y, x]:
            continue
        if target[lv, y, x]:
            return _back(prev, lv, y, x)
        for k in range(9):
            ml, my, mx = (lv, y + DYS[k], x + DXS[k]) if k < 8 else (1 - lv, y, x)
            cost = _cost(
                own, use, hist, ownv, usev, net, k, lv, y, x, ml, my, mx, lo, hi, strain,
                via_cost, histv,
            )  # fmt: skip
            if cost < 0:
                continue
            new = np.float32(d + cost)
            if new < dist[ml, my, mx]:
                dist[ml, my, mx] = new
                prev[ml, my, mx] = k
                heapq.heappush(heap, (np.float32(new + _bound(my, mx, box)), new, ml, my, mx))
    nowhere = [(0, 0, 0)]  # numba must know the type of the list's items
    nowhere.pop()
    return nowhere


@njit(cache=True)
def _stamp(  # type: ignore[no-untyped-def]
    use, cells, radius, sign, mark, ident
):
    """Adds `sign` once to every cell within the radius (in cells) of any of the cells."""
    ny, nx = use.shape[1], use.shape[2]
    r = int(np.ceil(radius))
    for i in range(cells.shape[0]):
        lv, y, x = cells[i]
        for dy in range(-r, r + 1):
            for dx in range(-r, r + 1):
                if dy * dy + dx * dx < radius * radius:
                    yy, xx = y + dy, x + dx
                    if 0 <= yy < ny and 0 <= xx < nx and mark[lv, yy, xx] != ident:
                        mark[lv, yy, xx] = ident
                        use[lv, yy, xx] += sign


class Router:
    """Routes the nets of one board. `widths` gives a net's track width in mm, else `default`."""

    def __init__(
        self,
        outline: BaseGeometry,
        shapes: list[Shape],
        widths: dict[str, float],
        default: float = 0.2,
        step: float = STEP,
    ) -> None:
        self.step = step
        x0, y0, x1, y1 = outline.bounds
        self.x0, self.y0 = math.floor(x0 * 10) / 10, math.floor(y0 * 10) / 10
        self.nx, self.ny = int((x1 - self.x0) / self.step) + 2, int((y1 - self.y0) / self.step) + 2
        self.shapes, self.widths, self.default = shapes, widths, default
        self.nets = sorted({s.net for s in shapes if s.net})
        self.ids = {n: k + 1 for k, n in enumerate(self.nets)}
        self.classes = sorted({widths.get(n, default) for n in self.nets})
        self.own = {w: self._owners(outline, w / 2) for w in self.classes}
        self.ownv = self._owners(outline, VIA / 2, vias=True)
        self.use = {w: np.zeros((2, self.ny, self.nx), np.int16) for w in self.classes}
        self.usev = np.zeros((2, self.ny, self.nx), np.int16)
        self.hist = np.zeros((2, self.ny, self.nx), np.float32)
        self.histv = np.zeros((self.ny, self.nx), np.float32)
        self.dear = np.zeros((2, self.ny, self.nx), np.bool_)
        self.mark = np.zeros((2, self.ny, self.nx), np.int32)
        self.stamps = 0
        self.paths: dict[str, list[list[tuple[int, int, int]]]] = {}

    def _cells(self, area: BaseGeometry) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the grid points inside."""
        if area.is_empty:
            return np.zeros(0, int), np.zeros(0, int)
        bx0, by0, bx1, by1 = area.bounds
        c0, c1 = (
            max(0, math.floor((bx0 - self.x0) / self.step)),
            min(self.nx - 1, math.ceil((bx1 - self.x0) / self.step)),
        )
        r0, r1 = (
            max(0, math.floor((by0 - self.y0) / self.step)),
            min(self.ny - 1, math.ceil((by1 - self.y0) / self.step)),
        )
        if c1 < c0 or r1 < r0:
            return np.zeros(0, int), np.zeros(0, int)
        cols, rows = np.meshgrid(np.arange(c0, c1 + 1), np.arange(r0, r1 + 1))
        inside = shapely.contains_xy(area, self.x0 + cols * self.step, self.y0 + rows * self.step)
        return rows[inside], cols[inside]

    def _owners(self, outline: BaseGeometry, half: float, vias: bool = False) -> np.ndarray:
        own = np.full((2, self.ny, self.nx), -1, np.int16)
        rows, cols = self._cells(outline.buffer(-(EDGE + half)))
        own[:, rows, cols] = 0
        for shape in self.shapes:
            ident = self.ids.get(shape.net, -1)
            rows, cols = self._cells(shape.area.buffer(CLEAR + half))
            for layer in (0, 1):
                if "FB"[layer] in shape.layers:
                    old = own[layer, rows, cols]
                    own[layer, rows, cols] = np.where((old == 0) | (old == ident), ident, -1)
        for shape in self.shapes if vias else ():
            if shape.pad:  # solder would run away through a via in a pad
                rows, cols = self._cells(shape.area.buffer(VIA / 2 + 0.05))
                own[:, rows, cols] = -1
        return own

    def avoid(self, layer: str, area: BaseGeometry, dear: float = 3.0) -> None:
        """Makes a piece of a layer dear: a pour for the supply is to stay whole there."""
        rows, cols = self._cells(area)
        self.hist["FB".index(layer), rows, cols] += dear
        self.dear["FB".index(layer), rows, cols] = True

    def _components(self, net: str) -> list[list[Shape]]:
        mine = [s for s in self.shapes if s.net == net]
        groups: list[list[Shape]] = []
        for shape in mine:
            touching = [
                g
                for g in groups
                if any(
                    set(o.layers) & set(shape.layers) and o.area.intersects(shape.area) for o in g
                )
            ]
            merged = [shape]
            for g in touching:
                merged += g
                groups.remove(g)
            groups.append(merged)
        return groups

    def _ends(self, group: list[Shape]) -> list[tuple[int, int, int]]:
        out = []
        for shape in group:
            rows, cols = self._cells(shape.core)
            if len(rows) == 0:
                p = (
                    shape.core.representative_point()
                    if not shape.core.is_empty
                    else shape.area.representative_point()
                )
                rows, cols = (
                    np.array([round((p.y - self.y0) / self.step)]),
                    np.array([round((p.x - self.x0) / self.step)]),
                )
            for layer in (0, 1):
                if "FB"[layer] in shape.layers:
                    out += [(layer, int(r), int(c)) for r, c in zip(rows, cols, strict=True)]
        return out if len(out) < 20_000 else out[::9]  # a pour has more ends than anybody needs

    def _tree(
        self, net: str, strain: float, margin: int
    ) -> list[list[tuple[int, int, int]]] | None:
        width = self.widths.get(net, self.default)
        groups = [self._ends(g) for g in self._components(net)]
        groups.sort(key=len, reverse=True)
        tree, rest = list(groups[0]), groups[1:]
        paths = []
        while rest:
            index = {cell: k for k, group in enumerate(rest) for cell in group}
            target = np.zeros((2, self.ny, self.nx), np.bool_)
            for cell in index:
                target[cell] = True
            box, lo, hi = self._windows(np.array([c for g in rest for c in g]), tree, margin)
            path = _search(
                self.own[width], self.use[width], self.hist, self.ownv, self.usev, self.ids[net],
                np.array(tree), target, box, lo, hi, strain, VIA_COST, self.histv,
            )  # fmt: skip
            if not path:
                return None
            paths.append([(int(a), int(b), int(c)) for a, b, c in path])
            hit = index[paths[-1][0]]
            tree += paths[-1] + rest.pop(hit)
        return paths

    def _windows(
        self, cells: np.ndarray, tree: list[Cell], margin: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rectangle of the goals, and the least and greatest (row, column) that a way to them
        may take."""
        rows, cols = cells[:, 1], cells[:, 2]
        box = np.array([rows.min(), cols.min(), rows.max(), cols.max()])
        both = np.concatenate([cells, np.array(tree)])[:, 1:]
        lo = np.maximum(0, both.min(axis=0) - margin)
        hi = np.minimum([self.ny - 1, self.nx - 1], both.max(axis=0) + margin)
        return box, lo, hi

    def _mark(self, net: str, sign: int) -> None:
        width = self.widths.get(net, self.default)
        cells = np.array([c for p in self.paths[net] for c in p]).reshape(-1, 3)
        vias = self._vias(net)
        holes = np.array([(lv, y, x) for y, x in vias for lv in (0, 1)]).reshape(-1, 3)
        for w in self.classes:
            self.stamps += 1
            if len(cells):
                _stamp(
                    self.use[w],
                    cells,
                    (width / 2 + CLEAR + w / 2) / self.step,
                    sign,
                    self.mark,
                    self.stamps,
                )
            if len(holes):
                _stamp(
                    self.use[w],
                    holes,
                    (VIA / 2 + CLEAR + w / 2) / self.step,
                    sign,
                    self.mark,
                    self.stamps,
                )
        self.stamps += 1
        if len(cells):
            _stamp(
                self.usev,
                cells,
                (width / 2 + CLEAR + VIA / 2) / self.step,
                sign,
                self.mark,
                self.stamps,
            )
        if len(holes):
            _stamp(self.usev, holes, (VIA + CLEAR) / self.step, sign, self.mark, self.stamps)

    def _vias(self, net: str) -> set[tuple[int, int]]:
        return {
            (b[1], b[2]) for p in self.paths[net] for a, b in itertools.pairwise(p) if a[0] != b[0]
        }

    def _clashes(self, net: str) -> bool:
        """Does the net's own copper stand where others' copper forbids it? (its marks removed)"""
        width = self.widths.get(net, self.default)
        clash = False
        for path in self.paths[net]:
            for cell in path:
                if self.use[width][cell] > 0:
                    self.hist[cell] += 0.6
                    clash = True
        for y, x in self._vias(net):
            if self.usev[0, y, x] > 0 or self.usev[1, y, x] > 0:
                self.histv[y, x] += 0.6
                clash = True
        return clash

    def run(self, order: list[str], rounds: int = 24, say: Any = print) -> list[str]:
        """Routes; returns the nets still in conflict (empty when all is well)."""
        todo = [n for n in order if len(self._components(n)) > 1]
        strain = 0.5
        margin = 60
        for turn in range(rounds):
            for net in todo:
                if net in self.paths:
                    self._mark(net, -1)
                paths = None
                for wide in (margin, 250, 4000):
                    paths = self._tree(net, strain, wide)
                    if paths is not None:
                        break
                if paths is None:
                    raise RuntimeError(f"no way at all for {net}: a pad is walled in")
                self.paths[net] = paths
                self._mark(net, 1)
            bad = []
            for net in self.paths:
                self._mark(net, -1)
                if self._clashes(net):
                    bad.append(net)
                self._mark(net, 1)
            say(f"  round {turn + 1}: {len(bad)} nets in conflict {bad[:4]}")
            self.bad_spots = self._spots(bad) if turn + 1 == rounds else []
            if not bad:
                self.straighten()
                return []
            todo = sorted(bad, key=lambda n: (turn * 7 + hash_of(n)) % 101)
            strain = min(strain * 1.35, 400.0)
            margin = min(margin + 15, 400)
        return bad

    def straighten(self) -> None:
        """Fewer bends: between fixed points each run becomes a slant and a straight, where that is free.

        Nothing grows longer. Ends, vias and places where another branch joins stay; pours that are
        to stay whole (`avoid`) are not entered.
        """
        for net in sorted(self.paths):
            self._mark(net, -1)
            width = self.widths.get(net, self.default)
            ident = self.ids[net]
            for k, path in enumerate(self.paths[net]):
                joints = {end for p in self.paths[net] for end in (p[0], p[-1])}
                self.paths[net][k] = self._straight(path, joints, width, ident)
            self._mark(net, 1)

    def _straight(
        self, path: list[Cell], joints: set[Cell], width: float, ident: int
    ) -> list[Cell]:
        out, start = [path[0]], 0
        while start < len(path) - 1:
            if path[start][0] != path[start + 1][0]:  # a via
                start += 1
                out.append(path[start])
                continue
            stop = start + 1
            while stop < len(path) - 1 and path[stop] not in joints:
                if path[stop + 1][0] != path[stop][0]:
                    break
                stop += 1
            heading = _step(out[-2], out[-1]) if len(out) > 1 else (0, 0)
            for end in range(stop, start, -1):
                ways = [
                    way
                    for way in _elbows(path[start], path[end])
                    if self._free(way, path[start : end + 1], width, ident)
                ]
                if ways or end == start + 1:
                    ways = ways or [path[start : end + 1]]
                    best = min(ways, key=lambda w: _bends([heading, *_steps(w)]))
                    out += best[1:]
                    start = end
                    break
        return out

    def _free(self, way: list[Cell], old: list[Cell], width: float, ident: int) -> bool:
        """Whether the way's cells are nobody else's, and no pour's that the old way kept out of."""
        own, use, kept = self.own[width], self.use[width], set(old)
        return all(
            cell in kept or (own[cell] in (0, ident) and use[cell] == 0 and not self.dear[cell])
            for cell in way
        )

    def _spots(self, bad: list[str]) -> list[tuple[str, str, float, float]]:
        """Where nets clash, in mm: to improve the placement."""
        out = []
        for net in bad:
            self._mark(net, -1)
            width = self.widths.get(net, self.default)
            for path in self.paths[net]:
                for layer, y, x in path:
                    if self.use[width][layer, y, x] > 0:
                        out.append(
                            (
                                net,
                                "FB"[layer],
                                round(self.x0 + x * self.step, 1),
                                round(self.y0 + y * self.step, 1),
                            )
                        )
            self._mark(net, 1)
        return out

    def tracks(
        self,
    ) -> tuple[
        list[tuple[str, str, float, list[tuple[float, float]]]], list[tuple[str, float, float]]
    ]:
        """Tracks (net, layer, width, points) and vias (net, x, y) in mm."""
        lines, holes = [], []
        for net, paths in self.paths.items():
            width = self.widths.get(net, self.default)
            for path in paths:
                run = [path[0]]
                for a, b in itertools.pairwise(path):
                    if a[0] != b[0]:
                        lines.append((net, "FB"[a[0]], width, self._points(run)))
                        run = [b]
                    else:
                        run.append(b)
                lines.append((net, "FB"[path[-1][0]], width, self._points(run)))
            holes += [
                (net, round(self.x0 + x * self.step, 3), round(self.y0 + y * self.step, 3))
                for y, x in sorted(self._vias(net))
            ]
        return [t for t in lines if len(t[3]) > 1], holes

    def _points(self, run: list[tuple[int, int, int]]) -> list[tuple[float, float]]:
        kept = [run[0]]
        for a, b, c in zip(run, run[1:], run[2:], strict=False):
            if (b[1] - a[1], b[2] - a[2]) != (c[1] - b[1], c[2] - b[2]):
                kept.append(b)
        if len(run) > 1:
            kept.append(run[-1])
        return [
            (round(self.x0 + x * self.step, 3), round(self.y0 + y * self.step, 3))
            for _, y, x in kept
        ]


def _step(a: Cell, b: Cell) -> tuple[int, int]:
    return b[1] - a[1], b[2] - a[2]


def _steps(way: list[Cell]) -> list[tuple[int, int]]:
    return [_step(a, b) for a, b in itertools.pairwise(way)]


def _bends(steps: list[tuple[int, int]]) -> int:
    return sum(a != b for a, b in itertools.pairwise(steps) if a != (0, 0))


def _elbows(a: Cell, b: Cell) -> list[list[Cell]]:
    """From a to b by one slant and one straight, and by one straight and one slant."""
    dy, dx = b[1] - a[1], b[2] - a[2]
    sy, sx = (dy > 0) - (dy < 0), (dx > 0) - (dx < 0)
    slant = min(abs(dy), abs(dx))
    rest = max(abs(dy), abs(dx)) - slant
    along = (sy, 0) if abs(dy) > abs(dx) else (0, sx)
    ways = []
    for steps in (
        [(sy, sx)] * slant + [along] * rest,
        [along] * rest + [(sy, sx)] * slant,
    ):
        way = [a]
        for y, x in steps:
            way.append((a[0], way[-1][1] + y, way[-1][2] + x))
        ways.append(way)
    return ways


def hash_of(name: str) -> int:
    return sum(ord(c) * (k + 3) for k, c in enumerate(name))


def pad_shape(pad: dict[str, Any]) -> Shape | None:
    """A pad, or a piece of a footprint's copper, as an obstacle and goal."""
    area = Polygon(pad["poly"]).buffer(0)
    if pad["ref"].startswith("FID"):
        # its mask opens further than its copper: by 0.25 mm, by 0.5 mm round the large ones
        area = area.buffer(0.3 if area.area < 0.4 else 0.6)
    if not pad["layers"]:
        area = Point(pad["x"], pad["y"]).buffer(pad["hole"] / 2 + 0.12)
        return Shape("", "FB", area, area) if pad["hole"] else None
    layers = "".join(pad["layers"])
    core = area.buffer(-0.12)
    if core.is_empty:
        core = Point(pad["x"], pad["y"]).buffer(0.06)
    x0, y0, x1, y1 = area.bounds
    exposed = min(x1 - x0, y1 - y0) > 2.6 and not pad["hole"]  # under a chip: vias are wanted
    return Shape(pad["net"], layers, area, core, pad=bool(pad["pin"]) and not exposed)


def track_shape(net: str, layer: str, width: float, points: list[tuple[float, float]]) -> Shape:
    line = LineString(points)
    return Shape(net, layer, line.buffer(width / 2), line.buffer(0.06))
