"""Count and draw where a strip may lie in Rat Hot's kernel, without listing the places."""

from typing import Any

from spiceboard.kernels.chance import draw, drawn
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot_layout import (
    BOUNDS,
    BOX,
    CELLS,
    CELLS_SIZE,
    GRID,
    HELD,
    HELD_SIZE,
    LAY,
    PHASE,
    ROW,
    TURN_UP,
    TURN_UP_PHASE,
    step_of,
)

# --- where a strip may lie: a spot is its upper or left cell << 1 | (1 when it lies downwards) ---


@kernel
def fits(s: Any, at: int, step: int) -> bool:
    """Whether the layout stays within the bounds with a strip at this cell."""
    end = at + 2 * step
    wide = max(s[BOX + 2], end % ROW) - min(s[BOX], at % ROW)
    high = max(s[BOX + 3], end // ROW) - min(s[BOX + 1], at // ROW)
    return wide < s[BOUNDS] and high < s[BOUNDS + 1]


@kernel
def on_strips(s: Any, at: int, step: int) -> bool:
    """Whether a strip may lie here on top of others."""
    a = s[GRID + at] >> 4
    b, c = s[GRID + at + step] >> 4, s[GRID + at + 2 * step] >> 4
    return a > 0 and a >> 6 == b >> 6 and b >> 6 == c >> 6 and not (a == b and b == c)


@kernel
def first_touch(s: Any, at: int, step: int) -> int:
    """The first cell of a spot on the free table that touches a strip, and on which side.

    cell << 2 | side; -1: no square touches a strip, or something lies here.
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
    """Whether a strip may lie from a cell to the right (step 1) or down (step ROW)."""
    if not on_strips(s, at, step) and first_touch(s, at, step) < 0:
        return False
    return s[BOUNDS] == 0 or fits(s, at, step)


@kernel
def count_spots(s: Any) -> int:
    """The number of spots for a strip."""
    found = 0
    for y in range(s[BOX + 1] - 3, s[BOX + 3] + 2):
        for x in range(s[BOX] - 3, s[BOX + 2] + 2):
            for step in (1, ROW):
                found += is_spot(s, y * ROW + x, step)
    return found


@kernel
def nth_spot(s: Any, n: int) -> int:
    """The n-th spot: cell << 1 | (1 if it goes down)."""
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
    """(x', spot): draw a spot, all equally likely, without listing them.

    This draws a cell with a strip and one of 26 ways until they make a spot: two ways to lie on
    top of the cell, and six ways to lie on the table for each of the four cells beside it. Where
    several ways make the same spot on the table, only its first touch counts. So all spots are
    equally likely.
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
    """The move that lays held strip which >> 1 on a spot, reversed when which is odd."""
    at, down = spot >> 1, spot & 1
    if which & 1:
        return s[HELD + (which >> 1)] | (down + 2) << 6 | (at + 2 * (ROW if down else 1)) << 8
    return s[HELD + (which >> 1)] | down << 6 | at << 8


@kernel
def count_moves(s: Any) -> int:
    """The number of moves; 0 when the game is over."""
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
    """(x', move): draw a move, all equally likely."""
    if s[PHASE] != LAY:
        return x, TURN_UP
    x, spot = sample_spot(s, x)
    x = draw(x, 2 * s[HELD_SIZE])
    return x, move_at(s, spot, drawn(x, 2 * s[HELD_SIZE]))
