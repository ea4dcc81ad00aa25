"""Count and draw where a strip may lie in Rat Hot's kernel, without listing the places."""

from typing import Any

from spiceboard.kernels.chance import pick, rand
from spiceboard.kernels.compiled import inlined, kernel
from spiceboard.kernels.rathot_layout import (
    BOUNDS,
    BOX,
    CELLS,
    CELLS_SIZE,
    EDGE,
    EDGE_SIZE,
    GRID,
    HELD,
    HELD_SIZE,
    LAY,
    PHASE,
    ROW,
    TURN_UP,
    TURN_UP_PHASE,
)

# --- where a strip may lie: a spot is its upper or left cell << 1 | (1 when it lies downwards) ---


@kernel
def fits(s: Any, at: int, step: int) -> bool:
    """Whether the layout stays within the bounds with a strip at this cell."""
    end = at + 2 * step
    wide = max(s[BOX + 2], end % ROW) - min(s[BOX], at % ROW)
    high = max(s[BOX + 3], end // ROW) - min(s[BOX + 1], at // ROW)
    return wide < s[BOUNDS] and high < s[BOUNDS + 1]


@inlined
def on_strips(s: Any, at: int, step: int) -> bool:
    """Whether a strip may lie here on top of others."""
    a, b, c = s[GRID + at] >> 4, s[GRID + at + step] >> 4, s[GRID + at + 2 * step] >> 4
    # Without `and`: the processor could not predict its branches.
    return (a > 0) & (a >> 6 == b >> 6) & (b >> 6 == c >> 6) & ((a != b) | (b != c))


@kernel
def is_spot(s: Any, at: int, step: int) -> bool:
    """Whether a strip may lie from a cell to the right (step 1) or down (step ROW)."""
    a, b, c = s[GRID + at], s[GRID + at + step], s[GRID + at + 2 * step]
    on_table = a <= 0 and b <= 0 and c <= 0 and (a < 0 or b < 0 or c < 0)
    if not on_table and not on_strips(s, at, step):
        return False
    return s[BOUNDS] == 0 or fits(s, at, step)


@inlined
def spots_asked(s: Any) -> int:
    """How many numbers `spot` knows."""
    return 2 * s[CELLS_SIZE] + 6 * s[EDGE_SIZE]


@kernel
def spot(s: Any, which: int) -> int:
    """The spot with a number of 0..spots_asked - 1; -1: a strip may not lie so.

    Each cell with a strip has two numbers, for spots on top that begin there. Each cell of the
    edge has six, for two directions and three squares that may cover it. A spot on the table
    counts only with its first cell of the edge, so that every spot has one number.
    """
    tops = 2 * s[CELLS_SIZE]
    if which < tops:
        down, at = which & 1, s[CELLS + (which >> 1)]
        step = ROW if down else 1
        may = on_strips(s, at, step)
    else:
        which -= tops
        way = which % 6
        down, back = way & 1, way >> 1
        step = ROW if down else 1
        at = s[EDGE + which // 6] - back * step
        a, b, c = s[GRID + at], s[GRID + at + step], s[GRID + at + 2 * step]
        may = (a <= 0) & (b <= 0) & (c <= 0) & ((back == 0) | (a == 0)) & ((back < 2) | (b == 0))
    if may and (s[BOUNDS] == 0 or fits(s, at, step)):
        return at << 1 | down
    return -1


@kernel
def count_spots(s: Any) -> int:
    """The number of spots for a strip."""
    found = 0
    for which in range(spots_asked(s)):
        found += spot(s, which) >= 0
    return found


@kernel
def nth_spot(s: Any, n: int) -> int:
    """The n-th spot: cell << 1 | (1 if it goes down)."""
    for which in range(spots_asked(s)):
        found = spot(s, which)
        if found >= 0:
            if n == 0:
                return found
            n -= 1
    return -1


@kernel
def sample_spot(s: Any, x: int) -> tuple[int, int]:
    """(x', spot): draw a spot, all equally likely, without listing them."""
    asked = spots_asked(s)
    while True:
        x = rand(x)
        found = spot(s, pick(x, asked))
        if found >= 0:
            return x, found


@inlined
def move_at(s: Any, place: int, which: int) -> int:
    """The move that lays held strip which >> 1 on a spot, reversed when which is odd."""
    at, down = place >> 1, place & 1
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
    x, found = sample_spot(s, x)
    x = rand(x)
    return x, move_at(s, found, pick(x, 2 * s[HELD_SIZE]))
