"""The ribbons: how they lie, how long each must be, and a plan for the build guide.

    python -m hardware.enclosure.ribbons      writes docs/pictures/hardware-ribbons.svg

A ribbon of 16 conductors is 20.3 mm wide, the controller's headers stand 13.4 mm apart with their
rows along x: so each ribbon leaves its plug towards the board, over the next plug, and is folded
there once at 45 degrees, outwards. It comes over the low side of the tray, is folded a second time
beside it, and runs flat to the slot, in one of two stacks. Coordinates in mm, y down, the back of the
board at y = 0, the controller behind it with its USB edge to the board.
"""

import itertools
import math

from shapely.geometry import LineString, Polygon, box

from hardware import PICTURES
from hardware.circuit import BOWLS, ZONES
from hardware.enclosure import case
from hardware.layout import layout_of

Point = tuple[float, float]
PAGE = PICTURES / "hardware-ribbons.svg"
WIDE, THICK = 20.3, 0.9  # of a ribbon: 16 conductors, 1.27 mm apart
AWAY = 36.0  # mm between the back wall and the USB edge: room for a straight plug
HEADER = (28.0, 8.9)  # 2x8 box header, its rows along x
PLUG = (22.5, 6.1)  # IDC socket on it
FOLD = HEADER[1] / 2 + 1.0 + WIDE / 2  # from a header's middle to the middle of the fold
SIDE = (
    3.0 + 2.0 + WIDE / 2
)  # from the controller's edge to the middle of the stack beside the tray
STACKS = 1.0 + WIDE / 2  # from the middle of the slot to the middle of each stack
BENDS = 1.05  # a ribbon does not lie as straight as a ruler
SPARE = 30.0  # mm: up to the plug and down from the tile
COLOURS = ("#b5482f", "#c47f17", "#5d7f2f", "#2f7f6e", "#2f5fa8", "#7a4fa3")


def controller() -> tuple[float, float, float, float]:
    """The controller's edges: left, back, right, front (its USB edge)."""
    size = layout_of("controller").size
    assert size is not None
    middle, front = case.FIELD["width"] / 2, -case.RIM - AWAY
    return middle - size[0] / 2, front - size[1], middle + size[0] / 2, front


def spots() -> dict[str, Point]:
    """Zone centres, the back at the top."""
    return {
        name: (x, y)
        for kind in ("bowl", "action")
        for name, (x, y) in case.TABLE[kind]["centres"].items()
    }


def plug(zone: str) -> Point:
    """Middle of the header under a zone's tile."""
    x, y = spots()[zone]
    return x, y + layout_of("bowl" if zone in BOWLS else "action").places["J1"][1]


def connectors() -> dict[str, Point]:
    """Where each zone's cable ends on the controller, which stands turned."""
    places = layout_of("controller").places
    _, _, right, front = controller()
    out = {}
    for k, zone in enumerate(ZONES):
        x, y, *_ = places[f"J{k + 1}"]
        out[zone] = (right - x, front - y)
    return out


def routes() -> dict[str, list[Point]]:
    """The middle line of each ribbon, from the tile's plug to the controller's."""
    left, _, right, front = controller()
    middle, out = case.FIELD["width"] / 2, {}
    for zone, (cx, cy) in connectors().items():
        way = 1 if cx > middle else -1
        beside = (right if way > 0 else left) + way * SIDE
        slot = middle + way * STACKS
        out[zone] = [
            plug(zone),
            (slot, 12.0),
            (slot, -case.RIM - 4.0),
            (beside, front - 4.0),
            (beside, cy + FOLD),  # second fold, beside the tray
            (cx, cy + FOLD),  # first fold, over the next plug
            (cx, cy),
        ]
    return out


def lengths() -> dict[str, int]:
    """{zone: cm to order}, in steps of 5."""
    out = {}
    for zone, way in routes().items():
        long = sum(math.dist(a, b) for a, b in itertools.pairwise(way))
        out[zone] = 5 * math.ceil((BENDS * long + SPARE) / 50)
    return out


def over_the_controller(zone: str) -> Polygon:
    """The ground that a ribbon covers from its plug to beyond the tray, at its true width."""
    *_, beside, fold, end = routes()[zone]
    way = LineString([end, fold, beside])
    return way.buffer(WIDE / 2, cap_style="square", join_style="mitre")


def must_stay_free() -> dict[str, Polygon]:
    """What hands and plugs reach on the controller: USB, jack, buttons."""
    _, _, right, front = controller()
    places = layout_of("controller").places

    def at(x: float, y: float, wide: float, high: float) -> Polygon:
        u, v = right - x, front - y
        return box(u - wide / 2, v - high / 2, u + wide / 2, v + high / 2)

    usb = places["U1"][0] + 8.89
    free = {
        "USB": at(usb, -15.0, 14.0, 40.0),
        "jack": at(places["J14"][0] + 10, places["J14"][1], 36.0, 12.0),
    }
    for ref in ("SW1", "SW2", "SW3"):
        free[ref] = at(places[ref][0] + 3.25, places[ref][1] + 2.25, 10.0, 10.0)
    return free


def faults() -> list[str]:
    """What does not go, in sentences."""
    out = []
    for (zone, (_, y)), (name, area) in itertools.product(
        connectors().items(), must_stay_free().items()
    ):
        if over_the_controller(zone).intersects(area):
            out.append(f"the ribbon of {zone} (at y = {y:.0f}) lies over {name}")
    sides: dict[bool, int] = {}
    for zone, way in routes().items():
        right = way[-1][0] > case.FIELD["width"] / 2
        sides[right] = sides.get(right, 0) + 1
        if abs(way[2][0] - case.FIELD["width"] / 2) + WIDE / 2 > case.SLOT / 2:
            out.append(f"the ribbon of {zone} does not fit through the slot")
    if max(sides.values()) * THICK > case.SLOT_HIGH:
        out.append("a stack of ribbons is higher than the slot")
    ends = sorted(y for _, y in connectors().values())
    _, back, _, front = controller()
    if ends[0] - HEADER[1] / 2 < back or ends[-1] + HEADER[1] / 2 > front:
        out.append("a header stands over the controller's edge")
    if FOLD + WIDE / 2 - (front - ends[-1]) > AWAY:
        out.append("the first ribbon's fold meets the back wall")
    return out


def shape(x: float, y: float, wide: float, high: float, style: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" {style}/>'


def around(at: Point, size: tuple[float, float], style: str) -> str:
    return shape(at[0] - size[0] / 2, at[1] - size[1] / 2, *size, style)


def word(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{text}</text>'


def _ground() -> list[str]:
    """Case, controller, tiles and headers."""
    wide, high, rim = case.FIELD["width"], case.FIELD["height"], case.RIM
    left, back, right, front = controller()
    dark = 'fill="#444" rx="1"'
    out = [
        shape(-rim, -rim, wide + 2 * rim, high + 2 * rim, 'rx="2" fill="#e9dcc3" stroke="#8a6d45"'),
        shape(left, back, right - left, front - back, 'rx="3" fill="#d5e4d5" stroke="#2d5f3b"'),
        shape(wide / 2 - case.SLOT / 2, -rim, case.SLOT, rim, 'fill="#ffffff"'),
        *(f'<path d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in area.exterior.coords)} Z" fill="#9a9a9a"/>'
          for area in must_stay_free().values()),
    ]  # fmt: skip
    for zone, (x, y) in spots().items():
        radius = case.tile_diameter("bowl" if zone in BOWLS else "action") / 2
        out.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="#f6f4ec" stroke="#777"/>')
        out.append(around(plug(zone), HEADER, dark))
    return out + [around(end, HEADER, dark) for end in connectors().values()]


def _bands() -> list[str]:
    """Each ribbon at its true width, with its middle line."""
    out = []
    for k, (_, way) in enumerate(routes().items()):
        path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in way)
        colour = COLOURS[k % len(COLOURS)]
        out.append(
            f'<path d="{path}" stroke="{colour}" stroke-width="{WIDE}" stroke-opacity=".22"/>'
        )
        out.append(f'<path d="{path}" stroke="{colour}" stroke-width="1.6"/>')
    return out


def _words() -> list[str]:
    wide, high, rim = case.FIELD["width"], case.FIELD["height"], case.RIM
    left, back, right, front = controller()
    long = lengths()
    out = []
    for zone, (x, y) in spots().items():
        kind = "bowl" if zone in BOWLS else "action"
        below = y + case.tile_diameter(kind) / 2 - (14 if kind == "bowl" else 6)
        out.append(word(x, below, f"{zone} {long[zone]}"))
    for zone, (cx, cy) in connectors().items():
        far = (SIDE + WIDE / 2 + 3) * (1 if cx > wide / 2 else -1)
        edge = (right if far > 0 else left) + far
        anchor = "start" if far > 0 else "end"
        text = f"J{ZONES.index(zone) + 1} {zone}"
        out.append(word(edge, cy + FOLD + 2, text, f' text-anchor="{anchor}"'))
    return [
        *out,
        word(wide / 2, back + 12, "buttons, 5 V"),
        word(wide / 2, front + 14, "USB"),
        word(-rim, -rim - 6, "back", ' text-anchor="start"'),
        word(-rim, high + rim + 9, "players", ' text-anchor="start"'),
        word(wide + rim, high + rim + 9, "number: ribbon in cm", ' text-anchor="end"'),
    ]


def draw() -> str:
    """The plan as SVG, in mm, seen from above through the plate."""
    wide, high, rim = case.FIELD["width"], case.FIELD["height"], case.RIM
    x0, y0 = -rim - 6, controller()[1] - 6
    w, h = wide + 2 * rim + 12, high + rim + 20 - y0
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x0:g} {y0:g} {w:g} {h:g}" '
        f'width="{2 * w:.0f}" height="{2 * h:.0f}">\n'
        + shape(x0, y0, w, h, 'fill="#fbfbf8"')
        + "\n"
        + "\n".join(_ground())
        + '\n<g fill="none" stroke-linejoin="bevel">\n'
        + "\n".join(_bands())
        + '\n</g>\n<g font-family="sans-serif" font-size="7" text-anchor="middle" fill="#111" '
        'stroke="#fbfbf8" stroke-width="1.2" paint-order="stroke">\n'
        + "\n".join(_words())
        + "\n</g>\n</svg>\n"
    )


if __name__ == "__main__":
    PAGE.write_text(draw(), encoding="utf-8")
