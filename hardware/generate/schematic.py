"""Writes the KiCad schematics of a board from its description: pages, blocks, wires.

On a page the pins of a net are joined by wires that a small search lays (it keeps off symbols
and texts, prefers few bends, and crosses another wire only at a right angle). Supplies get their
symbol at the pin; a net that leaves its page gets one label there. Identifiers are uuid5 of what
they name, so the same description gives the same bytes.

    python -m hardware.generate.schematic [board ...]
"""

import json
import sys
from pathlib import Path

from hardware import KICAD
from hardware.arguments import parsed
from hardware.circuit import Board, boards
from hardware.generate.first_page import root_sheet
from hardware.generate.page import Page
from hardware.generate.symbols import Symbols, root_id, sheet_id, stock

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


def main(words: list[str]) -> None:
    for name in parsed(words, __doc__).boards:
        write(boards()[name], KICAD / name)


if __name__ == "__main__":
    main(sys.argv[1:])
