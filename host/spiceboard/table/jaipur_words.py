"""Words of Jaipur at the terminal table: players, cards, and decisions as lines of a menu."""

from spiceboard.table.board import COLOURS
from spiceboard.table.panel import Event, View
from spiceboard.words import N_, _, ngettext
from spicecore.games.jaipur.goods import GOODS, KINDS

SEATS = ("blue", "red")
INK = {
    "diamond": "#ff6060", "gold": "#ffc030", "silver": "#c8c8d8", "cloth": "#c080ff",
    "spice": "#50d050", "leather": "#d08040", "camel": "#d8b060",
}  # fmt: skip
REASONS = {
    "piles": N_("Three piles are empty."),
    "deck": N_("The market cannot be filled."),
}
SHORT = {
    "take": N_("take"),
    "exchange": N_("exchange"),
    "camels": N_("camels"),
    "sell": N_("sell"),
}
ACTIONS = {
    "take": N_("take one good"),
    "exchange": N_("exchange several goods"),
    "camels": N_("take all the camels"),
    "sell": N_("sell goods of one kind"),
}


def name(seat: int | None) -> str:
    """A seat in its colour, as markup."""
    if seat is None:
        return _("nobody")
    return f"[{COLOURS[SEATS[seat]]}]{_(SEATS[seat].capitalize())}[/]"


def ware(card: str) -> str:
    """A card in its colour, as markup."""
    return f"[{INK[card]}]{_(card)}[/]"


def camels(n: int) -> str:
    """`1 camel`, `3 camels`, as markup."""
    return f"[{INK['camel']}]" + ngettext("{n} camel", "{n} camels", n).format(n=n) + "[/]"


def wares(cards: list[str]) -> str:
    """`2 gold, 1 camel` of card names, in the order of the token rows."""
    parts = [counted_ware(kind, cards.count(kind)) for kind in KINDS if kind in cards]
    return ", ".join(parts) or _("nothing")


def counted_ware(card: str, n: int) -> str:
    """`2 diamonds` in their colour, as markup."""
    if card == "camel":
        return camels(n)
    texts = {
        "diamond": ngettext("{n} diamond", "{n} diamonds", n),
        "gold": ngettext("{n} gold", "{n} gold", n),
        "silver": ngettext("{n} silver", "{n} silver", n),
        "cloth": ngettext("{n} cloth", "{n} cloth", n),
        "spice": ngettext("{n} spice", "{n} spices", n),
        "leather": ngettext("{n} leather", "{n} leather", n),
    }
    return f"[{INK[card]}]{texts[card].format(n=n)}[/]"


def some_cards(n: int) -> str:
    """`1 card`, `2 cards`."""
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    if event[0] == "take":
        return _("take {card}").format(card=ware(event[2]))
    if event[0] == "exchange":
        text = _("take {cards} for {others}")
        return text.format(cards=wares(event[2]), others=wares(event[3]))
    if event[0] == "sell":
        return selling(event[2], event[3], view)
    return _("deal the next round") if event[0] == "next_round" else _(ACTIONS["camels"])


def selling(good: str, n: int, view: View) -> str:
    """A sale with what it brings: the tokens on top, and whether a bonus comes to them."""
    left = view["tokens"][GOODS.index(good)] if view else []
    values = left[-n:] if n else []
    parts = {"cards": counted_ware(good, n), "price": sum(values)}
    if n >= 3 and view and view["bonus"][min(n, 5) - 3]:
        return _("sell {cards} for {price} and a bonus").format(**parts)
    return _("sell {cards} for {price}").format(**parts)
