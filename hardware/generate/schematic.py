"""Writes the KiCad schematics of a board from its description: pages, blocks, wires.

On a page the pins of a net are joined by wires that a small search lays (it keeps off symbols
and texts, prefers few bends, and crosses another wire only at a right angle). Supplies get their
symbol at the pin; a net that leaves its page gets one label there. Identifiers are uuid5 of what
they name, so the same description gives the same bytes.

    python -m hardware.generate.schematic [board ...]
"""

import itertools
import json
import sys
from pathlib import Path
from typing import Any

from hardware.circuit import Board, boards
from hardware.generate.page import SUPPLY, Page, sheet
from hardware.generate.sexp import dump, quote
from hardware.generate.symbols import KICAD, Symbols, root_id, sheet_id, stock, uid


def shared(board: Board, page: str, other: str) -> list[str]:
    """What goes from page to page, in words: like names are counted."""
    pages: dict[str, set[str]] = {}
    for part in board.parts:
        for net in part.pins.values():
            if net and net not in SUPPLY:
                pages.setdefault(net, set()).add(part.page)
    kinds: dict[str, list[str]] = {}
    for net in sorted(n for n, own in pages.items() if page != other and {page, other} <= own):
        kinds.setdefault(net.split("_")[0], []).append(net)
    return [ns[0] if len(ns) == 1 else f"{len(ns)} {k}" for k, ns in kinds.items()]


def inside(board: Board, page: str) -> list[str]:
    """The lines of a page's box on the first page: its blocks, and what goes to other pages."""
    blocks = [block[4] for (own, _), block in board.blocks.items() if own == page]
    if len(blocks) > 9:
        words = [" ".join(b.split()) for b in blocks]
        blocks = [", ".join(words[k : k + 4]) for k in range(0, len(words), 4)]
    for number, other in enumerate(board.pages, 2):
        words = shared(board, page, other)
        if words:
            blocks += ["", f"to page {number}: {', '.join(words)}"]
    return blocks


WIDE, HIGH = 100, 44  # mm: a page's box on the first page


def box_at(number: int) -> tuple[int, int]:
    """Upper left corner of the box of a page, counted from 0."""
    return 40 + 110 * (number % 2), 45 + 62 * (number // 2)


def between(board: Board) -> list[Any]:
    """Thick lines between the boxes of pages that share signals."""
    out = []
    for (i, page), (j, other) in itertools.combinations(enumerate(board.pages), 2):
        if not shared(board, page, other):
            continue
        (x1, y1), (x2, y2) = box_at(i), box_at(j)
        if y1 == y2:
            way = [(x1 + WIDE, y1 + HIGH // 2), (x2, y2 + HIGH // 2)]
        elif x1 == x2:
            way = [(x1 + WIDE // 2, y1 + HIGH), (x2 + WIDE // 2, y2)]
        else:
            way = [
                (x1 + WIDE // 2, y1 + HIGH),
                (x1 + WIDE // 2, y2 + HIGH // 2),
                (x2 + WIDE, y2 + HIGH // 2),
            ]
        out.append(
            [
                "polyline",
                ["pts", *[["xy", str(x), str(y)] for x, y in way]],
                ["stroke", ["width", "0.6"], ["type", "solid"]],
                ["uuid", uid(board.name, "root line", page, other)],
            ]
        )
    return out


def root_sheet(board: Board) -> str:
    """The first page: one box a page, with its blocks and what goes to the other pages."""
    items: list[Any] = [["lib_symbols"], *between(board)]
    for k, (page, (title, _)) in enumerate(board.pages.items()):
        x, y = box_at(k)
        items.append(
            [
                "text",
                quote("\n".join(inside(board, page))).replace("\n", "\\n"),
                ["exclude_from_sim", "no"],
                ["at", f"{x + 3}", f"{y + 3}", "0"],
                ["effects", ["font", ["size", "2", "2"]], ["justify", "left", "top"]],
                ["uuid", uid(board.name, "root", page)],
            ]
        )
        items.append(
            [
                "text",
                quote(str(k + 2)),
                ["exclude_from_sim", "no"],
                ["at", f"{x}", f"{y - 1}", "0"],
                [
                    "effects",
                    ["font", ["size", "2", "2"], ["bold", "yes"]],
                    ["justify", "left", "bottom"],
                ],
                ["uuid", uid(board.name, "root number", page)],
            ]
        )
        items.append(
            [
                "sheet",
                ["at", f"{x}", f"{y}"],
                ["size", str(WIDE), str(HIGH)],
                ["exclude_from_sim", "no"],
                ["in_bom", "yes"],
                ["on_board", "yes"],
                ["dnp", "no"],
                ["stroke", ["width", "0.1524"], ["type", "solid"]],
                ["fill", ["color", "245", "235", "215", "1.0"]],
                ["uuid", quote(sheet_id(board, page))],
                [
                    "property",
                    '"Sheetname"',
                    quote(title.split(": ")[-1]),
                    ["at", f"{x + 5}", f"{y - 1}", "0"],
                    ["effects", ["font", ["size", "2", "2"]], ["justify", "left", "bottom"]],
                ],
                [
                    "property",
                    '"Sheetfile"',
                    quote(f"{board.name}-{page}.kicad_sch"),
                    ["at", f"{x}", f"{y + 45}", "0"],
                    ["effects", ["font", ["size", "1.27", "1.27"]], ["justify", "left", "top"]],
                ],
                [
                    "instances",
                    [
                        "project",
                        quote(board.name),
                        ["path", quote("/" + root_id(board)), ["page", quote(str(k + 2))]],
                    ],
                ],
            ]
        )
    body = sheet(board, quote(root_id(board)), board.title, "A4", items)
    body.insert(-1, ["sheet_instances", ["path", '"/"', ["page", '"1"']]])
    return dump(body)


def project(board: Board) -> str:
    """The .kicad_pro: KiCad's default severities, the rules of a cheap two-layer fab."""
    rules = {
        "min_clearance": 0.15,
        "min_copper_edge_clearance": 0.3,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_track_width": 0.15,
        "min_via_diameter": 0.5,
        "min_via_annular_width": 0.1,
        "min_through_hole_diameter": 0.3,
    }
    base = {
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
    return (
        json.dumps(
            {
                "board": {
                    "design_settings": {
                        "rules": rules,
                        "rule_severities": {},
                        "drc_exclusions": [],
                    }
                },
                "erc": {"erc_exclusions": [], "rule_severities": {}},
                "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
                "net_settings": {"classes": [base], "meta": {"version": 4}},
                "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []},
                "sheets": [
                    [root_id(board), "Root"],
                    *[[sheet_id(board, p), t] for p, (t, _) in board.pages.items()],
                ],
                "text_variables": {},
            },
            indent=2,
        )
        + "\n"
    )


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
