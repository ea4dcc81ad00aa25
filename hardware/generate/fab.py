"""Files for the fab and for people: Gerbers, drill, test and positions, lists, STEP, PDF, pictures.

    python -m hardware.generate.fab [--pictures | --without-pictures] [board ...]
                                          into build/hardware/NAME, a tile's panel with the tile

The Gerbers are read back with gerbonara: outline, layers and drill counts must be right, else the
exit code is 1. `--pictures` also renews the pictures that the docs show; `--without-pictures` draws
none (minutes), as a release takes the committed ones. The same sources give the same bytes
(stamps.py).
"""

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

from gerbonara import LayerStack

from hardware import KICAD, OUT, PICTURES, ROOT, SIDES
from hardware.arguments import parsed
from hardware.circuit import Board, board
from hardware.generate import assembly, bill, bodies, kicad, panel, stamps
from hardware.generate.sexp import every, first, load
from hardware.layout import layouts
from hardware.layout.fabrication import order_text, panel_order_text
from hardware.layout.panel import PANELS, Panel

IBOM = "InteractiveHtmlBom==2.12.0"
SIZE = ("--quality", "basic", "--width", "1200", "--height", "1200", "--background", "opaque")
VIEWS = {
    "top": ("--side", "top"),
    "bottom": ("--side", "bottom"),
    "angle": ("--side", "top", "--perspective", "--zoom", "0.8", "--rotate", "'-40,0,25'"),
}
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"
DRAWN = "Edge.Cuts,Dwgs.User,F.Fab,F.Courtyard"
DRILL = ("--format", "excellon", "--excellon-separate-th", "--excellon-oval-format", "route")
# of kicad-cli pcb export; {} is the board's name
COPPER = (
    ("gerbers", "-l", LAYERS, "--no-protel-ext", "-o", "gerbers/"),
    ("drill", *DRILL, "-o", "gerbers/"),
)
TEST = ("ipcd356", "-o", "{}.d356")
PAPERS = (  # of boards and panels
    TEST,
    ("drill", *DRILL, "--generate-map", "--map-format", "pdf", "-o", "maps/"),
    (
        *("pdf", "-l", DRAWN, "--include-border-title", "--black-and-white", "--mode-single"),
        *("-o", "{}-fabrication.pdf"),
    ),
)
POSITIONS = (
    *("pos", "--format", "csv", "--units", "mm", "--exclude-dnp"),
    *("-o", "{}-positions.csv"),
)
KEPT = (".csv", ".step", ".pdf", ".png", ".d356")


def interactive_bom(name: str, out: Path) -> str:
    """Writes NAME-ibom.html: a page that shows where each part of the list goes, to solder by hand.

    InteractiveHtmlBom runs in KiCad's own Python, which has `pcbnew` and wx; so it is fetched once
    into the cache without what it depends on. Returns why there is no page, or nothing.
    """
    kept = kicad.default_root().parent / f"ibom-{IBOM.split('==')[1]}"
    if not (kept / "InteractiveHtmlBom").exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = subprocess.run(
            [*pip, "--no-deps", "--target", str(kept), IBOM], capture_output=True, text=True
        )
        if done.returncode:
            return f"{IBOM} could not be fetched: {done.stderr.strip()[-200:]}"
    with kicad.Bench() as bench:
        bench.put(kept / "InteractiveHtmlBom")
        bench.put(KICAD / name)
        done = bench.run(
            *("env", "INTERACTIVE_HTML_BOM_NO_DISPLAY=1", "INTERACTIVE_HTML_BOM_CLI_MODE=1"),
            *("python3", "InteractiveHtmlBom/generate_interactive_bom.py", "--no-browser"),
            *("--dest-dir", "..", "--name-format", f"{name}-ibom"),
            *("--extra-data-file", f"{name}/{name}.kicad_pcb"),
            *("--extra-fields", "Manufacturer,MPN", "--dnp-field", "kicad_dnp"),
            f"{name}/{name}.kicad_pcb",
            check=False,
        )
        page = bench.path / f"{name}-ibom.html"
        if not page.exists():
            return f"{IBOM} wrote none: {(done.stdout + done.stderr).strip()[-200:]}"
        shutil.copy(page, out)
    return ""


def _plot(bench: kicad.Bench, name: str, jobs: tuple[tuple[str, ...], ...]) -> None:
    """Runs exports of kicad-cli on a board in the bench."""
    for folder in ("gerbers", "maps"):
        (bench.path / folder).mkdir(exist_ok=True)
    for job in jobs:
        words = [word.replace("{}", name) for word in job]
        bench.cli("pcb", "export", *words, f"{name}/{name}.kicad_pcb")


def _bodies(bench: kicad.Bench, name: str, draw: bool) -> None:
    """STEP, and pictures where they are wanted."""
    pcb = f"{name}/{name}.kicad_pcb"
    step = ("pcb", "export", "step", "--no-dnp", "-o", f"{name}.step", pcb)
    done = bench.cli(*step, check=False)  # it also complains of bodies that are not here
    if not (bench.path / f"{name}.step").exists():
        raise RuntimeError(f"{name}: no STEP came: {(done.stdout + done.stderr)[-300:]}")
    bodies.put(bench.path / pcb)
    for side, view in VIEWS.items() if draw else ():
        bench.cli("pcb", "render", *view, *SIZE, "-o", f"{name}-{side}.png", pcb)


def _collect(bench: kicad.Bench, name: str, out: Path) -> None:
    """Copies what was written, without the hour, and packs the Gerbers."""
    out.mkdir(parents=True, exist_ok=True)
    for item in bench.path.iterdir():
        if item.suffix in KEPT:
            shutil.copy(item, out / item.name)
    for sheet in sorted((bench.path / "maps").glob("*.pdf")):
        kind = "npth" if "NPTH" in sheet.name else "pth"
        shutil.copy(sheet, out / f"{name}-drill-map-{kind}.pdf")
    shutil.rmtree(out / "gerbers", ignore_errors=True)
    shutil.copytree(bench.path / "gerbers", out / "gerbers")
    stamps.fix_all(out)
    gerbers = {item.name: item for item in (out / "gerbers").iterdir()}
    stamps.pack(out / f"{name}-gerbers.zip", gerbers)


def export(made: Board, out: Path, pictures: bool, draw: bool = True) -> None:
    """Write all files of a board into the folder. pictures: also those of the docs; draw: any."""
    name = made.name
    with kicad.Bench() as bench:
        bench.put(KICAD / "lib")
        bench.put(KICAD / name)
        _plot(bench, name, (*COPPER, *PAPERS, POSITIONS))
        sheet = f"{name}/{name}.kicad_sch"
        bench.cli("sch", "export", "pdf", "-o", f"{name}-schematic.pdf", sheet)
        _bodies(bench, name, draw)
        _collect(bench, name, out)
    bill.write(made, out / f"{name}-bom.csv")
    assembly.write(made, KICAD / name / f"{name}.kicad_pcb", out)
    (out / f"{name}-order.txt").write_text(order_text(name, layouts()[name]), encoding="utf-8")
    if pictures:
        _keep(out, name, SIDES)


def _keep(out: Path, name: str, sides: tuple[str, ...]) -> None:
    """Copies pictures to those of the docs."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for side in sides:
        shutil.copy(out / f"{name}-{side}.png", PICTURES / f"hardware-{name}-{side}.png")


def export_panel(made: Panel, out: Path, pictures: bool, draw: bool = True) -> None:
    """The panel as KiCad's board, its files for the fab, and the tile's lists for every copy."""
    panel.write(made, out)
    with kicad.Bench() as bench:
        bench.put(KICAD / "lib")
        bench.put(out, made.name)
        _plot(bench, made.name, (*COPPER, *PAPERS))
        if draw:
            _draw_panel(bench, made)
        _collect(bench, made.name, out)
    _panel_lists(made, out)
    if pictures:
        _keep(out, made.name, SIDES[:1])


def _draw_panel(bench: kicad.Bench, made: Panel) -> None:
    """The panel's upper side, with our bodies on every copy of the tile."""
    folder = bench.path / made.name
    tile = bench.put(KICAD / made.board / f"{made.board}.kicad_pcb", f"{made.name}/tile.kicad_pcb")
    bodies.put(tile)
    panel.write(made, folder, tile)
    words = ("--side", "top", *SIZE, "-o", f"{made.name}-top.png")
    bench.cli("pcb", "render", *words, f"{made.name}/{made.name}.kicad_pcb")


def _panel_lists(made: Panel, out: Path) -> None:
    """The order's text, and the lists for assembly with the parts of every copy."""
    tile = board(made.board)
    refs = assembly.placed(tile, KICAD / made.board / f"{made.board}.kicad_pcb")
    order = panel_order_text(made)
    (out / f"{made.name}-order.txt").write_text(order, encoding="utf-8")
    rows = assembly.places(OUT / made.board / f"{made.board}-positions.csv", refs)
    for style, headings, parts, spots in (
        ("assembly", assembly.BOM, assembly.bom(tile, refs), rows),
        (
            "jlcpcb",
            assembly.HOUSE_BOM,
            assembly.house_bom(tile, refs),
            assembly.turned(tile, rows),
        ),
    ):
        stem = f"{made.name}-{style}"
        assembly.write_rows(out / f"{stem}-bom.csv", headings, panel.counted(made, parts))
        assembly.write_rows(out / f"{stem}-cpl.csv", assembly.CPL, panel.listed(made, spots))
    turned = out / f"{made.name}-jlcpcb-turns.csv"
    assembly.write_rows(turned, assembly.TURNS, assembly.turns(tile, rows))


def read_back(out: Path) -> dict[str, float]:
    """What gerbonara sees: size in mm, copper layers, plated and unplated holes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stack = LayerStack.open(out / "gerbers")
        (x0, y0), (x1, y1) = stack.board_bounds()
        holes = {True: 0, False: 0}
        for layer in stack.drill_layers:
            holes["NPTH" in str(layer.original_path)] += len(list(layer.objects))
        copper = len([k for k in stack.graphic_layers if k[1] == "copper"])
    return {
        "width": round(x1 - x0, 2),
        "height": round(y1 - y0, 2),
        "copper": copper,
        "plated": holes[False],
        "unplated": holes[True],
    }


def expected(pcb: Path, size: tuple[float, float]) -> dict[str, float]:
    """The same figures from the board file itself."""
    tree = load(pcb)
    plated = len(every(tree, "via"))
    unplated = 0
    for fp in every(tree, "footprint"):
        for pad in every(fp, "pad"):
            if first(pad, "drill") is not None:
                plated += pad[2] == "thru_hole"
                unplated += pad[2] == "np_thru_hole"
    return {
        "width": size[0], "height": size[1], "copper": 2, "plated": plated, "unplated": unplated,
    }  # fmt: skip


def compare(name: str, out: Path) -> list[str]:
    """Where the Gerbers and the board disagree, in sentences."""
    if name in PANELS:
        meant = expected(out / f"{name}.kicad_pcb", PANELS[name].size)
    else:
        plan = layouts()[name]
        size = plan.size or (plan.round or 0.0, plan.round or 0.0)
        meant = expected(KICAD / name / f"{name}.kicad_pcb", size)
    seen = read_back(out)
    return [
        f"{name}: {k} is {seen[k]} in the Gerbers and {meant[k]} on the board"
        for k in meant
        if abs(seen[k] - meant[k]) > 0.15
    ]


def main(words: list[str]) -> int:
    asked = parsed(words, __doc__, ("--pictures", "--without-pictures"))
    pictures, draw = asked.pictures, not asked.without_pictures
    wrong = []
    for name in asked.boards:
        out = OUT / name
        export(board(name), out, pictures, draw)
        lacking = interactive_bom(name, out)
        if lacking:
            print(f"{name}: no page for assembly: {lacking}")
        wrong += compare(name, out)
        print(f"{name}: files for the fab, lists, STEP and PDF in {out.relative_to(ROOT)}")
    for name, sheet in PANELS.items():
        if sheet.board in asked.boards:
            export_panel(sheet, OUT / name, pictures, draw)
            wrong += compare(name, OUT / name)
            print(f"{name}: Gerbers and lists in {(OUT / name).relative_to(ROOT)}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
