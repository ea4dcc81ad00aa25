"""Safranito played by the kernel at once, without search: the thoughts of the sensible bot.

It plays out the games of the search and of the learning. `plan` fills an array of floats:
`WORTHS` what one more card of each spice is worth, `SURPLUS` cards that no near blend needs,
`KEEPS` what is lost with a card of the hand. All in rupees, and all from what the seat may know.
"""

from typing import Any

import numpy as np

from spiceboard.bots.safranito_model import ANY_CARD, GUESS, LATE, TASTE
from spiceboard.kernels.chance import rand
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_moves import throwable
from spiceboard.kernels.safranito_places import (
    BLENDS,
    BUY,
    BUY_PHASE,
    CHEF,
    CHOOSE,
    CHOOSE_PHASE,
    CLOSE,
    COOK_OPEN,
    COOK_PHASE,
    COOK_RESERVED,
    COOKED_SIZE,
    DECLINE,
    DISPLAY,
    DONE,
    DRAW,
    DRAWN,
    DRAWN_SIZE,
    EXTRA_THROW,
    HANDS,
    KEEP,
    KEEP_PHASE,
    LYING,
    MONEY,
    NEXT_ROUND,
    NO_OPEN,
    NOWHERE,
    NTH,
    OPEN,
    OPEN_SIZE,
    P1,
    P2,
    PASS,
    PHASE,
    PILE_SIZE,
    RESERVE,
    RESERVE_PHASE,
    RESERVED,
    RESERVED_SIZE,
    REVEAL,
    REVEALED,
    ROUND_OVER,
    SALE,
    SALE_PHASE,
    SEATS,
    SELL,
    SPICE_CARD,
    TAKE,
    THROW,
    THROW_PHASE,
    all_throws,
    can_cook,
    in_zone,
    on_turn,
    sum_in,
)

WORTHS, SURPLUS, KEEPS = 0, 9, 18
OWN, OTHERS, THERE = 27, 40, 53  # by zone: own total, a guess of the best other's, how many others
TOTAL = 66  # by zone: of the seat that is looked at
WANTED = 79  # the worths of the four most wanted spices, the highest first
PLAN_SIZE = 83
LACKING = np.array([25.0, 260.0, 130.0, 60.0])  # worth of a card by what its blend lacks
MASKS = np.array(
    [1 << BLENDS[3 * i] | 1 << BLENDS[3 * i + 1] | 1 << BLENDS[3 * i + 2] for i in range(18)]
)


@kernel
def bits(mask: int) -> int:
    """The number of ones among nine bits."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@kernel
def held(s: Any, seat: int) -> int:
    """One bit for each spice that a seat holds."""
    mask = 0
    for spice in range(9):
        if s[HANDS + 9 * seat + spice] > 0:
            mask |= 1 << spice
    return mask


@kernel
def nth_blend(s: Any, seat: int, i: int) -> int:
    """The i-th blend in sight of a seat: open ones, then its reserved ones."""
    n = s[OPEN_SIZE]
    return s[OPEN + i] if i < n else s[RESERVED + 18 * seat + i - n]


@kernel
def plan(s: Any, seat: int, p: Any) -> None:
    """Write what cards are worth to a seat."""
    mask, n = held(s, seat), s[OPEN_SIZE] + s[RESERVED_SIZE + seat]
    for spice in range(9):
        p[WORTHS + spice] = ANY_CARD
        p[SURPLUS + spice] = s[HANDS + 9 * seat + spice]
        p[KEEPS + spice] = ANY_CARD
    left = 4 - s[COOKED_SIZE + seat]
    lacking = 0  # two bits for each blend
    for i in range(n):
        lacking |= bits(MASKS[nth_blend(s, seat, i)] & ~mask) << 2 * i
    for lacks in range(4):
        for i in range(n):
            if lacking >> 2 * i & 3 != lacks:
                continue
            blend = MASKS[nth_blend(s, seat, i)]
            _count_blend(p, blend, mask, lacks, left > 0)
            left -= 1
    p[WANTED : WANTED + 4] = 0.0
    for spice in range(9):
        if p[SURPLUS + spice] > 0:
            p[KEEPS + spice] = ANY_CARD
        worth = p[WORTHS + spice]
        for i in range(WANTED, WANTED + 4):
            if worth > p[i]:
                p[i], worth = worth, p[i]


@kernel
def _count_blend(p: Any, blend: int, mask: int, lacks: int, near: bool) -> None:
    """Let a blend raise the worth of its spices, and use up cards if it is a near one."""
    for spice in range(9):
        if not blend >> spice & 1:
            continue
        if not mask >> spice & 1:
            p[WORTHS + spice] = max(p[WORTHS + spice], LACKING[lacks])
        else:
            if lacks < 3:
                p[KEEPS + spice] = max(p[KEEPS + spice], LACKING[lacks + 1])
            if near and lacks < 3 and p[SURPLUS + spice] > 0:
                p[SURPLUS + spice] -= 1


@kernel
def decide(s: Any, p: Any, x: int) -> tuple[int, int]:
    """(x', move) of the seat on turn; p: an array of PLAN_SIZE to work in."""
    phase, seat = s[PHASE], on_turn(s)
    if phase == THROW_PHASE or phase == EXTRA_THROW:
        if s[P1] == all_throws(s) if phase == THROW_PHASE else s[P2] == 1:
            return x, REVEAL
        plan(s, seat, p)
        return aim(s, seat, p, x)
    if phase == SPICE_CARD:
        return x, DRAW
    if phase == RESERVE_PHASE:
        return x, RESERVE
    if phase == ROUND_OVER:
        return x, NEXT_ROUND
    if phase == COOK_PHASE:
        return x, cook(s, seat)
    plan(s, seat, p)
    if phase == KEEP_PHASE:
        return x, keep(s, p)
    if phase == CHOOSE_PHASE:
        return x, choose(s, seat, p)
    if phase == SALE_PHASE:
        return x, sell(s, seat, p)
    if phase == BUY_PHASE:
        return x, buy(s, seat, p)
    return x, TAKE


@kernel
def cook(s: Any, seat: int) -> int:
    """Cook whatever can be cooked, an open blend first."""
    if not s[P2]:
        for i in range(s[OPEN_SIZE]):
            if can_cook(s, seat, s[OPEN + i]):
                return COOK_OPEN | s[OPEN + i] << 5
    for i in range(s[RESERVED_SIZE + seat]):
        if can_cook(s, seat, s[RESERVED + 18 * seat + i]):
            return COOK_RESERVED | s[RESERVED + 18 * seat + i] << 5
    return NO_OPEN if s[OPEN_SIZE] and not s[P2] else DONE


@kernel
def keep(s: Any, p: Any) -> int:
    """Keep the card that is worth most."""
    best = s[DRAWN]
    for i in range(1, s[DRAWN_SIZE]):
        if p[WORTHS + s[DRAWN + i]] > p[WORTHS + best]:
            best = s[DRAWN + i]
    return KEEP | best << 5


@kernel
def choose(s: Any, seat: int, p: Any) -> int:
    """Sales first, for money; then the bowl with the most useful spice."""
    best, most = -1, -1.0
    for bowl in range(9):
        n = in_zone(s, bowl)
        if not n:
            continue
        score = 1000.0 * p[SURPLUS + bowl] * n
        if s[DISPLAY + bowl] and sum_in(s, bowl, seat):
            score += p[WORTHS + bowl]
        if score > most:
            best, most = bowl, score
    return CHOOSE | best << 5


@kernel
def sell(s: Any, seat: int, p: Any) -> int:
    """Sell cards when the price is above their worth."""
    if s[SALE + seat] >= 0:
        return CLOSE
    bowl = s[P1]
    have = s[HANDS + 9 * seat + bowl]
    if not have or s[P2] <= p[KEEPS + bowl] * (1.0 if s[MONEY + seat] < 100 else 1.3):
        return SELL
    return SELL | (int(p[SURPLUS + bowl]) or have) << 5


@kernel
def buy(s: Any, seat: int, p: Any) -> int:
    """Buy what is worth its price."""
    price = sum_in(s, s[P1], seat)
    return BUY if price <= s[MONEY + seat] and price <= p[WORTHS + s[P1]] else DECLINE


# --- throwing ---


@kernel
def look_round(s: Any, seat: int, p: Any) -> None:
    """Write for each zone the own total, a guess of the best other's, and how many others."""
    for zone in range(13):
        p[OWN + zone] = 0.0
        p[OTHERS + zone] = 0.0
        p[THERE + zone] = 0.0
    for i in range(6):
        zone = s[LYING + 6 * seat + i]
        if zone != NOWHERE:
            p[OWN + zone] += 10.0 * (i + 1)
    for other in range(s[SEATS]):
        if other != seat:
            _look_at(s, other, p)


@kernel
def _look_at(s: Any, other: int, p: Any) -> None:
    """Count another's chips for each zone."""
    for zone in range(13):
        p[TOTAL + zone] = 0.0
    for i in range(6):
        zone = s[LYING + 6 * other + i]
        if zone != NOWHERE:
            known = s[REVEALED] >> 6 * other + i & 1
            p[TOTAL + zone] += 10.0 * (i + 1) if known else GUESS
    for zone in range(13):
        if p[TOTAL + zone] > 0.0:
            p[OTHERS + zone] = max(p[OTHERS + zone], p[TOTAL + zone])
            p[THERE + zone] += 1.0


@kernel
def aim(s: Any, seat: int, p: Any, x: int) -> tuple[int, int]:
    """(x', throw): the chip and zone that promise most by a `plan`, with a little taste."""
    look_round(s, seat, p)
    chips = throwable(s, seat)
    if not chips:
        return x, PASS
    best, most = THROW | NTH[8 * chips] << 5, 0.0
    for bowl in range(9):
        if s[DISPLAY + bowl] or p[SURPLUS + bowl] > 0.0:
            x, best, most = _aim_at_bowl(s, seat, p, bowl, chips, x, best, most)
    for space in range(9, 13):
        if p[OWN + space] == 0.0 or p[OWN + space] < p[OTHERS + space]:
            x, best, most = _aim_at_space(s, seat, p, space, chips, x, best, most)
    zone = best >> 8 & 15
    if zone < 9 and p[THERE + zone] and not p[OWN + zone]:
        best |= 1 << 12  # firmly, to push the others away
    return x, best


@kernel
def _prefer(
    chip: int, zone: int, score: float, x: int, best: int, most: float
) -> tuple[int, int, float]:
    """(x', best throw, its score) after one more throw, which taste makes a little less."""
    if score > most:
        x = rand(x)
        score *= 1.0 - TASTE * x / 1073741824.0
        if score > most:
            return x, THROW | chip << 5 | zone << 8, score
    return x, best, most


@kernel
def _aim_at_bowl(
    s: Any, seat: int, p: Any, bowl: int, chips: int, x: int, best: int, most: float
) -> tuple[int, int, float]:
    """A chip raises the price of spare cards, or buys what is on display."""
    need = LATE if s[MONEY + seat] < 150 else LATE / 2
    raises = 0.85 * need * p[SURPLUS + bowl]
    cards, own, others, n = s[DISPLAY + bowl], p[OWN + bowl], p[OTHERS + bowl], p[THERE + bowl]
    buys = cards > 0 and not (own > 0.0 and (own > others or cards > n))
    for chip in range(6):
        if not chips >> chip & 1:
            continue
        worth = 10.0 * (chip + 1)
        total, score = own + worth, raises * worth
        if buys and total <= s[MONEY + seat]:
            expected = 1.0 if cards > n or total > others else 0.2
            if n == 0.0 and cards == 1:
                expected = 0.5 + worth * (1 / 120)  # others may still come
            score = max(score, 0.85 * expected * (p[WORTHS + bowl] - LATE / 2 * total))
        x, best, most = _prefer(chip, bowl, score, x, best, most)
    return x, best, most


@kernel
def _aim_at_space(
    s: Any, seat: int, p: Any, space: int, chips: int, x: int, best: int, most: float
) -> tuple[int, int, float]:
    """An action space is worth what it gives, if nobody else has more there."""
    gain = 30.0
    if space == 11:
        few = s[OPEN_SIZE] + s[RESERVED_SIZE + seat] < 4
        gain = (120.0 if few else 60.0) if s[PILE_SIZE] else 0.0
    elif space == 12:
        gain = 15.0 if s[CHEF] != seat else 0.0
    for chip in range(6):
        if not chips >> chip & 1:
            continue
        if space == 10:
            gain = p[WANTED + max(0, 3 - chip)]  # of the cards drawn one will be a wanted one
        leads = p[OWN + space] + 10.0 * (chip + 1) > p[OTHERS + space]
        score = 0.45 * (0.8 if leads else 0.15) * gain
        x, best, most = _prefer(chip, space, score, x, best, most)
    return x, best, most
