"""Lists in the headings that assembly houses' upload pages ask for: parts, and where they go.

Neutral: KiCad's own turns, makers' numbers, for any house.

NAME-assembly-bom.csv   Comment, Designator, Footprint, Manufacturer, Manufacturer Part Number
NAME-assembly-cpl.csv   Designator, Mid X, Mid Y, Layer, Rotation

For one common house (circuit/house.py): its numbers where a source confirms them, its own turns.

NAME-jlcpcb-bom.csv     the same, and JLCPCB Part #; "look up" where no source was found
NAME-jlcpcb-cpl.csv     the same headings, turned
NAME-jlcpcb-turns.csv   what was turned, by how much, and what to look at in the preview

Only what is fitted and sits on a surface: the rest is soldered by hand. Places are in mm, y upwards,
from the same corner as the Gerbers; rotation in degrees, counter-clockwise.
"""

import csv
from pathlib import Path
from typing import Any

from hardware.circuit import KINDS, Board, Part, house
from hardware.generate.sexp import bare, every, first, load
from hardware.generate.symbols import order

BOM = ("Comment", "Designator", "Footprint", "Manufacturer", "Manufacturer Part Number")
HOUSE_BOM = (*BOM, "JLCPCB Part #")
CPL = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
TURNS = ("Designator", "Footprint", "KiCad", "Added", "Look at it because")
UNKNOWN = "look up"


def footprint(kind: str) -> str:
    """A footprint's name without its library."""
    return KINDS[kind].footprint.split(":")[1]


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
    """One row a part number, with the house's number."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for part in board.parts:
        if part.ref not in refs:
            continue
        maker, number, _ = order(part)
        known = house.stocked(part.kind, part.value)
        cells = (part.value, "", footprint(part.kind), maker, number)
        row = dict(zip(BOM, cells, strict=True))
        row["JLCPCB Part #"] = f"{known.number}" if known else UNKNOWN
        row = rows.setdefault((number, row["Footprint"]), row)
        row["Designator"] = f"{row['Designator']},{part.ref}".strip(",")
    return list(rows.values())


def house_bom(board: Board, refs: list[str]) -> list[dict[str, str]]:
    """The same rows with the maker's number of what the house has, where that is another make."""
    kinds = {p.ref: p for p in board.parts}
    rows = bom(board, refs)
    for row in rows:
        part = kinds[row["Designator"].split(",")[0]]
        known = house.stocked(part.kind, part.value)
        if known and known.mpn != row["Manufacturer Part Number"]:
            row["Manufacturer"] = ""
            row["Manufacturer Part Number"] = known.mpn
    return rows


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


def _turn(part: Part) -> house.Turn:
    return house.turn(part.kind, part.value, footprint(part.kind))


def turned(board: Board, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The places with the house's turns."""
    parts = {p.ref: p for p in board.parts}
    out = []
    for row in rows:
        more = _turn(parts[row["Designator"]]).degrees
        out.append({**row, "Rotation": f"{(float(row['Rotation']) + more) % 360:g}"})
    return out


def turns(board: Board, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """What differs from KiCad's turn, or may."""
    parts = {p.ref: p for p in board.parts}
    out = []
    for row in rows:
        part = parts[row["Designator"]]
        turn = _turn(part)
        if turn.degrees or turn.doubt:
            name = footprint(part.kind)
            cells = (part.ref, name, row["Rotation"], str(turn.degrees), turn.doubt)
            out.append(dict(zip(TURNS, cells, strict=True)))
    return out


def write_rows(path: Path, headings: tuple[str, ...], rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, headings, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def write(board: Board, pcb: Path, out: Path) -> None:
    """All five files into the folder, which holds KiCad's NAME-positions.csv already."""
    refs = placed(board, pcb)
    rows = places(out / f"{board.name}-positions.csv", refs)
    stem = f"{board.name}-assembly"
    write_rows(out / f"{stem}-bom.csv", BOM, bom(board, refs))
    write_rows(out / f"{stem}-cpl.csv", CPL, rows)
    stem = f"{board.name}-jlcpcb"
    write_rows(out / f"{stem}-bom.csv", HOUSE_BOM, house_bom(board, refs))
    write_rows(out / f"{stem}-cpl.csv", CPL, turned(board, rows))
    write_rows(out / f"{stem}-turns.csv", TURNS, turns(board, rows))
