"""Writes a panel as a KiCad board, from the tile's own board file: copies, rails, tabs, holes.

It needs no KiCad: the copies are the tile's own text, moved, with nets and identifiers of their
own. The same tile gives the same bytes.
"""

import itertools
import json
import uuid
from pathlib import Path
from typing import Any

from hardware import DATE, KICAD, REVISION
from hardware.generate.schematic import FP_TABLE, NET_CLASS, RULES
from hardware.generate.sexp import bare, dump, every, first, load, quote
from hardware.generate.symbols import SPACE
from hardware.layout import fabrication
from hardware.layout.panel import BITE, FIDUCIAL, PANELS, TOOLING, Panel, Spot

TILE_AT = (148.5, 105.0)  # middle of a tile on its own page, mm
PAGE_AT = (30.0, 30.0)  # the panel's corner on its page, mm
COPIED = ("footprint", "segment", "via", "zone", "gr_text")
PLACES = ("at", "start", "end", "center", "mid")


def offset(panel: Panel, copy: int) -> Spot:
    """What is added to a tile's coordinates on the page for that copy."""
    x, y = panel.centres()[copy]
    return PAGE_AT[0] + x - TILE_AT[0], PAGE_AT[1] + y - TILE_AT[1]


def _mm(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _moved(node: list[Any], way: Spot) -> list[Any]:
    """The node with its own coordinates moved; those inside a footprint are relative to it."""
    out: list[Any] = []
    for child in node:
        if isinstance(child, list) and child[0] in PLACES:
            x, y = float(child[1]) + way[0], float(child[2]) + way[1]
            child = [child[0], _mm(x), _mm(y), *child[3:]]
        elif isinstance(child, list) and child[0] in ("polygon", "filled_polygon", "pts"):
            child = _moved(child, way)
        elif isinstance(child, list) and child[0] == "xy":
            child = ["xy", _mm(float(child[1]) + way[0]), _mm(float(child[2]) + way[1])]
        out.append(child)
    return out


def _own(node: list[Any], copy: int, nets: int) -> list[Any]:
    """The node with nets and identifiers of its copy; without its place in a schematic."""
    out: list[Any] = []
    for child in node:
        if not isinstance(child, list):
            out.append(child)
        elif child[0] == "net" and child[1] != "0":
            name = [quote(_net(copy, bare(child[2])))] if len(child) > 2 else []
            out.append(["net", str(int(child[1]) + copy * nets), *name])
        elif child[0] == "net_name":
            out.append(["net_name", quote(_net(copy, bare(child[1])))])
        elif child[0] == "uuid":
            out.append(["uuid", quote(str(uuid.uuid5(SPACE, f"{copy}/{bare(child[1])}")))])
        elif child[0] not in ("path", "sheetname", "sheetfile"):
            out.append(_own(child, copy, nets))
    return out


def _net(copy: int, name: str) -> str:
    return f"{copy + 1}:{name}" if name else ""


def _edge(panel: Panel) -> list[Any]:
    """The outline and its slots as lines on Edge.Cuts."""
    outline = panel.outline()
    out: list[Any] = []
    for ring in (outline.exterior, *outline.interiors):
        for n, (a, b) in enumerate(itertools.pairwise(ring.coords)):
            ends = [
                [key, _mm(p[0] + PAGE_AT[0]), _mm(p[1] + PAGE_AT[1])]
                for key, p in (("start", a), ("end", b))
            ]
            stroke = ["stroke", ["width", "0.1"], ["type", "default"]]
            ident = uuid.uuid5(SPACE, f"{panel.name}/{ring.length:.3f}/{n}")
            out.append(
                ["gr_line", *ends, stroke, ["layer", '"Edge.Cuts"'], ["uuid", quote(str(ident))]]
            )
    return out


def _hole(spot: Spot, wide: float) -> list[Any]:
    at, size = ["at", _mm(spot[0]), _mm(spot[1])], _mm(wide)
    layers = ["layers", '"*.Cu"', '"*.Mask"']
    return [
        "pad",
        '""',
        "np_thru_hole",
        "circle",
        at,
        ["size", size, size],
        ["drill", size],
        layers,
    ]


def _mark(spot: Spot) -> list[Any]:
    at, size = ["at", _mm(spot[0]), _mm(spot[1])], _mm(FIDUCIAL)
    layers = ["layers", '"F.Cu"', '"F.Mask"']
    return [
        *["pad", '""', "smd", "circle", at, ["size", size, size], layers],
        *[["solder_mask_margin", "0.5"], ["clearance", "0.6"]],
    ]


def _frame(panel: Panel) -> list[Any]:
    """A footprint with the holes and marks of the panel itself."""
    pads = [_hole(spot, BITE) for spot in panel.bites()]
    pads += [_hole(spot, TOOLING) for spot in panel.tooling()]
    pads += [_mark(spot) for spot in panel.fiducials()]
    return [
        *["footprint", '"Panel"', ["layer", '"F.Cu"']],
        ["uuid", quote(str(uuid.uuid5(SPACE, panel.name)))],
        ["at", _mm(PAGE_AT[0]), _mm(PAGE_AT[1])],
        [
            "attr",
            "board_only",
            "exclude_from_pos_files",
            "exclude_from_bom",
            "allow_missing_courtyard",
        ],
        *pads,
    ]


def _words(panel: Panel) -> list[Any]:
    width, _ = panel.size
    text = f"SPICEBOARD {panel.board} tile x {len(panel.centres())}  rev {REVISION}  {DATE}"
    return [
        *["gr_text", quote(text), ["at", _mm(PAGE_AT[0] + width / 2), _mm(PAGE_AT[1] + 3.5), "0"]],
        ["layer", '"F.SilkS"'],
        ["uuid", quote(str(uuid.uuid5(SPACE, f"{panel.name}/words")))],
        ["effects", ["font", ["size", "1.5", "1.5"], ["thickness", "0.25"]]],
    ]


def _notes(panel: Panel) -> list[list[Any]]:
    """The notes of the drawing, to the right of the panel."""
    out = []
    x = PAGE_AT[0] + panel.size[0] + 6
    for k, line in enumerate(fabrication.notes(panel.name, fabrication.panel_text(panel))):
        ident = str(uuid.uuid5(SPACE, f"{panel.name}/note/{k}"))
        font = ["font", ["size", "1.2", "1.2"], ["thickness", "0.15"]]
        note = [
            *["gr_text", quote(line), ["at", _mm(x), _mm(PAGE_AT[1] + 3 + 2.4 * k), "0"]],
            *[["layer", '"Dwgs.User"'], ["uuid", quote(ident)]],
            ["effects", font, ["justify", "left"]],
        ]
        out += [note] if line else []
    return out


def _title(tile: list[Any]) -> list[Any]:
    """The tile's title block, which says that this is a panel."""
    block = first(tile, "title_block")
    assert block is not None
    return [
        ["title", quote(f"{bare(n[1])}, panel")] if isinstance(n, list) and n[0] == "title" else n
        for n in block
    ]


def _copied(node: Any) -> bool:
    """Whether each tile of the panel has it: all but the tile's own drawing notes."""
    if not isinstance(node, list) or node[0] not in COPIED:
        return False
    return node[0] != "gr_text" or first(node, "layer") != ["layer", '"Dwgs.User"']


def tree(panel: Panel, source: Path) -> list[Any]:
    """The panel as KiCad's nested list, from the tile's board file."""
    tile = load(source)
    numbered = [net for net in every(tile, "net") if net[1] != "0"]
    count = max(int(net[1]) for net in numbered)
    head = [
        n for n in tile if not isinstance(n, list) or n[0] not in (*COPIED, "gr_circle", "net")
    ]
    head = [n for n in head if n != ["embedded_fonts", "no"]]
    instead = {"paper": ["paper", quote("A3")], "title_block": _title(tile)}
    head = [instead.get(n[0], n) if isinstance(n, list) else n for n in head]
    nets: list[Any] = [["net", "0", '""']]
    body: list[Any] = []
    for copy in range(len(panel.centres())):
        nets += [
            ["net", str(int(n[1]) + copy * count), quote(_net(copy, bare(n[2])))] for n in numbered
        ]
        for node in tile:
            if _copied(node):
                body.append(_own(_moved(node, offset(panel, copy)), copy, count))
    return [
        *head,
        *nets,
        *body,
        _frame(panel),
        *_edge(panel),
        _words(panel),
        *_notes(panel),
        ["embedded_fonts", "no"],
    ]


def write(panel: Panel, folder: Path, tile: Path | None = None) -> Path:
    """NAME.kicad_pcb with its project into the folder; returns the board's path.

    `tile`: the tile's board file, the kept one if none is given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{panel.name}.kicad_pcb"
    path.write_text(
        dump(tree(panel, tile or KICAD / panel.board / f"{panel.board}.kicad_pcb")) + "\n",
        encoding="utf-8",
    )
    settings = {"rules": RULES, "rule_severities": {}, "drc_exclusions": []}
    project = {
        "board": {"design_settings": settings},
        "meta": {"filename": f"{panel.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [NET_CLASS], "meta": {"version": 4}},
    }
    (folder / f"{panel.name}.kicad_pro").write_text(json.dumps(project, indent=2) + "\n")
    (folder / "fp-lib-table").write_text(FP_TABLE)
    return path


def listed(panel: Panel, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Places of a tile's parts for every copy of the panel: D11 becomes D11_1, D11_2 and so on."""
    out = []
    for copy in range(len(panel.centres())):
        dx, dy = offset(panel, copy)
        for row in rows:
            x, y = (float(row[key].removesuffix("mm")) for key in ("Mid X", "Mid Y"))
            out.append(
                {
                    **row,
                    "Designator": f"{row['Designator']}_{copy + 1}",
                    "Mid X": f"{x + dx:.4f}mm",
                    "Mid Y": f"{y - dy:.4f}mm",
                }
            )
    return out


def counted(panel: Panel, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The tile's list of parts with the designators of every copy."""
    copies = range(1, len(panel.centres()) + 1)
    return [
        {
            **row,
            "Designator": ",".join(
                f"{ref}_{k}" for k in copies for ref in row["Designator"].split(",")
            ),
        }
        for row in rows
    ]


def main() -> None:
    from hardware import OUT

    for panel in PANELS.values():
        print(write(panel, OUT / panel.name))


if __name__ == "__main__":
    main()
