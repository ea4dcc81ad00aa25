"""A game on the board beside the same game by the rules alone, with the same seed."""

import random
from typing import Any

from lab import Lab
from spicecore import games


class Twin:
    """A game on the board, and the same game by the rules alone."""

    def __init__(self, lab: Lab, name: str, seed: int) -> None:
        self.lab = lab
        self.rules: Any = games.load(name)
        options = {"players": 2, "mode": "full", "seed": seed}
        lab.good("new", game=name, options=options)
        self.keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
        self.state = self.rules.new(options)
        self.step = 0

    def event(self, chance: random.Random) -> list[Any]:
        """Something that is legal now."""
        seat = self.rules.seats_asked(self.state)[0]
        event: list[Any] = chance.choice(self.rules.legal(self.state, seat))
        return event

    def request(self, event: list[Any]) -> dict[str, Any]:
        return {"do": "act", "seat": event[1], "key": self.keys[event[1]], "event": event}

    def did(self, event: list[Any]) -> None:
        self.state, _ = self.rules.step(self.state, event)
        self.step += 1

    def compare(self) -> None:
        """The board tells the public and each seat what the rules say."""
        game = self.lab.good("snapshot")["game"]
        assert game["step"] == self.step
        assert game["view"] == self.rules.view(self.state, None)
        for seat, key in enumerate(self.keys):
            page = self.lab.good("view", seat=seat, key=key)
            assert page["view"] == self.rules.view(self.state, seat)
