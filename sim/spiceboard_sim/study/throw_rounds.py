"""Rounds of throws by the physics, as data: what each throw found on the board, and what it left.

A round throws twelve chips at zones drawn at random, with strengths drawn from `STRENGTHS`. After
each throw, chips that lie in no zone are taken away, as players do. A round's seed decides all of
it, so rounds may be thrown in any order and a file of them can be continued.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from spiceboard_sim.board.geometry import ZONE, zone_at
from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.engine import Engine
from spiceboard_sim.throws.hand import release
from spiceboard_sim.throws.pose import Pose
from spicecore.parts import CHIPS, ZONES

STRENGTHS = (0.0, 0.5, 1.0)  # soft, firm, hard
THROWS = 12  # in a round, as four players make
NOWHERE = 13
AIMED = (1, 2, 4, 13)  # zones that a round's throws aim at: few zones make crowds


class Throw(NamedTuple):
    """Zones are numbers in the order of `spicecore.parts.ZONES`; NOWHERE is no zone."""

    aim: int
    strength: int  # index of STRENGTHS
    end: int
    others: tuple[tuple[int, int], ...]  # of each chip that lay in a zone: before, after


def zone_of(pose: Pose | None) -> int:
    """The number of the zone in which a chip counts."""
    zone = pose and zone_at(pose.x, pose.y)
    return ZONES.index(zone.name) if zone else NOWHERE


def round_of(seed: int, constants: Constants, aimed: int) -> list[Throw]:
    """The throws of one round; aimed: the number of different zones aimed at, 1..13."""
    chance = Random(f"round {seed}")
    aims = chance.sample(range(len(ZONES)), aimed)
    engine = Engine(constants)
    lying: dict[str, int] = {}
    found = []
    for chip in CHIPS[:THROWS]:
        aim, strength = chance.choice(aims), chance.randrange(len(STRENGTHS))
        zone = ZONE[ZONES[aim]]
        thrown = release((zone.x, zone.y), STRENGTHS[strength], constants, chance)
        engine.throw(chip, thrown)
        poses = engine.poses()
        now = {name: zone_of(poses.get(name)) for name in [*lying, chip]}
        others = tuple((lying[name], now[name]) for name in lying)
        found.append(Throw(aim, strength, now[chip], others))
        for name in [name for name, at in now.items() if at == NOWHERE]:
            engine.lift(name)
        lying = {name: at for name, at in now.items() if at != NOWHERE}
    return found


def aimed_in(seed: int) -> int:
    """How many zones a round of the table aims at: half of all rounds aim at any zone."""
    return AIMED[seed // 2 % len(AIMED)] if seed % 2 else len(ZONES)


def read(path: Path) -> dict[int, list[Throw]]:
    """The rounds of a file by seed; ValueError says what is wrong with it."""
    found = {}
    try:
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        for line in lines:
            row = json.loads(line)
            throws = [
                Throw(aim, strength, end, tuple((a, b) for a, b in others))
                for aim, strength, end, others in row["throws"]
            ]
            found[int(row["seed"])] = throws
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is no file of rounds, or it is damaged: {error}") from None
    return found


def thrown(path: Path, seeds: range, constants: Constants) -> dict[int, list[Throw]]:
    """The rounds of these seeds: those in the file, and the rest, which is added to the file."""
    found = read(path)
    with path.open("a", encoding="utf-8") as file:
        for seed in _missing(found, seeds):
            found[seed] = round_of(seed, constants, aimed_in(seed))
            file.write(json.dumps({"seed": seed, "throws": found[seed]}) + "\n")
            file.flush()
    return {seed: found[seed] for seed in seeds}


def _missing(found: dict[int, list[Throw]], seeds: range) -> Iterator[int]:
    """The seeds that are to be thrown; says how far it has come."""
    left = [seed for seed in seeds if seed not in found]
    begun = time.process_time()
    for n, seed in enumerate(left):
        if n % 50 == 0:
            each = (time.process_time() - begun) / max(n, 1)
            print(f"{n} of {len(left)} rounds, {each:.2f} s each", file=sys.stderr, flush=True)
        yield seed
