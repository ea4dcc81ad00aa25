"""What a bot is, for every game: it sees what its seat may see, and picks one of the legal events.

A module `<game>.py` beside this one offers

    BOTS = {"random": ..., "beginner": ..., "sensible": ..., "strong": ...}

the weakest first, each value a function `(seat, seed) -> Bot`. A bot never sees the state, the
deck or another hand. `LEVELS` are the bots that every game has and that people choose from. A
game's `THINKS` says in one line what each level thinks of. The other bots are for commands.
"""

import importlib
import importlib.util
import random
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from spiceboard.errors import UserError
from spiceboard.extras import install
from spiceboard.words import N_, _

NO_BOTS = N_(
    "in a referee game cards and money lie on the real table, where a bot cannot see them: choose "
    "people for all seats, or a full game"
)
LEVELS = {"beginner": N_("beginner"), "sensible": N_("sensible"), "strong": N_("strong")}
BEGINNER = N_("knows what sensible knows, but leaves every third decision to chance")
SLIPS = 1 / 3  # of a beginner's decisions, left to chance
Event = list[Any]
View = dict[str, Any]


class Bot(Protocol):
    """One player. `view` is `view(state, seat)`, `legal` is `legal(state, seat)`, never empty."""

    def decide(self, view: View, legal: list[Event]) -> Event:
        """The event to send."""

    def hear(self, told: list[Any]) -> None:
        """What everybody is told, as ["bought", seat, ...] (docs/notation.md); ["undone", ...] or
        ["resync", why] when that may no longer be so."""

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

    def hear(self, told: list[Any]) -> None:
        """Overridden by bots that remember."""

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


class Beginner:
    """A sensible player who leaves some decisions to chance."""

    def __init__(self, sensible: Bot, chance_bot: RandomBot) -> None:
        self.sensible, self.chance_bot = sensible, chance_bot
        self.chance = chance_bot.chance

    def _mind(self) -> Bot:
        return self.chance_bot if self.chance.random() < SLIPS else self.sensible

    def decide(self, view: View, legal: list[Event]) -> Event:
        return self._mind().decide(view, legal)

    def hear(self, told: list[Any]) -> None:
        """A beginner remembers nothing."""

    def aim(self, view: View, legal: list[Event]) -> dict[str, Any]:
        return self._mind().aim(view, legal)


def beginner(
    sensible: Callable[[int, int], Bot], kind: Callable[[int, int], RandomBot] = RandomBot
) -> Callable[[int, int], Bot]:
    """The maker of a beginner; kind: the game's random bot."""

    def make(seat: int, seed: int) -> Bot:
        chance_bot = kind(seat, seed)
        chance_bot.chance = random.Random(f"Beginner {seed} {seat}")
        return Beginner(sensible(seat, seed), chance_bot)

    return make


def _module(game: str) -> Any:
    module = f"spiceboard.bots.{game}"
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:  # it is there, and imports something that is not
            raise
        raise UserError(
            f"there are no bots for the game {game!r}: the module {module} is missing"
        ) from error


def _bots(game: str) -> dict[str, Callable[[int, int], Bot]]:
    bots: dict[str, Callable[[int, int], Bot]] = _module(game).BOTS
    return bots


def levels(game: str) -> list[tuple[str, str, str]]:
    """(name, title, what it thinks of) of each level of a game, for `_` to translate."""
    thinks: dict[str, str] = {"beginner": BEGINNER, **_module(game).THINKS}
    return [(name, title, thinks[name]) for name, title in LEVELS.items()]


def about(games: Iterable[str]) -> str:
    """What each level of some games thinks of, in lines of text, translated."""
    lines = [_("what bots think of:"), f"  {'':10} {'beginner':9} {_(BEGINNER)}"]
    for game in games:
        for name, _title, thinks in levels(game):
            if name != "beginner":
                lines.append(f"  {game:10} {name:9} {_(thinks)}")
    return "\n".join(lines)


def missing(game: str, name: str) -> str | None:
    """What to do before a bot can play on this machine, in English; None: it can."""
    if name in getattr(_module(game), "COMPILED", ()) and not importlib.util.find_spec("numba"):
        return f"the bot strong needs compiled rules: run {install('fast')}, or choose sensible"
    return None


def names(game: str) -> list[str]:
    """The names of a game's bots, the weakest first; UserError if it has no bots."""
    return list(_bots(game))


def load(game: str, name: str) -> Callable[[int, int], Bot]:
    """The maker of the bot `name` of a game.

    UserError lists the names there are, or says what the bot lacks on this machine.
    """
    bots = _bots(game)
    if name not in bots:
        raise UserError(f"no bot is called {name[:40]!r}; there are: {', '.join(bots)}")
    lack = missing(game, name)
    if lack:
        raise UserError(lack)
    return bots[name]
