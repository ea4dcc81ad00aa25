"""What a piece of work is, and what can be done with one.

A job says what is played; a piece is a run of seeds of it. A piece gives counters: whole numbers
by name, so that the sum over all pieces is the same for any split, order and number of workers.
"""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from spiceboard.bots import bot
from spiceboard.bots.offline import Game, rules_of
from spiceboard.study import balance
from spicecore.version import VERSION

SHARE = 12  # a win is so many shares: it can be split among two, three or four winners
Counts = dict[str, int]


@dataclass(frozen=True)
class Job:
    """Games of one kind. kind: "tournament" or "balance"; names: the bots, in their order."""

    kind: str
    game: str
    names: tuple[str, ...]
    seed: int
    games: int

    def text(self) -> str:
        """What must be the same for two runs to belong together."""
        return json.dumps(
            {
                "kind": self.kind,
                "game": self.game,
                "names": list(self.names),
                "seed": self.seed,
                "games": self.games,
                "version": VERSION,
            }
        )

    def pieces(self, size: int) -> list[range]:
        """The seeds, in runs of `size`."""
        end = self.seed + self.games
        return [range(first, min(end, first + size)) for first in range(self.seed, end, size)]


def run_piece(job: Job, first: int, count: int) -> Counts:
    """Play the games of some seeds; this is what workers do."""
    if job.kind == "balance":
        return balance.play(job.game, first, count)
    total: Counter[str] = Counter()
    for seed in range(first, first + count):
        total.update(tournament_game(job.game, job.names, seed))
    return dict(total)


def tournament_game(game: str, names: tuple[str, ...], seed: int) -> Counts:
    """Play one game; the shares of the win by bot.

    The bots change seats with the seed, so that no bot always begins. A shared win is split.
    """
    turn = seed % len(names)
    order = [*range(turn, len(names)), *range(turn)]  # seat -> index of its bot
    bots = [bot.load(game, names[index])(seat, seed) for seat, index in enumerate(order)]
    standing = Game(rules_of(game), bots, seed).play()
    winners = [order[seat] for seat, rank, _score in standing if rank == 1]
    return {f"shares {index}": SHARE // len(winners) for index in winners} | {"games": 1}


def merged(parts: Iterable[Counts]) -> Counts:
    """The sum of all pieces, its names in order."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return dict(sorted(total.items()))


def wins(counts: Counts, players: int) -> list[float]:
    """Games won by each bot of a tournament; a shared win counts in parts."""
    return [counts.get(f"shares {index}", 0) / SHARE for index in range(players)]


def as_text(counts: Counts, job: Job) -> str:
    """The result of a job as text, the same to the byte however it was split."""
    whole: dict[str, Any] = {"job": json.loads(job.text()), "counts": counts}
    return json.dumps(whole, indent=1, sort_keys=True) + "\n"
