"""Symbols as KiCad embeds them, identifiers, and where a symbol's points land on a sheet."""

import math
import re
import uuid
from functools import cache
from typing import Any

from hardware import KICAD, circuit
from hardware.circuit import Board, Part, catalogue
from hardware.generate import kicad
from hardware.generate.sexp import bare, every, first, parse, quote

G = 1.27  # mm: a step of the sheet's grid
SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "spiceboard/hardware")
Point = tuple[int, int]


def uid(*names: object) -> str:
    return quote(str(uuid.uuid5(SPACE, "/".join(str(n) for n in names))))


def texts(library: str) -> dict[str, str]:
    """The text of each symbol of a library, which has thousands, by name. ValueError without one.

    A library is a list of symbols, and KiCad indents all of them alike; their units lie deeper.
    """
    indent = re.search(r'^([ \t]+)\(symbol "', library, re.MULTILINE)
    if indent is None:
        raise ValueError("no symbol in the library")
    start = f'{indent[1]}(symbol "'
    pieces = re.split(rf"^(?={re.escape(start)})", library.rstrip()[:-1], flags=re.MULTILINE)
    return {piece[len(start) : piece.index('"', len(start))]: piece for piece in pieces[1:]}


class Symbols:
    """Stock and local symbols, flattened as KiCad embeds them."""

    def __init__(self) -> None:
        self.libs: dict[str, dict[str, str]] = {}  # library: symbol: its text
        self.cache: dict[str, list[Any]] = {}

    def _lib(self, lib: str) -> dict[str, str]:
        if lib not in self.libs:
            local = KICAD / "lib" / f"{lib}.kicad_sym"
            path = local if local.exists() else kicad.share() / "symbols" / f"{lib}.kicad_sym"
            self.libs[lib] = texts(path.read_text(encoding="utf-8"))
        return self.libs[lib]

    def get(self, lib_id: str) -> list[Any]:
        if lib_id not in self.cache:
            lib, name = lib_id.split(":")
            found = self._lib(lib)
            symbol = parse(found[name])
            parent = first(symbol, "extends")
            if parent is not None:
                base = parse(found[bare(parent[1])])
                own = {bare(p[1]): p for p in every(symbol, "property")}
                merged: list[Any] = []
                for node in base:
                    if isinstance(node, list) and node[0] == "property":
                        merged.append(own.pop(bare(node[1]), node))
                    elif isinstance(node, list) and node[0] == "symbol":
                        tail = bare(node[1]).rsplit("_", 2)[1:]
                        merged.append([node[0], quote("_".join([name, *tail])), *node[2:]])
                    else:
                        merged.append(node)
                spot = max(
                    i for i, n in enumerate(merged) if isinstance(n, list) and n[0] == "property"
                )
                merged[spot + 1 : spot + 1] = list(own.values())
                symbol = merged
            symbol[1] = quote(lib_id)
            self.cache[lib_id] = symbol
        return self.cache[lib_id]

    def pins(self, lib_id: str) -> dict[str, tuple[float, float, int]]:
        """{number: (x, y, angle)} in the library's frame, y up; the angle points into the body."""
        out = {}
        for unit in every(self.get(lib_id), "symbol"):
            for pin in every(unit, "pin"):
                at, number = first(pin, "at"), first(pin, "number")
                assert at is not None and number is not None
                out[bare(number[1])] = (float(at[1]), float(at[2]), int(at[3]))
        return out

    def box(self, lib_id: str) -> tuple[float, float, float, float]:
        """Extent of the drawing without pins: x0, y0, x1, y1, y up."""
        xs, ys = [0.0], [0.0]
        for unit in every(self.get(lib_id), "symbol"):
            for node in unit:
                if not isinstance(node, list) or node[0] in ("pin", "text"):
                    continue
                flat = [node, *[n for n in node if isinstance(n, list)]]
                for item in flat:
                    if item[0] in ("start", "end", "mid", "center", "xy"):
                        xs.append(float(item[1]))
                        ys.append(float(item[2]))
                    if item[0] == "pts":
                        for xy in every(item, "xy"):
                            xs.append(float(xy[1]))
                            ys.append(float(xy[2]))
        return min(xs), min(ys), max(xs), max(ys)


@cache
def stock() -> Symbols:
    """The one that all share: reading KiCad's libraries takes seconds."""
    return Symbols()


def turn(x: float, y: float, rot: int, mirror: str) -> tuple[float, float]:
    """A point of the symbol in the sheet's frame (y down), relative to the symbol's place."""
    if mirror == "y":
        x = -x
    a = math.radians(rot)
    rx, ry = x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)
    return rx, -ry


def order(part: Part) -> tuple[str, str, tuple[str, ...]]:
    """Maker, part number and alternates of a part; empty strings where nothing is fitted."""
    return circuit.order(part.kind, part.value)


def fields(part: Part) -> dict[str, str]:
    """What symbol and footprint say about the part to buy; empty values where nothing is bought."""
    maker, mpn, alternates = order(part)
    return {
        "Datasheet": catalogue.datasheet(part.kind, part.value),
        "Manufacturer": maker,
        "MPN": mpn,
        "Alternates": "; ".join(alternates),
    }


def root_id(board: Board) -> str:
    return bare(uid(board.name, "root"))


def sheet_id(board: Board, page: str) -> str:
    return bare(uid(board.name, "sheet", page))


def sheet_file_id(board: Board, page: str) -> str:
    return uid(board.name, "sheet file", page)
