"""Jaipur as a compiled kernel: a whole match of up to three rounds in one flat array.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its places. Goods are
0..5 as in the rules core, camels 6. A hand is "packed": three bits a good. A move is one integer:

    TAKE | good << 3          EXCHANGE | taken << 3 | given << 21 | camels given << 39
    CAMELS                    SELL | good << 3 | cards << 6
    NEXT_ROUND

taken and given are packed. Functions that need `tables` take what `jaipur_tables.tables()` gives.
The rules are those of `spicecore.games.jaipur`; `tests/kernels` compares the two move for move.
"""

from typing import Any

import numpy as np

from spiceboard.kernels.chance import draw, drawn, shuffle, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_tables import BELOW, FIRST, QUEUE, WAYS

# --- places of a position ---
CHANCE, EMPTY_SALE, REPLAY_SAME, ROUND, STARTER, SEALS = 0, 1, 2, 3, 4, 5  # seals of two seats
PHASE, WHO, REASON = 7, 8, 9  # who: the seat on turn, or the winner, -1 for nobody
SLOTS = 10  # the market in order, three bits a card; 7: no card
MARKET = 11  # its goods, packed
CAMELS_OPEN = 12
DECK_SIZE = 13
HANDS, SIZES, HERDS = 14, 16, 18  # two seats each; hands are packed
KNOWN, KNOWN_HERDS = 20, 22  # what everybody knows of a hand (four bits a good) and of a herd
TOKENS = 24  # left in six piles
EMPTY_PILES = 30
BONUS_SIZE = 31  # left in three piles
RUPEES, TOKENS_WON, BONUSES_WON = 34, 36, 38  # of the round, by seat
LOG_SIZE = 40
DECK = 41  # 52 cards, the last one drawn first
BONUS = 93  # three piles of 7, 6 and 5
LOG = 111  # goods tokens in the order in which they were won: seat << 3 | good
BONUS_LOG = 149  # by seat 18 bonus tokens: size << 4 | value
LENGTH = 185

TURN, SCORED, OVER = 0, 1, 2
PILES, DECK_OUT, ABORTED = 0, 1, 2
TAKE, EXCHANGE, CAMELS, SELL, NEXT_ROUND = 0, 1, 2, 3, 4
BONUS_AT = (93, 100, 106)  # BONUS by pile

ONES = 0o111111
CAMEL = 6
NO_CARD = 7
HAND_LIMIT = 7
PRECIOUS = 0o000111  # a bit in the field of each of the first three goods
CARDS = (6, 6, 6, 8, 8, 10, 8)  # three of the eleven camels open the market
PILE_SIZES = (5, 5, 5, 7, 7, 9)
# Value of the token on top of a pile, by good and by how many are left; the lowest lies lowest.
TOKEN_VALUES = (
    (0, 5, 5, 5, 7, 7, 0, 0, 0, 0),
    (0, 5, 5, 5, 6, 6, 0, 0, 0, 0),
    (0, 5, 5, 5, 5, 5, 0, 0, 0, 0),
    (0, 1, 1, 2, 2, 3, 3, 5, 0, 0),
    (0, 1, 1, 2, 2, 3, 3, 5, 0, 0),
    (0, 1, 1, 1, 1, 1, 1, 2, 3, 4),
)
BONUS_VALUES = (1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 10, 10)
BONUS_SIZES = (7, 6, 5)


@kernel
def kinds(code: int) -> int:
    """A bit in the field of each good of which a packed hand has a card."""
    return (code | code >> 1 | code >> 2) & ONES


@kernel
def fields(bits: int) -> int:
    """How many fields have their bit set."""
    return (bits * ONES >> 15) & 7


@kernel
def wide(code: int) -> int:
    """A packed hand with four bits a good, which leaves room for a borrow."""
    low, high = code & 0o777, code >> 9
    low = low & 7 | (low & 0o70) << 1 | (low & 0o700) << 2
    high = high & 7 | (high & 0o70) << 1 | (high & 0o700) << 2
    return low | high << 12


@kernel
def less(known: int, gone: int) -> int:
    """Field by field max(known - gone, 0), four bits a good."""
    guards = 0x888888
    d = (known | guards) - gone
    kept = d & guards
    return d & (kept - (kept >> 3))


@kernel
def total(code: int) -> int:
    """How many cards a packed hand has."""
    return code * ONES >> 15 & 7


# --- the moves ---


@kernel
def open_kinds(s: Any) -> int:
    """A bit in the field of each good that may be sold."""
    if s[EMPTY_SALE]:
        return ONES
    bits = 0
    for k in range(6):
        if s[TOKENS + k]:
            bits |= 1 << 3 * k
    return bits


@kernel
def sales(s: Any) -> int:
    """How many sales the seat on turn may make."""
    hand = s[HANDS + s[WHO]]
    if s[EMPTY_SALE]:
        return s[SIZES + s[WHO]] - fields(kinds(hand) & PRECIOUS)
    hand &= open_kinds(s) * 7
    return total(hand) - fields(kinds(hand) & PRECIOUS)


@kernel
def nth_sale(s: Any, n: int) -> int:
    """The n-th sale of the seat on turn, from 0."""
    hand = s[HANDS + s[WHO]] & open_kinds(s) * 7
    for k in range(6):
        held = hand >> 3 * k & 7
        low = 2 if k < 3 else 1
        if held >= low:
            if n < held - low + 1:
                return SELL | k << 3 | (n + low) << 6
            n -= held - low + 1
    return -1


@kernel
def nth_take(s: Any, n: int) -> int:
    """Taking the n-th of the goods in the market, from 0."""
    market = s[MARKET]
    for k in range(6):
        if market >> 3 * k & 7:
            if n == 0:
                return TAKE | k << 3
            n -= 1
    return -1


@kernel
def simple_moves(s: Any) -> int:
    """How many moves the seat on turn has that are no exchange."""
    # No branch here nor in sample_move where none could be foretold: each would cost more than
    # all the rest.
    takes = fields(kinds(s[MARKET])) * (s[SIZES + s[WHO]] < HAND_LIMIT)
    return sales(s) + (s[CAMELS_OPEN] + 7 >> 3) + takes


@kernel
def nth_simple(s: Any, n: int) -> int:
    """The n-th of the moves that are no exchange."""
    if s[SIZES + s[WHO]] < HAND_LIMIT:
        takes = fields(kinds(s[MARKET]))
        if n < takes:
            return nth_take(s, n)
        n -= takes
    if s[CAMELS_OPEN]:
        if n == 0:
            return CAMELS
        n -= 1
    return nth_sale(s, n)


@kernel
def room_of(s: Any) -> int:
    """How many camels the seat on turn may give at most in an exchange."""
    seat = s[WHO]
    return min(s[HERDS + seat], HAND_LIMIT - s[SIZES + seat])


@kernel
def count_moves(s: Any, t: Any) -> int:
    """How many moves there are; 0 when the match is over."""
    if s[PHASE] != TURN:
        return 1 if s[PHASE] == SCORED else 0
    found = simple_moves(s)
    hand, room, row = s[HANDS + s[WHO]], room_of(s), t[s[MARKET]]
    for i in range(
        t[FIRST + row] + t[BELOW + 8 * row + 2], t[FIRST + row] + t[BELOW + 8 * row + 6]
    ):
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
        return nth_simple(s, n)
    n -= simple
    hand, room, row = s[HANDS + s[WHO]], room_of(s), t[s[MARKET]]
    for i in range(
        t[FIRST + row] + t[BELOW + 8 * row + 2], t[FIRST + row] + t[BELOW + 8 * row + 6]
    ):
        taken = t[i]
        size = total(taken)
        left = t[hand & ~(kinds(taken) * 7)]
        here = t[WAYS + 8 * left + room] >> 8 * (size - 2) & 255
        if n < here:
            given = t[t[FIRST + left] + t[BELOW + 8 * left + max(0, size - room)] + n]
            return exchange(taken, given, size)
        n -= here
    return -1


@kernel
def exchange(taken: int, given: int, size: int) -> int:
    """The code of an exchange of `size` cards; what `given` lacks of them are camels."""
    return EXCHANGE | taken << 3 | given << 21 | (size - total(given)) << 39


@kernel
def sample_move(s: Any, t: Any, x: int) -> tuple[int, int]:
    """(x', move) with the move drawn evenly; no list of exchanges is made for it.

    An exchange is drawn as if a good could be on both sides, and drawn again when one is.
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
        x = draw(x, bound)
        left = drawn(x, bound)
        if left < simple:
            return x, nth_simple(s, left)
        over2, over3, over4 = left >= end2, left >= end3, left >= end4
        size = 2 + over2 + over3 + over4
        left -= simple + (end2 - simple) * over2 + (end3 - end2) * over3 + (end4 - end3) * over4
        each = gives >> 8 * (size - 2) & 255
        which = np.int64(np.uint32(left) // np.uint32(each))
        rest = left - which * each
        taken = t[t[FIRST + take_row] + t[BELOW + 8 * take_row + size] + which]
        given = t[t[FIRST + give_row] + t[BELOW + 8 * give_row + max(0, size - room)] + rest]
        if not kinds(taken) & kinds(given):
            return x, exchange(taken, given, size)


# --- playing ---


@kernel
def new(s: Any, seed: int, first: int, empty_sale: int, replay_same: int) -> None:
    """Write the position after the first deal; first: the seat that starts, -1 by lot."""
    s[:] = 0
    x = draw(start(seed), 2)
    s[STARTER] = drawn(x, 2) if first < 0 else first
    s[EMPTY_SALE], s[REPLAY_SAME], s[ROUND] = empty_sale, replay_same, 1
    s[CHANCE] = x
    deal(s)


@kernel
def deal(s: Any) -> None:
    """A fresh round: cards shuffled and dealt, tokens piled up."""
    size = 0
    for k in range(7):
        for _ in range(CARDS[k]):
            s[DECK + size] = k
            size += 1
    x = shuffle(s[CHANCE], s, DECK, size)
    for i in range(18):
        s[BONUS + i] = BONUS_VALUES[i]
    for pile in range(3):
        x = shuffle(x, s, BONUS_AT[pile], BONUS_SIZES[pile])
        s[BONUS_SIZE + pile] = BONUS_SIZES[pile]
    s[CHANCE] = x
    for i in range(HANDS, TOKENS):
        s[i] = 0
    for seat in range(2):
        for _ in range(5):
            size -= 1
            card = s[DECK + size]
            if card == CAMEL:
                s[HERDS + seat] += 1
            else:
                s[HANDS + seat] += 1 << 3 * card
                s[SIZES + seat] += 1
    s[CAMELS_OPEN], s[MARKET], s[SLOTS] = 3, 0, 0o666
    for slot in (3, 4):
        size -= 1
        _turn_up(s, slot, s[DECK + size])
    s[DECK_SIZE] = size
    for k in range(6):
        s[TOKENS + k] = PILE_SIZES[k]
    s[EMPTY_PILES] = 0
    for i in range(RUPEES, DECK):
        s[i] = 0
    s[PHASE], s[WHO] = TURN, s[STARTER]


@kernel
def _turn_up(s: Any, slot: int, card: int) -> None:
    s[SLOTS] = s[SLOTS] & ~(7 << 3 * slot) | card << 3 * slot
    if card == CAMEL:
        s[CAMELS_OPEN] += 1
    else:
        s[MARKET] += 1 << 3 * card


@kernel
def apply(s: Any, t: Any, move: int) -> None:
    """Do a legal move."""
    kind = move & 7
    if kind == NEXT_ROUND:
        s[STARTER], s[ROUND] = next_starter(s), s[ROUND] + 1
        deal(s)
        return
    short = False
    if kind == EXCHANGE:
        _exchange(s, t, move >> 3 & 0o777777, move >> 21 & 0o777777, move >> 39)
    elif kind == SELL:
        _sell(s, move >> 3 & 7, move >> 6)
    elif kind == TAKE:
        short = _take(s, move >> 3)
    else:
        short = _take_camels(s)
    if s[EMPTY_PILES] >= 3:
        _score(s, PILES)
    elif short:
        _score(s, DECK_OUT)
    else:
        s[WHO] = 1 - s[WHO]


@kernel
def next_starter(s: Any) -> int:
    """Who starts the next round once one is scored."""
    if s[WHO] >= 0:
        return 1 - s[WHO]
    return s[STARTER] if s[REPLAY_SAME] else 1 - s[STARTER]


@kernel
def on_turn(s: Any) -> int:
    """The seat that moves now; -1 when the match is over."""
    if s[PHASE] == TURN:
        return s[WHO]
    return next_starter(s) if s[PHASE] == SCORED else -1


@kernel
def _take(s: Any, k: int) -> bool:
    seat = s[WHO]
    s[HANDS + seat] += 1 << 3 * k
    s[SIZES + seat] += 1
    s[KNOWN + seat] += 1 << 4 * k
    s[MARKET] -= 1 << 3 * k
    slot = 0
    while s[SLOTS] >> 3 * slot & 7 != k:
        slot += 1
    if s[DECK_SIZE]:
        s[DECK_SIZE] -= 1
        _turn_up(s, slot, s[DECK + s[DECK_SIZE]])
        return False
    _close_gap(s, slot)
    return True


@kernel
def _close_gap(s: Any, slot: int) -> None:
    """Take a place out of the market."""
    low = s[SLOTS] & (1 << 3 * slot) - 1
    s[SLOTS] = low | s[SLOTS] >> 3 * slot + 3 << 3 * slot | NO_CARD << 12


@kernel
def _take_camels(s: Any) -> bool:
    seat, n = s[WHO], s[CAMELS_OPEN]
    s[HERDS + seat] += n
    s[KNOWN_HERDS + seat] += n
    s[CAMELS_OPEN] = 0
    short = 0
    slots = s[SLOTS]
    for slot in range(5):
        if slots >> 3 * slot & 7 == CAMEL:
            if s[DECK_SIZE]:
                s[DECK_SIZE] -= 1
                _turn_up(s, slot, s[DECK + s[DECK_SIZE]])
            else:
                s[SLOTS] |= NO_CARD << 3 * slot
                short += 1
    if short:
        for slot in range(4, -1, -1):
            if s[SLOTS] >> 3 * slot & 7 == NO_CARD:
                _close_gap(s, slot)
    return short > 0


@kernel
def _exchange(s: Any, t: Any, taken: int, given: int, camels: int) -> None:
    seat = s[WHO]
    s[HANDS + seat] += taken - given
    s[SIZES + seat] += camels
    s[HERDS + seat] -= camels
    s[KNOWN + seat] = less(s[KNOWN + seat] + wide(taken), wide(given))
    s[KNOWN_HERDS + seat] = max(0, s[KNOWN_HERDS + seat] - camels)
    s[MARKET] += given - taken
    s[CAMELS_OPEN] += camels
    # The j-th card taken makes room for the j-th card given, both in the order of their kinds.
    # `next_paid` has for each good which card given goes to the next of its places. There is no
    # branch here: none could be foretold.
    queue, next_paid, slots = t[QUEUE + t[given]], taken * ONES << 3, s[SLOTS]
    for slot in range(0, 15, 3):
        k = 3 * (slots >> slot & 7)
        gone = (taken >> k & 7) + 7 >> 3  # 1 when this card is taken, else 0
        paid = queue >> 3 * (next_paid >> k & 7) & 7
        slots ^= ((slots >> slot & 7) ^ paid) * gone << slot
        taken -= gone << k
        next_paid += gone << k
    s[SLOTS] = slots


@kernel
def _sell(s: Any, k: int, n: int) -> None:
    seat = s[WHO]
    s[HANDS + seat] -= n << 3 * k
    s[SIZES + seat] -= n
    s[KNOWN + seat] = less(s[KNOWN + seat], n << 4 * k)
    left, won = s[TOKENS + k], 0
    for _ in range(min(n, left)):
        won += TOKEN_VALUES[k][left]
        left -= 1
        s[LOG + s[LOG_SIZE]] = seat << 3 | k
        s[LOG_SIZE] += 1
        s[TOKENS_WON + seat] += 1
    if left == 0 and s[TOKENS + k]:
        s[EMPTY_PILES] += 1
    s[TOKENS + k] = left
    if n >= 3:
        pile = min(n, 5) - 3
        if s[BONUS_SIZE + pile]:
            s[BONUS_SIZE + pile] -= 1
            value = s[BONUS_AT[pile] + s[BONUS_SIZE + pile]]
            s[BONUS_LOG + 18 * seat + s[BONUSES_WON + seat]] = pile + 3 << 4 | value
            s[BONUSES_WON + seat] += 1
            won += value
    s[RUPEES + seat] += won


@kernel
def camel_winner(s: Any) -> int:
    """The seat with more camels, -1 when both have as many."""
    if s[HERDS] == s[HERDS + 1]:
        return -1
    return 0 if s[HERDS] > s[HERDS + 1] else 1


@kernel
def rupees(s: Any, seat: int) -> int:
    """What the tokens of a seat are worth, the camel token included."""
    return s[RUPEES + seat] + (5 if camel_winner(s) == seat else 0)


@kernel
def round_winner(s: Any) -> int:
    """Rupees, then bonus tokens, then goods tokens; -1 when all are equal."""
    d = rupees(s, 0) - rupees(s, 1)
    if d == 0:
        d = s[BONUSES_WON] - s[BONUSES_WON + 1]
    if d == 0:
        d = s[TOKENS_WON] - s[TOKENS_WON + 1]
    return -1 if d == 0 else 0 if d > 0 else 1


@kernel
def _score(s: Any, reason: int) -> None:
    winner = round_winner(s)
    s[PHASE], s[WHO], s[REASON] = SCORED, winner, reason
    if winner >= 0:
        s[SEALS + winner] += 1
        if s[SEALS + winner] >= 2:
            s[PHASE] = OVER


@kernel
def view(s: Any, seat: int) -> None:
    """Take out of a position what the seat may not know: hidden numbers become -1.

    Of the other's hand what everybody knows remains, in KNOWN; the round's end turns bonuses up.
    """
    other = 1 - seat
    s[CHANCE] = -1
    for i in range(s[DECK_SIZE]):
        s[DECK + i] = -1
    for i in range(18):
        s[BONUS + i] = -1
    s[HANDS + other] = -1
    s[HERDS + other] = -1
    if s[PHASE] == TURN or s[REASON] == ABORTED:
        for i in range(18 * other, 18 * other + s[BONUSES_WON + other]):
            s[RUPEES + other] -= s[BONUS_LOG + i] & 15
            s[BONUS_LOG + i] &= ~15


@kernel
def play_out(s: Any, t: Any, x: int) -> tuple[int, int]:
    """Play random moves to the end of the match: (x', decisions made)."""
    n = 0
    while s[PHASE] != OVER:
        x, move = sample_move(s, t, x)
        apply(s, t, move)
        n += 1
    return x, n


@kernel
def play_matches(s: Any, t: Any, seed: int, matches: int) -> int:
    """Decisions in so many random matches, from this seed on."""
    n = 0
    for i in range(matches):
        new(s, seed + i, -1, 1, 0)
        _, more = play_out(s, t, start(seed + i + 1))
        n += more
    return n
