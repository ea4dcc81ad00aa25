"""Safranito at the terminal table: labels of the zones, displays, hand, prompts, menus, log."""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from spiceboard.bots.targets import BOWLS, ZONES
from spiceboard.table.board import COLOURS
from spiceboard.table.menu import Menu
from spiceboard.table.panel import Chooser, Event, View, bold
from spiceboard.words import N_, _, ngettext
from spiceboard.words.places import inside, place
from spicecore.games.safranito.data import BLENDS

SEATS = ("blue", "red", "green", "orange")
# The prompt of a phase; and the title of its question.
PHASES = {
    "throw": (N_("{name} throws a chip."), N_("it is your throw")),
    "extra_throw": (N_("{name} may throw one more chip."), N_("one more throw")),
    "spice_card": (N_("{name} may draw spice cards."), N_("do you draw spice cards?")),
    "keep": (N_("{name} keeps one of the spice cards drawn."), N_("which card do you keep?")),
    "reserve": (N_("{name} may reserve a blend."), N_("a blend of your own?")),
    "head_chef": (N_("{name} may become head chef."), N_("the mill?")),
    "choose": (N_("{name} chooses the bowl that is traded next."), N_("which bowl is next?")),
    "sale": (N_("{name} sells, or does not."), N_("how many do you sell?")),
    "buy": (N_("{name} may buy."), N_("do you buy?")),
    "cook": (N_("{name} may cook."), N_("what do you cook?")),
    "round_over": (N_("{name} goes on with the next round."), N_("the round is over")),
}
TELLING = ("moved", "sell", "keep", "buy", "cook_open", "cook_reserved")


def some_cards(n: int) -> str:
    """`1 card`, `2 cards`."""
    return ngettext("{n} card", "{n} cards", n).format(n=n)


def name(seat: int | None) -> str:
    """A seat in its colour, as markup."""
    if seat is None:
        return _("nobody")
    return f"[{COLOURS[SEATS[seat]]}]{_(SEATS[seat].capitalize())}[/]"


def labels(view: View) -> dict[str, list[str]]:
    """Name, what lies on display, and totals once they are known."""
    result: dict[str, list[str]] = {}
    for zone in ZONES:
        lines = [_(zone.replace("_", " "))]
        if not view:
            result[zone] = lines
            continue
        cards = view["display"].get(zone, 0) if view["display"] else 0
        if cards:
            lines.append(f"[#e8c060]{'▮' * cards}[/]")
        chips = view["zones"].get(zone, [])
        if chips and all(value is not None for _, value in chips):
            totals = [total_of(seat, total) for seat, total in sums(chips)]
            lines += [" ".join(totals[k : k + 2]) for k in range(0, len(totals), 2)]
            if zone == view["bowl"] and view["price"]:
                lines.append(bold(_("{n} each").format(n=view["price"])))
        result[zone] = lines
    return result


def total_of(seat: int, total: int) -> str:
    """`B60`: a total, with the letter of its owner for those who see no colours."""
    return f"[{COLOURS[SEATS[seat]]}]{_(SEATS[seat].capitalize())[:1]}{total}[/]"


def sums(chips: list[Any]) -> list[tuple[int, int]]:
    """(seat, total) of turned-up chips, by seat."""
    totals: dict[int, int] = {}
    for seat, value in chips:
        totals[seat] = totals.get(seat, 0) + value
    return sorted(totals.items())


def public(view: View) -> RenderableType:
    """What is for sale, open blends, and a row for each seat."""
    if not view:
        return Text(_("no game is on"))
    seats = Table(box=None, padding=(0, 1), show_edge=False)
    columns = ["", _("rupees"), _("cards"), _("cooked"), _("own"), _("missed")]
    for index, column in enumerate(columns):
        seats.add_column(column, justify="right" if index else "left", no_wrap=True)
    own = view.get("you") or {}
    for seat in range(view["players"]):
        money = view["money"][seat] if view["money"] else None
        if money is None and own.get("seat") == seat:
            money = own["money"]
        cards = view["cards"][seat] if view["cards"] else None
        row = [money, cards, len(view["cooked"][seat]), view["reserved"][seat]]
        mill = " ♛" if seat == view["chef"] else ""
        unknown = "?" if view["mode"] == "full" else "-"
        cells = [unknown if cell is None else str(cell) for cell in [*row, view["missed"][seat]]]
        seats.add_row(Text.from_markup(name(seat) + mill), *cells)
    blends = "\n".join(f"  {blend_name(blend)}" for blend in view["open"]) or "  " + _("no blend")
    return Group(
        Text.from_markup(f"[dim]{piles(view)}[/]"),
        seats,
        Text.from_markup(bold(_("open blends")) + f"\n{blends}"),
        *([] if view["display"] is None else [Text.from_markup(for_sale(view))]),
    )


def piles(view: View) -> str:
    """Round and piles in one line."""
    if view["deck"] is None:
        return _("round {n}, {m} blends in the pile").format(n=view["round"], m=view["pile"])
    text = _("round {n}, {m} blends in the pile, {cards} in the deck")
    return text.format(n=view["round"], m=view["pile"], cards=some_cards(view["deck"]))


def for_sale(view: View) -> str:
    """The spices that may be bought."""
    there = ", ".join(f"{_(what)} {n}" for what, n in view["display"].items())
    return _("for sale: {list}").format(list=there or _("none"))


def blend_name(blend: list[Any]) -> str:
    """`curry, ginger, cardamom` of [number, spices]."""
    return ", ".join(map(_, blend[1])) if blend[1] else _("a blend of the real table")


def private(legal: list[Event]) -> bool:
    """Chips to throw, cards to sell, to keep or to cook with tell what a seat holds."""
    return any(event[0] in TELLING for event in legal)


def picture(view: View, rows: int) -> RenderableType | None:
    """What lies on the board is drawn as the board."""
    return None


def hand(view: View, seat: int) -> RenderableType | None:
    """Money, cards, reserved blends, chips; on the real table only chips are known."""
    you = view["you"]
    lines = []
    if you["hand"] is not None:
        cards = ", ".join(f"{n} {_(what)}" for what, n in sorted(you["hand"].items()))
        reserved = _("; ").join(blend_name(blend) for blend in you["reserved"])
        lines = [
            _("{name}: {n} rupees").format(name=name(seat), n=f"[bold]{you['money']}[/]"),
            _("cards: {list}").format(list=cards or _("none")),
            _("reserved: {list}").format(list=reserved or _("no blend")),
        ]
    else:
        lines = [_("{name}: cards and money lie on the table").format(name=name(seat))]
    lines.append(_("chips: {list}").format(list=chips_line(you)))
    if you["drawn"]:
        lines.append(_("looked at: {list}").format(list=", ".join(map(_, you["drawn"]))))
    return Text.from_markup("\n".join(lines))


def chips_line(you: View) -> str:
    """`in hand 10, 20; saffron 60; used 30`: those thrown in this round that lie in no zone are
    used up, as far as the board saw them."""
    places: dict[str, list[str]] = {}
    for chip, where in sorted(you["chips"].items()):
        at = zone(where) if where else _("in hand") if chip in you["throwable"] else _("used")
        places.setdefault(at, []).append(chip[1:])
    return _("; ").join(f"{at} {', '.join(values)}" for at, values in places.items())


def sale_of(view: View) -> str:
    """What is sold at which price."""
    return _("Sale of {spice} at {price} each:").format(spice=_(view["bowl"]), price=view["price"])


def arbiter(view: View) -> int | None:
    """The head chef decides doubts."""
    return int(view["chef"])


def slow(effect: list[Any]) -> bool:
    """Chips that are turned up, sales and the end of a round are looked at."""
    return effect[1] in ("revealed", "sold") or effect[1:] == ["phase", "round_over"]


def prompt(view: View) -> str:
    """Who must do what now."""
    if not view:
        return _("no game is on")
    asked = ", ".join(name(seat) for seat in view["asked"])
    phase = view["phase"][0]
    if phase == "over":
        won = view["winner"]
        if won is None:
            return _("The game was ended.")
        return _("{name} wins the game!").format(name=name(won))
    if phase == "throw" and view["throws"]["made"] == view["throws"]["of"]:
        return _("All have thrown: {name} turns up the action spaces.").format(name=asked)
    if phase == "throw":
        text = _("{name} throws a chip ({n} of {all}).")
        made, of = view["throws"]["made"] + 1, view["throws"]["of"]
        return text.format(name=asked, n=made, all=of)
    if phase == "buy":
        text = _("{name} may buy {spice} for {price}.")
        return text.format(name=asked, spice=_(view["bowl"]), price=view["total"])
    if phase == "sale":
        return f"{sale_of(view)} {asked_to_sell(view, asked)}"
    return _(PHASES[phase][0]).format(name=asked)


def asked_to_sell(view: View, asked: str) -> str:
    """Who has yet to say what they sell, or to close the sale."""
    if None not in view["offers"]:
        return _("{name} closes the sale.").format(name=asked)
    many = len(view["asked"])
    return ngettext("{name} says how many.", "{name} say how many.", many).format(name=asked)


DESCRIPTIONS: dict[str, Callable[[Event, View], str]] = {
    "missed": lambda e, v: _("the throw hit nothing"),
    "reveal": lambda e, v: _("turn up the action spaces"),
    "pass": lambda e, v: _("decline"),
    "draw": lambda e, v: _("draw {cards} and keep one").format(cards=some_cards(v["phase"][2])),
    "keep": lambda e, v: _("keep {spice}").format(spice=_(e[2])),
    "reserve": lambda e, v: _("reserve the top blend of the pile"),
    "take": lambda e, v: _("take the mill and be head chef"),
    "choose": lambda e, v: _("trade {spice} next").format(spice=_(e[2])),
    "sell": lambda e, v: selling(e[2], v),
    "close": lambda e, v: _("close the sale"),
    "buy": lambda e, v: buying(v),
    "decline": lambda e, v: not_buying(v),
    "display": lambda e, v: _("{cards} of it are on display").format(cards=some_cards(e[2])),
    "no_open": lambda e, v: _("take no open blend"),
    "done": lambda e, v: _("done with cooking"),
    "next_round": lambda e, v: _("begin the next round"),
}


def selling(n: int, view: View) -> str:
    """What a sale brings."""
    if n == 0:
        return _("sell none")
    return _("sell {n} for {price}").format(n=n, price=n * view["price"])


def buying(view: View) -> str:
    """What a purchase costs, and what is left."""
    money = view.get("you", {}).get("money")
    if money is None:
        return _("buy it for {price}").format(price=view["total"])
    text = _("buy it for {price}; you would have {left} left")
    return text.format(price=view["total"], left=money - view["total"])


def not_buying(view: View) -> str:
    """What declining does, as the option says."""
    if view["options"]["decline"] == "top":
        return _("do not buy; your highest chip goes home")
    return _("do not buy; your chips go home")


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    if event[0] in ("cook_open", "cook_reserved"):
        number = event[2] if len(event) > 2 else -1
        known = [*view["open"], *view.get("you", {}).get("reserved", [])]
        spices = next((blend_name(blend) for blend in known if blend[0] == number), _("a blend"))
        reserved = event[0] == "cook_reserved"
        text = _("cook {blend} (reserved)") if reserved else _("cook {blend} (open)")
        return text.format(blend=spices)
    if event[0] == "moved":
        return _("throw the {value}").format(value=event[2][0][0][1:])
    writer = DESCRIPTIONS.get(event[0])
    return writer(event, view) if writer else " ".join(map(str, event))


def zone(word: str | None) -> str:
    """A zone for people."""
    return _("nowhere") if word is None else _(word.replace("_", " "))


def moved_text(seat: int, start: str | None, end: str | None) -> str:
    """A chip that was pushed, or lifted."""
    if end is None:
        return _("a chip of {name} leaves {zone}").format(name=name(seat), zone=place(start))
    if start is None:
        return _("a chip of {name} comes to {zone}").format(name=name(seat), zone=inside(end))
    text = _("a chip of {name} comes from {start} to {zone}")
    return text.format(name=name(seat), start=place(start), zone=inside(end))


def chips_text(rows: list[Any]) -> str:
    """`Blue 40, Red 10` of [[seat, value], ...]."""
    return ", ".join(f"{name(seat)} {value}" for seat, value in rows)


def cooked_text(seat: int, blend: int, how: str) -> str:
    """Who cooked what."""
    spices = blend_name([blend, [BOWLS[i] for i in BLENDS[blend]] if blend >= 0 else []])
    text = _("{name} cooks {blend}")
    if how == "reserved":
        text = _("{name} cooks {blend}, a reserved blend")
    return bold(text.format(name=name(seat), blend=spices))


def offers_text(seat: int, n: int) -> str:
    """What somebody sells."""
    if n == 0:
        return _("{name} sells none").format(name=name(seat))
    return _("{name} sells {n}").format(name=name(seat), n=n)


def said(text: str, seat: int, **parts: Any) -> str:
    """A translated text with a name, and whatever else belongs into it."""
    return _(text).format(name=name(seat), **parts)


# Lines of the log by kind of effect; its parts follow the audience and the kind.
LINES: dict[str, Callable[..., str]] = {
    "thrown": lambda s, z: said(N_("{name} throws into {zone}"), s, zone=inside(z)),
    "missed": lambda s: said(N_("{name} misses"), s),
    "back": lambda s, z: said(N_("a chip of {name} is in {zone} after all"), s, zone=inside(z)),
    "moved": lambda s, a, b: moved_text(s, a, b),
    "judged": lambda s, z: judged_text(s, z),
    "accepted": lambda rows: _("the board is taken as it lies"),
    "revealed": lambda z, rows: _("turned up in {zone}: {chips}").format(
        zone=inside(z), chips=chips_text(rows)
    ),
    "won": lambda z, s, t: said(N_("{name} wins {zone} with {total}"), s, zone=place(z), total=t),
    "passed": lambda s, z: said(N_("{name} declines {zone}"), s, zone=place(z)),
    "no_blend": lambda s: said(N_("no blend is left for {name}"), s),
    "reshuffled": lambda n: _("the discard pile is shuffled: {cards}").format(cards=some_cards(n)),
    "drew": lambda s, n: said(N_("{name} looks at {cards}"), s, cards=some_cards(n)),
    "kept": lambda s: said(N_("{name} keeps one"), s),
    "reserved": lambda s: said(N_("{name} reserves a blend"), s),
    "chef": lambda s: said(N_("{name} is head chef"), s),
    "price": lambda b, t: bold(_("{spice}: {price} rupees a card").format(spice=zone(b), price=t)),
    "offers": offers_text,
    "sold": lambda s, b, n, a: said(
        N_("{name} gets {price} for {n} {spice}"), s, price=a, n=n, spice=zone(b)
    ),
    "bought": lambda s, b, p: said(
        N_("{name} buys {spice} for {price}"), s, spice=zone(b), price=p
    ),
    "declined": lambda s, b: said(N_("{name} does not buy {spice}"), s, spice=zone(b)),
    "displayed": lambda b, n: _("{n} {spice} on display").format(n=n, spice=zone(b)),
    "no_card": lambda b: _("no {spice} is on display").format(spice=zone(b)),
    "cooked": cooked_text,
    "winner": lambda s: bold(said(N_("{name} wins the game"), s)),
    "aborted": lambda: _("the game was ended"),
    "round": lambda n: bold(_("round {n}").format(n=n)),
}


def judged_text(seat: int, where: str | None) -> str:
    """How a doubt was decided."""
    if where is None:
        return said(N_("the head chef: {name}'s chip does not count"), seat)
    return said(N_("the head chef: {name}'s chip counts for {zone}"), seat, zone=inside(where))


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log; chips that are lifted to go home need none."""
    throwing = view.get("phase", ["throw"])[0] in ("throw", "extra_throw")
    if effect[1] == "moved" and not throwing:
        return None
    line = LINES.get(effect[1])
    return line(*effect[2:]) if line else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """A menu of the decisions, the usual one first."""
    title = f"{name(seat)}, {_(PHASES[view['phase'][0]][1])}"
    kinds = [event[0] for event in legal]
    if kinds == ["reveal"]:
        title = _("{name}, all have thrown").format(name=name(seat))
    if view["phase"][0] == "sale":
        return Menu(title, sales(view, legal, seat))
    if "no_open" in kinds and not view["you"]["reserved"]:
        legal = [event for event in legal if event[0] != "no_open"]  # the same as to be done
    return Menu(title, [(describe(event, view), event) for event in legal])


def sales(view: View, legal: list[Event], seat: int) -> list[tuple[str, Any]]:
    """What a seat may sell. A head chef on whom alone the sale waits closes it with the same key;
    who has said it already is not asked again."""
    waits = [each for each, n in enumerate(view["offers"]) if n is None]
    close = ["close", seat]
    if close in legal and view["offers"][seat] is not None:
        return [(describe(close, view), close)]
    items: list[tuple[str, Any]] = [(describe(close, view), close)] if close in legal else []
    for event in legal:
        text = describe(event, view)
        if event[0] == "sell" and view["mode"] == "full" and waits == [seat] == [view["chef"]]:
            both = _("{sale}, and close the sale").format(sale=text)
            items.append((both, [event, close]))
        elif event != close:
            items.append((text, event))
    return items
