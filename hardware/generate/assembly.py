"""Lists in the headings that assembly houses' upload pages ask for: parts, and where they go.

NAME-assembly-bom.csv   Comment, Designator, Footprint, Manufacturer, Manufacturer Part Number
NAME-assembly-cpl.csv   Designator, Mid X, Mid Y, Layer, Rotation

Only what is fitted and sits on a surface: the rest is soldered by hand. Places and turns are
KiCad's own (mm, y upwards, degrees counter-clockwise, from the same corner as the Gerbers). A
house's zero turn of a package may differ from KiCad's; its preview shows that, no table here does.
"""

import csv
from pathlib import Path

from hardware.circuit import KINDS, Board
from hardware.generate.sexp import bare, every, first, load
from hardware.generate.symbols import order

BOM = ("Comment", "Designator", "Footprint", "Manufacturer", "Manufacturer Part Number")
CPL = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")


def on_a_surface(pcb: Path) -> set[str]:
    """References of the parts that KiCad calls surface-mounted."""
    found = set()
    for fp in every(load(pcb), "footprint"):
        kind = first(fp, "attr")
        if kind is not None and "smd" in kind:
            names = (bare(p[2]) for p in every(fp, "property") if bare(p[1]) == "Reference")
            found.add(next(names))
    return found


def placed(board: Board, pcb: Path) -> list[str]:
    """References of what the house fits."""
    surface = on_a_surface(pcb)
    return [p.ref for p in board.parts if KINDS[p.kind].in_bom and not p.dnp and p.ref in surface]


def bom(board: Board, refs: list[str]) -> list[dict[str, str]]:
    """One row a part number."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for part in board.parts:
        if part.ref not in refs:
            continue
        maker, number, _ = order(part)
        footprint = KINDS[part.kind].footprint.split(":")[1]
        row = dict(zip(BOM, (part.value, "", footprint, maker, number), strict=True))
        row = rows.setdefault((number, footprint), row)
        row["Designator"] = f"{row['Designator']},{part.ref}".strip(",")
    return list(rows.values())


def places(positions: Path, refs: list[str]) -> list[dict[str, str]]:
    """KiCad's list of positions in the other headings. ValueError when a part has no place."""
    with positions.open(encoding="utf-8") as file:
        known = {row["Ref"]: row for row in csv.DictReader(file)}
    lost = [ref for ref in refs if ref not in known]
    if lost:
        raise ValueError(f"{positions.name} has no place for {', '.join(lost)}")
    return [
        {
            "Designator": ref,
            "Mid X": f"{float(known[ref]['PosX']):.4f}mm",
            "Mid Y": f"{float(known[ref]['PosY']):.4f}mm",
            "Layer": known[ref]["Side"].capitalize(),
            "Rotation": f"{float(known[ref]['Rot']) % 360:g}",
        }
        for ref in refs
    ]


def write(board: Board, pcb: Path, out: Path) -> None:
    """Both files into the folder, which holds KiCad's NAME-positions.csv already."""
    refs = placed(board, pcb)
    lists = {
        "bom": (BOM, bom(board, refs)),
        "cpl": (CPL, places(out / f"{board.name}-positions.csv", refs)),
    }
    for name, (headings, rows) in lists.items():
        path = out / f"{board.name}-assembly-{name}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, headings)
            writer.writeheader()
            writer.writerows(rows)
