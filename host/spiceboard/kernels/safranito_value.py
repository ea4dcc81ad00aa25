"""How likely each seat of Safranito is to win, at the end of a round; learned by self-play.

Each seat gets a strength, a weighted sum of what `features` lists; the chance to win is the
softmax of the strengths. `python -m spiceboard.kernels.learn_safranito` makes the weights.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_places import (
    CHEF,
    COOKED_SIZE,
    DISPLAY,
    HANDS,
    MONEY,
    OPEN_SIZE,
    OVER,
    P1,
    PHASE,
    RESERVED_SIZE,
    SEATS,
)
from spiceboard.kernels.safranito_policy import MASKS, bits, held, nth_blend

FILE = Path(__file__).with_name("safranito_values.json")
# 0..44: whether the nearest, second and third blend lacks 0..3 spices (4: there is none), for each
# number of blends cooked so far; `features` says at which index
SHOWN = 45  # spices on display that the nearest blends lack: 0..3 of each of two
SAFE, SPARE, PURSE, NEXT = 53, 54, 55, 63  # purse: corners of a line from 0 to 350 rupees
FEATURES = 64
PURSE_STEP = 50.0


@kernel
def features(s: Any, seat: int, f: Any) -> None:
    """Write the `FEATURES` of a seat; f: floats."""
    f[:FEATURES] = 0.0
    mask, n = held(s, seat), s[OPEN_SIZE] + s[RESERVED_SIZE + seat]
    cooked, used, spare = s[COOKED_SIZE + seat], 0, 0
    for place in range(3 - cooked):
        best, fewest = -1, 4
        for i in range(n):
            lacks = bits(MASKS[nth_blend(s, seat, i)] & ~mask)
            if not used >> i & 1 and lacks < fewest:
                best, fewest = i, lacks
        f[15 * place + 5 * cooked + fewest] = 1.0
        if best < 0:
            continue
        used |= 1 << best
        blend = MASKS[nth_blend(s, seat, best)]
        if place < 2:
            f[SHOWN + 4 * place + _shown(s, blend & ~mask)] = 1.0
        f[SAFE] += best >= s[OPEN_SIZE]
        for spice in range(9):
            if blend & mask & 1 << spice and s[HANDS + 9 * seat + spice] == 1:
                mask &= ~(1 << spice)
    for spice in range(9):
        spare += s[HANDS + 9 * seat + spice]
    f[SPARE] = min(spare, 12) / 4.0
    _purse(s[MONEY + seat], f)
    place = (seat - s[CHEF] - 1) % s[SEATS]
    f[NEXT] = 1.0 - place / max(1, s[SEATS] - 1)


@kernel
def _shown(s: Any, lacking: int) -> int:
    """How many of some spices lie on display."""
    n = 0
    for spice in range(9):
        n += lacking >> spice & 1 and s[DISPLAY + spice] > 0
    return n


@kernel
def _purse(money: int, f: Any) -> None:
    """Share the money out between the two nearest corners."""
    at = min(money / PURSE_STEP, 6.999)
    low = int(at)
    f[PURSE + low] = 1.0 - (at - low)
    f[PURSE + low + 1] = at - low


@kernel
def strength(s: Any, weights: Any, seat: int, f: Any) -> float:
    """The weighted sum of a seat's features."""
    features(s, seat, f)
    total = 0.0
    for i in range(FEATURES):
        total += weights[s[SEATS] * FEATURES + i] * f[i]
    return total


@kernel
def chance_to_win(s: Any, weights: Any, seat: int, f: Any) -> float:
    """0.0 to 1.0; exact when the game is over. f: an array of FEATURES to work in."""
    if s[PHASE] == OVER:
        return 1.0 if s[P1] == seat else 0.0
    mine, total = strength(s, weights, seat, f), 0.0
    for other in range(s[SEATS]):
        total += math.exp(strength(s, weights, other, f) - mine)
    return 1.0 / total


@cache
def load(path: Path = FILE) -> Any:
    """The weights as one array, FEATURES for each number of players; ValueError: a bad file."""
    table = np.zeros(5 * FEATURES)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        for players in (2, 3, 4):
            row = data["players"][str(players)]["weights"]
            table[players * FEATURES : (players + 1) * FEATURES] = row
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path.name} is no table of values: {error}") from error
    return table
