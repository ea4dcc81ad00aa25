"""How kernels are compiled: one decorator, and a folder that keeps what was compiled.

numba notices a changed source file, but not a change in another file whose functions were compiled
into it. So the folder's name holds a hash of all kernels, and stale code is never found.
"""

import hashlib
import importlib.metadata
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])
KEPT = 3  # folders of the last versions; older ones are deleted


def cache_folder() -> Path:
    """Where compiled kernels of these sources lie: below $XDG_CACHE_HOME or ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    version = hashlib.sha256(importlib.metadata.version("numba").encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        version.update(source.read_bytes())
    return Path(home) / "spiceboard" / "kernels" / version.hexdigest()[:16]


def _use_folder() -> None:
    """Make the folder and forget those of old versions; numba chooses one if this cannot be."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        others = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)
        for old in others[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010 - it has no such type


_use_folder()


def kernel(function: Function) -> Function:
    """Compile a function of integers and integer arrays; the result is kept on disk.

    Nothing checks the ends of an array.
    """
    made: Any = numba.njit(cache=True, boundscheck=False, nogil=True, error_model="numpy")(
        function
    )
    return cast(Function, made)
