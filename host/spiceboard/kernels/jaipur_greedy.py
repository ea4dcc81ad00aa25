"""Jaipur played by its network at once: the move after which the chance to win is greatest.

All moves are weighed. A move changes few rows of the network, so the sums of the position are made
once and each move adds what it changes; `jaipur_value` says what the rows are. The seat sees
everything here: searches deal what is hidden first.
"""

from typing import Any

import numpy as np

from spiceboard.kernels import jaipur_places as places
from spiceboard.kernels.compiled import inlined, kernel
from spiceboard.kernels.jaipur_moves import exchange, room_of
from spiceboard.kernels.jaipur_places import (
    BONUS_SIZE,
    CAMELS,
    CAMELS_OPEN,
    DECK_SIZE,
    EMPTY_PILES,
    EMPTY_SALE,
    HAND_LIMIT,
    HANDS,
    HERDS,
    MARKET,
    NEXT_ROUND,
    PHASE,
    SELL,
    SIZES,
    TAKE,
    TOKENS,
    TURN,
    WHO,
)
from spiceboard.kernels.jaipur_tables import AT, WAYS
from spiceboard.kernels.jaipur_value import (
    LEFT,
    MINE,
    OPEN,
    SIZE,
    THEIRS,
    TURNED,
    add_up,
    after,
    bonus_pile,
    brought,
    ended,
    herd_row,
    lead_of,
    lead_row,
    output,
    stage_row,
)

# Sums that `greedy` works with: the position, the move that is weighed, what several moves share;
# then what n cards change that are taken (6 * good + n), given (8 * good + n), or camels (n).
NOW, TRIED, SHARED, TAKEN, GIVEN, HERDED = 0, 1, 2, 3, 39, 87
SUMS = 93
LOWEST: Any = np.float32(-1e9)  # below every rating


@inlined
def shift(sums: Any, i: int, net: Any, old: int, new: int) -> None:
    """Put one row into sums[i] instead of another."""
    for h in range(net.shape[1]):
        sums[i, h] += net[new, h] - net[old, h]


@inlined
def copy(sums: Any, i: int, j: int) -> None:
    """sums[i] = sums[j]"""
    for h in range(sums.shape[1]):
        sums[i, h] = sums[j, h]


@inlined
def join(sums: Any, i: int, j: int) -> None:
    """sums[i] += sums[j]"""
    for h in range(sums.shape[1]):
        sums[i, h] += sums[j, h]


@inlined
def clear(sums: Any, i: int) -> None:
    """sums[i] = 0"""
    for h in range(sums.shape[1]):
        sums[i, h] = 0.0


@kernel
def greedy(s: Any, t: Any, net: Any, sums: Any, rows: Any) -> tuple[int, float]:
    """(move, logarithm of the odds to win after it); sums, rows: arrays to work in.

    sums: `SUMS` x units of float32; rows: at least `jaipur_value.ACTIVE` whole numbers.
    """
    if s[PHASE] != TURN:
        return NEXT_ROUND, np.float32(0.0)  # type: ignore[return-value]
    add_up(sums, NOW, net, rows, after(s, -1, rows))
    best, most = _takes(s, net, sums, -1, LOWEST)
    best, most = _camels(s, net, sums, best, most)
    best, most = _sales(s, net, sums, best, most)
    return _exchanges(s, t, net, sums, best, most)


@inlined
def _turn_up(s: Any, net: Any, sums: Any, i: int, n: int, camels: int) -> None:
    """Note in sums[i] that n cards are turned up, and that so many camels stay in the market."""
    deck, empty, lead = s[DECK_SIZE], s[EMPTY_PILES], lead_of(s)
    shift(sums, i, net, TURNED + 6 * s[CAMELS_OPEN], TURNED + 6 * camels + n)
    shift(sums, i, net, stage_row(deck, empty), stage_row(deck - n, empty))
    shift(sums, i, net, lead_row(deck, lead), lead_row(deck - n, lead))


@kernel
def _takes(s: Any, net: Any, sums: Any, best: int, most: float) -> tuple[int, float]:
    """The best take of a good, or the move so far."""
    me = s[WHO]
    if s[SIZES + me] == HAND_LIMIT:
        return best, most
    copy(sums, SHARED, NOW)
    if s[DECK_SIZE]:
        size_at = SIZE + 8 * s[SIZES + me] + s[SIZES + 1 - me]
        shift(sums, SHARED, net, size_at, size_at + 8)
        _turn_up(s, net, sums, SHARED, 1, s[CAMELS_OPEN])
    score = ended(lead_of(s), s[HERDS + me], s[HERDS + 1 - me])
    for k in range(6):
        n = s[MARKET] >> 3 * k & 7
        if not n:
            continue
        if s[DECK_SIZE]:
            row = 10 * k + s[TOKENS + k]
            mine = MINE + 8 * row + (s[HANDS + me] >> 3 * k & 7)
            copy(sums, TRIED, SHARED)
            shift(sums, TRIED, net, mine, mine + 1)
            shift(sums, TRIED, net, OPEN + 6 * row + n, OPEN + 6 * row + n - 1)
            score = output(sums, TRIED, net)
        if score > most:
            best, most = TAKE | k << 3, score
    return best, most


@kernel
def _camels(s: Any, net: Any, sums: Any, best: int, most: float) -> tuple[int, float]:
    """Taking the camels, or the move so far if that is better."""
    n, mine, others = s[CAMELS_OPEN], s[HERDS + s[WHO]], s[HERDS + 1 - s[WHO]]
    if not n:
        return best, most
    if n <= s[DECK_SIZE]:
        copy(sums, TRIED, NOW)
        shift(sums, TRIED, net, herd_row(mine, others), herd_row(mine + n, others))
        _turn_up(s, net, sums, TRIED, n, 0)
        score = output(sums, TRIED, net)
    else:
        score = ended(lead_of(s), mine + n, others)
    if score > most:
        best, most = CAMELS, score
    return best, most


@kernel
def _sales(s: Any, net: Any, sums: Any, best: int, most: float) -> tuple[int, float]:
    """The best sale, or the move so far."""
    me = s[WHO]
    for k in range(6):
        if not s[TOKENS + k] and not s[EMPTY_SALE]:
            continue
        for n in range(2 if k < 3 else 1, (s[HANDS + me] >> 3 * k & 7) + 1):
            if s[EMPTY_PILES] + (0 < s[TOKENS + k] <= n) >= 3:
                score = ended(lead_of(s) + brought(s, k, n), s[HERDS + me], s[HERDS + 1 - me])
            else:
                _sell(s, net, sums, k, n)
                score = output(sums, TRIED, net)
            if score > most:
                best, most = SELL | k << 3 | n << 6, score
    return best, most


@kernel
def _sell(s: Any, net: Any, sums: Any, k: int, n: int) -> None:
    """Write the sums after a sale that does not end the round to sums[TRIED]."""
    me, other, deck, lead = s[WHO], 1 - s[WHO], s[DECK_SIZE], lead_of(s)
    row, new = 10 * k + s[TOKENS + k], 10 * k + max(0, s[TOKENS + k] - n)
    mine, theirs = MINE + (s[HANDS + me] >> 3 * k & 7), THEIRS + (s[HANDS + other] >> 3 * k & 7)
    lying, size_at = OPEN + (s[MARKET] >> 3 * k & 7), SIZE + 8 * s[SIZES + me] + s[SIZES + other]
    copy(sums, TRIED, NOW)
    shift(sums, TRIED, net, mine + 8 * row, mine + 8 * new - n)
    shift(sums, TRIED, net, theirs + 8 * row, theirs + 8 * new)
    shift(sums, TRIED, net, lying + 6 * row, lying + 6 * new)
    shift(sums, TRIED, net, size_at, size_at - 8 * n)
    shift(sums, TRIED, net, lead_row(deck, lead), lead_row(deck, lead + brought(s, k, n)))
    if 0 < s[TOKENS + k] <= n:
        old = stage_row(deck, s[EMPTY_PILES])
        shift(sums, TRIED, net, old, old + 1)
    pile = bonus_pile(s, n)
    if pile >= 0:
        old = LEFT + 8 * pile + s[BONUS_SIZE + pile]
        shift(sums, TRIED, net, old, old - 1)


@kernel
def _exchanges(s: Any, t: Any, net: Any, sums: Any, best: int, most: float) -> tuple[int, float]:
    """The best exchange, or the move so far."""
    hand, room, row = s[HANDS + s[WHO]], room_of(s), t[s[MARKET]]
    first, last = t[AT + 8 * row + 2], t[AT + 8 * row + 6]
    if first == last or s[SIZES + s[WHO]] + room < 2:
        return best, most
    _exchanged(s, net, sums, room)
    for i in range(first, last):
        taken = t[i]
        n, left = places.total(taken), t[hand & ~(places.kinds(taken) * 7)]
        at = t[AT + 8 * left + max(0, n - room)]
        copy(sums, SHARED, NOW)
        for k in range(6):
            if taken >> 3 * k & 7:
                join(sums, SHARED, TAKEN + 6 * k + (taken >> 3 * k & 7))
        for j in range(at, at + (t[WAYS + 8 * left + room] >> 8 * (n - 2) & 255)):
            given = t[j]
            copy(sums, TRIED, SHARED)
            join(sums, TRIED, HERDED + n - places.total(given))
            for k in range(6):
                if given >> 3 * k & 7:
                    join(sums, TRIED, GIVEN + 8 * k + (given >> 3 * k & 7))
            score = output(sums, TRIED, net)
            if score > most:
                best, most = exchange(taken, given, n), score
    return best, most


@kernel
def _exchanged(s: Any, net: Any, sums: Any, room: int) -> None:
    """Write what each part of an exchange changes; room: the most camels that may be given."""
    me, open_camels = s[WHO], s[CAMELS_OPEN]
    for k in range(6):
        held, n, row = s[HANDS + me] >> 3 * k & 7, s[MARKET] >> 3 * k & 7, 10 * k + s[TOKENS + k]
        mine, lying = MINE + 8 * row + held, OPEN + 6 * row + n
        for i in range(1, min(n, HAND_LIMIT - held) + 1):
            clear(sums, TAKEN + 6 * k + i)
            shift(sums, TAKEN + 6 * k + i, net, mine, mine + i)
            shift(sums, TAKEN + 6 * k + i, net, lying, lying - i)
        for i in range(1, min(held, 5 - n) + 1):
            clear(sums, GIVEN + 8 * k + i)
            shift(sums, GIVEN + 8 * k + i, net, mine, mine - i)
            shift(sums, GIVEN + 8 * k + i, net, lying, lying + i)
    size_at = SIZE + 8 * s[SIZES + me] + s[SIZES + 1 - me]
    herd_at, camels_at = herd_row(s[HERDS + me], s[HERDS + 1 - me]), TURNED + 6 * open_camels
    for i in range(min(5 - open_camels, room) + 1):
        clear(sums, HERDED + i)
        shift(sums, HERDED + i, net, size_at, size_at + 8 * i)
        shift(sums, HERDED + i, net, herd_at, herd_at - 12 * i)
        shift(sums, HERDED + i, net, camels_at, camels_at + 6 * i)
