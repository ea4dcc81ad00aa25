"""A table's way to its port: it keeps it open, but a command that claims it goes first."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from spiceboard.board import claims
from spiceboard.board.client import Client
from spiceboard.board.link import SerialLink, answers, find, once_there

if TYPE_CHECKING:
    from filelock import FileLock

WATCH_S = 0.5  # between looks whether the port is claimed


class TableLink(SerialLink):
    """A port that the table has open; closing it says so to commands that wait for it."""

    def __init__(self, url: str, held: "FileLock") -> None:
        self._held = held
        try:
            super().__init__(url)
        except BaseException:
            held.release()
            raise

    def close(self) -> None:
        """Close the port, and tell who waits for it."""
        super().close()
        self._held.release()


class Lender:
    """The port of one table, named as `--port` names it."""

    def __init__(self, port: str, now: Callable[[], float] = time.monotonic) -> None:
        self.port, self._now = port, now
        self._url = port  # where it was found last
        self._looked_at = now() - WATCH_S
        self._claimed = False

    def open(self) -> SerialLink:
        """Open the port; Claimed while a command uses it, Absent when it is not there."""
        self._looked_at = self._now() - WATCH_S  # what was seen before is stale
        self._url = find(self.port, speaks=self._answers)
        return TableLink(self._url, claims.hold(self._url))

    def wait_and_open(self) -> SerialLink:
        """The same, waiting some seconds for a board that is just restarting."""
        return once_there(self.open, self.port)

    def claimed(self) -> bool:
        """Does a command want the board, or use it? Looks twice a second at most."""
        if self._now() - self._looked_at >= WATCH_S:
            self._looked_at = self._now()
            self._claimed = claims.is_claimed(self._url)
        return self._claimed

    def give_way(self) -> None:
        """Claimed if a command wants the board."""
        if self.claimed():
            raise claims.Claimed(self._url)

    @staticmethod
    def _answers(url: str) -> bool:
        """Is this port of a board with two the one to play at? A claimed one is left alone."""
        claims.hold(url).release()
        return answers(url, SerialLink)


def client_of(lender: Lender) -> Client:
    """A table's client: it waits for its board, and gives way to commands."""
    client = Client(lender.wait_and_open(), lender.open)
    client.give_way = lender.give_way
    return client
