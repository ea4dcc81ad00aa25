"""Walks the copper of a board file: links and ways of a net with their resistance, pads, pours."""

import heapq
import itertools
import math
from functools import cache
from typing import Any

from shapely.geometry import Point, Polygon

from hardware import KICAD
from hardware.generate.sexp import bare, every, first, load

SQUARE_OHM = 0.0005  # one square of 35 um copper
VIA_OHM = 0.001
VIA_WIDE = 0.6  # mm, its pad


Spot = tuple[float, float]
Key = tuple[str, str]  # reference, pin
Node = Any  # see Copper.links
Links = dict[Node, list[tuple[Node, float]]]
# x, y, half width, half height, turn, layers, number of the net, through, radius of the corners
Pad = tuple[float, float, float, float, float, set[str], str | None, bool, float]
Chain = tuple[list[Node], float]  # nodes along a straight track, its width


def _child(node: list[Any], key: str) -> list[Any]:
    """The first child list with that name; ValueError if there is none."""
    found = first(node, key)
    if found is None:
        raise ValueError(f"a {node[0]} without {key}")
    return found


def _spot(node: list[Any], key: str) -> Spot:
    x, y = (float(v) for v in _child(node, key)[1:3])
    return x, y


def _far(one: list[Node], other: list[Node], reach: float) -> bool:
    """Whether two straight chains lie apart by their boxes."""
    for axis in (1, 2):
        a = sorted((one[0][axis], one[-1][axis]))
        b = sorted((other[0][axis], other[-1][axis]))
        if a[0] - b[1] > reach or b[0] - a[1] > reach:
            return True
    return False


def _pad(fp: list[Any], pad: list[Any]) -> Pad:
    """A pad of a footprint in the board's own frame."""
    at = [float(q) for q in _child(fp, "at")[1:]]
    turn = math.radians(at[2] if len(at) > 2 else 0)
    where = [float(q) for q in _child(pad, "at")[1:]]
    x = at[0] + where[0] * math.cos(turn) + where[1] * math.sin(turn)
    y = at[1] - where[0] * math.sin(turn) + where[1] * math.cos(turn)
    w, h = _spot(pad, "size")
    own = math.radians(where[2] if len(where) > 2 else 0)  # KiCad counts from the board
    through = pad[2] in ("thru_hole", "np_thru_hole")
    layers = {"F.Cu", "B.Cu"} & {bare(v) for v in _child(pad, "layers")[1:]}
    net, ratio = first(pad, "net"), first(pad, "roundrect_rratio")
    corner = float(ratio[1]) * min(w, h) if ratio else 0.0
    if pad[3] in ("circle", "oval"):
        corner = min(w, h) / 2
    sides = {"F.Cu", "B.Cu"} if through else layers
    return x, y, w / 2, h / 2, own, sides, net[1] if net else None, through, corner


@cache
def _tree(name: str) -> list[Any]:
    """The board's file, read once: it is only looked at."""
    return load(KICAD / name / f"{name}.kicad_pcb")


class Copper:
    """One board. `pads` {(ref, pin): [pad, ...]}; `tracks` and `vias` with the number of their net;
    `names` of these numbers.
    """

    def __init__(self, name: str) -> None:
        self.where: dict[Node, Spot] = {}  # places of the nodes that links() has named
        self.tree = _tree(name)
        self.names = {n[1]: bare(n[2]) for n in every(self.tree, "net")}
        self.pads: dict[Key, list[Pad]] = {}
        for fp in every(self.tree, "footprint"):
            ref = next(bare(p[2]) for p in every(fp, "property") if bare(p[1]) == "Reference")
            for pad in every(fp, "pad"):
                self.pads.setdefault((ref, bare(pad[1])), []).append(_pad(fp, pad))
        self.tracks: list[tuple[str, str, Spot, Spot, float]] = [
            (_child(s, "net")[1], bare(_child(s, "layer")[1]), _spot(s, "start"), _spot(s, "end"),
             float(_child(s, "width")[1]))
            for s in every(self.tree, "segment")
        ]  # fmt: skip
        self.vias = [(str(_child(v, "net")[1]), _spot(v, "at")) for v in every(self.tree, "via")]

    @staticmethod
    def in_pad(point: Spot, pad: Pad, more: float = 0.0) -> bool:
        """Is the point (mm) inside the pad, grown by `more` mm?"""
        x, y, hw, hh, turn, *_, corner = pad
        dx, dy = point[0] - x, point[1] - y
        reach = hw + hh + more
        if abs(dx) > reach or abs(dy) > reach:  # most points, and soon told
            return False
        u = dx * math.cos(turn) - dy * math.sin(turn)
        v = dx * math.sin(turn) + dy * math.cos(turn)
        out = math.hypot(max(abs(u) - hw + corner, 0), max(abs(v) - hh + corner, 0))
        return out <= more + corner

    def pours(self, net: str | None) -> list[tuple[str, list[Spot]]]:
        """[(layer, [(x, y), ...]), ...] of the filled outlines of a net's number."""
        out = []
        for zone in every(self.tree, "zone"):
            if _child(zone, "net")[1] == net:
                for fill in every(zone, "filled_polygon"):
                    points = [(float(p[1]), float(p[2])) for p in every(_child(fill, "pts"), "xy")]
                    out.append((bare(_child(fill, "layer")[1]), points))
        return out

    def links(self, net: str | None) -> Links:
        """{node: [(node, ohm), ...]} of a net's copper. Nodes: (layer, x, y) along tracks and in
        vias, ((ref, pin), k) for pads, ("patch", layer, (x, y)) for pours; `self.where` has their
        places.
        """
        links: Links = {}
        chains = self._chains(net, links)
        _touching(chains, links)
        spots = sorted({node for chain, _ in chains for node in chain})
        self._link_pads(net, spots, links)
        self._link_pours(net, spots, links)
        self.where.update((spot, spot[1:]) for spot in spots)
        return links

    def _chains(self, net: str | None, links: Links) -> list[Chain]:
        """Tracks, cut into short pieces, and vias; linked each in itself."""
        chains: list[Chain] = []
        for own, layer, a, b, width in self.tracks:
            if own == net:
                # a long wide track is met along its way
                n = max(1, math.ceil(math.dist(a, b) / 0.25))
                chain: list[Node] = [
                    (layer, *(round(u + (v - u) * k / n, 3) for u, v in zip(a, b, strict=True)))
                    for k in range(n + 1)
                ]
                for p, q in itertools.pairwise(chain):
                    if p != q:
                        _link(links, p, q, math.dist(p[1:], q[1:]) / width * SQUARE_OHM)
                chains.append((chain, width))
        for own, (x, y) in self.vias:
            if own == net:
                front, back = ((layer, round(x, 3), round(y, 3)) for layer in ("F.Cu", "B.Cu"))
                _link(links, front, back, VIA_OHM)
                chains += [([end], VIA_WIDE) for end in (front, back)]
        return chains

    def _link_pads(self, net: str | None, spots: list[Node], links: Links) -> None:
        for key, pads in self.pads.items():
            for k, pad in enumerate(pads):
                if pad[6] == net:
                    self.where[(key, k)] = pad[:2]
                    for layer, x, y in spots:
                        if layer in pad[5] and self.in_pad((x, y), pad, 0.05):
                            _link(links, (key, k), (layer, x, y), 0.0001)

    def _link_pours(self, net: str | None, spots: list[Node], links: Links) -> None:
        for layer, points in self.pours(net):
            patch, name = Polygon(points), ("patch", layer, points[0])
            self.where[name] = (patch.centroid.x, patch.centroid.y)
            for own, x, y in spots:
                if own == layer and patch.covers(Point(x, y)):
                    _link(links, name, (own, x, y), 0.0005)

    def way(self, start: Key, end: Key) -> tuple[float, list[Spot]]:
        """(ohm, [(x, y), ...]) of the best way along tracks, vias and patches between two pads."""
        links = self.links(self.pads[start][0][6])
        first_node, last = (start, 0), (end, 0)
        best: dict[Node, float] = {first_node: 0.0}
        queue: list[tuple[float, int, Node]] = [(0.0, 0, first_node)]
        came: dict[Node, Node] = {first_node: None}
        tick = 0
        while queue:
            ohm, _, node = heapq.heappop(queue)
            if node == last:
                break
            if ohm > best[node]:
                continue
            for other, more in links.get(node, ()):
                if ohm + more < best.get(other, math.inf):
                    best[other], came[other] = ohm + more, node
                    tick += 1
                    heapq.heappush(queue, (ohm + more, tick, other))
        if last not in best:
            raise AssertionError(f"no way from {start} to {end}")
        path, node = [], last
        while node is not None:
            if len(node) == 3 and node[0] != "patch":
                path.append(node[1:])
            node = came[node]
        return best[last], path[::-1]


def _link(links: Links, a: Node, b: Node, ohm: float) -> None:
    links.setdefault(a, []).append((b, ohm))
    links.setdefault(b, []).append((a, ohm))


def _touching(chains: list[Chain], links: Links) -> None:
    """Tracks and vias that touch without a common end: one link where they are nearest."""
    for (one, wide), (other, broad) in itertools.combinations(chains, 2):
        reach = max(wide, broad) / 2
        if one[0][0] != other[0][0] or _far(one, other, reach) or set(one) & set(other):
            continue
        gap, p, q = min((math.dist(p[1:], q[1:]), p, q) for p in one for q in other)
        if gap < reach:
            _link(links, p, q, 0.0002)
