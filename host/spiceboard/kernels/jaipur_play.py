"""Jaipur played by the kernel: a rating of every move, and deals of what a seat cannot see.

The rating (`opinion`) is that of the sensible bot and uses the worths of
`spiceboard.bots.jaipur_model`.
"""

from functools import cache
from typing import Any

import numpy as np

from spiceboard.bots.jaipur_model import (
    BONUS_MEAN,
    CAMELS,
    FULL_HAND,
    HERD_LEAD,
    OFFERED,
    TURNED_UP,
    WORTH,
)
from spiceboard.kernels import jaipur as rules
from spiceboard.kernels import jaipur_moves as moves
from spiceboard.kernels import jaipur_places as places
from spiceboard.kernels.chance import draw, shuffle
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_places import (
    BONUS_AT,
    BONUS_LOG,
    BONUS_SIZE,
    BONUSES_WON,
    CAMELS_OPEN,
    DECK,
    DECK_SIZE,
    EMPTY_PILES,
    EXCHANGE,
    HANDS,
    HERDS,
    KNOWN,
    MARKET,
    PHASE,
    RUPEES,
    SELL,
    SIZES,
    TAKE,
    TOKEN_VALUES,
    TOKENS,
    TURN,
    WHO,
)
from spiceboard.kernels.jaipur_tables import AT, WAYS

MOST_MOVES = 1024


@cache
def worths() -> Any:
    """WORTH of the model as one array: [late][good][tokens left][cards], ten by ten."""
    table = np.zeros((2, 6, 10, 10))
    for late in (0, 1):
        for k in range(6):
            for left, row in enumerate(WORTH[late][k]):
                table[late, k, left, : len(row)] = row
                table[late, k, left, len(row) :] = row[-1]
    return table.ravel()


@kernel
def list_moves(s: Any, t: Any, out: Any) -> int:
    """Write every move of the seat on turn to `out`; how many there are."""
    n = moves.simple_moves(s)
    for i in range(n):
        out[i] = moves.nth_simple(s, t, i)
    hand, room, row = s[HANDS + s[WHO]], moves.room_of(s), t[s[MARKET]]
    for i in range(t[AT + 8 * row + 2], t[AT + 8 * row + 6]):
        taken = t[i]
        size = places.total(taken)
        left = t[hand & ~(places.kinds(taken) * 7)]
        first = t[AT + 8 * left + max(0, size - room)]
        for k in range(first, first + (t[WAYS + 8 * left + room] >> 8 * (size - 2) & 255)):
            if n < len(out):
                out[n] = moves.exchange(taken, t[k], size)
                n += 1
    return n


@kernel
def camel_worth(mine: int, others: int, more: int) -> float:
    """What `more` camels (negative: fewer) add to the worth of a herd."""
    after = mine + more
    lead = HERD_LEAD * ((after > others) - (mine > others))
    return CAMELS[min(after, 11)] - CAMELS[min(mine, 11)] + lead


@kernel
def best_card(s: Any, w: Any, at: int, market: int) -> float:
    """The worth of a market's best card to a player without cards; at: the first worth's index."""
    best = 0.0
    for k in range(6):
        if market >> 3 * k & 7:
            row = at + 100 * k + 10 * s[TOKENS + k]
            best = max(best, w[row + 2] - w[row + 1], w[row + 1])
    return best


@kernel
def opinion(s: Any, w: Any, move: int) -> float:
    """How good a move looks by itself, in rupees, without regard to the other's hand."""
    seat = s[WHO]
    at = 600 if s[DECK_SIZE] < 6 or s[EMPTY_PILES] >= 2 else 0
    hand, size, market = s[HANDS + seat], s[SIZES + seat], s[MARKET]
    mine, others = s[HERDS + seat], s[HERDS + 1 - seat]
    kind = move & 7
    score = FULL_HAND[size]
    if kind == TAKE:
        k = move >> 3
        row = at + 100 * k + 10 * s[TOKENS + k] + (hand >> 3 * k & 7)
        score += w[row + 1] - w[row] - FULL_HAND[size + 1] - TURNED_UP
        market -= 1 << 3 * k
    elif kind == SELL:
        k, n = move >> 3 & 7, move >> 6
        score += sale(s, w, at + 100 * k, k, n) - FULL_HAND[size - n]
    elif kind == EXCHANGE:
        taken, given, camels = move >> 3 & 0o777777, move >> 21 & 0o777777, move >> 39
        score += camel_worth(mine, others, -camels) - FULL_HAND[size + camels]
        for k in range(6):
            row, held = at + 100 * k + 10 * s[TOKENS + k], hand >> 3 * k & 7
            after = held + (taken >> 3 * k & 7) - (given >> 3 * k & 7)
            score += w[row + after] - w[row + held]
        market += given - taken
    else:
        n = s[CAMELS_OPEN]
        score += camel_worth(mine, others, n) - TURNED_UP * n - FULL_HAND[size]
    return score - OFFERED * best_card(s, w, at, market)


@kernel
def sale(s: Any, w: Any, at: int, k: int, n: int) -> float:
    """What a sale brings plus the worth of the cards kept, minus the worth of all before it."""
    left, held = s[TOKENS + k], s[HANDS + s[WHO]] >> 3 * k & 7
    brought = -w[at + 10 * left + held]
    for i in range(left, max(0, left - n), -1):
        brought += TOKEN_VALUES[k, i]
    if n >= 3 and s[BONUS_SIZE + min(n, 5) - 3]:
        brought += BONUS_MEAN[n]
    return brought + w[at + 10 * max(0, left - n) + held - n]


@kernel
def sensible(s: Any, t: Any, w: Any, moves: Any) -> int:
    """The move with the best rating; moves: an array to work in."""
    if s[PHASE] != TURN:
        return places.NEXT_ROUND
    best, best_score = -1, -1e9
    for i in range(list_moves(s, t, moves)):
        score = opinion(s, w, moves[i])
        if score > best_score:
            best, best_score = moves[i], score
    return best


@kernel
def round_by_opinion(s: Any, t: Any, w: Any, moves: Any) -> int:
    """Play a round to its end, both seats by rating; the number of decisions."""
    n = 0
    while s[PHASE] == TURN:
        rules.apply(s, t, sensible(s, t, w, moves))
        n += 1
    return n


# --- what is hidden ---


@kernel
def deal_hidden(s: Any, seat: int, x: int) -> int:
    """Deal at random what a seat cannot see: deck, the other's unknown cards, bonuses. Returns x'.

    The new deal depends on the old one only by sums that the seat knows.
    """
    other = 1 - seat
    counts = np.zeros(7, np.int64)
    for i in range(s[DECK_SIZE]):
        counts[s[DECK + i]] += 1
    unknown = 0
    for k in range(6):
        more = (s[HANDS + other] >> 3 * k & 7) - (s[KNOWN + other] >> 4 * k & 15)
        counts[k] += more
        unknown += more
    pool = np.zeros(64, np.int64)
    n = 0
    for k in range(7):
        for _ in range(counts[k]):
            pool[n] = k
            n += 1
    x = shuffle(x, pool, 0, n)
    hand = 0
    for k in range(6):
        hand |= (s[KNOWN + other] >> 4 * k & 15) << 3 * k
    size = 0
    for i in range(n):
        if unknown and pool[i] != 6:
            hand += 1 << 3 * pool[i]
            unknown -= 1
        else:
            s[DECK + size] = pool[i]
            size += 1
    s[HANDS + other] = hand
    x = shuffle(x, s, DECK, size)  # camels that were passed over lie at its start
    s[places.CHANCE] = rules_chance(x)
    return deal_bonuses(s, other, x)


@kernel
def rules_chance(x: int) -> int:
    """Give the position another random generator, for later rounds."""
    return draw(x ^ 0x2AAAAAA | 1, 2)


@kernel
def deal_bonuses(s: Any, other: int, x: int) -> int:
    """Deal at random the bonus tokens in the piles and those that the other holds face down."""
    values = np.zeros(8, np.int64)
    for pile in range(3):
        n = 0
        for i in range(s[BONUS_SIZE + pile]):
            values[n] = s[BONUS_AT[pile] + i]
            n += 1
        for i in range(s[BONUSES_WON + other]):
            token = s[BONUS_LOG + 18 * other + i]
            if token >> 4 == pile + 3:
                values[n] = token & 15
                n += 1
        values[:n].sort()
        x = shuffle(x, values, 0, n)
        for i in range(s[BONUS_SIZE + pile]):
            n -= 1
            s[BONUS_AT[pile] + i] = values[n]
        for i in range(s[BONUSES_WON + other]):
            at = BONUS_LOG + 18 * other + i
            if s[at] >> 4 == pile + 3:
                n -= 1
                s[RUPEES + other] += values[n] - (s[at] & 15)
                s[at] = s[at] & ~15 | values[n]
    return x
