"""The state of Safranito that a line of text describes; docs/notation.md has the fields."""

from spicecore.games.safranito.data import (
    BLENDS,
    BOWLS,
    CARDS_PER_SPICE,
    INDEX,
    SEAT,
    UNKNOWN,
    all_throws,
)
from spicecore.games.safranito.on_demand.check import (
    check_blends,
    check_cards,
    check_chips,
    check_phase,
)
from spicecore.games.safranito.on_demand.options import OPTION_LETTERS, OPTIONS
from spicecore.games.safranito.on_demand.text import text

CHANCE_MAX = (1 << 30) - 1


def parse(line: str) -> dict:
    """The state that a line describes. ValueError says what is wrong with it."""
    fields = line.split(" ")
    if fields[0] != "safranito":
        raise ValueError("not a position of Safranito: it must start with the word safranito")
    if len(fields) < 2 or fields[1] not in ("full", "referee"):
        raise ValueError("the mode must be full or referee")
    full = fields[1] == "full"
    if len(fields) != (22 if full else 17):
        raise ValueError("%d fields, not %d" % (len(fields), 21 if full else 16))
    n = _number(fields[2], 2, 4, "number of players")
    state: dict = {"game": "safranito", "mode": fields[1], "n": n, "options": _options(fields[3])}
    state["round"] = _number(fields[4], 1, CHANCE_MAX, "round")
    state["chef"] = _number(fields[5], 0, n - 1, "head chef")
    state["revealed"] = []
    state["lying"] = _chips(fields[7], n, state["revealed"], "lying chips")
    state["astray"] = _chips(fields[8], n, None, "chips astray")
    state["seen"] = [] if fields[9] == "-" else fields[9].split(",")
    state["missed"] = [_number(c, 0, 20, "missed") for c in _parts(fields[10], ",", n, "missed")]
    state["traded"] = [bowl for bowl in BOWLS if str(INDEX[bowl]) in fields[11]]
    state["open"] = _blends(fields[12], full)
    state["pile"] = _blends(fields[13], full)
    state["reserved"] = [_blends(b, full) for b in _parts(fields[14], "/", n, "reserved blends")]
    state["cooked"] = [_blends(b, full) for b in _parts(fields[15], "/", n, "cooked blends")]
    state["chance"] = _number(fields[16], 1, CHANCE_MAX, "chance")
    state["deck"] = state["discard"] = state["display"] = state["hands"] = state["money"] = None
    if full:
        state["deck"] = "" if fields[17] == "-" else fields[17]
        state["discard"] = _counts(fields[18], "discard pile")
        state["display"] = _counts(fields[19], "display")
        state["hands"] = [_counts(h, "hand") for h in _parts(fields[20], "/", n, "hands")]
        state["money"] = [
            _number(m, 0, CHANCE_MAX, "money") for m in _parts(fields[21], "/", n, "money")
        ]
    state["phase"] = _phase(fields[6], state)
    check_chips(state)
    check_blends(state)
    if full:
        check_cards(state)
    check_phase(state)
    if text(state) != line:
        raise ValueError("not the usual way to write this position, which is: %s" % text(state))
    return state


def _number(word: str, least: int, most: int, what: str) -> int:
    digits = word and len(word) < 11 and all(["0" <= c <= "9" for c in word])  # noqa: C419
    if not digits or not least <= int(word) <= most:
        raise ValueError("%s must be a number from %d to %d, not %s" % (what, least, most, word))
    return int(word)


def _parts(field: str, mark: str, n: int, what: str) -> list:
    parts = field.split(mark)
    if len(parts) != n:
        raise ValueError("%s: one for each of %d players" % (what, n))
    return parts


def _options(field: str) -> dict:
    known = "".join([letter for _, letter in OPTION_LETTERS])
    for letter in field if field != "-" else "":
        if letter not in known:
            raise ValueError("no option has the letter %s" % letter)
    return {name: OPTIONS[name][1 if c in field else 0] for name, c in OPTION_LETTERS}


def _chips(field: str, n: int, revealed: list | None, what: str) -> dict:
    """{chip: zone} of a field; chips with a star join `revealed` (None: stars and `-` differ)."""
    places: dict = {}
    for word in [] if field == "-" else field.split(","):
        chip, _, zone = word.partition("@")
        starred = zone[-1:] == "*"
        zone = zone[:-1] if starred else zone
        if chip not in SEAT or SEAT[chip] >= n:
            raise ValueError("%s: no chip %s in this game" % (what, chip))
        if chip in places:
            raise ValueError("%s: %s is there twice" % (what, chip))
        if zone == "-" and revealed is None:
            places[chip] = None
        elif zone in INDEX:
            places[chip] = zone
        else:
            raise ValueError("%s: no zone %s" % (what, zone))
        if starred:
            if revealed is None:
                raise ValueError("%s: %s cannot be turned up" % (what, chip))
            revealed.append(chip)
    return places


def _blends(field: str, full: bool) -> list:
    blends = []
    for letter in field if field != "-" else "":
        blend = UNKNOWN if letter == "?" else ord(letter) - 97
        if (blend == UNKNOWN) == full or not UNKNOWN <= blend < len(BLENDS):
            raise ValueError("no blend is written %s in this mode" % letter)
        blends.append(blend)
    return blends


def _counts(field: str, what: str) -> list:
    if len(field) != 9:
        raise ValueError("%s: nine digits, one for each spice" % what)
    return [_number(c, 0, CARDS_PER_SPICE, what) for c in field]


def _phase(field: str, state: dict) -> list:
    """The phase of a field, its items of the right kind and range."""
    parts = field.split("/")
    name, n = parts[0], state["n"]
    shapes = {
        "throw": 2, "extra_throw": 3, "spice_card": 3, "keep": 3, "reserve": 2, "head_chef": 2,
        "choose": 1, "sale": 4, "buy": 3, "cook": 3, "round_over": 1, "over": 2,
    }  # fmt: skip
    if shapes.get(name) != len(parts):
        raise ValueError("no phase is written %s" % field)
    if name == "throw":
        return [name, _number(parts[1], 0, all_throws(state), "throws made")]
    if name == "over" and parts[1] == "-":
        return [name, None]
    if name == "cook":
        return [name, _number(parts[1], 0, n - 1, "cook"), _number(parts[2], 0, 1, "opened")]
    if name in ("sale", "buy") and parts[1] not in BOWLS:
        raise ValueError("no bowl %s" % parts[1])
    if name == "sale":
        counts: list = []
        for count in _parts(parts[3], ",", n, "declared sales"):
            counts.append(None if count == "-" else _number(count, 0, 6, "declared sale"))
        return [name, parts[1], _number(parts[2], 10, 840, "price"), counts]
    if name == "buy":
        left = None if parts[2] == "-" else _number(parts[2], 1, 6, "cards on display")
        return [name, parts[1], left]
    if len(parts) == 1:
        return [name]
    phase = [name, _number(parts[1], 0, n - 1, "seat of the phase")]
    if name == "extra_throw":
        phase.append(_number(parts[2], 0, 1, "extra throw made"))
    elif name == "spice_card":
        phase.append(_number(parts[2], 1, 6, "cards to look at"))
    elif name == "keep":
        phase.append(parts[2])
    return phase
