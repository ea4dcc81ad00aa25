"""The plain throw model as a whole: how often chips touch, and how often one is pushed away."""

from random import Random

import pytest

from spiceboard_sim.board.geometry import ZONE, zone_at
from spiceboard_sim.throws.course import Poses
from spiceboard_sim.throws.flat import Flat

THROWS = 600
SAFFRON = (ZONE["saffron"].x, ZONE["saffron"].y)


def crowd(random: Random) -> Poses:
    """Three chips that were thrown softly into saffron."""
    poses: Poses = {}
    for chip in ("b10", "r10", "g10"):
        for name, pose in Flat().throw(chip, SAFFRON, 0.2, dict(poses), random).rest.items():
            poses.pop(name, None)
            if pose is not None:
                poses[name] = pose
    return poses


def shares(strength: float) -> tuple[float, float]:
    """Of throws into such a bowl: how many touch a chip, how many push one to another place."""
    random = Random(1)
    touched = pushed = 0
    for _ in range(THROWS):
        poses = crowd(random)
        course = Flat().throw("o10", SAFFRON, strength, dict(poses), random)
        others = {name: pose for name, pose in course.rest.items() if name != "o10"}
        touched += bool(others)
        pushed += any(
            zone_at(poses[name].x, poses[name].y) != (zone_at(pose.x, pose.y) if pose else None)
            for name, pose in others.items()
        )
    return touched / THROWS, pushed / THROWS


@pytest.mark.parametrize(("strength", "least", "most"), [(0.3, 0.01, 0.06), (1.0, 0.05, 0.16)])
def test_pushes_are_some_and_harder_throws_push_more(
    strength: float, least: float, most: float
) -> None:
    touched, pushed = shares(strength)
    assert 0.3 < touched < 0.6
    assert least < pushed < most
