"""Safranito as a compiled kernel: a whole game; see `safranito_places`."""

from typing import Any

from spiceboard.kernels.chance import draw, drawn, shuffle, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_places import (
    BLENDS,
    BUY,
    BUY_PHASE,
    CARDS_A_ROUND,
    CHANCE,
    CHEF,
    CHIPS_HOME,
    CHOOSE,
    CHOOSE_PHASE,
    CLOSE,
    COOK_OPEN,
    COOK_PHASE,
    COOKED,
    COOKED_SIZE,
    DECK,
    DECK_FIRST,
    DECK_SIZE,
    DECLINE,
    DECLINE_TOP,
    DISCARD,
    DISPLAY,
    DONE,
    DRAW,
    DRAWN,
    DRAWN_SIZE,
    EXTRA_THROW,
    HANDS,
    KEEP,
    KEEP_PHASE,
    LANDED,
    LANDED_SIZE,
    LYING,
    MISS,
    MISSED,
    MONEY,
    NEXT_ROUND,
    NO_OPEN,
    NOWHERE,
    OPEN,
    OPEN_BLENDS,
    OPEN_SIZE,
    OVER,
    P1,
    P2,
    PHASE,
    PILE,
    PILE_SIZE,
    RESERVE,
    RESERVED,
    RESERVED_SIZE,
    REVEAL,
    REVEALED,
    ROUND,
    ROUND_OVER,
    SALE,
    SALE_PHASE,
    SEATS,
    SEEN,
    SELL,
    SPICE_CARD,
    TAKE,
    THROW,
    THROW_PHASE,
    THROWN,
    TIE_LAST,
    TRADED,
    bowls_used,
    cards_of,
    chips_in,
    in_zone,
    leader,
    on_turn,
    seat_after,
    sum_in,
    top_chip,
    value,
)
from spiceboard.kernels.throws import landed, pushed
from spicecore.games.safranito.data import START_MONEY

# --- playing ---


@kernel
def new(s: Any, seats: int, seed: int, chef: int, options: int) -> None:
    """Write the position at the start of the first round.

    chef: the first head chef, -1: at random. options: one bit for each index from TIE_LAST on.
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
        s[MONEY + seat] = START_MONEY
    _lay_out(s)


@kernel
def apply(s: Any, t: Any, move: int, x: int) -> int:
    """Make a legal move. x: the random generator of throws; returns x'."""
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
    n, bits = in_zone(s, here), chips_in(s, here)
    if n:
        for other in range(24):
            if bits >> other & 1:
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
    """Move a chip to another zone, face down."""
    s[LYING + chip] = zone
    s[REVEALED] &= ~(1 << chip)
    if zone != NOWHERE:
        s[SEEN] |= 1 << chip
    s[LANDED + s[LANDED_SIZE]] = chip << 4 | zone
    s[LANDED_SIZE] += 1


@kernel
def _home(s: Any, zone: int, seats: int) -> None:
    """Send chips in a zone home: those of the seats whose bit is set."""
    owners = (seats & 1 | (seats & 2) << 5 | (seats & 4) << 10 | (seats & 8) << 15) * 63
    bits = chips_in(s, zone) & owners
    for chip in range(24):
        s[LYING + chip] = NOWHERE if bits >> chip & 1 else s[LYING + chip]
    s[REVEALED] &= ~bits


@kernel
def _reveal(s: Any, zone: int) -> None:
    s[REVEALED] |= chips_in(s, zone)


@kernel
def _evaluate(s: Any, zone: int) -> None:
    """Evaluate action spaces from this one on, until one asks its winner."""
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
    """Finish the action space of this phase and go on with the next."""
    phase = s[PHASE]
    space = 9 if phase == EXTRA_THROW else 10 if phase <= KEEP_PHASE else phase + 7
    if s[CHIPS_HOME]:
        _home(s, space, 15)
    _evaluate(s, space + 1)


@kernel
def _action(s: Any, seat: int, kind: int, item: int) -> None:
    """Apply what the winner of an action space decides."""
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
    """Draw cards to DRAWN; shuffle the discard pile when the deck is short. May draw fewer."""
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
    """Keep one of the drawn cards and put the others under the deck."""
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
    if bowls_used(s):
        s[PHASE] = CHOOSE_PHASE
        return
    s[TRADED] = 0
    _cook_from(s, 0)


@kernel
def _trade(s: Any, seat: int, kind: int, item: int) -> None:
    """Apply a decision about a bowl: choose it, sell or buy its spice."""
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
    """Pay the sellers and send their chips home."""
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
    """Go on with the purchase, or end it when no chip or no displayed card is left."""
    bowl = s[P1]
    if chips_in(s, bowl):
        if s[DISPLAY + bowl]:
            return
        _home(s, bowl, 15)
    _next_bowl(s)


@kernel
def _lay_out(s: Any) -> None:
    """Fill up the open blends and display the round's spice cards."""
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
    """Ask the k-th seat in play order to cook, or the next one that has something to decide."""
    for i in range(k, s[SEATS]):
        if s[OPEN_SIZE] or s[RESERVED_SIZE + seat_after(s, i)]:
            s[PHASE], s[P1], s[P2] = COOK_PHASE, i, 0
            return
    s[PHASE] = ROUND_OVER


@kernel
def _cook_on(s: Any, seat: int, opened: int) -> None:
    """Let the same seat go on while it has something to decide."""
    if s[RESERVED_SIZE + seat] or (s[OPEN_SIZE] and not opened):
        s[P2] = opened
    else:
        _cook_from(s, s[P1] + 1)


@kernel
def _cook(s: Any, seat: int, kind: int, blend: int) -> None:
    """Apply a decision about cooking, or begin the next round."""
    if kind == NEXT_ROUND:
        s[CHEF], s[ROUND] = seat_after(s, 1), s[ROUND] + 1
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
    """Remove a blend from a row and keep the order of the others."""
    at = first
    while s[at] != blend:
        at += 1
    for i in range(at, first + s[size] - 1):
        s[i] = s[i + 1]
    s[size] -= 1
