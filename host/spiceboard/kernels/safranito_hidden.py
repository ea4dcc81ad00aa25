"""Deal at random what a seat of Safranito cannot know."""

from typing import Any

import numpy as np

from spiceboard.bots.safranito_memory import PURSES, UNKNOWN
from spiceboard.kernels.chance import draw, drawn, shuffle
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_places import (
    BLENDS,
    BUY,
    CHANCE,
    CLOSE,
    COOK_OPEN,
    COOK_RESERVED,
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
    P2,
    PHASE,
    PILE,
    PILE_SIZE,
    RESERVED,
    RESERVED_SIZE,
    REVEALED,
    SALE,
    SEATS,
    SEEN,
    THROWN,
    cards_of,
    on_turn,
    sum_in,
)

# Guess of a purse that was not followed from the start, by the number of cards that it has paid
# for, in rupees: middle and half width. Fitted to 800 games of the quick policy for two and four
# players.
GUESSES = np.array([200, 176, 146, 117, 86, 58, 37, 25, 10], np.int32)
WIDTHS = np.array([15, 42, 62, 80, 88, 88, 80, 75, 55], np.int32)


@kernel
def deal_hidden(s: Any, known: Any, seat: int, x: int) -> int:
    """Deal the hidden cards, blends, chips and purses anew; returns x'.

    known: what the seat recalls (`spiceboard.bots.safranito_memory`). The new deal depends on the
    old one only by what the seat may know.
    """
    x = _deal_cards(s, known, seat, x)
    x = _deal_blends(s, seat, x)
    for other in range(s[SEATS]):
        if other != seat:
            x = _deal_chips(s, other, x)
            if not s[OPEN_PURSES]:
                x = _deal_purse(s, known, other, x)
    s[CHANCE] = draw(x ^ 0x2AAAAAA | 1, 2)
    return x


@kernel
def _deal_cards(s: Any, known: Any, seat: int, x: int) -> int:
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
                counts[spice] += s[HANDS + 9 * other + spice] - known[9 * other + spice]
    n = 0
    for spice in range(9):
        for _ in range(counts[spice]):
            pool[n] = spice
            n += 1
    x = shuffle(x, pool, 0, n)
    for other in range(s[SEATS]):
        if other != seat:
            cards = cards_of(s, other)
            for spice in range(9):
                s[HANDS + 9 * other + spice] = known[9 * other + spice]
                cards -= known[9 * other + spice]
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
def recall(s: Any, known: Any, move: int) -> None:
    """Add to a memory what everybody is told of a move; call it before `apply`."""
    kind, seat = move & 31, on_turn(s)
    if kind == BUY:
        known[9 * seat + s[P1]] += 1
        known[PURSES + seat] -= sum_in(s, s[P1], seat)
    elif kind == CLOSE:
        for each in range(s[SEATS]):
            at = 9 * each + s[P1]
            known[at] = max(0, known[at] - s[SALE + each])
            known[PURSES + each] += s[P2] * s[SALE + each]
    elif kind == COOK_OPEN or kind == COOK_RESERVED:
        for i in range(3):
            at = 9 * seat + BLENDS[3 * (move >> 5) + i]
            known[at] = max(0, known[at] - 1)


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
def of_others(known: Any, seat: int, others: Any) -> None:
    """Write to `others` what a seat recalls, which is all but its own cards."""
    for i in range(len(known)):
        others[i] = 0 if 9 * seat <= i < 9 * seat + 9 else known[i]


@kernel
def _deal_purse(s: Any, known: Any, other: int, x: int) -> int:
    """Recall a purse, or guess it from the cards that it has paid for."""
    if known[PURSES + other] != UNKNOWN:
        s[MONEY + other] = known[PURSES + other]
        return x
    bought = min(8, cards_of(s, other) + 3 * s[COOKED_SIZE + other])
    width = WIDTHS[bought]
    x = draw(x, 2 * width + 1)
    s[MONEY + other] = max(0, GUESSES[bought] - width + drawn(x, 2 * width + 1))
    return x
