"""`spiceboard study balance`: how even a game is, counted over many games, with plots."""

import argparse
from pathlib import Path

from spiceboard.board.connection import seed, whole
from spiceboard.commands.many_games import add_run_arguments, carry_out
from spiceboard.study import jobs, report
from spiceboard.study.balance import COMPILED

PIECE = 250  # games that a worker plays before it reports, at least
PIECES = 4000  # at most: a scheduler holds them all, and each costs a write to the disk


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--game", choices=COMPILED, required=True)
    parser.add_argument(
        "--games",
        type=whole(1, 1_000_000_000),
        default=10_000,
        help="number of games (default 10000)",
    )
    parser.add_argument("--seed", type=seed, default=1, help="seed of the first game (default 1)")
    parser.add_argument(
        "--output", type=Path, metavar="FOLDER", help="write result.json and plots (SVG, PNG) here"
    )
    add_run_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, count, print, and draw."""
    job = jobs.Job("balance", arguments.game, (), arguments.seed, arguments.games)
    counts = carry_out(job, max(PIECE, -(-arguments.games // PIECES)), arguments)
    print(report.as_table(counts))
    if arguments.output:
        report.write(arguments.output, counts, job)
    return 0
