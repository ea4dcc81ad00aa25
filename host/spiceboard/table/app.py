"""The live table: board, log and whose turn it is; asks persons, lets bots and hands do theirs.

It draws what came over the wire (and the lights of a virtual board), and computes no rule. A
person's hand is covered until its owner asks for it, and covered again when the turn passes on.
"""

import time
from collections.abc import Callable
from typing import Any, Protocol

from rich.console import Console
from rich.live import Live
from rich.markup import escape

from spiceboard.board.client import Item, Refused
from spiceboard.board.match import Match
from spiceboard.bots.compiled import COMPILING
from spiceboard.errors import LinkError, UserError
from spiceboard.table.announcements import board_line
from spiceboard.table.face import SURE, Face
from spiceboard.table.menu import Menu
from spiceboard.table.panel import Chooser
from spiceboard.table.throw import ThrowChooser
from spiceboard.words import _
from spiceboard.words.refusals import said_by_board

TICK_S = 0.05  # between looks at keys and wire
DRAW_S = 0.1  # between pictures: blinking rings are seen blinking
BOT_PAUSE_S = 0.8  # so that people can follow
UNDO_S = 2.5  # after a person's decision bots wait: it may be taken back
PAGE = 10  # lines that a page up goes
GLOBAL_KEYS = frozenset("qhlcbayunmkt?")
SCROLL = {"up": 1, "down": -1, "pageup": PAGE, "pagedown": -PAGE}


class Keyboard(Protocol):
    """Where keys come from."""

    def pressed(self, timeout: float = 0.0) -> list[str]:
        """Names of the keys pressed since the last look."""


class Leave(Exception):
    """A person wants to go; the board keeps the game."""


class Table(Face):
    """One terminal around one match. `panel` is the game's module of `host/spiceboard/table`."""

    def __init__(self, match: Match, panel: Any, console: Console, keys: Keyboard) -> None:
        super().__init__(match, panel, console)
        self.keys = keys
        self.again = False  # does another game follow?
        self.legal: list[Any] = []  # what the person who is asked may answer
        self._phase: list[Any] = []  # when they were asked
        self._told_since: list[str] = []  # lines since the last decision
        self._bad_readers: set[str] = set()  # zones
        self._live: Live | None = None
        self._drawn = 0.0
        self._bot_after = 0.0
        match.on_item = self.item
        match.client.on_lost = self._lost
        match.on_compiling = self._compiling

    # -- what the board says

    def item(self, item: Item) -> None:
        """Keep what is worth a line."""
        kind, value = item
        if kind == "console":
            self.words.append(str(value))
        elif kind == "resync":
            self.story.add(lambda: f"[yellow]{escape(_(str(value)))}[/]")
        elif kind == "game":
            self._effect([None, *value])
        elif value[0] != "reader" or self._worth_telling(*value[1:3]):
            self._board_event(value)

    def _effect(self, effect: list[Any]) -> None:
        """Something happened in the game."""
        view = self.view
        slow = self.panel.slow(effect)
        line = self.panel.tell(effect, view)
        self.story.add(lambda: self.panel.tell(effect, view), slow)
        if line:
            self._told_since.append(line.split("\n")[0])
        if slow and self.people() and self.match.bots:
            self.waiting = True

    def _board_event(self, event: list[Any]) -> None:
        if event[0] == "step":
            if self._told_since:
                self.decided.append(self._told_since)
            self._told_since = []
        elif event[0] == "undone" and self.decided:
            self.decided.pop()
        self.story.add(lambda: board_line(event))

    def _worth_telling(self, zone: str, state: str) -> bool:
        """Is a reader's state players' business? That it read a moving chip in part is not."""
        if state == "incomplete":
            return False
        was_bad = zone in self._bad_readers
        (self._bad_readers.discard if state == "ok" else self._bad_readers.add)(zone)
        return state != "ok" or was_bad

    # -- running

    def run(self) -> list[Any]:
        """Play until the game is over and was looked at; its standing. Leave when a person has
        enough; the way out of the end is a key, and `again` says whether it was Enter."""
        with Live(self.draw(), console=self.console, screen=True, auto_refresh=False) as live:
            self._live = live
            while not self.match.game["over"]:
                self.turn()
                self._redraw(DRAW_S)
            self._end()
        standing: list[Any] = self.match.game["standing"]
        return standing

    def _end(self) -> None:
        """Show all hands, and wait for Enter (another game) or q."""
        self.chooser = self.seat = self.hand = self.showing = None
        self.message, self.sure, self.again = "", "", False
        self._look_at_hands()
        self.keys.pressed()  # what was typed before the end does not mean to leave
        while True:
            self.story.go_on()
            self.match.listen(0)
            self._redraw(DRAW_S)
            for key in self.keys.pressed(DRAW_S):
                if not self.showing and key in ("enter", "q"):
                    self.again = key == "enter"
                    return
                self._look_key(key)

    def _redraw(self, after: float) -> None:
        """Draw again if the picture is older than `after` seconds."""
        if self._live is not None and time.monotonic() - self._drawn >= after:
            self._live.update(self.draw(), refresh=True)
            self._drawn = time.monotonic()

    def _lost(self, error: LinkError, seconds: float) -> None:
        """The board is gone: say so at once, while the client tries to find it again."""
        text = _("{error}. Waiting {n} s for it to come back; Ctrl-C ends the wait.")
        self.message = text.format(error=error, n=f"{seconds:.0f}")
        self._redraw(0)
        self.message = ""

    def _compiling(self) -> None:
        """A bot's rules are compiled: say so at once, for nothing else happens meanwhile."""
        self.message = _(COMPILING)
        self._redraw(0)
        self.message = ""

    def turn(self) -> None:
        """Look once at wire, bots and keys; who may do nothing else may still leave."""
        self.story.go_on()
        if self._told(self._look) is not True:
            keys = self.keys.pressed()  # not told: where the terminal is gone nobody would read it
            self._told(lambda: self._answer(keys))

    def _told(self, do: Callable[[], bool]) -> bool | None:
        """Do it; what is refused becomes a message, and None."""
        try:
            return do()
        except Refused as refused:
            self.message = said_by_board(str(refused))
            if refused.code in ("claimed", "wrong_key"):
                way = _("Another table plays this seat. To play it here: k (new keys)")
                self.message = f"{self.message.rstrip('.')}. {way}"
            if refused.code != "illegal":  # what was entered stays, to be put right
                self.chooser = None
            self.match.refresh()
        except LinkError:
            raise
        except UserError as error:
            self.message = said_by_board(str(error))
        return None

    def _look(self) -> bool:
        """Take what the board says, and set up what is asked; True while hands tidy up."""
        if self.match.listen(TICK_S):
            self.match.refresh()
            self._drop_if_stale()
        self.match.settle_doubts()
        self.match.finish_throw()
        if self.match.tidy():
            return True
        self._ask()
        return False

    def _answer(self, keys: list[str]) -> bool:
        """Take the keys, and let a bot do something."""
        for key in keys:
            self._key(key)
        if self._bots_may() and self.match.bot_turn():
            self._bot_after = time.monotonic() + BOT_PAUSE_S
        return True

    def _bots_may(self) -> bool:
        """Not while people look at something, or may want to take something back."""
        if self.chooser is not None:
            self.waiting = False  # the question waits for them anyway
        looking = self.waiting or self.story.telling or bool(self.sure)
        return not looking and time.monotonic() > self._bot_after

    def _drop_if_stale(self) -> None:
        """A question that the game no longer asks so goes, and another's hand is covered."""
        alone = self._alone()
        if self.seat is not None and self.seat not in self.match.game["asked"]:
            self.chooser = self.seat = self.hand = None
            self.open_hand = self.open_hand and alone is not None
        elif self.chooser is not None and self.seat is not None:
            page = self.match.page(self.seat)
            if (page["legal"], page["view"]["phase"]) != (self.legal, self._phase):
                self.chooser = None
        if alone is not None and not self.match.game["over"]:
            self._see(alone, self.match.page(alone)["view"])

    def _see(self, seat: int, view: dict[str, Any]) -> None:
        """The hand of a seat; a person who sits alone also sees their own money."""
        self.hand = self.panel.hand(view, seat)
        self.own = view if seat == self._alone() else None

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
            self.seat, self.legal, self._phase = seat, page["legal"], page["view"]["phase"]
            self._see(seat, page["view"])
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
                _("{name}, throw a chip on the board. It missed?").format(
                    name=self.panel.name(seat)
                ),
                [(self.panel.describe(event, page["view"]), event) for event in legal],
            )
        chooser: Chooser = self.panel.chooser(page["view"], page["legal"], seat)
        return chooser

    # -- keys

    def _key(self, key: str) -> None:
        self.message = ""
        sure, self.sure = self.sure, ""
        if self.showing:
            self._look_key(key)
        elif self.open_hand and self._alone() is None:
            self.open_hand = False
        elif key in GLOBAL_KEYS:
            self._global_key(key, key == sure)
        elif self.waiting and key == "enter" and self.chooser is None:
            self.waiting = False
        elif self.covered and self.chooser is not None:
            self.covered = key != "enter"
        elif self.chooser is not None and self.seat is not None and not self.story.telling:
            self._choose(self.seat, key)
        elif not self.story.telling:
            self.message = _("nothing is asked here now")

    def _choose(self, seat: int, key: str) -> None:
        """A key for the question."""
        assert self.chooser is not None
        try:
            event = self.chooser.key(key)
        except ValueError as error:
            self.message = said_by_board(str(error))
            return
        if event is not None:
            self._do(seat, event)
            self.chooser = None

    def _look_key(self, key: str) -> None:
        """A key that only changes what is shown."""
        if self.showing == "story" and key in SCROLL:
            self.up += SCROLL[key]
        elif self.showing:
            self.showing = None
        elif key in ("?", "l", "c"):
            self.showing = {"?": "help", "l": "story", "c": "words"}[key]
            self.up = 0
        elif key == "b":
            self.board_in_front = not self.board_in_front
        elif key == "t":
            self._speak_another()

    def _global_key(self, key: str, sure: bool) -> None:
        if key in SURE and not sure:
            if key == "u" and not self.match.to_take_back():
                self.match.take_back()  # says why not
            if key != "k" or self.match.hands is not None:
                self.sure = key
                return
        if key == "q":
            raise Leave
        if key == "h":
            self.open_hand = not self.open_hand
            self.message = "" if self.hand is not None else _("there is no hand to be shown now")
        elif key in ("y", "n"):
            self._doubt(key == "y")
        elif key == "m":
            self.match.wish_missed()
        elif key == "a":
            self.match.accept()
        elif key == "u":
            self.match.take_back()
            self.chooser = None
            self._bot_after = time.monotonic() + UNDO_S
        elif key == "k":
            self.match.release()
            self.chooser = None
        else:
            self._look_key(key)

    def _doubt(self, counts: bool) -> None:
        doubts = self.match.snapshot.get("doubts", [])
        if not doubts:
            self.message = _("nothing is in doubt")
            return
        # where eyes are virtual, bots look for themselves
        people = self.people() if self.match.hands is not None else None
        self.match.decide(doubts[0][0], counts, people)

    def _do(self, seat: int, event: Any) -> None:
        self.waiting = False
        if isinstance(event, dict):
            self.chooser = None
            self.match.throw(seat, event["chip"], event["zone"], event["strength"])
            self.keys.pressed()  # what was typed while the chip flew answers no later question
            return
        for part in event if isinstance(event[0], list) else [event]:
            self.match.act(seat, part)
        if not self.match.game["over"] and self.match.to_take_back():
            self._bot_after = time.monotonic() + UNDO_S
