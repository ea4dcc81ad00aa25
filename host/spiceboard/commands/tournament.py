"""`spiceboard tournament`: bots against bots on the rules alone, with a confidence interval."""

import argparse

from spiceboard.board.connection import seed, whole
from spiceboard.bots import bot
from spiceboard.bots.offline import DEFAULT_GAME
from spiceboard.commands.many_games import add_run_arguments, carry_out
from spiceboard.errors import UserError
from spiceboard.study import jobs
from spiceboard.study.intervals import wilson
from spicecore.games import GAMES

PIECE = 4  # games that a worker plays before it reports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    known = "; ".join(f"{game}: {', '.join(bot.names(game))}" for game in GAMES)
    parser.add_argument(
        "bots", nargs="*", default=["sensible", "random"], help=f"names of the bots ({known})"
    )
    parser.epilog = f"{bot.about(GAMES)}\n\n{parser.epilog or ''}"
    parser.add_argument("--game", default=DEFAULT_GAME, choices=GAMES)
    parser.add_argument(
        "--games", type=whole(1, 1_000_000), default=100, help="number of games (default 100)"
    )
    parser.add_argument("--seed", type=seed, default=1, help="seed of the first game (default 1)")
    add_run_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the tournament and print who won how often."""
    names: list[str] = arguments.bots
    low, high = GAMES[arguments.game]
    if not low <= len(names) <= high:
        count = f"{low}" if low == high else f"{low} to {high}"
        there = ", ".join(bot.names(arguments.game))
        raise UserError(
            f"{arguments.game} is for {count} players: name that many bots; there are: {there}"
        )
    for name in names:
        bot.load(arguments.game, name)
    job = jobs.Job("tournament", arguments.game, tuple(names), arguments.seed, arguments.games)
    counts = carry_out(job, PIECE, arguments)
    games = counts["games"]
    for name, wins in zip(names, jobs.wins(counts, len(names)), strict=True):
        least, most = wilson(wins, games)
        print(
            f"{name:10} won {wins:g} of {games} games of {arguments.game} "
            f"({100 * wins / games:.1f} %, "
            f"95 % interval {100 * least:.1f} to {100 * most:.1f} %)"
        )
    return 0
