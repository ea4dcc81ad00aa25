"""What the measured currents or the measured loop of a tile mean, and what to fit.

The supply current of the field has a part of its own that is not known (the reader's), so only the
steps from pair to pair count: they tell the loop's inductance. Then the pairs and values of the
guide's shopping list are tried in the model until the drivers see what they should.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spiceboard.errors import No
from spiceboard.tuning.matching import (
    FITTED,
    LOOPS,
    TRIM,
    Coil,
    W,
    driver_load,
    match,
    ohms,
    parse,
    supply_current,
    with_pair,
)

SHARES = [0.880 + 0.001 * k for k in range(201)]  # of the formula's inductance
READ = 1.0  # mA: a laboratory supply shows no less
LOST = 3.0  # mA: a step that is further off than this fits no loop
READER_MOST = 25.0  # mA that the reader itself may add when its field goes on
ALL_HIGH, SWITCH_OFF = 60.0, 100.0  # mA: the guide's limits
LOAD = (40.0, 110.0)  # ohm
NEARLY_REAL = 0.6  # imaginary part over real part, at most
PAIRS = ("", "2p2", "3p3", "4p7", "6p8", "8p2")  # of C18 and C19: the guide's shopping list
SMALLER = {"bowl": ("75p", "68p"), "action": ("75p", "68p")}  # of C16 and C17


@dataclass(frozen=True)
class Loop:
    """A loop as measured: its share of the formula's inductance, from and to, and the mA that the
    reader itself adds (None if it was not measured by currents)."""

    coil: Coil
    share: float
    least: float
    most: float
    reader: float | None = None


@dataclass(frozen=True)
class Choice:
    """Values of C16, C17 and of the pair at C18, C19 ("" for none), and the load in ohm."""

    c2: str
    pair: str
    load: complex

    def good(self) -> bool:
        """Whether the drivers may be left with it."""
        return LOAD[0] <= self.load.real <= LOAD[1] and self.slant() <= NEARLY_REAL

    def changed(self, kind: str) -> int:
        """How many pairs of parts differ from what should be fitted."""
        return (self.c2 != FITTED[kind]["C2"]) + bool(self.pair)

    def slant(self) -> float:
        """Imaginary part over real part."""
        return abs(self.load.imag) / self.load.real


def modelled(kind: str, share: float, pairs: int) -> list[float]:
    """mA of the drivers with C18, C19 empty and with the first `pairs` - 1 pairs of TRIM."""
    coil = replace(LOOPS[kind], inductance=LOOPS[kind].inductance * share)
    tried = ("", *TRIM)[:pairs]
    return [1e3 * supply_current(driver_load(coil, with_pair(kind, pair))) for pair in tried]


def by_currents(kind: str, measured: Sequence[float]) -> Loop:
    """The loop that explains the mA that the field draws: C18, C19 empty, with 4.7 and 8.2 pF.

    `measured`: two or three figures, each the supply's current with the field less that without.
    No if no loop explains them, with what to check.
    """
    _check_limits(measured)
    found = {share: _off(modelled(kind, share, len(measured)), measured) for share in SHARES}
    share = min(found, key=lambda share: found[share])
    if found[share] > LOST:
        raise No(
            f"no loop explains these steps (off by {found[share]:.1f} mA at best): measure "
            "again with one tile at the supply, and check that both parts of a pair are alike"
        )
    likely = [each for each, off in found.items() if off <= found[share] + 2 * READ]
    reader = measured[0] - modelled(kind, share, 1)[0]
    if not -LOST <= reader <= READER_MOST:
        raise No(
            f"the steps fit a loop, but the reader itself would draw {reader:.0f} mA: check L1, "
            "L2 and C10 to C13, and take the current without the field off each figure"
        )
    coil = replace(LOOPS[kind], inductance=LOOPS[kind].inductance * share)
    return Loop(coil, share, min(likely), max(likely), reader)


def _check_limits(measured: Sequence[float]) -> None:
    if max(measured) > SWITCH_OFF:
        raise No(f"switch off: more than {SWITCH_OFF:.0f} mA is a short, or a part is missing")
    if max(measured) < LOST:
        raise No("the drivers do not run: check L1, L2, TP7, TP8, and +3.3VA at C25")
    if min(measured) > ALL_HIGH:
        raise No(
            "a capacitor of the matching is wrong or missing, or the loop is shorted: check C10 "
            "to C13, C16, C17, R13, R14"
        )


def _off(model: Sequence[float], measured: Sequence[float]) -> float:
    """By how many mA the worst step differs."""
    steps = zip(range(1, len(measured)), range(len(measured) - 1), strict=True)
    return max(abs((model[b] - model[a]) - (measured[b] - measured[a])) for b, a in steps)


def by_analyser(kind: str, microhenry: float, ohm: float) -> Loop:
    """The loop that an analyser shows at 13.56 MHz, own capacitance included; No if it is none."""
    formula = LOOPS[kind]
    planned = 2 * formula.half()
    bare = 1 / (1 / complex(ohm, W * microhenry * 1e-6) - 1j * W * formula.own)
    coil = Coil(bare.imag / W, bare.real, formula.own)
    share = coil.inductance / formula.inductance
    if not (SHARES[0] <= share <= SHARES[-1] and 0.5 <= ohm / planned.real <= 3):
        raise No(
            f"a loop of this tile shows about {planned.imag / W * 1e6:.2f} uH and "
            f"{planned.real:.1f} ohm: measure at 13.56 MHz, with JP1 bridged, the tile unpowered "
            "and R13, R14 lifted on the reader's side; other figures mean a torn or shorted turn"
        )
    return Loop(coil, share, share, share)


def choices(kind: str, coil: Coil) -> list[Choice]:
    """All values to try, the fitted ones first."""
    out = []
    for c2 in SMALLER[kind]:
        for pair in PAIRS:
            m = match(FITTED[kind] | {"C2": c2, "C2t": pair or "DNP"})
            out.append(Choice(c2, pair, driver_load(coil, m)))
    return out


def best(kind: str, coil: Coil) -> Choice:
    """Good values that change the fewest parts, of these the most real load. No where none is."""
    tried = choices(kind, coil)
    good = [choice for choice in tried if choice.good()]
    if not good:
        nearest = min(tried, key=Choice.slant)
        raise No(
            "no value of the shopping list makes the load 40 to 110 ohm and nearly real "
            f"(nearest: {told(nearest)}, {ohms(nearest.load)} ohm): the loop is not as planned; "
            "look for metal nearby and for torn or shorted turns"
        )
    return min(good, key=lambda choice: (choice.changed(kind), choice.slant()))


def told(choice: Choice) -> str:
    """What is soldered in: "C16, C17 of 68 pF, C18, C19 empty"."""
    pair = f"of {picofarad(choice.pair)}" if choice.pair else "empty"
    return f"C16, C17 of {picofarad(choice.c2)}, C18, C19 {pair}"


def picofarad(value: str) -> str:
    """ "4p7" -> "4.7 pF"."""
    return f"{parse(value) * 1e12:g} pF"
