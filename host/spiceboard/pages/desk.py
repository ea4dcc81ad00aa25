"""What people ask of the game at the board; all of it is run by `ask`, between two looks."""

import time
from contextlib import suppress
from typing import Any

from spiceboard.board.client import Refused
from spiceboard.board.match import Match
from spiceboard.board.virtual_hands import Hands
from spiceboard.bots import bot
from spiceboard.errors import UserError
from spiceboard.pages import games
from spiceboard.pages.loop import UNDO_S, Frame, Loop
from spiceboard.pages.shelf import Shelf
from spiceboard.pages.state import Board, Chair, Game
from spiceboard.words import N_
from spicecore import parts

__all__ = ["Board", "Chair", "Desk", "Game"]


class Desk(Loop):
    """One board and the game at it."""

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
                N_(
                    "in a referee game cards and money lie on the real table, where a bot cannot "
                    "see them: choose people for all seats, or a full game"
                )
            )
        for chair in chairs:
            if chair.who == "bot":
                bot.load(name, chair.level)

    def _clear_board(self, hands: Hands) -> None:
        for chip in parts.CHIPS:
            with suppress(UserError):
                hands.lift(chip)

    def act(self, seat: int, event: list[Any], step: int | None = None) -> None:
        """A person's decision; Refused when it may not be, or the game went on since `step`. One
        that the seat has taken already, and that stands, is not sent again."""
        match = self._match()
        if step is not None and match.game["step"] != step:
            match.refresh()
            page = match.page(seat)
            if event not in page["legal"]:
                raise UserError(N_("the game went on meanwhile: look again"))
        if event == games.said(match.game["view"], seat):
            return  # it stands already: nothing new for the log, and no bot waits for it
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
            raise UserError(N_("it is not your throw, or this chip was thrown already"))
        if match.hands is not None and not self.lifts:
            match.hands.lift(chip)  # it may still lie where it should have gone home from
        match.throw_at(seat, chip, aim)
        self._told = None
        self._bots_after = time.monotonic() + 0.8 * self.pace

    def decide(self, seat: int, number: int, counts: bool) -> None:
        """The seat that the game asks decides a doubt."""
        client = self._match().client
        client.request("decide", seat=seat, key=client.claim(seat), doubt=number, counts=counts)
        self._match().refresh()

    def lies(self, seat: int, chip: str, zone: str) -> None:
        """A person says where their chip lies that no reader hears: the head chef is asked."""
        self._match().lies(seat, chip, zone)

    def accept(self) -> None:
        """The board is taken as it lies."""
        self._match().accept()

    def put_right(self, colour: str, seen: str | None, due: str | None) -> None:
        """A click lifts or lays back a chip that lies elsewhere than the game says."""
        match = self._match()
        if match.hands is None:
            raise UserError(N_("this board is real: do it with your hand"))
        for seat in range(int(match.game["players"])):
            for chip, lies, belongs in match.page(seat)["mismatch"]:
                if (parts.colour(chip), lies, belongs) == (colour, seen, due):
                    match.put_right(chip, belongs)
                    return
        raise UserError(N_("board and game agree by now"))

    def put_aside(self, then: str | None) -> list[str]:
        """Put the game that is on onto the shelf, and go on with the one called `then`, if any.

        Returns who plays that: "person" or "bot" by seat.
        """
        shelf = self.shelf
        if shelf is None:
            raise UserError(
                N_(
                    "games are put aside at a simulated board only: a real one keeps the game "
                    "that is on it"
                )
            )
        game = self._match().snapshot.get("game")
        about: Frame | None = None
        if game and not game["over"]:
            about = {
                "game": game["name"],
                "round": game["view"].get("round"),
                "seed": self.game.seed,
                "chairs": [vars(chair) for chair in self.game.chairs],
            }
        chairs = shelf.find(then)["chairs"] if then is not None else []
        if then is None and about is None:
            raise UserError(N_("no game is on"))
        self._between = lambda: self._shelve(shelf, about, then)
        return [str(chair["who"]) for chair in chairs]

    def _shelve(self, shelf: Shelf, about: Frame | None, then: str | None) -> None:
        """The board is off: change its flash."""
        self._tell("lost", N_("one game is put aside and another one is set up"))
        if about is not None:
            shelf.put(about)
        if self.board is not None:
            self.board.client.keys.clear()  # they are of the game before
        self.game = Game()
        if then is None:
            return
        told = shelf.take(then)
        self.game.chairs = [Chair(str(c["who"]), str(c["level"])) for c in told["chairs"]]
        self.game.seed = int(told["seed"])

    def lend(self) -> None:
        """Let go of the port until `take_back`, for programs that do not claim it (mpremote,
        Thonny)."""
        if self._match().hands is not None:
            raise UserError(N_("a simulated board needs no other program: it runs this version"))
        self._lends = True
        self._between = self._lent

    def take_back(self) -> None:
        """The other program is done; from any thread, also while the board is lent."""
        self._lends = False

    def manner(self, pace: float, lifts: bool) -> None:
        """How fast bots play (times the usual pauses), and whether chips go home by themselves."""
        self.pace, self.lifts = pace, lifts
        self._told = None

    def go_on(self, seat: int) -> None:
        """This person has looked."""
        self.game.ready.add(seat)
        self._told = None

    def wish_missed(self) -> None:
        """The throw that people made for a bot hit nothing."""
        self._match().wish_missed()

    # -- taking back

    def ask_undo(self, seat: int) -> None:
        """Somebody wants to take back: at once when it is his own and only bots came after it."""
        match = self._match()
        whose = self.last_person()
        if whose is None:
            raise UserError(N_("nothing that may be taken back"))
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
            raise UserError(N_("nobody asks you to take something back"))
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
