"""Safranito (full mode, two to four seats) as a compiled kernel.

A position is a one-dimensional int32 array of `LENGTH`; the names below are its places. Chips are
0..23 (seat * 6 + value / 10 - 1), zones 0..8 the bowls, 9..12 the action spaces, `NOWHERE` none.
A move is KIND | argument << 5; a throw is THROW | own chip 0..5 << 5 | zone << 8 | strength << 12
with a strength of 0 soft, 1 firm, 2 hard. Where a throw ends is drawn from a table of the physics
(`throws.load`), the array `t`. What the game sends home is lifted at once, so nothing is astray.
The rules are those of `spicecore.games.safranito`; `tests/kernels` compares them move for move.
"""

from typing import Any

from spiceboard.kernels.chance import draw, drawn, shuffle, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.throws import landed, pushed

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
BLENDS = (
    0, 1, 2, 3, 6, 8, 5, 7, 4, 0, 3, 5, 1, 7, 8, 2, 6, 4, 0, 6, 7, 1, 3, 4, 2, 5, 8,
    0, 4, 8, 1, 5, 6, 2, 3, 7, 0, 1, 3, 2, 7, 4, 5, 6, 8, 0, 2, 5, 1, 6, 7, 3, 4, 8,
)  # fmt: skip
OPEN_BLENDS = (0, 0, 2, 2, 3)  # by number of players
CARDS_A_ROUND = (0, 0, 4, 5, 6)
THROWS = (0, 0, 4, 4, 3)


# --- small questions ---


@kernel
def value(chip: int) -> int:
    """What a chip counts."""
    return 10 * (chip % 6 + 1)


@kernel
def all_throws(s: Any) -> int:
    """Throws of all seats in a round."""
    return s[SEATS] * THROWS[s[SEATS]]


@kernel
def sum_in(s: Any, zone: int, seat: int) -> int:
    """Total of a seat's chips in a zone."""
    found = 0
    for i in range(6):
        if s[LYING + 6 * seat + i] == zone:
            found += 10 * (i + 1)
    return found


@kernel
def leader(s: Any, zone: int) -> int:
    """The seat of the highest total in a zone, ties decided; -1 when it is empty."""
    best, most = -1, 0
    for i in range(s[SEATS]):
        seat = (s[CHEF] + i + s[TIE_LAST]) % s[SEATS]
        here = sum_in(s, zone, seat)
        if here > most:
            best, most = seat, here
    return best


@kernel
def top_chip(s: Any, zone: int, seat: int) -> int:
    """The seat's highest chip in a zone, -1 when it has none there."""
    for chip in range(6 * seat + 5, 6 * seat - 1, -1):
        if s[LYING + chip] == zone:
            return chip
    return -1


@kernel
def in_zone(s: Any, zone: int) -> int:
    """How many chips lie in a zone."""
    found = 0
    for chip in range(6 * s[SEATS]):
        found += s[LYING + chip] == zone
    return found


@kernel
def cards_of(s: Any, seat: int) -> int:
    """How many spice cards a seat holds."""
    found = 0
    for spice in range(9):
        found += s[HANDS + 9 * seat + spice]
    return found


@kernel
def can_cook(s: Any, seat: int, blend: int) -> bool:
    """Whether a seat holds the three spices of a blend."""
    hand = HANDS + 9 * seat
    a, b, c = BLENDS[3 * blend], BLENDS[3 * blend + 1], BLENDS[3 * blend + 2]
    return s[hand + a] > 0 and s[hand + b] > 0 and s[hand + c] > 0


@kernel
def on_turn(s: Any) -> int:
    """The first seat that must decide or throw now; -1 when the game is over."""
    phase = s[PHASE]
    if phase == THROW_PHASE:
        return (s[CHEF] + s[P1]) % s[SEATS] if s[P1] < all_throws(s) else s[CHEF]
    if phase == EXTRA_THROW:
        return s[CHEF] if s[P2] else s[P1]
    if phase <= HEAD_CHEF:
        return s[P1]
    if phase == SALE_PHASE:
        for i in range(s[SEATS]):
            seat = (s[CHEF] + i) % s[SEATS]
            if s[SALE + seat] < 0:
                return seat
    if phase == BUY_PHASE:
        return leader(s, s[P1])
    if phase == COOK_PHASE:
        return (s[CHEF] + s[P1]) % s[SEATS]
    return -1 if phase == OVER else s[CHEF]


# --- the moves ---


@kernel
def throwable(s: Any, seat: int) -> int:
    """A bit for each of the seat's chips that were not thrown in this round."""
    return ~(s[THROWN] >> 6 * seat) & 63


@kernel
def count_moves(s: Any) -> int:
    """How many moves the seat on turn has; 0 when the game is over."""
    phase = s[PHASE]
    if phase == THROW_PHASE or phase == EXTRA_THROW:
        return _count_throws(s)
    if phase == SALE_PHASE:
        return _count_sale(s, on_turn(s))
    if phase == COOK_PHASE:
        return _cook_moves(s, -1)
    if phase == SPICE_CARD or phase == RESERVE_PHASE or phase == HEAD_CHEF:
        return 2
    if phase == KEEP_PHASE:
        return _nth_drawn(s, -1)
    if phase == CHOOSE_PHASE:
        return _nth_bowl(s, -1)
    if phase == BUY_PHASE:
        return 1 + _can_pay(s)
    return 1 if phase == ROUND_OVER else 0


@kernel
def nth_move(s: Any, n: int) -> int:
    """The n-th move, n of 0..count_moves - 1."""
    phase = s[PHASE]
    if phase == THROW_PHASE or phase == EXTRA_THROW:
        return _nth_throw(s, n)
    if phase == SALE_PHASE:
        count = _count_sale(s, on_turn(s))
        return CLOSE if n == count - 1 and _may_close(s) else SELL | n << 5
    if phase == COOK_PHASE:
        return _cook_moves(s, n)
    if phase == KEEP_PHASE:
        return KEEP | _nth_drawn(s, n) << 5
    if phase == CHOOSE_PHASE:
        return CHOOSE | _nth_bowl(s, n) << 5
    if phase == BUY_PHASE:
        return BUY if n == 0 and _can_pay(s) else DECLINE
    if phase == ROUND_OVER:
        return NEXT_ROUND
    if n == 1:
        return PASS
    return DRAW if phase == SPICE_CARD else RESERVE if phase == RESERVE_PHASE else TAKE


@kernel
def sample_move(s: Any, x: int) -> tuple[int, int]:
    """(x', move) with the move drawn evenly."""
    n = count_moves(s)
    x = draw(x, n)
    return x, nth_move(s, drawn(x, n))


@kernel
def _throws_made(s: Any) -> bool:
    return s[P1] == all_throws(s) if s[PHASE] == THROW_PHASE else s[P2] == 1


@kernel
def _count_throws(s: Any) -> int:
    if _throws_made(s):
        return 1
    left, chips = throwable(s, on_turn(s)), 0
    for i in range(6):
        chips += left >> i & 1
    return 1 + (s[PHASE] == EXTRA_THROW) + AIMS * chips


@kernel
def _nth_throw(s: Any, n: int) -> int:
    if _throws_made(s):
        return REVEAL
    if n == 0:
        return MISS
    if s[PHASE] == EXTRA_THROW:
        if n == 1:
            return PASS
        n -= 1
    left, which = throwable(s, on_turn(s)), (n - 1) // AIMS
    chip = 0
    while True:
        if left >> chip & 1:
            if which == 0:
                break
            which -= 1
        chip += 1
    aim = (n - 1) % AIMS
    return THROW | chip << 5 | aim // 3 << 8 | aim % 3 << 12


@kernel
def _may_close(s: Any) -> bool:
    """Whether the seat on turn may close the sale: the head chef, after all have declared."""
    return s[SALE + on_turn(s)] >= 0


@kernel
def _count_sale(s: Any, seat: int) -> int:
    sells = s[HANDS + 9 * seat + s[P1]] + 1
    if s[SALES_IN_TURN]:
        return sells if s[SALE + seat] < 0 else 1
    return sells + (s[SALE + seat] >= 0)


@kernel
def _nth_drawn(s: Any, n: int) -> int:
    """The n-th of the different spices drawn; for n of -1 how many there are."""
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
    """The n-th of the bowls in which chips lie; for n of -1 how many there are."""
    found = 0
    for bowl in range(9):
        if in_zone(s, bowl):
            if found == n:
                return bowl
            found += 1
    return found


@kernel
def _can_pay(s: Any) -> bool:
    seat = leader(s, s[P1])
    return s[MONEY + seat] >= sum_in(s, s[P1], seat)


@kernel
def _cook_moves(s: Any, n: int) -> int:
    """The n-th way to go on cooking; for n of -1 how many there are."""
    seat, found = on_turn(s), 0
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


# --- playing ---


@kernel
def new(s: Any, seats: int, seed: int, chef: int, options: int) -> None:
    """Write the position at the start of the first round.

    chef: the first head chef, -1 by lot. options: a bit for each place from TIE_LAST on.
    """
    s[:] = 0
    s[SEATS] = seats
    for i in range(5):
        s[TIE_LAST + i] = options >> i & 1
    x = start(seed)
    if chef < 0:
        x = draw(x, seats)
        chef = drawn(x, seats)
    s[CHEF] = chef
    for i in range(54):
        s[DECK + i] = i // 6
    x = shuffle(x, s, DECK, 54)
    s[DECK_SIZE] = 54
    for i in range(18):
        s[PILE + i] = i
    x = shuffle(x, s, PILE, 18)
    for i in range(9):  # the pile's first blend is the last of the array, to be taken cheaply
        s[PILE + i], s[PILE + 17 - i] = s[PILE + 17 - i], s[PILE + i]
    s[PILE_SIZE], s[CHANCE], s[ROUND] = 18, x, 1
    for chip in range(24):
        s[LYING + chip] = NOWHERE
    for seat in range(seats):
        s[MONEY + seat] = 200
    _lay_out(s)


@kernel
def apply(s: Any, t: Any, move: int, x: int) -> int:
    """Do a legal move; x is the chance of throws, x' is returned."""
    kind, item = move & 31, move >> 5
    s[LANDED_SIZE] = 0
    if kind == THROW:
        return _throw(s, t, item & 7, item >> 3 & 15, item >> 7, x)
    seat = on_turn(s)
    if kind == MISS:
        _missed(s, seat)
    elif kind == REVEAL:
        if s[PHASE] == THROW_PHASE:
            _evaluate(s, 9)
        else:
            _space_done(s)
    elif kind <= TAKE:
        _action(s, seat, kind, item)
    elif kind >= COOK_OPEN:
        _cook(s, seat, kind, item)
    else:
        _trade(s, seat, kind, item)
    return x


@kernel
def _missed(s: Any, seat: int) -> None:
    if s[PHASE] == THROW_PHASE:
        s[P1] += 1
    else:
        s[P2] = 1
    s[MISSED + seat] += 1


@kernel
def _throw(s: Any, t: Any, own: int, zone: int, strength: int, x: int) -> int:
    seat = on_turn(s)
    chip = 6 * seat + own
    x, end = landed(t, x, zone, strength)
    here = end if end != NOWHERE else zone  # whose chips it may push
    n = in_zone(s, here)
    if n:
        for other in range(6 * s[SEATS]):
            if s[LYING + other] == here:
                x, to = pushed(t, x, zone, strength, end, n)
                if to != here and to >= 0:
                    _move(s, other, to)
    s[THROWN] |= 1 << chip
    if end == NOWHERE:
        _missed(s, seat)
        return x
    _move(s, chip, end)
    if s[PHASE] == THROW_PHASE:
        s[P1] += 1
    else:
        s[P2] = 1
    return x


@kernel
def _move(s: Any, chip: int, zone: int) -> None:
    """A chip comes to lie elsewhere, face down."""
    s[LYING + chip] = zone
    s[REVEALED] &= ~(1 << chip)
    if zone != NOWHERE:
        s[SEEN] |= 1 << chip
    s[LANDED + s[LANDED_SIZE]] = chip << 4 | zone
    s[LANDED_SIZE] += 1


@kernel
def _home(s: Any, zone: int, seats: int) -> None:
    """Chips of a zone go home: those of the seats with a bit."""
    for chip in range(6 * s[SEATS]):
        if s[LYING + chip] == zone and seats >> chip // 6 & 1:
            s[LYING + chip] = NOWHERE
            s[REVEALED] &= ~(1 << chip)


@kernel
def _reveal(s: Any, zone: int) -> None:
    for chip in range(6 * s[SEATS]):
        if s[LYING + chip] == zone:
            s[REVEALED] |= 1 << chip


@kernel
def _evaluate(s: Any, zone: int) -> None:
    """Evaluate action spaces from this one on, up to the first that asks its winner."""
    for space in range(zone, 13):
        seat = leader(s, space)
        if seat < 0:
            continue
        _reveal(s, space)
        s[PHASE], s[P1], s[P2] = _phase_of(space), seat, 0
        if space == 10:
            s[P2] = value(top_chip(s, space, seat)) // 10
        if (space != 11 or s[PILE_SIZE]) and (space != 12 or seat != s[CHEF]):
            return
        if s[CHIPS_HOME]:
            _home(s, space, 15)
    for space in range(9, 13):
        _home(s, space, 15)
    for seat in range(4):
        s[MISSED + seat] = 0
    _next_bowl(s)


@kernel
def _phase_of(space: int) -> int:
    return EXTRA_THROW if space == 9 else SPICE_CARD if space == 10 else space - 7


@kernel
def _space_done(s: Any) -> None:
    """The space of the present phase is done: go on with the next."""
    phase = s[PHASE]
    space = 9 if phase == EXTRA_THROW else 10 if phase <= KEEP_PHASE else phase + 7
    if s[CHIPS_HOME]:
        _home(s, space, 15)
    _evaluate(s, space + 1)


@kernel
def _action(s: Any, seat: int, kind: int, item: int) -> None:
    """What the winner of an action space decides."""
    if kind == DRAW:
        _take_cards(s, s[P2])
        if s[DRAWN_SIZE]:
            s[PHASE] = KEEP_PHASE
            return
    elif kind == KEEP:
        _keep(s, seat, item)
    elif kind == RESERVE:
        s[PILE_SIZE] -= 1
        s[RESERVED + 18 * seat + s[RESERVED_SIZE + seat]] = s[PILE + s[PILE_SIZE]]
        s[RESERVED_SIZE + seat] += 1
    elif kind == TAKE:
        s[CHEF] = seat
    _space_done(s)


@kernel
def _put_under(s: Any, spice: int) -> None:
    s[DECK + (s[DECK_FIRST] + s[DECK_SIZE] & 63)] = spice
    s[DECK_SIZE] += 1


@kernel
def _take_cards(s: Any, count: int) -> None:
    """Draw cards to DRAWN, shuffling the discard pile when the deck is short; maybe fewer."""
    if s[DECK_SIZE] < count:
        n = 0
        for spice in range(9):
            for _ in range(s[DISCARD + spice]):
                s[LANDED + n] = spice  # no throw is being told of: the place is free
                n += 1
            s[DISCARD + spice] = 0
        if n:
            _shuffle_under(s, n)
    s[DRAWN_SIZE] = min(count, s[DECK_SIZE])
    for i in range(s[DRAWN_SIZE]):
        s[DRAWN + i] = s[DECK + s[DECK_FIRST]]
        s[DECK_FIRST] = s[DECK_FIRST] + 1 & 63
        s[DECK_SIZE] -= 1


@kernel
def _shuffle_under(s: Any, n: int) -> None:
    s[CHANCE] = shuffle(s[CHANCE], s, LANDED, n)
    for i in range(n):
        _put_under(s, s[LANDED + i])


@kernel
def _keep(s: Any, seat: int, spice: int) -> None:
    """Keep one of the cards drawn; the others go under the deck."""
    kept = False
    for i in range(s[DRAWN_SIZE]):
        if s[DRAWN + i] == spice and not kept:
            kept = True
        else:
            _put_under(s, s[DRAWN + i])
    s[HANDS + 9 * seat + spice] += 1
    s[DRAWN_SIZE] = 0


@kernel
def _next_bowl(s: Any) -> None:
    for chip in range(6 * s[SEATS]):
        if s[LYING + chip] < 9:
            s[PHASE] = CHOOSE_PHASE
            return
    s[TRADED] = 0
    _cook_from(s, 0)


@kernel
def _trade(s: Any, seat: int, kind: int, item: int) -> None:
    """A bowl is chosen, its spice sold and bought."""
    if kind == CHOOSE:
        _choose(s, item)
    elif kind == SELL:
        s[SALE + seat] = item
    elif kind == CLOSE:
        _close(s)
    else:
        bowl = s[P1]
        chip = top_chip(s, bowl, seat)
        if kind == BUY:
            s[MONEY + seat] -= sum_in(s, bowl, seat)
            s[DISPLAY + bowl] -= 1
            s[HANDS + 9 * seat + bowl] += 1
        if kind == DECLINE and not s[DECLINE_TOP]:
            _home(s, bowl, 1 << seat)
        else:
            s[LYING + chip] = NOWHERE
            s[REVEALED] &= ~(1 << chip)
        _purchase_goes_on(s)


@kernel
def _choose(s: Any, bowl: int) -> None:
    _reveal(s, bowl)
    s[PHASE], s[P1], s[P2] = SALE_PHASE, bowl, 0
    for seat in range(s[SEATS]):
        s[P2] += sum_in(s, bowl, seat)
        s[SALE + seat] = -1 if cards_of(s, seat) else 0


@kernel
def _close(s: Any) -> None:
    """The sellers are paid, and their chips leave the bowl."""
    bowl, sellers = s[P1], 0
    s[TRADED] |= 1 << bowl
    for seat in range(s[SEATS]):
        count = s[SALE + seat]
        if count > 0:
            sellers |= 1 << seat
            s[MONEY + seat] += s[P2] * count
            s[HANDS + 9 * seat + bowl] -= count
            s[DISCARD + bowl] += count
    _home(s, bowl, sellers)
    s[PHASE] = BUY_PHASE
    _purchase_goes_on(s)


@kernel
def _purchase_goes_on(s: Any) -> None:
    """Stay in the purchase, or end it: no chip, or no card on display."""
    bowl = s[P1]
    if in_zone(s, bowl):
        if s[DISPLAY + bowl]:
            return
        _home(s, bowl, 15)
    _next_bowl(s)


@kernel
def _lay_out(s: Any) -> None:
    """Fill up the open blends and add the round's spice cards."""
    while s[OPEN_SIZE] < OPEN_BLENDS[s[SEATS]] and s[PILE_SIZE]:
        s[PILE_SIZE] -= 1
        s[OPEN + s[OPEN_SIZE]] = s[PILE + s[PILE_SIZE]]
        s[OPEN_SIZE] += 1
    _take_cards(s, CARDS_A_ROUND[s[SEATS]])
    for i in range(s[DRAWN_SIZE]):
        s[DISPLAY + s[DRAWN + i]] += 1
    s[DRAWN_SIZE] = 0
    s[PHASE], s[P1] = THROW_PHASE, 0


@kernel
def _cook_from(s: Any, k: int) -> None:
    """Ask the k-th seat of the play order to cook, or the first after it that can decide."""
    for i in range(k, s[SEATS]):
        if s[OPEN_SIZE] or s[RESERVED_SIZE + (s[CHEF] + i) % s[SEATS]]:
            s[PHASE], s[P1], s[P2] = COOK_PHASE, i, 0
            return
    s[PHASE] = ROUND_OVER


@kernel
def _cook_on(s: Any, seat: int, opened: int) -> None:
    """The same seat goes on while something is left for it to decide."""
    if s[RESERVED_SIZE + seat] or (s[OPEN_SIZE] and not opened):
        s[P2] = opened
    else:
        _cook_from(s, s[P1] + 1)


@kernel
def _cook(s: Any, seat: int, kind: int, blend: int) -> None:
    """Blends put together, done without, and the next round."""
    if kind == NEXT_ROUND:
        s[CHEF], s[ROUND] = (s[CHEF] + 1) % s[SEATS], s[ROUND] + 1
        s[SEEN], s[REVEALED], s[THROWN] = 0, 0, 0
        for i in range(4):
            s[MISSED + i] = 0
        _lay_out(s)
    elif kind == DONE:
        _cook_from(s, s[P1] + 1)
    elif kind == NO_OPEN:
        _cook_on(s, seat, 1)
    else:
        opened = s[P2]
        if kind == COOK_OPEN:
            opened = 1
            _remove(s, OPEN, OPEN_SIZE, blend)
        else:
            _remove(s, RESERVED + 18 * seat, RESERVED_SIZE + seat, blend)
        for i in range(3):
            s[HANDS + 9 * seat + BLENDS[3 * blend + i]] -= 1
            s[DISCARD + BLENDS[3 * blend + i]] += 1
        s[COOKED + 3 * seat + s[COOKED_SIZE + seat]] = blend
        s[COOKED_SIZE + seat] += 1
        if s[COOKED_SIZE + seat] == 3:
            s[PHASE], s[P1] = OVER, seat
        else:
            _cook_on(s, seat, opened)


@kernel
def _remove(s: Any, first: int, size: int, blend: int) -> None:
    """Take a blend out of a row, keeping the order of the others."""
    at = first
    while s[at] != blend:
        at += 1
    for i in range(at, first + s[size] - 1):
        s[i] = s[i + 1]
    s[size] -= 1


@kernel
def view(s: Any, seat: int) -> None:
    """Take out of a position what the seat may not know: hidden numbers become -1.

    HIDDEN counts the chips of the others that were not turned up, by zone; hands keep their sum in
    the place of the first spice, negative and one less (-1: no card).
    """
    s[CHANCE] = -1
    for i in range(64):
        s[DECK + i] = -1
    for i in range(s[PILE_SIZE]):
        s[PILE + i] = -1
    if s[PHASE] == KEEP_PHASE and s[P1] != seat:
        for i in range(s[DRAWN_SIZE]):
            s[DRAWN + i] = -1
    for other in range(s[SEATS]):
        if other != seat:
            _hide(s, other)


@kernel
def _hide(s: Any, other: int) -> None:
    for zone in range(14):
        s[HIDDEN + 14 * other + zone] = 0
    for chip in range(6 * other, 6 * other + 6):
        if not s[REVEALED] >> chip & 1:
            home = s[LYING + chip] == NOWHERE and s[THROWN] >> chip & 1 == 0
            if s[LYING + chip] != NOWHERE or home:
                s[HIDDEN + 14 * other + s[LYING + chip]] += 1
            s[LYING + chip] = -1
    s[SEEN] &= ~(63 << 6 * other)
    s[THROWN] &= ~(63 << 6 * other)
    cards = cards_of(s, other)
    for spice in range(9):
        s[HANDS + 9 * other + spice] = -1
    s[HANDS + 9 * other] = -1 - cards
    if not s[OPEN_PURSES]:
        s[MONEY + other] = -1
    for i in range(s[RESERVED_SIZE + other]):
        s[RESERVED + 18 * other + i] = -1


@kernel
def play_out(s: Any, t: Any, x: int) -> tuple[int, int]:
    """Play random moves to the end of the game: (x', decisions made)."""
    n = 0
    while s[PHASE] != OVER and n < 100_000:
        x, move = sample_move(s, x)
        x = apply(s, t, move, x)
        n += 1
    return x, n


@kernel
def play_games(s: Any, t: Any, seats: int, seed: int, games: int) -> int:
    """Decisions in so many random games, from this seed on."""
    n = 0
    for i in range(games):
        new(s, seats, seed + i, -1, 0)
        _, more = play_out(s, t, start(seed + i + 1))
        n += more
    return n
