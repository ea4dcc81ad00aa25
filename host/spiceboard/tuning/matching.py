"""The matching of a tile's printed loop at 13.56 MHz: its fitted values, and what the drivers see.

The matching follows the circuit of NXP's AN1445: EMC filter L0 C0, series C1, parallel C2, Q
resistor, all counted in the half circuit (one of the two drivers against ground). The boards are
made from the values here, and hardware/calc does the other sums with these functions.
"""

import cmath
import math
from dataclasses import dataclass, replace

F = 13.56e6
W = 2 * math.pi * F
# DMG1012T (Q1), ohm at most at 1.8 V
SWITCH_ON = 0.7
# ohm of one driver: at full conductance (CWGsP 3Fh, CWGsN Fh), which the firmware sets, the sheet
# has at most 5, and 8 at 2.5 V; twice that at the values after a reset (20h, 8h)
DRIVER, DRIVER_RESET = 6.0, 12.0
CHOKE = 2.0  # ohm of L0 at 13.56 MHz: Coilcraft names a Q of at least 23 for the 0805CS-561

# EMC filter L0, C0, series C1, parallel C2, Q resistor; t: the empty place beside it, for trimming
FITTED = {
    "bowl": {
        **{"L0": "560n", "C0": "220p", "C1": "24p", "C1t": "DNP"},
        **{"C2": "75p", "C2t": "DNP", "RQ": "2R7"},
    },
    "action": {
        **{"L0": "560n", "C0": "220p", "C1": "51p", "C1t": "DNP"},
        **{"C2": "75p", "C2t": "DNP", "RQ": "12R"},
    },
}
TRIM = ("4p7", "8p2")  # pairs for C18, C19 that the guide tries


@dataclass(frozen=True)
class Coil:
    """A built loop: H, ohm of its copper, F across its ends."""

    inductance: float
    copper: float
    own: float = 0.0

    def half(self) -> complex:
        """Ohm of half of it, own capacitance included."""
        bare = complex(self.copper, W * self.inductance) / 2
        return parallel(bare, cap(2 * self.own)) if self.own else bare

    def share(self) -> float:
        """A in the winding for 1 A into the ends: above 1, the capacitance swings with it."""
        return abs(self.half() / (complex(self.copper, W * self.inductance) / 2))


# the loops by formula (hardware/calc: coil.py, capacitance.py; a test compares)
LOOPS = {
    "bowl": Coil(2.6120e-6, 2.0894, 4.3653e-12),
    "action": Coil(2.2249e-6, 1.6251, 2.5725e-12),
}


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
    """The sums' values of a table such as FITTED["bowl"]."""
    v = {k: parse(t) for k, t in values.items()}
    return Match(v["L0"], v["C0"], v["C1"] + v["C1t"], v["C2"] + v["C2t"], v["RQ"])


def with_pair(kind: str, pair: str) -> Match:
    """The fitted matching with a pair of capacitors of that value ("" for none) as C18 and C19."""
    m = match(FITTED[kind])
    return replace(m, c2=m.c2 + (parse(pair) if pair else 0.0))


def parallel(*z: complex) -> complex:
    """Ohm of branches side by side."""
    return 1 / sum(1 / x for x in z)


def cap(c: float) -> complex:
    """Ohm of a capacitor of c F."""
    return 1 / (1j * W * c)


def behind(wound: Coil, m: Match) -> complex:
    """Ohm of half of loop, Q resistor and C2 with the closed switch, seen from C1."""
    return parallel(wound.half() + m.rq, cap(m.c2) + SWITCH_ON / 2)


def driver_load(wound: Coil, m: Match) -> complex:
    """Impedance in ohm that the two drivers see between them, switch closed."""
    tuned = behind(wound, m) + cap(m.c1)
    return 2 * (parallel(tuned, cap(m.c0)) + 1j * W * m.l0 + CHOKE)


def supply_current(load: complex, supply: float = 3.3, driver: float = DRIVER) -> float:
    """A that the drivers draw from TVDD on average, for the fundamental of their square wave."""
    current = 4 / math.pi * supply / (load + 2 * driver)
    return 2 / math.pi * abs(current) * math.cos(cmath.phase(current))


def filter_volts(wound: Coil, m: Match, supply: float = 3.3, driver: float = DRIVER) -> complex:
    """Peak V at the filter's node of one half: a square wave's fundamental through one driver."""
    source = 4 / math.pi * supply / 2
    node = parallel(behind(wound, m) + cap(m.c1), cap(m.c0))
    return source * node / (node + 1j * W * m.l0 + CHOKE + driver)


def loop_current(wound: Coil, m: Match, supply: float = 3.3, driver: float = DRIVER) -> float:
    """Peak current in A in the loop's winding."""
    volts = filter_volts(wound, m, supply, driver)
    volts *= behind(wound, m) / (behind(wound, m) + cap(m.c1))
    return abs(volts / (wound.half() + m.rq)) * wound.share()


def ohms(z: complex) -> str:
    """ "75 - 5j": whole ohm, for people."""
    return f"{z.real:.0f} {'+' if z.imag >= 0 else '-'} {abs(z.imag):.0f}j"
