"""Which turns of Rat Hot are worth a look: pairs of placements, by the value after them.

There are up to a million pairs. A few thousand are weighed first: the best places of each strip by
points and rats, each with the best ones of the other strip. Then one strip of the best turns is
laid, and the other one is tried in every place; again and again, until the best turns stay best.
"""

from typing import Any, NamedTuple

import numpy as np

from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot import apply, undo
from spiceboard.kernels.rathot_layout import (
    BOX,
    CELLS_SIZE,
    EMPTY,
    GRID,
    HELD,
    HELD_SIZE,
    LAY,
    OVER,
    PHASE,
    RATS,
    RATS_OUT,
    REASON,
    RED_RAT,
    ROW,
    STRIPS,
    WHO,
    step_of,
)
from spiceboard.kernels.rathot_moves import is_spot, move_at, spot
from spiceboard.kernels.rathot_play import outlook
from spiceboard.kernels.rathot_rats import LOOKED
from spiceboard.kernels.rathot_value import LOSING, ROOM, chance_to_win

MOST_MOVES = 4096
RESCUES = 12  # placements that are laid to try the other strip everywhere, while all turns lose
BEHIND = 40.0  # second strips whose rating is so much worse than the best are left out


class Desk(NamedTuple):
    """What a decision needs beside the position: the learned weights, and arrays to work in."""

    weights: Any  # of `rathot_value`
    moves: Any  # 2 x MOST_MOVES: placements of the first strip and of the second
    scores: Any  # 2 x MOST_MOVES: their ratings
    order: Any  # MOST_MOVES: the first strips that are weighed with a second one
    varied: Any  # RESCUES: placements for which the other strip was tried everywhere
    numbers: Any  # ROOM
    counts: Any  # LOOKED


class Found(NamedTuple):
    """The best turns so far, the best one first."""

    turns: Any  # most x 2: two placements, or one and -1
    values: Any  # most: the chance to win of the seat on turn; negative if it loses by rats
    size: Any  # 1: how many there are


def desk(weights: Any) -> Desk:
    """A new desk."""
    return Desk(
        weights,
        np.zeros((2, MOST_MOVES), np.int64),
        np.zeros((2, MOST_MOVES)),
        np.zeros(MOST_MOVES, np.int64),
        np.zeros(RESCUES, np.int64),
        np.zeros(ROOM),
        np.zeros(LOOKED, np.int64),
    )


def found(most: int) -> Found:
    """Room for so many turns."""
    return Found(np.zeros((most, 2), np.int64), np.zeros(most), np.zeros(1, np.int64))


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
def next_best(moves: Any, scores: Any, first: int, n: int) -> None:
    """Bring the best of the placements from `first` on to that place."""
    at = first
    for k in range(first + 1, n):
        if scores[k] > scores[at]:
            at = k
    moves[first], moves[at] = moves[at], moves[first]
    scores[first], scores[at] = scores[at], scores[first]


@kernel
def weigh(s: Any, desk: Desk, known: Any, found: Found, before: int, move: int) -> None:
    """Rate the turn that ends with a placement; `before` is the one that is laid, or -1."""
    seat = s[WHO]
    apply(s, move)
    if s[PHASE] == OVER and s[REASON] == RATS_OUT:
        value = 1.0 * (LOSING - 1 - s[RATS + seat])
    else:
        value = chance_to_win(s, desk.weights, seat, known, desk.numbers, desk.counts)
    undo(s)
    if before < 0:
        _insert(found, move, -1, value)
    else:
        _insert(found, before, move, value)


@kernel
def _insert(found: Found, first: int, second: int, value: float) -> None:
    """Insert a turn in falling order; the same strips laid in the other order are one turn."""
    turns, values, size = found.turns, found.values, found.size[0]
    if size == len(values) and value <= values[size - 1]:
        return
    for i in range(size):
        one, other = turns[i, 0], turns[i, 1]
        if (one == second and other == first) or (one == first and other == second):
            return
    at = min(size, len(values) - 1)
    while at and values[at - 1] < value:
        values[at], turns[at, 0], turns[at, 1] = values[at - 1], turns[at - 1, 0], turns[at - 1, 1]
        at -= 1
    values[at], turns[at, 0], turns[at, 1] = value, first, second
    found.size[0] = min(size + 1, len(values))


@kernel
def look_for_turns(
    s: Any, desk: Desk, known: Any, found: Found, every: bool, most: int, seconds: int, vary: int
) -> None:
    """Find the best turns of the seat on turn.

    every: whether to weigh all places on the table (see `placements`); most, seconds: first strips
    that are weighed, and second ones after each; vary: how often one strip of a good turn is laid
    and the other one tried everywhere; up to RESCUES times while all turns lose by rats.
    """
    found.size[0] = 0
    n = placements(s, desk.moves[0], desk.scores[0], every)
    if s[HELD_SIZE] == 1:
        for i in range(n):
            weigh(s, desk, known, found, -1, desk.moves[0][i])
        return
    for i in range(firsts(s, desk.moves[0], desk.scores[0], n, most, desk.order)):
        first = desk.moves[0][desk.order[i]]
        apply(s, first)
        if s[PHASE] == LAY:
            _weigh_seconds(s, desk, known, found, first, every, seconds)
            undo(s)
        else:  # the table is full
            undo(s)
            weigh(s, desk, known, found, -1, first)
    for varied in range(RESCUES):
        fixed = _not_varied(s, desk, found, varied)
        if fixed < 0 or (varied >= vary and found.values[0] >= 0.0):
            break
        desk.varied[varied] = fixed
        _vary(s, desk, known, found, fixed)
    if every and found.values[0] < 0.0:
        _rescue(s, desk, known, found, n)


@kernel
def _rescue(s: Any, desk: Desk, known: Any, found: Found, n: int) -> None:
    """Weigh all turns that leave fewer own rats than lose, when none has been found yet.

    n: how many placements of the first strip there are, all of them in `desk`. The strip laid last
    covers some rats: else the two can as well be laid the other way round.
    """
    seat = s[WHO]
    for i in range(n):
        first = desk.moves[0][i]
        apply(s, first)
        for which in range(2 * s[CELLS_SIZE] if s[PHASE] == LAY else 0):
            place = spot(s, which)
            for way in range(2 if place >= 0 else 0):
                second = move_at(s, place, way)
                apply(s, second)
                saved = s[RATS + seat] < LOSING
                undo(s)
                if saved:
                    weigh(s, desk, known, found, first, second)
        undo(s)


@kernel
def _weigh_seconds(
    s: Any, desk: Desk, known: Any, found: Found, first: int, every: bool, most: int
) -> None:
    """Weigh the best placements of the second strip by their rating; the first one is laid."""
    moves, scores = desk.moves[1], desk.scores[1]
    n = placements(s, moves, scores, every)
    for i in range(min(n, most)):
        next_best(moves, scores, i, n)
        if scores[i] < scores[0] - BEHIND:
            return
        weigh(s, desk, known, found, first, moves[i])


@kernel
def _not_varied(s: Any, desk: Desk, found: Found, n: int) -> int:
    """The first placement in the best turns that can be laid first and is not in `varied`, or -1.

    n: how many are in `varied`.
    """
    for i in range(2 * found.size[0]):
        move = found.turns[i >> 1, i & 1]
        if move < 0:
            continue
        at, step = move >> 8, step_of(move >> 6 & 3)
        new = is_spot(s, min(at, at + 2 * step), abs(step))
        for k in range(n):
            new &= desk.varied[k] != move
        if new:
            return move
    return -1


@kernel
def _vary(s: Any, desk: Desk, known: Any, found: Found, fixed: int) -> None:
    """Lay one strip, and weigh every placement of the other one."""
    apply(s, fixed)
    if s[PHASE] == LAY:
        n = placements(s, desk.moves[1], desk.scores[1], True)
        for i in range(n):
            weigh(s, desk, known, found, fixed, desk.moves[1][i])
    undo(s)


@kernel
def lay(s: Any, turn: Any) -> None:
    """Lay the strips of a turn."""
    apply(s, turn[0])
    if turn[1] >= 0 and s[PHASE] == LAY:
        apply(s, turn[1])
