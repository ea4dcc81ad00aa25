"""What the board reports to a game that has no throws: chips in zones, by name. Knows no rules."""

from spicecore.parts import CHIPS, MILL, ZONES, colour


def refused(pairs: object) -> tuple[str, str] | None:
    """(code, sentence) if this is not [[chip, zone or None], ...], the board's form of facts."""
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
