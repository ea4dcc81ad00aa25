"""Rat Hot as a compiled kernel: the layout as a grid that is laid on and taken back.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its places. A square
of the table is a cell of the grid, `cell(x, y)`; its content is 0 when nothing lies there, else
upper strip (height * 64 + place in the order of laying) << 4 | face. A move is TURN_UP or

    strip | direction << 6 | first cell << 8

The rules are those of `spicecore.games.rathot`; `tests/kernels` compares the two move for move.
"""

from typing import Any

from spiceboard.kernels.chance import draw, drawn, shuffle, start
from spiceboard.kernels.compiled import kernel

# --- squares: 1..4 red spices, 5..8 green ones ---
EMPTY, START, RED_RAT = 0, 11, 9  # 10: a green rat
ROW, HALF = 272, 136  # a layout of 43 strips reaches at most 129 squares from the start
STEPS = (1, ROW, -1, -ROW)
RIGHT_OF_START = HALF * ROW + HALF

# --- places of a position; up to HEADER all that a lay may change beside the grid ---
PHASE, WHO, REASON = 0, 1, 2  # who: the seat on turn, or the winner, -1 for nobody
CHIPS, RESERVE, NOTED = 3, 7, 9  # chips: 1s and 2s of seat 0, then of seat 1
RATS = 11  # visible, by seat
BOX = 13  # least x, least y, greatest x, greatest y, in columns and rows of the grid
LAID_SIZE, HELD_SIZE, HELD, PILE_SIZE, CELLS_SIZE = 17, 18, 19, 21, 22
HEADER = 23
TOUCHING, BOUNDS, FIRST, DEPTH = 23, 24, 26, 27  # bounds: width, height, 0 for none
STRIPS = 28  # three faces each, four bits a face
LAID = 71  # 43 moves, the start strip's being 0
PILE = 114  # 42 strips, the last one drawn first
CELLS = 156  # the cells on which something lies, in the order in which they were covered first
SCRATCH = 285  # the groups looked at while a strip is scored
UNDO = 415  # for each strip laid: header, and what lay below
UNDO_ROW = HEADER + 3
GRID = UNDO + 43 * UNDO_ROW
LENGTH = GRID + ROW * ROW

TURN_UP_PHASE, LAY, OVER = 0, 1, 2
ENDED, RATS_OUT, ABORTED = 0, 1, 2
TURN_UP = 1 << 30


@kernel
def clear(s: Any) -> None:
    """Take everything off the table of a position that was in use, for a new game."""
    for i in range(s[CELLS_SIZE]):
        s[GRID + s[CELLS + i]] = 0
    for i in range(GRID):
        s[i] = 0


@kernel
def new(
    s: Any, strips: Any, seed: int, first: int, touching: int, width: int, height: int
) -> None:
    """Write the position before the first strip: `strips` are 43 codes, the start strip first.

    first: the seat that starts, -1 by lot. width, height: of the table, 0 for no edge. `s` is all
    zeros, or a position of this kernel.
    """
    clear(s)
    x = draw(start(seed), 2)
    s[FIRST] = drawn(x, 2) if first < 0 else first
    for i in range(42):
        s[PILE + i] = i + 1
    shuffle(x, s, PILE, 42)
    s[PILE_SIZE] = 42
    s[TOUCHING], s[BOUNDS], s[BOUNDS + 1] = touching, width, height
    for i in range(43):
        s[STRIPS + i] = strips[i]
    s[RESERVE], s[RESERVE + 1] = 15, 15
    s[BOX], s[BOX + 1], s[BOX + 2], s[BOX + 3] = HALF, HALF, HALF, HALF
    put(s, (RIGHT_OF_START - 1) << 8)
    s[PHASE], s[WHO] = TURN_UP_PHASE, s[FIRST]


@kernel
def put(s: Any, move: int) -> None:
    """Lay a strip without scoring it: grid, cells, box, visible rats."""
    code, step, at = s[STRIPS + (move & 63)], step_of(move >> 6 & 3), move >> 8
    upper = ((s[GRID + at] >> 10) + 1) * 64 + s[LAID_SIZE]
    for _ in range(3):
        below, face = s[GRID + at], code & 15
        if below == 0:
            s[CELLS + s[CELLS_SIZE]] = at
            s[CELLS_SIZE] += 1
            s[BOX], s[BOX + 2] = min(s[BOX], at % ROW), max(s[BOX + 2], at % ROW)
            s[BOX + 1], s[BOX + 3] = min(s[BOX + 1], at // ROW), max(s[BOX + 3], at // ROW)
        s[RATS] += (face == RED_RAT) - (below & 15 == RED_RAT)
        s[RATS + 1] += (face == RED_RAT + 1) - (below & 15 == RED_RAT + 1)
        s[GRID + at] = upper << 4 | face
        code >>= 4
        at += step
    s[LAID + s[LAID_SIZE]] = move
    s[LAID_SIZE] += 1


@kernel
def step_of(direction: int) -> int:
    """From a square of a strip to the next: 0 right, 1 down, 2 left, 3 up."""
    step = ROW if direction & 1 else 1
    return -step if direction & 2 else step


# --- where a strip may lie: a spot is its upper or left cell << 1 | (1 when it lies downwards) ---


@kernel
def fits(s: Any, at: int, step: int) -> bool:
    """Whether a layout with a strip at this cell keeps within the bounds."""
    end = at + 2 * step
    wide = max(s[BOX + 2], end % ROW) - min(s[BOX], at % ROW)
    high = max(s[BOX + 3], end // ROW) - min(s[BOX + 1], at // ROW)
    return wide < s[BOUNDS] and high < s[BOUNDS + 1]


@kernel
def on_strips(s: Any, at: int, step: int) -> bool:
    """Whether a strip may lie here upon others."""
    a = s[GRID + at] >> 4
    b, c = s[GRID + at + step] >> 4, s[GRID + at + 2 * step] >> 4
    return a > 0 and a >> 6 == b >> 6 and b >> 6 == c >> 6 and not (a == b and b == c)


@kernel
def first_touch(s: Any, at: int, step: int) -> int:
    """For a spot on the free table: its first free cell beside a strip, and on which side.

    cell << 2 | side; -1 when no square touches a strip, or something lies here.
    """
    if s[GRID + at] or s[GRID + at + step] or s[GRID + at + 2 * step]:
        return -1
    for _ in range(3):
        if s[GRID + at + 1]:
            return at << 2
        if s[GRID + at + ROW]:
            return at << 2 | 1
        if s[GRID + at - 1]:
            return at << 2 | 2
        if s[GRID + at - ROW]:
            return at << 2 | 3
        at += step
    return -1


@kernel
def is_spot(s: Any, at: int, step: int) -> bool:
    """Whether a strip may lie at a cell to the right (step 1) or downwards (step ROW)."""
    if not on_strips(s, at, step) and first_touch(s, at, step) < 0:
        return False
    return s[BOUNDS] == 0 or fits(s, at, step)


@kernel
def count_spots(s: Any) -> int:
    """How many spots there are for a strip."""
    found = 0
    for y in range(s[BOX + 1] - 3, s[BOX + 3] + 2):
        for x in range(s[BOX] - 3, s[BOX + 2] + 2):
            for step in (1, ROW):
                found += is_spot(s, y * ROW + x, step)
    return found


@kernel
def nth_spot(s: Any, n: int) -> int:
    """The n-th spot: cell << 1 | 1 when downwards."""
    for y in range(s[BOX + 1] - 3, s[BOX + 3] + 2):
        for x in range(s[BOX] - 3, s[BOX + 2] + 2):
            for down in range(2):
                if is_spot(s, y * ROW + x, ROW if down else 1):
                    if n == 0:
                        return (y * ROW + x) << 1 | down
                    n -= 1
    return -1


@kernel
def sample_spot(s: Any, x: int) -> tuple[int, int]:
    """(x', spot) drawn evenly, without a list.

    A cell with a strip and one of 26 ways are drawn until they make a spot: two ways to lie upon
    it, and for each free cell beside it six ways to lie on the table. Of the ways that make the
    same spot on the table only its first touch counts, so every spot is drawn as often.
    """
    n = s[CELLS_SIZE] * 26
    while True:
        x = draw(x, n)
        which = drawn(x, n)
        at, way = s[CELLS + which // 26], which % 26
        if way < 2:
            step = ROW if way else 1
            if on_strips(s, at, step) and (s[BOUNDS] == 0 or fits(s, at, step)):
                return x, at << 1 | way
            continue
        way -= 2
        side, down, back = way & 3, (way >> 2) & 1, way >> 3
        free = at - step_of(side)
        if s[GRID + free] == 0:
            step = ROW if down else 1
            at = free - back * step
            if first_touch(s, at, step) == (free << 2 | side):
                if s[BOUNDS] == 0 or fits(s, at, step):
                    return x, at << 1 | down


@kernel
def move_at(s: Any, spot: int, which: int) -> int:
    """The move that lays held strip which >> 1 on a spot, turned round when which is odd."""
    at, down = spot >> 1, spot & 1
    if which & 1:
        return s[HELD + (which >> 1)] | (down + 2) << 6 | (at + 2 * (ROW if down else 1)) << 8
    return s[HELD + (which >> 1)] | down << 6 | at << 8


@kernel
def count_moves(s: Any) -> int:
    """How many moves there are; 0 when the game is over."""
    if s[PHASE] != LAY:
        return 1 if s[PHASE] == TURN_UP_PHASE else 0
    return count_spots(s) * 2 * s[HELD_SIZE]


@kernel
def nth_move(s: Any, n: int) -> int:
    """The n-th move, n of 0..count_moves - 1."""
    if s[PHASE] != LAY:
        return TURN_UP
    ways = 2 * s[HELD_SIZE]
    return move_at(s, nth_spot(s, n // ways), n % ways)


@kernel
def sample_move(s: Any, x: int) -> tuple[int, int]:
    """(x', move) with the move drawn evenly."""
    if s[PHASE] != LAY:
        return x, TURN_UP
    x, spot = sample_spot(s, x)
    x = draw(x, 2 * s[HELD_SIZE])
    return x, move_at(s, spot, drawn(x, 2 * s[HELD_SIZE]))


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
    for k in range(3):
        s[row + HEADER + k] = s[GRID + at + k * step]
    s[DEPTH] += 1
    put(s, move)
    if s[HELD] == move & 63:
        s[HELD] = s[HELD + 1]
    s[HELD_SIZE] -= 1
    _score(s, at, step, row + HEADER)
    full = s[BOUNDS] > 0 and count_spots(s) == 0
    if full or s[HELD_SIZE] == 0:
        _end_turn(s, full)


@kernel
def undo(s: Any) -> None:
    """Take back the last strip laid by `apply`; what was turned up since goes back to the pile."""
    s[DEPTH] -= 1
    row = UNDO + s[DEPTH] * UNDO_ROW
    move = s[LAID + s[LAID_SIZE] - 1]
    step, at = step_of(move >> 6 & 3), move >> 8
    for k in range(3):
        s[GRID + at + k * step] = s[row + HEADER + k]
    for i in range(HEADER):
        s[i] = s[row + i]


@kernel
def _score(s: Any, at: int, step: int, below: int) -> None:
    """Pay for every group of two or more that the strip formed or changed.

    below: where the three former contents are. A group holds a square of the strip or lies beside
    it; the order in which they are found is that of the rules core, as chips may run out.
    """
    seen = 0  # cells of groups found so far, in SCRATCH
    for k in range(3):
        seen = _score_group(s, at + k * step, seen, at, step, below)
    if s[TOUCHING]:
        return
    for k in range(3):
        here = at + k * step
        for side in range(4):
            seen = _score_group(s, here + step_of(side), seen, at, step, below)


@kernel
def _score_group(s: Any, here: int, seen: int, at: int, step: int, below: int) -> int:
    """Score the group of a cell, unless it was; the number of cells seen by then."""
    spice = s[GRID + here] & 15
    if spice == EMPTY or spice > 8:
        return seen
    for i in range(seen):
        if s[SCRATCH + i] == here:
            return seen
    end = gather(s, here, seen)
    if end - seen > 1 and _changed(s, seen, end, spice, at, step, below):
        _pay(s, (spice - 1) >> 2, 1 if end - seen == 2 else 2)
    return end


@kernel
def gather(s: Any, here: int, first: int) -> int:
    """Write the cells of a cell's group to SCRATCH from `first` on; where they end."""
    spice = s[GRID + here] & 15
    s[SCRATCH + first] = here
    end, at = first + 1, first
    while at < end:
        for side in range(4):
            there = s[SCRATCH + at] + step_of(side)
            if s[GRID + there] & 15 == spice:
                known = False
                for i in range(first, end):
                    known = known or s[SCRATCH + i] == there
                if not known:
                    s[SCRATCH + end] = there
                    end += 1
        at += 1
    return end


@kernel
def _changed(s: Any, first: int, end: int, spice: int, at: int, step: int, below: int) -> bool:
    """Whether a group is not of the very same squares as before the strip on three cells."""
    for k in range(3):
        here = at + k * step
        was = s[below + k] & 15 == spice
        if s[GRID + here] & 15 == spice:
            if not was:
                for i in range(first, end):
                    if s[SCRATCH + i] == here:
                        return True  # it grew, or is new
        elif was:
            for i in range(first, end):
                apart = abs(s[SCRATCH + i] - here)
                if apart == 1 or apart == ROW:
                    return True  # it lost this square
    return False


@kernel
def _pay(s: Any, seat: int, points: int) -> None:
    """Chips for 1 or 2 points; when they ran out two 1s are changed, else points are noted."""
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


@kernel
def _end_turn(s: Any, full: bool) -> None:
    """Three own rats lose; after the last strip all is counted; else it is the other's turn."""
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
    """What the visible groups are worth in the final count, red less green."""
    lead, seen = 0, 0
    for i in range(s[CELLS_SIZE]):
        here = s[CELLS + i]
        spice = s[GRID + here] & 15
        if spice == EMPTY or spice > 8:
            continue
        known = False
        for k in range(seen):
            known = known or s[SCRATCH + k] == here
        if known:
            continue
        end = gather(s, here, seen)
        worth = min(2, end - seen - 1)
        lead += worth if spice <= 4 else -worth
        if end - seen > 1:
            seen = end
    return lead


@kernel
def view(s: Any, seat: int) -> None:
    """Take out of a position what nobody may know: the pile comes to be sorted."""
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
    """Strips laid in so many random games, from this seed on."""
    n = 0
    for i in range(games):
        new(s, strips, seed + i, -1, 0, 0, 0)
        _, more = play_out(s, start(seed + i + 1))
        n += more
    return n
