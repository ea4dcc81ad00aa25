"""Pieces of work done by processes of this machine, or by the workers of a Dask cluster."""

import asyncio
import importlib
import multiprocessing
import os
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from queue import SimpleQueue
from typing import Any

from spiceboard.commands.process import unheard
from spiceboard.errors import UserError
from spiceboard.extras import install
from spiceboard.study.jobs import Counts, Job, run_piece
from spiceboard.study.store import Store
from spicecore.version import VERSION

TRIES = 3  # of a piece whose worker died
ANSWER_SECONDS = 10  # that a scheduler may take to answer
Done = Callable[[range, Counts], None]


def run(
    job: Job, store: Store, size: int, workers: int, scheduler: str | None, done: Done
) -> None:
    """Play what is missing in the store; each piece is kept as it comes and told to `done`."""

    def keep(piece: range, counts: Counts) -> None:
        store.add(piece.start, len(piece), counts)
        done(piece, counts)

    missing = store.missing(job, size)
    if scheduler:
        on_cluster(job, missing, scheduler, keep)
    elif workers <= 1:
        for piece in missing:
            keep(piece, run_piece(job, piece.start, len(piece)))
    else:
        on_this_machine(job, missing, workers, keep)


def on_this_machine(job: Job, missing: list[range], workers: int, keep: Done) -> None:
    """Share the pieces out among processes; when one dies, its pieces go to new ones."""
    left = {piece.start: piece for piece in missing}
    for _ in range(TRIES):
        try:
            _one_pool(job, left, workers, keep)
            return
        except BrokenProcessPool:
            continue  # what was done is kept: `left` has the rest
    raise UserError(
        f"a process that played games died {TRIES} times (is there too little memory?): what was "
        "done is kept; start again with --results and fewer --workers"
    )


def end_with_parent() -> None:
    """In a worker: end when the run is gone; a worker ignores signals."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _one_pool(job: Job, left: dict[int, range], workers: int, keep: Done) -> None:
    # Not concurrent.futures.wait: it locks all futures, and Ctrl-C in the middle of that leaves
    # some of them locked, so that the pool never ends.
    ended: SimpleQueue[Future[Counts]] = SimpleQueue()
    with ProcessPoolExecutor(workers, initializer=end_with_parent) as pool:
        try:
            with unheard():
                waiting: dict[Future[Counts], range] = {
                    pool.submit(run_piece, job, piece.start, len(piece)): piece
                    for piece in left.values()
                }
                for future in waiting:
                    future.add_done_callback(ended.put)
            while waiting:
                future = ended.get()
                piece = waiting.pop(future)
                keep(piece, future.result())
                del left[piece.start]
        except BaseException:  # Ctrl-C, too: what has not begun need not
            pool.shutdown(cancel_futures=True)
            raise


def on_cluster(job: Job, missing: list[range], scheduler: str, keep: Done) -> None:
    """Let the workers of a cluster play; Dask gives the pieces of a dead worker to another."""
    asyncio.run(_on_cluster(job, missing, scheduler, keep))


async def _on_cluster(job: Job, missing: list[range], scheduler: str, keep: Done) -> None:
    # All in this thread: Dask gives a thread of its own ten seconds to start, which a busy
    # machine may exceed.
    async with client_of(scheduler) as client:
        check_versions(await client.run(worker_version), scheduler)
        futures = {
            client.submit(
                run_piece, job, piece.start, len(piece), pure=False, retries=TRIES
            ): piece
            for piece in missing
        }
        async for future, counts in results(futures):
            keep(futures[future], counts)


async def results(futures: dict[Any, range]) -> AsyncIterator[tuple[Any, Counts]]:
    """(future, counts) as they come."""
    try:
        async for done in dask().as_completed(futures, with_results=True):
            yield done
    except Exception as error:
        raise UserError(
            f"the cluster gave up a piece ({type(error).__name__}: {error}): what was done is "
            "kept; start again with --results"
        ) from error


def dask() -> Any:
    """The library that talks to a cluster; it has no types."""
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise UserError(f"--scheduler needs Dask: {install('study')}") from error


@asynccontextmanager
async def client_of(scheduler: str) -> AsyncIterator[Any]:
    """A client of a cluster."""
    client = dask().Client(scheduler, timeout=ANSWER_SECONDS, asynchronous=True)
    try:
        try:
            await client
        except (OSError, ValueError, TimeoutError) as error:
            raise UserError(
                f"no scheduler answers at {scheduler} ({type(error).__name__}): start one with "
                "`dask scheduler`, and workers with `dask worker ADDRESS`"
            ) from error
        yield client
    finally:
        await client.close()


def check_versions(found: dict[str, str], scheduler: str) -> None:
    """UserError unless there are workers and all of them ({address: version}) have this version
    of the games."""
    if not found:
        raise UserError(f"{scheduler} has no workers: start some with `dask worker {scheduler}`")
    for worker, version in sorted(found.items()):
        if version != VERSION:
            raise UserError(
                f"worker {worker} has spiceboard {version}, and this is {VERSION}: install the "
                "same version on all machines, or the results are of different games"
            )


def worker_version() -> str:
    """Runs on a worker."""
    from spicecore import version

    return version.VERSION
