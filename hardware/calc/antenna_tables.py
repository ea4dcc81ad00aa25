"""The tables of docs/hardware.md and docs/build.md that speak of the antenna."""

import itertools
import math
from functools import cache

from hardware import GEOMETRY
from hardware.calc import antenna, capacitance, coil, turns
from hardware.calc.markdown import table, titled
from spiceboard.tuning.matching import FITTED, TRIM, ohms
from spiceboard_sim.board.geometry import TAG_RESONANCE, ZONE
from spiceboard_sim.rf import circuit, coupling
from spiceboard_sim.rf.tag import FREQUENCY, WAKE_VOLT, TagCircuit
from spiceboard_sim.throws.pose import Pose
from spicecore.storage.on_demand.settings import GAINS_DB

KINDS = ("bowl", "action")
ZONE_OF = {"bowl": "curry", "action": "head_chef"}  # one of each kind
# mm that a tag lies off its chip's middle: in the halves of the case, and with both pockets alike
OFF_MADE, OFF_STACKED = 0.2, 0.55
SHARES = (0.95, 0.965, 0.98, 0.99, 1.0, 1.015, 1.03)  # of the formula's inductance
# More or less current: kind, C1, C2, RQ of each half, conductance (20h: after a reset)
OTHERS = (
    ("bowl", "24p", "75p", "2R7", "3Fh"),
    ("bowl", "24p", "75p", "2R7", "20h"),
    ("bowl", "27p", "75p", "2R7", "3Fh"),
    ("bowl", "18p", "82p", "3R3", "3Fh"),
    ("action", "51p", "75p", "12R", "3Fh"),
    ("action", "51p", "75p", "12R", "20h"),
    ("action", "47p", "75p", "15R", "3Fh"),
    ("action", "47p", "82p", "6R8", "3Fh"),
)
OHM = {"20h": antenna.DRIVER_RESET, "3Fh": antenna.DRIVER}
CHIPS_OHM = (4.0, 8.0, 16.0)  # what coupled tags may add to the loop's resistance
FLOOR = float(GEOMETRY["floor_above_loop"])  # mm
TAG_RADIUS = float(GEOMETRY["chip"]["tag_loop_radius"])  # mm
DISTANCES = (("bowl", "bowl", 0.118), ("bowl", "action", 0.0834), ("action", "bowl", 0.0834))


def _loop(kind: str) -> dict[str, str]:
    spiral, m, v = coil.loop(kind), antenna.match(FITTED[kind]), FITTED[kind]
    built = antenna.built(kind)
    load = antenna.driver_load(built, m)
    c1, c2 = antenna.closed_form(built, m, abs(load))
    fine, coarse = antenna.spread(built, m, 0.02, 0.02), antenna.spread(built, m, 0.05, 0.03)
    rings, sheet = coil.inductance_rings(spiral), coil.inductance_sheet(spiral)
    return {
        "loop": kind,
        "radius, turns": f"{spiral.radius * 1e3:.0f} mm, {spiral.turns}",
        "L by rings / by current sheet": f"{rings * 1e6:.2f} / {sheet * 1e6:.2f} uH",
        "copper at 13.56 MHz": f"{built.copper:.1f} ohm",
        "Q": f"{antenna.quality(built, m):.0f}",
        "L0, C0, C1, C2, RQ (each half)": ", ".join(v[k] for k in ("L0", "C0", "C1", "C2", "RQ")),
        "C1 / C2 in closed form": f"{c1 * 1e12:.0f} / {c2 * 1e12:.0f} pF",
        "load of the drivers, L 2 % less": f"{ohms(load)} ohm",
        "with 2 % parts, loop 2 %": f"{fine[0]:.0f} to {fine[1]:.0f} ohm",
        "with 5 % parts, loop 3 %": f"{coarse[0]:.0f} to {coarse[1]:.0f} ohm",
        "loop current, peak": f"{antenna.loop_current(built, m) * 1e3:.0f} mA",
        "at RX, peak to peak": f"{antenna.receive_voltage(built, m, 3900, 1000):.1f} V",
    }


def loops() -> str:
    return titled([_loop(kind) for kind in KINDS])


def own_capacitance() -> str:
    """Both ways to the loop's own capacitance, and what is left out when only neighbours count."""
    rows = []
    for kind in KINDS:
        spiral = coil.loop(kind)
        ways = (capacitance.by_charges, capacitance.by_strip, capacitance.by_neighbours)
        charges, strip, neighbours_ = (f"{way(spiral) * 1e12:.1f} pF" for way in ways)
        wound = antenna.built(kind)
        more = wound.half().imag / (antenna.W * wound.inductance / 2) - 1
        rows.append(
            {
                "loop": kind,
                "charges on every turn": charges,
                "one strip, closed form": strip,
                "gaps between neighbours alone": neighbours_,
                "lead to the loop": f"{capacitance.leads(kind) * 1e12:.1f} pF",
                "counted": f"{wound.own * 1e12:.1f} pF",
                "the loop looks larger by": f"{more * 100:.0f} %",
            }
        )
    return titled(rows)


def _neighbour(kind: str, other: str, distance: float) -> dict[str, str]:
    n = antenna.neighbour(kind, other, distance, FITTED)
    return {
        "transmits": kind,
        "idle beside it": other,
        "centres apart": f"{distance * 1e3:.0f} mm",
        "k": f"{n.k:.3f}",
        "ampere-turns in the idle loop, if it stayed tuned": f"{n.current_tuned * 100:.0f} %",
        "with its switch open": f"{n.current_open * 100:.1f} %",
        "of the transmitter's loop resistance": f"{n.detuned * 100:.1f} %",
    }


def neighbours() -> str:
    return titled([_neighbour(*case_) for case_ in DISTANCES])


def cases(kind: str) -> list[antenna.Coil]:
    """Loops that differ from the plan, and loops with chips."""
    built = [antenna.built(kind, share) for share in SHARES]
    return built + [antenna.built(kind, ohm=ohm) for ohm in CHIPS_OHM]


def _case_heads(first: str) -> list[str]:
    shares = [f"{(share - 1) * 100:+.1f} %".replace(".0 ", " ") for share in SHARES]
    return [first, *shares, *[f"+{ohm:.0f} ohm" for ohm in CHIPS_OHM]]


def detuned() -> str:
    rows = []
    for kind in KINDS:
        for pair in ("", *TRIM):
            m = antenna.with_pair(kind, pair)
            loads = [antenna.driver_load(wound, m) for wound in cases(kind)]
            what = f"{kind}: load, ohm" if not pair else f"with C18, C19 of {pair}"
            rows.append([what, *[ohms(z) for z in loads]])
            if not pair:
                amps = [antenna.loop_current(wound, m) for wound in cases(kind)]
                rows.append(["loop current, peak, mA", *[f"{i * 1e3:.0f}" for i in amps]])
    return table(_case_heads("L against the formula; then R more by chips"), rows)


def currents() -> str:
    """The current of the field for different loops: the builder uses this table for tuning."""
    rows = []
    for kind in KINDS:
        for pair in ("", *TRIM):
            m = antenna.with_pair(kind, pair)
            drawn = [
                antenna.supply_current(antenna.driver_load(antenna.built(kind, share), m))
                for share in SHARES
            ]
            what = "C18, C19 empty" if not pair else f"C18, C19 of {pair}"
            rows.append([f"{kind}, {what}", *[f"{i * 1e3:.0f} mA" for i in drawn]])
    return table(_case_heads("if L is, against the formula")[: len(SHARES) + 1], rows)


def others() -> str:
    """What other values of the matching would give, the fitted ones first."""
    rows = []
    for kind, c1, c2, rq, word in OTHERS:
        fitted = FITTED[kind] | {"C1": c1, "C2": c2, "RQ": rq}
        m, wound, driver = antenna.match(fitted), antenna.built(kind), OHM[word]
        load = antenna.driver_load(wound, m)
        amps = antenna.loop_current(wound, m, driver=driver)
        drawn = antenna.supply_current(load, driver=driver)
        rows.append(
            {
                "loop": kind + (", as fitted" if fitted == FITTED[kind] and word == "3Fh" else ""),
                "C12, C13": c1,
                "C16, C17": c2,
                "R13, R14": rq,
                "CWGsP": word,
                "load of the drivers": f"{ohms(load)} ohm",
                "Q": f"{antenna.quality(wound, m):.0f}",
                "loop current, peak": f"{amps * 1e3:.0f} mA",
                "supply": f"{drawn * 1e3:.0f} mA",
            }
        )
    return titled(rows)


def gate() -> str:
    rows = []
    load = antenna.driver_load(antenna.built("bowl"), antenna.match(FITTED["bowl"]))
    for name, ohm in (("20h, after reset", antenna.DRIVER_RESET), ("3Fh", antenna.DRIVER)):
        swing = antenna.driver_swing(load, driver=ohm)
        rows.append([name, f"{swing:.1f} V", f"{antenna.gate_volts(220e-12, swing):.1f} V"])
    return table(["conductance CWGsP", "swing at TX1", "gate of Q1"], rows)


def reach() -> str:
    rows = []
    for kind in ("bowl", "action"):
        radius, zone = (
            GEOMETRY[kind]["loop_radius"],
            GEOMETRY[kind]["diameter"] / 2,
        )
        hole = GEOMETRY["chip"]["hole_diameter"] / 2
        thick = GEOMETRY["chip"]["thickness"]
        centre = coupling.mutual_inductance(radius, TAG_RADIUS, 0, FLOOR + thick / 2)
        for place, offset in (("middle", 0.0), ("half way", zone / 2), ("edge", zone),
                              ("last valid", zone + hole)):  # fmt: skip
            cells = []
            for chips in range(4):
                height = FLOOR + thick / 2 + chips * thick
                m = coupling.mutual_inductance(radius, TAG_RADIUS, offset, height)
                cells.append(f"{m / centre:.2f}")
            rows.append([kind, f"{place}, {offset:.0f} mm", *cells])
        outside = GEOMETRY[kind]["depth"] + FLOOR + thick / 2
        for offset in (zone + hole + 3, zone + hole + 9, zone + hole + 15):
            m = coupling.mutual_inductance(radius, TAG_RADIUS, offset, outside)
            rows.append([kind, f"on the flat, {offset:.0f} mm", f"{m / centre:.2f}", "", "", ""])
    head = ["loop", "tag's place, from the centre", "on the floor", "2nd chip", "3rd", "4th"]
    return table(head, rows)


def stacks() -> str:
    """What the simulator's model says of stacks that lie well: voltage at the weakest tag, and the
    gain at which all are heard."""
    pitch = float(GEOMETRY["chip"]["thickness"])
    cases = [(kind, hz) for kind in KINDS for hz in (FREQUENCY, TAG_RESONANCE)]
    rows = []
    for tags in range(1, 7):
        row = [str(tags)]
        for kind, hz in cases:
            zone = ZONE[ZONE_OF[kind]]
            poses = [Pose(zone.x, zone.y, -zone.depth + pitch * k) for k in range(tags)]
            alone = circuit.alone(zone).heard[0]
            found = circuit.solve(zone, poses, [TagCircuit(hz)] * tags, _share(kind))
            weakest = math.sqrt(min(found.heard) / alone)
            gains = [db for db in GAINS_DB if coupling.heard_at(db) <= weakest]
            heard = f"{gains[0]} dB" if gains else "not heard"
            told = heard if min(found.volts) >= WAKE_VOLT else "sleeps"
            row.append(f"{min(found.volts):.1f} V, {told}")
        rows.append(row)
    heads = [f"{kind}, {hz / 1e6:g} MHz, {_amps(kind) * 1e3:.0f} mA" for kind, hz in cases]
    return table(["tags on one another", *heads], rows)


def off_middle() -> str:
    """Stacks whose tags lie off the middle of their chips, which lie either way up: the voltage of the
    weakest tag in the worst of all ways to turn them, tags of 17.5 MHz, this matching's currents."""
    rows = []
    for tags in range(2, 7):
        row = [str(tags)]
        for kind in KINDS:
            for off in (0.0, OFF_MADE, OFF_STACKED):
                volts = [_weakest(kind, list(ways))
                         for ways in itertools.product({-off, off}, repeat=tags)]  # fmt: skip
                asleep = sum(v < WAKE_VOLT for v in volts) / len(volts)
                share = f", {asleep * 100:.0f} % asleep" if asleep else ""
                row.append(f"{min(volts):.1f} V{share}")
        rows.append(row)
    heads = [f"{kind}, {off:g} mm off" for kind in KINDS for off in (0.0, OFF_MADE, OFF_STACKED)]
    return table(["tags on one another", *heads], rows)


@cache
def _amps(kind: str) -> float:
    """This matching's loop current."""
    return antenna.loop_current(antenna.built(kind), antenna.match(FITTED[kind]))


def _share(kind: str) -> float:
    """The same as a share of what the simulator drives the zone with."""
    return _amps(kind) / (ZONE[ZONE_OF[kind]].loop_ma * 1e-3)


def _weakest(kind: str, off: list[float]) -> float:
    """V at the weakest tag of a stack in the middle of a zone; `off`: each tag's mm off its chip's
    middle."""
    zone, pitch = ZONE[ZONE_OF[kind]], float(GEOMETRY["chip"]["thickness"])
    poses = [Pose(zone.x, zone.y, -zone.depth + pitch * k + mm) for k, mm in enumerate(off)]
    found = circuit.solve(zone, poses, [TagCircuit(TAG_RESONANCE)] * len(off), _share(kind))
    return min(found.volts)


def seen() -> str:
    """What an analyser shows of a loop that is as planned: its own capacitance is in it."""
    rows = []
    for kind in KINDS:
        whole = 2 * antenna.built(kind).half()
        rows.append(
            {
                "loop": kind,
                "L at 13.56 MHz": f"{whole.imag / antenna.W * 1e6:.2f} uH",
                "R": f"{whole.real:.1f} ohm",
                "at 1 MHz or less": f"{antenna.built(kind).inductance * 1e6:.2f} uH",
            }
        )
    return titled(rows)


def steps() -> str:
    """By how much the current changes from pair to pair: free of what the reader itself adds."""
    rows = []
    for kind in KINDS:
        row = [kind]
        for share in SHARES:
            wound = antenna.built(kind, share)
            drawn = [
                1e3
                * antenna.supply_current(antenna.driver_load(wound, antenna.with_pair(kind, pair)))
                for pair in ("", *TRIM)
            ]
            row.append(" / ".join(f"{b - a:+.0f}" for a, b in itertools.pairwise(drawn)))
        rows.append(row)
    return table(_case_heads("mA more with 4p7 / then with 8p2")[: len(SHARES) + 1], rows)


def closed_turns() -> str:
    rows = []
    for kind in ("bowl", "action"):
        found = turns.tile(kind)
        inductance, ohm = turns.share(kind, found)
        rows.append([kind, str(found.turns), f"{inductance * 100:+.1f} %", f"{ohm * 100:+.1f} %"])
    return table(["tile", "independent turns", "L of the loop", "R of the loop with RQ"], rows)
