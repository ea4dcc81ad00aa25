"""How likely a position of Rat Hot is won, between two turns; the thoughts of `rathot_danger`.

What decides is who can still cover their own rats. The strips to come are unknown, but how many
rats they bring has a known distribution. The weights are those of `spiceboard.bots.rathot_danger`.
"""

import math
from typing import Any

import numpy as np

from spiceboard.bots.rathot_danger import (
    ALWAYS,
    DANGER,
    LATE,
    LATE_LEAD,
    LEAD,
    LOSING,
    STUCK,
    TO_COME,
)
from spiceboard.bots.rathot_model import SEEN_WORTH
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot import in_sight, points
from spiceboard.kernels.rathot_layout import (
    CELLS,
    CELLS_SIZE,
    GRID,
    OVER,
    PHASE,
    PILE,
    PILE_SIZE,
    RATS,
    RED_RAT,
    ROW,
    STRIPS,
    WHO,
)
from spiceboard.kernels.rathot_moves import on_strips

MOST_RATS = 13  # on four strips, and none
SPOTS = 96


@kernel
def rats_on(s: Any, strip: int, seat: int) -> int:
    """The rats of a seat on a strip."""
    code, n = s[STRIPS + strip], 0
    for _ in range(3):
        n += code & 15 == RED_RAT + seat
        code >>= 4
    return n


@kernel
def at_least(s: Any, seat: int, draws: int, least: int) -> float:
    """How likely the next `draws` strips of a shuffled pile bring so many rats of a seat."""
    if least <= 0:
        return 1.0
    left = s[PILE_SIZE]
    draws = min(draws, left)
    chances = np.zeros((5, MOST_RATS))  # of drawing so many strips with so many rats, unscaled
    chances[0, 0] = 1.0
    for i in range(left):
        rats = rats_on(s, s[PILE + i], seat)
        for drawn in range(draws - 1, -1, -1):
            for found in range(3 * drawn + 1):
                chances[drawn + 1, found + rats] += chances[drawn, found]
    bad, total = 0.0, 0.0
    for found in range(MOST_RATS):
        total += chances[draws, found]
        if found >= least:
            bad += chances[draws, found]
    return bad / total


@kernel
def dangers(s: Any, out: Any) -> None:
    """Write `at_least` for the seat on turn and the other, for 0..MOST_RATS - 1 rats each."""
    for who in range(2):
        seat = s[WHO] if who == 0 else 1 - s[WHO]
        for least in range(MOST_RATS):
            out[MOST_RATS * who + least] = at_least(s, seat, 2 + 2 * who, least)


@kernel
def coverable(s: Any, seat: int) -> tuple[int, int]:
    """Visible rats of a seat: how many two strips can cover as they lie, and how many none can."""
    if not s[RATS + seat]:
        return 0, 0
    spots, covers = np.zeros(SPOTS, np.int64), np.zeros(SPOTS, np.int64)
    n, stuck = 0, 0
    for i in range(s[CELLS_SIZE]):
        here = s[CELLS + i]
        if s[GRID + here] & 15 != RED_RAT + seat:
            continue
        free = False
        for down in range(2):
            step = ROW if down else 1
            for back in range(3):
                at = here - back * step
                if not on_strips(s, at, step):
                    continue
                free = True
                if n < SPOTS:
                    n = _note_spot(spots, covers, n, at << 1 | down)
        stuck += not free
    return _best_two(spots, covers, n), stuck


@kernel
def _note_spot(spots: Any, covers: Any, n: int, spot: int) -> int:
    """Count a rat for a spot; returns the number of spots."""
    for i in range(n):
        if spots[i] == spot:
            covers[i] += 1
            return n
    spots[n], covers[n] = spot, 1
    return n + 1


@kernel
def _best_two(spots: Any, covers: Any, n: int) -> int:
    """The most rats that one or two strips can cover that do not overlap."""
    most = 0
    for i in range(n):
        most = max(most, covers[i])
        for k in range(i):
            if covers[i] + covers[k] > most and not _overlap(spots[i], spots[k]):
                most = covers[i] + covers[k]
    return most


@kernel
def _overlap(one: int, other: int) -> bool:
    """Whether two spots share a cell."""
    for i in range(3):
        for k in range(3):
            a = (one >> 1) + i * (ROW if one & 1 else 1)
            if a == (other >> 1) + k * (ROW if other & 1 else 1):
                return True
    return False


@kernel
def chance_to_win(s: Any, seat: int, known: Any) -> float:
    """0.0 to 1.0 for a seat, between two turns. known: what `dangers` wrote for this pile."""
    if s[PHASE] == OVER:
        return 0.5 if s[WHO] < 0 else 1.0 if s[WHO] == seat else 0.0
    me, left = s[WHO], s[PILE_SIZE]
    lead = points(s, 0) - points(s, 1) + SEEN_WORTH * in_sight(s)
    if me == 1:
        lead = -lead
    odds = ALWAYS + LEAD * lead / (2 + left) + LATE_LEAD * lead * math.exp(-left / LATE)
    for who in range(2):
        who_seat = me if who == 0 else 1 - me
        most, stuck = coverable(s, who_seat)
        odds += STUCK[who] * stuck
        for i in range(left):
            odds += TO_COME[who] * rats_on(s, s[PILE + i], who_seat)
        if who == 0 or left > 2:  # else the other has no turn any more
            need = max(0, min(MOST_RATS - 1, LOSING - s[RATS + who_seat] + most))
            odds += DANGER[who] * known[MOST_RATS * who + need]
    won = 1.0 / (1.0 + math.exp(-odds))
    return won if me == seat else 1.0 - won
