"""Rat Hot as a compiled kernel: the layout as a grid that is laid on and taken back.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its indexes. A square
of the table is a cell of the grid, `cell(x, y)`. Its content is 0 when it is empty, else

    (height * 64 + number of the upper strip in the order of laying) << 4 | face

A move is TURN_UP or

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
    """Clear the table of a used position, for a new game."""
    for i in range(s[CELLS_SIZE]):
        s[GRID + s[CELLS + i]] = 0
    for i in range(GRID):
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


@kernel
def put(s: Any, move: int) -> None:
    """Lay a strip without scoring it: update grid, cells, box and visible rats."""
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
    """The step between a strip's squares; direction 0 right, 1 down, 2 left, 3 up."""
    step = ROW if direction & 1 else 1
    return -step if direction & 2 else step
