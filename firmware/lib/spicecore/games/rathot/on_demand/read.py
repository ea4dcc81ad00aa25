"""Read the position of Rat Hot from a line of text; refuse impossible positions.

Chips, points and the phase follow from the strips as they were laid, so a line is read by laying
them again. If the result differs from the line, the position is impossible.
"""

from spicecore import fields
from spicecore.games.rathot.layout import MARGIN
from spicecore.games.rathot.on_demand.text import DIRECTIONS, FIELDS, laid_text, text
from spicecore.games.rathot.strips import STANDARD, STRIPS, check
from spicecore.games.rathot.turn import aborted, lay, refused_lay, start, turned_up


def parse(line: str) -> dict:
    """The position that `text` wrote. ValueError names the field and what is wrong with it."""
    parts = fields.read(line, "rathot", "Rat Hot", FIELDS)
    state = _replay(parts)
    if text(state) != line:
        raise ValueError(_difference(text(state), line))
    return state


def _difference(right: str, line: str) -> str:
    """The field that differs after laying the strips again."""
    for mine, theirs in zip(right.split(" "), line.split(" ")):  # noqa: B905 - same length
        if mine != theirs:
            return "the strips as laid give %s, not %s" % (mine, theirs)
    return "the position is not written as text() writes it"


def _replay(parts: dict) -> dict:
    """Lay the strips again in the same order, drawn as before."""
    laid = [] if parts["laid"] == "-" else [_read_laid(w) for w in parts["laid"].split("/")]
    held, pile = _numbers(parts["held"], "held"), _numbers(parts["pile"], "pile")
    drawn = [each[0] for each in laid] + held
    if sorted(drawn + pile) != list(range(1, STRIPS)):
        raise ValueError("strips: laid, held and pile are not the 42 strips, each once")
    drawn.reverse()
    if parts["first"] not in ("0", "1"):
        raise ValueError("first must be seat 0 or 1")
    state = start(
        _options(parts["options"]), int(parts["first"]), _strips(parts["strips"]), pile + drawn
    )
    for each in laid:
        state = _next(state)
        refused = refused_lay(state, each)
        if refused:
            raise ValueError("laid: %s: %s" % (laid_text(each), refused[1]))
        state, _ = lay(state, each)
    if held and not state["held"]:
        state = _next(state)
    if parts["phase"] == "over,aborted,-" and state["phase"][0] != "over":
        return aborted(state)
    return state


def _next(state: dict) -> dict:
    """The state with strips turned up, if it is time for that."""
    return turned_up(state)[0] if state["phase"][0] == "turn_up" else state


def _options(word: str) -> dict:
    """ "c-", "t-", "c9x12": which groups score, and the bounds."""
    if word[:1] not in ("c", "t"):
        raise ValueError("options must begin with c (changed) or t (touching), not %r" % word)
    bounds = None
    if word[1:] != "-":
        sides = word[1:].split("x")
        if len(sides) != 2 or not all(_is_number(side) for side in sides):
            raise ValueError("options: bounds are WIDTHxHEIGHT or -, not %r" % word[1:])
        bounds = [int(side) for side in sides]
        if not all(3 <= side < MARGIN for side in bounds):
            raise ValueError("options: bounds must be 3 to %d squares" % (MARGIN - 1))
    return {"groups": "changed" if word[0] == "c" else "touching", "bounds": bounds}


def _strips(word: str) -> list[str]:
    if word == "standard":
        return STANDARD
    strips = word.split(".")
    check(strips)
    return strips


def _is_number(word: str) -> bool:
    digits = word[1:] if word[:1] == "-" else word
    return 0 < len(digits) < 5 and all(c in "0123456789" for c in digits)


def _numbers(word: str, name: str) -> list[int]:
    words = [] if word == "-" else word.split(",")
    if not all(_is_number(each) for each in words):
        raise ValueError("%s: %r are no numbers of strips" % (name, word))
    return [int(each) for each in words]


def _read_laid(word: str) -> list[int]:
    """[strip, x, y, d] of "12:-3,4w"."""
    strip, _, rest = word.partition(":")
    spot = rest[:-1].split(",")
    if rest[-1:] not in tuple(DIRECTIONS) or len(spot) != 2:
        raise ValueError("laid: %r is not STRIP:X,Y and one of e s w n" % word)
    if not all(_is_number(each) for each in (strip, spot[0], spot[1])):
        raise ValueError("laid: %r has something that is no number" % word)
    return [int(strip), int(spot[0]), int(spot[1]), DIRECTIONS.index(rest[-1])]
