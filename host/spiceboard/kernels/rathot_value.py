"""How likely a position of Rat Hot is won, between two turns; learned by self-play.

A small network rates what `features` lists: above all what can be done about the visible rats of
both seats, and how many more are to come. `python -m spiceboard.kernels.learn_rathot` makes its
weights.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot import in_sight, points
from spiceboard.kernels.rathot_layout import OVER, PHASE, PILE_SIZE, RATS, WHO
from spiceboard.kernels.rathot_rats import (
    BY_ONE,
    BY_TWO,
    DRAWS,
    MOST_RATS,
    look,
    places_on_top,
    to_come,
)

FILE = Path(__file__).with_name("rathot_values.json")
LOSING = 3  # visible rats of the own colour that lose at the end of a turn
# Of each seat, the one on turn first: visible rats by what can be done about them (6), how many
# there are, and how many stay when one strip or two cover what they can (0, 1, 2, more each), how
# likely the next turns bring too many (after one strip, after two), rats to come.
VISIBLE, BUT_ONE, BUT_TWO, TOO_MANY, TO_COME, OF_SEAT = 6, 10, 14, 18, 20, 21
# Then of the game: strips left, the lead in points, whether the other has a turn left, and in how
# many places a strip can lie on others.
LEFT, LATE, LEAD, LATE_LEAD, SIGHT, LAST, TOPS = range(2 * OF_SEAT, 2 * OF_SEAT + 7)
FEATURES = 2 * OF_SEAT + 7
FALLING = 8.0  # late: falls off with so many strips left
HIDDEN = 16
# weights: of each feature for each hidden unit, a bias of each, a weight of each, a bias
BIAS = FEATURES * HIDDEN
OUT = BIAS + HIDDEN
WEIGHTS = OUT + HIDDEN + 1
# What `prepare` writes, the same for all positions with the same pile and seat on turn
KNOWN = 2 * MOST_RATS + 2
# Room to work in: features, hidden units
ROOM = FEATURES + HIDDEN


@kernel
def prepare(s: Any, seat: int, known: Any) -> None:
    """Write what is known about the pile when a seat is to turn strips up; known: KNOWN floats."""
    work = np.zeros((DRAWS + 1) * MOST_RATS)
    for who in range(2):
        whose = seat if who == 0 else 1 - seat
        total = to_come(s, whose, 2 + 2 * who, work, known, who * MOST_RATS)
        known[2 * MOST_RATS + who] = total


@kernel
def features(s: Any, known: Any, f: Any, counted: Any) -> None:
    """Write the `FEATURES` of a position between two turns; f: floats; counted: LOOKED."""
    for i in range(FEATURES):
        f[i] = 0.0
    for who in range(2):
        seat, base = s[WHO] if who == 0 else 1 - s[WHO], who * OF_SEAT
        rats = s[RATS + seat]
        look(s, seat, counted)
        for i in range(VISIBLE):
            f[base + i] = counted[i]
        by_one, by_two = counted[BY_ONE], counted[BY_TWO]
        f[base + VISIBLE + min(3, rats)] = 1.0
        f[base + BUT_ONE + min(3, rats - by_one)] = 1.0
        f[base + BUT_TWO + min(3, rats - by_two)] = 1.0
        for i in range(2):
            need = max(0, LOSING - rats + (by_one if i == 0 else by_two))
            f[base + TOO_MANY + i] = known[who * MOST_RATS + min(MOST_RATS - 1, need)]
        f[base + TO_COME] = known[2 * MOST_RATS + who] / 4.0
    left = s[PILE_SIZE]
    late = math.exp(-left / FALLING)
    lead, seen = points(s, s[WHO]) - points(s, 1 - s[WHO]), in_sight(s)
    if s[WHO] == 1:
        seen = -seen
    f[LEFT], f[LATE], f[LAST] = left / 20.0, late, left <= 2
    f[TOPS] = places_on_top(s) / 20.0
    f[LEAD], f[LATE_LEAD], f[SIGHT] = lead / 10.0, (lead + seen) * late, seen / 10.0


@kernel
def chance_to_win(s: Any, weights: Any, seat: int, known: Any, f: Any, counted: Any) -> float:
    """0.0 to 1.0 for a seat, between two turns; exact when the game is over.

    known: what `prepare` wrote for this pile. f, counted: ROOM floats and LOOKED numbers to work
    in.
    """
    if s[PHASE] == OVER:
        return 0.5 if s[WHO] < 0 else 1.0 if s[WHO] == seat else 0.0
    features(s, known, f, counted)
    for h in range(HIDDEN):
        f[FEATURES + h] = weights[BIAS + h]
    for i in range(FEATURES):
        if f[i] != 0.0:
            for h in range(HIDDEN):
                f[FEATURES + h] += f[i] * weights[i * HIDDEN + h]
    odds = weights[OUT + HIDDEN]
    for h in range(HIDDEN):
        odds += max(0.0, f[FEATURES + h]) * weights[OUT + h]
    won = 1.0 / (1.0 + math.exp(-odds))
    return won if s[WHO] == seat else 1.0 - won


@cache
def load(path: Path = FILE) -> Any:
    """The weights as one array; ValueError: a bad file."""
    try:
        weights = np.array(json.loads(path.read_text(encoding="utf-8"))["weights"], np.float64)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path.name} is no table of values: {error}") from error
    if weights.shape != (WEIGHTS,):
        raise ValueError(f"{path.name} has {weights.size} weights, not {WEIGHTS}")
    return weights
