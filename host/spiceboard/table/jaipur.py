"""Jaipur at the terminal table: market, herds, token rows, seals, and the four things to do.

What may be taken, given and sold is offered with what it brings; if people share a terminal, the
question is covered first, because it shows the hand.
"""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from spiceboard.table.jaipur_turn import Turn
from spiceboard.table.jaipur_words import (
    ACTIONS,
    REASONS,
    SHORT,
    camels,
    counted_ware,
    describe,
    name,
    some_cards,
    ware,
    wares,
)
from spiceboard.table.menu import Menu
from spiceboard.table.panel import Chooser, Event, View, bold
from spiceboard.words import N_, _, ngettext
from spicecore.games.jaipur.board import (
    ACTION_ZONES,
    CAMELS_ZONE,
    DECK_ZONE,
    GOODS_ZONES,
    MARKET_ZONE,
)
from spicecore.games.jaipur.goods import CAMEL_TOKEN, GOODS, SEALS_TO_WIN


def labels(view: View) -> dict[str, list[str]]:
    """What the bowls and action spaces stand for, with the tokens left on each good."""
    result: dict[str, list[str]] = {}
    for k, zone in enumerate(GOODS_ZONES):
        left = view["tokens"][k] if view else []
        value = f"{left[-1]} ({len(left)})" if left else "-"
        result[zone] = [ware(GOODS[k]), value] if view else [ware(GOODS[k])]
    there = view["market"].count("camel") if view else 0
    result[CAMELS_ZONE] = [ware("camel"), str(there)] if view else [ware("camel")]
    result[MARKET_ZONE] = [_("market"), *([str(len(view["market"]))] if view else [])]
    result[DECK_ZONE] = [_("deck"), *([str(view["deck"])] if view else [])]
    for zone, action in zip(ACTION_ZONES, ACTIONS, strict=True):
        result[zone] = [_(SHORT[action])]
    return result


def public(view: View) -> RenderableType:
    """Market, token rows, bonus piles, and a row for each seat."""
    if not view:
        return Text(_("no game is on"))
    market = "  ".join(ware(card) for card in view["market"])
    head = _("round {n}, {cards} in the deck")
    parts: list[RenderableType] = [
        Text.from_markup(
            f"[dim]{head.format(n=view['round'], cards=some_cards(view['deck']))}[/]"
        ),
        Text.from_markup(bold(_("market")) + f"  {market}"),
        _tokens(view),
        _seats(view),
    ]
    if view["result"]:
        parts.append(Text.from_markup(_result(view["result"])))
    return Group(*parts)


def _tokens(view: View) -> Table:
    """The rows of tokens in two columns, the next one first, and the bonus piles below them."""
    tokens = Table(box=None, padding=(0, 1), show_header=False, show_edge=False)
    cells = []
    for k, good in enumerate(GOODS):
        values = " ".join(str(value) for value in reversed(view["tokens"][k]))
        cells.append((Text.from_markup(ware(good)), Text(values or _("no token left"))))
    half = len(cells) // 2
    for left, right in zip(cells[:half], cells[half:], strict=True):
        tokens.add_row(*left, *right)
    bonus = [
        _("for {n}: {left}").format(n=n, left=left)
        for n, left in zip((3, 4, 5), view["bonus"], strict=True)
    ]
    tokens.add_row(Text(_("bonus")), Text("  ".join(bonus[:2])), Text(""), Text(bonus[2]))
    return tokens


def _seats(view: View) -> Table:
    seats = Table(box=None, padding=(0, 1), show_edge=False)
    for column in ("", _("seals"), _("hand"), _("goods tokens"), _("bonus")):
        seats.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for seat in (0, 1):
        tokens = view["won"][seat]
        worth = sum(value for _size, value in tokens)
        seats.add_row(
            Text.from_markup(name(seat)),
            "●" * view["seals"][seat] + "○" * (SEALS_TO_WIN - view["seals"][seat]),
            some_cards(view["hand_sizes"][seat]),
            _("{n} worth {price}").format(n=len(tokens), price=worth),
            str(len(view["bonus_sizes"][seat])),
        )
    return seats


def _result(result: dict[str, Any]) -> str:
    rupees = ", ".join(f"{name(seat)} {n}" for seat, n in enumerate(result["rupees"]))
    text = _("rupees: {list}; the camel token goes to {name}")
    return f"[bold]{text.format(list=rupees, name=name(result['camel_token']))}[/]"


def counted(reason: str, result: dict[str, Any]) -> str:
    """The end of a round, a line for each thing that is counted."""
    lines = [bold(_(REASONS[reason]))]
    for seat in (0, 1):
        bonuses = result["bonuses"][seat]
        camel = CAMEL_TOKEN if result["camel_token"] == seat else 0
        goods = result["rupees"][seat] - sum(value for _size, value in bonuses) - camel
        lines.append(said(N_("{name}: {n} in goods tokens"), seat, n=goods))
        lines += [
            said(N_("{name}: {n} by a bonus token for {size} cards"), seat, size=size, n=value)
            for size, value in bonuses
        ]
        if camel:
            a, b = result["herds"][seat], result["herds"][1 - seat]
            lines.append(
                said(N_("{name}: {n} for the larger herd, {a} to {b}"), seat, a=a, b=b, n=camel)
            )
        lines.append(bold(said(N_("{name}: {n} rupees"), seat, n=result["rupees"][seat])))
    return "\n".join(lines)


def private(legal: list[Event]) -> bool:
    """What may be exchanged and sold tells the hand."""
    return any(event[0] in ("exchange", "sell", "take", "camels") for event in legal)


def arbiter(view: View) -> int | None:
    """Whoever has the turn decides doubts."""
    seat: int | None = view["next_starter"]
    return view["phase"][1] if view["phase"][0] == "turn" else seat


def slow(effect: list[Any]) -> bool:
    """Sales and the end of a round are looked at."""
    return effect[1] in ("sold", "round_over")


def picture(view: View, rows: int) -> RenderableType | None:
    """Nothing is laid out but the market."""
    return None


def hand(view: View, seat: int) -> RenderableType | None:
    """Cards, camels, and the values of the own bonus tokens."""
    each = [_("{value} for {n}").format(value=value, n=size) for size, value in view["bonuses"]]
    cards = _("{name} ({n} of 7): {list}")
    return Text.from_markup(
        cards.format(name=name(seat), n=len(view["hand"]), list=wares(view["hand"]))
        + "\n"
        + _("herd: {camels}").format(camels=camels(view["herd"]))
        + _("; ")
        + _("bonus tokens: {list}").format(list=", ".join(each) or _("no token yet"))
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
    why = _(REASONS[phase[1]])
    if phase[2] is None:
        return why + " " + _("All is equal: no seal.")
    return why + " " + _("{name} gets the seal.").format(name=name(phase[2]))


# Lines of the log by kind of effect; its parts follow the audience and the kind.
LINES: dict[str, Callable[..., str | None]] = {
    "took": lambda s, good: said(N_("{name} takes {card}"), s, card=ware(good)),
    "camels": lambda s, n: said(N_("{name} takes {card}"), s, card=camels(n)),
    "exchanged": lambda s, a, b: said(
        N_("{name} takes {cards} for {others}"), s, cards=wares(a), others=wares(b)
    ),
    "turned": lambda cards: _("turned up: {cards}").format(cards=wares(cards)) if cards else None,
    "sold": lambda s, good, n, v: said(
        N_("{name} sells {cards}: {values}"), s, cards=counted_ware(good, n), values=values_text(v)
    ),
    "bonus": lambda s, size: said(N_("{name} gets a bonus token for {n}"), s, n=size),
    "round_over": counted,
    "seal": lambda s, n: bold(said(N_("{name} gets a seal of excellence ({n})"), s, n=n)),
    "over": lambda s: bold(said(N_("{name} wins the game"), s)),
    "dealt": lambda n, s, cards: (
        bold(_("the cards of round {n} are dealt").format(n=n))
        + _(": ")
        + said(N_("{name} begins"), s)
    ),
    "aborted": lambda: _("the game was ended"),
}


def said(text: str, seat: int, **parts: Any) -> str:
    """A translated text with a name, and whatever else belongs into it."""
    return _(text).format(name=name(seat), **parts)


def values_text(values: list[int]) -> str:
    """`5 + 3 + 3 = 11 rupees` of token values."""
    if not values:
        return _("no token is left")
    total = ngettext("{n} rupee", "{n} rupees", sum(values)).format(n=sum(values))
    return total if len(values) == 1 else f"{' + '.join(map(str, values))} = {total}"


def tell(effect: list[Any], view: View) -> str | None:
    """A public effect as a line of the log."""
    line = LINES.get(effect[1])
    return line(*effect[2:]) if line else None


def chooser(view: View, legal: list[Event], seat: int) -> Chooser:
    """The question of a turn, in two steps at most."""
    if len(legal) == 1 and legal[0][0] == "next_round":
        title = _("{name}, your turn").format(name=name(seat))
        return Menu(title, [(describe(legal[0], view), legal[0])])
    return Turn(view, legal, seat)
