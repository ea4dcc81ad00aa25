"""Safranito at the terminal table: labels of the zones, displays, hand, prompts, menus, log."""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from spiceboard.bots.targets import BOWLS, ZONES
from spiceboard.table.board import COLOURS
from spiceboard.table.menu import Menu
from spiceboard.table.panel import Chooser, Event, View

SEATS = ("blue", "red", "green", "orange")
# The prompt of a phase, after the names of those who are asked; and the title of its question.
PHASES = {
    "throw": ("throws a chip", "it is your throw"),
    "extra_throw": ("may throw one more chip", "an extra throw"),
    "spice_card": ("may draw spice cards", "spice cards"),
    "keep": ("keeps one of the spice cards drawn", "which card do you keep?"),
    "reserve": ("may reserve a blend", "a blend of your own?"),
    "head_chef": ("may become head chef", "the mill?"),
    "choose": ("chooses the bowl that is traded next", "which bowl is next?"),
    "sale": ("sells, or does not", "how many do you sell?"),
    "buy": ("may buy", "do you buy?"),
    "cook": ("may cook", "what do you cook?"),
    "round_over": ("begins the next round", "the round is over"),
}
TELLING = ("moved", "sell", "keep", "buy", "cook_open", "cook_reserved")


def some_cards(n: int) -> str:
    """`1 card`, `2 cards`."""
    return "1 card" if n == 1 else f"{n} cards"


def name(seat: int | None) -> str:
    """A seat in its colour, as markup."""
    if seat is None:
        return "nobody"
    return f"[{COLOURS[SEATS[seat]]}]{SEATS[seat].capitalize()}[/]"


def spice(number: int) -> str:
    """A spice by its number on the wire."""
    return BOWLS[number]


def labels(view: View) -> dict[str, list[str]]:
    """Name, what lies on display, and totals once they are known."""
    result: dict[str, list[str]] = {}
    for zone in ZONES:
        lines = [zone.replace("_", " ")]
        if not view:
            result[zone] = lines
            continue
        cards = view["display"].get(zone, 0) if view["display"] else 0
        if cards:
            lines.append(f"[#e8c060]{'▮' * cards}[/]")
        chips = view["zones"].get(zone, [])
        if chips and all(value is not None for _, value in chips):
            lines.append(" ".join(f"[{COLOURS[SEATS[s]]}]{v}[/]" for s, v in sums(chips)))
            if zone == view["bowl"] and view["price"]:
                lines.append(f"[bold]{view['price']} each[/]")
        result[zone] = lines
    return result


def sums(chips: list[Any]) -> list[tuple[int, int]]:
    """(seat, total) of turned-up chips, by seat."""
    totals: dict[int, int] = {}
    for seat, value in chips:
        totals[seat] = totals.get(seat, 0) + value
    return sorted(totals.items())


def public(view: View) -> RenderableType:
    """Open blends, and a row for each seat."""
    if not view:
        return Text("no game is on")
    seats = Table(box=None, padding=(0, 1), show_edge=False)
    for column in ("", "rupees", "cards", "cooked", "reserved", "missed"):
        seats.add_column(column, justify="left" if not column else "right")
    for seat in range(view["players"]):
        money = view["money"][seat] if view["money"] else None
        cards = view["cards"][seat] if view["cards"] else None
        row = [money, cards, len(view["cooked"][seat]), view["reserved"][seat]]
        mill = " ♛" if seat == view["chef"] else ""
        cells = ["?" if cell is None else str(cell) for cell in [*row, view["missed"][seat]]]
        seats.add_row(Text.from_markup(name(seat) + mill), *cells)
    blends = "\n".join(f"  {blend_name(blend)}" for blend in view["open"]) or "  none"
    head = f"[dim]round {view['round']}, deck {view['deck']}, blends left {view['pile']}[/]"
    return Group(
        Text.from_markup(head),
        seats,
        Text.from_markup(f"[bold]open blends[/]\n{blends}"),
    )


def blend_name(blend: list[Any]) -> str:
    """`curry, ginger, cardamom` of [number, spices]."""
    return ", ".join(blend[1]) if blend[1] else "a blend of the real table"


def private(legal: list[Event]) -> bool:
    """Chips to throw, cards to sell, to keep or to cook with tell what a seat holds."""
    return any(event[0] in TELLING for event in legal)


def picture(view: View, rows: int) -> RenderableType | None:
    """What lies on the board is drawn as the board."""
    return None


def hand(view: View, seat: int) -> RenderableType | None:
    """Money, cards, reserved blends, chips."""
    you = view["you"]
    cards = ", ".join(f"{n} {what}" for what, n in sorted((you["hand"] or {}).items())) or "none"
    reserved = "; ".join(blend_name(blend) for blend in you["reserved"]) or "none"
    lines = [
        f"{name(seat)}: [bold]{you['money']}[/] rupees",
        f"cards: {cards}",
        f"reserved: {reserved}",
        "chips: "
        + ", ".join(
            chip[1:] + (f" in {zone.replace('_', ' ')}" if zone else "")
            for chip, zone in sorted(you["chips"].items())
        ),
    ]
    if you["drawn"]:
        lines.append("looked at: " + ", ".join(you["drawn"]))
    return Text.from_markup("\n".join(lines))


def sale_of(view: View) -> str:
    """What is sold at which price."""
    return f"Sale of {view['bowl']} at {view['price']} each:"


def prompt(view: View) -> str:
    """Who must do what now."""
    if not view:
        return "no game is on"
    asked = ", ".join(name(seat) for seat in view["asked"])
    phase = view["phase"][0]
    if phase == "over":
        won = view["winner"]
        return "The game was ended." if won is None else f"{name(won)} wins the game!"
    if phase == "throw" and view["throws"]["made"] == view["throws"]["of"]:
        return f"All have thrown: {asked} turns up the action spaces."
    if phase == "throw":
        number = view["throws"]["made"] + 1
        return f"{asked} throws a chip ({number} of {view['throws']['of']})."
    if phase == "buy":
        return f"{asked} may buy {view['bowl']} for {view['total']}."
    if phase == "sale":
        return f"{sale_of(view)} {asked} {'say' if len(view['asked']) > 1 else 'says'} how many."
    return f"{asked} {PHASES[phase][0]}."


DESCRIPTIONS: dict[str, Callable[[Event, View], str]] = {
    "missed": lambda e, v: "the throw hit nothing",
    "reveal": lambda e, v: "turn up the action spaces",
    "pass": lambda e, v: "decline",
    "draw": lambda e, v: f"draw {some_cards(v['phase'][2])} and keep one",
    "keep": lambda e, v: f"keep {e[2]}",
    "reserve": lambda e, v: "reserve the top blend of the pile",
    "take": lambda e, v: "take the mill and be head chef",
    "choose": lambda e, v: f"trade {e[2]} next",
    "sell": lambda e, v: "sell none" if e[2] == 0 else f"sell {e[2]} for {e[2] * v['price']}",
    "close": lambda e, v: "close the sale",
    "buy": lambda e, v: f"buy it for {v['total']}",
    "decline": lambda e, v: "do not buy; the chips go home",
    "display": lambda e, v: f"{e[2]} cards of it are on display",
    "no_open": lambda e, v: "take no open blend",
    "done": lambda e, v: "done with cooking",
    "next_round": lambda e, v: "begin the next round",
}


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    if event[0] in ("cook_open", "cook_reserved"):
        number = event[2] if len(event) > 2 else -1
        known = [*view["open"], *view.get("you", {}).get("reserved", [])]
        spices = next((blend_name(blend) for blend in known if blend[0] == number), "a blend")
        return f"cook {spices} ({'open' if event[0] == 'cook_open' else 'reserved'})"
    if event[0] == "moved":
        return f"throw the {event[2][0][0][1:]}"
    writer = DESCRIPTIONS.get(event[0])
    return writer(event, view) if writer else " ".join(map(str, event))


def zone(word: str | None) -> str:
    """A zone for people."""
    return "nowhere" if word is None else word.replace("_", " ")


def moved_text(seat: int, start: str | None, end: str | None) -> str:
    """A chip that was pushed, or lifted."""
    if end is None:
        return f"a chip of {name(seat)} leaves {zone(start)}"
    came = f" from {zone(start)}" if start else ""
    return f"a chip of {name(seat)} comes{came} to {zone(end)}"


def chips_text(rows: list[Any]) -> str:
    """`Blue 40, Red 10` of [[seat, value], ...]."""
    return ", ".join(f"{name(seat)} {value}" for seat, value in rows)


# Lines of the log by kind of effect; its parts follow the audience and the kind.
LINES: dict[str, Callable[..., str]] = {
    "thrown": lambda s, z: f"{name(s)} throws into {zone(z)}",
    "missed": lambda s: f"{name(s)} misses",
    "back": lambda s, z: f"a chip of {name(s)} is in {zone(z)} after all",
    "moved": lambda s, a, b: moved_text(s, a, b),
    "judged": lambda s, z: f"the head chef: {name(s)}'s chip counts {zone(z)}",
    "accepted": lambda rows: "the board is taken as it lies",
    "revealed": lambda z, rows: f"turned up in {zone(z)}: {chips_text(rows)}",
    "won": lambda z, s, t: f"{name(s)} wins {zone(z)} with {t}",
    "passed": lambda s, z: f"{name(s)} declines {zone(z)}",
    "no_blend": lambda s: f"no blend is left for {name(s)}",
    "reshuffled": lambda n: f"the discard pile is shuffled: {some_cards(n)}",
    "drew": lambda s, n: f"{name(s)} looks at {some_cards(n)}",
    "kept": lambda s: f"{name(s)} keeps one",
    "reserved": lambda s: f"{name(s)} reserves a blend",
    "chef": lambda s: f"{name(s)} is head chef",
    "price": lambda b, t: f"[bold]{b}: {t} rupees a card[/]",
    "offers": lambda s, n: f"{name(s)} sells {n}" if n else f"{name(s)} sells none",
    "sold": lambda s, b, n, a: f"{name(s)} gets {a} for {n} {b}",
    "bought": lambda s, b, p: f"{name(s)} buys {b} for {p}",
    "declined": lambda s, b: f"{name(s)} does not buy {b}",
    "displayed": lambda b, n: f"{n} {b} on display",
    "no_card": lambda b: f"no {b} is on display",
    "cooked": lambda s, b, how: f"[bold]{name(s)} cooks a blend ({how})[/]",
    "winner": lambda s: f"[bold]{name(s)} wins the game[/]",
    "aborted": lambda: "the game was ended",
    "round": lambda n: f"[bold]round {n}[/]",
}


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log; chips that are lifted to go home need none."""
    throwing = view.get("phase", ["throw"])[0] in ("throw", "extra_throw")
    if effect[1] == "moved" and not throwing:
        return None
    line = LINES.get(effect[1])
    return line(*effect[2:]) if line else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """A menu of the decisions, the usual one first."""
    title = f"{name(seat)}, {PHASES[view['phase'][0]][1]}"
    kinds = [event[0] for event in legal]
    if kinds == ["reveal"]:
        title = f"{name(seat)}, all have thrown"
    if "close" in kinds and view["offers"][seat] is not None:
        legal = sorted(
            legal, key=lambda event: event[0] != "close"
        )  # all have said what they sell
    if "no_open" in kinds and not view["you"]["reserved"]:
        legal = [event for event in legal if event[0] != "no_open"]  # the same as to be done
    return Menu(title, [(describe(event, view), event) for event in legal])
