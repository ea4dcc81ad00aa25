"""One line of text for a state of Safranito; docs/notation.md has the fields."""

from spicecore.games.safranito.data import CHIPS, INDEX, UNKNOWN
from spicecore.games.safranito.on_demand.options import OPTION_LETTERS, OPTIONS


def text(state: dict) -> str:
    """The state as one line."""
    s = state
    letters = [c for name, c in OPTION_LETTERS if s["options"][name] != OPTIONS[name][0]]
    fields = [
        "safranito",
        s["mode"],
        str(s["n"]),
        "".join(letters) or "-",
        str(s["round"]),
        str(s["chef"]),
        _phase_text(s["phase"]),
        _joined([_place(c, s["lying"][c], c in s["revealed"]) for c in CHIPS if c in s["lying"]]),
        _joined([_place(c, s["astray"][c], False) for c in CHIPS if c in s["astray"]]),
        _joined(s["seen"]),
        _joined([str(count) for count in s["missed"]]),
        "".join([str(INDEX[bowl]) for bowl in s["traded"]]) or "-",
        _letters(s["open"]),
        _letters(s["pile"]),
        "/".join([_letters(blends) for blends in s["reserved"]]),
        "/".join([_letters(blends) for blends in s["cooked"]]),
        str(s["chance"]),
    ]
    if s["mode"] == "full":
        fields += [
            s["deck"] or "-",
            _digits(s["discard"]),
            _digits(s["display"]),
            "/".join([_digits(hand) for hand in s["hands"]]),
            "/".join([str(money) for money in s["money"]]),
        ]
    return " ".join(fields)


def _joined(items: list) -> str:
    return ",".join(items) or "-"


def _place(chip: str, zone: str | None, revealed: bool) -> str:
    return "%s@%s%s" % (chip, zone or "-", "*" if revealed else "")


def _letters(blends: list) -> str:
    return "".join(["?" if b == UNKNOWN else chr(97 + b) for b in blends]) or "-"


def _digits(counts: list) -> str:
    return "".join([str(count) for count in counts])


def _phase_text(phase: list) -> str:
    parts = []
    for item in phase:
        if type(item) is list:
            item = ",".join(["-" if count is None else str(count) for count in item])
        parts.append("-" if item is None else str(item))
    return "/".join(parts)
