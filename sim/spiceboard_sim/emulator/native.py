"""The emulator's C code, compiled for this very interpreter: many times faster than the wheel's.

rp2040py's wheel has its processor, PIO and clock as C code for any CPython, which asks at each
instruction through Python's objects what it may know. The same sources lie beside it. They are
compiled once here (half a minute), with `loop.pyx`, and kept in the cache. Without a compiler,
Cython or Python's headers the wheel's code runs: slower, with the same results.
"""

import fcntl
import hashlib
import importlib
import importlib.abc
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from spiceboard.extras import install
from spiceboard.flash import images

LOOP = Path(__file__).with_name("loop.pyx")
INCLUDED = Path(__file__).with_name("thumb.pxi")
PACKAGE = "rp2040py.native"
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
CHOICE = "SPICEBOARD_EMULATOR"  # "wheel": without what is compiled here
FLAGS = ("-O3", "-std=gnu99", "-fPIC", "-shared", "-fno-strict-aliasing", "-fwrapv", "-w")
TRIAL = f"""
import sys
from pathlib import Path
from {__name__} import Compiled
sys.meta_path.insert(0, Compiled(Path(sys.argv[1])))
from {PACKAGE} import loop
from rp2040py.rp2040 import RP2040
loop.Loop(RP2040()).run(1000.0)
"""
FAILED = "failed.txt"


class CannotCompile(Exception):
    """Why the wheel's code is taken; a sentence."""


class Compiled(importlib.abc.MetaPathFinder):
    """Finds the modules of rp2040py.native in the cache instead of in the wheel."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        file = self.folder / (name + SUFFIX)
        if package != PACKAGE or not file.exists():
            return None
        return importlib.util.spec_from_file_location(fullname, file)


def sources() -> Path:
    """The folder of the installed rp2040py that holds its C code; nothing is imported."""
    spec = importlib.util.find_spec("rp2040py")
    folder = Path(spec.origin).parent / "native" if spec and spec.origin else Path()
    if not list(folder.glob("*.c")):
        raise CannotCompile("rp2040py is installed without its C sources")
    return folder


def cached(folder: Path) -> Path:
    """Where the code compiled from these sources for this interpreter is kept."""
    digest = hashlib.sha256(" ".join((sys.version, SUFFIX, *FLAGS)).encode())
    for path in (LOOP, INCLUDED, *sorted(folder.glob("*.c")), *sorted(folder.glob("*.pxd"))):
        digest.update(path.read_bytes())
    return images.folder() / f"emulator-{digest.hexdigest()[:16]}"


def compiler() -> str:
    """The C compiler; CannotCompile when it, Python's headers or Cython is missing."""
    found = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc")
    if not found:
        raise CannotCompile("there is no C compiler (Debian: apt-get install gcc)")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        raise CannotCompile("Python's headers are missing (Debian: apt-get install python3-dev)")
    if importlib.util.find_spec("Cython") is None:
        raise CannotCompile(f"Cython is not installed: {install('emulator')}")
    return found


def run(*command: str | Path) -> None:
    """Run a step of the build; CannotCompile with what it said last."""
    words = [str(part) for part in command]
    environment = os.environ | {CHOICE: "wheel"}  # what runs here must not build as well
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        raise CannotCompile(f"{command[0]} failed: {said[-1]}")


def build(folder: Path, target: Path) -> None:
    """Compile all of it into the target folder."""
    cc, include = compiler(), sysconfig.get_path("include")
    with TemporaryDirectory() as work:
        loop = Path(work) / "loop.c"
        # rp2040py's declarations are found as those of an installed package
        run(sys.executable, "-m", "cython", "-3", "-I", folder.parents[1], LOOP, "-o", loop)

        def compiled(source: Path) -> None:
            run(cc, *FLAGS, "-I", include, source, "-o", Path(work) / (source.stem + SUFFIX))

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(compiled, [loop, *sorted(folder.glob("*.c"))]))
        run(sys.executable, "-c", TRIAL, work)
        for path in Path(work).glob("*" + SUFFIX):
            shutil.copy(path, target)


def prepared() -> Path:
    """The folder with the compiled code, built if need be; CannotCompile says why it is not."""
    folder = sources()
    target = cached(folder)
    target.mkdir(parents=True, exist_ok=True)
    with open(target / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be at it
        if not (target / "done").exists():
            compiler()
            failed = target / FAILED
            if failed.exists():
                raise CannotCompile(failed.read_text())
            print("compiling the emulator's core, once ...", file=sys.stderr, flush=True)
            try:
                build(folder, target)
            except CannotCompile as error:
                failed.write_text(str(error))
                raise
            (target / "done").touch()
    return target


def use() -> str:
    """Let rp2040py be imported with the compiled code; "" or why the wheel's is taken."""
    if os.environ.get(CHOICE) == "wheel":
        return f"{CHOICE}=wheel is set"
    if PACKAGE in sys.modules:
        return "" if any(isinstance(finder, Compiled) for finder in sys.meta_path) else "too late"
    try:
        folder = prepared()
    except (CannotCompile, OSError) as error:
        return str(error)
    sys.meta_path.insert(0, Compiled(folder))
    return ""


WHY_WHEEL = use()


def loop(mcu: Any) -> Any:
    """The main loop in C for a chip, None with the wheel's code."""
    return None if WHY_WHEEL else importlib.import_module(f"{PACKAGE}.loop").Loop(mcu)
