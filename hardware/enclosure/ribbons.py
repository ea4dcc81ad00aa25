"""The ribbons: how long each must be, and a plan for the build guide of how they lie.

python -m hardware.enclosure.ribbons      writes docs/pictures/hardware-ribbons.svg
"""

import math

from hardware import PICTURES
from hardware.circuit.description import BOWLS, ZONES
from hardware.enclosure import case
from hardware.layout import layouts

PAGE = PICTURES / "hardware-ribbons.svg"
AWAY = 40.0  # mm between the back wall and the controller's USB edge
ROUND = 8.0  # mm beside the controller, where the ribbons go up to their connectors
BENDS = 1.05  # a ribbon does not lie as straight as a ruler
SPARE = 40.0  # mm: a fold at each plug, and down from the tile
COLOURS = ("#b5482f", "#c47f17", "#5d7f2f", "#2f7f6e", "#2f5fa8", "#7a4fa3")
HEADER = (20.3, 8.9)  # mm: 2x8 box header


def spots() -> dict[str, tuple[float, float]]:
    """Zone centres, y down, the back at the top."""
    return {
        name: (x, y)
        for kind in ("bowl", "action")
        for name, (x, y) in case.TABLE[kind]["centres"].items()
    }


def connectors() -> dict[str, tuple[float, float]]:
    """Where each zone's cable ends on the controller, which stands turned: USB edge to the board."""
    plan = layouts()["controller"]
    assert plan.size is not None
    wide, _ = plan.size
    left = case.FIELD["width"] / 2 - wide / 2
    edge = -case.RIM - AWAY
    out = {}
    for k, zone in enumerate(ZONES):
        x, y, *_ = plan.places[f"J{k + 1}"]
        out[zone] = (left + wide - x, edge - y)
    return out


def lengths() -> dict[str, int]:
    """{zone: cm to order}: to the slot, round the controller's corner, up its side; in steps of 5."""
    board = layouts()["controller"].size
    assert board is not None
    middle, edge, out = case.FIELD["width"] / 2, -case.RIM - AWAY, {}
    ends = connectors()
    for zone, (x, y) in spots().items():
        plug = layouts()["bowl" if zone in BOWLS else "action"].places["J1"][1]
        cx, cy = ends[zone]
        way = math.hypot(x - middle, y + plug + case.RIM)
        way += math.hypot(board[0] / 2 + ROUND, AWAY)
        way += edge - cy + abs(abs(cx - middle) - board[0] / 2 - ROUND)
        out[zone] = 5 * math.ceil((BENDS * way + SPARE) / 50)
    return out


def box(x: float, y: float, wide: float, high: float, style: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" {style}/>'


def word(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{text}</text>'


def draw() -> str:
    """The plan as SVG, in mm, seen from above through the plate."""
    wide, high, rim = case.FIELD["width"], case.FIELD["height"], case.RIM
    board = layouts()["controller"].size
    assert board is not None
    middle, top = wide / 2, -rim - AWAY - board[1]
    shapes = [
        box(-rim, -rim, wide + 2 * rim, high + 2 * rim, 'rx="2" fill="#e9dcc3" stroke="#8a6d45"'),
        box(middle - board[0] / 2, top, *board, 'rx="3" fill="#d5e4d5" stroke="#2d5f3b"'),
        box(middle - 24, -rim, 48, rim, 'fill="#ffffff"'),
        box(middle - 10, -rim - AWAY - 3, 20, 6, 'fill="#9a9a9a"'),
    ]
    ribbons, words = [], []
    ends, long = connectors(), lengths()
    for k, (zone, (x, y)) in enumerate(spots().items()):
        kind = "bowl" if zone in BOWLS else "action"
        radius = case.tile_diameter(kind) / 2
        shapes.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="#f6f4ec" stroke="#777"/>')
        plug = layouts()[kind].places["J1"][1]
        size = 'fill="#444" rx="1"'
        shapes.append(box(x - HEADER[0] / 2, y + plug - HEADER[1] / 2, *HEADER, size))
        (cx, cy), lean = ends[zone], middle + (k - 6) * 3.2
        shapes.append(box(cx - HEADER[0] / 2, cy - HEADER[1] / 2, *HEADER, size))
        right = cx > middle
        side = middle + (board[0] / 2 + ROUND) * (1 if right else -1)
        ribbons.append(
            f'<path d="M{x} {y + plug:.1f} C{x} {y - 45:.1f} {lean:.1f} 60 {lean:.1f} {-rim:.1f} '
            f"C{lean:.1f} -34 {side:.1f} -22 {side:.1f} {-rim - AWAY - 6:.1f} "
            f'L{side:.1f} {cy + 8:.1f} Q{side:.1f} {cy:.1f} {cx:.1f} {cy:.1f}" '
            f'stroke="{COLOURS[k % len(COLOURS)]}"/>'
        )
        words.append(word(x, y + radius - (14 if kind == "bowl" else 6), f"{zone} {long[zone]}"))
        beyond = side + (5 if right else -5)
        anchor = "start" if right else "end"
        label = f"J{ZONES.index(zone) + 1} {zone}"
        words.append(word(beyond, cy + 2, label, f' text-anchor="{anchor}"'))
    words += [
        word(middle, top + 12, "buttons, 5 V"),
        word(middle, -rim - AWAY - 8, "USB"),
        word(-rim, -rim - 6, "back", ' text-anchor="start"'),
        word(-rim, high + rim + 9, "players", ' text-anchor="start"'),
        word(wide + rim, high + rim + 9, "number: ribbon in cm", ' text-anchor="end"'),
    ]
    x0, y0 = -rim - 6, top - 6
    w, h = wide + 2 * rim + 12, high + rim + 20 - y0
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x0:g} {y0:g} {w:g} {h:g}" '
        f'width="{2 * w:.0f}" height="{2 * h:.0f}">\n'
        + box(x0, y0, w, h, 'fill="#fbfbf8"')
        + "\n"
        + "\n".join(shapes)
        + '\n<g fill="none" stroke-width="3" stroke-opacity=".75">\n'
        + "\n".join(ribbons)
        + '\n</g>\n<g font-family="sans-serif" font-size="7" text-anchor="middle" fill="#111" '
        'stroke="#fbfbf8" stroke-width="1.2" paint-order="stroke">\n'
        + "\n".join(words)
        + "\n</g>\n</svg>\n"
    )


if __name__ == "__main__":
    PAGE.write_text(draw(), encoding="utf-8")
