"""Zones in sentences. English says `saffron` everywhere; other languages need an article, and a
preposition that fits: `le bol de safran`, `sur la case Chef cuisinier`.

What stands before the bar tells a translator what the word is for; English leaves it away.
"""

from spiceboard.words import N_, _

PLACES = {  # as something that is won, left, aimed at
    "curry": N_("place|curry"),
    "ginger": N_("place|ginger"),
    "cardamom": N_("place|cardamom"),
    "chili": N_("place|chili"),
    "saffron": N_("place|saffron"),
    "garlic": N_("place|garlic"),
    "mint": N_("place|mint"),
    "cumin": N_("place|cumin"),
    "cinnamon": N_("place|cinnamon"),
    "extra_throw": N_("place|extra throw"),
    "spice_card": N_("place|spice card"),
    "reserve": N_("place|reserve"),
    "head_chef": N_("place|head chef"),
}
INSIDE = {  # where something lies, or goes
    "curry": N_("in|curry"),
    "ginger": N_("in|ginger"),
    "cardamom": N_("in|cardamom"),
    "chili": N_("in|chili"),
    "saffron": N_("in|saffron"),
    "garlic": N_("in|garlic"),
    "mint": N_("in|mint"),
    "cumin": N_("in|cumin"),
    "cinnamon": N_("in|cinnamon"),
    "extra_throw": N_("in|extra throw"),
    "spice_card": N_("in|spice card"),
    "reserve": N_("in|reserve"),
    "head_chef": N_("in|head chef"),
}


def place(zone: str | None) -> str:
    """A zone as something that is won, left or aimed at."""
    return _told(PLACES, zone)


def inside(zone: str | None) -> str:
    """A zone as where something lies, or goes."""
    return _told(INSIDE, zone)


def _told(table: dict[str, str], zone: str | None) -> str:
    if zone is None:
        return _("nowhere")
    text = table.get(zone, zone)
    told = _(text)
    return told if told != text else text.partition("|")[2] or text
