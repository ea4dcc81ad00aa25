"""Rat Hot played by the kernel: try some random places for each strip and take the best."""

from typing import Any

from spiceboard.kernels import rathot
from spiceboard.kernels.chance import start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot_layout import (
    HELD_SIZE,
    LAY,
    OVER,
    PHASE,
    RATS,
    TURN_UP,
    TURN_UP_PHASE,
    WHO,
    new,
)
from spiceboard.kernels.rathot_moves import sample_move

# Worth of so many visible rats of the own colour, in points, while a strip is still to be laid and
# at the end of the turn, when three lose; and of the other's.
OWN_RATS = ((0.0, -0.2, -0.5, -1.0, -2.0), (0.0, -2.5, -7.0, -60.0, -61.0))
OTHER_RATS = (0.0, 0.4, 1.5, 4.0, 8.0)


@kernel
def outlook(s: Any, seat: int, last: int) -> float:
    """The rating of a position for the seat that has just laid a strip, in points."""
    lead = rathot.points(s, seat) - rathot.points(s, 1 - seat)
    mine, others = min(4, s[RATS + seat]), min(4, s[RATS + 1 - seat])
    return lead + OWN_RATS[last][mine] + OTHER_RATS[others]


@kernel
def choose(s: Any, tried: int, x: int) -> tuple[int, int]:
    """(x', move): the best of `tried` random moves; each is made, rated and taken back."""
    if s[PHASE] != LAY:
        return x, TURN_UP
    best, best_score = -1, -1e9
    seat, last = s[WHO], 1 if s[HELD_SIZE] == 1 else 0
    for _ in range(tried):
        x, move = sample_move(s, x)
        rathot.apply(s, move)
        score = outlook(s, seat, last)
        rathot.undo(s)
        if score > best_score:
            best, best_score = move, score
    return x, best


@kernel
def game(s: Any, strips: Any, seed: int, tried: int) -> int:
    """Play a game to its end; the number of strips laid."""
    new(s, strips, seed, -1, 0, 0, 0)
    x, n = start(seed + 1), 0
    while s[PHASE] != OVER:
        n += s[PHASE] != TURN_UP_PHASE
        x, move = choose(s, tried, x)
        rathot.apply(s, move)
    return n
