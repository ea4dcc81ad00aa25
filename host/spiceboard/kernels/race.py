"""When a search may give a move up: paired differences to the best one, over the same deals."""

import math
from typing import Any

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
