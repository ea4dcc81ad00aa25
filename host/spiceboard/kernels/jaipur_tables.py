"""Tables for Jaipur's kernel: every way to pick some cards from the goods of a hand or a market.

Here six counts of goods are one integer, three bits for each good ("packed", 18 bits).
"""

import itertools
from functools import cache
from typing import Any

import numpy as np

FIELD = 3  # bits a good
GOODS = 6
MOST = 7  # goods in a hand; a market has five
SIZES = (2, 3, 4, 5)  # of an exchange
HANDS = 1716  # how many hands there are
FIRST = 1 << FIELD * GOODS
BELOW = FIRST + HANDS
WAYS = BELOW + 8 * HANDS
QUEUE = WAYS + 8 * HANDS
PICKS = QUEUE + HANDS


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


@cache
def tables() -> Any:
    """One int32 array: the functions of the kernel pass it on without counting references.

    t[hand]                   the row of a packed hand, 0..`HANDS` - 1
    t[FIRST + row]            the index of the hand's first pick; picks are sorted by size
    t[BELOW + 8 * row + n]    the number of its picks with fewer than n cards, n 0..7
    t[WAYS + 8 * row + room]  one byte for each size of an exchange, 2 to 5: the number of ways to
                              give that many cards, at most `room` of them camels
    t[QUEUE + row]            its first five cards in the order of goods, three bits each, filled
                              up with camels
    """
    rows = np.zeros(FIRST, np.int32)
    first, below, ways, queue, picks = [], [], [], [], []  # type: ignore[var-annotated]
    every = (c for c in itertools.product(range(MOST + 1), repeat=GOODS) if sum(c) <= MOST)
    for row, counts in enumerate(every):
        rows[packed(counts)] = row
        found = _picks(counts)
        first.append(PICKS + len(picks))
        picks.extend(code for _, code in found)
        sizes = [n for n, _ in found]
        fewer = [sum(size < n for size in sizes) for n in range(8)]
        below.extend(fewer)
        cards = [k for k, n in enumerate(counts) for _ in range(n)] + [6] * 5
        queue.append(sum(k << FIELD * i for i, k in enumerate(cards[:5])))
        for room in range(8):
            given = (fewer[n + 1] - fewer[max(0, n - room)] for n in SIZES)
            ways.append(sum(n << 8 * i for i, n in enumerate(given)))
    whole = (first, below, np.array(ways, np.uint32).view(np.int32), queue, picks)
    return np.concatenate([rows, *(np.array(part, np.int32) for part in whole)])
