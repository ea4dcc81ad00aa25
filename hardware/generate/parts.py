"""The parts of a sheet: symbols with their fields, and the room they take."""

import math
from typing import Any

from hardware.circuit import KINDS, Board, Part
from hardware.generate.labels import Labels
from hardware.generate.sexp import quote
from hardware.generate.symbols import G, Point, Symbols, fields, root_id, sheet_id, turn, uid

MARKS = ("TP", "FID", "FIDL", "HOLE", "HOLE2", "HOLE3")
Spot = tuple[float, float, str]  # x, y in grid steps, justify
# Where reference and value stand: side of the symbol (x, y: its middle; 0: left, top; 1: right,
# bottom) and steps from there, across and down; justify ("turned": follows a symbol turned round)
Place = tuple[str, float, str, float, str]
ABOVE: tuple[Place, Place] = (("x", 0, "y0", -3.2, ""), ("x", 0, "y0", -1.4, ""))
BESIDE: tuple[Place, Place] = (("x1", 1, "y", -1, "left"), ("x1", 1, "y", 1, "left"))
LOOP: tuple[Place, Place] = (("x", 0, "y0", -3, ""), ("x", 0, "y0", -1.4, ""))
BELOW: tuple[Place, Place] = (("x", 2, "y1", 2, "left"), ("x", 2, "y1", 3.6, "left"))
CORNER: tuple[Place, Place] = (("x1", 1, "y0", -1.6, "left"), ("x1", 1, "y0", 0, "left"))
ELSEWHERE: tuple[Place, Place] = (("x0", 0, "y0", -3, "left"), ("x0", 0, "y0", -1.4, "left"))
SPOTS: dict[str, tuple[Place, Place]] = {
    "BAT54S": ABOVE,
    "LDO": ABOVE,
    "LOOPA": LOOP,
    "LOOPB": LOOP,
    "XTAL": (("x", 0, "y", -7.4, ""), ("x", 0, "y", 7.4, "")),
    "NMOS": BESIDE,
    "BUZ": BESIDE,
    "PPAIR": (("x", 4, "y", -8, "left"), ("x", 4, "y", -6.4, "left")),
    "PNP": (("x1", 1, "y", 3, "turned"), ("x1", 1, "y", 4.6, "turned")),
    "REF": (("x1", 2, "y", -1, "left"), ("x1", 2, "y", 1, "left")),
    "MFRC522": (("x0", 0, "y0", -8.4, "left"), ("x0", 5, "y0", -8.4, "left")),
    "BUF": BELOW,
    "AHCT": BELOW,
    "IDC": (("x0", 0, "y0", -3.4, "left"), ("x0", 0, "y0", -1.6, "left")),
    "LED": (("x1", 0.6, "y0", -1.6, "left"), ("x1", 0.6, "y0", 0, "left")),
    **dict.fromkeys(("DEC", "MUX", "LVC244", "HALL", "ESD"), CORNER),
}
MIRRORED: dict[str, tuple[Place, Place]] = {  # KiCad turns the side of a text with its symbol
    "BUZ": (("x0", -1, "y", -1, "left"), ("x0", -1, "y", 1, "left")),
    "HALL": (("x1", 1, "y0", -1.6, "right"), ("x1", 1, "y0", 0, "right")),
}


def _lies(part: Part) -> bool:
    """Does a part of two pins lie across the sheet?"""
    if part.kind in ("SKY", "SW", "JP"):
        return part.rot in (0, 180)
    return part.rot in (90, 270) and part.kind not in ("PWRLED", "TVS")


class Parts(Labels):
    """A sheet with parts on it."""

    def __init__(self, board: Board, page: str, symbols: Symbols) -> None:
        super().__init__(board.name, page)
        self.board, self.page, self.symbols = board, page, symbols
        self.parts = [p for p in board.parts if p.page == page]
        self.blocks: dict[Point, str] = {}  # pin ends, by block
        self.used: set[str] = set()

    def place(self, part: Part) -> None:
        kind = KINDS[part.kind]
        self.used.add(kind.symbol)
        gx, gy = part.at
        pins = self.symbols.pins(kind.symbol)
        for number, (px, py, angle) in pins.items():
            dx, dy = turn(px, py, part.rot, part.mirror)
            point = (round(gx + dx / G), round(gy + dy / G))
            ox, oy = turn(
                -math.cos(math.radians(angle)),
                -math.sin(math.radians(angle)),
                part.rot,
                part.mirror,
            )
            net = part.pins.get(number)
            if number not in part.pins and pins:
                raise ValueError(
                    f"{self.board.name}: {part.ref} says nothing about its pin {number}"
                )
            self.outward[point] = (round(ox), round(oy))
            if net is None:
                self.items.append(
                    [
                        "no_connect",
                        ["at", f"{point[0] * G:g}", f"{point[1] * G:g}"],
                        ["uuid", self.id("nc", part.ref, number)],
                    ]
                )
                self.solid.add(point)
            else:
                self.pins[point] = net
                self.blocks[point] = part.block
        self._block_body(part, kind.symbol)
        self._instance(part, kind.symbol)

    def _block_body(self, part: Part, lib_id: str) -> None:
        x0, y0, x1, y1 = self.symbols.box(lib_id)
        corners = [turn(x, y, part.rot, part.mirror) for x in (x0, x1) for y in (y0, y1)]
        xs, ys = [c[0] / G + part.at[0] for c in corners], [c[1] / G + part.at[1] for c in corners]
        for gx in range(math.ceil(min(xs) - 0.2), math.floor(max(xs) + 0.2) + 1):
            for gy in range(math.ceil(min(ys) - 0.2), math.floor(max(ys) + 0.2) + 1):
                self.solid.add((gx, gy))
        self.extent = (min(xs), min(ys), max(xs), max(ys))

    def _texts(self, part: Part) -> list[tuple[str, float, float, str]]:
        """Where reference and value go: (which, x, y, justify), in grid steps."""
        if part.kind in MARKS:
            return self._mark_text(part)
        (rx, ry, rj), (vx, vy, vj) = self._spots(part)
        return [("Reference", rx, ry, rj), ("Value", vx, vy, vj)]

    def _mark_text(self, part: Part) -> list[tuple[str, float, float, str]]:
        """Test points, holes and fiducials: a reference at the far side of their pin, no value."""
        rot = part.rot if part.kind == "TP" else 0
        dx, dy = {0: (0, -4.2), 90: (-4, 0), 180: (0, 4.2), 270: (4, 0)}[rot]
        just = {0: "", 90: "right", 180: "", 270: "left"}[rot]
        return [("Reference", part.at[0] + dx, part.at[1] + dy, just)]

    def _spots(self, part: Part) -> tuple[Spot, Spot]:
        """Places of reference and value round the symbol, in grid steps."""
        x0, y0, x1, y1 = self.extent
        x, y = part.at
        if len(part.pins) == 2 and part.kind not in ("LOOPB", "LOOPA", "BUZ"):
            if _lies(part):
                return (x, y0 - 1.3, ""), (x, y1 + 1.3, "")
            return (x1 + 1, y - 1, "left"), (x1 + 1, y + 1, "left")
        corners = {"x": x, "x0": x0, "x1": x1, "y": y, "y0": y0, "y1": y1}
        table = MIRRORED if part.mirror and part.kind in MIRRORED else SPOTS
        turned = "right" if part.rot == 180 else "left"
        first, second = (
            (corners[ax] + dx, corners[ay] + dy, turned if just == "turned" else just)
            for ax, dx, ay, dy, just in table.get(part.kind, ELSEWHERE)
        )
        return first, second

    def _instance(self, part: Part, lib_id: str) -> None:
        kind = KINDS[part.kind]
        symbol: list[Any] = [
            "symbol",
            ["lib_id", quote(lib_id)],
            ["at", f"{part.at[0] * G:g}", f"{part.at[1] * G:g}", str(part.rot)],
        ]
        if part.mirror:
            symbol.append(["mirror", part.mirror])
        symbol += [
            ["unit", "1"],
            ["exclude_from_sim", "no"],
            ["in_bom", "yes" if kind.in_bom else "no"],
            ["on_board", "yes"],
            ["dnp", "yes" if part.dnp else "no"],
            ["uuid", uid(self.board.name, "part", part.ref)],
            *self._properties(part),
        ]
        for number in self.symbols.pins(lib_id):
            ident = uid(self.board.name, "pin", part.ref, number)
            symbol.append(["pin", quote(number), ["uuid", ident]])
        symbol.append(self.instances(part.ref))
        self.items.append(symbol)

    def _properties(self, part: Part) -> list[Any]:
        """The fields of a symbol: reference and value are seen, the rest is hidden."""
        texts = {which: (x, y, just) for which, x, y, just in self._texts(part)}
        always = {
            "Reference": part.ref,
            "Value": part.value,
            "Footprint": KINDS[part.kind].footprint,
            "Datasheet": "",
            "Description": "",
        }
        out: list[Any] = []
        for name, value in {**always, **fields(part)}.items():
            if name not in always and not value:
                continue
            x, y, just = texts.get(name, (part.at[0], part.at[1], ""))
            effects: list[Any] = ["effects", ["font", ["size", "1.27", "1.27"]]]
            if just:
                turned = {"left": "right", "right": "left"} if part.rot == 90 else {}
                effects.append(["justify", turned.get(just, just)])
            if name not in texts:
                effects.append(["hide", "yes"])
            else:
                self.keep_off(value, x, y, just)
            angle = "90" if part.rot in (90, 270) else "0"
            at = ["at", f"{x * G:.4g}", f"{y * G:.4g}", angle]
            out.append(["property", quote(name), quote(value), at, effects])
        return out

    def keep_off(self, text: str, x: float, y: float, just: str) -> None:
        """Wires keep off the text (about one grid step a letter)."""
        width = 0.95 * len(text)
        left = x - (width / 2 if not just else (0 if just == "left" else width))
        for gx in range(math.floor(left), math.ceil(left + width) + 1):
            self.solid.add((gx, round(y)))

    def instances(self, ref: str) -> list[Any]:
        path = f"/{root_id(self.board)}/{sheet_id(self.board, self.page)}"
        return [
            "instances",
            [
                "project",
                quote(self.board.name),
                ["path", quote(path), ["reference", quote(ref)], ["unit", "1"]],
            ],
        ]
