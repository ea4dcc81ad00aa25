"""Safranito's search: deal what is hidden, make a move, play the round to its end, rate it.

The moves of a decision get the same deals. Two thirds are dropped, and the rest gets three times
as many (sequential halving). The last few stay until one of them is clearly the best. Rounds are
played out by `safranito_policy` and rated by `safranito_value`, whose weights were learned by
self-play.
"""

import math
from typing import Any

import numpy as np

from spiceboard.bots.safranito_memory import LENGTH as MEMORY
from spiceboard.bots.safranito_memory import PURSES
from spiceboard.kernels.chance import MASK, rand, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.race import MOST_DEALS, survivors
from spiceboard.kernels.safranito import apply, new
from spiceboard.kernels.safranito_hidden import deal_hidden, of_others, recall
from spiceboard.kernels.safranito_moves import count_moves, nth_move, throwable
from spiceboard.kernels.safranito_places import (
    CLOSE,
    DISPLAY,
    EXTRA_THROW,
    HANDS,
    HOW_MANY,
    LENGTH,
    LYING,
    NTH,
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
    all_throws,
    on_turn,
)
from spiceboard.kernels.safranito_policy import PLAN_SIZE, aim, decide, plan
from spiceboard.kernels.safranito_value import FEATURES, chance_to_win
from spicecore.games.safranito.data import START_MONEY

MOST_MOVES = 256
KEPT = 3  # one of so many moves goes on to the next round of deals
VALUES = 4 * PLAN_SIZE
WORK = VALUES + FEATURES


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
    """Throws of the lowest, the middle and the highest chip, hard only at chips."""
    seat = on_turn(s)
    free, n, lying = throwable(s, seat), 0, 0
    if s[PHASE] == EXTRA_THROW:
        out[0], n = PASS, 1
    for chip in range(6 * s[SEATS]):
        lying |= 1 << s[LYING + chip]
    zones, left = _targets(s, seat, lying), HOW_MANY[free]
    for nth in range(left):
        if nth != 0 and nth != left // 2 and nth != left - 1:
            continue
        for zone in range(13):
            if zones >> zone & 1:
                for force in range(3 if lying >> zone & 1 else 1):
                    out[n] = THROW | NTH[8 * free + nth] << 5 | zone << 8 | force << 12
                    n += 1
    return n


@kernel
def _targets(s: Any, seat: int, lying: int) -> int:
    """One bit for each zone to throw at: of the bowls that offer the seat nothing only one."""
    zones, wasted = lying & 0x1FFF | 0x1E00, False
    for bowl in range(9):
        offers = s[DISPLAY + bowl] > 0 or s[HANDS + 9 * seat + bowl] > 0
        if offers or not (wasted or zones >> bowl & 1):
            zones |= 1 << bowl
            wasted = wasted or not offers
    return zones


@kernel
def play_round(s: Any, t: Any, work: Any, x: int) -> int:
    """Play by policy to the end of the round or the game; returns the number of decisions.

    Each decision has its own chance, so that the throws of two playouts of the same x stay alike.
    While chips are thrown, plans stay as they are: `work` keeps one for each seat.
    """
    n, planned = 0, 0
    while s[PHASE] < ROUND_OVER:
        n += 1
        y = rand(rand((x + n * 0x2545F49) & MASK | 1))
        if s[PHASE] == THROW_PHASE and s[P1] < all_throws(s):
            seat = on_turn(s)
            p = work[PLAN_SIZE * seat :]
            if not planned >> seat & 1:
                plan(s, seat, p)
                planned |= 1 << seat
            y, move = aim(s, seat, p, y)
        else:
            y, move = decide(s, work, y)
        apply(s, t, move, y)
    return n


@kernel
def search(
    s: Any, t: Any, weights: Any, known: Any, seat: int, passes: int, x: int
) -> tuple[int, int]:
    """(x', move) of the seat on turn, after at most about `passes` rounds played out.

    known: what the seat recalls of the others (`spiceboard.bots.safranito_memory`).
    """
    moves, work = np.zeros(MOST_MOVES, np.int64), np.zeros(WORK)
    alive = promising(s, moves)
    found, stages = np.zeros(alive), max(1, math.ceil(math.log(alive) / math.log(KEPT)))
    values = np.zeros((MOST_DEALS, alive))
    dealt, tried = s.copy(), s.copy()
    left = passes
    while alive > 1 and left > 0:
        deals = max(1, min(MOST_DEALS, passes // (stages * alive)))
        for k in range(deals):
            dealt[:] = s
            x = deal_hidden(dealt, known, seat, x)
            for i in range(alive):
                tried[:] = dealt
                apply(tried, t, moves[i], x)
                play_round(tried, t, work, x)
                values[k, i] = chance_to_win(tried, weights, seat, work[VALUES:])
                found[i] += values[k, i]
        left -= deals * alive
        alive = survivors(moves, found, values[:deals, :alive], math.ceil(alive / KEPT))
    return x, moves[0]


@kernel
def match(t: Any, weights: Any, seats: int, seed: int, passes: Any) -> int:
    """The winner of a game; passes: of each seat's search, 0: it plays by policy."""
    s, work = np.zeros(LENGTH, np.int32), np.zeros(WORK)
    known, others = np.zeros(MEMORY, np.int32), np.zeros(MEMORY, np.int32)
    known[PURSES:] = START_MONEY
    new(s, seats, seed, -1, 0)
    x = start(seed + 1)
    while s[PHASE] != OVER:
        seat = on_turn(s)
        if passes[seat]:
            of_others(known, seat, others)
            x, move = search(s, t, weights, others, seat, passes[seat], x)
        else:
            x, move = decide(s, work, x)
        recall(s, known, move)
        x = apply(s, t, move, x)
    return s[P1]
