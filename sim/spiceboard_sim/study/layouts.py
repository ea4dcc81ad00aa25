"""Throws for a study: whole rounds and hard piles, by the physics of the world."""

from dataclasses import dataclass
from random import Random

from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.study import rounds
from spicecore.parts import CHIPS

COUNTERS = [chip for chip in CHIPS if chip != "mill"]


@dataclass(frozen=True, slots=True)
class Act:
    """What a hand does: throws a chip at a zone, or lays it there (strength None) at a point."""

    chip: str
    zone: str
    strength: float | None
    x: float = 0.0
    y: float = 0.0


def game(random: Random) -> list[Act]:
    """More than a round: 24 chips thrown over the thirteen zones, as players do."""
    chips = random.sample(COUNTERS, len(COUNTERS))
    return [Act(chip, random.choice(list(ZONE)), random.uniform(0.1, 0.8)) for chip in chips]


def pile(random: Random) -> list[Act]:
    """Hard: a stack of two to six laid in one zone, and eight chips thrown at it and another."""
    chips = random.sample(COUNTERS, len(COUNTERS))
    zones = random.sample(list(ZONE), 2)
    middle = ZONE[zones[0]]
    acts = [
        Act(chip, zones[0], None, middle.x + random.gauss(0, 3), middle.y + random.gauss(0, 3))
        for chip in chips[: random.randint(2, 6)]
    ]
    for number, chip in enumerate(chips[6:14]):
        acts.append(Act(chip, zones[number % 2], random.uniform(0.1, 0.8)))
    return acts


def turns(random: Random) -> list[Act]:
    """The throws of a round of four, in turn: three chips each, at any zone."""
    hands = [random.sample(COUNTERS[6 * seat : 6 * seat + 6], rounds.THROWS) for seat in range(4)]
    return [
        Act(hand[turn], random.choice(list(ZONE)), random.uniform(0.1, 0.8))
        for turn in range(rounds.THROWS)
        for hand in hands
    ]


KINDS = {"game": game, "pile": pile, "round": turns}
