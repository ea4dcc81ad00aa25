"""A position of Rat Hot as one line of text."""

from spicecore import fields
from spicecore.games.rathot.strips import STANDARD

DIRECTIONS = "eswn"  # right (east), down, left, up
FIELDS = ("options", "first", "strips", "laid", "held", "pile", "points", "phase")


def text(state: dict) -> str:
    """The whole position, the order of the pile included: `rathot options=.. first=.. ...`."""
    options, strips = state["options"], state["strips"]
    bounds = options["bounds"]
    points = [pair[0] + 2 * pair[1] + more for pair, more in zip(state["chips"], state["noted"])]
    parts = {
        "options": options["groups"][0] + ("%dx%d" % tuple(bounds) if bounds else "-"),
        "first": str(state["first"]),
        "strips": "standard" if strips == STANDARD else ".".join(strips),
        "laid": "/".join(laid_text(each) for each in state["laid"][1:]) or "-",
        "held": ",".join(str(n) for n in state["held"]) or "-",
        "pile": ",".join(str(n) for n in state["pile"]) or "-",
        "points": "%d,%d" % tuple(points),
        "phase": ",".join("-" if part is None else str(part) for part in state["phase"]),
    }
    return fields.written("rathot", FIELDS, parts)


def laid_text(laid: list) -> str:
    """A strip as it lies: "12:-3,4w"."""
    return "%d:%d,%d%s" % (laid[0], laid[1], laid[2], DIRECTIONS[laid[3]])
