"""Lines that the table says of the board itself, whatever the game."""

from typing import Any

from rich.markup import escape

from spiceboard.words import _


def words(zone: str | None) -> str:
    """A zone's name for people."""
    return _("nowhere") if zone is None else _(zone.replace("_", " "))


def difference(colour: str, seen: str | None, expected: str | None) -> str:
    """One chip that lies elsewhere than the game says, as an instruction."""
    if expected is None:
        return _("{colour}: please lift a chip from {zone}").format(
            colour=_(colour), zone=words(seen)
        )
    if seen is None:
        return _("{colour}: a chip is missing from {zone}").format(
            colour=_(colour), zone=words(expected)
        )
    return _("{colour}: a chip lies in {seen} and belongs to {zone}").format(
        colour=_(colour), seen=words(seen), zone=words(expected)
    )


def board_line(event: list[Any]) -> str | None:
    """An event of the board that people should read, or None."""
    kind = event[0]
    if kind == "refused":
        return f"[red]{escape(_(str(event[2])))}[/]"
    if kind == "reader":
        return f"[yellow]reader {words(event[1])}: {escape(str(event[2]))}[/]"
    if kind in ("task", "journal"):
        return f"[red]{escape(' '.join(map(str, event)))}[/]"
    if kind == "supply":
        return f"[red]supply {event[1]} mV: lights are dimmed[/]"
    if kind == "undone":
        return _("the last decision was taken back")
    if kind == "doubt":
        text = _("in doubt: {colour} in {zone}").format(colour=_(event[2]), zone=words(event[3]))
        return f"[yellow]{text}[/]"
    if kind == "decided":
        return _("it counts") if event[2] else _("it does not count")
    return None
