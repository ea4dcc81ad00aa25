"""Files for the fab and for people: Gerbers, drill, positions, BOM, lists for an assembly house,
STEP, PDF, pictures.

    python -m hardware.generate.fab [--pictures] [board ...]      into build/hardware/NAME

The Gerbers are read back with gerbonara: outline, layers and drill counts must be right, else the
exit code is 1. `--pictures` also renews the pictures that the docs show.
"""

import csv
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from hardware import KICAD, OUT, PICTURES, ROOT
from hardware.circuit import KINDS, Board, boards
from hardware.generate import assembly, kicad
from hardware.generate.symbols import order

COUNT = {"bowl": 9, "action": 4, "controller": 1}
IBOM = "InteractiveHtmlBom==2.12.0"
VIEWS = {
    "top": ("--side", "top"),
    "bottom": ("--side", "bottom"),
    "angle": ("--side", "top", "--perspective", "--zoom", "0.8", "--rotate", "'-40,0,25'"),
}
SHOWN = {  # what the docs show
    "bowl": ("top", "bottom"),
    "action": ("top",),
    "controller": ("top", "bottom"),
}
LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"


# named by where they sit, ordered as one part
ALIKE = {"IDC": "2x8 box header", "SW": "push button", "HDR6": "1x6 pin header"}


def bom(board: Board) -> list[dict[str, str]]:
    """One row a kind and value. Prices are left blank: none was asked of a shop."""
    rows: dict[tuple[str, str, bool], dict[str, str]] = {}
    for part in board.parts:
        kind = KINDS[part.kind]
        if not kind.in_bom:
            continue
        maker, mpn, alternates = order(part)
        row = rows.setdefault(
            (part.kind, ALIKE.get(part.kind, part.value), part.dnp),
            {
                "references": "",
                "per board": "0",
                "for the whole set": "0",
                "value": ALIKE.get(part.kind, part.value),
                "footprint": kind.footprint.split(":")[1],
                "manufacturer": maker,
                "part number": mpn,
                "alternates": "; ".join(alternates),
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


def write_bom(board: Board, path: Path) -> None:
    rows = bom(board)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


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


def export(board: Board, out: Path, pictures: bool) -> None:
    name = board.name
    pcb, sch = f"{name}/{name}.kicad_pcb", f"{name}/{name}.kicad_sch"
    with kicad.Bench() as bench:
        bench.put(KICAD / "lib")
        bench.put(KICAD / name)
        (bench.path / "gerbers").mkdir()
        bench.cli(
            "pcb", "export", "gerbers", "-l", LAYERS, "--no-protel-ext", "-o", "gerbers/", pcb
        )
        bench.cli(
            "pcb",
            "export",
            "drill",
            "--format",
            "excellon",
            "--excellon-separate-th",
            "--excellon-oval-format",
            "route",
            "-o",
            "gerbers/",
            pcb,
        )
        bench.cli(
            "pcb",
            "export",
            "pos",
            "--format",
            "csv",
            "--units",
            "mm",
            "--exclude-dnp",
            "-o",
            f"{name}-positions.csv",
            pcb,
        )
        step = ("pcb", "export", "step", "--no-dnp", "-o", f"{name}.step", pcb)
        done = bench.cli(*step, check=False)  # it also complains of bodies that are not here
        if not (bench.path / f"{name}.step").exists():
            raise RuntimeError(f"{name}: no STEP came: {(done.stdout + done.stderr)[-300:]}")
        bench.cli("sch", "export", "pdf", "-o", f"{name}-schematic.pdf", sch)
        for side, view in VIEWS.items():
            bench.cli(
                "pcb",
                "render",
                *view,
                "--quality",
                "basic",
                "--width",
                "1200",
                "--height",
                "1200",
                "--background",
                "opaque",
                "-o",
                f"{name}-{side}.png",
                pcb,
            )
        out.mkdir(parents=True, exist_ok=True)
        for item in bench.path.iterdir():
            if item.suffix in (".csv", ".step", ".pdf", ".png"):
                shutil.copy(item, out / item.name)
        shutil.copytree(bench.path / "gerbers", out / "gerbers", dirs_exist_ok=True)
    write_bom(board, out / f"{name}-bom.csv")
    assembly.write(board, KICAD / name / f"{name}.kicad_pcb", out)
    with zipfile.ZipFile(out / f"{name}-gerbers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for item in sorted((out / "gerbers").iterdir()):
            archive.write(item, item.name)
    if pictures:
        target = PICTURES
        target.mkdir(parents=True, exist_ok=True)
        for side in SHOWN[name]:
            shutil.copy(out / f"{name}-{side}.png", target / f"hardware-{name}-{side}.png")


def read_back(name: str, out: Path) -> dict[str, float]:
    """What gerbonara sees: size in mm, copper layers, plated and unplated holes."""
    import warnings

    from gerbonara import LayerStack

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stack = LayerStack.open(out / "gerbers")
        (x0, y0), (x1, y1) = stack.board_bounds()
        unit_scale = 1.0
        plated = sum(
            len(list(d.objects)) for d in stack.drill_layers if "NPTH" not in str(d.original_path)
        )
        unplated = sum(
            len(list(d.objects)) for d in stack.drill_layers if "NPTH" in str(d.original_path)
        )
        copper = len([k for k in stack.graphic_layers if k[1] == "copper"])
    return {
        "width": round((x1 - x0) * unit_scale, 2),
        "height": round((y1 - y0) * unit_scale, 2),
        "copper": copper,
        "plated": plated,
        "unplated": unplated,
    }


def expected(name: str) -> dict[str, float]:
    """The same figures from the board file itself."""
    from hardware.generate.sexp import every, first, load

    tree = load(KICAD / name / f"{name}.kicad_pcb")
    plated = len(every(tree, "via"))
    unplated = 0
    for fp in every(tree, "footprint"):
        for pad in every(fp, "pad"):
            if first(pad, "drill") is not None:
                plated += pad[2] == "thru_hole"
                unplated += pad[2] == "np_thru_hole"
    from hardware.layout import layouts

    plan = layouts()[name]
    width, height = plan.size or (plan.round or 0.0, plan.round or 0.0)
    return {"width": width, "height": height, "copper": 2, "plated": plated, "unplated": unplated}


def compare(name: str, out: Path) -> list[str]:
    """Where the Gerbers and the board disagree, in sentences."""
    seen, meant = read_back(name, out), expected(name)
    return [
        f"{name}: {k} is {seen[k]} in the Gerbers and {meant[k]} on the board"
        for k in meant
        if abs(seen[k] - meant[k]) > 0.15
    ]


def main(words: list[str]) -> int:
    pictures = "--pictures" in words
    names = [w for w in words if not w.startswith("--")]
    wrong = []
    for name, board in boards().items():
        if names and name not in names:
            continue
        out = OUT / name
        export(board, out, pictures)
        lacking = interactive_bom(name, out)
        if lacking:
            print(f"{name}: no page for assembly: {lacking}")
        wrong += compare(name, out)
        print(
            f"{name}: Gerbers, drill, positions, BOM, assembly lists, STEP, PDF, pictures, page for "
            f"assembly in {out.relative_to(ROOT)}"
        )
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
