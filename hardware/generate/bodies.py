"""Simple bodies for the parts that KiCad's library has none for, and none where nothing is fitted.

Used on a copy of the board when its pictures are drawn (fab.py). Boxes in mm after the makers' outlines,
in the footprint's own frame: x to the right, y up, z from the board.
"""

import re
from pathlib import Path

Box = tuple[float, float, float, float, float, float, str]  # x0, y0, z0, x1, y1, z1, colour
COLOURS = {
    "black": (0.12, 0.12, 0.13), "metal": (0.75, 0.75, 0.73), "white": (0.88, 0.86, 0.80),
    "yellow": (0.80, 0.66, 0.20), "green": (0.10, 0.40, 0.22),
}  # fmt: skip
SOCKET, PINS = 8.5, 2.54  # mm: height of the Pico's sockets, and of the plastic on its pins
PICO = SOCKET + PINS
BODIES: dict[str, tuple[Box, ...]] = {
    "Fuse_1812_4532Metric": (
        (-2.25, -1.6, 0, -1.6, 1.6, 1.0, "metal"), (1.6, -1.6, 0, 2.25, 1.6, 1.0, "metal"),
        (-1.6, -1.6, 0, 1.6, 1.6, 1.05, "yellow"),
    ),
    "BarrelJack_CUI_PJ-102AH_Horizontal": (
        (-4.5, -10.2, 0, 4.5, 0.7, 7.0, "black"), (-4.5, -13.7, 0, 4.5, -10.2, 11.0, "black"),
        (-3.2, -10.2, 7.0, 3.2, 0.7, 9.5, "black"),
    ),
    "JST_SH_BM03B-SRSS-TB_1x03-1MP_P1.00mm_Vertical": ((-2.5, -1.0, 0, 2.5, 1.9, 4.25, "white"),),
    "SOT-523": (
        (-0.4, -0.8, 0.05, 0.4, 0.8, 0.75, "black"), (-0.8, 0.4, 0, -0.4, 0.6, 0.15, "metal"),
        (-0.8, -0.6, 0, -0.4, -0.4, 0.15, "metal"), (0.4, -0.1, 0, 0.8, 0.1, 0.15, "metal"),
    ),
    "Pico_socket": (
        (-1.27, -49.53, 0, 1.27, 1.27, SOCKET, "black"),
        (16.51, -49.53, 0, 19.05, 1.27, SOCKET, "black"),
        (-1.27, -49.53, SOCKET, 1.27, 1.27, PICO, "black"),
        (16.51, -49.53, SOCKET, 19.05, 1.27, PICO, "black"),
        (-1.61, -49.63, PICO, 19.39, 1.37, PICO + 1.0, "green"),
        (4.9, -3.0, PICO + 1.0, 12.9, 2.67, PICO + 3.7, "metal"),
        (5.4, -27.5, PICO + 1.0, 12.4, -20.5, PICO + 1.9, "black"),
    ),
}  # fmt: skip
FOOTPRINT = "\n\t(footprint "
MODEL = re.compile(r"\n\t\t\(model .*?\n\t\t\)", re.DOTALL)
FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 5), (3, 0, 4, 7))


def vrml(boxes: tuple[Box, ...]) -> str:
    """The boxes as VRML 2.0 in KiCad's unit, a tenth of an inch."""
    out = ["#VRML V2.0 utf8"]
    faces = ", ".join(f"{a}, {b}, {c}, {d}, -1" for a, b, c, d in FACES)
    for x0, y0, z0, x1, y1, z1, colour in boxes:
        corners = [
            (x, y, z) for z in (z0, z1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        ]
        points = ", ".join(" ".join(f"{v / 2.54:.5f}" for v in corner) for corner in corners)
        shade = " ".join(f"{v:g}" for v in COLOURS[colour])
        out.append(
            f"Shape {{ appearance Appearance {{ material Material {{ diffuseColor {shade} }} }}\n"
            f" geometry IndexedFaceSet {{ coord Coordinate {{ point [ {points} ] }}\n"
            f"  coordIndex [ {faces} ] }} }}"
        )
    return "\n".join(out) + "\n"


def shown(board: str) -> str:
    """The text of a board file with our bodies, and with no body on an empty place."""
    head, *parts = board.split(FOOTPRINT)
    return FOOTPRINT.join([head, *(_shown(part) for part in parts)])


def _shown(part: str) -> str:
    name = part[1 : part.index('"', 1)].split(":")[-1]
    if re.search(r"\n\t\t\(attr [^)]*\bdnp\b", part):
        return MODEL.sub("", part)
    if name not in BODIES:
        return part
    part, end = MODEL.sub("", part), "\n\t)"
    zeros = "".join(
        f"\n\t\t\t({what}\n\t\t\t\t(xyz {value} {value} {value})\n\t\t\t)"
        for what, value in (("offset", 0), ("scale", 1), ("rotate", 0))
    )
    at = part.index(end)
    model = f'\n\t\t(model "${{KIPRJMOD}}/bodies/{name}.wrl"{zeros}\n\t\t)'
    return part[:at] + model + part[at:]


def put(board: Path) -> None:
    """Changes a board file (a copy!) and lays the bodies beside it."""
    folder = board.parent / "bodies"
    folder.mkdir(exist_ok=True)
    for name, boxes in BODIES.items():
        (folder / f"{name}.wrl").write_text(vrml(boxes), encoding="ascii")
    board.write_text(shown(board.read_text(encoding="utf-8")), encoding="utf-8")
