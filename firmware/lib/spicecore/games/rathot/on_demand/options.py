"""How Rat Hot can be played: its options, values with the default first."""

from spicecore.games.rathot.layout import MARGIN
from spicecore.games.rathot.strips import STANDARD, read


def bounds(value: object) -> list | None:
    """[width, height] of the table, or None: no edge. ValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2:
        if all(type(n) is int and 3 <= n < MARGIN for n in value):
            return value
    raise ValueError(
        "option bounds must be null or [width, height] of 3 to %d squares" % (MARGIN - 1)
    )


def strips(value: object) -> list[str]:
    """The strips of a strips file's data; None: our own."""
    return STANDARD if value is None else read(value)


CHOICES = {
    "first": (None, 0, 1),
    "groups": ("changed", "touching"),
    "bounds": bounds,
    "strips": strips,
}
