"""Deal at random what a seat of Safranito cannot know."""

from typing import Any

import numpy as np

from spiceboard.kernels.chance import draw, drawn, shuffle
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_places import (
    CHANCE,
    COOKED_SIZE,
    DECK,
    DECK_FIRST,
    DECK_SIZE,
    DRAWN,
    DRAWN_SIZE,
    HANDS,
    KEEP_PHASE,
    LYING,
    MONEY,
    OPEN_PURSES,
    P1,
    PHASE,
    PILE,
    PILE_SIZE,
    RESERVED,
    RESERVED_SIZE,
    REVEALED,
    SEATS,
    SEEN,
    THROWN,
    cards_of,
)

# Guess of a purse by the number of cards that it has paid for, in rupees: middle and half width.
# Fitted to 800 games of the quick policy for two and four players.
PURSES = np.array([200, 176, 146, 117, 86, 58, 37, 25, 10], np.int32)
WIDTHS = np.array([15, 42, 62, 80, 88, 88, 80, 75, 55], np.int32)


@kernel
def deal_hidden(s: Any, seat: int, x: int) -> int:
    """Deal the hidden cards, blends, chips and purses anew; returns x'.

    The new deal depends on the old one only by what the seat may know.
    """
    x = _deal_cards(s, seat, x)
    x = _deal_blends(s, seat, x)
    for other in range(s[SEATS]):
        if other != seat:
            x = _deal_chips(s, other, x)
            if not s[OPEN_PURSES]:
                x = _deal_purse(s, other, x)
    s[CHANCE] = draw(x ^ 0x2AAAAAA | 1, 2)
    return x


@kernel
def _deal_cards(s: Any, seat: int, x: int) -> int:
    """Deck, the hands of the others, and what another has drawn."""
    counts, pool = np.zeros(9, np.int64), np.zeros(64, np.int64)
    for i in range(s[DECK_SIZE]):
        counts[s[DECK + (s[DECK_FIRST] + i & 63)]] += 1
    others_draw = s[PHASE] == KEEP_PHASE and s[P1] != seat
    if others_draw:
        for i in range(s[DRAWN_SIZE]):
            counts[s[DRAWN + i]] += 1
    for other in range(s[SEATS]):
        if other != seat:
            for spice in range(9):
                counts[spice] += s[HANDS + 9 * other + spice]
    n = 0
    for spice in range(9):
        for _ in range(counts[spice]):
            pool[n] = spice
            n += 1
    x = shuffle(x, pool, 0, n)
    for other in range(s[SEATS]):
        if other != seat:
            cards = cards_of(s, other)
            s[HANDS + 9 * other : HANDS + 9 * other + 9] = 0
            for _ in range(cards):
                n -= 1
                s[HANDS + 9 * other + pool[n]] += 1
    if others_draw:
        for i in range(s[DRAWN_SIZE]):
            n -= 1
            s[DRAWN + i] = pool[n]
    s[DECK_FIRST] = 0
    for i in range(n):
        s[DECK + i] = pool[i]
    return x


@kernel
def _deal_blends(s: Any, seat: int, x: int) -> int:
    """The pile, and what the others have reserved."""
    pool, seen = np.zeros(18, np.int64), 0
    for i in range(s[PILE_SIZE]):
        seen |= 1 << s[PILE + i]
    for other in range(s[SEATS]):
        if other != seat:
            for i in range(s[RESERVED_SIZE + other]):
                seen |= 1 << s[RESERVED + 18 * other + i]
    n = 0
    for blend in range(18):
        if seen >> blend & 1:
            pool[n] = blend
            n += 1
    x = shuffle(x, pool, 0, n)
    for other in range(s[SEATS]):
        if other != seat:
            for i in range(s[RESERVED_SIZE + other]):
                n -= 1
                s[RESERVED + 18 * other + i] = pool[n]
    for i in range(n):
        s[PILE + i] = pool[i]
    return x


@kernel
def _deal_chips(s: Any, other: int, x: int) -> int:
    """Which of another's chips lie face down where, sorted first so that only sums matter."""
    pool, which = np.zeros(6, np.int64), np.zeros(6, np.int64)
    n = 0
    for chip in range(6 * other, 6 * other + 6):
        if not s[REVEALED] >> chip & 1:
            pool[n] = s[LYING + chip] << 2 | (s[THROWN] >> chip & 1) << 1 | s[SEEN] >> chip & 1
            which[n] = chip
            n += 1
    pool[:n].sort()
    x = shuffle(x, pool, 0, n)
    for i in range(n):
        bit = 1 << which[i]
        s[LYING + which[i]] = pool[i] >> 2
        s[THROWN] = s[THROWN] | bit if pool[i] & 2 else s[THROWN] & ~bit
        s[SEEN] = s[SEEN] | bit if pool[i] & 1 else s[SEEN] & ~bit
    return x


@kernel
def _deal_purse(s: Any, other: int, x: int) -> int:
    """Guess a purse from the cards that it has paid for."""
    bought = min(8, cards_of(s, other) + 3 * s[COOKED_SIZE + other])
    width = WIDTHS[bought]
    x = draw(x, 2 * width + 1)
    s[MONEY + other] = max(0, PURSES[bought] - width + drawn(x, 2 * width + 1))
    return x
