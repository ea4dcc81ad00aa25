"""Remove from a position of Safranito's kernel what a seat may not know."""

from typing import Any

from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito_places import (
    CHANCE,
    DECK,
    DRAWN,
    DRAWN_SIZE,
    HANDS,
    HIDDEN,
    KEEP_PHASE,
    LYING,
    MONEY,
    NOWHERE,
    OPEN_PURSES,
    P1,
    PHASE,
    PILE,
    PILE_SIZE,
    RESERVED,
    RESERVED_SIZE,
    REVEALED,
    SEATS,
    SEEN,
    THROWN,
    cards_of,
)


@kernel
def view(s: Any, seat: int) -> None:
    """Remove what the seat may not know: hidden numbers become -1.

    HIDDEN gets the number of the others' face-down chips in each zone. Of another's hand only the
    number of cards n remains, as -n - 1 at the index of the first spice.
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
