"""What `tournament` and `study` share: where games are played, what is kept, and the progress."""

import argparse
import os
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from spiceboard.board.connection import whole
from spiceboard.bots import bot
from spiceboard.bots.compiled import COMPILING, uncompiled
from spiceboard.commands.process import say
from spiceboard.errors import UserError
from spiceboard.study import jobs, run
from spiceboard.study.store import Store
from spicecore import chance


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that say where games are played and where their results are kept."""
    parser.add_argument(
        "--workers",
        type=whole(1, 64),
        default=min(64, os.cpu_count() or 1),
        help="number of processes on this machine (default: one for each core)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="use the Dask cluster of this scheduler, such as tcp://host:8786",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="keep results in this SQLite file; a run that was stopped continues where it was",
    )


class Rate(ProgressColumn):
    """Games a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.finished_speed or task.speed or 0:.0f} games/s")


def compiles(job: jobs.Job) -> bool:
    """Does the first game compile a bot's rules?"""
    return any(uncompiled(bot.load(job.game, name)(0, job.seed)) for name in job.names)


def carry_out(job: jobs.Job, size: int, arguments: argparse.Namespace) -> jobs.Counts:
    """Play the games of a job and return their sum."""
    last = job.seed + job.games - 1
    if last > chance.MASK:
        raise UserError(
            f"the last game would have the seed {last}, but {chance.MASK} is the largest: ask "
            "for fewer --games or a lower --seed"
        )
    store = Store(arguments.results, job)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    try:
        done = sum(n for n, _ in store.pieces().values())
        if done < job.games and not arguments.scheduler and compiles(job):
            say(COMPILING)
        with Progress(*columns, console=Console(file=sys.stderr)) as progress:
            task = progress.add_task(job.game, total=job.games, completed=done)
            run.run(
                job,
                store,
                size,
                arguments.workers,
                arguments.scheduler,
                lambda piece, _: progress.advance(task, len(piece)),
            )
        return jobs.merged(counts for _, counts in store.pieces().values())
    finally:
        store.close()
