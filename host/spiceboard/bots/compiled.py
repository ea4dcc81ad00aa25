"""Bots by compiled rules, which the first decision on a machine compiles."""

import sys
from pathlib import Path
from typing import Any

from spiceboard.bots.bot import Bot, RandomBot
from spiceboard.words import N_

COMPILING = N_("The bot strong is being compiled for this game, once: this takes a minute or two.")


class CompiledBot(RandomBot):
    """Decides by `kernel`, a function of numba that calls all others."""

    kernel: Any


def uncompiled(player: Bot) -> bool:
    """Must the bot's rules be compiled before it can decide?"""
    return isinstance(player, CompiledBot) and not is_compiled(player.kernel)


def is_compiled(kernel: Any) -> bool:
    """Was this done before: by this process, or by another one that kept it in numba's cache?"""
    if kernel.signatures:
        return True
    function = kernel.py_func
    module, line = function.__module__.rpartition(".")[2], function.__code__.co_firstlineno
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    index = f"{module}.{function.__qualname__}-{line}.{python}*.nbi"
    return any(Path(kernel.stats.cache_path).glob(index))
