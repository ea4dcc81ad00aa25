"""Rat Hot as a compiled kernel: strips laid, scored and taken back; see `rathot_layout`."""

from typing import Any

from spiceboard.kernels.chance import start
from spiceboard.kernels.compiled import inlined, kernel
from spiceboard.kernels.rathot_layout import (
    BOUNDS,
    CELLS,
    CELLS_SIZE,
    CHIPS,
    DEPTH,
    EMPTY,
    ENDED,
    GRID,
    HEADER,
    HELD,
    HELD_SIZE,
    LAID_SIZE,
    LAY,
    NOTED,
    OVER,
    PHASE,
    PILE,
    PILE_SIZE,
    RATS,
    RATS_OUT,
    REASON,
    RESERVE,
    ROW,
    SCRATCH,
    TOUCHING,
    TURN_UP,
    TURN_UP_PHASE,
    UNDO,
    UNDO_ROW,
    WHO,
    new,
    put,
    step_of,
    take,
)
from spiceboard.kernels.rathot_moves import count_spots, sample_move

SPICES = 0b1_1111_1110  # their faces, a bit each

# --- playing ---


@kernel
def apply(s: Any, move: int) -> None:
    """Do a legal move."""
    row = UNDO + s[DEPTH] * UNDO_ROW
    for i in range(HEADER):
        s[row + i] = s[i]
    if move == TURN_UP:
        n = 1 if s[LAID_SIZE] == 1 else min(2, s[PILE_SIZE])
        for i in range(n):
            s[HELD + i] = s[PILE + s[PILE_SIZE] - 1 - i]
        s[PILE_SIZE] -= n
        s[HELD_SIZE], s[PHASE] = n, LAY
        return
    step, at = step_of(move >> 6 & 3), move >> 8
    put(s, move)
    s[DEPTH] += 1
    if s[HELD] == move & 63:
        s[HELD] = s[HELD + 1]
    s[HELD_SIZE] -= 1
    _score(s, at, step, row + HEADER)
    full = s[BOUNDS] > 0 and count_spots(s) == 0
    if full or s[HELD_SIZE] == 0:
        _end_turn(s, full)


@kernel
def undo(s: Any) -> None:
    """Take back the last strip that `apply` laid; strips turned up since return to the pile."""
    s[DEPTH] -= 1
    take(s)
    row = UNDO + s[DEPTH] * UNDO_ROW
    for i in range(HEADER):
        s[i] = s[row + i]


@inlined
def _score(s: Any, at: int, step: int, below: int) -> None:
    """Pay for every group of two or more that the strip formed or changed.

    below: index of the three contents before the strip. Such a group contains a square of the
    strip or touches it. The order of the groups is that of the rules, because chips may run out.
    """
    seen = 0  # cells of groups found so far, in SCRATCH
    lost = 0  # a bit for each face that the strip covered with another one
    for k in range(3):
        here = at + k * step
        seen = _score_group(s, here, seen, at, step, below)
        was = s[below + k] & 15
        lost |= (was != s[GRID + here] & 15) << was
    if s[TOUCHING] or lost & SPICES == 0:
        return
    for k in range(3):
        for side in range(4):
            there = at + k * step + step_of(side)
            if lost >> (s[GRID + there] & 15) & 1:
                seen = _score_group(s, there, seen, at, step, below)


@kernel
def _score_group(s: Any, here: int, seen: int, at: int, step: int, below: int) -> int:
    """Score the group of a cell unless that was done; returns the number of cells seen so far."""
    spice = s[GRID + here] & 15
    if spice == EMPTY or spice > 8 or _among(s, here, 0, seen):
        return seen
    end = gather(s, here, seen)
    if end - seen > 1 and _changed(s, seen, end, spice, at, step, below):
        _pay(s, (spice - 1) >> 2, 1 if end - seen == 2 else 2)
    return end


@kernel
def _among(s: Any, here: int, first: int, end: int) -> bool:
    """Whether a cell is one of those in SCRATCH from first to end."""
    for i in range(first, end):
        if s[SCRATCH + i] == here:
            return True
    return False


@kernel
def gather(s: Any, here: int, first: int) -> int:
    """Write the cells of a cell's group to SCRATCH from `first` on; returns the end index."""
    spice = s[GRID + here] & 15
    s[SCRATCH + first] = here
    end, at = first + 1, first
    while at < end:
        for side in range(4):
            there = s[SCRATCH + at] + step_of(side)
            if s[GRID + there] & 15 == spice:
                s[SCRATCH + end] = there
                end += not _among(s, there, first, end)
        at += 1
    return end


@inlined
def _changed(s: Any, first: int, end: int, spice: int, at: int, step: int, below: int) -> bool:
    """Whether the strip on three cells has changed which squares the group has."""
    for k in range(3):
        here = at + k * step
        was = s[below + k] & 15 == spice
        if s[GRID + here] & 15 == spice:
            if not was:
                if _among(s, here, first, end):
                    return True  # it grew, or is new
        elif was:
            for i in range(first, end):
                apart = abs(s[SCRATCH + i] - here)
                if apart == 1 or apart == ROW:
                    return True  # it lost this square
    return False


@inlined
def _pay(s: Any, seat: int, points: int) -> None:
    """Pay a chip of 1 or 2 points. If none is left, change two 1s, else note the points."""
    if points == 1 and s[RESERVE] == 0 and s[RESERVE + 1]:
        for i in range(2):
            who = seat if i == 0 else 1 - seat
            if s[CHIPS + 2 * who] >= 2 and s[RESERVE] == 0:
                s[RESERVE + 1] -= 1
                s[CHIPS + 2 * who + 1] += 1
                s[CHIPS + 2 * who] -= 2
                s[RESERVE] += 2
    if s[RESERVE + points - 1]:
        s[RESERVE + points - 1] -= 1
        s[CHIPS + 2 * seat + points - 1] += 1
    elif points == 2 and s[RESERVE] >= 2:
        s[RESERVE] -= 2
        s[CHIPS + 2 * seat] += 2
    else:
        s[NOTED + seat] += points


@inlined
def _end_turn(s: Any, full: bool) -> None:
    """End the turn: three own rats lose; the last strip ends the game; else pass the turn."""
    seat = s[WHO]
    if s[RATS + seat] >= 3:
        s[PHASE], s[WHO], s[REASON] = OVER, 1 - seat, RATS_OUT
    elif s[PILE_SIZE] and not full:
        s[PHASE], s[WHO] = TURN_UP_PHASE, 1 - seat
    else:
        lead = points(s, 0) - points(s, 1) + in_sight(s)
        s[PHASE], s[REASON] = OVER, ENDED
        s[WHO] = -1 if lead == 0 else 0 if lead > 0 else 1


@kernel
def points(s: Any, seat: int) -> int:
    """The points that a seat has taken so far."""
    return s[CHIPS + 2 * seat] + 2 * s[CHIPS + 2 * seat + 1] + s[NOTED + seat]


@kernel
def in_sight(s: Any) -> int:
    """The final count of the visible groups, red minus green."""
    lead, seen = 0, 0
    for i in range(s[CELLS_SIZE]):
        here = s[CELLS + i]
        spice = s[GRID + here] & 15
        if spice == EMPTY or spice > 8:
            continue
        if _among(s, here, 0, seen):
            continue
        end = gather(s, here, seen)
        worth = min(2, end - seen - 1)
        lead += worth if spice <= 4 else -worth
        if end - seen > 1:
            seen = end
    return lead


@kernel
def view(s: Any, seat: int) -> None:
    """Remove from a position what players may not know: sort the pile."""
    for i in range(1, s[PILE_SIZE]):
        strip, k = s[PILE + i], i
        while k and s[PILE + k - 1] > strip:
            s[PILE + k] = s[PILE + k - 1]
            k -= 1
        s[PILE + k] = strip
    for i in range(s[PILE_SIZE], 42):
        s[PILE + i] = 0


@kernel
def play_out(s: Any, x: int) -> tuple[int, int]:
    """Play random moves to the end of the game: (x', strips laid)."""
    n = 0
    while s[PHASE] != OVER:
        if s[PHASE] == TURN_UP_PHASE:
            apply(s, TURN_UP)
        x, move = sample_move(s, x)
        apply(s, move)
        n += 1
    return x, n


@kernel
def play_games(s: Any, strips: Any, seed: int, games: int) -> int:
    """Play random games with seeds from `seed` on; the number of strips laid."""
    n = 0
    for i in range(games):
        new(s, strips, seed + i, -1, 0, 0, 0)
        _, more = play_out(s, start(seed + i + 1))
        n += more
    return n
