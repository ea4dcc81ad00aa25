"""The first page of a schematic: a box for each page, side by side, joined by wires.

Boxes stand in an order in which every net runs between neighbours, so that its wire is straight;
its name stands on it once.
"""

import itertools
from dataclasses import dataclass
from typing import Any

from hardware.circuit import Board
from hardware.generate.page import FONT, SUPPLY, sheet
from hardware.generate.sexp import dump, quote
from hardware.generate.symbols import G, root_id, sheet_id, uid

# steps of the grid: a box's width and least height, the gap that names need, left and upper edge
WIDE, LOW, GAP, LEFT, TOP = 52, 24, 24, 16, 20


@dataclass(frozen=True)
class Box:
    """A page on the first page, in steps of the grid."""

    page: str
    number: int
    x: int
    high: int
    left: list[str]  # nets to the box on its left, from above
    right: list[str]

    def pins(self) -> list[tuple[str, int, int, int]]:
        """(net, x, y, way out: -1 left, 1 right)."""
        return [
            (net, x, TOP + 3 + 2 * k, way)
            for nets, x, way in ((self.left, self.x, -1), (self.right, self.x + WIDE, 1))
            for k, net in enumerate(nets)
        ]


def homes(board: Board) -> dict[str, set[str]]:
    """{net that is on more than one page: its pages}."""
    pages: dict[str, set[str]] = {}
    for part in board.parts:
        for net in part.pins.values():
            if net and net not in SUPPLY:
                pages.setdefault(net, set()).add(part.page)
    return {net: own for net, own in pages.items() if len(own) > 1}


def boxes(board: Board) -> list[Box]:
    """A row of boxes. ValueError when no order lets every net run between two neighbours."""
    nets = homes(board)
    for row in itertools.permutations(board.pages):
        gaps = [
            sorted(n for n, own in nets.items() if own == set(p)) for p in itertools.pairwise(row)
        ]
        if sum(map(len, gaps)) == len(nets):
            break
    else:
        raise ValueError(f"{board.name}: a net runs past a page on the first page")
    high = max(LOW, *(2 * len(names) + 4 for names in gaps))
    numbers = {page: k + 2 for k, page in enumerate(board.pages)}
    return [
        Box(page, numbers[page], LEFT + (WIDE + GAP) * k, high, left, right)
        for k, (page, left, right) in enumerate(zip(row, [[], *gaps], [*gaps, []], strict=True))
    ]


def inside(board: Board, page: str) -> str:
    """The words under a page's box: its blocks, broken where they are wider than the box."""
    blocks = [block[4] for (own, _), block in board.blocks.items() if own == page]
    if len(blocks) > 9:
        words = [" ".join(b.split()) for b in blocks]
        blocks = [", ".join(words[k : k + 3]) for k in range(0, len(words), 3)]
    lines: list[str] = []
    for block in blocks:
        line = ""
        for word in block.split():
            if len(line) + len(word) > WIDE - 4:
                lines.append(line)
                line = " "
            line += (" " if line.strip() else "") + word
        lines.append(line)
    return "\n".join(lines)


def root_sheet(board: Board) -> str:
    """Text of the first page."""
    items: list[Any] = [["lib_symbols"]]
    row = boxes(board)
    for box in row:
        x, y = box.x * G, TOP * G
        ident = uid(board.name, "root", box.page)
        number = uid(board.name, "root number", box.page)
        words = inside(board, box.page)
        items.append(_text(words, x, y + box.high * G + 4, "1.5", ident, "left", "top"))
        items.append(_text(str(box.number), x, y - 1, "2", number, "left", "bottom"))
        items += _wires(board, box)
        items.append(_sheet_box(board, box))
    body = sheet(board, quote(root_id(board)), board.title, "A4", items)
    body.insert(-1, ["sheet_instances", ["path", '"/"', ["page", '"1"']]])
    return dump(body)


def _text(words: str, x: float, y: float, size: str, ident: str, *justify: str) -> list[Any]:
    return [
        "text",
        quote(words).replace("\n", "\\n"),
        ["exclude_from_sim", "no"],
        ["at", f"{x:g}", f"{y:g}", "0"],
        ["effects", ["font", ["size", size, size]], ["justify", *justify]],
        ["uuid", ident],
    ]


def _wires(board: Board, box: Box) -> list[Any]:
    """From each pin on its right straight to the next box, with the net's name on it."""
    out: list[Any] = []
    for net, x, y, way in box.pins():
        if way < 0:
            continue
        spots = [["xy", f"{q * G:g}", f"{y * G:g}"] for q in (x, x + GAP)]
        out.append(
            [
                "wire",
                ["pts", *spots],
                ["stroke", ["width", "0"], ["type", "default"]],
                ["uuid", uid(board.name, "root wire", net)],
            ]
        )
        out.append(
            [
                "label",
                quote(net),
                ["at", f"{(x + 2) * G:g}", f"{y * G:g}", "0"],
                ["effects", FONT, ["justify", "left", "bottom"]],
                ["uuid", uid(board.name, "root label", net)],
            ]
        )
    return out


def _sheet_pin(board: Board, box: Box, net: str, x: int, y: int, way: int) -> list[Any]:
    return [
        "pin",
        quote(net),
        "bidirectional",
        ["at", f"{x * G:g}", f"{y * G:g}", "0" if way > 0 else "180"],
        ["uuid", uid(board.name, "root pin", box.page, net)],
        ["effects", FONT, ["justify", "right" if way > 0 else "left"]],
    ]


def _sheet_box(board: Board, box: Box) -> list[Any]:
    title, _ = board.pages[box.page]
    x, y, low = box.x * G, TOP * G, (TOP + box.high) * G
    path = ["path", quote("/" + root_id(board)), ["page", quote(str(box.number))]]
    file = f"{board.name}-{box.page}.kicad_sch"
    return [
        "sheet",
        ["at", f"{x:g}", f"{y:g}"],
        ["size", f"{WIDE * G:g}", f"{box.high * G:g}"],
        ["exclude_from_sim", "no"],
        ["in_bom", "yes"],
        ["on_board", "yes"],
        ["dnp", "no"],
        ["stroke", ["width", "0.1524"], ["type", "solid"]],
        ["fill", ["color", "245", "235", "215", "1.0"]],
        ["uuid", quote(sheet_id(board, box.page))],
        _sheet_field("Sheetname", title.split(": ")[-1], x + 5, y - 1, "2", "bottom"),
        _sheet_field("Sheetfile", file, x, low + 1, "1.27", "top"),
        *[_sheet_pin(board, box, *pin) for pin in box.pins()],
        ["instances", ["project", quote(board.name), path]],
    ]


def _sheet_field(name: str, value: str, x: float, y: float, size: str, edge: str) -> list[Any]:
    return [
        "property",
        quote(name),
        quote(value),
        ["at", f"{x:g}", f"{y:g}", "0"],
        ["effects", ["font", ["size", size, size]], ["justify", "left", edge]],
    ]
