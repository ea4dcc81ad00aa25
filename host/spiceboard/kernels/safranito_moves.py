"""Count and draw the moves of Safranito's kernel."""

from typing import Any

from spiceboard.kernels.chance import pick, rand
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_places import (
    AIMS,
    BUY,
    BUY_PHASE,
    CHOOSE,
    CHOOSE_PHASE,
    CLOSE,
    COOK_OPEN,
    COOK_PHASE,
    COOK_RESERVED,
    DECLINE,
    DONE,
    DRAW,
    DRAWN,
    DRAWN_SIZE,
    EXTRA_THROW,
    HANDS,
    HEAD_CHEF,
    HOW_MANY,
    KEEP,
    KEEP_PHASE,
    MISS,
    MONEY,
    NEXT_ROUND,
    NO_OPEN,
    NTH,
    OPEN,
    OPEN_SIZE,
    P1,
    P2,
    PASS,
    PHASE,
    RESERVE,
    RESERVE_PHASE,
    RESERVED,
    RESERVED_SIZE,
    REVEAL,
    ROUND_OVER,
    SALE,
    SALE_PHASE,
    SALES_IN_TURN,
    SELL,
    SPICE_CARD,
    TAKE,
    THROW,
    THROW_PHASE,
    THROWN,
    all_throws,
    bowls_used,
    can_cook,
    on_turn,
    sum_in,
)

# --- the moves ---


@kernel
def throwable(s: Any, seat: int) -> int:
    """One bit for each of the seat's chips that was not thrown in this round."""
    return ~(s[THROWN] >> 6 * seat) & 63


@kernel
def count_moves(s: Any) -> int:
    """The number of moves of the seat on turn; 0 when the game is over."""
    return _count(s, on_turn(s))


@kernel
def nth_move(s: Any, n: int) -> int:
    """The n-th move, n of 0..count_moves - 1."""
    return _nth(s, on_turn(s), n)


@kernel
def sample_move(s: Any, x: int) -> tuple[int, int]:
    """(x', move): draw a move, all equally likely."""
    seat = on_turn(s)
    x = rand(x)
    return x, _nth(s, seat, pick(x, _count(s, seat)))


@kernel
def _count(s: Any, seat: int) -> int:
    phase = s[PHASE]
    if phase == SALE_PHASE:
        return _count_sale(s, seat)
    if phase == THROW_PHASE or phase == EXTRA_THROW:
        return _count_throws(s, seat)
    if phase == COOK_PHASE:
        return _cook_moves(s, seat, -1)
    if phase == SPICE_CARD or phase == RESERVE_PHASE or phase == HEAD_CHEF:
        return 2
    if phase == KEEP_PHASE:
        return _nth_drawn(s, -1)
    if phase == CHOOSE_PHASE:
        return _nth_bowl(s, -1)
    if phase == BUY_PHASE:
        return 1 + _can_pay(s, seat)
    return 1 if phase == ROUND_OVER else 0


@kernel
def _nth(s: Any, seat: int, n: int) -> int:
    phase = s[PHASE]
    if phase == SALE_PHASE:
        may_close = s[SALE + seat] >= 0  # only the head chef is asked after all have declared
        return CLOSE if may_close and n == _count_sale(s, seat) - 1 else SELL | n << 5
    if phase == THROW_PHASE or phase == EXTRA_THROW:
        return _nth_throw(s, seat, n)
    if phase == COOK_PHASE:
        return _cook_moves(s, seat, n)
    if phase == KEEP_PHASE:
        return KEEP | _nth_drawn(s, n) << 5
    if phase == CHOOSE_PHASE:
        return CHOOSE | _nth_bowl(s, n) << 5
    if phase == BUY_PHASE:
        return BUY if n == 0 and _can_pay(s, seat) else DECLINE
    if phase == ROUND_OVER:
        return NEXT_ROUND
    if n == 1:
        return PASS
    return DRAW if phase == SPICE_CARD else RESERVE if phase == RESERVE_PHASE else TAKE


@kernel
def _throws_made(s: Any) -> bool:
    return s[P1] == all_throws(s) if s[PHASE] == THROW_PHASE else s[P2] == 1


@kernel
def _count_throws(s: Any, seat: int) -> int:
    if _throws_made(s):
        return 1
    return 1 + (s[PHASE] == EXTRA_THROW) + AIMS * HOW_MANY[throwable(s, seat)]


@kernel
def _nth_throw(s: Any, seat: int, n: int) -> int:
    if _throws_made(s):
        return REVEAL
    if n == 0:
        return MISS
    if s[PHASE] == EXTRA_THROW:
        if n == 1:
            return PASS
        n -= 1
    chip, aim = NTH[8 * throwable(s, seat) + (n - 1) // AIMS], (n - 1) % AIMS
    return THROW | chip << 5 | aim // 3 << 8 | aim % 3 << 12


@kernel
def _count_sale(s: Any, seat: int) -> int:
    sells = s[HANDS + 9 * seat + s[P1]] + 1
    if s[SALES_IN_TURN]:
        return sells if s[SALE + seat] < 0 else 1
    return sells + (s[SALE + seat] >= 0)


@kernel
def _nth_drawn(s: Any, n: int) -> int:
    """The n-th of the different spices drawn; n = -1: their number."""
    found = 0
    for spice in range(9):
        there = False
        for i in range(s[DRAWN_SIZE]):
            there = there or s[DRAWN + i] == spice
        if there:
            if found == n:
                return spice
            found += 1
    return found


@kernel
def _nth_bowl(s: Any, n: int) -> int:
    """The n-th of the bowls that contain chips; n = -1: their number."""
    used, found = bowls_used(s), 0
    for bowl in range(9):
        if used >> bowl & 1:
            if found == n:
                return bowl
            found += 1
    return found


@kernel
def _can_pay(s: Any, seat: int) -> bool:
    return s[MONEY + seat] >= sum_in(s, s[P1], seat)


@kernel
def _cook_moves(s: Any, seat: int, n: int) -> int:
    """The n-th way to go on cooking; n = -1: their number."""
    found = 0
    if not s[P2]:
        for i in range(s[OPEN_SIZE]):
            if can_cook(s, seat, s[OPEN + i]):
                if found == n:
                    return COOK_OPEN | s[OPEN + i] << 5
                found += 1
    for i in range(s[RESERVED_SIZE + seat]):
        blend = s[RESERVED + 18 * seat + i]
        if can_cook(s, seat, blend):
            if found == n:
                return COOK_RESERVED | blend << 5
            found += 1
    if s[OPEN_SIZE] and not s[P2]:
        if found == n:
            return NO_OPEN
        found += 1
    return DONE if n >= 0 else found + 1
