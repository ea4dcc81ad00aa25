"""Where chips lie, in millimetres, for tests of the host side: a flat board with simple throws.

Scatter around the point aimed at, and a push along the throw. The simulator has its own physics,
and tournaments draw throws from its table (`spiceboard.bots.throws`).
"""

import math
import random

from spiceboard.bots import targets

SCATTER = (20.0, 38.0)  # mm, standard deviation of a soft and of a hard throw
PUSH = (15.0, 90.0)  # mm that a hit chip slides, soft and hard


class FlatBoard:
    """Where chips lie, in millimetres of the plan, and those that fell off."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.places: dict[str, tuple[float, float]] = {}

    def throw(self, chip: str, zone: str, strength: float) -> list[list[str | None]]:
        """Throw at a zone's middle; the settled change as the board would report it.

        strength: 0 soft and exact, 1 hard and wide. Returns [[chip, zone or None], ...] of every
        chip whose zone changed; a thrown chip that lies in no zone is left out.
        """
        before = {name: self.zone(name) for name in self.places}
        x, y = targets.CENTRES[zone]
        sigma = SCATTER[0] + strength * (SCATTER[1] - SCATTER[0])
        here = (
            x + self.chance.gauss(0, sigma),
            y + self.chance.gauss(0, sigma),
        )
        self.places[chip] = here
        self._push(chip, strength)
        after = {name: self.zone(name) for name in self.places}
        return [[name, after[name]] for name in after if after[name] != before.get(name)]

    def _push(self, thrown: str, strength: float) -> None:
        """Chips that the thrown one touches slide away from it, some of them off the board."""
        x, y = self.places[thrown]
        for name, (there_x, there_y) in list(self.places.items()):
            distance = math.hypot(there_x - x, there_y - y)
            if (
                name == thrown
                or distance >= targets.CHIP_DIAMETER
                or self.chance.random() > 0.3 + 0.6 * strength
            ):
                continue  # too far, or the thrown one comes to lie on top
            angle = math.atan2(there_y - y, there_x - x) + self.chance.gauss(0, 0.4)
            slide = self.chance.uniform(0.3, 1) * (PUSH[0] + strength * (PUSH[1] - PUSH[0]))
            self.places[name] = (
                there_x + slide * math.cos(angle),
                there_y + slide * math.sin(angle),
            )

    def zone(self, chip: str) -> str | None:
        """The zone in which a chip counts; None on the flat, the rim, off the board."""
        return targets.zone_at(*self.places[chip])

    def lift(self, chip: str) -> None:
        """Take a chip off the board."""
        self.places.pop(chip, None)
