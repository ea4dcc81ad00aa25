"""Writes the KiCad schematics of a board from its description: pages, blocks, wires.

On a page the pins of a net are joined by wires that a small search lays (it keeps off symbols
and texts, prefers few bends, and crosses another wire only at a right angle). Supplies get their
symbol at the pin; a net that leaves its page gets one label there. Identifiers are uuid5 of what
they name, so the same description gives the same bytes.

    python -m hardware.generate.schematic [board ...]
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware import KICAD
from hardware.circuit import Board, boards
from hardware.generate.page import SUPPLY, Page, sheet
from hardware.generate.sexp import dump, quote
from hardware.generate.symbols import G, Symbols, root_id, sheet_id, stock, uid


def leaving(board: Board, page: str) -> list[str]:
    """Nets of a page that another page has too: the pins of its box on the first page."""
    pages: dict[str, set[str]] = {}
    for part in board.parts:
        for net in part.pins.values():
            if net and net not in SUPPLY:
                pages.setdefault(net, set()).add(part.page)
    return sorted(net for net, own in pages.items() if page in own and len(own) > 1)


def inside(board: Board, page: str) -> str:
    """The lines of a page's box on the first page: its blocks."""
    blocks = [block[4] for (own, _), block in board.blocks.items() if own == page]
    if len(blocks) > 9:
        words = [" ".join(b.split()) for b in blocks]
        blocks = [", ".join(words[k : k + 3]) for k in range(0, len(words), 3)]
    return "\n".join(blocks)


WIDE, LOW = 60, 30  # steps of the grid: width of a page's box on the first page, its least height
STUB = 3


@dataclass(frozen=True)
class Box:
    """A page on the first page, in steps of the grid."""

    page: str
    number: int
    x: int
    y: int
    high: int
    nets: list[str]

    def pins(self) -> list[tuple[str, int, int, int]]:
        """(net, x, y, way out: -1 left, 1 right): half of them on either side."""
        half = (len(self.nets) + 1) // 2
        left = [(n, self.x, self.y + 3 + 2 * k, -1) for k, n in enumerate(self.nets[:half])]
        return left + [
            (n, self.x + WIDE, self.y + 3 + 2 * k, 1) for k, n in enumerate(self.nets[half:])
        ]


def boxes(board: Board) -> list[Box]:
    """Two in a row, as high as their pins ask for, with room for the words below."""
    out: list[Box] = []
    top = 34
    wide = 106 if first_paper(board) == "A4" else 150
    for k, page in enumerate(board.pages):
        nets = leaving(board, page)
        if k and k % 2 == 0:
            lines = [inside(board, box.page).count("\n") + 1 for box in out[-2:]]
            top += max(box.high for box in out[-2:]) + 12 + 2 * max(lines)
        high = max(LOW, 2 * ((len(nets) + 1) // 2) + 4)
        out.append(Box(page, k + 2, 34 + wide * (k % 2), top, high, nets))
    return out


def first_paper(board: Board) -> str:
    most = max(len(leaving(board, page)) for page in board.pages)
    return "A3" if most > 40 else "A4"


def _text(words: str, x: float, y: float, size: str, ident: str, *justify: str) -> list[Any]:
    return [
        "text",
        quote(words).replace("\n", "\\n"),
        ["exclude_from_sim", "no"],
        ["at", f"{x:g}", f"{y:g}", "0"],
        ["effects", ["font", ["size", size, size]], ["justify", *justify]],
        ["uuid", ident],
    ]


def _stubs(board: Board, box: Box) -> list[Any]:
    """A short wire and a label at each pin of a box: like names are one net."""
    out: list[Any] = []
    for net, x, y, way in box.pins():
        end = x + STUB * way
        spots = [["xy", f"{q * G:g}", f"{y * G:g}"] for q in (x, end)]
        out.append(
            [
                "wire",
                ["pts", *spots],
                ["stroke", ["width", "0"], ["type", "default"]],
                ["uuid", uid(board.name, "root wire", box.page, net)],
            ]
        )
        just = "left" if way > 0 else "right"
        out.append(
            [
                "label",
                quote(net),
                ["at", f"{end * G:g}", f"{y * G:g}", "0" if way > 0 else "180"],
                ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", just, "bottom"]],
                ["uuid", uid(board.name, "root label", box.page, net)],
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
        [
            "effects",
            ["font", ["size", "1.27", "1.27"]],
            ["justify", "right" if way > 0 else "left"],
        ],
    ]


def _sheet_box(board: Board, box: Box) -> list[Any]:
    title, _ = board.pages[box.page]
    x, y = box.x * G, box.y * G
    path = ["path", quote("/" + root_id(board)), ["page", quote(str(box.number))]]
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
        _sheet_field(
            "Sheetfile",
            f"{board.name}-{box.page}.kicad_sch",
            x,
            y + box.high * G + 1,
            "1.27",
            "top",
        ),
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


def root_sheet(board: Board) -> str:
    """The first page: one box a page, with its blocks, and a pin for each net that leaves it."""
    items: list[Any] = [["lib_symbols"]]
    for box in boxes(board):
        x, y = box.x * G, box.y * G
        ident = uid(board.name, "root", box.page)
        number = uid(board.name, "root number", box.page)
        items.append(
            _text(inside(board, box.page), x, y + box.high * G + 4, "1.5", ident, "left", "top")
        )
        items.append(_text(str(box.number), x, y - 1, "2", number, "left", "bottom"))
        items += _stubs(board, box)
        items.append(_sheet_box(board, box))
    body = sheet(board, quote(root_id(board)), board.title, first_paper(board), items)
    body.insert(-1, ["sheet_instances", ["path", '"/"', ["page", '"1"']]])
    return dump(body)


RULES = {  # of a cheap fab for two layers, mm
    "min_clearance": 0.15,
    "min_copper_edge_clearance": 0.3,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.25,
    "min_track_width": 0.15,
    "min_via_diameter": 0.5,
    "min_via_annular_width": 0.1,
    "min_through_hole_diameter": 0.3,
}
NET_CLASS = {
    "bus_width": 12,
    "clearance": 0.15,
    "diff_pair_gap": 0.25,
    "diff_pair_via_gap": 0.25,
    "diff_pair_width": 0.2,
    "line_style": 0,
    "microvia_diameter": 0.3,
    "microvia_drill": 0.1,
    "name": "Default",
    "pcb_color": "rgba(0, 0, 0, 0.000)",
    "priority": 2147483647,
    "schematic_color": "rgba(0, 0, 0, 0.000)",
    "track_width": 0.2,
    "via_diameter": 0.6,
    "via_drill": 0.3,
    "wire_width": 6,
}


def project(board: Board) -> str:
    """The .kicad_pro: KiCad's default severities, the rules of a cheap two-layer fab."""
    settings = {"rules": RULES, "rule_severities": {}, "drc_exclusions": []}
    pages = [[sheet_id(board, p), t] for p, (t, _) in board.pages.items()]
    whole = {
        "board": {"design_settings": settings},
        "erc": {"erc_exclusions": [], "rule_severities": {}},
        "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [NET_CLASS], "meta": {"version": 4}},
        "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []},
        "sheets": [[root_id(board), "Root"], *pages],
        "text_variables": {},
    }
    return json.dumps(whole, indent=2) + "\n"


SYM_TABLE = '(sym_lib_table\n  (version 7)\n  (lib (name "spiceboard")(type "KiCad")(uri "${KIPRJMOD}/../lib/spiceboard.kicad_sym")(options "")(descr "Parts that KiCad has not"))\n)\n'
FP_TABLE = '(fp_lib_table\n  (version 7)\n  (lib (name "spiceboard")(type "KiCad")(uri "${KIPRJMOD}/../lib/spiceboard.pretty")(options "")(descr "Loops and the socket"))\n)\n'


def page_text(board: Board, page: str, symbols: Symbols) -> str:
    """The page; drawn again with the nets first that no wire could join, while that helps."""
    first: tuple[str, ...] = ()
    best: tuple[int, str] | None = None
    for _ in range(6):
        sheet = Page(board, page, symbols, first)
        text = sheet.draw()
        if best is None or len(sheet.torn) < best[0]:
            best = (len(sheet.torn), text)
        if not sheet.torn:
            break
        first = (*sheet.torn, *(n for n in first if n not in sheet.torn))
    assert best is not None
    return best[1]


def write(board: Board, out: Path) -> None:
    """All files of the schematic into the folder."""
    out.mkdir(parents=True, exist_ok=True)
    symbols = stock()
    for page in board.pages:
        text = page_text(board, page, symbols)
        (out / f"{board.name}-{page}.kicad_sch").write_text(text + "\n")
    (out / f"{board.name}.kicad_sch").write_text(root_sheet(board) + "\n")
    (out / f"{board.name}.kicad_pro").write_text(project(board))
    (out / "sym-lib-table").write_text(SYM_TABLE)
    (out / "fp-lib-table").write_text(FP_TABLE)


def main(names: list[str]) -> None:
    for name, board in boards().items():
        if not names or name in names:
            write(board, KICAD / name)


if __name__ == "__main__":
    main(sys.argv[1:])
