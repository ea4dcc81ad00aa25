"""One line of text for a state of Safranito; docs/notation.md has the fields."""

from spicecore.games.safranito.data import CHIPS, INDEX, UNKNOWN
from spicecore.games.safranito.on_demand.options import OPTION_LETTERS, OPTIONS


def text(state: dict) -> str:
    """The state as one line."""
    letters = [c for name, c in OPTION_LETTERS if state["options"][name] != OPTIONS[name][0]]
    fields = [
        "safranito",
        state["mode"],
        str(state["n"]),
        "".join(letters) or "-",
        str(state["round"]),
        str(state["chef"]),
        _phase_text(state["phase"]),
        _joined(
            [
                _place(c, state["lying"][c], c in state["revealed"])
                for c in CHIPS
                if c in state["lying"]
            ]
        ),
        _joined([_place(c, state["astray"][c], False) for c in CHIPS if c in state["astray"]]),
        _joined(state["seen"]),
        _joined([str(count) for count in state["missed"]]),
        "".join([str(INDEX[bowl]) for bowl in state["traded"]]) or "-",
        _letters(state["open"]),
        _letters(state["pile"]),
        "/".join([_letters(blends) for blends in state["reserved"]]),
        "/".join([_letters(blends) for blends in state["cooked"]]),
        str(state["chance"]),
    ]
    if state["mode"] == "full":
        fields += [
            state["deck"] or "-",
            _digits(state["discard"]),
            _digits(state["display"]),
            "/".join([_digits(hand) for hand in state["hands"]]),
            "/".join([str(money) for money in state["money"]]),
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
