"""Which moves a search keeps: the best part of them, and of the last few those that are not
clearly worse by paired differences over the same deals."""

import math
from typing import Any

import numpy as np

from spiceboard.kernels.compiled import kernel

RACE = 4  # so many moves or fewer stay until they are clearly worse
MOST_DEALS = 100  # before moves are compared again
FEW, DOUBT, TRIFLE = 8, 2.5, 0.002  # deals that prove nothing; standard errors; chance to win


@kernel
def in_play(values: Any, best: int, other: int) -> bool:
    """Whether a move may still be better than the best one by more than a trifle.

    values: of each deal (row) and move (column), the chance to win.
    """
    n, total, squares = len(values), 0.0, 0.0
    for k in range(n):
        gap = values[k, best] - values[k, other]
        total += gap
        squares += gap * gap
    mean = total / n
    error = math.sqrt(max(0.0, squares / n - mean * mean) / n)
    return n < FEW or DOUBT * error - mean > TRIFLE


@kernel
def survivors(moves: Any, found: Any, values: Any, most: int) -> int:
    """Sort by `found`, the best move first, and drop some of `moves` and `found`; how many stay.

    found: of each move that is still in play, the sum of all its values; values: as above, of the
    last deals; most: how many may stay, if more than RACE are in play.
    """
    alive = values.shape[1]
    order = np.argsort(-found[:alive])
    moves[:alive], found[:alive] = moves[:alive][order], found[:alive][order]
    kept = 1
    for i in range(1, alive if alive <= RACE else most):
        if in_play(values, order[0], order[i]):
            moves[kept], found[kept] = moves[i], found[i]
            kept += 1
    return kept
