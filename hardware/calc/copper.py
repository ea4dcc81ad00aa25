"""Walks the copper of a board file: links and ways of a net with their resistance, pads, pours."""

import heapq
import itertools
import math

from hardware import KICAD
from hardware.generate.sexp import bare, every, first, load

SQUARE_OHM = 0.0005  # one square of 35 um copper
VIA_OHM = 0.001
VIA_WIDE = 0.6  # mm, its pad


def _spot(node, key):
    return tuple(float(v) for v in first(node, key)[1:3])


def _far(one, other, reach):
    """Whether two straight chains lie apart by their boxes."""
    for axis in (1, 2):
        a = sorted((one[0][axis], one[-1][axis]))
        b = sorted((other[0][axis], other[-1][axis]))
        if a[0] - b[1] > reach or b[0] - a[1] > reach:
            return True
    return False


class Copper:
    """One board. `pads` {(ref, pin): [(x, y, half width, half height, turn, layers, net,
    through, radius of the corners), ...]}; `tracks` and `vias` with the number of their net;
    `names` of these numbers.
    """

    def __init__(self, name):
        self.where = {}  # places of the nodes that links() has named
        self.tree = load(KICAD / name / f"{name}.kicad_pcb")
        self.names = {n[1]: bare(n[2]) for n in every(self.tree, "net")}
        self.pads = {}
        for fp in every(self.tree, "footprint"):
            ref = next(bare(p[2]) for p in every(fp, "property") if bare(p[1]) == "Reference")
            at = [float(q) for q in first(fp, "at")[1:]]
            turn = math.radians(at[2] if len(at) > 2 else 0)
            for pad in every(fp, "pad"):
                where = [float(q) for q in first(pad, "at")[1:]]
                x = at[0] + where[0] * math.cos(turn) + where[1] * math.sin(turn)
                y = at[1] - where[0] * math.sin(turn) + where[1] * math.cos(turn)
                w, h = _spot(pad, "size")
                own = math.radians(
                    where[2] if len(where) > 2 else 0
                )  # KiCad counts from the board
                through = pad[2] in ("thru_hole", "np_thru_hole")
                layers = {"F.Cu", "B.Cu"} & {bare(v) for v in first(pad, "layers")[1:]}
                net = first(pad, "net")
                ratio = first(pad, "roundrect_rratio")
                corner = float(ratio[1]) * min(w, h) if ratio else 0.0
                if pad[3] in ("circle", "oval"):
                    corner = min(w, h) / 2
                entry = (x, y, w / 2, h / 2, own, {"F.Cu", "B.Cu"} if through else layers,
                         net and net[1], through, corner)  # fmt: skip
                self.pads.setdefault((ref, bare(pad[1])), []).append(entry)
        self.tracks = [
            (first(s, "net")[1], bare(first(s, "layer")[1]), _spot(s, "start"), _spot(s, "end"),
             float(first(s, "width")[1]))
            for s in every(self.tree, "segment")
        ]  # fmt: skip
        self.vias = [(first(v, "net")[1], _spot(v, "at")) for v in every(self.tree, "via")]

    @staticmethod
    def in_pad(point, pad, more=0.0):
        """Is the point (mm) inside the pad, grown by `more` mm?"""
        x, y, hw, hh, turn, *_, corner = pad
        dx, dy = point[0] - x, point[1] - y
        u = dx * math.cos(turn) - dy * math.sin(turn)
        v = dx * math.sin(turn) + dy * math.cos(turn)
        out = math.hypot(max(abs(u) - hw + corner, 0), max(abs(v) - hh + corner, 0))
        return out <= more + corner

    def pours(self, net):
        """[(layer, [(x, y), ...]), ...] of the filled outlines of a net's number."""
        out = []
        for zone in every(self.tree, "zone"):
            if first(zone, "net")[1] == net:
                for fill in every(zone, "filled_polygon"):
                    points = [(float(p[1]), float(p[2])) for p in every(first(fill, "pts"), "xy")]
                    out.append((bare(first(fill, "layer")[1]), points))
        return out

    def links(self, net):
        """{node: [(node, ohm), ...]} of a net's copper. Nodes: (layer, x, y) along tracks and in
        vias, ((ref, pin), k) for pads, ("patch", layer, (x, y)) for pours; `self.where` has their places.
        """
        from shapely.geometry import Point, Polygon

        links = {}

        def link(a, b, ohm):
            links.setdefault(a, []).append((b, ohm))
            links.setdefault(b, []).append((a, ohm))

        nodes, chains = set(), []
        for own, layer, a, b, width in self.tracks:
            if own == net:
                # a long wide track is met along its way: cut it into short pieces
                n = max(1, math.ceil(math.dist(a, b) / 0.25))
                steps = [(k / n) for k in range(n + 1)]
                spots = [tuple(round(u + (v - u) * t, 3) for u, v in zip(a, b, strict=True))
                         for t in steps]  # fmt: skip
                chain = [(layer, *spot) for spot in spots]
                for p, q in itertools.pairwise(chain):
                    if p != q:
                        link(p, q, math.dist(p[1:], q[1:]) / width * SQUARE_OHM)
                nodes.update(chain)
                chains.append((chain, width))
        for own, (x, y) in self.vias:
            if own == net:
                ends = [(layer, round(x, 3), round(y, 3)) for layer in ("F.Cu", "B.Cu")]
                link(*ends, VIA_OHM)
                nodes.update(ends)
                chains += [([end], VIA_WIDE) for end in ends]
        # tracks and vias that touch without a common end: one link where they are nearest
        for (one, wide), (other, broad) in itertools.combinations(chains, 2):
            reach = max(wide, broad) / 2
            if one[0][0] != other[0][0] or set(one) & set(other) or _far(one, other, reach):
                continue
            gap, p, q = min((math.dist(p[1:], q[1:]), p, q) for p in one for q in other)
            if gap < reach:
                link(p, q, 0.0002)
        spots = sorted(nodes)
        for key, pads in self.pads.items():
            for k, pad in enumerate(pads):
                if pad[6] == net:
                    self.where[(key, k)] = pad[:2]
                    for layer, x, y in spots:
                        if layer in pad[5] and self.in_pad((x, y), pad, 0.05):
                            link((key, k), (layer, x, y), 0.0001)
        for layer, points in self.pours(net):
            patch, name = Polygon(points), ("patch", layer, points[0])
            self.where[name] = (patch.centroid.x, patch.centroid.y)
            for own, x, y in spots:
                if own == layer and patch.covers(Point(x, y)):
                    link(name, (own, x, y), 0.0005)
        self.where.update((spot, spot[1:]) for spot in spots)
        return links

    def way(self, start, end):
        """(ohm, [(x, y), ...]) of the best way along tracks, vias and patches between two pads."""
        links = self.links(self.pads[start][0][6])
        start, end = (start, 0), (end, 0)
        best, queue, tick = {start: 0.0}, [(0.0, 0, start)], 0
        came = {start: None}
        while queue:
            ohm, _, node = heapq.heappop(queue)
            if node == end:
                break
            if ohm > best[node]:
                continue
            for other, more in links.get(node, ()):
                if ohm + more < best.get(other, math.inf):
                    best[other], came[other] = ohm + more, node
                    tick += 1
                    heapq.heappush(queue, (ohm + more, tick, other))
        if end not in best:
            raise AssertionError(f"no way from {start} to {end}")
        path, node = [], end
        while node is not None:
            if len(node) == 3 and node[0] != "patch":
                path.append(node[1:])
            node = came[node]
        return best[end], path[::-1]
