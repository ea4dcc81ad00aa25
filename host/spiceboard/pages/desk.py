"""One board and the game at it, in a thread of its own: bots, hands, and what people ask for.

The server hands in functions to be run between two looks at the board (`ask`), and is told by
`tell` what has changed: ("table", {...}), ("seats", {...}), ("line", {...}), ("notice", text).
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from spiceboard.archive.score import Score, from_records
from spiceboard.archive.store import Archive
from spiceboard.bots import bot
from spiceboard.board.client import Client, Item, Refused
from spiceboard.errors import LinkError, UserError
from spiceboard.board.virtual_hands import Hands
from spiceboard.commands.log import fetch
from spiceboard.board.match import Match
from spiceboard.pages import games

Frame = dict[str, Any]
Tell = Callable[[str, Any], None]
TICK_S = 0.05  # between looks at the board
AGAIN_S = 1.0  # between tries to find a lost board
UNDO_S = 2.5  # after a person's decision bots wait: it may be taken back
FURTHEST = 3  # decisions that the board takes back in a row


@dataclass
class Chair:
    """Who plays a seat: a person, or a bot of some level."""

    who: str = "person"
    level: str = "sensible"


@dataclass
class Board:
    """A board that was opened: its client, and hands and eyes where it is virtual."""

    client: Client
    hands: Hands | None = None
    eyes: Callable[[], Frame] | None = None


@dataclass
class Game:
    """What the desk knows of the game beside what the board says."""

    chairs: list[Chair] = field(default_factory=list)
    seed: int = 0
    doers: list[int | None] = field(default_factory=list)  # of the last decisions, newest last
    ready: set[int] = field(default_factory=set)  # seats that want to go on
    gate: Any = None  # what is looked at before the game goes on
    undo: Frame | None = None  # who asks whom to take something back
    doer: int | None = None  # whose decision is under way
    effects: list[str] = field(default_factory=list)  # kinds since the last step


class Desk:
    """`open_board` is entered again whenever the board was lost."""

    def __init__(
        self,
        open_board: Callable[[], AbstractContextManager[Board]],
        tell: Tell,
        pace: float = 1.0,
        archive: Archive | None = None,
    ) -> None:
        self._open, self._tell = open_board, tell
        self.pace = pace  # times the usual pauses of bots; 0 for tests
        self.archive = archive
        self._kept: Any = ()  # the game that was put into the archive last
        self._fetched: set[str] = set()  # logs that were
        self.game = Game()
        self.board: Board | None = None
        self.match: Match | None = None
        self.watched: Callable[[int], bool] = lambda seat: True  # does a person look at a seat?
        self._commands: queue.Queue[tuple[Callable[[], Any], Future[Any]]] = queue.Queue()
        self._ended = threading.Event()
        self._told: Any = None
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
            except UserError as error:
                if not self.first.done():
                    self.first.set_exception(error)
                    return
                self._tell("lost", str(error))
            except Exception:  # a fault of ours: said, and the game taken up again from the board
                traceback.print_exc()
                self._tell("lost", "the table stumbled and begins again")
            self.board = self.match = None
            self._refuse_all()
            self._ended.wait(AGAIN_S)

    def _refuse_all(self) -> None:
        with suppress(queue.Empty):
            while True:
                _, future = self._commands.get_nowait()
                if future.set_running_or_notify_cancel():
                    future.set_exception(UserError("the board is not there; it is waited for"))

    def _play(self) -> None:
        assert self.board is not None
        self.match = Match(self.board.client, {}, self.board.hands, self._item)
        self.match.refresh()
        self._seat_bots()
        self._tell("found", self.board.client.hello)
        if not self.first.done():
            self.first.set_result(None)
        self._told = None
        while not self._ended.is_set():
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
        if match.listen(TICK_S if self.pace else 0):
            match.refresh()
        if match.snapshot.get("game"):
            self._keep_gate()
            match.settle_doubts()
            match.finish_throw()
            if not match.tidy() and self._bots_may():
                self._bot_turn()
        if match.snapshot is not self._told:
            self._publish()
            self._keep_finished()

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
            self._tell("notice", str(error))

    def _names(self) -> str:
        """Who played, for the archive."""
        return ",".join(c.level if c.who == "bot" else "person" for c in self.game.chairs)

    def _match(self) -> Match:
        if self.match is None:
            raise UserError("the board is not there; it is waited for")
        return self.match

    def _item(self, item: Item) -> None:
        """Every item of the wire, also from within a throw."""
        self._tell("item", item)
        kind, value = item
        if kind == "game":
            self.game.effects.append(str(value[0]))
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
        for seat, chair in enumerate(self.game.chairs[: game["players"]]):
            if chair.who == "bot":
                match.bots[seat] = bot.load(game["name"], chair.level)(seat, self.game.seed)

    def people(self) -> list[int]:
        """Seats of people."""
        game = self._match().snapshot.get("game") or {"players": 0}
        return [seat for seat in range(game["players"]) if seat not in self._match().bots]

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
        if time.monotonic() < self._bots_after or self.game.undo is not None:
            return False
        return not self.waits_for()

    def _bot_turn(self) -> None:
        match = self._match()
        if match.bot_turn():
            name = match.game["view"]["phase"][0]
            self._bots_after = time.monotonic() + games.pause_s(match.game["name"], name) * (
                self.pace
            )

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
            "undo": self.game.undo,
            "undoable": self.undo_for() is not None,
        }
        self._tell("table", table)
        self._tell("seats", seats)

    def _page(self, seat: int) -> Frame:
        """What the seat sees and may do, with reasons for what it may not."""
        match = self._match()
        page = match.page(seat)
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
        raise UserError("the board did what was not legal: please report this")

    # -- what people ask for (all of it run by `ask`)

    def begin(self, name: str, options: Frame, chairs: list[Chair]) -> None:
        """Start a game; the one that is on is ended."""
        match = self._match()
        self._check_chairs(name, options, chairs)
        if match.snapshot.get("game"):
            match.client.request("abort", confirm=True)
        match.client.keys.clear()
        if match.hands is not None:
            self._clear_board(match.hands)
        self.game = Game(chairs=chairs, seed=int(options.get("seed", 0)))
        try:
            match.start(name, options)
        finally:
            match.refresh()
            self._seat_bots()
            self._told = None
        self._bots_after = time.monotonic() + 1.5 * self.pace

    def _check_chairs(self, name: str, options: Frame, chairs: list[Chair]) -> None:
        if options.get("mode") == "referee" and any(chair.who == "bot" for chair in chairs):
            raise UserError(
                "in a referee game cards and money lie on the real table, where a bot cannot see "
                "them: choose people for all seats, or a full game"
            )
        for chair in chairs:
            if chair.who == "bot":
                bot.load(name, chair.level)

    def _clear_board(self, hands: Hands) -> None:
        for chip in games.CHIPS:
            with suppress(UserError):
                hands.lift(chip)

    def act(self, seat: int, event: list[Any], step: int | None = None) -> None:
        """A person's decision; Refused when it may not be, or the game went on since `step`."""
        match = self._match()
        if step is not None and match.game["step"] != step:
            match.refresh()
            page = match.page(seat)
            if event not in page["legal"]:
                raise UserError("the game went on meanwhile: look again")
        self.game.doer = seat
        try:
            match.act(seat, event)
        except Refused:
            self.game.doer = None
            raise
        self.game.ready.add(seat)
        if not self._match().game["over"]:
            self._bots_after = time.monotonic() + UNDO_S * self.pace
        self._told = None

    def why(self, seat: int, event: list[Any]) -> tuple[str, Frame]:
        """(why the seat may not do this, or the empty text, and its view)."""
        page = self._match().page(seat)
        reason = "" if event in page["legal"] else self._reason(seat, event, page["step"])
        return reason, page["view"]

    def throw(self, seat: int, chip: str, aim: Frame) -> None:
        """A person throws: at a point (x, y) or a zone, with a strength of 0 to 1."""
        match = self._match()
        legal = match.page(seat)["legal"]
        if not any(event[0] == "moved" and event[2][0][0] == chip for event in legal):
            raise UserError("it is not your throw, or this chip was thrown already")
        self._tell("flight", {"colour": games.colour(chip), "seat": seat, **aim})
        match.throw_at(seat, chip, aim)
        self._told = None
        self._bots_after = time.monotonic() + 0.8 * self.pace

    def decide(self, seat: int, number: int, counts: bool) -> None:
        """The seat that the game asks decides a doubt."""
        client = self._match().client
        client.request("decide", seat=seat, key=client.claim(seat), doubt=number, counts=counts)
        self._match().refresh()

    def accept(self) -> None:
        """The board is taken as it lies."""
        self._match().accept()

    def go_on(self, seat: int) -> None:
        """This person has looked."""
        self.game.ready.add(seat)
        self._told = None

    def wish_missed(self) -> None:
        """The throw that people made for a bot hit nothing."""
        self._match().wish_missed()

    # -- taking back

    def undo_for(self) -> int | None:
        """The seat of the last person's decision that could be taken back, with what came after
        it; None when nothing is."""
        for steps, seat in enumerate(reversed(self.game.doers[-FURTHEST:]), 1):
            if seat is not None:
                return seat if steps <= FURTHEST else None
        return None

    def ask_undo(self, seat: int) -> None:
        """Somebody wants to take back: at once when it is his own and only bots came after it."""
        match = self._match()
        whose = self.undo_for()
        if whose is None:
            raise UserError("nothing that may be taken back")
        others = [s for s in self.people() if s != seat and self.watched(s)]
        if others:
            self.game.undo = {"by": seat, "of": whose, "waits": others}
            self._told = None
            return
        self._take_back(match)

    def answer_undo(self, seat: int, yes: bool) -> None:
        """One who was asked answers; all must agree."""
        asked = self.game.undo
        if asked is None or seat not in asked["waits"]:
            raise UserError("nobody asks you to take something back")
        self._told = None
        if not yes:
            self.game.undo = None
            self._tell("notice", "undo-refused")
            return
        asked["waits"].remove(seat)
        if not asked["waits"]:
            self.game.undo = None
            self._take_back(self._match())

    def _take_back(self, match: Match) -> None:
        """Undo up to and with the last decision of a person."""
        while self.game.doers:
            match.undo()
            whose = self.game.doers.pop()
            if whose is not None:
                break
        self._bots_after = time.monotonic() + UNDO_S * self.pace
        self._told = None


def finished(client: Client, fetched: set[str], players: str) -> Iterator[Score]:
    """Games that were ended and whose records the board still has; those fetched are left out.

    `players` is told of the newest one only: who played the others nobody knows.
    """
    logs = client.request("log")["logs"]
    games: dict[str, list[Any]] = {}
    for name, _, _, over in logs:
        games.setdefault(name.split("-")[0], []).append((name, over))
    for number, (game, files) in enumerate(games.items(), 1):
        if game in fetched or not files[-1][1]:
            continue
        fetched.add(game)
        records = [record for name, _ in files for record in fetch(client, name)]
        facts = {"board": str(client.hello.get("board"))}
        if number == len(games):
            facts["players"] = players
        with suppress(UserError):  # its beginning was erased, or it was recorded by other rules
            score = from_records(records, facts)
            if score.events and score.events[-1][0] != "abort":
                yield score


@contextmanager
def opened(board: Board) -> Iterator[Board]:
    """A board that is open already, for tests and for one that nobody can open again."""
    yield board
