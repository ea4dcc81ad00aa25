"""Tables for Jaipur's kernel: every way to pick some cards from the goods of a hand or a market.

Here six counts of goods are one integer, three bits for each good ("packed", 18 bits).
"""

import itertools
from functools import cache
from typing import Any

import numpy as np

from spiceboard.kernels.jaipur_places import CAMELS, SELL, TAKE

FIELD = 3  # bits a good
GOODS = 6
MOST = 7  # goods in a hand; a market has five
SIZES = (2, 3, 4, 5)  # of an exchange
HANDS = 1716  # how many hands there are
AT = 1 << FIELD * GOODS
WAYS = AT + 8 * HANDS
QUEUE = WAYS + 8 * HANDS
TAKES = QUEUE + HANDS
SALES = TAKES + 8 * HANDS
PICKS = SALES + 8 * HANDS


def packed(counts: Any) -> int:
    """Six counts of 0..7 as one integer."""
    return sum(int(n) << FIELD * k for k, n in enumerate(counts))


def unpacked(code: int) -> list[int]:
    """The six counts of `packed`."""
    return [int(code) >> FIELD * k & 7 for k in range(GOODS)]


def _picks(counts: tuple[int, ...]) -> list[tuple[int, int]]:
    """(size, packed) of every pick from these counts, by size; the empty pick comes first."""
    ways = itertools.product(*(range(n + 1) for n in counts))
    return sorted((sum(way), packed(way)) for way in ways)


def _sales(counts: tuple[int, ...]) -> list[int]:
    """The moves that sell from a hand."""
    least = (2, 2, 2, 1, 1, 1)  # cards of a good in a sale
    return [SELL | k << 3 | n << 6 for k in range(GOODS) for n in range(least[k], counts[k] + 1)]


def _filled(row: list[int]) -> list[int]:
    return row + [-1] * (8 - len(row))


@cache
def tables() -> Any:
    """One int32 array: the functions of the kernel pass it on without counting references.

    t[hand]                   the row of a packed hand, 0..`HANDS` - 1
    t[AT + 8 * row + n]       the index of the hand's first pick of n or more cards, n 0..7
    t[WAYS + 8 * row + room]  one byte for each size of an exchange, 2 to 5: the number of ways to
                              give that many cards, at most `room` of them camels
    t[QUEUE + row]            its first five cards in the order of goods, three bits each, filled
                              up with camels
    t[TAKES + 8 * row + n]    the n-th way to take a single good from a market
    t[SALES + 8 * row + n]    taking the camels, then (n 1..7) every sale of a hand
    """
    rows = np.zeros(AT, np.int32)
    at, ways, queue, takes, sales, picks = [], [], [], [], [], []  # type: ignore[var-annotated]
    every = (c for c in itertools.product(range(MOST + 1), repeat=GOODS) if sum(c) <= MOST)
    for row, counts in enumerate(every):
        rows[packed(counts)] = row
        found = _picks(counts)
        sizes = [n for n, _ in found]
        fewer = [sum(size < n for size in sizes) for n in range(8)]
        at.extend(PICKS + len(picks) + n for n in fewer)
        picks.extend(code for _, code in found)
        cards = [k for k, n in enumerate(counts) for _ in range(n)] + [6] * 5
        queue.append(sum(k << FIELD * i for i, k in enumerate(cards[:5])))
        for room in range(8):
            given = (fewer[n + 1] - fewer[max(0, n - room)] for n in SIZES)
            ways.append(sum(n << 8 * i for i, n in enumerate(given)))
        takes.extend(_filled([TAKE | k << 3 for k in range(GOODS) if counts[k]]))
        sales.extend(_filled([CAMELS, *_sales(counts)]))
    whole = (at, np.array(ways, np.uint32).view(np.int32), queue, takes, sales, picks)
    return np.concatenate([rows, *(np.array(part, np.int32) for part in whole)])
