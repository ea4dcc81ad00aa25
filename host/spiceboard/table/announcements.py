"""Lines that the table says of the board itself, whatever the game."""

from typing import Any

from rich.markup import escape
from rich.text import Text

from spiceboard.words import N_, _, ngettext
from spiceboard.words.places import inside
from spiceboard.words.refusals import said_by_board

READER = {
    "dead": N_("it does not answer"),
    "ok": N_("it answers again"),
    "incomplete": N_("a chip is not read whole"),
    "stranger": N_("a tag lies there that no chip has"),
    "duplicate": N_("a chip lies there that lies elsewhere too: one is a copy, lift it"),
}


def words(zone: str | None) -> str:
    """A zone's name for people."""
    return _("nowhere") if zone is None else _(zone.replace("_", " "))


def difference(colour: str, seen: str | None, expected: str | None) -> str:
    """One chip that lies elsewhere than the game says, as an instruction."""
    if expected is None:
        return _("{colour}: please lift a chip from {zone}").format(
            colour=_(colour), zone=inside(seen)
        )
    if seen is None:
        return _("{colour}: a chip is missing from {zone}").format(
            colour=_(colour), zone=inside(expected)
        )
    return _("{colour}: a chip lies in {seen} and belongs to {zone}").format(
        colour=_(colour), seen=inside(seen), zone=inside(expected)
    )


def board_line(event: list[Any]) -> str | None:
    """An event of the board that people should read, or None."""
    kind = event[0]
    if kind == "refused":
        return f"[red]{escape(said_by_board(str(event[2])))}[/]"
    if kind == "reader":
        state = _(READER[event[2]]) if event[2] in READER else escape(str(event[2]))
        text = _("reader {zone}: {state}").format(zone=words(event[1]), state=state)
        return f"[yellow]{text}[/]"
    if kind in ("task", "journal"):
        text = _("a part of the board started again: {text}")
        if kind == "journal":
            text = _("the board cannot keep its record: {text}")
        return f"[red]{text.format(text=escape(' '.join(map(str, event[1:]))))}[/]"
    if kind == "supply":
        text = _("supply {n} mV: lights are dimmed").format(n=event[1])
        return f"[red]{text}[/]"
    if kind == "undone":
        return _("the last decision was taken back")
    if kind == "doubt":
        text = _("in doubt: {colour} in {zone}") if event[3] else _("not heard: {colour}")
        text = text.format(colour=_(event[2]), zone=inside(event[3]))
        return f"[yellow]{text}[/]"
    if kind == "decided":
        return _("it counts") if event[2] else _("it does not count")
    return None


def sentences(panel: Any, effects: list[list[Any]], view: dict[str, Any]) -> list[str]:
    """What a table's log tells of effects, as plain lines. view: the public one before them."""
    told = [panel.tell(effect, view) for effect in effects if effect[0] is None]
    lines = "\n".join(text for text in told if text)
    return Text.from_markup(lines).plain.split("\n") if lines else []


def score_text(what: str, n: int) -> str:
    """A score of `standing` for people: `3 blends`, `41 points`."""
    texts = {
        "blends": lambda: ngettext("{n} blend", "{n} blends", n),
        "points": lambda: ngettext("{n} point", "{n} points", n),
        "seals": lambda: ngettext("{n} seal of excellence", "{n} seals of excellence", n),
        "lines": lambda: ngettext("{n} line", "{n} lines", n),
    }
    return texts[what]().format(n=n) if what in texts else f"{n} {_(what)}"
