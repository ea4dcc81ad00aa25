"""Rat Hot as a compiled kernel: the layout as a grid that is laid on and taken back.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its indexes. A square
of the table is a cell of the grid. Its content is above 0 when a strip lies there:

    (height * 64 + number of the upper strip in the order of laying) << 4 | face

A free cell beside a strip belongs to the edge of the layout. Its content is -16 * (place + 1),
with its place in the list of the edge, so that it can be taken out of the list at once. All other
cells are 0. A strip on the table must cover a cell of the edge.

A move is TURN_UP or

    strip | direction << 6 | first cell << 8

The rules are those of `spicecore.games.rathot`; `tests/kernels` compares the two move for move.
"""

from typing import Any

from spiceboard.kernels.chance import draw, drawn, shuffle, start
from spiceboard.kernels.compiled import inlined, kernel

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
LAID_SIZE, HELD_SIZE, HELD, PILE_SIZE, CELLS_SIZE, EDGE_SIZE = 17, 18, 19, 21, 22, 23
HEADER = 24
TOUCHING, BOUNDS, FIRST, DEPTH = 24, 25, 27, 28  # bounds: width, height, 0 for none
STRIPS = 29  # three faces each, four bits a face
LAID = STRIPS + 43  # 43 moves, the start strip's being 0
PILE = LAID + 43  # 42 strips, the last one drawn first
CELLS = PILE + 42  # the cells on which something lies, in the order in which they were covered
EDGE = CELLS + 129  # the free cells beside them; a strip has eight at most
SCRATCH = EDGE + 43 * 8  # the groups looked at while a strip is scored
UNDO = SCRATCH + 130  # for each strip laid: header, and the contents of its cells before
UNDO_ROW = HEADER + 3
GRID = UNDO + 43 * UNDO_ROW
LENGTH = GRID + ROW * ROW

TURN_UP_PHASE, LAY, OVER = 0, 1, 2
ENDED, RATS_OUT, ABORTED = 0, 1, 2
TURN_UP = 1 << 30


@kernel
def clear(s: Any) -> None:
    """Clear the table of a used position, for a new game."""
    for i in range(s[CELLS_SIZE]):
        s[GRID + s[CELLS + i]] = 0
    for i in range(s[EDGE_SIZE]):
        s[GRID + s[EDGE + i]] = 0
    for i in range(STRIPS):
        s[i] = 0


@kernel
def new(
    s: Any, strips: Any, seed: int, first: int, touching: int, width: int, height: int
) -> None:
    """Write the position before the first strip: `strips` are 43 codes, the start strip first.

    first: the seat that starts, -1: at random. width, height: of the table in squares, 0: no edge.
    s: all zeros, or a position of this kernel.
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


@inlined
def put(s: Any, move: int) -> None:
    """Lay a strip without scoring it: update grid, cells, edge, box and visible rats.

    What the three cells contained goes to the row of UNDO.
    """
    code, step, at = s[STRIPS + (move & 63)], step_of(move >> 6 & 3), move >> 8
    row = UNDO + s[DEPTH] * UNDO_ROW + HEADER
    on_table = s[GRID + at] <= 0
    upper = ((max(0, s[GRID + at]) >> 10) + 1) * 64 + s[LAID_SIZE]
    for k in range(3):
        here = at + k * step
        below, face = s[GRID + here], code >> 4 * k & 15
        s[row + k] = below
        if on_table:
            if below < 0:
                leave_edge(s, -(below >> 4) - 1)
            s[CELLS + s[CELLS_SIZE]] = here
            s[CELLS_SIZE] += 1
        s[RATS] += (face == RED_RAT) - (below & 15 == RED_RAT)
        s[RATS + 1] += (face == RED_RAT + 1) - (below & 15 == RED_RAT + 1)
        s[GRID + here] = upper << 4 | face
    s[LAID + s[LAID_SIZE]] = move
    s[LAID_SIZE] += 1
    if on_table:
        widen(s, at)
        widen(s, at + 2 * step)
        for k in range(3):
            for side in range(4):
                join_edge(s, at + k * step + step_of(side))


@inlined
def widen(s: Any, at: int) -> None:
    """Let the box contain a cell."""
    s[BOX], s[BOX + 2] = min(s[BOX], at % ROW), max(s[BOX + 2], at % ROW)
    s[BOX + 1], s[BOX + 3] = min(s[BOX + 1], at // ROW), max(s[BOX + 3], at // ROW)


@inlined
def join_edge(s: Any, at: int) -> None:
    """Put a cell into the list of the edge, if it is free and not yet there."""
    if s[GRID + at] == 0:
        s[EDGE + s[EDGE_SIZE]] = at
        s[EDGE_SIZE] += 1
        s[GRID + at] = -16 * s[EDGE_SIZE]


@inlined
def leave_edge(s: Any, place: int) -> None:
    """Take a cell out of the list of the edge; the last one gets its place."""
    s[EDGE_SIZE] -= 1
    last = s[EDGE + s[EDGE_SIZE]]
    s[EDGE + place] = last
    s[GRID + last] = -16 * (place + 1)


@kernel
def take(s: Any) -> None:
    """Take back what `put` did to grid and edge, when DEPTH is that of the strip."""
    row = UNDO + s[DEPTH] * UNDO_ROW
    move = s[LAID + s[LAID_SIZE] - 1]
    step, at = step_of(move >> 6 & 3), move >> 8
    left = s[row + EDGE_SIZE]  # cells of the edge after the strip covered some of them
    for k in range(3):
        left -= s[row + HEADER + k] < 0
    for i in range(left, s[EDGE_SIZE]):
        s[GRID + s[EDGE + i]] = 0
    for k in range(2, -1, -1):
        here, below = at + k * step, s[row + HEADER + k]
        s[GRID + here] = below
        if below < 0:
            place = -(below >> 4) - 1
            if place < left:  # the last cell had got its place
                s[EDGE + left] = s[EDGE + place]
                s[GRID + s[EDGE + left]] = -16 * (left + 1)
            s[EDGE + place] = here
            left += 1


@kernel
def step_of(direction: int) -> int:
    """The step between a strip's squares; direction 0 right, 1 down, 2 left, 3 up."""
    step = ROW if direction & 1 else 1
    return -step if direction & 2 else step
