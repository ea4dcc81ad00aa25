"""The archive's file: one row a game, the whole text of each in it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from spiceboard.archive.score import Score, read
from spiceboard.bots.offline import rules_of
from spiceboard.errors import No, UserError

TABLE = """\
create table if not exists games (
  number text primary key, game text not null, ended text not null, players text not null,
  events integer not null, winners text not null, body text not null
) strict"""


def usual_path() -> Path:
    """The default place of the archive."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "spiceboard" / "games.sqlite"


class Row:
    """One line of the list."""

    def __init__(self, row: tuple[str, str, str, str, int, str]) -> None:
        self.number, self.game, self.ended, self.players, self.events, self.winners = row


class Archive:
    """All finished games; every method raises UserError with a sentence where the disk refuses."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or usual_path()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=10)
            try:
                with connection:
                    connection.execute(TABLE)
                    yield connection
            finally:
                connection.close()
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            said = " ".join(str(error).split())[:200]  # SQLite may quote damaged text
            raise UserError(
                f"cannot use the archive {self.path}: {said}. Check that the disk is not full "
                "and that the file is an archive, or choose another one with --archive FILE"
            ) from error

    def add(self, score: Score) -> str:
        """Keep a game; its number. The same game again changes nothing."""
        rules = rules_of(score.game)
        standing = score.standing()
        winners = ",".join(rules.SEATS[seat] for seat, rank, _ in standing if rank == 1)
        facts = score.facts
        row = (
            score.number, score.game,
            facts.setdefault("ended", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")),
            facts.get("players", ""), len(score.events), winners, score.text(),
        )  # fmt: skip
        with self._open() as connection:
            connection.execute("insert or ignore into games values (?, ?, ?, ?, ?, ?, ?)", row)
        return score.number

    def rows(self) -> list[Row]:
        """All games, the newest first."""
        with self._open() as connection:
            found = connection.execute(
                "select number, game, ended, players, events, winners from games "
                "order by ended desc, number"
            ).fetchall()
        self._check(found, [str, str, str, str, int, str])
        return [Row(row) for row in found]

    def _check(self, found: list[tuple[object, ...]], kinds: list[type]) -> None:
        """UserError where a row is not of these types: SQLite reads a damaged file as it can."""
        for row in found:
            if [type(value) for value in row] != kinds:
                raise UserError(
                    f"the archive {self.path} is damaged. `spiceboard games export` may still "
                    "save single games from it; then begin a new one with --archive FILE"
                )

    def get(self, number: str) -> Score:
        """The game whose number begins like this; No if there is none, or more than one."""
        with self._open() as connection:
            found = connection.execute(
                "select body from games where substr(number, 1, ?) = ? limit 2",
                (len(number), number),
            ).fetchall()
        if len(found) != 1:
            why = "no game has" if not found else "several games have"
            raise No(f"{why} a number that begins with {number!r} (`spiceboard games list`)")
        self._check(found, [str])
        return read(found[0][0])

    def all(self) -> Iterator[Score]:
        """Every game."""
        for row in self.rows():
            yield self.get(row.number)
