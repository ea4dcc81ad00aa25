"""The live table: board, log and whose turn it is; asks persons, lets bots and hands do theirs.

It draws what came over the wire (and the lights of a virtual board), and computes no rule. A
person's hand is covered until its owner asks for it, and covered again when the turn passes on.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.panel import Panel as Box
from rich.text import Text

from spiceboard.board import lights
from spiceboard.board.client import Item, Refused
from spiceboard.board.match import Match
from spiceboard.errors import LinkError, UserError
from spiceboard.table import board, screen
from spiceboard.table.announcements import board_line, difference, words
from spiceboard.table.menu import Menu
from spiceboard.table.panel import Chooser
from spiceboard.table.throw import ThrowChooser

HARD = 0.4  # strength from which a throw is called hard
TICK_S = 0.05  # between looks at keys and wire
DRAW_S = 0.1  # between pictures: blinking rings are seen blinking
BOT_PAUSE_S = 0.8  # so that people can follow
ROOMY = 18  # rows for a question beyond which a hand gets a frame
WORDS = 10  # lines of the board's console that are kept
KEYS_HELP = """\
Numbers or arrows and Enter choose. [b]h[/] shows or covers the hand of the one who is asked. \
[b]l[/] shows what the board's console said, [b]b[/] the board, where it has no room beside the \
words. [b]a[/] accepts the board as it lies when it differs from the game, [b]y[/] and [b]n[/] \
decide whether a chip in doubt counts, [b]u[/] takes the last decision back, [b]k[/] makes all \
keys of seats void, so that this table gets new ones, [b]q[/] leaves: the board keeps the game."""


class Keyboard(Protocol):
    """Where keys come from."""

    def pressed(self, timeout: float = 0.0) -> list[str]:
        """Names of the keys pressed since the last look."""


class Leave(Exception):
    """A person wants to go; the board keeps the game."""


class Table:
    """One terminal around one match. `panel` is the game's module of `host/spiceboard/table`."""

    def __init__(self, match: Match, panel: Any, console: Console, keys: Keyboard) -> None:
        self.match, self.panel, self.console, self.keys = match, panel, console, keys
        self.log: deque[str] = deque(maxlen=200)
        self.words: deque[str] = deque(maxlen=WORDS)  # console text of the board
        self.message = ""
        self.chooser: Chooser | None = None
        self.seat: int | None = None  # whose decision is being asked
        self.legal: list[Any] = []  # what they may answer
        self.hand: RenderableType | None = None
        self.showing: str | None = None  # "help" or "words" over the decisions
        self.open_hand = self._alone() is not None  # nobody to hide it from
        self.covered = False  # the question tells a secret, and others sit at this terminal
        self.leaving = False  # q was pressed once
        self._bad_readers: set[str] = set()  # zones
        self.board_in_front = False  # of the words, in a narrow terminal
        self._live: Live | None = None
        self._drawn = 0.0
        self._bot_after = 0.0
        match.on_item = self.item
        match.client.on_lost = self._lost

    def _alone(self) -> int | None:
        """The only person's seat; None when there are several people, or none."""
        players = int(self.match.game["players"])
        people = [seat for seat in range(players) if seat not in self.match.bots]
        return people[0] if len(people) == 1 else None

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
        elif value[0] != "reader" or self._worth_telling(*value[1:3]):
            line = board_line(value)
            if line:
                self.log.append(line)

    def _worth_telling(self, zone: str, state: str) -> bool:
        """Is a reader's state players' business? That it read a moving chip in part is not."""
        if state == "incomplete":
            return False
        was_bad = zone in self._bad_readers
        (self._bad_readers.discard if state == "ok" else self._bad_readers.add)(zone)
        return state != "ok" or was_bad

    @property
    def view(self) -> dict[str, Any]:
        """The public view as last read."""
        game = self.match.snapshot.get("game") or {}
        return game.get("view") or {}

    # -- drawing

    def draw(self) -> RenderableType:
        """The whole screen."""
        width, height = self.console.width, self.console.height - 1
        if width < screen.SMALLEST[0] or height + 1 < screen.SMALLEST[1]:
            return screen.too_small(width, height + 1)
        room = width - screen.SIDE - screen.BESIDE
        narrow = room < board.Scale(0).width
        parts = screen.Words(
            top=Group(
                Text.from_markup(f"[bold]{self.panel.prompt(self.view)}[/]"), *self._troubles()
            ),
            public=self.panel.public(self.view),
            question=self._below,
            log=list(self.log)[-screen.LOG_LINES :],
        )
        if not getattr(self.chooser, "pictured", False):
            parts.picture = lambda rows: self.panel.picture(self.view, rows) or Text()
        if narrow and not self.board_in_front:
            chips = self.match.snapshot.get("chips", {})
            parts.top = Group(parts.top, board.in_words(chips)) if chips else parts.top
            return screen.Lines(screen.words(self.console, parts, width, height)[:height])
        if narrow:
            room, parts.public, parts.picture = 0, Text(), None
        drawn = board.draw(
            board.Scale(height, room),
            self._lights(),
            self.match.snapshot.get("chips", {}),
            self.panel.labels(self.view),
            plain=self.console.no_color,
        )
        picture = screen.lines_of(self.console, drawn, width)[:height]
        left = width - screen.BESIDE - board.Scale(height, room).width
        return screen.beside(picture, screen.words(self.console, parts, left, height), height)

    def _lights(self) -> lights.Lights:
        if self.match.hands is not None:
            return self.match.hands.lights()
        return lights.from_show(self.match.snapshot.get("show", {}), int(time.monotonic() * 1000))

    def _below(self, rows: int) -> RenderableType:
        """What is asked, or what covers it, in so many rows."""
        if self.showing == "help":
            return Box(Text.from_markup(KEYS_HELP), title="keys (any key closes this)")
        if self.showing == "words":
            text = Text("\n".join(self.words) or "nothing yet")
            return Box(text, title="the board's console (any key closes this)")
        parts: list[RenderableType] = []
        if self.open_hand and self.hand is not None:
            key = "any key covers it" if self._alone() is None else "h covers it"
            box = Box(self.hand, title=f"hand ({key})", border_style="yellow")
            parts.append(box if rows > ROOMY else self.hand)
        why = getattr(self.chooser, "why", str)  # one that says itself why something is refused
        if self.message and self.message != why():
            parts.append(Text.from_markup(f"[red]{escape(self.message)}[/]"))
        if self.leaving:
            parts.append(Text.from_markup(f"[red]{LEAVE}[/]"))
        taken = sum(len(screen.lines_of(self.console, part, screen.SIDE)) for part in parts) + 1
        if self.chooser and self.covered and self.seat is not None:
            parts.append(Text.from_markup(COVERED.format(self.panel.name(self.seat))))
        elif self.chooser:
            parts.append(self.chooser.draw(rows - taken))
        return Group(*parts, Text.from_markup(self._hint()))

    def _hint(self) -> str:
        hand = "h hand  " if self.hand is not None else ""
        narrow = self.console.width < screen.SIDE + screen.BESIDE + board.Scale(0).width
        return f"[dim]? keys  {hand}{'b board  ' if narrow else ''}l the board's log  q leave[/]"

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
        """Play until the game is over and was looked at; its standing. Leave when a person has
        enough."""
        with Live(self.draw(), console=self.console, screen=True, auto_refresh=False) as live:
            self._live = live
            while not self.match.game["over"]:
                self.turn()
                self._redraw(DRAW_S)
            self.chooser = self.seat = self.hand = None
            self.showing, self.message = None, "The game is over: any key leaves."
            self.keys.pressed()  # what was typed before the end does not mean to leave
            while not self.keys.pressed(DRAW_S):
                self.match.listen(0)
                self._redraw(DRAW_S)
        standing: list[Any] = self.match.game["standing"]
        return standing

    def _redraw(self, after: float) -> None:
        """Draw anew when the picture is that old, in seconds."""
        if self._live is not None and time.monotonic() - self._drawn >= after:
            self._live.update(self.draw(), refresh=True)
            self._drawn = time.monotonic()

    def _lost(self, error: LinkError, seconds: float) -> None:
        """The board is gone: say so at once, while the client tries to find it again."""
        self.message = (
            f"{error}. Waiting {seconds:.0f} s for it to come back; Ctrl-C ends the wait."
        )
        self._redraw(0)
        self.message = ""

    def turn(self) -> None:
        """Look once at wire, bots and keys; who may do nothing else may still leave."""
        if self._told(self._look) is not True:
            keys = self.keys.pressed()  # not told: where the terminal is gone nobody would read it
            self._told(lambda: self._answer(keys))

    def _told(self, do: Callable[[], bool]) -> bool | None:
        """Do it; what is refused becomes a message, and None."""
        try:
            return do()
        except Refused as refused:
            self.message = str(refused)
            if refused.code in ("claimed", "wrong_key"):
                self.message += ". Another table plays this seat. To play it here: k (new keys)"
            self.chooser = None
            self.match.refresh()
        except LinkError:
            raise
        except UserError as error:
            self.message = str(error)
        return None

    def _look(self) -> bool:
        """Take what the board says, and set up what is asked; True while hands tidy up."""
        if self.match.listen(TICK_S):
            self.match.refresh()
            self._drop_if_stale()
        self.match.settle_doubts()
        if self.match.tidy():
            return True
        self._ask()
        return False

    def _answer(self, keys: list[str]) -> bool:
        """Take the keys, and let a bot do something."""
        for key in keys:
            self._key(key)
        if time.monotonic() > self._bot_after and self.match.bot_turn():
            self._bot_after = time.monotonic() + BOT_PAUSE_S
        return True

    def _drop_if_stale(self) -> None:
        """A question that the game no longer asks so goes, and another's hand is covered."""
        alone = self._alone()
        if self.seat is not None and self.seat not in self.match.game["asked"]:
            self.chooser = self.seat = self.hand = None
            self.open_hand = self.open_hand and alone is not None
        elif self.chooser is not None and self.seat is not None:
            if self.match.page(self.seat)["legal"] != self.legal:
                self.chooser = None
        if alone is not None and not self.match.game["over"]:
            self.hand = self.panel.hand(self.match.page(alone)["view"], alone)

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
            secret = self._alone() is None and self._secret(page["legal"])
            self.covered = secret and (self.covered or seat != self.seat)
            self.seat, self.legal = seat, page["legal"]
            self.hand = self.panel.hand(page["view"], seat)
            self.chooser = self._chooser(seat, page)
            return

    def _secret(self, legal: list[Any]) -> bool:
        """Does the question tell what others at this terminal may not know?"""
        if self.match.hands is None:  # throws are made by hand, and not chosen here
            legal = [event for event in legal if event[0] != "moved"]
        private: bool = self.panel.private(legal)
        return private

    def _chooser(self, seat: int, page: dict[str, Any]) -> Chooser:
        throws = [event for event in page["legal"] if event[0] == "moved"]
        if throws and self.match.hands is not None:
            others = [event for event in page["legal"] if event[0] not in ("moved", "missed")]
            chips = [event[2][0][0] for event in throws]
            passes = [(self.panel.describe(event, page["view"]), event) for event in others]
            return ThrowChooser(self.panel.name(seat), chips, passes)
        if throws and len(page["legal"]) > len(throws):
            legal = [event for event in page["legal"] if event[0] != "moved"]
            return Menu(
                f"{self.panel.name(seat)}, throw a chip on the board. It missed?",
                [(self.panel.describe(event, page["view"]), event) for event in legal],
            )
        chooser: Chooser = self.panel.chooser(page["view"], page["legal"], seat)
        return chooser

    def _key(self, key: str) -> None:
        self.message = ""
        if self.leaving and key == "q":
            raise Leave
        self.leaving = False
        if self.showing:
            self.showing = None
        elif self.open_hand and self._alone() is None:
            self.open_hand = False
        elif key in GLOBAL_KEYS:
            self._global_key(key)
        elif self.covered and self.chooser is not None:
            self.covered = key != "enter"
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
            self.message = "nothing is asked here now"

    def _global_key(self, key: str) -> None:
        if key == "q":
            self.leaving = True
        elif key in ("?", "l"):
            self.showing = "help" if key == "?" else "words"
        elif key == "h":
            self.open_hand = not self.open_hand
            self.message = "" if self.hand is not None else "there is no hand to be shown now"
        elif key == "b":
            self.board_in_front = not self.board_in_front
        elif key in ("y", "n"):
            self._doubt(key == "y")
        elif key == "m":
            self.match.wish_missed()
        elif key == "a":
            self.match.accept()
        elif key == "u":
            self.match.undo()
        elif key == "k":
            self.match.release()
            self.chooser = None

    def _doubt(self, counts: bool) -> None:
        doubts = self.match.snapshot.get("doubts", [])
        if not doubts:
            self.message = "nothing is in doubt"
            return
        self.match.decide(doubts[0][0], counts)

    def _do(self, seat: int, event: Any) -> None:
        if isinstance(event, dict):
            self.match.throw(seat, event["chip"], event["zone"], event["strength"])
            self.keys.pressed()  # what was typed while the chip flew answers no later question
        else:
            self.match.act(seat, event)


GLOBAL_KEYS = frozenset("qhlbayunmk?")
LEAVE = "Leave the game? q once more leaves, any other key stays."
COVERED = (
    "[bold]{}, you are asked.[/] The question tells what you hold:\n"
    "press Enter when nobody else looks."
)
