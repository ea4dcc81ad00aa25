"""A whole visit in one call, with any rfid.reader.Reader; for programs that need no more."""

from rfid.codes import COMPLETE, DIFFERENT, SAME
from rfid.uidset import UidSet

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


TYPE_CHECKING = const(0)
if TYPE_CHECKING:
    from rfid.reader import Reader


def check(reader: "Reader", known: UidSet, budget_us: int, proof: bool) -> int:
    """verify(), then prove() if verify() found no difference: a difference needs no proof."""
    reason = reader.verify(known, budget_us)
    if proof and reason == SAME and known.count:  # without known tags verify() is proof enough
        return reader.prove(known, budget_us)
    return reason


def visit(
    reader: "Reader", known: UidSet, found: UidSet, second: UidSet, budget_us: int, proof: bool
) -> int:
    """Visit a reader whose field was just switched on: check(); if there is a difference update();
    if that finds no clear answer resolve().

    SAME or COMPLETE: `found` is what lies there. TIMEOUT, CROWDED, GARBLED: `found` is what was
    seen. DEAD: nothing is known. `second` is scratch; `found` may be `known` itself.
    """
    reason = check(reader, known, budget_us, proof)
    if reason == DIFFERENT:
        reason = reader.update(known, second, reader.gain_db, budget_us, proof)
        if reason == DIFFERENT:
            return reader.resolve(found, second, budget_us)
        known = second
    if reason != SAME and reason != COMPLETE:
        found.clear()
    elif found is not known:
        found.copy(known)
    return reason
