"""Safranito's search: deal what is hidden, make a move, play the round to its end, rate it.

The moves of a decision get the same deals. The worse half is dropped, and the rest gets twice as
many (sequential halving). Rounds are played out by `safranito_policy` and rated by
`safranito_value`, whose weights were learned by self-play.
"""

import math
from typing import Any

import numpy as np

from spiceboard.kernels.chance import MASK, rand, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito import apply, new
from spiceboard.kernels.safranito_hidden import deal_hidden
from spiceboard.kernels.safranito_moves import count_moves, nth_move, throwable
from spiceboard.kernels.safranito_places import (
    CLOSE,
    EXTRA_THROW,
    LENGTH,
    LYING,
    OVER,
    P1,
    PASS,
    PHASE,
    REVEAL,
    ROUND_OVER,
    SALE_PHASE,
    SEATS,
    THROW,
    THROW_PHASE,
    on_turn,
)
from spiceboard.kernels.safranito_policy import PLAN_SIZE, decide
from spiceboard.kernels.safranito_value import FEATURES, chance_to_win

MOST_MOVES = 256
KEPT = 3  # one of so many moves goes on to the next round of deals
MOST_DEALS = 200  # in such a round
WORK = PLAN_SIZE + FEATURES


@kernel
def promising(s: Any, out: Any) -> int:
    """Write the moves that are worth a look; how many there are."""
    phase, n = s[PHASE], count_moves(s)
    if phase == THROW_PHASE or phase == EXTRA_THROW:
        if n == 1:
            out[0] = REVEAL
            return 1
        return _throws(s, out)
    if phase == SALE_PHASE and nth_move(s, n - 1) == CLOSE:
        out[0] = CLOSE
        return 1
    for i in range(n):
        out[i] = nth_move(s, i)
    return n


@kernel
def _throws(s: Any, out: Any) -> int:
    """Throws of the lowest, the middle and the highest chip at every zone, hard only at chips."""
    seat = on_turn(s)
    free, n, lying = throwable(s, seat), 0, 0
    if s[PHASE] == EXTRA_THROW:
        out[0], n = PASS, 1
    for chip in range(6 * s[SEATS]):
        lying |= 1 << s[LYING + chip]
    left = 0
    for chip in range(6):
        left += free >> chip & 1
    nth = 0
    for chip in range(6):
        if not free >> chip & 1:
            continue
        if nth == 0 or nth == left // 2 or nth == left - 1:
            for zone in range(13):
                for force in range(3 if lying >> zone & 1 else 1):
                    out[n] = THROW | chip << 5 | zone << 8 | force << 12
                    n += 1
        nth += 1
    return n


@kernel
def play_round(s: Any, t: Any, work: Any, x: int) -> int:
    """Play by policy to the end of the round or the game; returns the number of decisions.

    Each decision has its own chance, so that the throws of two playouts of the same x stay alike.
    """
    n = 0
    while s[PHASE] < ROUND_OVER:
        n += 1
        y, move = decide(s, work, rand(rand((x + n * 0x2545F49) & MASK | 1)))
        apply(s, t, move, y)
    return n


@kernel
def search(s: Any, t: Any, weights: Any, seat: int, passes: int, x: int) -> tuple[int, int]:
    """(x', move) of the seat on turn, after about `passes` rounds played out."""
    moves, work = np.zeros(MOST_MOVES, np.int64), np.zeros(WORK)
    alive = promising(s, moves)
    found = np.zeros(alive)
    rounds = max(1, math.ceil(math.log(alive) / math.log(KEPT)))
    dealt, tried = s.copy(), s.copy()
    while alive > 1:
        for _ in range(max(1, min(MOST_DEALS, passes // (rounds * alive)))):
            dealt[:] = s
            x = deal_hidden(dealt, seat, x)
            for i in range(alive):
                tried[:] = dealt
                apply(tried, t, moves[i], x)
                play_round(tried, t, work, x)
                found[i] += chance_to_win(tried, weights, seat, work[PLAN_SIZE:])
        order = np.argsort(-found[:alive])
        moves, found = moves[:alive][order], found[:alive][order]
        alive = math.ceil(alive / KEPT)
    return x, moves[0]


@kernel
def match(t: Any, weights: Any, seats: int, seed: int, passes: Any) -> int:
    """The winner of a game; passes: of each seat's search, 0: it plays by policy."""
    s, work = np.zeros(LENGTH, np.int32), np.zeros(WORK)
    new(s, seats, seed, -1, 0)
    x = start(seed + 1)
    while s[PHASE] != OVER:
        seat = on_turn(s)
        if passes[seat]:
            x, move = search(s, t, weights, seat, passes[seat], x)
        else:
            x, move = decide(s, work, x)
        x = apply(s, t, move, x)
    return s[P1]
