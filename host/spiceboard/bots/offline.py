"""A whole game on the rules alone, without a board: for tournaments and for measuring."""

import random
from collections.abc import Sequence
from typing import Any

from spiceboard.bots.bot import Bot
from spiceboard.bots.throws import ThrowTable
from spiceboard.errors import UserError
from spicecore import games
from spicecore.games import BY_BUTTONS, GAMES

DEFAULT_GAME = BY_BUTTONS[0][0]  # of all commands, as of a board that is started by its buttons
STEP_LIMIT = 20_000  # a game of random bots takes a tenth of it


def rules_of(game: str) -> Any:
    """The rules module of a game; UserError that lists the games there are."""
    if game not in GAMES:
        raise UserError(f"no game is called {game[:40]!r}; there are: {', '.join(GAMES)}")
    return games.load(game)


def throwable(legal: list[Any], thrown: set[str]) -> list[Any]:
    """What is legal, without throws of chips that were thrown before and landed nowhere."""
    if not thrown:
        return legal
    return [event for event in legal if event[0] != "moved" or event[2][0][0] not in thrown]


class Game:
    """One game being played; `steps` counts accepted events."""

    def __init__(self, rules: Any, bots: Sequence[Bot], seed: int, **options: Any) -> None:
        self.rules, self.bots = rules, bots
        self.state = rules.new({"players": len(bots), "mode": "full", "seed": seed, **options})
        self.board = ThrowTable(random.Random(f"throws {seed}"))
        self.thrown: set[str] = set()  # this round; the rules cannot know a chip that nobody saw
        self.round: Any = None
        self.steps = 0

    def play(self) -> list[Any]:
        """Play to the end; the standing [[seat, rank, score], ...]."""
        while not self.rules.over(self.state):
            self.turn()
            if self.steps > STEP_LIMIT:
                raise RuntimeError(
                    f"no end after {STEP_LIMIT} steps: {self.rules.text(self.state)}"
                )
        standing: list[Any] = self.rules.standing(self.state)
        return standing

    def turn(self) -> None:
        """Let the first seat that is asked do one thing."""
        seat = self.rules.seats_asked(self.state)[0]
        view = self.rules.view(self.state, seat)
        if view.get("round") != self.round:
            self.round = view.get("round")
            self.thrown.clear()
            self.board.zones.clear()
        legal = throwable(self.rules.legal(self.state, seat), self.thrown)
        event = self.bots[seat].decide(view, legal)
        if event[0] == "moved":
            self._throw(seat, view, legal)
        else:
            self._step(event)
        self._tidy()

    def _throw(self, seat: int, view: dict[str, Any], legal: list[Any]) -> None:
        aim = self.bots[seat].aim(view, legal)
        self.thrown.add(aim["chip"])
        moves = self.board.throw(aim["chip"], aim["zone"], aim["strength"])
        thrown_seen = any(chip == aim["chip"] and zone for chip, zone in moves)
        others = [move for move in moves if move[0] != aim["chip"]]
        if thrown_seen:
            self._step(["moved", None, moves])
            return
        if others:
            self._step(["moved", None, others])
        self._step(["missed", seat])

    def _step(self, event: list[Any]) -> None:
        before = self.state
        self.state, effects = self.rules.step(before, event)
        if self.state is before:
            raise RuntimeError(f"{event} was refused: {effects[0][2:]}")
        self.steps += 1
        for to, *told in effects:
            if to is None:
                for bot in self.bots:
                    bot.hear(told)

    def _tidy(self) -> None:
        """Lift what the game sends home, as the players do."""
        if not self.board.zones:
            return
        seen = {chip: zone for chip, zone in self.board.zones.items() if zone}
        home = [
            chip for chip, _, expected in self.rules.mismatch(self.state, seen) if not expected
        ]
        for chip in home:
            self.board.lift(chip)
        if home:
            self._step(["moved", None, [[chip, None] for chip in home]])
