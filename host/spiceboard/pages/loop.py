"""The thread at one board: listens, lets bots and hands do theirs, and tells what has changed.

The server hands in functions to be run between two looks at the board (`ask`), and is told by
`tell` what has changed: ("table", {...}), ("seats", {...}), ("line", {...}), ("notice", text).
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from typing import Any

from spiceboard.archive.records import finished
from spiceboard.archive.store import Archive
from spiceboard.board.claims import Claimed
from spiceboard.board.client import Item, Refused
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard.errors import LinkError, UserError
from spiceboard.pages import games
from spiceboard.pages.shelf import Shelf
from spiceboard.pages.state import Board, Chair, Game
from spiceboard.words import N_

Frame = dict[str, Any]
Tell = Callable[[str, Any], None]
TICK_S = 0.05  # between looks at the board
QUICK_S = 0.002  # the same where bots do not pause: no look after look without any rest
AGAIN_S = 1.0  # between tries to find a lost board
UNDO_S = 2.5  # after a person's decision bots wait: it may be taken back


class Loop:
    """The thread at the board. `open_board` is entered again whenever the board was lost."""

    def __init__(
        self,
        open_board: Callable[[], AbstractContextManager[Board]],
        tell: Tell,
        pace: float = 1.0,
        archive: Archive | None = None,
    ) -> None:
        self._open, self._tell = open_board, tell
        self.pace = pace  # times the usual pauses of bots; 0 for tests
        self.lifts = True  # on a virtual board: chips that go home do so by themselves
        self.archive = archive
        self._kept: Any = ()  # the game that was put into the archive last
        self._fetched: set[str] = set()  # logs that were
        self.game = Game()
        self.board: Board | None = None
        self.match: Match | None = None
        self.watched: Callable[[int], bool] = lambda seat: True  # does a person look at a seat?
        self.keyed: Callable[[], None] = lambda: None  # told when the board gave keys out
        self._locked_out = False  # another table has them
        self.reading: Callable[[], bool] = lambda: False  # does somebody read the guide?
        self._commands: queue.Queue[tuple[Callable[[], Any], Future[Any]]] = queue.Queue()
        self._ended = threading.Event()
        self.shelf: Shelf | None = None  # at a simulated board: games that were put aside
        self._between: Callable[[], None] | None = None  # to be done while the board is away
        self._claimed = Board.claimed
        self._lends = False  # people have lent the board to a program that claims nothing
        self._told: Any = None
        self._compiles = False  # a bot's rules, just now
        self._bots_after = 0.0
        self.first: Future[None] = Future()  # done when the board answered, or could not be opened
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)

    # -- from other threads

    def start(self) -> None:
        """Begin to talk to the board."""
        self._thread.start()

    def end(self) -> None:
        """Let go of the board; waits until that is done."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(20)

    def ask(self, do: Callable[[], Any]) -> Future[Any]:
        """Have this done between two looks at the board; its result or UserError."""
        future: Future[Any] = Future()
        self._commands.put((do, future))
        return future

    # -- the thread

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with self._open() as self.board:
                    self._play()
                self._change_over()
            except UserError as error:
                if not self.first.done():
                    self.first.set_exception(error)
                    self._refuse_all()
                    return
                if isinstance(error, Claimed):
                    self._lent()
                else:
                    self._tell("lost", str(error))
            except Exception:  # a fault of ours: said, and the game taken up again from the board
                traceback.print_exc()
                self._tell("lost", "the table stumbled and begins again")
            self.board = self.match = None
            self._refuse_all()
            self._ended.wait(AGAIN_S if self.pace else 0.1)

    def _change_over(self) -> None:
        """Do what was left for the moment in which the board is switched off."""
        if self._between is None:
            return
        do, self._between = self._between, None
        do()

    def _lent(self) -> None:
        """Another program has the port: a command until it ends, any other one until people say
        that it is done."""
        told = ""
        while not self._ended.is_set():
            to = "command" if self._claimed() else "people" if self._lends else ""
            if not to:
                return
            if to != told:
                self._tell("lent", to)
            told = to
            self._refuse_all()
            self._ended.wait(0.1)

    def _refuse_all(self) -> None:
        with suppress(queue.Empty):
            while True:
                _, future = self._commands.get_nowait()
                if future.set_running_or_notify_cancel():
                    future.set_exception(UserError(N_("the board is not there; it is waited for")))

    def _play(self) -> None:
        assert self.board is not None
        self._claimed = self.board.claimed
        self.match = Match(self.board.client, {}, self.board.hands, self._item)
        self.match.on_compiling = self._compiling
        self.board.client.on_lost = lambda error, seconds: self._tell("lost", str(error))
        self.match.refresh()
        self._seat_bots()
        if self.match.snapshot.get("game"):
            self._has_keys()  # before anybody may ask for something
        self._tell("found", self.board.client.hello)
        if not self.first.done():
            self.first.set_result(None)
        self._told = None
        while not self._ended.is_set() and self._between is None:
            self._obey()
            self._look()

    def _obey(self) -> None:
        while True:
            try:
                do, future = self._commands.get_nowait()
            except queue.Empty:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(do())
            except LinkError as error:
                future.set_exception(error)
                raise
            except Exception as error:
                future.set_exception(error)
                if not isinstance(error, UserError):
                    raise

    def _look(self) -> None:
        """One look at the board: take what it says, let hands and bots do theirs, tell."""
        match = self._match()
        if match.listen(TICK_S if self.pace else QUICK_S):
            match.refresh()
        try:
            if match.snapshot.get("game") and self._has_keys():
                self._do_ours()
        except Refused as refused:
            if refused.code != "wrong_key":
                raise
            match.client.keys.clear()  # somebody made them void meanwhile
        if match.snapshot is not self._told:
            self._publish()
            self._keep_finished()

    def _do_ours(self) -> None:
        """What bots and virtual hands do in a game."""
        match = self._match()
        self._keep_gate()
        match.settle_doubts()
        match.finish_throw()
        match.give_back()
        if not (self.lifts and match.tidy()) and self._bots_may():
            self._bot_turn()

    def _has_keys(self) -> bool:
        """Have the board's keys of all seats; False while another table has them."""
        client, seats = self._match().client, range(int(self._match().game["players"]))
        if self._locked_out or all(seat in client.keys for seat in seats):
            return not self._locked_out
        try:
            for seat in seats:
                client.claim(seat)
        except Refused as refused:
            if refused.code != "claimed":
                raise
            self._unlock()
        self.keyed()
        return not self._locked_out

    def _unlock(self) -> None:
        """Another table has this game's keys: a virtual hand makes them void, people are asked."""
        match = self._match()
        match.client.keys.clear()
        if match.hands is not None:
            match.release()
            return
        self._locked_out = True
        self._tell("notice", N_(
            "another table has the keys of this game: hold the button `no` on the board for three "
            "seconds, and this one takes it over"
        ))  # fmt: skip

    def _keep_finished(self) -> None:
        """Put what the board has kept of finished games into the archive."""
        match = self._match()
        game = match.snapshot.get("game")
        if self.archive is None or (game and not game["over"]) or game == self._kept:
            return
        self._kept = game
        try:
            for score in finished(match.client, self._fetched, self._names()):
                self.archive.add(score)
        except (Refused, UserError) as error:
            self._fetched.clear()  # the board keeps it; fetched again after the next game
            self._tell("notice", str(error))

    def _names(self) -> str:
        """Who played, for the archive."""
        return ",".join(c.level if c.who == "bot" else "person" for c in self.game.chairs)

    def _match(self) -> Match:
        if self.match is None:
            raise UserError(N_("the board is not there; it is waited for"))
        return self.match

    def _item(self, item: Item) -> None:
        """Every item of the wire, also from within a throw."""
        self._tell("item", item)
        kind, value = item
        if kind == "resync":  # the link may have been lost meanwhile
            self._tell("found", self._match().client.hello)
        elif kind == "game":
            self.game.effects.append(str(value[0]))
        elif kind == "board" and value[0] == "released":
            self._locked_out = False
            self._match().client.keys.clear()
        elif kind == "board" and value[0] == "step":
            self._stepped()

    def _stepped(self) -> None:
        """Keep who decided; what only tells where chips lie is no decision."""
        told, self.game.effects = self.game.effects, []
        if all(kind in games.physical(self._match().game["name"]) for kind in told):
            return
        self.game.doers.append(self.game.doer)
        self.game.doer = None

    # -- bots

    def _seat_bots(self) -> None:
        match = self._match()
        game = match.snapshot.get("game")
        match.bots = {}
        if not game:
            return
        while len(self.game.chairs) < game["players"]:  # a game that the board's buttons began
            self.game.chairs.append(Chair())
        if game["mode"] == "referee":  # cards lie on the real table, where bots see nothing
            return
        for seat, chair in enumerate(self.game.chairs[: game["players"]]):
            if chair.who == "bot":
                match.bots[seat] = bot.load(game["name"], chair.level)(seat, self.game.seed)

    def people(self) -> list[int]:
        """Seats of people."""
        game = self._match().snapshot.get("game") or {"players": 0}
        return [seat for seat in range(game["players"]) if seat not in self._match().bots]

    def last_person(self) -> int | None:
        """The seat of the person whose last decision the board would take back; None if none."""
        game = self._match().snapshot.get("game") or {}
        whose = self.game.last_person()
        return whose if whose in game.get("undo", [whose]) else None

    def _keep_gate(self) -> None:
        """The end of a round is looked at until every person who is there goes on."""
        view = self._match().game["view"]
        gate = games.gate(view)
        if gate != self.game.gate:
            self.game.gate, self.game.ready = gate, set()
            self._told = None

    def waits_for(self) -> list[int]:
        """Seats whose people have yet to go on."""
        if self.game.gate is None:
            return []
        return [s for s in self.people() if self.watched(s) and s not in self.game.ready]

    def _bots_may(self) -> bool:
        if time.monotonic() < self._bots_after or self.game.undo is not None or self.reading():
            return False
        if not self.lifts and self._match().snapshot.get("mismatch"):
            return False  # a person has chips to lift
        return not self.waits_for()

    def _bot_turn(self) -> None:
        match = self._match()
        if match.bot_turn():
            self._told = None  # a wish for a throw changes no snapshot
            name = match.game["view"]["phase"][0]
            self._bots_after = time.monotonic() + games.pause_s(match.game["name"], name) * (
                self.pace
            )

    def _compiling(self) -> None:
        """A bot's rules are compiled: say so until it has decided."""
        self._compiles = True
        self._publish()
        self._compiles, self._told = False, None

    # -- what is told

    def _publish(self) -> None:
        match = self._match()
        self._told = match.snapshot
        game = match.snapshot.get("game")
        seats: dict[int, Frame] = {}
        if game:
            for seat in self.people() if not game["over"] else range(game["players"]):
                with suppress(Refused):
                    seats[seat] = self._page(seat)
        table = {
            "snapshot": match.snapshot,
            "chairs": [{"who": c.who, "level": c.level} for c in self.game.chairs],
            "wish": match.wish and {k: match.wish[k] for k in ("seat", "zone", "strength")},
            "hands": match.hands is not None,
            "waits": self.waits_for(),
            "compiles": self._compiles,
            "undo": self.game.undo,
            "undoable": self.last_person() is not None,
            "manner": {"pace": self.pace, "lifts": self.lifts},
            "shelf": self.shelf is not None,
        }
        self._tell("table", table)
        self._tell("seats", seats)

    def _page(self, seat: int) -> Frame:
        """What the seat sees and may do, with reasons for what it may not."""
        match = self._match()
        page = match.page(seat)
        page["said"] = games.said(page["view"], seat)
        page["locked"] = []
        if seat in match.game["asked"] and not match.snapshot.get("doubts"):
            for event in games.candidates(page["view"], seat):
                if event not in page["legal"]:
                    page["locked"].append([event, self._reason(seat, event, page["step"])])
        return page

    def _reason(self, seat: int, event: list[Any], step: int) -> str:
        """Why the seat may not do this, in the board's words: it is asked, and refuses. The step
        is named, so that nothing is done where the game went on meanwhile."""
        client = self._match().client
        try:
            client.request("act", seat=seat, key=client.claim(seat), event=event, step=step)
        except Refused as refused:
            return str(refused)
        raise UserError(N_("the board did what was not legal: please report this"))
