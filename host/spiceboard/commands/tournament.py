"""`spiceboard tournament`: bots against bots on the rules alone, with a confidence interval."""

import argparse
import math
import multiprocessing
import os
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from spiceboard.board.connection import seed, whole
from spiceboard.bots import bot
from spiceboard.bots.offline import Game, rules_of
from spiceboard.commands.process import unheard
from spiceboard.errors import UserError
from spicecore import chance
from spicecore.games import BY_BUTTONS, GAMES

Z95 = 1.96  # two-sided 95 %


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "bots", nargs="*", default=["sensible", "random"], help="names of the bots"
    )
    parser.add_argument("--game", default=BY_BUTTONS, choices=GAMES)
    parser.add_argument(
        "--games", type=whole(1, 1_000_000), default=100, help="how many (default 100)"
    )
    parser.add_argument("--seed", type=seed, default=1, help="of the first game (default 1)")
    parser.add_argument("--workers", type=whole(1, 64), default=2, help="processes (default 2)")


def interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of the share of wins, 0..1; (0, 1) of no games."""
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, Z95 * Z95 / games
    middle = (share + square / 2) / (1 + square)
    half = Z95 / (1 + square) * math.sqrt(share * (1 - share) / games + square / 4 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def one(game: str, names: list[str], seed: int) -> list[float]:
    """Play one game; the share of the win by bot, in the order of `names`.

    The bots change seats with the seed, so that nobody always begins. A shared win is split.
    """
    turn = seed % len(names)
    order = [*range(turn, len(names)), *range(turn)]  # seat -> index of its bot
    bots = [bot.load(game, names[index])(seat, seed) for seat, index in enumerate(order)]
    standing = Game(rules_of(game), bots, seed).play()
    winners = [order[seat] for seat, rank, _score in standing if rank == 1]
    return [1 / len(winners) if index in winners else 0.0 for index in range(len(names))]


def end_with_parent() -> None:
    """In a worker: end when the tournament is gone; a worker ignores signals."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def play(
    game: str, names: list[str], seeds: range, workers: int, progress: Progress | None = None
) -> list[float]:
    """Games won by each bot over all seeds."""
    wins = [0.0] * len(names)
    task = progress.add_task(game, total=len(seeds)) if progress else None

    def add(result: list[float]) -> None:
        for index, share in enumerate(result):
            wins[index] += share
        if progress and task is not None:
            progress.advance(task)

    if workers <= 1:
        for seed in seeds:
            add(one(game, names, seed))
        return wins
    with ProcessPoolExecutor(workers, initializer=end_with_parent) as pool:
        try:
            with unheard():
                results = pool.map(partial(one, game, names), seeds, chunksize=2)
            for result in results:
                add(result)
        except BaseException:  # Ctrl-C, too: what has not begun need not
            pool.shutdown(cancel_futures=True)
            raise
    return wins


def run(arguments: argparse.Namespace) -> int:
    """Play the tournament and print who won how often."""
    names: list[str] = arguments.bots
    low, high = GAMES[arguments.game]
    if not low <= len(names) <= high:
        count = f"{low}" if low == high else f"{low} to {high}"
        raise UserError(f"{arguments.game} is for {count} players: name so many bots")
    for name in names:
        bot.load(arguments.game, name)
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    if seeds[-1] > chance.MASK:
        raise UserError(
            f"the last game would have the seed {seeds[-1]}; {chance.MASK} is the last"
        )
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        wins = play(arguments.game, names, seeds, arguments.workers, progress)
    for index, name in enumerate(names):
        least, most = interval(wins[index], len(seeds))
        print(
            f"{name:10} won {wins[index]:g} of {len(seeds)} games of {arguments.game} "
            f"({100 * wins[index] / max(1, len(seeds)):.1f} %, "
            f"95 % interval {100 * least:.1f} to {100 * most:.1f} %)"
        )
    return 0
