"""The throw model as a whole: how often chips touch, and how often one is pushed elsewhere."""

from random import Random

import pytest

from spiceboard.bots import targets
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.throws.flat import throw

Places = dict[str, tuple[float, float]]
THROWS = 600


def crowd(random: Random) -> Places:
    """Three chips that were thrown softly into saffron."""
    aim = (ZONE["saffron"].x, ZONE["saffron"].y)
    places: Places = {}
    for chip in ("b10", "r10", "g10"):
        for name, place in throw(chip, aim, 0.2, dict(places), random).moved.items():
            places.pop(name, None)
            if place is not None:
                places[name] = place
    return places


def shares(strength: float) -> tuple[float, float]:
    """Of throws into such a bowl: how many touch a chip, how many push one to another place."""
    random = Random(1)
    aim = (ZONE["saffron"].x, ZONE["saffron"].y)
    touched = pushed = 0
    for _ in range(THROWS):
        places = crowd(random)
        course = throw("o10", aim, strength, dict(places), random)
        others = {name: place for name, place in course.moved.items() if name != "o10"}
        touched += bool(others)
        pushed += any(
            targets.zone_at(*places[name]) != (targets.zone_at(*place) if place else None)
            for name, place in others.items()
        )
    return touched / THROWS, pushed / THROWS


@pytest.mark.parametrize(("strength", "least", "most"), [(0.3, 0.01, 0.06), (1.0, 0.05, 0.16)])
def test_pushes_are_some_and_harder_throws_push_more(
    strength: float, least: float, most: float
) -> None:
    touched, pushed = shares(strength)
    assert 0.3 < touched < 0.6
    assert least < pushed < most
