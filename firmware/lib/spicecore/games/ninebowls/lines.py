"""The nine bowls as a square: whose chip lies where, and the lines of three.

A bowl is its number 0 to 8 in wiring order, row by row; seat 0 is blue, seat 1 red.
"""

from spicecore.parts import BOWLS, CHIPS

CHIPS_EACH = 6
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def begin(first: int) -> dict:
    """The state before the first chip; `bowls` holds the chip in each bowl, or None."""
    return {"first": first, "bowls": [None] * BOWLS, "phase": ["occupy", first]}


def owner(chip: str | None) -> int | None:
    """The seat that a chip belongs to; None: no seat of this game."""
    if chip is None or chip not in CHIPS[: 2 * CHIPS_EACH]:
        return None
    return CHIPS.index(chip) // CHIPS_EACH


def free_chip(bowls: list, seat: int) -> str:
    """The seat's first chip that is not in use: six are more than the five it can need."""
    own = CHIPS[seat * CHIPS_EACH : (seat + 1) * CHIPS_EACH]
    return [chip for chip in own if chip not in bowls][0]  # noqa: RUF015 - no iterators on a board


def line_of(bowls: list, seat: int) -> list | None:
    """The bowls of a line that this seat has made, or None; two lines may share the last bowl."""
    for line in LINES:
        if all([owner(bowls[bowl]) == seat for bowl in line]):  # noqa: C419
            return list(line)
    return None


def phase_after(bowls: list, seat: int) -> list:
    """The phase after the seat laid a chip, and the bowls are these."""
    if line_of(bowls, seat):
        return ["over", "line", seat]
    if None not in bowls:
        return ["over", "full", None]
    return ["occupy", 1 - seat]
