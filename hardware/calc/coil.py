"""The printed loop: its shape, inductance and copper at 13.56 MHz.

Two independent formulas for the inductance: (1) coaxial rings, self inductance after Rosa and
mutual inductance by Maxwell's elliptic integrals (Grover, "Inductance Calculations"); (2) the
current sheet of Mohan et al. ("Simple Accurate Expressions for Planar Spiral Inductances", 1999).
"""

import math
from dataclasses import dataclass

from hardware import GEOMETRY
from spiceboard.tuning.matching import F

MU0 = 4e-7 * math.pi
COPPER = 1.72e-8  # ohm m at 20 C
THICK = 35e-6  # m, one ounce
TRACK, PITCH = 0.4e-3, 0.7e-3  # m, as in generate/library.py


@dataclass(frozen=True)
class Loop:
    """A spiral: mean radius in m, turns."""

    radius: float
    turns: int

    def radii(self) -> list[float]:
        outer = self.radius + PITCH * (self.turns - 1) / 2
        return [outer - PITCH * k for k in range(self.turns)]


def loop(kind: str) -> Loop:
    """ "bowl" or "action", from the table of dimensions."""
    return Loop(GEOMETRY[kind]["loop_radius"] * 1e-3, GEOMETRY[kind]["loop_turns"])


def elliptic(m: float) -> tuple[float, float]:
    """Complete elliptic integrals K(m), E(m) by the arithmetic-geometric mean."""
    a, b, c, total, power = 1.0, math.sqrt(1 - m), math.sqrt(m), m / 2, 1.0
    while abs(c) > 1e-15:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        total += power * c * c
        power *= 2
    k = math.pi / (2 * a)
    return k, k * (1 - total)


def coaxial(r1: float, r2: float, distance: float = 0.0) -> float:
    """Mutual inductance in H of two coaxial rings (Maxwell)."""
    m = 4 * r1 * r2 / ((r1 + r2) ** 2 + distance**2)
    k, e = elliptic(m)
    return (
        MU0 * math.sqrt(r1 * r2) * ((2 / math.sqrt(m) - math.sqrt(m)) * k - 2 / math.sqrt(m) * e)
    )


def inductance_rings(spiral: Loop) -> float:
    """H, by rings: a flat strip counts as a wire of radius 0.2235 (width + thickness)."""
    wire = 0.2235 * (TRACK + THICK)
    total = 0.0
    for i, a in enumerate(spiral.radii()):
        total += MU0 * a * (math.log(8 * a / wire) - 2)
        total += sum(2 * coaxial(a, b) for b in spiral.radii()[i + 1 :])
    return total


def inductance_sheet(spiral: Loop) -> float:
    """H, by the current sheet of a round spiral."""
    radii = spiral.radii()
    outer, inner = 2 * radii[0] + TRACK, 2 * radii[-1] - TRACK
    fill, mean = (outer - inner) / (outer + inner), (outer + inner) / 2
    return MU0 * spiral.turns**2 * mean / 2 * (math.log(2.46 / fill) + 0.2 * fill**2)


def resistance(spiral: Loop) -> float:
    """Ohm at 13.56 MHz: skin depth from both faces of the strip, 20 % for crowding at its edges."""
    skin = math.sqrt(COPPER / (math.pi * F * MU0))
    section = TRACK * 2 * skin * (1 - math.exp(-THICK / (2 * skin)))
    return 1.2 * COPPER * sum(2 * math.pi * r for r in spiral.radii()) / section


def ring_coupling(r1: float, r2: float, offset: float) -> float:
    """M in H of two flat single turns side by side, by Neumann's sum (all in m)."""
    n = 720
    total = 0.0
    points = [
        (
            r2 * math.cos(2 * math.pi * (j + 0.5) / n) + offset,
            r2 * math.sin(2 * math.pi * (j + 0.5) / n),
            -math.sin(2 * math.pi * (j + 0.5) / n),
            math.cos(2 * math.pi * (j + 0.5) / n),
        )
        for j in range(n)
    ]
    for i in range(0, n, 2):
        a = 2 * math.pi * (i + 0.5) / n
        x, y, tx, ty = r1 * math.cos(a), r1 * math.sin(a), -math.sin(a), math.cos(a)
        for px, py, ux, uy in points:
            total += (tx * ux + ty * uy) / math.hypot(px - x, py - y)
    return MU0 / (4 * math.pi) * total * (2 * math.pi * r1 / (n / 2)) * (2 * math.pi * r2 / n)
