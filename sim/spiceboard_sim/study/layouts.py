"""Throws for a study: whole rounds, hard piles, chips laid by hand, by the world's physics."""

from dataclasses import dataclass, replace
from math import cos, pi, sin
from random import Random

from spiceboard_sim.board.geometry import CHIP_RADIUS, HEIGHT, HOLE_RADIUS, WIDTH, ZONE
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
    acts = [_dropped(chip, zones[0], random) for chip in chips[: random.randint(2, 6)]]
    for number, chip in enumerate(chips[6:14]):
        acts.append(Act(chip, zones[number % 2], random.uniform(0.1, 0.8)))
    return acts


def lay(random: Random) -> list[Act]:
    """Twelve chips laid by hand: half of them anywhere in a zone, half from 6 mm inside to 4 mm
    outside its limit. Cheap, because nothing is thrown."""
    acts = []
    for number, chip in enumerate(random.sample(COUNTERS, 12)):
        zone = ZONE[random.choice(list(ZONE))]
        limit, turn = zone.radius + HOLE_RADIUS, random.uniform(0, 2 * pi)
        off = limit + random.uniform(-6, 4) if number % 2 else random.uniform(0, limit)
        x, y = zone.x + off * cos(turn), zone.y + off * sin(turn)
        acts.append(Act(chip, zone.name, None, _on(x, WIDTH), _on(y, HEIGHT)))
    return acts


def _on(value: float, size: float) -> float:
    """So far from the rim that the whole chip is on the board."""
    return min(max(value, CHIP_RADIUS + 1), size - CHIP_RADIUS - 1)


def turns(random: Random) -> list[Act]:
    """The throws of a round of four, in turn: three chips each, at any zone."""
    hands = [random.sample(COUNTERS[6 * seat : 6 * seat + 6], rounds.THROWS) for seat in range(4)]
    return [
        Act(hand[turn], random.choice(list(ZONE)), random.uniform(0.1, 0.8))
        for turn in range(rounds.THROWS)
        for hand in hands
    ]


def packed(random: Random) -> list[Act]:
    """A pile in a game: the first two to six chips of a round are laid on each other, and the
    others thrown at that zone and one more."""
    acts = turns(random)
    zones = random.sample(list(ZONE), 2)
    stacked = random.randint(2, 6)
    laid = [_dropped(act.chip, zones[0], random) for act in acts[:stacked]]
    return laid + [
        replace(act, zone=zones[number % 2]) for number, act in enumerate(acts[stacked:])
    ]


def _dropped(chip: str, name: str, random: Random) -> Act:
    """A chip that a hand lays near the middle of a zone."""
    zone = ZONE[name]
    return Act(chip, name, None, zone.x + random.gauss(0, 3), zone.y + random.gauss(0, 3))


KINDS = {"game": game, "lay": lay, "packed": packed, "pile": pile, "round": turns}
IN_GAME = ("packed", "round")  # with people at the table
