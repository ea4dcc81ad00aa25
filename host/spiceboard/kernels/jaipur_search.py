"""Jaipur's search: deal what is hidden, make a move, look for the other's best answer.

The network (`jaipur_value`) rates all moves at once, and the answers to those that it likes best.
All moves get the same deals. The worse half of them is dropped, and the rest gets twice as many
(sequential halving). The last few stay until one of them is clearly the best.
"""

import math
from typing import Any

import numpy as np

from spiceboard.kernels import jaipur as rules
from spiceboard.kernels import jaipur_value as value
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_greedy import SUMS, TRIED, greedy
from spiceboard.kernels.jaipur_places import EXCHANGE, LENGTH, OVER, PHASE, TURN, WHO
from spiceboard.kernels.jaipur_play import MOST_MOVES, deal_hidden, list_moves, sensible
from spiceboard.kernels.race import MOST_DEALS, survivors

WIDTH = 12  # moves that the search looks at
GLANCES = 16  # deals for which the network rates all moves first
MOST_SWAPS = 6  # exchanges in a row: two seats that both wait would never end


@kernel
def outlook(s: Any, t: Any, net: Any, seat: int, sums: Any, rows: Any) -> float:
    """The chance of a seat to win the round, 0.0 to 1.0, if the seat on turn moves well."""
    if s[PHASE] != TURN:
        return value.result(s, seat)
    _move, odds = greedy(s, t, net, sums, rows)
    found = value.chance(odds)
    return found if s[WHO] == seat else 1.0 - found


@kernel
def at_once(s: Any, t: Any, net: Any, move: int, sums: Any, rows: Any, ended: Any) -> float:
    """The chance of the seat on turn to win the round just after a move.

    ended: a position to work in.
    """
    n = value.after(s, move, rows)
    if n < 0:
        for i in range(LENGTH):
            ended[i] = s[i]
        rules.apply(ended, t, move)
        return value.result(ended, s[WHO])
    value.add_up(sums, TRIED, net, rows, n)
    return value.chance(value.output(sums, TRIED, net))


@kernel
def candidates(s: Any, t: Any, swaps: int, out: Any) -> int:
    """Write the moves to `out`; how many. After MOST_SWAPS exchanges no more if others exist."""
    n, kept = list_moves(s, t, out), 0
    if swaps < MOST_SWAPS:
        return n
    for i in range(n):
        if out[i] & 7 != EXCHANGE:
            out[kept] = out[i]
            kept += 1
    return kept if kept else n


@kernel
def promising(s: Any, t: Any, net: Any, swaps: int, x: int, out: Any) -> tuple[int, int]:
    """Write the moves that the network likes best to `out`, at most WIDTH: (x', how many)."""
    moves, scores = np.zeros(MOST_MOVES, np.int64), np.zeros(MOST_MOVES)
    sums, rows = np.zeros((SUMS, net.shape[1]), np.float32), np.zeros(value.ACTIVE, np.int32)
    n, dealt, ended = candidates(s, t, swaps, moves), s.copy(), s.copy()
    for _ in range(GLANCES):
        dealt[:] = s
        x = deal_hidden(dealt, s[WHO], x)
        for i in range(n):
            scores[i] += at_once(dealt, t, net, moves[i], sums, rows, ended)
    order = np.argsort(-scores[:n])
    for i in range(min(n, WIDTH)):
        out[i] = moves[order[i]]
    return x, min(n, WIDTH)


@kernel
def search(s: Any, t: Any, net: Any, swaps: int, passes: int, x: int) -> tuple[int, int]:
    """(x', move) of the seat on turn, after it has looked for about `passes` answers at most.

    net: `jaipur_value.load()`; swaps: exchanges that the seat has made in a row.
    """
    moves, seat = np.zeros(WIDTH, np.int64), s[WHO]
    sums, rows = np.zeros((SUMS, net.shape[1]), np.float32), np.zeros(value.ACTIVE, np.int32)
    x, alive = promising(s, t, net, swaps, x, moves)
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
                values[k, i] = outlook(tried, t, net, seat, sums, rows)
                found[i] += values[k, i]
        left -= deals * alive
        alive = survivors(moves, found, values[:deals, :alive], (alive + 1) // 2)
    return x, moves[0]


@kernel
def match(t: Any, w: Any, net: Any, seed: int, passes: int, strong: int) -> int:
    """The winner of a match of the search (seat `strong`) against the sensible opinion.

    w: `jaipur_play.worths()`.
    """
    s = np.zeros(LENGTH, np.int32)
    rules.new(s, seed, -1, 1, 0)
    moves = np.zeros(MOST_MOVES, np.int64)
    x, swaps = seed + 1, 0
    while s[PHASE] != OVER:
        if s[PHASE] == TURN and s[WHO] == strong:
            x, move = search(s, t, net, swaps, passes, x)
            swaps = swaps + 1 if move & 7 == EXCHANGE else 0
        else:
            move = sensible(s, t, w, moves)
        rules.apply(s, t, move)
    return s[WHO]
