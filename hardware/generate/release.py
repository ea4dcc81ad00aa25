"""Put everything that a builder needs into build/release/VERSION, with checksums.

    python -m hardware.generate.release        or: make release, which first makes all files

Firmware for both chips, the wheel, files for the fab, lists, schematics, pictures, the case and
the guides. What KiCad writes is taken from build/hardware; where it is missing, the rest is
released, README.txt says what is not there, and the exit code is 3. The same commit gives the same
bytes.
"""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from hardware import OUT, PICTURES, REVISION, ROOT, SIDES
from hardware.circuit import BOARDS
from hardware.generate.stamps import pack
from hardware.layout.panel import PANELS
from spiceboard.flash.bundle import build
from spicecore.version import VERSION

CHIPS = {"rp2040": 0x1306, "rp2350": 0x1F06}  # sys.implementation._mpy of their MicroPython
INCOMPLETE = 3
BOARD_FILES = (
    *("gerbers.zip", "fabrication.pdf", "schematic.pdf", "drill-map-pth.pdf"),
    *("drill-map-npth.pdf", "order.txt", "bom.csv", "ibom.html", "positions.csv"),
    *("assembly-bom.csv", "assembly-cpl.csv", "jlcpcb-bom.csv", "jlcpcb-cpl.csv"),
    "jlcpcb-turns.csv",
)
PANEL_FILES = (
    *("gerbers.zip", "fabrication.pdf", "drill-map-pth.pdf", "drill-map-npth.pdf", "order.txt"),
    *("assembly-bom.csv", "assembly-cpl.csv", "jlcpcb-bom.csv", "jlcpcb-cpl.csv"),
    "jlcpcb-turns.csv",
)
WHAT = """\
Spiceboard {version}, boards of revision {revision}, commit {commit}.
Nothing of the hardware has been built yet.

docs/build.md      the guide: start here
docs/release.md    what each file is for
firmware/          the application for a Pico (rp2040) and a Pico 2 (rp2350), compiled
*.whl              the tools: pip install FILE, then spiceboard flash, diag, play ...
hardware/NAME/     a board: Gerbers, drawings, lists, pictures
hardware/*-panel/  tiles on panels, for an assembly house
enclosure/         the case: DXF for a laser, STL for a printer
sources/hardware/  KiCad projects, and the scripts that make boards, case and sums
SHA256SUMS         of all files: sha256sum -c SHA256SUMS
"""


def firmware(out: Path) -> None:
    """One archive a chip: the files of the slot with their hashes, and those of the root."""
    out.mkdir(parents=True)
    for chip, mpy in CHIPS.items():
        bundle = build(mpy)
        folder = out / f".{chip}"
        files: dict[str, Path] = {}
        parts = [(f"slot/{name}", data) for name, data in bundle.files.items()]
        for name, data in [*parts, *bundle.root.items()]:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            files[name] = path
        pack(out / f"spiceboard-{VERSION}-{chip}.zip", files)
        shutil.rmtree(folder)


def wheel(out: Path) -> None:
    """The tools as a wheel. Hatchling writes the same bytes for the same sources."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(out)]
    done = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"release: the wheel was not built: {done.stderr.strip()[-400:]}")


def hardware(out: Path) -> list[str]:
    """Copies of what hardware/ has made; returns the names of files that are not there."""
    wanted = [(n, f"{n}-{tail}") for n in BOARDS for tail in BOARD_FILES]
    wanted += [(n, f"{n}{tail}") for n in BOARDS for tail in (".d356", ".step")]
    wanted += [(n, f"{n}-{tail}") for n in PANELS for tail in PANEL_FILES]
    wanted += [(n, f"{n}{tail}") for n in PANELS for tail in (".kicad_pcb", ".d356")]
    missing = []
    for name in (*BOARDS, *PANELS):
        (out / name).mkdir(parents=True)
    for folder, name in wanted:
        source, target = OUT / folder / name, out / folder / name
        if source.exists():
            shutil.copyfile(source, target)
        else:
            missing.append(f"hardware/{folder}/{name}")
    drawn = [(n, side) for n in BOARDS for side in SIDES] + [(n, SIDES[0]) for n in PANELS]
    for name, side in drawn:  # kept ones: a renderer's grain differs each time
        picture = PICTURES / f"hardware-{name}-{side}.png"
        shutil.copyfile(picture, out / name / f"{name}-{side}.png")
    return missing


def enclosure(out: Path) -> list[str]:
    """STL and DXF; returns what is missing in a sentence."""
    files = [*(OUT / "enclosure").glob("*.stl"), *(OUT / "enclosure").glob("*.dxf")]
    out.mkdir(parents=True)
    for path in files:
        shutil.copyfile(path, out / path.name)
    return [] if files else ["enclosure/*: make -C hardware enclosure"]


def guides(out: Path) -> None:
    """The documents with their pictures, and the licences."""
    shutil.copytree(ROOT / "docs", out / "docs")
    no = shutil.ignore_patterns("__pycache__", "*.pyc", "*-backups", "*.kicad_prl")
    shutil.copytree(ROOT / "hardware", out / "sources" / "hardware", ignore=no)
    for name in ("LICENSE", "CHANGELOG.md"):
        shutil.copyfile(ROOT / name, out / name)
    shutil.copyfile(ROOT / "hardware" / "LICENSE", out / "LICENSE-hardware")


def commit() -> str:
    """The commit, and what hinders calling it a release."""
    command = ["git", "describe", "--always", "--dirty", "--tags"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown (no git here)"


def sums(out: Path) -> None:
    """SHA256SUMS of every file, in the form that sha256sum -c reads."""
    files = sorted(path for path in out.rglob("*") if path.is_file())
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(out).as_posix()}"
        for path in files
    ]
    (out / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")


def release(out: Path) -> list[str]:
    """Create the folder again and fill it; return what is missing."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    firmware(out / "firmware")
    wheel(out)
    missing = hardware(out / "hardware") + enclosure(out / "enclosure")
    guides(out)
    text = WHAT.format(version=VERSION, revision=REVISION, commit=commit())
    if missing:
        text += "\nNOT IN HERE, because it was not made on this machine:\n"
        text += "".join(f"  {name}\n" for name in missing)
    (out / "README.txt").write_text(text, encoding="utf-8")
    sums(out)
    return missing


def main() -> int:
    out = ROOT / "build" / "release" / VERSION
    missing = release(out)
    count = sum(1 for path in out.rglob("*") if path.is_file())
    print(f"release: {count} files in {out.relative_to(ROOT)}")
    if missing:
        print(f"release: incomplete, {len(missing)} files are not there (README.txt names them)")
        print("release: KiCad makes them: make -C hardware install, then make release")
    return INCOMPLETE if missing else 0


if __name__ == "__main__":
    sys.exit(main())
