"""The loop's own capacitance, calculated in two ways, and that of the lead to the loop.

Along a wound loop the voltage rises evenly, so its turns differ, and the gaps between them store
energy: it is written as one capacitor across the loop's ends.

1. A closed form: the turns as one flat strip whose voltage rises evenly across its width, half in
   air and half in FR4 (the charge on it is known exactly). It ignores that each turn has one voltage.
2. Each turn is cut into filaments, and the charge on them is solved for the voltages of that place
   (method of moments); the board's lower face comes in by image charges. Two turns alone agree with
   the conformal mapping of two coplanar strips within 2 %.

To count the gaps between neighbours alone gives 30 to 45 % less: turns that do not lie side by side
differ by more volts. The second way goes into the matching. Pads, solder and chips come on top.
"""

import itertools
import math
from functools import cache

import numpy as np

from hardware.calc import coil

EPS0 = 8.854e-12  # F/m
FR4 = 4.4  # relative permittivity near 13.56 MHz
BOARD = 1.6e-3  # m
FILAMENTS = 24  # a strip
LEADS = {  # from the resistors R13, R14 to the loop: m long, m between centre lines
    "bowl": (28e-3, 5.6e-3),
    "action": (8e-3, 5.6e-3),
}


def strips_f_per_m(width: float, gap: float) -> float:
    """F/m of two like coplanar strips (m) on FR4, thick against the gap."""
    k = gap / (gap + 2 * width)
    inner, outer = coil.elliptic(k**2)[0], coil.elliptic(1 - k**2)[0]
    return EPS0 * (1 + FR4) / 2 * outer / inner


def by_strip(spiral: coil.Loop) -> float:
    """F, by the closed form of one strip with an even rise of voltage."""
    half = (coil.PITCH * (spiral.turns - 1) + coil.TRACK) / 2
    rise = 1 / (coil.PITCH * spiral.turns)  # V a metre for 1 V at the ends
    mean = sum(spiral.radii()) / spiral.turns
    return EPS0 * (1 + FR4) / 2 * math.pi * (half * rise) ** 2 * 2 * math.pi * mean


def by_neighbours(spiral: coil.Loop) -> float:
    """F, by the gaps between neighbours alone: what is often written, and too little."""
    per_metre = strips_f_per_m(coil.TRACK, coil.PITCH - coil.TRACK)
    lengths = [math.pi * (a + b) for a, b in itertools.pairwise(spiral.radii())]
    return per_metre * sum(lengths) / spiral.turns**2


def _potential(distance: np.ndarray) -> np.ndarray:
    """V m/C (but for a constant) of a line charge on the board's upper face, at `distance` m in it."""
    bounce = (FR4 - 1) / (FR4 + 1)
    total = -np.log(distance)
    for n in range(1, 12):
        share = bounce ** (2 * n - 1) * (1 + bounce)
        total -= share * np.log(np.hypot(distance, 2 * n * BOARD))
    return np.asarray(total * 2 / (1 + FR4) / (2 * math.pi * EPS0))


def by_charges(spiral: coil.Loop) -> float:
    """F, by the charge on every turn, averaged round the winding."""
    cell = coil.TRACK / FILAMENTS
    offsets = (np.arange(FILAMENTS) + 0.5) * cell - coil.TRACK / 2
    places = np.concatenate([radius + offsets for radius in spiral.radii()])
    apart = np.abs(places[:, None] - places[None, :])
    np.fill_diagonal(apart, cell / 2 / math.e)  # a flat filament seen from its own middle
    size = len(places)
    matrix = np.ones((size + 1, size + 1))
    matrix[:size, :size] = _potential(apart)
    matrix[size, size] = 0.0  # the last row: no charge left over, its unknown is the level
    energy = []
    for part in np.linspace(
        0, 1, 9
    ):  # share of a turn that the section lies from the loop's start
        volts = np.repeat((np.arange(spiral.turns) + part) / spiral.turns, FILAMENTS)
        charge = np.linalg.solve(matrix, np.append(volts, 0.0))[:size]
        energy.append(float(charge @ volts))
    length = 2 * math.pi * sum(spiral.radii()) / spiral.turns
    return float(np.mean(energy)) * length


def leads(kind: str) -> float:
    """F of the two tracks from the matching to the loop."""
    length, apart = LEADS[kind]
    return strips_f_per_m(coil.TRACK, apart - coil.TRACK) * length


@cache
def own(kind: str) -> float:
    """F across the loop's ends, as the matching counts it."""
    return by_charges(coil.loop(kind)) + leads(kind)
