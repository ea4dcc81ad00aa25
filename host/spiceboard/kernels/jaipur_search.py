"""Jaipur's search: deal what is hidden, make a move, play the round to its end.

The moves of a decision get the same deals. The worse half of them is dropped, and the rest gets
twice as many (sequential halving). The last few stay until one of them is clearly the best.
Rounds are played out by `jaipur_quick`.
"""

import math
from typing import Any

import numpy as np

from spiceboard.kernels import jaipur as rules
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_places import LENGTH, OVER, PHASE, TURN, WHO
from spiceboard.kernels.jaipur_play import MOST_MOVES, deal_hidden, list_moves, opinion, sensible
from spiceboard.kernels.jaipur_quick import quick
from spiceboard.kernels.race import MOST_DEALS, survivors

WIDTH = 12  # moves that the search looks at
MARGIN = 0.1  # of a value: how clearly a round is won


@kernel
def value(s: Any, seat: int) -> float:
    """The worth of an ended round to a seat: 0.0 lost to 1.0 won."""
    lead = rules.rupees(s, seat) - rules.rupees(s, 1 - seat)
    won = 0.5 if s[WHO] < 0 else 1.0 if s[WHO] == seat else 0.0
    return (1.0 - MARGIN) * won + MARGIN * (0.5 + 0.5 * math.tanh(lead / 25.0))


@kernel
def promising(s: Any, t: Any, w: Any, out: Any) -> int:
    """Write the moves that the sensible bot rates best; how many, at most WIDTH."""
    moves, scores = np.zeros(MOST_MOVES, np.int64), np.zeros(MOST_MOVES)
    n = list_moves(s, t, moves)
    for i in range(n):
        scores[i] = opinion(s, w, moves[i])
    order = np.argsort(-scores[:n])
    for i in range(min(n, WIDTH)):
        out[i] = moves[order[i]]
    return min(n, WIDTH)


@kernel
def search(s: Any, t: Any, w: Any, v: Any, seat: int, passes: int, x: int) -> tuple[int, int]:
    """(x', move) of the seat on turn, after at most about `passes` rounds played out.

    w: `jaipur_play.worths()`; v: `jaipur_worths.load()`.
    """
    moves = np.zeros(WIDTH, np.int64)
    alive = promising(s, t, w, moves)
    found, stages = np.zeros(alive), max(1, math.ceil(math.log2(alive)))
    values = np.zeros((MOST_DEALS, alive))
    dealt, tried = s.copy(), s.copy()
    left = passes
    while alive > 1 and left > 0:
        deals = max(1, min(MOST_DEALS, passes // (stages * alive)))
        for k in range(deals):
            dealt[:] = s
            x = deal_hidden(dealt, seat, x)
            for i in range(alive):
                tried[:] = dealt
                rules.apply(tried, t, moves[i])
                while tried[PHASE] == TURN:
                    rules.apply(tried, t, quick(tried, v))
                values[k, i] = value(tried, seat)
                found[i] += values[k, i]
        left -= deals * alive
        alive = survivors(moves, found, values[:deals, :alive], (alive + 1) // 2)
    return x, moves[0]


@kernel
def match(t: Any, w: Any, v: Any, seed: int, passes: int, strong: int) -> int:
    """The winner of a match of the search (seat `strong`) against the sensible opinion."""
    s = np.zeros(LENGTH, np.int32)
    rules.new(s, seed, -1, 1, 0)
    moves = np.zeros(MOST_MOVES, np.int64)
    x = seed + 1
    while s[PHASE] != OVER:
        if s[PHASE] == TURN and s[WHO] == strong:
            x, move = search(s, t, w, v, strong, passes, x)
        else:
            move = sensible(s, t, w, moves)
        rules.apply(s, t, move)
    return s[WHO]
