"""Matching and neighbours: sums for the printed antennas at 13.56 MHz.

The matching itself is in spiceboard/tuning/matching.py, because `spiceboard tune` needs it too. It
follows the circuit of NXP's AN1445. The filter is tuned to the upper side band of the tags' answer,
13.56 + 0.848 MHz, as the note does: then the drivers' load changes little with the loop, and its current hardly ("constant current design").

Models, not measurements: the surroundings (chips, supply comb, a hand) detune a built loop, which
is why every capacitor of the matching has a second place beside it.
"""

import math
from dataclasses import dataclass
from itertools import product

from hardware.calc import capacitance, coil
from spiceboard.tuning.matching import (
    CHOKE,
    DRIVER,
    DRIVER_RESET,
    SWITCH_ON,
    Coil,
    Match,
    W,
    behind,
    cap,
    driver_load,
    filter_volts,
    loop_current,
    match,
    parallel,
    parse,
    supply_current,
    with_pair,
)

__all__ = [
    "CHOKE",
    "DRIVER",
    "DRIVER_RESET",
    "SWITCH_ON",
    "Coil",
    "Match",
    "W",
    "behind",
    "cap",
    "driver_load",
    "filter_volts",
    "loop_current",
    "match",
    "parallel",
    "parse",
    "supply_current",
    "with_pair",
]

SWITCH_OFF = 12e-12  # F of the open DMG1012T, drain to source plus layout
# What the copper inside a loop is taken to leave of the formula's inductance: turns through the
# comb cost 0.1 to 0.7 % (calc/turns.py), the ribbon below 0.4 %; the two formulas differ by 2 %.
BUILT = 0.98
DIODE_PF, DIODE_VOLTS = 10.0, 0.17  # BAT54S, one diode: pF around 0 V, V at some 20 uA on average


def built(kind: str, share: float = BUILT, ohm: float = 0.0) -> Coil:
    """The loop of a tile with `share` of the formula's inductance and `ohm` more from chips."""
    spiral = coil.loop(kind)
    inductance = coil.inductance_rings(spiral) * share
    return Coil(inductance, coil.resistance(spiral) + ohm, capacitance.own(kind))


def filter_frequency(m: Match) -> float:
    """Hz at which L0 and C0 resonate."""
    return 1 / (2 * math.pi * math.sqrt(m.l0 * m.c0))


def closed_form(wound: Coil, m: Match, target: float = 70.0) -> tuple[float, float]:
    """C1, C2 in F for a real load of `target` ohm, solved backwards from the drivers (AN1445's way).

    Only L0, C0 and RQ of `m` are looked at; the switch counts as a piece of wire.
    """
    half = wound.half() + m.rq
    parallel_ohm, parallel_x = abs(half) ** 2 / half.real, abs(half) ** 2 / half.imag
    # what C1 and the loop must be together
    rest = 1 / (1 / (target / 2 - CHOKE - 1j * W * m.l0) - 1j * W * m.c0)
    x = parallel_ohm * math.sqrt(rest.real / (parallel_ohm - rest.real))  # still inductive
    series = parallel_ohm**2 * x / (parallel_ohm**2 + x**2) - rest.imag
    return 1 / (W * series), (1 / parallel_x - 1 / x) / W


def quality(wound: Coil, m: Match) -> float:
    """Q of the loop with its resistors (without what the drivers add)."""
    half = wound.half() + m.rq
    return half.imag / half.real


def receive_voltage(wound: Coil, m: Match, r_series: float, r_vmid: float) -> float:
    """Peak-to-peak V at RX: the filter's node through the divider (1 nF is a short)."""
    return 2 * abs(filter_volts(wound, m)) * r_vmid / (r_vmid + r_series)


def gate_volts(pump: float, swing: float) -> float:
    """V at the gate of Q1: a capacitor of `pump` F lifts it from a driver swinging `swing` V.

    The diodes' own capacitance divides the swing, and each takes its forward voltage.
    """
    return swing * pump / (pump + 2 * DIODE_PF * 1e-12) - 2 * DIODE_VOLTS


def driver_swing(load: complex, supply: float = 3.3, driver: float = DRIVER) -> float:
    """V peak to peak that is left at TX1 under half of the load in ohm."""
    return supply * abs(load / 2) / abs(load / 2 + driver)


def spread(
    wound: Coil, m: Match, part: float = 0.05, winding: float = 0.03
) -> tuple[float, float]:
    """Least and greatest |load| in ohm over all corners: capacitors and L0 +- part, loop +- winding."""
    found = []
    for a, b, c, d, e in product((-1, 1), repeat=5):
        parts = (m.l0 * (1 + part * a), m.c0 * (1 + part * b))
        tuning = (m.c1 * (1 + part * c), m.c2 * (1 + part * d))
        other = Coil(wound.inductance * (1 + winding * e), wound.copper, wound.own)
        found.append(abs(driver_load(other, Match(*parts, *tuning, m.rq))))
    return min(found), max(found)


def idle_impedance(wound: Coil, m: Match, switch: bool, driver: complex) -> complex:
    """What an idle loop's induced voltage sees round the loop. `driver`: ohm of an idle output."""
    c2 = cap(m.c2) + (SWITCH_ON / 2 if switch else cap(2 * SWITCH_OFF))
    rest = cap(m.c1) + parallel(cap(m.c0), 1j * W * m.l0 + CHOKE + driver)
    outside = 2 * (parallel(c2, rest) + m.rq)
    if wound.own:
        outside = parallel(outside, cap(wound.own))
    return wound.copper + 1j * W * wound.inductance + outside


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
    a, b = coil.loop(kind), coil.loop(other)
    own, idle = built(kind, 1.0), built(other, 1.0)
    m = coil.ring_coupling(a.radius, b.radius, distance) * a.turns * b.turns
    mb = match(matches[other])
    worst = []
    for switch in (True, False):
        # an idle output of the MFRC522 is held low or floats: the data sheet does not say
        z = min((idle_impedance(idle, mb, switch, d) for d in (6, 1e6)), key=abs)
        worst.append(abs(W * m / z) * b.turns / a.turns)
        reflected = (W * m) ** 2 / z
    ohm = own.copper + 2 * match(matches[kind]).rq
    k = m / math.sqrt(own.inductance * idle.inductance)
    return Neighbour(k, worst[0], worst[1], abs(reflected) / ohm)
