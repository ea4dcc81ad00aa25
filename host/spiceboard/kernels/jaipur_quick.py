"""Jaipur played by the kernel at once, without search: it plays out the rounds of the search.

Like the sensible bot it rates what each turn gains its own hand and uncovers for the other, but of
the exchanges it looks at four only, one of each size: the dearest cards for the cheapest ones.
The worths are an array of `jaipur_worths`.
"""

from typing import Any

from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_places import (
    BONUS_SIZE,
    CAMEL,
    CAMELS,
    CAMELS_OPEN,
    DECK_SIZE,
    EMPTY_PILES,
    EXCHANGE,
    HAND_LIMIT,
    HANDS,
    HERDS,
    MARKET,
    NEXT_ROUND,
    PHASE,
    SELL,
    SIZES,
    TAKE,
    TOKEN_VALUES,
    TOKENS,
    TURN,
    WHO,
)
from spiceboard.kernels.jaipur_play import best_card
from spiceboard.kernels.jaipur_worths import (
    CROWD,
    HERD,
    LAST_DECK,
    LATE_DECK,
    LEAD,
    OFFERED,
    SELL_TEMPO,
    STAGE,
    SWAP_TEMPO,
    TURNED_UP,
)

BONUS = (0.0, 0.0, 0.0, 2.0, 5.0, 9.0, 9.0, 9.0)  # the mean bonus of a sale, by its cards


@kernel
def quick(s: Any, w: Any) -> int:
    """The best-rated move of the seat on turn."""
    if s[PHASE] != TURN:
        return NEXT_ROUND
    at = stage(s, w)
    best, most = _camels(s, w, at)
    best, most = _takes_and_sales(s, w, at, best, most)
    return _exchanges(s, w, at, best, most)


@kernel
def stage(s: Any, w: Any) -> int:
    """Where the worths of this stage of the round begin in the array."""
    if s[DECK_SIZE] < w[LAST_DECK]:
        return 2 * STAGE
    return STAGE if s[DECK_SIZE] < w[LATE_DECK] or s[EMPTY_PILES] >= 2 else 0


@kernel
def herd_worth(w: Any, mine: int, others: int) -> float:
    """The worth of a herd beside another."""
    return w[HERD + min(mine, 11)] + w[LEAD] * (mine > others)


@kernel
def offered(s: Any, w: Any, at: int, market: int) -> float:
    """What the best card of a market is worth to the other player."""
    return w[OFFERED] * best_card(s, w, at, market)


@kernel
def _camels(s: Any, w: Any, at: int) -> tuple[int, float]:
    """(move, rating) of taking the camels; the rating is very low if there are none."""
    n = s[CAMELS_OPEN]
    if not n:
        return CAMELS, -1e9
    mine, others = s[HERDS + s[WHO]], s[HERDS + 1 - s[WHO]]
    gain = herd_worth(w, mine + n, others) - herd_worth(w, mine, others)
    return CAMELS, gain - w[TURNED_UP] * n - offered(s, w, at, s[MARKET])


@kernel
def _takes_and_sales(s: Any, w: Any, at: int, best: int, most: float) -> tuple[int, float]:
    """The best of all takes and sales, or the move so far."""
    seat = s[WHO]
    hand, size, market = s[HANDS + seat], s[SIZES + seat], s[MARKET]
    crowd, left_open = w[CROWD + size], offered(s, w, at, market)
    for k in range(6):
        held, left = hand >> 3 * k & 7, s[TOKENS + k]
        row = at + 100 * k + 10 * left
        if market >> 3 * k & 7 and size < HAND_LIMIT:
            score = w[row + held + 1] - w[row + held] + crowd - w[CROWD + size + 1]
            score -= w[TURNED_UP]
            if score > most:  # what stays open costs no less than nothing
                score -= offered(s, w, at, market - (1 << 3 * k))
                if score > most:
                    best, most = TAKE | k << 3, score
        brought = w[SELL_TEMPO] + crowd - w[row + held] - left_open
        for n in range(1, held + 1):
            if left > 0:
                brought += TOKEN_VALUES[k, left]
                left -= 1
            if n == 1 and k < 3:
                continue
            score = brought + w[at + 100 * k + 10 * left + held - n] - w[CROWD + size - n]
            if n >= 3 and s[BONUS_SIZE + min(n, 5) - 3]:
                score += BONUS[n]
            if score > most:
                best, most = SELL | k << 3 | n << 6, score
    return best, most


@kernel
def _exchanges(s: Any, w: Any, at: int, best: int, most: float) -> int:
    """The best exchange of the dearest cards for the cheapest ones, or the move so far."""
    hand, left, taken, gained = s[HANDS + s[WHO]], s[MARKET], 0, w[SWAP_TEMPO]
    for n in range(1, 6):
        pick, gain = -1, -1e9
        for k in range(6):
            if left >> 3 * k & 7:
                held = min(8, (hand >> 3 * k & 7) + (taken >> 3 * k & 7))
                row = at + 100 * k + 10 * s[TOKENS + k] + held
                if w[row + 1] - w[row] > gain:
                    pick, gain = k, w[row + 1] - w[row]
        if pick < 0:
            break
        taken += 1 << 3 * pick
        left -= 1 << 3 * pick
        gained += gain
        if n == 1 or gained <= most:  # the cards that are given cost no less than nothing
            continue
        given, camels, paid = _payment(s, w, at, taken, n)
        if paid < 0.0:
            break
        score = gained - paid
        if score > most:
            score -= offered(s, w, at, s[MARKET] + given - taken)
            if score > most:
                best, most = EXCHANGE | taken << 3 | given << 21 | camels << 39, score
    return best


@kernel
def _payment(s: Any, w: Any, at: int, taken: int, n: int) -> tuple[int, int, float]:
    """(goods, camels, cost) of the n cheapest cards of other kinds; cost -1: there are not n."""
    seat = s[WHO]
    hand, size = s[HANDS + seat], s[SIZES + seat]
    mine, others = s[HERDS + seat], s[HERDS + 1 - seat]
    room = min(mine, HAND_LIMIT - size)
    given, camels, paid = 0, 0, 0.0
    for _ in range(n):
        pick, cost = -1, 1e9
        for k in range(6):
            here = (hand >> 3 * k & 7) - (given >> 3 * k & 7)
            if here and not taken >> 3 * k & 7:
                row = at + 100 * k + 10 * s[TOKENS + k] + here
                if w[row] - w[row - 1] < cost:
                    pick, cost = k, w[row] - w[row - 1]
        if camels < room:
            more = herd_worth(w, mine - camels, others) - herd_worth(w, mine - camels - 1, others)
            more += w[CROWD + size + camels + 1] - w[CROWD + size + camels]
            if more < cost:
                pick, cost = CAMEL, more
        if pick < 0:
            return 0, 0, -1.0
        paid += cost
        camels += pick == CAMEL
        given += (pick != CAMEL) << 3 * pick
    return given, camels, paid
