"""Sheets for a laser: plate, rim and skirt as DXF, the first way to a case.

    python -m hardware.enclosure.laser          DXF files into build/hardware/enclosure

A plate of 368 mm fits no common printer in one piece, but every laser. The plate is 3 mm thick, as
deep as a bowl is; rim and skirt are of 4 mm plywood. What lies under the plate (inserts, rings, clamps,
posts) is small and printed. DXF of release 12: closed polylines and circles in mm, one layer CUT,
without the width of the beam.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path

from hardware import GEOMETRY
from hardware.enclosure import case

Point = tuple[float, float]
PLY = 4.0  # mm, plywood of rim and skirt
SLOT = (case.SLOT, case.SLOT_HIGH)  # the ribbons leave through the back wall

CROSS = 3.0  # mm, half of a mark


@dataclass
class Sheet:
    """One file: closed outlines in mm, y up. `pieces`: how often it is cut."""

    material: str
    pieces: int
    lines: list[list[Point]] = field(default_factory=list)
    circles: list[tuple[float, float, float]] = field(default_factory=list)  # x, y, radius
    marks: list[Point] = field(default_factory=list)  # crosses, engraved: layer MARK


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> list[Point]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def plate() -> Sheet:
    """The top: an opening for each zone, wide enough for the light; a cross for each post."""
    w, h, rim = case.FIELD["width"], case.FIELD["height"], case.RIM
    sheet = Sheet("3 mm plywood or opaque acrylic", 1, [_rectangle(-rim, -rim, w + rim, h + rim)])
    for kind in ("bowl", "action"):
        sheet.circles += [(x, y, case.LIGHT[kind]) for x, y in case.centres(kind).values()]
    sheet.marks = case.clamp_places()
    return sheet


def rim() -> Sheet:
    """A frame of 6 mm; two on one another are as high as the rim of 8 mm."""
    w, h, rim_ = case.FIELD["width"], case.FIELD["height"], case.RIM
    outer, inner = _rectangle(-rim_, -rim_, w + rim_, h + rim_), _rectangle(0, 0, w, h)
    return Sheet(
        f"{PLY:g} mm plywood", round(GEOMETRY["field"]["rim_height"] / PLY), [outer, inner]
    )


def _wall(length: float, slot: bool = False) -> list[Point]:
    """A wall of the skirt, its lower edge at y = 0; `slot`: the ribbons' way out, in its middle."""
    high = case.SKIRT - case.PLATE
    bottom: list[Point] = []
    if slot:
        middle, (wide, deep) = length / 2, SLOT
        bottom = [(middle - wide / 2, 0.0), (middle - wide / 2, deep), (middle + wide / 2, deep),
                  (middle + wide / 2, 0.0)]  # fmt: skip
    return [(0.0, 0.0), *bottom, (length, 0.0), (length, high), (0.0, high)]


def walls() -> dict[str, Sheet]:
    """Four walls under the plate, flush with its edge; the side walls stand between the others."""
    long, material = case.FIELD["width"] + 2 * case.RIM, f"{PLY:g} mm plywood"
    return {
        "skirt-back": Sheet(material, 1, [_wall(long, slot=True)]),
        "skirt-front": Sheet(material, 1, [_wall(long)]),
        "skirt-side": Sheet(material, 2, [_wall(long - 2 * PLY)]),
    }


def sheets() -> dict[str, Sheet]:
    return {"plate": plate(), "rim": rim(), **walls()}


def dxf(sheet: Sheet) -> str:
    """The sheet as DXF of release 12: pairs of a code and a value."""
    pairs: list[tuple[int, object]] = [(0, "SECTION"), (2, "ENTITIES")]
    for line in sheet.lines:
        pairs += [(0, "POLYLINE"), (8, "CUT"), (66, 1), (70, 1)]
        for x, y in line:
            pairs += [(0, "VERTEX"), (8, "CUT"), (10, f"{x:.4f}"), (20, f"{y:.4f}")]
        pairs += [(0, "SEQEND"), (8, "CUT")]
    for x, y, radius in sheet.circles:
        pairs += [
            (0, "CIRCLE"),
            (8, "CUT"),
            (10, f"{x:.4f}"),
            (20, f"{y:.4f}"),
            (40, f"{radius:.4f}"),
        ]
    for x, y in sheet.marks:
        for dx, dy in ((CROSS, 0.0), (0.0, CROSS)):
            pairs += [(0, "LINE"), (8, "MARK"), (10, f"{x - dx:.4f}"), (20, f"{y - dy:.4f}")]
            pairs += [(11, f"{x + dx:.4f}"), (21, f"{y + dy:.4f}")]
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def cut_length(sheet: Sheet) -> float:
    """mm that the laser travels for one piece."""
    ways = [
        math.dist(a, b)
        for line in sheet.lines
        for a, b in zip(line, [*line[1:], line[0]], strict=True)
    ]
    return sum(ways) + sum(2 * math.pi * r for *_, r in sheet.circles)


def write(out: Path) -> list[Path]:
    """All sheets into the folder."""
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, sheet in sheets().items():
        path = out / f"laser-{name}.dxf"
        path.write_text(dxf(sheet), encoding="ascii")
        paths.append(path)
    return paths


if __name__ == "__main__":
    for path in write(case.OUT):
        print(path)
