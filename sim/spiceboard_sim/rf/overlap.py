"""May the field of one reader be on while another reader reads?

Both carriers come from crystals of their own, so their phases drift through each other some
hundred times a second: what the other field adds at a tag is at worst its whole amplitude. A
reader of type A talks in pauses, in which ISO 14443-2 wants the field below 5 % of its value: so
the other field may have at most that share, at every tag that the reader can read, and the same
the other way round, since tags in the other field must not take these pauses for theirs.

Two other fields may add up, so their sum has that limit at the tags of the zone that is read.
Tags of the other two only hear the pauses of that one: for them each pair must be harmless.
"""

from functools import lru_cache
from math import cos, hypot, radians, sin

import numpy as np
from numpy.typing import NDArray

from spiceboard_sim.board.geometry import (
    CHIP_THICKNESS,
    FLOOR_ABOVE_LOOP,
    HOLE_RADIUS,
    TAG_LOOP_RADIUS,
    Zone,
)
from spiceboard_sim.rf import circuit, coupling, potential, tag
from spiceboard_sim.throws.pose import Pose

RESIDUE = 0.05  # of the field's value in a pause: ISO 14443-2, 106 kbit/s, type A
STACK = 6  # chips that may lie on each other
LEAN = 15.0  # degrees: on a rim
_REACH = 420.0  # mm: the board's diagonal


def _places(zone: Zone) -> list[Pose]:
    """Where chips can lie that count in the zone: from the middle to the limit, flat and leaning,
    on the floor and on up to five others."""
    found = []
    for far in np.linspace(0, zone.radius + HOLE_RADIUS, 6):
        for angle in range(0, 360, 15):
            x, y = zone.x + far * cos(radians(angle)), zone.y + far * sin(radians(angle))
            for below in range(STACK):
                height = CHIP_THICKNESS * below - zone.depth
                found += [Pose(x, y, height, tilt, angle) for tilt in (0.0, LEAN)]
    return found


def _field(zone: Zone, poses: list[Pose]) -> NDArray[np.float64]:
    """What the zone's field induces at tags, in any unit: flux by the loop's own current."""
    centre = np.array(
        [(p.x - zone.x, p.y - zone.y, p.middle + zone.depth + FLOOR_ABOVE_LOOP) for p in poses]
    )
    down, level, _ = potential.axes(
        np.array([p.tilt for p in poses]), np.array([p.towards for p in poses])
    )
    table = potential.table(circuit.loop_radii(zone), _REACH, 80.0, 1.0)
    return np.asarray(zone.loop_ma * potential.flux(table, centre, down, level, TAG_LOOP_RADIUS))


@lru_cache(maxsize=256)
def _shares(reading: Zone, other: Zone) -> NDArray[np.float64]:
    """The other field's share of the reading one's at each place of the reading zone."""
    poses = _places(reading)
    return np.abs(_field(other, poses) / _field(reading, poses))


@lru_cache(maxsize=256)
def share(reading: Zone, other: Zone) -> float:
    """The same at the tag of the zone where it is largest."""
    return float(np.max(_shares(reading, other)))


@lru_cache(maxsize=1024)
def quiet(reading: Zone, one: Zone, two: Zone) -> bool:
    """May the zone be read while the fields of both others are on?"""
    total = _shares(reading, one) + _shares(reading, two)
    return float(np.max(total)) <= RESIDUE


@lru_cache(maxsize=256)
def beat(reading: Zone, other: Zone) -> float:
    """The other carrier's share of the current in the reading loop, by which its amplitude swings
    with the difference of the two crystals."""
    gap = hypot(reading.x - other.x, reading.y - other.y)
    mutual = sum(
        coupling.mutual_inductance(a, b, gap, abs(reading.depth - other.depth), pieces=(96, 96))
        for a in circuit.loop_radii(reading)
        for b in circuit.loop_radii(other)
    )
    return abs(tag.OMEGA * 1e-9 * mutual / reading.source_ohm * other.loop_ma / reading.loop_ma)


def harmless(one: Zone, two: Zone) -> bool:
    """May both fields be on, whichever of the two is read?"""
    return max(share(one, two), share(two, one)) <= RESIDUE
