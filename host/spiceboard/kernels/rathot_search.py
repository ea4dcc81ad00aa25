"""Rat Hot's search: whole turns, ranked by outlook, then played on with guesses of the pile.

Each promising turn is answered by the turn that looks best for the other, and by its own next one.
All turns get the same guesses. Two thirds are dropped, and the rest gets three times as many
(sequential halving). The last few stay until one of them is clearly the best.
"""

import math
from typing import Any

import numpy as np

from spiceboard.kernels.chance import shuffle, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.race import MOST_DEALS, survivors
from spiceboard.kernels.rathot import apply, undo
from spiceboard.kernels.rathot_layout import (
    BOX,
    DEPTH,
    EMPTY,
    GRID,
    HELD,
    HELD_SIZE,
    LAY,
    OVER,
    PHASE,
    PILE,
    PILE_SIZE,
    RATS,
    RED_RAT,
    ROW,
    STRIPS,
    TURN_UP,
    TURN_UP_PHASE,
    WHO,
    new,
    step_of,
)
from spiceboard.kernels.rathot_moves import is_spot, move_at
from spiceboard.kernels.rathot_outlook import MOST_RATS, chance_to_win, dangers
from spiceboard.kernels.rathot_play import outlook

MOST_MOVES = 4096
FIRSTS, SECONDS = 120, 30  # first strips of a turn that are weighed, and second ones after each
ANSWERS, MOST_FIRSTS = 3, 24  # first strips of an expected turn that are weighed with the second
WIDTH = 12  # turns that the search looks at
BEHIND = 0.2  # turns that look so much worse than the best are left out
# Share of the first outlook in the rating of a turn: it was fitted to games of good players, but
# the expected turns that are played on are weaker than theirs.
TRUST = 0.6
KEPT = 3  # one of so many turns goes on to the next round of guesses
TURNS = 2  # that are played on after a turn


@kernel
def touches(s: Any, move: int) -> bool:
    """Whether a strip that is laid on the table comes beside a spice like one of its own."""
    code, step, at = s[STRIPS + (move & 63)], step_of(move >> 6 & 3), move >> 8
    for k in range(3):
        face = code >> 4 * k & 15
        for side in range(4):
            there = s[GRID + at + k * step + step_of(side)] & 15
            if there == face and EMPTY < face < RED_RAT:
                return True
    return False


@kernel
def placements(s: Any, moves: Any, scores: Any, every: bool) -> int:
    """Write every placement and its rating for the seat on turn; how many there are.

    Without `every` only one a strip of those on the table that touch no like spice: all have the
    same rating.
    """
    n, seat, last = 0, s[WHO], 1 if s[HELD_SIZE] == 1 else 0
    ways, plain = 2 * s[HELD_SIZE], 0
    for y in range(s[BOX + 1] - 3, s[BOX + 3] + 2):
        for x in range(s[BOX] - 3, s[BOX + 2] + 2):
            for down in range(2):
                if not is_spot(s, y * ROW + x, ROW if down else 1):
                    continue
                for way in range(ways):
                    move = move_at(s, (y * ROW + x) << 1 | down, way)
                    if not every and s[GRID + y * ROW + x] <= 0 and not touches(s, move):
                        if plain >> (way >> 1) & 1:
                            continue
                        plain |= 1 << (way >> 1)
                    if n < len(moves):
                        moves[n] = move
                        apply(s, move)
                        scores[n] = outlook(s, seat, last)
                        undo(s)
                        n += 1
    return n


@kernel
def best_placement(s: Any, moves: Any, scores: Any) -> tuple[int, float]:
    """(move, rating) of the best placement."""
    n = placements(s, moves, scores, False)
    best = np.argmax(scores[:n])
    return moves[best], scores[best]


@kernel
def firsts(s: Any, moves: Any, scores: Any, n: int, most: int, out: Any) -> int:
    """Write which of the first strip's placements are weighed with the second; how many.

    The `most` best ones, and of each strip also the best that leave fewer own rats than all better
    ones: with two strips a player can cover rats that one alone cannot.
    """
    size, fewest, other = 0, 99, 99
    for at in np.argsort(-scores[:n]):
        apply(s, moves[at])
        rats = s[RATS + s[WHO]] if s[PHASE] == LAY else 0
        undo(s)
        if moves[at] & 63 == s[HELD]:
            fewer, fewest = rats < fewest, min(rats, fewest)
        else:
            fewer, other = rats < other, min(rats, other)
        if (size < most or fewer) and size < len(out):
            out[size] = at
            size += 1
    return size


@kernel
def play_turn(s: Any, moves: Any, scores: Any) -> None:
    """Turn strips up and lay them as is expected of the seat: the best pair of a few."""
    if s[PHASE] == TURN_UP_PHASE:
        apply(s, TURN_UP)
    n = placements(s, moves[0], scores[0], False)
    if s[HELD_SIZE] == 1:
        apply(s, moves[0][np.argmax(scores[0][:n])])
        return
    best, second, most = -1, -1, -1e9
    looked = np.zeros(MOST_FIRSTS, np.int64)
    for first in looked[: firsts(s, moves[0], scores[0], n, ANSWERS, looked)]:
        apply(s, moves[0][first])
        if s[PHASE] == LAY:
            then, score = best_placement(s, moves[1], scores[1])
        else:
            then, score = -1, scores[0][first]
        undo(s)
        if score > most:
            best, second, most = moves[0][first], then, score
    apply(s, best)
    if second >= 0:
        apply(s, second)


@kernel
def turns(s: Any, seat: int, out: Any, values: Any) -> int:
    """Write the best turns, (first, second or -1), and their outlook; how many, at most WIDTH."""
    moves, scores = np.zeros((2, MOST_MOVES), np.int64), np.zeros((2, MOST_MOVES))
    known, depth, ready = np.zeros(2 * MOST_RATS), s[DEPTH], False
    n, size = placements(s, moves[0], scores[0], True), 0
    looked = np.zeros(MOST_MOVES, np.int64)
    most = FIRSTS if s[HELD_SIZE] > 1 else n
    for first in looked[: firsts(s, moves[0], scores[0], n, most, looked)]:
        apply(s, moves[0][first])
        pairs = s[PHASE] == LAY
        m = placements(s, moves[1], scores[1], True) if pairs else 1
        order = np.argsort(-scores[1][:m])
        for i in range(min(m, SECONDS)):
            if pairs:
                apply(s, moves[1][order[i]])
            if not ready and s[PHASE] != OVER:  # the same pile is left after every turn
                dangers(s, known)
                ready = True
            value = chance_to_win(s, seat, known)
            size = _insert(
                out, values, size, moves[0][first], moves[1][order[i]] if pairs else -1, value
            )
            while s[DEPTH] > depth + pairs:
                undo(s)
        while s[DEPTH] > depth:
            undo(s)
    return size


@kernel
def _insert(out: Any, values: Any, size: int, first: int, second: int, value: float) -> int:
    """Insert a turn in falling order; the same strips laid in the other order are one turn."""
    for i in range(size):
        if out[i, 0] == second and out[i, 1] == first:
            return size
    if size == len(values) and value <= values[size - 1]:
        return size
    at = min(size, len(values) - 1)
    while at and values[at - 1] < value:
        values[at], out[at, 0], out[at, 1] = values[at - 1], out[at - 1, 0], out[at - 1, 1]
        at -= 1
    values[at], out[at, 0], out[at, 1] = value, first, second
    return min(size + 1, len(values))


@kernel
def search(s: Any, seat: int, passes: int, x: int) -> tuple[int, int]:
    """(x', placement) of the seat on turn, after at most about `passes` turns played on."""
    best, first = np.zeros((WIDTH, 2), np.int64), np.zeros(WIDTH)
    n = turns(s, seat, best, first)
    alive = 0
    while alive < n and first[alive] >= first[0] - BEHIND:
        alive += 1
    found = np.zeros(alive)
    moves, scores = np.zeros((2, MOST_MOVES), np.int64), np.zeros((2, MOST_MOVES))
    rounds = max(1, math.ceil(math.log(alive) / math.log(KEPT)))
    s[PILE : PILE + s[PILE_SIZE]].sort()  # only which strips are left is known
    which, values, left = np.arange(alive), np.zeros((MOST_DEALS, alive)), passes
    while alive > 1 and left > 0:
        deals = max(1, min(MOST_DEALS, passes // (rounds * alive)))
        for k in range(deals):
            x = shuffle(x, s, PILE, s[PILE_SIZE])
            for i in range(alive):
                first_move, second = best[which[i], 0], best[which[i], 1]
                played = play_on(s, seat, first_move, second, moves, scores)
                values[k, i] = TRUST * first[which[i]] + (1.0 - TRUST) * played
                found[i] += values[k, i]
        left -= deals * alive
        alive = survivors(which, found, values[:deals, :alive], math.ceil(alive / KEPT))
    return x, best[which[0], 0]


@kernel
def play_on(s: Any, seat: int, first: int, second: int, moves: Any, scores: Any) -> float:
    """The chance to win after a turn and the next ones that are expected; all is taken back."""
    depth, known = s[DEPTH], np.zeros(2 * MOST_RATS)
    apply(s, first)
    if second >= 0:
        apply(s, second)
    for _ in range(TURNS):
        if s[PHASE] != OVER:
            play_turn(s, moves, scores)
    if s[PHASE] != OVER:
        dangers(s, known)
    value = chance_to_win(s, seat, known)
    while s[DEPTH] > depth:
        undo(s)
    return value


@kernel
def match(s: Any, strips: Any, seed: int, passes: int, strong: int) -> int:
    """The winner (-1: nobody) of a game of the search (seat `strong`) against expected turns."""
    new(s, strips, seed, -1, 0, 0, 0)
    moves, scores = np.zeros((2, MOST_MOVES), np.int64), np.zeros((2, MOST_MOVES))
    x = start(seed + 1)
    while s[PHASE] != OVER:
        if s[PHASE] == TURN_UP_PHASE:
            apply(s, TURN_UP)
        if s[WHO] == strong:
            x, move = search(s, strong, passes, x)
            apply(s, move)
        else:
            play_turn(s, moves, scores)
    return s[WHO]
