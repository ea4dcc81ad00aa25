"""Panels of tiles: a house's machines want straight edges, so round boards hang between two rails.

Tiles stand in a grid with a slot of 2 mm between them; at each nearest point a tab with a row of
small holes ("mouse bites") holds them, and breaks by hand. Rails carry tooling holes and fiducials.
Units are mm, y down, the upper left corner of the panel at (0, 0).
"""

import math
from dataclasses import dataclass

from shapely.geometry import Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from hardware import GEOMETRY

Spot = tuple[float, float]
SLOT, RAIL, TAB = 2.0, 7.0, 5.0
CUTTER = 1.0  # radius of the router bit, so of every inner corner
BITE, BITES, PITCH, INSIDE = 0.5, 6, 0.8, 0.1  # hole, how many a tab, and how far inside the tile
TOOLING, FIDUCIAL = 2.0, 1.0  # diameters


@dataclass(frozen=True)
class Panel:
    """A grid of one kind of tile."""

    board: str
    columns: int
    rows: int

    @property
    def name(self) -> str:
        return f"{self.board}-panel"

    @property
    def radius(self) -> float:
        return float(GEOMETRY["tile"][f"{self.board}_outline_diameter"]) / 2

    @property
    def size(self) -> Spot:
        """Width and height."""
        pitch = 2 * self.radius + SLOT
        return self.columns * pitch - SLOT, self.rows * pitch + SLOT + 2 * RAIL

    def centres(self) -> list[Spot]:
        """Middles of the tiles, row by row."""
        pitch, r = 2 * self.radius + SLOT, self.radius
        return [
            (r + column * pitch, RAIL + SLOT + r + row * pitch)
            for row in range(self.rows)
            for column in range(self.columns)
        ]

    def tabs(self) -> list[tuple[Spot, Spot]]:
        """(middle of a tile, way to what it hangs on) of every tab, as unit steps."""
        pitch = 2 * self.radius + SLOT
        out = []
        for x, y in self.centres():
            for dx, dy in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                neighbour = (x + dx * pitch, y + dy * pitch)
                if dy or any(math.dist(neighbour, other) < 1 for other in self.centres()):
                    out.append(((x, y), (dx, dy)))
        return out

    def outline(self) -> Polygon:
        """One piece of board with the slots as holes in it, inner corners as round as the cutter."""
        width, height = self.size
        pieces: list[BaseGeometry] = [
            box(0, 0, width, RAIL),
            box(0, height - RAIL, width, height),
        ]
        pieces += [Point(spot).buffer(self.radius, quad_segs=48) for spot in self.centres()]
        pieces += [self._tab(*tab) for tab in self.tabs()]
        whole = unary_union(pieces)
        whole = whole.buffer(CUTTER, quad_segs=8).buffer(-CUTTER, quad_segs=8).simplify(0.005)
        if not isinstance(whole, Polygon):
            raise ValueError(f"the panel of {self.board} tiles falls apart")
        return whole

    def _tab(self, centre: Spot, way: Spot) -> BaseGeometry:
        inner, outer = self.radius - 0.4, self.radius + SLOT + 0.4
        (x, y), (dx, dy) = centre, way
        across = (abs(dy) * TAB / 2, abs(dx) * TAB / 2)
        ends = [(x + dx * far, y + dy * far) for far in (inner, outer)]
        xs, ys = [e[0] for e in ends], [e[1] for e in ends]
        return box(
            min(xs) - across[0], min(ys) - across[1], max(xs) + across[0], max(ys) + across[1]
        )

    def bites(self) -> list[Spot]:
        """Middles of the small holes, on each tile's own edge."""
        out, far = [], self.radius - INSIDE
        for (x, y), (dx, dy) in self.tabs():
            for k in range(BITES):
                turn = (k - (BITES - 1) / 2) * PITCH / far
                c, s = math.cos(turn), math.sin(turn)
                out.append((x + far * (dx * c - dy * s), y + far * (dx * s + dy * c)))
        return out

    def tooling(self) -> list[Spot]:
        """Four holes in the rails, one of them off its corner: so the panel fits one way only."""
        width, height = self.size
        low, high = RAIL / 2, height - RAIL / 2
        return [(5.0, low), (width - 5.0, low), (5.0, high), (width - 12.0, high)]

    def fiducials(self) -> list[Spot]:
        width, height = self.size
        low, high = RAIL / 2, height - RAIL / 2
        return [(15.0, low), (width - 15.0, low), (15.0, high)]


PANELS = {panel.name: panel for panel in (Panel("bowl", 2, 1), Panel("action", 2, 2))}
