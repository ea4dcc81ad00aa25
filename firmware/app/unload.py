"""Unloads modules that are needed for a moment: a board has little heap, and code lies in it.

What is imported for one request, one start or one position lies in a package `on_demand`. Whoever
imports from there, from within a function, calls `on_demand()` when the work is done; code that
still runs goes on undisturbed. A game that is not played goes as a whole.
"""

import sys


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
    module = sys.modules.pop(name)
    parent, _, last = name.rpartition(".")
    if parent in sys.modules and getattr(sys.modules[parent], last, None) is module:
        delattr(sys.modules[parent], last)
