"""Rats of Rat Hot: what becomes of the visible ones, and how many more the pile will bring.

A rat is covered by a strip on three squares of one height that belong to two strips or more. The
squares beside it may be too low for that: they can be raised. If one of them is higher, the rat
stays visible for good, as far as that line is concerned.
"""

from typing import Any

from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot_layout import (
    CELLS,
    CELLS_SIZE,
    GRID,
    PILE,
    PILE_SIZE,
    RATS,
    RED_RAT,
    ROW,
    STRIPS,
)
from spiceboard.kernels.rathot_moves import on_strips

MOST_RATS = 13  # on four strips, and none
DRAWS = 4  # strips of the next two turns
SPOTS = 96  # that cover rats, and are looked at
# What `look` writes: visible rats by what can be done about them, and the most that one strip and
# two strips can cover.
DEAD, FAR, NEAR, ONE_SPOT, TWO_SPOTS, MORE_SPOTS, BY_ONE, BY_TWO = range(8)
SPOT, COVERS = 8, 8 + SPOTS  # then the spots that cover rats, and how many each of them covers
LOOKED = COVERS + SPOTS


@kernel
def rats_on(s: Any, strip: int, seat: int) -> int:
    """The rats of a seat on a strip."""
    code, n = s[STRIPS + strip], 0
    for _ in range(3):
        n += code & 15 == RED_RAT + seat
        code >>= 4
    return n


@kernel
def to_come(s: Any, seat: int, draws: int, chances: Any, out: Any, first: int) -> int:
    """Write how likely the next `draws` strips bring 0, 1, ... rats of a seat or more.

    out: from `first` on, MOST_RATS numbers; chances: (DRAWS + 1) * MOST_RATS floats to work in.
    Returns the rats of the seat in the whole pile. Its order plays no part.
    """
    left, total = s[PILE_SIZE], 0
    draws = min(draws, left)
    for i in range((DRAWS + 1) * MOST_RATS):
        chances[i] = 0.0
    chances[0] = 1.0  # at drawn * MOST_RATS + found: of so many strips with so many rats, unscaled
    for i in range(left):
        rats = rats_on(s, s[PILE + i], seat)
        total += rats
        for drawn in range(draws - 1, -1, -1):
            for found in range(min(total, 3 * drawn) + 1):
                ways = chances[drawn * MOST_RATS + found]
                chances[(drawn + 1) * MOST_RATS + found + rats] += ways
    more = 0.0
    for found in range(MOST_RATS - 1, -1, -1):
        more += chances[draws * MOST_RATS + found]
        out[first + found] = more
    for found in range(MOST_RATS):
        out[first + found] /= more
    return total


@kernel
def look(s: Any, seat: int, out: Any) -> None:
    """Write about the visible rats of a seat; out: LOOKED whole numbers."""
    for i in range(SPOT):
        out[i] = 0
    if not s[RATS + seat]:
        return
    n = 0
    for i in range(s[CELLS_SIZE]):
        here = s[CELLS + i]
        if s[GRID + here] & 15 != RED_RAT + seat:
            continue
        free, lacking = 0, 99
        for down in range(2):
            step = ROW if down else 1
            for back in range(3):
                at = here - back * step
                if on_strips(s, at, step):
                    free += 1
                    n = _note_spot(out, n, at << 1 | down)
                elif free == 0:
                    lacking = min(lacking, _lacks(s, at, step, here))
        if free:
            out[min(MORE_SPOTS, NEAR + free)] += 1
        else:
            out[DEAD if lacking == 99 else FAR if lacking > 1 else NEAR] += 1
    for i in range(n):
        out[BY_ONE] = max(out[BY_ONE], out[COVERS + i])
        for k in range(i):
            both = out[COVERS + i] + out[COVERS + k]
            if both > out[BY_TWO] and not _overlap(out[SPOT + i], out[SPOT + k]):
                out[BY_TWO] = both
    out[BY_TWO] = max(out[BY_TWO], out[BY_ONE])


@kernel
def places_on_top(s: Any) -> int:
    """In how many places a strip can lie on others."""
    n = 0
    for i in range(s[CELLS_SIZE]):
        here = s[CELLS + i]
        n += on_strips(s, here, 1) + on_strips(s, here, ROW)
    return n


@kernel
def _lacks(s: Any, at: int, step: int, here: int) -> int:
    """How many squares and heights a line lacks until a strip fits on it; 99: it never will."""
    height, lacking, strips = s[GRID + here] >> 10, 0, 0
    for k in range(3):
        content = s[GRID + at + k * step]
        below = content >> 10 if content > 0 else -1
        if below > height:
            return 99
        lacking += height - below
        strips += content >> 4 == s[GRID + here] >> 4
    return 99 if strips == 3 else lacking


@kernel
def _note_spot(out: Any, n: int, spot: int) -> int:
    """Count a rat for a spot; returns the number of spots."""
    for i in range(n):
        if out[SPOT + i] == spot:
            out[COVERS + i] += 1
            return n
    if n == SPOTS:
        return n
    out[SPOT + n], out[COVERS + n] = spot, 1
    return n + 1


@kernel
def _overlap(one: int, other: int) -> bool:
    """Whether two spots share a cell."""
    for i in range(3):
        for k in range(3):
            a = (one >> 1) + i * (ROW if one & 1 else 1)
            if a == (other >> 1) + k * (ROW if other & 1 else 1):
                return True
    return False
