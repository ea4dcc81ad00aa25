"""What a bot is, for every game: it sees what its seat may see, and picks one of the legal events.

A module `<game>.py` beside this one offers `BOTS = {"random": ..., "sensible": ...}`, each value a
function `(seat, seed) -> Bot`. A bot never sees the state, the deck or another hand.
"""

import importlib
import random
from collections.abc import Callable
from typing import Any, Protocol

from spiceboard.errors import UserError
from spiceboard.words import N_

NO_BOTS = N_(
    "in a referee game cards and money lie on the real table, where a bot cannot see them: choose "
    "people for all seats, or a full game"
)
Event = list[Any]
View = dict[str, Any]


class Bot(Protocol):
    """One player. `view` is `view(state, seat)`, `legal` is `legal(state, seat)`, never empty."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        """The event to send."""

    def aim(self, view: View, legal: list[Event]) -> dict[str, Any]:
        """For a throw: {"chip": "b30", "zone": "saffron", "strength": 0.0 (soft)..1.0 (hard)}."""


class RandomBot:
    """Takes any legal event, and throws any chip at any zone."""

    def __init__(self, seat: int, seed: int, zones: tuple[str, ...] = ()) -> None:
        self.seat = seat
        self.chance = random.Random(f"{seed}/{seat}")
        self.zones = zones

    def decide(self, view: View, legal: list[Event]) -> Event:
        return self.chance.choice(legal)

    def aim(self, view: View, legal: list[Event]) -> dict[str, Any]:
        """Overridden where a game has throws that need to know which chips are in hand."""
        raise NotImplementedError("this game has no throws")


def maker(kind: Callable[[int, int], RandomBot]) -> Callable[[int, int], Bot]:
    """The maker of one kind of bot, which draws its own chance from the seed."""

    def make(seat: int, seed: int) -> Bot:
        bot = kind(seat, seed)
        bot.chance = random.Random(f"{type(bot).__name__} {seed} {seat}")
        return bot

    return make


def _bots(game: str) -> dict[str, Callable[[int, int], Bot]]:
    module = f"spiceboard.bots.{game}"
    try:
        bots: dict[str, Callable[[int, int], Bot]] = importlib.import_module(module).BOTS
    except ModuleNotFoundError as error:
        if error.name != module:  # it is there, and imports something that is not
            raise
        raise UserError(
            f"there are no bots for the game {game!r}: the module {module} is missing"
        ) from error
    return bots


def names(game: str) -> list[str]:
    """The names of a game's bots, the weakest first; UserError if it has no bots."""
    return list(_bots(game))


def load(game: str, name: str) -> Callable[[int, int], Bot]:
    """The maker of the bot `name` of a game; UserError that lists the names there are."""
    bots = _bots(game)
    if name not in bots:
        raise UserError(f"no bot is called {name!r}; there are: {', '.join(sorted(bots))}")
    return bots[name]
