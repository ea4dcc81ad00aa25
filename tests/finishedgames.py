"""Whole games for tests of what comes after a game."""

from typing import Any

from spiceboard.archive.score import Score
from spiceboard.bots import bot
from spiceboard.bots.offline import Game
from spicecore import games


def played(game: str, seed: int = 1, seats: int = 2) -> Score:
    """A whole game of bots."""
    rules = games.load(game)
    match = Game(rules, [bot.load(game, "sensible")(seat, seed) for seat in range(seats)], seed)
    start, events = rules.text(match.state), []
    step = match._step

    def kept(event: Any) -> None:
        before = match.state
        step(event)
        if match.state is not before:
            events.append(event)

    match._step = kept  # type: ignore[method-assign]
    match.play()
    return Score(game, start, events, {"ended": "2026-11-28T12:00:00Z", "players": "person,a"})
