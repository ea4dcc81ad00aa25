"""A position of Jaipur as one line of text."""

from spicecore import fields
from spicecore.games.jaipur.goods import KINDS, cards_of

LETTERS = "dgscplm"  # one for each of KINDS; spice is p, camel is m
FIELDS = (
    "x", "options", "round", "starter", "seals", "phase", "market", "deck", "hands", "known",
    "herds", "tokens", "bonus", "won", "bonuses", "laid",
)  # fmt: skip


def text(state: dict) -> str:
    """The whole position, secrets included, as one line: `jaipur x=.. options=.. round=.. ...`."""
    options = state["options"]
    parts = {
        "x": str(state["chance"]),
        "options": ("e" if options["empty_sale"] else "-") + options["replay"][0],
        "round": str(state["round"]),
        "starter": str(state["starter"]),
        "seals": _joined(state["seals"], ","),
        "phase": ",".join("-" if part is None else str(part) for part in state["phase"]),
        "market": _letters(state["market"]),
        "deck": _letters(state["deck"]),
        "hands": "/".join(_letters(cards_of(hand)) for hand in state["hands"]),
        "known": "/".join(_letters(cards_of(known)) for known in state["known"]),
        "herds": _joined(state["herds"], ","),
        "tokens": _joined(state["tokens"], ","),
        "bonus": "/".join(_joined(pile, ".") for pile in state["bonus"]),
        "won": "/".join(_won(pairs) for pairs in state["won"]),
        "bonuses": "/".join(_bonuses(pairs) for pairs in state["bonuses"]),
        "laid": ".".join(chip + ":" + zone for chip, zone in sorted(state["laid"].items())) or "-",
    }
    return fields.written("jaipur", FIELDS, parts)


def _joined(numbers: list, mark: str) -> str:
    return mark.join(str(n) for n in numbers) or "-"


def _letters(cards: list) -> str:
    return "".join(LETTERS[KINDS.index(card)] for card in cards) or "-"


def _won(pairs: list) -> str:
    return ".".join("%s%d" % (LETTERS[KINDS.index(good)], value) for good, value in pairs) or "-"


def _bonuses(pairs: list) -> str:
    return ".".join("%d:%d" % (size, value) for size, value in pairs) or "-"
