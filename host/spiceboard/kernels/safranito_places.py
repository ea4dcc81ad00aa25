"""Safranito (full mode, two to four seats) as a compiled kernel.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its indexes. Chips are
0..23 (seat * 6 + value / 10 - 1), zones 0..8 the bowls, 9..12 the action spaces, `NOWHERE` none.
A move is KIND | argument << 5; a throw is THROW | own chip 0..5 << 5 | zone << 8 | strength << 12
with strength 0 soft, 1 firm, 2 hard. Where a throw ends is drawn from a table made by the physics
(`throws.load`), the array `t`. Chips that the game sends home are lifted at once.
The rules are those of `spicecore.games.safranito`; `tests/kernels` compares them move for move.
"""

from typing import Any

import numpy as np

from spiceboard.kernels.compiled import kernel

# --- places of a position ---
SEATS, TIE_LAST, OPEN_PURSES, SALES_IN_TURN, DECLINE_TOP, CHIPS_HOME = 0, 1, 2, 3, 4, 5
ROUND, CHEF, CHANCE = 6, 7, 8
PHASE, P1, P2 = 9, 10, 11  # the numbers of the phase, as in the rules core
SALE = 12  # cards that each seat sells, -1: not declared
SEEN, REVEALED, THROWN = 16, 17, 18  # a bit for each chip
MISSED = 19
LYING = 23
OPEN_SIZE, OPEN = 47, 48
PILE_SIZE, PILE = 51, 52  # 18 blends, the next one last
RESERVED_SIZE, RESERVED = 70, 74  # 18 a seat
COOKED_SIZE, COOKED = 146, 150  # 3 a seat
DISCARD, DISPLAY, HANDS, MONEY = 162, 171, 180, 216
DRAWN_SIZE, DRAWN = 220, 221
DECK_FIRST, DECK_SIZE, DECK = 227, 228, 229  # a ring of 64
LANDED_SIZE, LANDED = 293, 294  # of the last throw: chip << 4 | zone of each that moved
HIDDEN = 319  # in a view: chips not turned up, by seat and zone, those in hand in NOWHERE
TRADED = 375  # a bit for each bowl whose sale is closed
LENGTH = 376

THROW_PHASE, EXTRA_THROW, SPICE_CARD, KEEP_PHASE, RESERVE_PHASE, HEAD_CHEF = 0, 1, 2, 3, 4, 5
CHOOSE_PHASE, SALE_PHASE, BUY_PHASE, COOK_PHASE, ROUND_OVER, OVER = 6, 7, 8, 9, 10, 11
MISS, REVEAL, PASS, THROW, DRAW, KEEP, RESERVE, TAKE, CHOOSE = 0, 1, 2, 3, 4, 5, 6, 7, 8
SELL, CLOSE, BUY, DECLINE, COOK_OPEN, COOK_RESERVED, NO_OPEN, DONE, NEXT_ROUND = (
    9, 10, 11, 12, 13, 14, 15, 16, 17,
)  # fmt: skip
NOWHERE = 13
AIMS = 39  # zones and strengths of a throw
BLENDS = np.array([
    0, 1, 2, 3, 6, 8, 5, 7, 4, 0, 3, 5, 1, 7, 8, 2, 6, 4, 0, 6, 7, 1, 3, 4, 2, 5, 8,
    0, 4, 8, 1, 5, 6, 2, 3, 7, 0, 1, 3, 2, 7, 4, 5, 6, 8, 0, 2, 5, 1, 6, 7, 3, 4, 8,
], np.int32)  # fmt: skip
OPEN_BLENDS = (0, 0, 2, 2, 3)  # by number of players
CARDS_A_ROUND = (0, 0, 4, 5, 6)
ALL_THROWS = (0, 0, 8, 12, 12)  # of all seats in a round

# By six bits, one for each of a seat's chips: their number, their total, the highest one, and the
# n-th of them (at 8 * bits + n). Arrays, because numba looks numbers up in them without a branch.
HOW_MANY = np.array([bits.bit_count() for bits in range(64)], np.int32)
TOTAL = np.array([sum(10 * (i + 1) * (b >> i & 1) for i in range(6)) for b in range(64)], np.int32)
HIGHEST = np.array([bits.bit_length() - 1 for bits in range(64)], np.int32)
NTH = np.array(
    [
        ([i for i in range(6) if bits >> i & 1] + 8 * [-1])[n]
        for bits in range(64)
        for n in range(8)
    ],
    np.int32,
)

# --- small questions ---


@kernel
def value(chip: int) -> int:
    """The value of a chip."""
    return 10 * (chip % 6 + 1)


@kernel
def all_throws(s: Any) -> int:
    """The number of throws of all seats in a round."""
    return ALL_THROWS[s[SEATS]]


@kernel
def seat_after(s: Any, places: int) -> int:
    """The seat so many places after the head chef."""
    return np.int64(np.uint32(s[CHEF] + places) % np.uint32(s[SEATS]))  # type: ignore[return-value]


@kernel
def chips_in(s: Any, zone: int) -> int:
    """One bit for each chip in a zone."""
    bits = np.int32(0)
    for chip in range(24):
        bits |= np.int32(s[LYING + chip] == zone) << np.int32(chip)
    return bits  # type: ignore[return-value]


@kernel
def sum_in(s: Any, zone: int, seat: int) -> int:
    """The total of a seat's chips in a zone."""
    return TOTAL[chips_in(s, zone) >> 6 * seat & 63]


@kernel
def leader(s: Any, zone: int) -> int:
    """The seat with the highest total in a zone, with ties decided; -1: no chip."""
    bits, best, most = chips_in(s, zone), -1, 0
    if bits == 0:
        return -1
    seat = seat_after(s, s[TIE_LAST])
    for _ in range(s[SEATS]):
        here = TOTAL[bits >> 6 * seat & 63]
        best, most = (seat, here) if here > most else (best, most)
        seat = seat + 1 if seat + 1 < s[SEATS] else 0
    return best


@kernel
def top_chip(s: Any, zone: int, seat: int) -> int:
    """The seat's highest chip in a zone; -1: none."""
    bits = chips_in(s, zone) >> 6 * seat & 63
    return 6 * seat + HIGHEST[bits] if bits else -1


@kernel
def in_zone(s: Any, zone: int) -> int:
    """The number of chips in a zone."""
    found = np.int32(0)
    for chip in range(24):
        found += np.int32(s[LYING + chip] == zone)
    return found  # type: ignore[return-value]


@kernel
def bowls_used(s: Any) -> int:
    """One bit for each bowl in which a chip lies."""
    bits = np.int32(0)
    for chip in range(24):
        bits |= np.int32(1) << np.int32(s[LYING + chip])
    return bits & 511  # type: ignore[return-value]


@kernel
def cards_of(s: Any, seat: int) -> int:
    """The number of spice cards that a seat holds."""
    found = 0
    for spice in range(9):
        found += s[HANDS + 9 * seat + spice]
    return found


@kernel
def can_cook(s: Any, seat: int, blend: int) -> bool:
    """Whether a seat holds the three spices of a blend."""
    hand = HANDS + 9 * seat
    a, b, c = BLENDS[3 * blend], BLENDS[3 * blend + 1], BLENDS[3 * blend + 2]
    return (s[hand + a] > 0) & (s[hand + b] > 0) & (s[hand + c] > 0)


@kernel
def on_turn(s: Any) -> int:
    """The first seat that must decide or throw now; -1 when the game is over."""
    phase = s[PHASE]
    if phase == SALE_PHASE:
        seat = s[CHEF]
        for _ in range(s[SEATS]):
            if s[SALE + seat] < 0:
                return seat
            seat = seat + 1 if seat + 1 < s[SEATS] else 0
        return seat
    if phase == THROW_PHASE:
        return seat_after(s, s[P1]) if s[P1] < all_throws(s) else s[CHEF]
    if phase == BUY_PHASE:
        return leader(s, s[P1])
    if phase == COOK_PHASE:
        return seat_after(s, s[P1])
    if phase == EXTRA_THROW:
        return s[CHEF] if s[P2] else s[P1]
    if phase <= HEAD_CHEF:
        return s[P1]
    return -1 if phase == OVER else s[CHEF]
