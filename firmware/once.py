"""Modules that are needed for a moment: loaded when somebody imports them, let go of afterwards.

They are called `*_once`. Whoever lets one be imported from within a function calls `tidy()` when
the work is done; what still runs in such a module goes on undisturbed. A board has little heap:
without this a game would lie beside the code of all that it never does.
"""

import sys


def tidy():
    """Let go of all modules that are for one use."""
    for name in list(sys.modules):
        if name.endswith("_once"):
            _forget(name)


def forget(start):
    """Let go of all modules whose names begin so, with their packages."""
    for name in list(sys.modules):
        if name.startswith(start):
            _forget(name)


def _forget(name):
    module = sys.modules.pop(name)
    package, _, last = name.rpartition(".")
    if package in sys.modules and getattr(sys.modules[package], last, None) is module:
        delattr(sys.modules[package], last)
