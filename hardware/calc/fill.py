"""How much of a board's two sides is copper, and how large its largest empty spot is."""

import math
from dataclasses import dataclass

from shapely import maximum_inscribed_circle
from shapely.affinity import rotate
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from hardware import GEOMETRY, layout
from hardware.calc.copper import Copper
from hardware.calc.markdown import titled
from hardware.circuit import BOARDS
from hardware.generate.library import WIDTH, spiral

ORIGIN = {
    True: (148.5, 105.0),
    False: (80.0, 50.0),
}  # of round and rectangular boards, as board.py


@dataclass(frozen=True)
class Side:
    """share of the outline that is copper; mm across the largest circle that touches none."""

    share: float
    empty: float


def outline(name: str) -> BaseGeometry:
    """The board's edge in KiCad's frame, without the rounding of corners."""
    plan = layout.layouts()[name]
    x, y = ORIGIN[plan.round is not None]
    if plan.round:
        return Point(x, y).buffer(plan.round / 2, quad_segs=64)
    assert plan.size is not None
    return box(x, y, x + plan.size[0], y + plan.size[1])


def copper(name: str, layer: str) -> BaseGeometry:
    """Everything of copper on one layer ("F.Cu", "B.Cu"), the printed loop too."""
    board = Copper(name)
    shapes: list[BaseGeometry] = [
        LineString([a, b]).buffer(width / 2)
        for _, own, a, b, width in board.tracks
        if own == layer
    ]
    shapes += [Point(at).buffer(0.3) for _, at in board.vias]
    for pads in board.pads.values():
        for x, y, wide, high, turn, sides, *_ in pads:
            if layer in sides:
                flat = box(x - wide, y - high, x + wide, y + high)
                shapes.append(rotate(flat, -math.degrees(turn), origin=(x, y)))
    for net in board.names:
        shapes += [Polygon(points).buffer(0) for own, points in board.pours(net) if own == layer]
    if name in ("bowl", "action") and layer == "F.Cu":
        kind, (x, y) = GEOMETRY[name], ORIGIN[True]
        line = [(x + u, y + v) for u, v in spiral(kind["loop_radius"], kind["loop_turns"])]
        shapes.append(LineString(line).buffer(WIDTH / 2))
    return unary_union(shapes)


def side(name: str, layer: str) -> Side:
    edge = outline(name)
    made = copper(name, layer).intersection(edge)
    radius = maximum_inscribed_circle(edge.difference(made.buffer(0.01)), tolerance=0.5).length
    return Side(made.area / edge.area, 2 * radius)


def table() -> str:
    rows = []
    for name in BOARDS:
        row = {"board": name}
        for words, layer in (("parts side", "F.Cu"), ("other side", "B.Cu")):
            found = side(name, layer)
            row[f"{words}: copper"] = f"{found.share * 100:.0f} %"
            row[f"{words}: largest empty circle"] = f"{found.empty:.0f} mm"
        rows.append(row)
    return titled(rows)


if __name__ == "__main__":
    print(table())
