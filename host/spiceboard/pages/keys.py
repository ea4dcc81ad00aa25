"""Who may sit where: the table's own key, invitations to free seats, and the keys of taken ones.

These keys are the server's and have nothing to do with the board's own, which never leave the
desk. An invitation is good once: who takes it gets a key that nobody else has seen.
"""

import secrets
from collections.abc import Iterable
from typing import Any

from spiceboard.errors import UserError
from spiceboard.words import N_


def same(one: str, other: str) -> bool:
    """Compare in constant time, so that nobody can guess a key letter by letter."""
    return secrets.compare_digest(one.encode(), other.encode())


class Keys:
    """All keys of one server."""

    def __init__(self) -> None:
        self.table = secrets.token_urlsafe(16)
        self.invitations: dict[int, str] = {}
        self.seats: dict[int, str] = {}  # of seats that are played on a page of their own

    def begin(self, seats: Iterable[int]) -> None:
        """A new game: these seats are people's, and all of them are played at the table."""
        self.seats.clear()
        self.invitations = {seat: secrets.token_urlsafe(12) for seat in seats}

    def is_table(self, key: str) -> bool:
        """Is that the key of the table?"""
        return same(key, self.table)

    def seat_of(self, key: str) -> int | None:
        """The seat that this key plays, or None."""
        found = [seat for seat, known in self.seats.items() if same(key, known)]
        return found[0] if found else None

    def join(self, invitation: str) -> tuple[int, str]:
        """Take a free seat; (seat, its new key). UserError when the invitation is used or old."""
        for seat, known in self.invitations.items():
            if same(invitation, known):
                del self.invitations[seat]
                self.seats[seat] = secrets.token_urlsafe(16)
                return seat, self.seats[seat]
        raise UserError(
            N_(
                "this seat is taken, or the invitation belongs to an earlier game: ask for the "
                "code that the table shows now"
            )
        )

    def give_back(self, seat: int) -> None:
        """The seat is free again, its key void; the table plays it until somebody joins."""
        self.seats.pop(seat, None)
        self.invitations[seat] = secrets.token_urlsafe(12)

    def kept(self) -> dict[str, Any]:
        """What a restart of the server must know again."""
        return {
            "table": self.table,
            "invitations": {str(seat): key for seat, key in self.invitations.items()},
            "seats": {str(seat): key for seat, key in self.seats.items()},
        }

    def take_up(self, kept: dict[str, Any]) -> None:
        """The reverse of `kept`; what is damaged there is as good as absent."""
        try:
            invitations = {int(seat): str(key) for seat, key in kept["invitations"].items()}
            seats = {int(seat): str(key) for seat, key in kept["seats"].items()}
            table = str(kept["table"])
        except (KeyError, ValueError, AttributeError, TypeError):
            return
        self.table, self.invitations, self.seats = table, invitations, seats
