"""Lines that the table says of the board itself, whatever the game."""

from typing import Any

from rich.markup import escape


def words(zone: str | None) -> str:
    """A zone's name for people."""
    return "nowhere" if zone is None else zone.replace("_", " ")


def difference(colour: str, seen: str | None, expected: str | None) -> str:
    """One chip that lies elsewhere than the game says, as an instruction."""
    if expected is None:
        return f"{colour}: lift a chip from {words(seen)}"
    if seen is None:
        return f"{colour}: a chip is missing from {words(expected)}"
    return f"{colour}: a chip lies in {words(seen)} and belongs to {words(expected)}"


def board_line(event: list[Any]) -> str | None:
    """An event of the board that people should read, or None."""
    kind = event[0]
    if kind == "refused":
        return f"[red]{escape(str(event[2]))}[/]"
    if kind == "reader":
        return f"[yellow]reader {words(event[1])}: {escape(str(event[2]))}[/]"
    if kind in ("task", "journal"):
        return f"[red]{escape(' '.join(map(str, event)))}[/]"
    if kind == "supply":
        return f"[red]supply {event[1]} mV: lights are dimmed[/]"
    if kind == "undone":
        return "the last decision was taken back"
    if kind == "doubt":
        return f"[yellow]in doubt: {event[2]} in {words(event[3])}[/]"
    if kind == "decided":
        return f"it {'counts' if event[2] else 'does not count'}"
    return None
