"""Results on disk as they come: one SQLite file a job, a row a piece; a stopped run goes on."""

import json
import sqlite3
from pathlib import Path

from spiceboard.errors import UserError
from spiceboard.study.jobs import Counts, Job

MARK = 0x53504943  # in the file's head: these are results of ours


class Store:
    """The pieces of one job that are done. Without a path they are kept in memory only."""

    def __init__(self, path: Path | None, job: Job) -> None:
        self.path = path
        if path and not path.parent.is_dir():
            raise UserError(f"there is no folder {path.parent}: create it, or name another file")
        if path and path.is_dir():
            raise UserError(f"{path} is a folder: name a file in it with --results")
        try:
            self.file = sqlite3.connect(path or ":memory:")
            self._open(job)
        except sqlite3.DatabaseError as error:
            raise UserError(
                f"{path} is no file of results, or it is damaged ({error}): move it away, or name "
                "another one with --results"
            ) from error

    def _open(self, job: Job) -> None:
        mark = self.file.execute("PRAGMA application_id").fetchone()[0]
        tables = self.file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and mark != MARK:
            raise sqlite3.DatabaseError("it was made by another program")
        with self.file:
            self.file.execute(f"PRAGMA application_id = {MARK}")
            self.file.execute("CREATE TABLE IF NOT EXISTS job (text TEXT)")
            self.file.execute(
                "CREATE TABLE IF NOT EXISTS piece "
                "(first INTEGER PRIMARY KEY, n INTEGER, counts TEXT)"
            )
            row = self.file.execute("SELECT text FROM job").fetchone()
            if row is None:
                self.file.execute("INSERT INTO job VALUES (?)", (job.text(),))
        if row is not None and row[0] != job.text():
            raise UserError(
                f"{self.path} holds results of another run, {row[0]}: name another file with "
                "--results, or start that run again as it was"
            )

    def add(self, first: int, n: int, counts: Counts) -> None:
        """Keep a piece; it is on the disk when this returns."""
        with self.file:
            self.file.execute(
                "INSERT OR REPLACE INTO piece VALUES (?, ?, ?)", (first, n, json.dumps(counts))
            )

    def pieces(self) -> dict[int, tuple[int, Counts]]:
        """{first seed: (how many, counts)} of what is done; UserError when a row is damaged."""
        try:
            rows = self.file.execute("SELECT first, n, counts FROM piece").fetchall()
            return {first: (n, json.loads(counts)) for first, n, counts in rows}
        except (sqlite3.DatabaseError, ValueError) as error:
            raise UserError(f"{self.path} is damaged ({error}): move it away") from error

    def missing(self, job: Job, size: int) -> list[range]:
        """The runs of seeds, of at most `size`, that are still to be played."""
        gaps, at, end = [], job.seed, job.seed + job.games
        for first, (n, _) in sorted(self.pieces().items()):
            gaps.append(range(at, first))
            at = first + n
        found: list[range] = []
        for gap in [*gaps, range(at, end)]:
            first = gap.start
            while first < gap.stop:
                stop = min(gap.stop, first + size - (first - job.seed) % size)
                found.append(range(first, stop))
                first = stop
        return found

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()
