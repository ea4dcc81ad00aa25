"""Tags that load each other: one reader's loop and all tags near it are coupled circuits.

Steady state at the carrier. Unknown are the currents of the loop and of every tag; mutual
inductances come from the poses. From the currents: each chip's voltage (does it wake?), limited by
the chip; and by how much the loop's current changes when a chip answers, which is what the
receiver gets. Holds for poses that bodies can have and tags near their resonance; it knows nothing
of eddy currents in other metal, of higher modes, or of a chip that starts and stops.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spiceboard_sim.board.geometry import FLOOR_ABOVE_LOOP, TAG_LOOP_RADIUS, TAG_RESONANCE, Zone
from spiceboard_sim.rf import potential, tag
from spiceboard_sim.rf.tag import TagCircuit
from spiceboard_sim.throws.pose import Pose

REACH = 90.0  # mm from a loop's axis: beyond, a tag gets and says nothing
NEAR = 50.0  # mm between two tags: beyond, they do not notice each other
PITCH = 0.7  # mm between the loop's turns (docs/hardware.md)
_RECEIVING = (8.5, 11.0)  # mm: turns that stand for all when flux goes through a tag
_ROUNDS = 40  # at most, of finding the limiters' currents, to 1 %; 5 on average
_BOLD = 6  # rounds with the whole step: a few heaps would go round in circles with more
Complex = NDArray[np.complexfloating[Any, Any]]
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Solution:
    """volts: peak at each chip, its limiter at work. heard: change of the loop's current when it
    answers, A. loop: the loop's current, A."""

    volts: list[float]
    heard: list[float]
    loop: float


def loop_radii(zone: Zone) -> tuple[float, ...]:
    """Radii of the loop's turns, mm."""
    first = zone.loop_radius - PITCH * (zone.loop_turns - 1) / 2
    return tuple(first + PITCH * n for n in range(zone.loop_turns))


def _loop_table(zone: Zone) -> potential.Table:
    return potential.table(loop_radii(zone), REACH + 20, 80.0, 1.0)


def _tag_table() -> potential.Table:
    radii = tuple(float(r) for r in np.linspace(tag.INNER, tag.OUTER, tag.TURNS))
    return potential.table(radii, NEAR + 14, NEAR + 14, 0.5)


def inductances(zone: Zone, poses: list[Pose], tags: list[TagCircuit]) -> tuple[Array, Array]:
    """Mutual inductances in H: of the loop with each tag (n), and of the tags (n, n)."""
    centre = np.array(
        [(p.x - zone.x, p.y - zone.y, p.middle + zone.depth + FLOOR_ABOVE_LOOP) for p in poses]
    )
    frame = potential.axes(np.array([p.tilt for p in poses]), np.array([p.towards for p in poses]))
    turns = np.array([t.turns for t in tags])
    low = np.maximum(centre[:, 2], 1.0)
    above = np.stack((centre[:, 0], centre[:, 1], low), -1)
    down, level, axis = frame
    to_loop = turns * potential.flux(_loop_table(zone), above, down, level, TAG_LOOP_RADIUS)
    n = len(poses)
    between = np.zeros((n, n))
    one, two = np.triu_indices(n, 1)
    near = np.linalg.norm(centre[one] - centre[two], axis=1) < NEAR
    one, two = one[near], two[near]
    if len(one):
        mine = (down[one], level[one], axis[one])
        gap = potential.turned_into(mine, centre[two] - centre[one])
        theirs = [potential.turned_into(mine, part[two]) for part in (down, level)]
        table = _tag_table()
        m = np.zeros(len(one))
        for radius in _RECEIVING:
            m += potential.flux(table, gap, theirs[0], theirs[1], radius)
        scale = turns[one] / tag.TURNS * turns[two] / len(_RECEIVING)
        between[one, two] = between[two, one] = m * scale
    return to_loop, between


def solve(zone: Zone, poses: list[Pose], tags: list[TagCircuit], drive: float = 1.0) -> Solution:
    """Everything near one loop whose field is on. drive: a factor on the zone's own."""
    if not poses:
        return Solution([], [], drive * zone.loop_ma * 1e-3)
    n = len(poses)
    to_loop, between = inductances(zone, poses, tags)
    z = np.zeros((n + 1, n + 1), dtype=np.complex128)
    z[0, 0] = zone.source_ohm
    z[0, 1:] = z[1:, 0] = 1j * tag.OMEGA * to_loop
    z[1:, 1:] = 1j * tag.OMEGA * between
    coil = np.array([t.resistance + 1j * tag.OMEGA * t.inductance for t in tags])
    shunt = np.array([1j * tag.OMEGA * t.farad for t in tags])
    source = drive * zone.loop_ma * 1e-3 * zone.source_ohm
    own = np.arange(1, n + 1)
    branch = 1 / shunt
    z[own, own] = coil + branch
    inverse = np.linalg.inv(z)
    free = source * inverse[1:, 0] * branch
    draws = np.zeros(n)
    if np.abs(free).max() > tag.LIMIT_VOLT:
        ports = np.diag(branch).astype(np.complex128) - branch[:, None] * inverse[1:, 1:] * branch
        draws = _limited(free, ports)
        branch = 1 / (shunt + draws)
        z[own, own] = coil + branch
        inverse = np.linalg.inv(z)
    volts = np.abs(source * inverse[1:, 0] * branch)
    return _answers(inverse, source, shunt, draws, volts)


@lru_cache(maxsize=32)
def alone(zone: Zone) -> Solution:
    """A nominal tag alone, flat in the middle of a zone: what strengths are relative to."""
    pose = Pose(zone.x, zone.y, -zone.depth)
    return solve(zone, [pose], [TagCircuit(TAG_RESONANCE)])


def _limited(free: Complex, ports: NDArray[Any]) -> Array:
    """Siemens that each chip's limiter draws. free: voltages without any; ports: the impedances
    between the chips. Newton's method for all limiters at once, until all voltages hold; a
    limiter that would have to feed its chip draws nothing."""
    draws = np.zeros(len(free))
    limits = np.abs(free) > tag.LIMIT_VOLT
    for tried in range(_ROUNDS):
        busy = np.flatnonzero(limits)
        drawn, part = draws[busy], ports[busy[:, None], busy]
        tied = np.linalg.solve(
            np.eye(len(busy)) + part * drawn, np.column_stack((part, free[busy]))
        )
        seen, held = tied[:, :-1], tied[:, -1]
        volts = np.abs(held)
        others = np.abs(free - ports[:, busy] @ (drawn * held)) > 1.01 * tag.LIMIT_VOLT
        draws_some = (drawn > 1e-6) | (volts > tag.LIMIT_VOLT)
        off = np.abs(volts - tag.LIMIT_VOLT) > 0.01 * tag.LIMIT_VOLT
        if not (off & draws_some).any() and not (others & ~limits).any():
            break
        one = np.flatnonzero(draws_some)
        falls = ((held.conj() / volts)[:, None] * seen * held).real  # volts for each siemens
        step = np.zeros(len(busy))
        step[one] = np.linalg.solve(falls[one[:, None], one], volts[one] - tag.LIMIT_VOLT)
        most = 4 * drawn + 3 / np.abs(np.diag(seen))
        wanted = np.clip(drawn + step, 0.0, most)
        draws[busy] = wanted if tried < _BOLD else (drawn + wanted) / 2
        limits |= others
    return draws


def _answers(
    inverse: Complex, source: float, shunt: Complex, draws: Array, volts: Array
) -> Solution:
    """What each chip's answer changes in the loop: one branch more conductive, all others as they
    are (a rank one change of the inverse)."""
    current = source * inverse[1:, 0]
    own = np.arange(1, len(shunt) + 1)
    change = 1 / (shunt + draws + 1 / tag.MODULATION_OHM) - 1 / (shunt + draws)
    heard = np.abs(inverse[0, 1:] * change * current / (1 + change * inverse[own, own]))
    return Solution(
        [float(v) for v in volts], [float(h) for h in heard], float(abs(source * inverse[0, 0]))
    )
