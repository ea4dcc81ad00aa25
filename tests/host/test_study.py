"""Many games: the same result for any split, nothing lost, and clear sentences for bad input."""

import asyncio
import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spiceboard.commands import main
from spiceboard.errors import UserError
from spiceboard.study import balance, jobs, report, run, store

JOB = jobs.Job("tournament", "jaipur", ("random", "random"), 1, 11)
WAIT_SECONDS = 120  # for a cluster to stand on a busy machine


def played(job: jobs.Job, size: int, workers: int = 1, path: Path | None = None) -> str:
    """The result of a job, as text."""
    results = store.Store(path, job)
    run.run(job, results, size, workers, None, lambda piece, counts: None)
    return jobs.as_text(jobs.merged(c for _, c in results.pieces().values()), job)


def test_the_result_is_the_same_to_the_byte_for_any_split_and_number_of_workers() -> None:
    once = played(JOB, 11)
    assert '"games": 11' in once
    assert once == played(JOB, 1) == played(JOB, 4) == played(JOB, 3, workers=2)


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    path, told = tmp_path / "kept.db", []
    results = store.Store(path, JOB)

    def stop(piece: range, counts: jobs.Counts) -> None:
        told.append(piece)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.run(JOB, results, 3, 1, None, stop)
    results.close()
    again = store.Store(path, JOB)
    assert again.missing(JOB, 3) == [range(7, 10), range(10, 12)]
    assert again.missing(JOB, 4) == [range(7, 9), range(9, 12)]  # cut otherwise than before
    again.close()
    assert played(JOB, 4, path=path) == played(JOB, 11)


def test_results_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    played(JOB, 11, path=path)
    other = jobs.Job("tournament", "jaipur", ("random", "random"), 2, 11)
    with pytest.raises(UserError, match="results of another run"):
        store.Store(path, other)


def test_a_damaged_or_foreign_file_is_left_alone(tmp_path: Path) -> None:
    damaged, foreign = tmp_path / "damaged.db", tmp_path / "foreign.db"
    played(JOB, 11, path=damaged)
    whole = damaged.read_bytes()
    damaged.write_bytes(b"not a database" + whole[14:])
    with contextlib.closing(sqlite3.connect(foreign)) as file:
        file.execute("CREATE TABLE theirs (x)")
        file.commit()
    for path in (damaged, foreign):
        before = path.read_bytes()
        with pytest.raises(UserError, match="damaged"):
            store.Store(path, JOB)
        assert path.read_bytes() == before


def test_a_place_where_no_file_can_be_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder"):
        store.Store(tmp_path, JOB)
    with pytest.raises(UserError, match=r"there is no folder .*nowhere"):
        store.Store(tmp_path / "nowhere" / "kept.db", JOB)


def test_a_damaged_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    played(JOB, 11, path=path)
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE piece SET counts = '{'")
        file.commit()
    with pytest.raises(UserError, match=r"kept\.db is damaged"):
        store.Store(path, JOB).pieces()


def dies_once(job: jobs.Job, first: int, count: int) -> jobs.Counts:
    """A worker that is killed with its first piece."""
    mark = Path(os.environ["SPICEBOARD_TEST_MARK"])
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return jobs.run_piece(job, first, count)


def always_dies(job: jobs.Job, first: int, count: int) -> jobs.Counts:
    os._exit(9)


def test_a_worker_that_dies_costs_only_its_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPICEBOARD_TEST_MARK", str(tmp_path / "mark"))
    monkeypatch.setattr(run, "run_piece", dies_once)
    assert played(JOB, 2, workers=2) == jobs.as_text(jobs.run_piece(JOB, 1, 11), JOB)
    monkeypatch.setattr(run, "run_piece", always_dies)
    with pytest.raises(UserError, match="died 3 times"):
        played(JOB, 2, workers=2)


def test_more_games_than_seeds_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "--game", "jaipur", "--games", "9", "--seed", "1073741823"]
    assert main.main(words) == 2
    assert "1073741823 is the largest" in capsys.readouterr().err


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(run, "ANSWER_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "no address"):
        with pytest.raises(UserError, match="no scheduler answers at"):
            run.on_cluster(JOB, JOB.pieces(4), address, lambda piece, counts: None)


def test_a_cluster_of_another_version_is_refused() -> None:
    found = {"tcp://a:1": run.worker_version(), "tcp://b:2": "0.0.1"}
    with pytest.raises(UserError, match=r"worker tcp://b:2 has spiceboard 0\.0\.1"):
        run.check_versions(found, "tcp://x:1")
    with pytest.raises(UserError, match="has no workers"):
        run.check_versions({}, "tcp://x:1")


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """The file of a scheduler with two workers, started by hand."""
    file = folder / "scheduler.json"
    dask = shutil.which("dask", path=str(Path(sys.executable).parent))
    assert dask, "the extra study brings dask"
    local = ["--scheduler-file", str(file)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    started = [
        subprocess.Popen(
            [dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *local],
            **quiet,
        )
    ]
    started += [
        subprocess.Popen(
            [dask, "worker", *local, "--nthreads", "1", "--no-nanny", "--no-dashboard"], **quiet
        )
        for _ in range(2)
    ]
    try:
        yield str(file)
    finally:
        for process in reversed(started):
            process.kill()  # a worker that lost its scheduler may sit out SIGTERM for minutes
        for process in started:
            process.wait(WAIT_SECONDS)


async def address_of(file: str) -> str:
    """The scheduler's address, once it has two workers."""
    distributed = pytest.importorskip("distributed")
    async with distributed.Client(
        scheduler_file=file, timeout=WAIT_SECONDS, asynchronous=True
    ) as client:
        await client.wait_for_workers(2, timeout=WAIT_SECONDS)
        return str(client.scheduler.address)


@pytest.mark.slow
def test_a_cluster_of_two_workers_gives_the_same_result(tmp_path: Path) -> None:
    kept: list[jobs.Counts] = []
    with cluster(tmp_path) as file:
        address = asyncio.run(address_of(file))
        run.on_cluster(JOB, JOB.pieces(2), address, lambda piece, counts: kept.append(counts))
    assert len(kept) == 6
    assert jobs.as_text(jobs.merged(kept), JOB) == played(JOB, 11)


@pytest.mark.parametrize("game", ["jaipur", "rathot", "safranito"])
def test_a_study_counts_every_game(game: str, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    job = jobs.Job("balance", game, (), 1, 6)
    counts = balance.play(game, 1, 6)
    assert counts["games"] == 6
    assert counts == jobs.merged([balance.play(game, 1, 2), balance.play(game, 3, 4)]) | counts
    found = report.groups(counts)
    winners = [kinds for name, kinds in found.items() if name.startswith("winner")]
    assert winners and all(sum(kinds.values()) <= 6 for kinds in winners)
    report.write(tmp_path, counts, job)
    first = (tmp_path / "balance.svg").read_bytes()
    report.write(tmp_path, counts, job)
    assert first == (tmp_path / "balance.svg").read_bytes()  # nothing in it but the result
    assert (tmp_path / "balance.png").read_bytes().startswith(b"\x89PNG")
    assert "6 games" in report.as_table(counts)
