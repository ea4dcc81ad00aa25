"""The bill of materials of a board: what to buy, with alternates, and room for prices."""

import csv
from pathlib import Path

from hardware.circuit import KINDS, Board, house
from hardware.circuit.catalogue import ALIKE, datasheet
from hardware.generate.symbols import order

COUNT = {"bowl": 9, "action": 4, "controller": 1}  # boards of a set


def bom(board: Board) -> list[dict[str, str]]:
    """One row a kind and value. Prices are left blank: none was asked of a shop."""
    rows: dict[tuple[str, str, bool], dict[str, str]] = {}
    for part in board.parts:
        kind = KINDS[part.kind]
        if not kind.in_bom:
            continue
        maker, mpn, alternates = order(part)
        value = ALIKE.get(part.kind, part.value)
        known = house.stocked(part.kind, part.value)
        row = rows.setdefault(
            (part.kind, value, part.dnp),
            {
                "references": "",
                "per board": "0",
                "for the whole set": "0",
                "value": value,
                "footprint": kind.footprint.split(":")[1],
                "manufacturer": maker,
                "part number": mpn,
                "alternates": "; ".join(alternates),
                "data sheet": datasheet(part.kind, part.value),
                "JLCPCB part": f"{known.number} ({known.mpn})" if known else "look up",
                "fitted": "no" if part.dnp else "yes",
                "unit price": "",
                "price source": "",
                "price date": "",
            },
        )
        row["references"] = (row["references"] + " " + part.ref).strip()
        row["per board"] = str(int(row["per board"]) + 1)
        row["for the whole set"] = str(int(row["per board"]) * COUNT[board.name])
    return [rows[k] for k in sorted(rows)]


def write(board: Board, path: Path) -> None:
    rows = bom(board)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
