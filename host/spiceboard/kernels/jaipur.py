"""Jaipur as a compiled kernel: a whole match of up to three rounds; see `jaipur_places`."""

from typing import Any

from spiceboard.kernels.chance import draw, drawn, shuffle, start
from spiceboard.kernels.compiled import inlined, kernel
from spiceboard.kernels.jaipur_moves import sample_move
from spiceboard.kernels.jaipur_places import (
    ABORTED,
    BONUS,
    BONUS_AT,
    BONUS_LOG,
    BONUS_SIZE,
    BONUS_SIZES,
    BONUS_VALUES,
    BONUSES_WON,
    CAMEL,
    CAMELS_OPEN,
    CARDS,
    CHANCE,
    DECK,
    DECK_OUT,
    DECK_SIZE,
    EMPTY_PILES,
    EMPTY_SALE,
    EXCHANGE,
    GOODS,
    HANDS,
    HERDS,
    KNOWN,
    KNOWN_HERDS,
    LOG,
    LOG_SIZE,
    MARKET,
    NEXT_ROUND,
    NO_CARD,
    ONES,
    OVER,
    PHASE,
    PILE_SIZES,
    PILE_VALUES,
    PILES,
    PLACES,
    REASON,
    REPLAY_SAME,
    ROUND,
    RUPEES,
    SCORED,
    SEALS,
    SELL,
    SIZES,
    SLOTS,
    STARTER,
    TAKE,
    TOKENS,
    TOKENS_WON,
    TURN,
    WHO,
    less,
    wide,
)
from spiceboard.kernels.jaipur_tables import QUEUE

# --- playing ---


@kernel
def new(s: Any, seed: int, first: int, empty_sale: int, replay_same: int) -> None:
    """Write the position after the first deal; first: the seat that starts, -1: at random."""
    s[:] = 0
    x = draw(start(seed), 2)
    s[STARTER] = drawn(x, 2) if first < 0 else first
    s[EMPTY_SALE], s[REPLAY_SAME], s[ROUND] = empty_sale, replay_same, 1
    s[CHANCE] = x
    deal(s)


@kernel
def deal(s: Any) -> None:
    """Begin a round: shuffle and deal the cards, pile up the tokens."""
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
    for slot in (9, 12):
        size -= 1
        s[SLOTS] |= s[DECK + size] << slot
        _turn_up(s, s[DECK + size])
    s[DECK_SIZE] = size
    for k in range(6):
        s[TOKENS + k] = PILE_SIZES[k]
    s[EMPTY_PILES] = 0
    for i in range(RUPEES, DECK):
        s[i] = 0
    s[PHASE], s[WHO] = TURN, s[STARTER]


@inlined
def _turn_up(s: Any, card: int) -> None:
    """Count a card that was laid in the market."""
    s[MARKET] += 1 << 3 * card & GOODS
    s[CAMELS_OPEN] += card == CAMEL


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
    """The seat that starts the next round, after a round was scored."""
    if s[WHO] >= 0:
        return 1 - s[WHO]
    return s[STARTER] if s[REPLAY_SAME] else 1 - s[STARTER]


@kernel
def on_turn(s: Any) -> int:
    """The seat that moves now; -1 when the match is over."""
    if s[PHASE] == TURN:
        return s[WHO]
    return next_starter(s) if s[PHASE] == SCORED else -1


@inlined
def _take(s: Any, k: int) -> bool:
    seat = s[WHO]
    s[HANDS + seat] += 1 << 3 * k
    s[SIZES + seat] += 1
    s[KNOWN + seat] += 1 << 4 * k
    s[MARKET] -= 1 << 3 * k
    others = s[SLOTS] ^ k * PLACES  # no bit in the field of a place where this good lies
    places = ~(others | others >> 1 | others >> 2) & PLACES
    place = places & -places  # a bit in the field of the first one
    if s[DECK_SIZE]:
        s[DECK_SIZE] -= 1
        card = s[DECK + s[DECK_SIZE]]
        s[SLOTS] ^= (k ^ card) * place
        _turn_up(s, card)
        return False
    _close_gap(s, place)
    return True


@kernel
def _close_gap(s: Any, place: int) -> None:
    """Take a place, one bit in its field, out of the market."""
    low = s[SLOTS] & place - 1
    s[SLOTS] = low | s[SLOTS] >> 3 & ~(place - 1) | NO_CARD << 12


@inlined
def _take_camels(s: Any) -> bool:
    seat, n = s[WHO], s[CAMELS_OPEN]
    s[HERDS + seat] += n
    s[KNOWN_HERDS + seat] += n
    s[CAMELS_OPEN] = 0
    turned, slots, size = min(n, s[DECK_SIZE]), s[SLOTS], s[DECK_SIZE]
    last, changed, market, camels = size - turned, slots, 0, 0
    for slot in range(0, 15, 3):  # without a branch, as in `_exchange`
        gone = (slots >> slot & 7 == CAMEL) & (size > last)
        card = s[DECK + max(0, size - 1)]
        changed ^= (CAMEL ^ card) * gone << slot
        size -= gone
        market += (1 << 3 * card & GOODS) * gone
        camels += (card == CAMEL) & gone
    s[SLOTS], s[DECK_SIZE] = changed, size
    s[MARKET] += market
    s[CAMELS_OPEN] += camels
    if turned == n:
        return False
    _close_camel_gaps(s, n - turned)
    return True


@kernel
def _close_camel_gaps(s: Any, short: int) -> None:
    """Take the last places with camels out of the market: no card was left for them."""
    for slot in range(12, -1, -3):
        if short and s[SLOTS] >> slot & 7 == CAMEL:
            _close_gap(s, 1 << slot)
            short -= 1


@inlined
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
    # `next_paid` says for each good which given card goes to the next of its places. There is no
    # branch here, because the processor could not predict it.
    queue, next_paid, slots = t[QUEUE + t[given]], taken * ONES << 3, s[SLOTS]
    changed = slots
    for slot in range(0, 15, 3):
        k = 3 * (slots >> slot & 7)
        gone = (taken >> k & 7) + 7 >> 3  # 1 when this card is taken, else 0
        paid = queue >> 3 * (next_paid >> k & 7) & 7
        changed ^= ((slots >> slot & 7) ^ paid) * gone << slot
        taken -= gone << k
        next_paid += gone << k
    s[SLOTS] = changed


@inlined
def _sell(s: Any, k: int, n: int) -> None:
    seat = s[WHO]
    s[HANDS + seat] -= n << 3 * k
    s[SIZES + seat] -= n
    s[KNOWN + seat] = less(s[KNOWN + seat], n << 4 * k)
    tokens = min(n, s[TOKENS + k])
    left = s[TOKENS + k] - tokens
    won = PILE_VALUES[k, left + tokens] - PILE_VALUES[k, left]
    s[LOG + s[LOG_SIZE]] = tokens << 4 | seat << 3 | k
    s[LOG_SIZE] += tokens > 0
    s[TOKENS_WON + seat] += tokens
    s[EMPTY_PILES] += (left == 0) & (tokens > 0)
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
    """The seat with more camels; -1: both have the same number."""
    if s[HERDS] == s[HERDS + 1]:
        return -1
    return 0 if s[HERDS] > s[HERDS + 1] else 1


@kernel
def rupees(s: Any, seat: int) -> int:
    """Rupees of a seat's tokens, including the camel token."""
    return s[RUPEES + seat] + (5 if camel_winner(s) == seat else 0)


@kernel
def round_winner(s: Any) -> int:
    """The seat with more rupees, then bonus tokens, then goods tokens; -1: all are equal."""
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
    """Remove from a position what the seat may not know: hidden numbers become -1.

    KNOWN keeps the part of the other's hand that everybody knows. Bonus tokens are hidden until
    the round ends.
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
    """Play random matches with seeds from `seed` on; the number of decisions."""
    n = 0
    for i in range(matches):
        new(s, seed + i, -1, 1, 0)
        _, more = play_out(s, t, start(seed + i + 1))
        n += more
    return n
