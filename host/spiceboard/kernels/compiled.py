"""How kernels are compiled: one decorator, and a folder that keeps what was compiled.

numba notices that a source file has changed, but not that another file has, whose functions were
compiled into this one. The folder's name therefore contains a hash of all kernels, so that stale
code is never used.
"""

import hashlib
import importlib.metadata
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])
KEPT_S = 2 * 86_400  # how long a folder stays that nobody has used


def cache_folder() -> Path:
    """The folder for the compiled kernels of these sources, in $XDG_CACHE_HOME or ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    version = hashlib.sha256(importlib.metadata.version("numba").encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        version.update(source.read_bytes())
    return Path(home) / "spiceboard" / "kernels" / version.hexdigest()[:16]


def _use_folder() -> None:
    """Make the folder and delete those out of use. If that fails, numba chooses a folder.

    By age and not by number: whoever has several checkouts uses several folders by turns.
    """
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for old in folder.parent.iterdir():
            if old.stat().st_mtime < time.time() - KEPT_S:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010 - it has no such type


_use_folder()


OPTIONS: dict[str, Any] = {
    "cache": True,
    "boundscheck": False,
    "nogil": True,
    "error_model": "numpy",
}
MAKES_ARRAYS = {"zeros", "empty", "full", "array", "copy", "argsort"}


def kernel(function: Function) -> Function:
    """Compile a function of integers and integer arrays, and keep the result on disk.

    The compiled code does not check whether an index lies within its array. It counts references
    to arrays only in functions that make some: elsewhere every call would count them, which took
    half of the time. So a function that makes an array must not return it to another kernel.
    """
    counts = bool(MAKES_ARRAYS.intersection(function.__code__.co_names))
    options = {**OPTIONS, "_nrt": counts}
    return cast(Function, numba.njit(**options)(function))


def inlined(function: Function) -> Function:
    """A `kernel` that makes no arrays and is copied into its callers.

    A call takes as long as twenty additions, because an array is passed as seven values.
    """
    options = {**OPTIONS, "_nrt": False, "forceinline": True}
    return cast(Function, numba.njit(**options)(function))


def summing(function: Function) -> Function:
    """`inlined`, for sums of floating-point numbers: it may add them up in any order."""
    options = {**OPTIONS, "_nrt": False, "forceinline": True, "fastmath": {"reassoc", "contract"}}
    return cast(Function, numba.njit(**options)(function))
