"""What the board reports to a game for two that has no throws: chips in zones. Knows no rules."""

from spicecore.parts import CHIPS, MILL, ZONES, colour

FACTS = ("moved", "judged", "accept", "abort")  # kinds of events that the board reports


def refused(event: object, kinds: tuple) -> tuple[str, str] | None:
    """(code, sentence) about an event that neither the board nor a seat of a game would send.

    kinds: those of the game's decisions, [kind, seat 0 or 1, ...]; their other items are for the
    game to check. Facts are complete if this returns None.
    """
    if not isinstance(event, list) or len(event) < 2 or not isinstance(event[0], str):
        return "malformed", "An event is a list that begins with its kind and its seat."
    kind, seat, rest = event[0], event[1], event[2:]
    if kind not in FACTS and kind not in kinds:
        return "unknown_event", "This game knows no event of this kind."
    if type(seat) is int and seat in (0, 1):
        if kind == "moved":
            return "malformed", "The board reports where chips moved, and names no seat."
    elif seat is not None or kind in kinds:
        return "malformed", "This game has the seats 0 and 1."
    if kind in kinds:
        return None
    if kind == "abort":
        return ("malformed", "To abort is [abort, seat or null].") if rest else None
    if kind != "judged" and len(rest) != 1:
        return "malformed", "This reports one list of [chip, zone]."
    return _refused_pairs([rest] if kind == "judged" else rest[0])


def _refused_pairs(pairs: object) -> tuple[str, str] | None:
    """(code, sentence) if this is not [[chip, zone or None], ...]."""
    if not isinstance(pairs, list):
        return "malformed", "The change of the board must be a list of [chip, zone]."
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2:
            return "malformed", "Each change must be [chip, zone or null]."
        if not is_chip(pair[0]):
            return "unknown_chip", "The board has no such chip."
        if pair[1] is not None and not is_zone(pair[1]):
            return "unknown_zone", "The board has no such zone."
    return None


def is_chip(name: object) -> bool:
    """Whether this names a chip of any colour, or the mill."""
    return isinstance(name, str) and name in CHIPS


def is_zone(name: object) -> bool:
    """Whether this names a zone of the board."""
    return isinstance(name, str) and name in ZONES


def differences(expected: dict, seen: dict) -> list[list]:
    """[[chip, zone seen or None, zone expected or None], ...] of chips in the wrong place."""
    return [
        [chip, seen.get(chip), expected.get(chip)]
        for chip in sorted(set(seen) | set(expected))
        if seen.get(chip) != expected.get(chip)
    ]


def public_mismatch(state: dict, wrong: list) -> list[list]:
    """Differences with colours instead of chips, in an order that reveals no value."""
    rows = sorted(
        (public_chip(chip), seen or "", expected or "") for chip, seen, expected in wrong
    )
    return [[chip, seen or None, expected or None] for chip, seen, expected in rows]


def public_chip(chip: str) -> str:
    """The name of a chip's colour, "mill", or "unknown", without its value."""
    return colour(chip) if is_chip(chip) or chip == MILL else "unknown"
