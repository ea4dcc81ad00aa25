"""The live table: board, log and whose turn it is; asks persons, lets bots and hands do theirs.

It draws what came over the wire (and the lights of a virtual board), and computes no rule. A
person's hand is covered until its owner asks for it, and covered again when the turn passes on.
"""

import time
from collections import deque
from typing import Any, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel as Box
from rich.table import Table as Grid
from rich.text import Text

from spiceboard.host import lights
from spiceboard.host.client import Item, Refused
from spiceboard.host.errors import LinkError, UserError
from spiceboard.host.match import Match
from spiceboard.host.table import board
from spiceboard.host.table.menu import Menu
from spiceboard.host.table.panel import Chooser
from spiceboard.host.table.throw import ThrowChooser

LOG_LINES = 10
HARD = 0.4  # strength from which a throw is called hard
TICK_S = 0.05  # between looks at keys and wire
DRAW_S = 0.1  # between pictures: blinking rings are seen blinking
BOT_PAUSE_S = 0.8  # so that people can follow
HELP = "[dim]? keys   h hand   l log of the board   q leave[/]"
KEYS_HELP = """\
Numbers or arrows and Enter choose. [b]h[/] shows the hand of the one whose turn it is, any key
covers it again. [b]l[/] shows what the board's console said. [b]a[/] accepts the board as it lies
when it differs from the game, [b]u[/] takes the last decision back, [b]q[/] leaves: the board
keeps the game."""


class Keyboard(Protocol):
    """Where keys come from."""

    def pressed(self, timeout: float = 0.0) -> list[str]:
        """Names of the keys pressed since the last look."""


class Leave(Exception):
    """A person wants to go; the board keeps the game."""


class Table:
    """One terminal around one match. `panel` is the game's module of `host/table`."""

    def __init__(self, match: Match, panel: Any, console: Console, keys: Keyboard) -> None:
        self.match, self.panel, self.console, self.keys = match, panel, console, keys
        self.log: deque[str] = deque(maxlen=200)
        self.words: deque[str] = deque(maxlen=LOG_LINES)  # console text of the board
        self.message = ""
        self.chooser: Chooser | None = None
        self.seat: int | None = None  # whose decision is being asked
        self.hand: RenderableType | None = None
        self.showing: str | None = None  # "hand", "help" or "words" over the decisions
        self._drawn = 0.0
        self._bot_after = 0.0
        match.on_item = self.item

    # -- what the board says

    def item(self, item: Item) -> None:
        """Keep what is worth a line."""
        kind, value = item
        if kind == "console":
            self.words.append(str(value))
        elif kind == "resync":
            self.log.append(f"[yellow]{escape(str(value))}; in step again[/]")
        elif kind == "game":
            line = self.panel.tell([None, *value], self.view)
            if line:
                self.log.append(line)
        else:
            line = board_line(value)
            if line:
                self.log.append(line)

    @property
    def view(self) -> dict[str, Any]:
        """The public view as last read."""
        game = self.match.snapshot.get("game") or {}
        return game.get("view") or {}

    # -- drawing

    def draw(self) -> RenderableType:
        """The whole screen."""
        height = self.console.height - 1
        picture = board.draw(
            height,
            self._lights(),
            self.match.snapshot.get("chips", {}),
            self.panel.labels(self.view),
        )
        side = Group(
            Text.from_markup(f"[bold]{self.panel.prompt(self.view)}[/]"),
            *self._troubles(),
            self.panel.public(self.view),
            self._below(),
            Text.from_markup("\n".join(list(self.log)[-LOG_LINES:]), style="dim"),
        )
        screen = Grid.grid(padding=(0, 2), expand=True)
        screen.add_column(no_wrap=True, width=board.Scale(height).width)
        screen.add_column(ratio=1)
        screen.add_row(picture, side)
        return screen

    def _lights(self) -> lights.Lights:
        if self.match.hands is not None:
            return self.match.hands.lights()
        return lights.from_show(self.match.snapshot.get("show", {}), int(time.monotonic() * 1000))

    def _below(self) -> RenderableType:
        """What is asked, or what covers it."""
        if self.showing == "help":
            return Box(Text.from_markup(KEYS_HELP), title="keys")
        if self.showing == "words":
            text = Text("\n".join(self.words) or "nothing yet")
            return Box(text, title="the board's console")
        if self.showing == "hand" and self.hand is not None:
            return Box(self.hand, title="hand (any key covers it)", border_style="yellow")
        parts: list[RenderableType] = [self.chooser.draw()] if self.chooser else []
        if self.message:
            parts.append(Text.from_markup(f"[red]{escape(self.message)}[/]"))
        return Group(*parts, Text.from_markup(HELP))

    def _troubles(self) -> list[RenderableType]:
        """Differences of board and game, and doubts, each with its way out."""
        lines = []
        for colour, seen, expected in self.match.snapshot.get("mismatch", []):
            lines.append(f"[red]{difference(colour, seen, expected)}[/]")
        if lines:
            lines.append("[red]put it right with your hand, or press a to accept it as it lies[/]")
        lines += [
            f"[yellow]in doubt: does {colour} count in {words(zone)}? y or n[/]"
            for _number, colour, zone in self.match.snapshot.get("doubts", [])
        ]
        wish = self.match.wish
        if wish is not None:
            lines.append(
                f"[yellow]A bot asks you to throw for it: chip {wish['chip']}, at "
                f"{words(wish['zone'])}, {'hard' if wish['strength'] >= HARD else 'softly'}. "
                "Press m if it misses.[/]"
            )
        return [Text.from_markup("\n".join(lines))] if lines else []

    # -- running

    def run(self) -> list[Any]:
        """Play until the game is over; its standing. Leave when a person has enough."""
        with Live(self.draw(), console=self.console, screen=True, auto_refresh=False) as live:
            while not self.match.game["over"]:
                self.turn()
                if time.monotonic() - self._drawn > DRAW_S:
                    live.update(self.draw(), refresh=True)
                    self._drawn = time.monotonic()
        standing: list[Any] = self.match.game["standing"]
        return standing

    def turn(self) -> None:
        """Look once at wire, bots and keys."""
        if self.match.listen(TICK_S):
            self.match.refresh()
            self._drop_if_stale()
        try:
            self.match.settle_doubts()
            if self.match.tidy():
                return
            self._ask()
            for key in self.keys.pressed():
                self._key(key)
            if time.monotonic() > self._bot_after and self.match.bot_turn():
                self._bot_after = time.monotonic() + BOT_PAUSE_S
        except Refused as refused:
            self.message = str(refused)
            self.chooser = None
            self.match.refresh()
        except LinkError:
            raise
        except UserError as error:
            self.message = str(error)

    def _drop_if_stale(self) -> None:
        """A question that the game no longer asks goes, and the hand is covered."""
        if self.seat is not None and self.seat not in self.match.game["asked"]:
            self.chooser = self.seat = self.hand = None
            if self.showing == "hand":
                self.showing = None

    def _ask(self) -> None:
        """Set up the question for the first person who is asked."""
        if self.chooser is not None:
            return
        for seat in self.match.game["asked"]:
            if seat in self.match.bots:
                continue
            page = self.match.page(seat)
            if not page["legal"]:
                continue
            self.seat = seat
            self.hand = self.panel.hand(page["view"], seat)
            self.chooser = self._chooser(seat, page)
            return

    def _chooser(self, seat: int, page: dict[str, Any]) -> Chooser:
        throws = [event for event in page["legal"] if event[0] == "moved"]
        if throws and self.match.hands is not None:
            others = [event for event in page["legal"] if event[0] not in ("moved", "missed")]
            chips = [event[2][0][0] for event in throws]
            return ThrowChooser(chips, [(self.panel.describe(e, page["view"]), e) for e in others])
        if throws and len(page["legal"]) > len(throws):
            legal = [event for event in page["legal"] if event[0] != "moved"]
            return Menu(
                "Throw a chip on the board. It missed?",
                [(self.panel.describe(event, page["view"]), event) for event in legal],
            )
        chooser: Chooser = self.panel.chooser(page["view"], page["legal"], seat)
        return chooser

    def _key(self, key: str) -> None:
        self.message = ""
        if self.showing:
            self.showing = None
        elif key in GLOBAL_KEYS and not getattr(self.chooser, "takes_letters", False):
            self._global_key(key)
        elif self.chooser is not None and self.seat is not None:
            try:
                event = self.chooser.key(key)
            except ValueError as error:
                self.message = str(error)
                return
            if event is not None:
                seat, self.chooser = self.seat, None
                self._do(seat, event)
        else:
            self.message = "it is not your turn yet"

    def _global_key(self, key: str) -> None:
        if key == "q":
            raise Leave
        if key in ("?", "l"):
            self.showing = "help" if key == "?" else "words"
        elif key == "h":
            self.showing = "hand" if self.hand is not None else None
            self.message = "" if self.hand is not None else "nobody at this terminal is asked now"
        elif key in ("y", "n"):
            self._doubt(key == "y")
        elif key == "m":
            self.match.wish_missed()
        elif key == "a":
            self.match.accept()
        elif key == "u":
            self.match.undo()

    def _doubt(self, counts: bool) -> None:
        doubts = self.match.snapshot.get("doubts", [])
        if not doubts:
            self.message = "nothing is in doubt"
            return
        self.match.decide(doubts[0][0], counts)

    def _do(self, seat: int, event: Any) -> None:
        if isinstance(event, dict):
            self.match.throw(seat, event["chip"], event["zone"], event["strength"])
        else:
            self.match.act(seat, event)


GLOBAL_KEYS = frozenset("qhlayunm?")


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
