"""Jaipur at the terminal table: market, herds, token rows, seals, and a choice that tells nothing.

Two people may sit at one terminal: the question offers the same entries whatever the hand, and
only the hand itself, shown on demand, tells what is in it.
"""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from spiceboard.table.board import COLOURS
from spiceboard.table.menu import ROWS, Menu, Number
from spiceboard.table.panel import Chooser, Event, View, bold
from spiceboard.words import N_, _, ngettext
from spicecore.games.jaipur.board import (
    ACTION_ZONES,
    CAMELS_ZONE,
    DECK_ZONE,
    GOODS_ZONES,
    MARKET_ZONE,
)
from spicecore.games.jaipur.goods import GOODS, HAND_LIMIT, KINDS, MARKET, SEALS_TO_WIN

SEATS = ("blue", "red")
INK = {
    "diamond": "#ff6060", "gold": "#ffc030", "silver": "#c8c8d8", "cloth": "#c080ff",
    "spice": "#50d050", "leather": "#d08040", "camel": "#d8b060",
}  # fmt: skip
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
    parts = [f"{cards.count(kind)} {ware(kind)}" for kind in KINDS if kind in cards]
    return ", ".join(parts) or _("nothing")


def labels(view: View) -> dict[str, list[str]]:
    """What the bowls and action spaces stand for, with the tokens left on each good."""
    result: dict[str, list[str]] = {}
    for k, zone in enumerate(GOODS_ZONES):
        left = view["tokens"][k] if view else []
        value = f"{len(left)} left" + (f": {left[-1]}" if left else "")
        result[zone] = [ware(GOODS[k]), value] if view else [ware(GOODS[k])]
    camels = view["market"].count("camel") if view else 0
    result[CAMELS_ZONE] = [ware("camel"), f"{camels} in the market"] if view else [ware("camel")]
    result[MARKET_ZONE] = ["market", *([f"{len(view['market'])} cards"] if view else [])]
    result[DECK_ZONE] = ["deck", *([f"{view['deck']} cards"] if view else [])]
    for zone, action in zip(ACTION_ZONES, ACTIONS, strict=True):
        result[zone] = [action]
    return result


def public(view: View) -> RenderableType:
    """Market, token rows, bonus piles, and a row for each seat."""
    if not view:
        return Text(_("no game is on"))
    market = "  ".join(ware(card) for card in view["market"])
    head = f"[dim]round {view['round']}, deck {view['deck']}[/]\n[bold]market[/]  {market}"
    tokens = Table(box=None, padding=(0, 1), show_header=False)
    for k, good in enumerate(GOODS):
        values = " ".join(str(value) for value in reversed(view["tokens"][k])) or "[dim]none[/]"
        tokens.add_row(Text.from_markup(ware(good)), Text.from_markup(values))
    bonus = "   ".join(
        f"for {n}: {left}" for n, left in zip((3, 4, 5), view["bonus"], strict=True)
    )
    parts: list[RenderableType] = [
        Text.from_markup(head),
        tokens,
        Text.from_markup(f"[bold]bonus[/]   {bonus}"),
        _seats(view),
    ]
    if view["result"]:
        parts.append(Text.from_markup(_result(view["result"])))
    return Group(*parts)


def _seats(view: View) -> Table:
    seats = Table(box=None, padding=(0, 1), show_edge=False)
    for column in ("", "seals", "hand", "goods tokens", "bonus"):
        seats.add_column(column, justify="left" if not column else "right")
    for seat in (0, 1):
        tokens = view["won"][seat]
        seats.add_row(
            Text.from_markup(name(seat)),
            "●" * view["seals"][seat] + "○" * (SEALS_TO_WIN - view["seals"][seat]),
            f"{view['hand_sizes'][seat]} cards",
            f"{len(tokens)} for {sum(value for _, value in tokens)}",
            str(len(view["bonus_sizes"][seat])),
        )
    return seats


def _result(result: dict[str, Any]) -> str:
    rupees = ", ".join(f"{name(seat)} {n}" for seat, n in enumerate(result["rupees"]))
    text = _("rupees: {list}; the camel token goes to {name}")
    return f"[bold]{text.format(list=rupees, name=name(result['camel_token']))}[/]"


def private(legal: list[Event]) -> bool:
    """No question of this game tells what is in a hand."""
    return False


def picture(view: View, rows: int) -> RenderableType | None:
    """Nothing is laid out but the market."""
    return None


def hand(view: View, seat: int) -> RenderableType | None:
    """Cards, camels, and the values of the own bonus tokens."""
    values = ", ".join(f"{value} for {size}" for size, value in view["bonuses"]) or "none"
    return Text.from_markup(
        f"{name(seat)}: {wares(view['hand'])}\n"
        f"herd: {camels(view['herd'])}\nbonus tokens: {values}"
    )


def prompt(view: View) -> str:
    """Who must do what now."""
    if not view:
        return _("no game is on")
    phase = view["phase"]
    if phase[0] == "turn":
        text = _("{name}: take, exchange, take the camels, or sell.")
        return text.format(name=name(phase[1]))
    if phase[0] == "scored":
        text = _("{name} begins the next round.").format(name=name(view["next_starter"]))
        return f"{_seal(phase)} {text}"
    if phase[1] == "aborted":
        return _("The game was ended.")
    return _("{name} has two seals and wins the game!").format(name=name(phase[2]))


def _seal(phase: list[Any]) -> str:
    why = _("Three piles are empty.") if phase[1] == "piles" else _("The market cannot be filled.")
    if phase[2] is None:
        return why + " " + _("All is equal: no seal.")
    return why + " " + _("{name} gets the seal.").format(name=name(phase[2]))


def describe(event: Event, view: View) -> str:
    """A decision as a line of a menu."""
    if event[0] == "take":
        return _("take {card}").format(card=ware(event[2]))
    if event[0] == "exchange":
        text = _("take {cards} for {others}")
        return text.format(cards=wares(event[2]), others=wares(event[3]))
    if event[0] == "sell":
        return selling(event[2], event[3], view)
    return _("begin the next round") if event[0] == "next_round" else _(ACTIONS["camels"])


def selling(good: str, n: int, view: View) -> str:
    """A sale with what it brings: the tokens on top, and whether a bonus comes to them."""
    left = view["tokens"][GOODS.index(good)] if view else []
    values = left[-n:] if n else []
    parts = {"n": n, "card": ware(good), "price": sum(values)}
    if n >= 3 and view and view["bonus"][min(n, 5) - 3]:
        return _("sell {n} {card} for {price} and a bonus").format(**parts)
    return _("sell {n} {card} for {price}").format(**parts)


# Lines of the log by kind of effect; its parts follow the audience and the kind.
LINES: dict[str, Callable[..., str | None]] = {
    "took": lambda s, good: said(N_("{name} takes {card}"), s, card=ware(good)),
    "camels": lambda s, n: said(N_("{name} takes {card}"), s, card=camels(n)),
    "exchanged": lambda s, a, b: said(
        N_("{name} takes {cards} for {others}"), s, cards=wares(a), others=wares(b)
    ),
    "turned": lambda cards: _("turned up: {cards}").format(cards=wares(cards)) if cards else None,
    "sold": lambda s, good, n, v: said(
        N_("{name} sells {n} {card}: {values}"), s, n=n, card=ware(good), values=values_text(v)
    ),
    "bonus": lambda s, size: said(N_("{name} gets a bonus token for {n}"), s, n=size),
    "round_over": lambda why, result: _result(result),
    "seal": lambda s, n: bold(said(N_("{name} gets a seal of excellence ({n})"), s, n=n)),
    "over": lambda s: bold(said(N_("{name} wins the game"), s)),
    "dealt": lambda n, s, cards: (
        bold(_("round {n}").format(n=n)) + ": " + said(N_("{name} begins"), s)
    ),
    "aborted": lambda: _("the game was ended"),
}


def said(text: str, seat: int, **parts: Any) -> str:
    """A translated text with a name, and whatever else belongs into it."""
    return _(text).format(name=name(seat), **parts)


def values_text(values: list[int]) -> str:
    """`5 3 3, 11 rupees` of token values."""
    if not values:
        return _("no token is left")
    text = ngettext("{values}, {n} rupee", "{values}, {n} rupees", sum(values))
    return text.format(values=" ".join(map(str, values)), n=sum(values))


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log."""
    line = LINES.get(effect[1])
    return line(*effect[2:]) if line else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """The question of a turn, in steps that are the same whatever the hand."""
    if len(legal) == 1 and legal[0][0] == "next_round":
        return Menu(f"{name(seat)}", [(describe(legal[0], view), legal[0])])
    return Turn(view, legal, seat)


class Counts:
    """How many of each of some cards: up and down choose the card, left and right the number."""

    def __init__(self, title: str, most: dict[str, int]) -> None:
        self.title, self.most = title, most
        self.kinds = list(most)
        self.counts = dict.fromkeys(self.kinds, 0)
        self.marked = 0

    def draw(self, rows: int = ROWS) -> RenderableType:
        """A line for each card."""
        lines = [f"[bold]{self.title}[/]"]
        for index, kind in enumerate(self.kinds):
            text = f"{self.counts[kind]} of {ware(kind)}"
            lines.append(f"  [reverse]{text}[/]" if index == self.marked else f"  {text}")
        lines.append("[dim]up, down: which card; left, right: how many; Enter[/]")
        return Text.from_markup("\n".join(lines))

    def key(self, key: str) -> list[str] | None:
        """Take one key; the cards when Enter was pressed, else None."""
        kind = self.kinds[self.marked]
        if key in ("up", "down"):
            self.marked = (self.marked + (1 if key == "down" else -1)) % len(self.kinds)
        elif key in ("left", "right"):
            n = self.counts[kind] + (1 if key == "right" else -1)
            self.counts[kind] = max(0, min(n, self.most[kind]))
        elif key.isdigit():
            if int(key) > self.most[kind]:
                raise ValueError(f"there are at most {self.most[kind]} {kind}")
            self.counts[kind] = int(key)
        elif key == "enter":
            return [kind for kind in KINDS for _ in range(self.counts.get(kind, 0))]
        elif len(key) == 1:
            raise ValueError(f"`{key}` means nothing here: use the arrows, then Enter")
        return None


class Turn:
    """A turn in steps: what to do, then with which cards. Escape or backspace goes back."""

    def __init__(self, view: View, legal: list[Event], seat: int) -> None:
        self.view, self.legal, self.seat = view, legal, seat
        self.said: list[Any] = []  # what was chosen so far
        self.step: Any = self._first()

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The step that is asked."""
        if not self.said:
            drawn: RenderableType = self.step.draw(rows)
            return drawn
        hint = Text.from_markup("[dim]backspace: one step back[/]")
        return Group(self.step.draw(rows - 1), hint)

    def key(self, key: str) -> Event | None:
        """Take one key; the event when it is complete."""
        if key in ("escape", "backspace") and self.said and not getattr(self.step, "typed", ""):
            self._back()
            return None
        answer = self.step.key(key)
        if answer is None:
            return None
        self.said.append(answer)
        following = self._next()
        if following is not None:
            self.step = following
            return None
        event = [self.said[0], self.seat, *self.said[1:]]
        if event in self.legal:
            return event
        self.said.pop()  # the step that was refused is asked again, with what was entered
        raise ValueError(self._why(event))

    def _back(self) -> None:
        self.said.pop()
        self.step = self._next() or self._first()

    def _first(self) -> Menu:
        return Menu(f"{name(self.seat)}, your turn", [(text, a) for a, text in ACTIONS.items()])

    def _next(self) -> Any:
        """The step that follows what was said; None when all is said."""
        if not self.said:
            return self._first()
        action, given = self.said[0], len(self.said) - 1
        goods = [good for good in GOODS if good in self.view["market"]]
        if action == "take" and given == 0 and goods:
            return Menu("Take which?", [(ware(good), good) for good in goods])
        if action == "sell" and given == 0:
            return Menu("Sell which?", [(ware(good), good) for good in GOODS])
        if action == "sell" and given == 1:
            return Number(f"How many {self.said[1]}?", 1, HAND_LIMIT, 1)
        if action == "exchange" and given == 0 and goods:
            most = {good: self.view["market"].count(good) for good in goods}
            return Counts("Take which goods of the market?", most)
        if action == "exchange" and given == 1:
            return Counts("Give which cards for them?", dict.fromkeys(KINDS, MARKET))
        return None

    def _why(self, event: Event) -> str:
        """Why this is not legal, in words that tell nothing about the hand."""
        if event[0] == "exchange" and len(event) == 4:
            if len(event[2]) < 2 or len(event[2]) != len(event[3]):
                return "an exchange is two to five cards for as many"
            if set(event[2]) & set(event[3]):
                return "no good can be taken and given at once"
        if event[0] == "sell" and event[2] in GOODS[:3] and event[3] < 2:
            return "diamond, gold and silver are sold at least two at a time"
        market = self.view["market"]
        if event[0] == "camels":
            return "there is no camel in the market"
        if event[0] in ("take", "exchange") and all(card == "camel" for card in market):
            return "there are only camels in the market: take them all, or sell"
        if event[0] == "sell" and not self.view["tokens"][GOODS.index(event[2])]:
            return "your hand does not allow this, or no token of this good is left (empty_sale)"
        return "your hand or herd does not allow this: press h to look at it"
