"""A player of Safranito for tests of what can be remembered."""

from typing import Any

from spiceboard.bots.safranito import Sensible
from spiceboard.bots.safranito_memory import Memory


class Listener(Sensible):
    """Plays sensibly, and remembers as the strong bot does."""

    def __init__(self, seat: int, seed: int) -> None:
        super().__init__(seat, seed)
        self.memory = Memory()

    def hear(self, told: list[Any]) -> None:
        self.memory.hear(told)
