"""What the desk keeps: the board that it has open, who plays, and what it knows of the game."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from spiceboard.board.client import Client
from spiceboard.board.virtual_hands import Hands

FURTHEST = 3  # decisions that the board takes back in a row


@dataclass
class Chair:
    """Who plays a seat: a person, or a bot of some level."""

    who: str = "person"
    level: str = "sensible"


@dataclass
class Board:
    """A board that was opened: its client, and hands where it is virtual."""

    client: Client
    hands: Hands | None = None
    claimed: Callable[[], bool] = lambda: False  # does a command want its port?


@dataclass
class Game:
    """What the desk knows of the game beside what the board says."""

    chairs: list[Chair] = field(default_factory=list)
    seed: int = 0
    doers: list[int | None] = field(default_factory=list)  # of the last decisions, newest last
    ready: set[int] = field(default_factory=set)  # seats that want to go on
    gate: Any = None  # what is looked at before the game goes on
    undo: dict[str, Any] | None = None  # who asks whom to take something back
    doer: int | None = None  # whose decision is under way
    effects: list[str] = field(default_factory=list)  # kinds since the last step

    def last_person(self) -> int | None:
        """The seat of the last person's decision that could be taken back, with what came after
        it; None when nothing is."""
        return next((seat for seat in reversed(self.doers[-FURTHEST:]) if seat is not None), None)
