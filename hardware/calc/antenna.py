"""Loop, matching and neighbours: sums for the printed antennas at 13.56 MHz.

Two independent formulas for the inductance: (1) coaxial rings, self inductance after Rosa and
mutual inductance by Maxwell's elliptic integrals (Grover, "Inductance Calculations"); (2) the
current sheet of Mohan et al. ("Simple Accurate Expressions for Planar Spiral Inductances", 1999).
The matching follows the circuit of NXP's AN1445: EMC filter L0 C0, series C1, parallel C2, Q
resistor, all counted in the half circuit (one of the two drivers against ground). The filter is
tuned to the upper side band of the tags' answer, 13.56 + 0.848 MHz, as the note does: then the
drivers' load changes little with the loop, and its current hardly ("constant current design").

Models, not measurements: the surroundings (chips, supply comb, a hand) detune a built loop, which
is why every capacitor of the matching has a second place beside it.
"""

import cmath
import math
from dataclasses import dataclass
from itertools import product

from hardware import GEOMETRY

MU0 = 4e-7 * math.pi
F = 13.56e6
W = 2 * math.pi * F
COPPER = 1.72e-8  # ohm m at 20 C
THICK = 35e-6  # m, one ounce
TRACK, PITCH = 0.4e-3, 0.7e-3  # m, as in generate/library.py
SWITCH_ON, SWITCH_OFF = (
    0.7,
    12e-12,
)  # DMG1012T: ohm at most at 1.8 V, F (drain to source plus layout)
# ohm of one driver: 25 mV/mA of both at full conductance (CWGsP 3Fh), twice that at the value
# after a reset (20h), which the firmware leaves
DRIVER, DRIVER_FULL = 12.0, 6.0
COIL = 2.0  # ohm of L0 at 13.56 MHz: Coilcraft names a Q of at least 23 for the 0805CS-561
COMB = 0.96  # what the comb of the pixels inside the loop is guessed to leave of L; to be measured
DIODE_PF, DIODE_VOLTS = 10.0, 0.17  # BAT54S, one diode: pF around 0 V, V at some 20 uA on average


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


@dataclass(frozen=True)
class Match:
    """Values of one half: H, F, ohm. C1 and C2 with their second places added in."""

    l0: float
    c0: float
    c1: float
    c2: float
    rq: float


def parse(text: str) -> float:
    """ "560n", "3R3", "DNP" -> SI value."""
    if text == "DNP":
        return 0.0
    for unit, scale in (
        ("p", 1e-12),
        ("n", 1e-9),
        ("u", 1e-6),
        ("R", 1.0),
        ("k", 1e3),
        ("M", 1e6),
    ):
        if unit in text:
            head, tail = text.split(unit)
            return float(f"{head or 0}.{tail or 0}") * scale
    return float(text)


def match(values: dict[str, str]) -> Match:
    v = {k: parse(t) for k, t in values.items()}
    return Match(v["L0"], v["C0"], v["C1"] + v["C1t"], v["C2"] + v["C2t"], v["RQ"])


def parallel(*z: complex) -> complex:
    return 1 / sum(1 / x for x in z)


def cap(c: float) -> complex:
    return 1 / (1j * W * c)


def driver_load(inductance: float, copper: float, m: Match) -> complex:
    """Impedance in ohm that the two drivers see between them, switch closed."""
    half = copper / 2 + m.rq + 1j * W * inductance / 2
    tuned = parallel(half, cap(m.c2) + SWITCH_ON / 2) + cap(m.c1)
    return 2 * (parallel(tuned, cap(m.c0)) + 1j * W * m.l0 + COIL)


def filter_frequency(m: Match) -> float:
    """Hz at which L0 and C0 resonate."""
    return 1 / (2 * math.pi * math.sqrt(m.l0 * m.c0))


def closed_form(
    inductance: float, copper: float, m: Match, target: float = 70.0
) -> tuple[float, float]:
    """C1, C2 in F for a real load of `target` ohm, solved backwards from the drivers (AN1445's way).

    Only L0, C0 and RQ of `m` are looked at; the switch counts as a piece of wire.
    """
    half = complex(copper / 2 + m.rq, W * inductance / 2)
    parallel_ohm, parallel_x = abs(half) ** 2 / half.real, abs(half) ** 2 / half.imag
    behind = 1 / (
        1 / (target / 2 - COIL - 1j * W * m.l0) - 1j * W * m.c0
    )  # what C1 and the loop must be
    x = parallel_ohm * math.sqrt(behind.real / (parallel_ohm - behind.real))  # still inductive
    series = parallel_ohm**2 * x / (parallel_ohm**2 + x**2) - behind.imag
    return 1 / (W * series), (1 / parallel_x - 1 / x) / W


def supply_current(load: complex, supply: float = 3.3, driver: float = DRIVER) -> float:
    """A that the drivers draw from TVDD on average, for the fundamental of their square wave."""
    current = 4 / math.pi * supply / (load + 2 * driver)
    return 2 / math.pi * abs(current) * math.cos(cmath.phase(current))


def quality(inductance: float, copper: float, m: Match) -> float:
    """Q of the loop with its resistors (without what the drivers add)."""
    return W * inductance / (copper + 2 * m.rq)


def loop_current(inductance: float, copper: float, m: Match, supply: float = 3.3) -> float:
    """Peak current in A in the loop: square wave drivers, each through DRIVER."""
    source = 4 / math.pi * supply / 2
    half = copper / 2 + m.rq + 1j * W * inductance / 2
    c2 = cap(m.c2) + SWITCH_ON / 2
    a = parallel(half, c2)
    b = parallel(a + cap(m.c1), cap(m.c0))
    v0 = source * b / (b + 1j * W * m.l0 + COIL + DRIVER)
    v1 = v0 * a / (a + cap(m.c1))
    return abs(v1 / half)


def receive_voltage(
    inductance: float, copper: float, m: Match, r_series: float, r_vmid: float
) -> float:
    """Peak-to-peak V at RX: the filter's node through the divider (1 nF is a short)."""
    source = 4 / math.pi * 3.3 / 2
    half = copper / 2 + m.rq + 1j * W * inductance / 2
    a = parallel(half, cap(m.c2) + SWITCH_ON / 2)
    b = parallel(a + cap(m.c1), cap(m.c0))
    node = abs(source * b / (b + 1j * W * m.l0 + COIL + DRIVER))
    return 2 * node * r_vmid / (r_vmid + r_series)


def gate_volts(pump: float, swing: float) -> float:
    """V at the gate of Q1: a capacitor of `pump` F lifts it from a driver swinging `swing` V.

    The diodes' own capacitance divides the swing, and each takes its forward voltage.
    """
    return swing * pump / (pump + 2 * DIODE_PF * 1e-12) - 2 * DIODE_VOLTS


def driver_swing(load: complex, supply: float = 3.3, driver: float = DRIVER) -> float:
    """V peak to peak that is left at TX1 under half of the load in ohm."""
    return supply * abs(load / 2) / abs(load / 2 + driver)


def spread(
    inductance: float, copper: float, m: Match, part: float = 0.05, coil: float = 0.03
) -> tuple[float, float]:
    """Least and greatest |load| in ohm over all corners: capacitors and L0 +- part, loop +- coil."""
    found = []
    for a, b, c, d, e in product((-1, 1), repeat=5):
        mm = Match(
            m.l0 * (1 + part * a),
            m.c0 * (1 + part * b),
            m.c1 * (1 + part * c),
            m.c2 * (1 + part * d),
            m.rq,
        )
        found.append(abs(driver_load(inductance * (1 + coil * e), copper, mm)))
    return min(found), max(found)


def idle_impedance(
    inductance: float, copper: float, m: Match, switch: bool, driver: complex
) -> complex:
    """What an idle loop's induced voltage sees round the loop. `driver`: ohm of an idle output."""
    c2 = cap(m.c2) + (SWITCH_ON / 2 if switch else cap(2 * SWITCH_OFF))
    rest = cap(m.c1) + parallel(cap(m.c0), 1j * W * m.l0 + COIL + driver)
    return copper + 2 * m.rq + 1j * W * inductance + 2 * parallel(c2, rest)


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


@dataclass(frozen=True)
class Neighbour:
    """Of a loop that transmits on an idle one beside it."""

    k: float
    current_tuned: float  # idle turns x current / own turns x current, switch closed
    current_open: float
    detuned: float  # share of the transmitting loop's impedance that the idle one adds, open


def neighbour(
    kind: str, other: str, distance: float, matches: dict[str, dict[str, str]]
) -> Neighbour:
    """Figures for `other` idle beside `kind` transmitting, centres `distance` m apart."""
    a, b = loop(kind), loop(other)
    la, lb = inductance_rings(a), inductance_rings(b)
    m = ring_coupling(a.radius, b.radius, distance) * a.turns * b.turns
    mb = match(matches[other])
    worst = []
    for switch in (True, False):
        # an idle output of the MFRC522 is held low or floats: the data sheet does not say
        z = min((idle_impedance(lb, resistance(b), mb, switch, d) for d in (6, 1e6)), key=abs)
        worst.append(abs(W * m / z) * b.turns / a.turns)
        reflected = (W * m) ** 2 / z
    own = resistance(a) + 2 * match(matches[kind]).rq
    return Neighbour(m / math.sqrt(la * lb), worst[0], worst[1], abs(reflected) / own)
