"""Count and draw the moves of Jaipur's kernel without listing them."""

from typing import Any

import numpy as np

from spiceboard.kernels.chance import pick, rand
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_places import (
    CAMELS_OPEN,
    EMPTY_SALE,
    EXCHANGE,
    HAND_LIMIT,
    HANDS,
    HERDS,
    MARKET,
    NEXT_ROUND,
    ONES,
    PHASE,
    PRECIOUS,
    SCORED,
    SIZES,
    TOKENS,
    TURN,
    WHO,
    fields,
    kinds,
    total,
)
from spiceboard.kernels.jaipur_tables import AT, SALES, TAKES, WAYS

# 2**24 / n rounded up: a product takes a tenth of a division's time
RECIPROCALS = np.array([0, *(-(-(1 << 24) // n) for n in range(1, 256))], np.int64)

# --- the moves ---


@kernel
def open_kinds(s: Any) -> int:
    """For each good that may be sold, one bit in its field."""
    if s[EMPTY_SALE]:
        return ONES
    bits = 0
    for k in range(6):
        if s[TOKENS + k]:
            bits |= 1 << 3 * k
    return bits


@kernel
def sales(s: Any) -> int:
    """The number of sales that the seat on turn may make."""
    hand = s[HANDS + s[WHO]]
    if s[EMPTY_SALE]:
        return s[SIZES + s[WHO]] - fields(kinds(hand) & PRECIOUS)
    hand &= open_kinds(s) * 7
    return total(hand) - fields(kinds(hand) & PRECIOUS)


@kernel
def simple_moves(s: Any) -> int:
    """The number of moves of the seat on turn without the exchanges."""
    # No branch here or in sample_move that the processor could not predict: each would cost more
    # than all the rest.
    takes = fields(kinds(s[MARKET])) * (s[SIZES + s[WHO]] < HAND_LIMIT)
    return sales(s) + (s[CAMELS_OPEN] + 7 >> 3) + takes


@kernel
def nth_simple(s: Any, t: Any, n: int) -> int:
    """The n-th of the moves without the exchanges: takes, the camels, sales."""
    market, hand = s[MARKET], s[HANDS + s[WHO]] & open_kinds(s) * 7
    takes = fields(kinds(market)) * (s[SIZES + s[WHO]] < HAND_LIMIT)
    take = TAKES + 8 * t[market] + n
    sale = SALES + 8 * t[hand] + n - takes + (s[CAMELS_OPEN] == 0)
    return t[take if n < takes else sale]


@kernel
def room_of(s: Any) -> int:
    """The largest number of camels that the seat on turn may give in an exchange."""
    seat = s[WHO]
    return min(s[HERDS + seat], HAND_LIMIT - s[SIZES + seat])


@kernel
def count_moves(s: Any, t: Any) -> int:
    """The number of moves; 0 when the match is over."""
    if s[PHASE] != TURN:
        return 1 if s[PHASE] == SCORED else 0
    found = simple_moves(s)
    hand, room, row = s[HANDS + s[WHO]], room_of(s), t[s[MARKET]]
    for i in range(t[AT + 8 * row + 2], t[AT + 8 * row + 6]):
        taken = t[i]
        left = t[hand & ~(kinds(taken) * 7)]
        found += t[WAYS + 8 * left + room] >> 8 * (total(taken) - 2) & 255
    return found


@kernel
def nth_move(s: Any, t: Any, n: int) -> int:
    """The n-th move, n of 0..count_moves - 1."""
    if s[PHASE] != TURN:
        return NEXT_ROUND
    simple = simple_moves(s)
    if n < simple:
        return nth_simple(s, t, n)
    n -= simple
    hand, room, row = s[HANDS + s[WHO]], room_of(s), t[s[MARKET]]
    for i in range(t[AT + 8 * row + 2], t[AT + 8 * row + 6]):
        taken = t[i]
        size = total(taken)
        left = t[hand & ~(kinds(taken) * 7)]
        here = t[WAYS + 8 * left + room] >> 8 * (size - 2) & 255
        if n < here:
            given = t[t[AT + 8 * left + max(0, size - room)] + n]
            return exchange(taken, given, size)
        n -= here
    return -1


@kernel
def exchange(taken: int, given: int, size: int) -> int:
    """The code of an exchange of `size` cards; camels make up what `given` lacks."""
    return EXCHANGE | taken << 3 | given << 21 | (size - total(given)) << 39


@kernel
def sample_move(s: Any, t: Any, x: int) -> tuple[int, int]:
    """(x', move): draw a move, all equally likely, without listing the exchanges.

    This draws an exchange as if a good could be on both sides, and draws again when one is.
    """
    if s[PHASE] != TURN:
        return x, NEXT_ROUND
    simple, room = simple_moves(s), room_of(s)
    take_row, give_row = t[s[MARKET]], t[s[HANDS + s[WHO]]]
    takes, gives = t[WAYS + 8 * take_row], t[WAYS + 8 * give_row + room]
    end2 = simple + (takes & 255) * (gives & 255)
    end3 = end2 + (takes >> 8 & 255) * (gives >> 8 & 255)
    end4 = end3 + (takes >> 16 & 255) * (gives >> 16 & 255)
    bound = end4 + (takes >> 24 & 255) * (gives >> 24 & 255)
    while True:
        x = rand(x)
        left = pick(x, bound)
        if left < simple:
            return x, nth_simple(s, t, left)
        over2, over3, over4 = left >= end2, left >= end3, left >= end4
        size = 2 + over2 + over3 + over4
        left -= simple + (end2 - simple) * over2 + (end3 - end2) * over3 + (end4 - end3) * over4
        each = gives >> 8 * (size - 2) & 255
        which = left * RECIPROCALS[each] >> 24  # left // each, for left < 2**16
        rest = left - which * each
        taken = t[t[AT + 8 * take_row + size] + which]
        given = t[t[AT + 8 * give_row + max(0, size - room)] + rest]
        if not kinds(taken) & kinds(given):
            return x, exchange(taken, given, size)
