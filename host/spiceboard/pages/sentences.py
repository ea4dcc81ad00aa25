"""Public effects, prompts and decisions as sentences for the pages, in every language.

The words are those of the terminal table's panels; here their markup becomes pieces of text, each
with the colour of the player it speaks of.
"""

from typing import Any

from rich.text import Text

from spiceboard import words
from spiceboard.bots.targets import ZONES
from spiceboard.table import panel
from spiceboard.table.announcements import board_line
from spiceboard.table.board import COLOURS
from spiceboard.words.refusals import said_by_board

Frame = dict[str, Any]
Piece = list[str]  # [text, style]
STYLES = {colour: name for name, colour in COLOURS.items()} | {"bold": "bold", "red": "trouble"}


def pieces(markup: str) -> list[Piece]:
    """[[text, style], ...] of markup with its line ends; style: a player's colour, "bold", ""."""
    text = Text.from_markup(markup)
    marks = [""] * len(text.plain)
    for span in text.spans:
        for word in str(span.style).split():
            if word in STYLES:
                for index in range(span.start, min(span.end, len(marks))):
                    marks[index] = STYLES[word]
    found: list[Piece] = []
    for char, mark in zip(text.plain, marks, strict=True):
        if found and found[-1][1] == mark:
            found[-1][0] += char
        else:
            found.append([char, mark])
    return found


def line_of(item: tuple[str, Any], view: Frame) -> dict[str, list[Piece]] | None:
    """An item of the wire as a line of the log, by language; None: not worth one."""
    kind, value = item
    found = {}
    for language in words.languages():
        with words.using(language):
            if kind == "game" and view:
                markup = panel.load(view["game"]).tell([None, *value], view)
            elif kind == "board":
                markup = board_line(value) if value[0] not in ("reader", "doubt") else None
            else:
                markup = None
            if not markup:
                return None
            found[language] = pieces(markup)
    return found


def told(effect: list[Any], view: Frame) -> list[Piece] | None:
    """A public effect in the current language; None: not worth a line."""
    markup = panel.load(view["game"]).tell([None, *effect], view)
    return pieces(markup) if markup else None


def zone_of(item: tuple[str, Any]) -> str | None:
    """The zone that a line is about."""
    flat = [part for part in item[1] if isinstance(part, str)]
    return next((part for part in reversed(flat) if part in ZONES), None)


def prompt(view: Frame) -> list[Piece]:
    """What is expected, and of whom."""
    return pieces(panel.load(view["game"]).prompt(view)) if view else []


def choices(page: Frame, seat: int) -> Frame:
    """The decisions of a seat's page: those it may take, those it may not with the reason, and the
    one that it has taken and may still change, or None."""
    view = page["view"]
    game = panel.load(view["game"])
    listed = [event for event in page["legal"] if event[0] not in ("moved", "lay", "exchange")]
    return {
        "choices": [[event, plain(game.describe(event, view))] for event in listed],
        "locked": [
            [event, plain(game.describe(event, view)), said_by_board(why)]
            for event, why in page["locked"]
        ],
        "said": page["said"] and [page["said"], plain(game.describe(page["said"], view))],
    }


def plain(markup: str) -> str:
    """A line without its markup."""
    return Text.from_markup(markup).plain


def described(event: list[Any], view: Frame) -> str:
    """A decision as a sentence; one that the game does not know as it came."""
    try:
        text = plain(panel.load(view["game"]).describe(event, view))
    except (LookupError, TypeError, ValueError):
        return " ".join(map(str, event))
    return text[:1].upper() + text[1:]
