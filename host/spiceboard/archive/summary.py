"""Many games in words: what `spiceboard games stats` prints, and the statistics page shows."""

from typing import Any

from spiceboard.table.announcements import score_text
from spiceboard.words import N_, _, ngettext

Figures = dict[str, Any]  # of one game, by counts.together
SAID = (N_("person"), N_("outside"))  # what the figures say beside colours and zones


def length(figures: Figures) -> str:
    """How many games there were, and how long."""
    lengths = figures["events"]
    text = ngettext(
        "{n} game of {least} to {most} events",
        "{n} games of {least} to {most} events",
        figures["games"],
    )
    return text.format(n=figures["games"], least=lengths["least"], most=lengths["most"])


def results(figures: Figures) -> list[str]:
    """Who won, with how much, and how many throws missed."""
    found = [_("won: {list}").format(list=told(figures["wins"]))]
    for what, values in figures["won_with"].items():
        same = values["least"] == values["most"]
        text = _("won with: {middle}, from {least} to {most}")
        text = _("won with: {middle}") if same else text
        found.append(text.format(**{name: score_text(what, n) for name, n in values.items()}))
    if figures["throws"]:
        share = f"{100 * figures['misses'] / figures['throws']:.0f}"
        text = _("throws: {n}, missed {share} %")
        found.append(text.format(n=figures["throws"], share=share))
    return found


def zones(figures: Figures) -> list[tuple[str, int, int]]:
    """(zone, chips thrown there, doubts about them), the zones with most chips first."""
    landed, doubts = figures["landed"], figures["doubts"]
    names = [*landed, *(name for name in doubts if name not in landed)]
    return [(label(name), landed.get(name, 0), doubts.get(name, 0)) for name in names]


def told(numbers: dict[str, int]) -> str:
    """`blue (person) 3, red (sensible) 2`; a player, or a zone."""
    return ", ".join(f"{label(name)} {n}" for name, n in numbers.items()) or _("nobody")


def label(name: str) -> str:
    """A zone, or a colour with who played it, in the language."""
    colour, opened, who = name.replace("_", " ").partition(" (")
    return _(colour) + (f" ({_(who[:-1])})" if opened else "")
