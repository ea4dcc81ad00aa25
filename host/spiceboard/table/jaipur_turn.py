"""A turn of Jaipur by the keyboard: what to do, and with which cards."""

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from spiceboard.table.jaipur_words import ACTIONS, describe, name, some_cards, ware, wares
from spiceboard.table.menu import ROWS, Menu
from spiceboard.table.panel import Event, View, bold, dim
from spiceboard.words import _, ngettext
from spicecore.games.jaipur.goods import GOODS, KINDS


class Turn:
    """A turn: what to do, then with which cards. Escape or backspace goes back.

    What cannot be done is sent too: the board says why.
    """

    def __init__(self, view: View, legal: list[Event], seat: int) -> None:
        self.view, self.legal, self.seat = view, legal, seat
        self._begin()

    def _begin(self) -> None:
        kinds = {event[0] for event in self.legal}
        items, never = [], _("not now")
        for action, text in ACTIONS.items():
            label = _(text) if action in kinds else f"[dim]{_(text)} ({never})[/]"
            items.append((label, action))
        self.first = True
        self.step: Any = Menu(_("{name}, your turn").format(name=name(self.seat)), items)

    def draw(self, rows: int = ROWS) -> RenderableType:
        """The step that is asked."""
        if self.first:
            drawn: RenderableType = self.step.draw(rows)
            return drawn
        hint = Text.from_markup(dim(_("backspace: one step back")))
        return Group(self.step.draw(rows - 1), hint)

    def key(self, key: str) -> Event | None:
        """Take one key; the event when it is complete."""
        if (
            key in ("escape", "backspace")
            and not self.first
            and not getattr(self.step, "typed", "")
        ):
            self._begin()
            return None
        answer = self.step.key(key)
        if answer is None or not self.first:
            return list(answer) if answer else None
        if not any(event[0] == answer for event in self.legal):
            return self._hopeless(answer)
        if answer == "camels":
            return ["camels", self.seat]
        self.step, self.first = self._second(answer), False
        return None

    def _second(self, action: str) -> Any:
        """With which cards?"""
        if action == "exchange":
            return Exchange(self.view, self.seat)
        events = [event for event in self.legal if event[0] == action]
        if action == "take":
            order = self.view["market"]
            events.sort(key=lambda event: order.index(event[2]))
        title = _("Take which?") if action == "take" else _("Sell what?")
        return Menu(title, [(describe(event, self.view), event) for event in events])

    def _hopeless(self, action: str) -> Event:
        """An event of that kind, so that the board says why there is none."""
        market = [card for card in self.view["market"] if card != "camel"]
        mine = self.view["hand"] or GOODS[:1]
        return {
            "take": ["take", self.seat, (market or GOODS)[0]],
            "exchange": [
                "exchange",
                self.seat,
                sorted((market * 2 or [GOODS[0]] * 2)[:2], key=KINDS.index),
                ["camel"] * 2,
            ],
            "camels": ["camels", self.seat],
            "sell": ["sell", self.seat, mine[0], 1],
        }[action]


class Exchange:
    """An exchange: up and down choose a card of the market or of one's own, left and right how
    many. What was taken and what is still owed stands below."""

    def __init__(self, view: View, seat: int) -> None:
        self.seat = seat
        self.held = len(view["hand"])
        market = [card for card in dict.fromkeys(view["market"]) if card != "camel"]
        own = [card for card in GOODS if card in view["hand"]]
        self.rows = [(True, card, view["market"].count(card)) for card in market]
        self.rows += [(False, card, view["hand"].count(card)) for card in own]
        if view["herd"]:
            self.rows.append((False, "camel", view["herd"]))
        self.counts = [0] * len(self.rows)
        self.marked = 0

    def cards(self, taken: bool) -> list[str]:
        """The cards taken, or given, in the order that the rules name them in."""
        pairs = zip(self.rows, self.counts, strict=True)
        chosen = {row[1]: n for row, n in pairs if row[0] == taken}
        return [kind for kind in KINDS for _n in range(chosen.get(kind, 0))]

    def draw(self, rows: int = ROWS) -> RenderableType:
        """Market and own cards beside each other."""
        table = Table.grid(padding=(0, 3))
        sides = [
            [self._row(n) for n, row in enumerate(self.rows) if row[0] == s] for s in (True, False)
        ]
        table.add_row(bold(_("take")), bold(_("give")))
        for n in range(max(map(len, sides))):
            table.add_row(*(side[n] if n < len(side) else "" for side in sides))
        hint = _("up, down: which card; left, right: how many; Enter")
        return Group(table, Text.from_markup(f"{self._sum()}\n[dim]{hint}[/]"))

    def _row(self, n: int) -> str:
        _taken, card, most = self.rows[n]
        text = _("{n} of {most} {card}").format(n=self.counts[n], most=most, card=ware(card))
        return f"[reverse]{text}[/]" if n == self.marked else text

    def _sum(self) -> str:
        """What was taken, what is owed, and the hand after it."""
        taken, given = self.cards(True), self.cards(False)
        owed = len(taken) - len(given)
        text = _("{cards} for {others}").format(cards=wares(taken), others=wares(given))
        after = self.held + len(taken) - sum(card != "camel" for card in given)
        if owed > 0:
            return text + _("; ") + _("you still owe {n}").format(n=some_cards(owed))
        if owed < 0:
            return text + _("; ") + _("you may take {n} more").format(n=some_cards(-owed))
        return text + _("; ") + _("you would have {n} of 7").format(n=after)

    def key(self, key: str) -> Event | None:
        """Take one key; the event when Enter was pressed: the board says what is wrong with it."""
        most = self.rows[self.marked][2]
        if key in ("up", "down"):
            self.marked = (self.marked + (1 if key == "down" else -1)) % len(self.rows)
        elif key in ("left", "right"):
            n = self.counts[self.marked] + (1 if key == "right" else -1)
            self.counts[self.marked] = max(0, min(n, most))
        elif key.isdigit():
            if int(key) > most:
                text = ngettext("there is only {n} of it", "there are only {n} of it", most)
                raise ValueError(text.format(n=most))
            self.counts[self.marked] = int(key)
        elif key == "enter":
            return ["exchange", self.seat, self.cards(True), self.cards(False)]
        elif len(key) == 1:
            text = _("`{key}` means nothing here: use the arrows, then Enter")
            raise ValueError(text.format(key=key))
        return None
