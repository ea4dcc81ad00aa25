"""Pictures of the guide that show how things go together: clamps, splices, the ribbons' folds.

    python -m hardware.enclosure.guide        writes docs/pictures/hardware-case-{under,joint}.png
                                              and hardware-ribbon-fold.png

Everything is drawn from the solids that are printed and from the plan of the ribbons; nothing is
placed by eye.
"""

import itertools
import math

import numpy as np
import trimesh
from manifold3d import CrossSection, FillRule, Manifold, OpType
from shapely.geometry import LineString, Polygon

from hardware import PICTURES
from hardware.circuit import BOWLS, ZONES
from hardware.enclosure import case, ribbons
from hardware.enclosure.draw import Coloured, picture, turned
from hardware.layout import layout_of

Colour = tuple[int, int, int]
WOOD: tuple[Colour, ...] = ((205, 180, 140), (184, 158, 120), (200, 172, 130), (190, 165, 125))
GREEN, WHITE, GREY, DARK = (40, 110, 70), (228, 228, 218), (120, 120, 130), (60, 60, 66)
RED, BLUE, YELLOW = (190, 70, 55), (70, 110, 180), (245, 205, 40)
HIGH = 13.0  # of a box header with its plug on it: where the ribbon comes out
JOINT = 70.0  # mm: side of the piece that the close picture shows
STRIPE = 1.8  # mm: half the width of the mark along conductor 1
FOLD_SEEN = (-45.0, 0.0, 195.0)  # from where the picture of the folds is seen
FRONT = 60.0  # mm that the numbers of the folds stand before everything
DIGITS = {  # bars of the folds' numbers: x0, y0, x1, y1 in mm round the fold
    "1": ((-0.8, -5.0, 0.8, 5.0), (-2.4, 3.0, 0.0, 4.4)),
    "2": ((-3.0, 3.6, 3.0, 5.0), (1.6, -0.7, 3.0, 5.0), (-3.0, -0.7, 3.0, 0.7),
          (-3.0, -5.0, -1.6, 0.7), (-3.0, -5.0, 3.0, -3.6)),
}  # fmt: skip
FOLDED = ("chili", "extra_throw")  # a ribbon of each column: far enough from the wall to be seen


def _pieces() -> list[tuple[Manifold, Colour]]:
    """The printed plate with inserts, tiles, clamps and splices where they belong."""
    out = list(zip(case.plate_pieces().values(), WOOD, strict=True))
    for kind in ("bowl", "action"):
        _, down, *_ = layout_of(kind).places["J1"]
        for x, y in case.centres(kind).values():
            low = case.tile_top(kind) - case.BOARD
            plug = case.block(
                -ribbons.HEADER[0] / 2, -ribbons.HEADER[1] / 2, low - 9, 14, 4.45, low
            )
            for solid, colour in (
                (case.insert(kind), WHITE),
                (case.tile_solid(kind), GREEN),
                (plug.translate((0, -down, 0)), DARK),
            ):
                out.append((solid.translate((x, y, 0)), colour))
    return out + held()


def held() -> list[tuple[Manifold, Colour]]:
    """Clamps under the bosses, each across the two inserts that it holds; splices in the skirt."""
    out = []
    inserts = [(x, y, kind) for kind in ("bowl", "action") for x, y in case.centres(kind).values()]
    for x, y in case.clamp_places():
        cx, cy, kind = min(inserts, key=lambda c: math.dist((x, y), c[:2]))
        turn = math.degrees(math.atan2(cy - y, cx - x))
        low = case.tile_top(kind) - case.BOARD - 2.0 - 3.0
        out.append((case.clamp().rotate((0, 0, turn)).translate((x, y, low)), GREY))
    for x, y, turn in case.splice_places():
        bar = case.splice().rotate((90, 0, 0)).translate((0, 0, -16))
        out.append((bar.rotate((0, 0, turn)).translate((x, y, 0)), RED))
    return out


def under() -> list[Coloured]:
    """The whole case from below."""
    return [(case.to_mesh(solid), colour) for solid, colour in _pieces()]


def joint() -> list[Coloured]:
    """The piece round the joint in the back wall: its splice, and the clamp that bridges it."""
    x, y, _ = case.splice_places()[0]
    near = case.block(x - JOINT, y - JOINT, -100, x + JOINT, y + 20, 100)
    cut = [(solid ^ near, colour) for solid, colour in _pieces()]
    return [(case.to_mesh(solid), colour) for solid, colour in cut if solid.volume() > 1]


def strip(way: list[ribbons.Point]) -> list[Polygon]:
    """The flat pieces of a ribbon that runs along a line: between two folds at 45 degrees."""
    pieces = []
    for k, (a, b) in enumerate(itertools.pairwise(way)):
        long = math.dist(a, b)
        u = ((b[0] - a[0]) / long, (b[1] - a[1]) / long)
        ends = (k > 0, k < len(way) - 2)
        more = [ribbons.WIDE / 2 if fold else 0.0 for fold in ends]
        line = LineString(
            [
                (a[0] - u[0] * more[0], a[1] - u[1] * more[0]),
                (b[0] + u[0] * more[1], b[1] + u[1] * more[1]),
            ]
        )
        piece = line.buffer(ribbons.WIDE / 2, cap_style="flat")
        for corner, fold in zip((k, k + 1), ends, strict=True):
            if fold:
                piece -= _beyond(*way[corner - 1 : corner + 2])
        pieces.append(piece)
    return pieces


def _beyond(before: ribbons.Point, at: ribbons.Point, after: ribbons.Point) -> Polygon:
    """The half plane beyond a fold's crease, which mirrors what comes into what leaves."""
    one, two = (np.subtract(q, p) / math.dist(p, q) for p, q in ((before, at), (at, after)))
    normal = (one - two) / np.linalg.norm(one - two)
    along, centre = np.array((-normal[1], normal[0])), np.array(at)
    far = 300.0
    corners = (centre - far * along, centre + far * along,
               centre + far * (along + normal), centre + far * (normal - along))  # fmt: skip
    return Polygon([tuple(c) for c in corners])


def _sheet(
    area: Polygon, a: ribbons.Point, b: ribbons.Point, z: tuple[float, float]
) -> trimesh.Trimesh:
    """A ribbon's piece from a to b, falling from z[0] to z[1] between its folds."""
    flat = CrossSection([list(area.exterior.coords)[:-1]], FillRule.NonZero)
    mesh = case.to_mesh(Manifold.extrude(flat, ribbons.THICK).refine_to_length(2.5))
    long, level = math.dist(a, b), ribbons.WIDE / 2
    run = (mesh.vertices[:, :2] - a) @ np.subtract(b, a) / long
    share = np.clip((run - level) / max(long - 2 * level, 1.0), 0, 1)
    mesh.vertices[:, 2] += z[0] + (z[1] - z[0]) * share
    return mesh


def _ribbon(zone: str, colour: Colour) -> list[Coloured]:
    """From the plug on the controller over both folds towards the slot; y points up here."""
    way = [(x, -y) for x, y in reversed(ribbons.routes()[zone])][:4]
    top = case.PILLAR + case.BOARD + HIGH
    over = case.TRAY_SIDE + 1.0
    heights = [(top, top), (top + ribbons.THICK, over), (over + ribbons.THICK, 0.0)]
    side = 1.0 if pin_1(zone)[0] > 0 else -1.0
    out: list[Coloured] = []
    for area, mark, (a, b), z in zip(
        strip(way), stripes(way, side), itertools.pairwise(way), heights, strict=True
    ):
        raised = (z[0] + 0.5, z[1] + 0.5)
        out += [(_sheet(area, a, b, z), colour), (_sheet(mark, a, b, raised), YELLOW)]
    for digit, (x, y), high in zip("12", way[1:3], (top, over), strict=True):
        out += [
            (_number(digit, (x, y, high), 0.0), WHITE),
            (_number(digit, (x, y, high), 1.0), DARK),
        ]
    return [*out, (case.to_mesh(_arrow(zone)), colour)]


def _number(digit: str, at: tuple[float, float, float], rim: float) -> trimesh.Trimesh:
    """A digit over a fold, turned to who looks at the picture and before everything else; one with a
    rim, in mm, stands behind it."""
    z = FRONT - rim
    bars = [
        case.block(x0 - rim, y0 - rim, z, x1 + rim, y1 + rim, z + 0.5)
        for x0, y0, x1, y1 in DIGITS[digit]
    ]
    mesh = case.to_mesh(Manifold.batch_boolean(bars, OpType.Add))
    mesh.vertices = mesh.vertices @ turned(FOLD_SEEN) + at
    return mesh


def pin_1(zone: str) -> ribbons.Point:
    """Pin 1 of the controller's header from its middle, y up; the controller stands turned."""
    *_, turn, _ = layout_of("controller").places[f"J{ZONES.index(zone) + 1}"]
    way = {90.0: -1.0, 270.0: 1.0}[float(turn)]  # a header's pins go on by 2.54 mm from pin 1
    return -way * 3.5 * 2.54, -way * 1.27


def stripes(way: list[ribbons.Point], side: float) -> list[Polygon]:
    """Where conductor 1 lies on each piece; side: 1 left of the way from the plug. A fold turns it."""
    out = []
    for k, ((a, b), area) in enumerate(zip(itertools.pairwise(way), strip(way), strict=True)):
        u = np.subtract(b, a) / math.dist(a, b)
        aside = np.array((-u[1], u[0])) * side * (-1) ** k * (ribbons.WIDE / 2 - STRIPE)
        far = 2 * ribbons.WIDE * u
        line = LineString([tuple(a + aside - far), tuple(b + aside + far)])
        out.append(area & line.buffer(STRIPE, cap_style="flat"))
    return out


def _arrow(zone: str) -> Manifold:
    """From where the drawn ribbon ends to the slot."""
    (ax, ay), (bx, by) = [(x, -y) for x, y in reversed(ribbons.routes()[zone])][3:5]
    long, turn = math.dist((ax, ay), (bx, by)), math.degrees(math.atan2(by - ay, bx - ax))
    outline = [(4, -1.5), (long - 10, -1.5), (long - 10, -5), (long, 0), (long - 10, 5),
               (long - 10, 1.5), (4, 1.5)]  # fmt: skip
    flat = Manifold.extrude(CrossSection([outline]), 1.0)
    return flat.rotate((0, 0, turn)).translate((ax, ay, 0))


def fold() -> list[Coloured]:
    """The controller in its tray behind the back wall, with one folded ribbon of each column."""
    left, back, right, front = ribbons.controller()
    tray = case.controller_tray().rotate((0, 0, 180)).translate((right, -back, 0))
    board = case.block(left, -front, case.PILLAR, right, -back, case.PILLAR + case.BOARD)
    w = case.FIELD["width"]
    wall = case.block(left - 25, 0, 0, right + 25, case.RIM, case.SKIRT)
    slot = (w / 2 - case.SLOT / 2, w / 2 + case.SLOT / 2)
    wall -= case.block(slot[0], -1, -1, slot[1], case.RIM + 1, case.SLOT_HIGH)
    out: list[tuple[Manifold, Colour]] = [(tray, GREY), (board, GREEN), (wall, WOOD[0])]
    for zone, (x, y) in ribbons.connectors().items():
        high = case.PILLAR + case.BOARD
        dx, dy = pin_1(zone)
        spot = case.cylinder(4.0, high, high + 9.6, x + dx, dy - y)
        out.append((spot, YELLOW))
        half = (ribbons.HEADER[0] / 2, ribbons.HEADER[1] / 2)
        out.append(
            (
                case.block(x - half[0], -y - half[1], high, x + half[0], -y + half[1], high + 9),
                DARK,
            )
        )
    drawn: list[Coloured] = [(case.to_mesh(solid), colour) for solid, colour in out]
    wide, deep = ribbons.PLUG[0] / 2, ribbons.PLUG[1] / 2
    for x, y in (ribbons.connectors()[zone] for zone in FOLDED):
        low = case.PILLAR + case.BOARD + 9
        socket = case.block(x - wide, -y - deep, low, x + wide, -y + deep, low + HIGH - 9)
        drawn.append((case.to_mesh(socket), DARK))
    for zone, colour in zip(FOLDED, (RED, BLUE), strict=True):
        drawn += _ribbon(zone, colour)
    return drawn


def main() -> None:
    assert set(FOLDED) <= set(ZONES) and BOWLS
    picture(under(), PICTURES / "hardware-case-under.png", (150, 0, 20))
    picture(joint(), PICTURES / "hardware-case-joint.png", (135, 0, 200))
    picture(fold(), PICTURES / "hardware-ribbon-fold.png", FOLD_SEEN)


if __name__ == "__main__":
    main()
