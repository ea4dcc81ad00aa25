"""Throws for games on the rules alone: where a chip ends, and which ones it pushes where.

They are drawn from the table that the physics of the simulator made (`spiceboard.kernels.throws`
explains it), in plain Python, so that games without compiled rules throw in the same way.
"""

import json
import random
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from spiceboard.bots.targets import ZONES

FILE = Path(__file__).parents[1] / "kernels" / "throws.json"
OUTCOMES = (*ZONES, None, "stays")  # of a row of the table; None: in no zone
FORCES = 3  # soft, firm, hard
CROWD = 4  # chips in a zone, this many and more are one row


@cache
def _rows(name: str) -> list[list[int]]:
    """The rows `landed` or `pushed` of the table, as sums of the shares so far."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return [list(accumulate(row)) for row in data[name]]


class ThrowTable:
    """In which zone each chip of a round lies; None: in no zone."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.zones: dict[str, str | None] = {}

    def throw(self, chip: str, zone: str, strength: float) -> list[list[str | None]]:
        """Throw at a zone; the settled change as the board would report it.

        strength: 0 soft to 1 hard; the nearest of three counts. Returns [[chip, zone or None],
        ...] of every chip whose zone changed; a thrown chip that lies in no zone is left out.
        """
        force, aim = round(strength * (FORCES - 1)), ZONES.index(zone)
        end = self._draw("landed", aim * FORCES + force)
        here = zone if end is None else end  # a miss may push what lies where it was aimed
        lying = [name for name, where in self.zones.items() if where == here]
        row = (ZONES.index(here) + (len(ZONES) if end is None else 0)) * FORCES + force
        moves: list[list[str | None]] = []
        for name in lying:
            to = self._draw("pushed", row * CROWD + min(len(lying), CROWD) - 1)
            if to not in ("stays", here):
                self.zones[name] = to
                moves.append([name, to])
        self.zones[chip] = end
        return [*moves, [chip, end]] if end else moves

    def _draw(self, name: str, row: int) -> str | None:
        """One outcome of a row."""
        sums = _rows(name)[row]
        drawn = self.chance.randrange(sums[-1])
        return OUTCOMES[next(i for i, most in enumerate(sums) if drawn < most)]

    def lift(self, chip: str) -> None:
        """Take a chip off the board."""
        self.zones.pop(chip, None)
