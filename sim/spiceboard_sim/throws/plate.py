"""The board as convex pieces: its plate with thirteen hollows, its rim, floors and the table.

MuJoCo needs convex bodies. The plate is cut into the cells that lie nearest to each hollow (a
power diagram), each cell into sectors between the hollow's edge and the cell's border; every
sector is a prism. Millimetres, x to the right, y up (the board's y turned over), z up, the flat at
0.
"""

from collections.abc import Iterable
from math import cos, pi, sin

from spiceboard_sim.board.geometry import HEIGHT, RIM_HEIGHT, WIDTH, ZONE, Zone

Point = tuple[float, float]
Side = tuple[float, float, float]  # a x + b y <= c, with a^2 + b^2 = 1

SIDES = 24  # of a hollow's edge: within 0.18 mm of the circle (bowl), 0.09 (action space)
DEPTH = 3.0  # of the plate, mm: that of the deepest hollow
RIM_WIDTH = 10.0
_FOOT = 3.0  # mm that hidden sides lean outwards, into the neighbour: no contact at joints
_FAR = 1000.0


def clipped(polygon: list[Point], sides: Iterable[Side]) -> list[Point]:
    """The part of a convex polygon that lies on the inner side of all the lines."""
    for a, b, c in sides:
        inside = [a * x + b * y - c for x, y in polygon]
        found: list[Point] = []
        for i, (x, y) in enumerate(polygon):
            here, there = inside[i - 1], inside[i]
            if (here < 0) != (there < 0):
                part = here / (here - there)
                px, py = polygon[i - 1]
                found.append((px + part * (x - px), py + part * (y - py)))
            if there <= 0:
                found.append((x, y))
        polygon = found
    return polygon


def _wall() -> list[Side]:
    return [(1.0, 0.0, WIDTH), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, HEIGHT)]


def _cell(zone: Zone) -> list[Side]:
    """Lines between a hollow and all others: where both circles' powers are equal."""
    x, y = zone.x, -zone.y
    sides = _wall()
    for other in ZONE.values():
        if other is zone:
            continue
        dx, dy = other.x - x, -other.y - y
        gap = (dx * dx + dy * dy) ** 0.5
        along = (gap * gap + zone.radius**2 - other.radius**2) / (2 * gap)
        a, b = dx / gap, dy / gap
        sides.append((a, b, a * x + b * y + along))
    return sides


def prisms() -> list[list[tuple[float, float, float]]]:
    """Corners of all sectors' prisms, in mm, y up."""
    big = [(-_FAR, -_FAR), (_FAR, -_FAR), (_FAR, _FAR), (-_FAR, _FAR)]
    found = []
    for zone in ZONE.values():
        cell = _cell(zone)
        edge = zone.radius * (1 + (1 - cos(pi / SIDES)) / 2) * cos(pi / SIDES)
        for n in range(SIDES):
            low, high = 2 * pi * n / SIDES, 2 * pi * (n + 1) / SIDES
            middle = (low + high) / 2
            x, y = zone.x, -zone.y
            chord = (-cos(middle), -sin(middle), -(cos(middle) * x + sin(middle) * y) - edge)
            wedge = [
                (sin(low), -cos(low), sin(low) * x - cos(low) * y),
                (-sin(high), cos(high), -sin(high) * x + cos(high) * y),
            ]
            hidden = cell + wedge
            top = clipped(big, [*hidden, chord])
            if len(top) < 3:
                continue
            wide = [(a, b, c + _FOOT) for a, b, c in hidden]
            foot = clipped(big, [*wide, chord])
            found.append([(*p, 0.0) for p in top] + [(*p, -DEPTH) for p in foot])
    return found


def rim() -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    """Centre and half sizes of the four walls, mm, y up; the wall's foot stands on the table."""
    tall = (RIM_HEIGHT + DEPTH) / 2
    z = (RIM_HEIGHT - DEPTH) / 2
    half = RIM_WIDTH / 2
    return [
        ((WIDTH / 2, half, z), (WIDTH / 2 + RIM_WIDTH, half, tall)),
        ((WIDTH / 2, -HEIGHT - half, z), (WIDTH / 2 + RIM_WIDTH, half, tall)),
        ((-half, -HEIGHT / 2, z), (half, HEIGHT / 2, tall)),
        ((WIDTH + half, -HEIGHT / 2, z), (half, HEIGHT / 2, tall)),
    ]


def floors() -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    """Centre and half sizes of the floors of hollows that are less deep than the plate."""
    found = []
    for zone in ZONE.values():
        if zone.depth < DEPTH:
            tall = (DEPTH - zone.depth) / 2
            r = zone.radius + 2
            found.append(((zone.x, -zone.y, -DEPTH + tall), (r, r, tall)))
    return found
