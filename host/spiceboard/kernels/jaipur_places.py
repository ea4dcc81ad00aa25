"""Jaipur as a compiled kernel: a whole match of up to three rounds in one flat array.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its places. Goods are
0..5 as in `spicecore`, camels 6. A hand is "packed": three bits for each good. A move is one
integer:

    TAKE | good << 3          EXCHANGE | taken << 3 | given << 21 | camels given << 39
    CAMELS                    SELL | good << 3 | cards << 6
    NEXT_ROUND

taken and given are packed. The argument `tables` is the array of `jaipur_tables.tables()`.
The rules are those of `spicecore.games.jaipur`; `tests/kernels` compares the two move for move.
"""

import numpy as np

from spiceboard.kernels.compiled import kernel

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
LOG = 111  # sales that won tokens, in their order: tokens << 4 | seat << 3 | good
BONUS_LOG = 149  # by seat 18 bonus tokens: size << 4 | value
LENGTH = 185

TURN, SCORED, OVER = 0, 1, 2
PILES, DECK_OUT, ABORTED = 0, 1, 2
TAKE, EXCHANGE, CAMELS, SELL, NEXT_ROUND = 0, 1, 2, 3, 4
# Arrays, because numba looks numbers up in them without a branch.
BONUS_AT = np.array([93, 100, 106])  # BONUS by pile

ONES, GOODS = 0o111111, 0o777777  # fields of the goods
PLACES = 0o11111  # a bit in the field of each place of the market
CAMEL = 6
NO_CARD = 7
HAND_LIMIT = 7
PRECIOUS = 0o000111  # a bit in the field of each of the first three goods
CARDS = np.array([6, 6, 6, 8, 8, 10, 8])  # three of the eleven camels open the market
PILE_SIZES = np.array([5, 5, 5, 7, 7, 9])
# Value of the token on top of a pile, by good and by how many are left; the lowest lies lowest.
TOKEN_VALUES = np.array([
    [0, 5, 5, 5, 7, 7, 0, 0, 0, 0],
    [0, 5, 5, 5, 6, 6, 0, 0, 0, 0],
    [0, 5, 5, 5, 5, 5, 0, 0, 0, 0],
    [0, 1, 1, 2, 2, 3, 3, 5, 0, 0],
    [0, 1, 1, 2, 2, 3, 3, 5, 0, 0],
    [0, 1, 1, 1, 1, 1, 1, 2, 3, 4],
])  # fmt: skip
PILE_VALUES = TOKEN_VALUES.cumsum(axis=1)  # of all tokens that are left
BONUS_VALUES = np.array([1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 10, 10])
BONUS_SIZES = np.array([7, 6, 5])


@kernel
def kinds(code: int) -> int:
    """For each good that a packed hand contains, one bit in its field."""
    return (code | code >> 1 | code >> 2) & ONES


@kernel
def fields(bits: int) -> int:
    """The number of fields that have their bit set."""
    return (bits * ONES >> 15) & 7


@kernel
def wide(code: int) -> int:
    """A packed hand widened to four bits for each good, to leave room for a borrow."""
    low, high = code & 0o777, code >> 9
    low = low & 7 | (low & 0o70) << 1 | (low & 0o700) << 2
    high = high & 7 | (high & 0o70) << 1 | (high & 0o700) << 2
    return low | high << 12


@kernel
def less(known: int, gone: int) -> int:
    """max(known - gone, 0) for each good, four bits each."""
    guards = 0x888888
    d = (known | guards) - gone
    kept = d & guards
    return d & (kept - (kept >> 3))


@kernel
def total(code: int) -> int:
    """The number of cards in a packed hand."""
    return code * ONES >> 15 & 7
