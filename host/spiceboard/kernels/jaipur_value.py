"""How likely a seat of Jaipur wins the round, as a network that self-play has taught.

It looks at a position just after a move, before cards are turned up for it, with all cards in
sight. Every fact of the position (`after` lists them) has a row of weights. The rows are added
up, and negative sums count as none (one hidden layer). The row `OUT` weighs the sums, and the
result is the logarithm of the odds that the seat that moved wins.
`python -m spiceboard.kernels.learn_jaipur` makes the weights.
"""

import base64
import json
import math
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spiceboard.kernels.compiled import inlined, kernel, summing
from spiceboard.kernels.jaipur_places import (
    BONUS_SIZE,
    CAMELS_OPEN,
    DECK,
    DECK_SIZE,
    EMPTY_PILES,
    EXCHANGE,
    HANDS,
    HERDS,
    MARKET,
    PILE_VALUES,
    RUPEES,
    SELL,
    SIZES,
    TAKE,
    TOKENS,
    WHO,
)

FILE = Path(__file__).with_name("jaipur_values.json")
UNITS = 32  # of the hidden layer
# Rows: what both hold of a good and what lies open of it, each with the tokens that are left ...
MINE, THEIRS, OPEN = 0, 480, 960  # + 8 or 6 * (10 * good + tokens left) + cards
COMING = 1320  # + 11 * kind + cards of it in the deck
HERD = 1397  # + 12 * camels of the seat that moved + camels of the other
TURNED = 1541  # + 6 * camels in the market + cards that are turned up now
STAGE = 1577  # + 3 * cards in the deck after that + empty piles
LEAD = 1700  # + 81 * a fifth of the round + rupees ahead + 40
SIZE = 2105  # + 8 * goods in the hand of the seat that moved + goods in the other's
LEFT = 2169  # + 8 * pile + bonus tokens in it
OUT = 2193
ROWS = 2194
ACTIVE = 34  # rows of a position
MEAN_BONUS = np.array([2, 5, 9])  # rupees, by pile
SURE = 16.0  # logarithm of the odds when a round is decided
SCALE = 4096  # the file has the weights times this as whole numbers


@inlined
def add(sums: Any, i: int, net: Any, row: int) -> None:
    """Add a row of the network to sums[i]."""
    for h in range(net.shape[1]):
        sums[i, h] += net[row, h]


@summing
def output(sums: Any, i: int, net: Any) -> float:
    """The logarithm of the odds to win, for the sums of a position's rows."""
    total = np.float32(0.0)
    for h in range(net.shape[1]):
        each = sums[i, h]
        total += (each if each > 0 else np.float32(0.0)) * net[OUT, h]
    return total  # type: ignore[return-value]


@inlined
def stage_row(deck: int, empty: int) -> int:
    """The row of a deck and of so many empty piles."""
    return STAGE + 3 * deck + empty


@inlined
def lead_row(deck: int, lead: int) -> int:
    """The row of so many rupees ahead, at this size of the deck."""
    return LEAD + 81 * min(4, deck >> 3) + min(80, max(0, lead + 40))


@inlined
def herd_row(mine: int, theirs: int) -> int:
    """The row of two herds."""
    return HERD + 12 * mine + theirs


@inlined
def lead_of(s: Any) -> int:
    """Rupees that the seat on turn is ahead, without the camel token."""
    return s[RUPEES + s[WHO]] - s[RUPEES + 1 - s[WHO]]


@kernel
def chance(odds: float) -> float:
    """0.0 to 1.0 for the logarithm of odds."""
    return 1.0 / (1.0 + math.exp(-odds))


@kernel
def result(s: Any, seat: int) -> float:
    """What an ended round is to a seat: 0.0 lost, 0.5 a draw, 1.0 won."""
    return 0.5 if s[WHO] < 0 else 1.0 if s[WHO] == seat else 0.0


@kernel
def ended(lead: int, mine: int, theirs: int) -> float:
    """The logarithm of the odds when a round ends with these rupees ahead and these herds."""
    lead += 5 * ((mine > theirs) - (mine < theirs))
    if lead == 0:
        return np.float32(0.0)  # type: ignore[return-value]
    sure = SURE if lead > 0 else -SURE
    return np.float32(sure + 0.01 * lead)  # type: ignore[return-value]


@kernel
def bonus_pile(s: Any, n: int) -> int:
    """The pile that gives a bonus for a sale of n cards, -1 if none does."""
    return min(n, 5) - 3 if n >= 3 and s[BONUS_SIZE + min(n, 5) - 3] else -1


@kernel
def after(s: Any, move: int, rows: Any) -> int:
    """Write the rows of the position after a move (-1: as it is) to `rows`; how many they are.

    -1: the move ends the round.
    """
    me, other = s[WHO], 1 - s[WHO]
    hand, theirs, market = s[HANDS + me], s[HANDS + other], s[MARKET]
    size, mine, others, camels = s[SIZES + me], s[HERDS + me], s[HERDS + other], s[CAMELS_OPEN]
    deck, empty, lead = s[DECK_SIZE], s[EMPTY_PILES], lead_of(s)
    up, sold, left, pile = 0, -1, 0, -1
    kind = move & 7
    if move < 0:
        kind = -1
    elif kind == TAKE:
        hand += 1 << 3 * (move >> 3)
        market -= 1 << 3 * (move >> 3)
        size, up = size + 1, 1
    elif kind == SELL:
        sold, n = move >> 3 & 7, move >> 6
        hand -= n << 3 * sold
        size -= n
        left = max(0, s[TOKENS + sold] - n)
        empty += left == 0 and s[TOKENS + sold] > 0
        pile = bonus_pile(s, n)
        lead += brought(s, sold, n)
    elif kind == EXCHANGE:
        taken, given, paid = move >> 3 & 0o777777, move >> 21 & 0o777777, move >> 39
        hand += taken - given
        market += given - taken
        size, mine, camels = size + paid, mine - paid, camels + paid
    else:
        up, mine, camels = camels, mine + camels, 0
    if up > deck or empty >= 3:
        return -1
    for k in range(6):
        row = 10 * k + (left if k == sold else s[TOKENS + k])
        rows[3 * k] = MINE + 8 * row + (hand >> 3 * k & 7)
        rows[3 * k + 1] = THEIRS + 8 * row + (theirs >> 3 * k & 7)
        rows[3 * k + 2] = OPEN + 6 * row + (market >> 3 * k & 7)
    _coming(s, rows, 18)
    rows[25] = herd_row(mine, others)
    rows[26] = TURNED + 6 * camels + up
    rows[27] = stage_row(deck - up, empty)
    rows[28] = lead_row(deck - up, lead)
    rows[29] = SIZE + 8 * size + s[SIZES + other]
    for i in range(3):
        rows[30 + i] = LEFT + 8 * i + s[BONUS_SIZE + i] - (i == pile)
    return 33


@kernel
def _coming(s: Any, rows: Any, first: int) -> None:
    """Write the seven rows of the cards in the deck from rows[first] on."""
    counts = 0
    for i in range(s[DECK_SIZE]):
        counts += 1 << 4 * s[DECK + i]
    for k in range(7):
        rows[first + k] = COMING + 11 * k + (counts >> 4 * k & 15)


@kernel
def brought(s: Any, k: int, n: int) -> int:
    """Rupees that a sale brings, with the mean of the bonus tokens."""
    tokens, pile = s[TOKENS + k], bonus_pile(s, n)
    value = PILE_VALUES[k, tokens] - PILE_VALUES[k, max(0, tokens - n)]
    return value + MEAN_BONUS[pile] if pile >= 0 else value


@kernel
def add_up(sums: Any, i: int, net: Any, rows: Any, n: int) -> None:
    """Write the sum of n rows of the network to sums[i]."""
    for h in range(net.shape[1]):
        sums[i, h] = 0.0
    for j in range(n):
        add(sums, i, net, rows[j])


def packed(net: Any) -> str:
    """The weights as text: base64 of zlib of 16-bit whole numbers, lowest byte first."""
    whole = np.clip(np.round(net * SCALE), -32768, 32767).astype("<i2")
    return base64.b64encode(zlib.compress(whole.tobytes(), 9)).decode()


@cache
def load(path: Path = FILE) -> Any:
    """The network, `ROWS` x `UNITS` of float32; ValueError says what is wrong with the file."""
    try:
        weights = json.loads(path.read_text(encoding="utf-8"))["weights"]
        whole = np.frombuffer(zlib.decompress(base64.b64decode(weights)), "<i2")
        return (whole.reshape(ROWS, UNITS) / SCALE).astype(np.float32)
    except (OSError, KeyError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"{path.name} has no network: {error}") from error
