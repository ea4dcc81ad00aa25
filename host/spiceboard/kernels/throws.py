"""The table from which kernels draw where throws end. The physics of a throw made it.

It answers two questions separately: in which zone does a chip end that is aimed at a zone, and
what happens to each chip that lies where it lands?

`python -m spiceboard_sim.study.throw_table` makes the table again and prints how much rounds drawn
from it differ from the physics. The file says how it was made.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spiceboard.kernels.chance import draw, drawn
from spiceboard.kernels.compiled import kernel

FILE = Path(__file__).with_name("throws.json")
ZONES, NOWHERE, STAYS = 13, 13, 14
STRENGTHS = (0.0, 0.5, 1.0)  # soft, firm, hard
SHARES = 1024  # equal shares of a row of the table
CROWD = 4  # chips in a zone, this many and more are one row
PUSHES = ZONES * 3 * SHARES  # where the rows of pushes begin


@kernel
def landed(t: Any, x: int, zone: int, strength: int) -> tuple[int, int]:
    """(x', zone): where a chip ends that is thrown at a zone; NOWHERE: in no zone."""
    x = draw(x, SHARES)
    return x, t[(zone * 3 + strength) * SHARES + drawn(x, SHARES)]


@kernel
def pushed(t: Any, x: int, aim: int, strength: int, end: int, n: int) -> tuple[int, int]:
    """(x', zone) of one of n chips that lay where a throw ended, or was aimed if it missed.

    -1: it stays; NOWHERE: it is pushed out of all zones.
    """
    row = (end if end < ZONES else ZONES + aim) * 3 + strength
    row = PUSHES + (row * CROWD + min(n, CROWD) - 1) * SHARES
    x = draw(x, SHARES)
    to = t[row + drawn(x, SHARES)]
    return x, -1 if to == STAYS else to


@cache
def load(path: Path = FILE) -> Any:
    """The table as one int8 array. ValueError says what is wrong with the file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        rows = [*data["landed"], *data["pushed"]]
        table = np.array([_spread(row) for row in rows], np.int8).ravel()
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path.name} is no table of throws: {error}") from error
    if len(table) != PUSHES + 2 * ZONES * 3 * CROWD * SHARES:
        raise ValueError(f"{path.name} is no table of throws: it has {len(rows)} rows")
    return table


def _spread(row: list[int]) -> list[int]:
    """The `SHARES` outcomes of a row; the row counts the shares of each outcome 0..14."""
    if sum(row) != SHARES:
        raise ValueError(f"a row has {sum(row)} shares, not {SHARES}")
    return [outcome for outcome, n in enumerate(row) for _ in range(n)]
