"""Unload modules that are needed only for a moment: the board has little heap, and code is in it.

What is imported for one request, one start or one position is in a package `on_demand`. Import
from there only inside a function, and call `on_demand()` when the work is done; code that is still
running continues undisturbed. A game that is not played is unloaded as a whole. Garbage is
collected where nobody waits.
"""

import gc
import sys

from micropython import const

_HOLES = const(300)  # counted on the chip


def on_demand():
    """Unload every module of a package `on_demand`."""
    for name in list(sys.modules):
        if ".on_demand" in name:
            _unload(name)


def package(start):
    """Unload a package and everything in it."""
    for name in list(sys.modules):
        if name == start or name.startswith(start + "."):
            _unload(name)


def _unload(name):
    # MicroPython's import binds a module in its package, however it was imported. What the
    # import system has bound is undone here: otherwise the module stays in the heap.
    module = sys.modules.pop(name)
    parent, _, last = name.rpartition(".")
    if parent in sys.modules and getattr(sys.modules[parent], last, None) is module:
        delattr(sys.modules[parent], last)


def collect():
    """Collect garbage, and fill the small holes below the free room until the next collection:
    whatever needs more than 16 bytes for a moment, like a call with many variables, would look
    through them first, which takes 0.3 to 0.7 ms."""
    gc.collect()
    for number in range(_HOLES):
        id((number,))
