"""Rat Hot's search: whole turns by their value, then answered with guesses of the pile.

The best turns are answered by the turn that is best for the other with the strips that a guess
turns up. All turns get the same guesses. Two thirds are dropped, and the rest gets three times as
many (sequential halving). The last few stay until one of them is clearly the best.
"""

import math
from typing import Any

import numpy as np

from spiceboard.kernels.chance import shuffle, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.race import MOST_DEALS, survivors
from spiceboard.kernels.rathot import apply, undo
from spiceboard.kernels.rathot_layout import (
    DEPTH,
    OVER,
    PHASE,
    PILE,
    PILE_SIZE,
    TURN_UP,
    TURN_UP_PHASE,
    WHO,
    new,
)
from spiceboard.kernels.rathot_play import choose
from spiceboard.kernels.rathot_turns import Desk, Found, lay, look_for_turns
from spiceboard.kernels.rathot_value import KNOWN, chance_to_win, prepare

FIRSTS, SECONDS, VARIED = 20, 8, 12  # of its own turn, for `look_for_turns`
ANSWER_FIRSTS, ANSWER_SECONDS = 3, 6  # of an answer; its strips are not varied
BEHIND = 0.2  # turns that look so much worse than the best are left out
TRUST = 60  # answers that the value just after a turn is worth
MATCH_PASSES, TRIED = 60, 400  # of a match
KEPT = 3  # one of so many turns goes on to the next round of guesses


@kernel
def search(s: Any, passes: int, x: int, desk: Desk, best: Found, answer: Found) -> int:
    """Bring the best turn of the seat on turn to the front of `best`; returns x'.

    passes: answers that are looked for, at most about. best, answer: room for the turns that are
    looked at, and for answers to them.
    """
    known = np.zeros(KNOWN)
    prepare(s, 1 - s[WHO], known)
    look_for_turns(s, desk, known, best, True, FIRSTS, SECONDS, VARIED)
    alive = 0
    while alive < best.size[0] and best.values[alive] >= best.values[0] - BEHIND:
        alive += 1
    s[PILE : PILE + s[PILE_SIZE]].sort()  # only which strips are left is known
    rounds = max(1, math.ceil(math.log(alive) / math.log(KEPT)))
    which, sums = np.arange(alive), TRUST * best.values[:alive]
    values, left = np.zeros((MOST_DEALS, alive)), passes
    while alive > 1 and left > 0:
        deals = max(1, min(MOST_DEALS, passes // (rounds * alive)))
        for k in range(deals):
            x = shuffle(x, s, PILE, s[PILE_SIZE])
            _prepare_answered(s, known)
            for i in range(alive):
                values[k, i] = _answered(s, best.turns[which[i]], desk, known, answer)
                sums[i] += values[k, i]
        left -= deals * alive
        alive = survivors(which, sums, values[:deals, :alive], math.ceil(alive / KEPT))
    chosen = which[0]
    for i in range(2):
        best.turns[0, i] = best.turns[chosen, i]
    return x


@kernel
def _prepare_answered(s: Any, known: Any) -> None:
    """`prepare` for the pile after the answer to the turn of the seat on turn."""
    size = s[PILE_SIZE]
    s[PILE_SIZE] = max(0, size - 2)
    prepare(s, s[WHO], known)
    s[PILE_SIZE] = size


@kernel
def _answered(s: Any, turn: Any, desk: Desk, known: Any, answer: Found) -> float:
    """The chance to win after a turn and the best answer to it; all is taken back."""
    depth, seat = s[DEPTH], s[WHO]
    lay(s, turn)
    if s[PHASE] != OVER:
        apply(s, TURN_UP)
        look_for_turns(s, desk, known, answer, False, ANSWER_FIRSTS, ANSWER_SECONDS, 0)
        lay(s, answer.turns[0])
    won = chance_to_win(s, desk.weights, seat, known, desk.numbers, desk.counts)
    while s[DEPTH] > depth:
        undo(s)
    return won


@kernel
def match(s: Any, strips: Any, seed: int, desk: Desk, best: Found, answer: Found) -> int:
    """The winner (-1: nobody) of a game of the search (seat `seed & 1`) against a player who lays
    the best of some random placements."""
    new(s, strips, seed, -1, 0, 0, 0)
    x = start(seed + 1)
    while s[PHASE] != OVER:
        if s[PHASE] == TURN_UP_PHASE:
            apply(s, TURN_UP)
        if s[WHO] == seed & 1:
            x = search(s, MATCH_PASSES, x, desk, best, answer)
            lay(s, best.turns[0])
        else:
            x, move = choose(s, TRIED, x)
            apply(s, move)
    return s[WHO]
