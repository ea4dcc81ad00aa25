"""The sums: against each other, the simulator's RF model, and limits of data sheets."""

import math
import re

import pytest

from hardware import ROOT, circuit
from hardware.calc import (
    antenna,
    antenna_tables,
    bus,
    capacitance,
    coil,
    crystal,
    hall,
    supply,
    supply_tables,
)
from hardware.enclosure import ribbons
from spiceboard.commands import main
from spiceboard.tuning import advice, matching
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.world import AFTER_RESET
from spiceboard_sim.rf.coupling import mutual_inductance
from spicecore.storage.on_demand import settings

KINDS = ("bowl", "action")


@pytest.mark.parametrize("kind", KINDS)
def test_two_formulas_agree_on_the_inductance(kind):
    spiral = coil.loop(kind)
    assert coil.inductance_rings(spiral) == pytest.approx(coil.inductance_sheet(spiral), rel=0.03)
    assert 0.3e-6 < coil.inductance_rings(spiral) < 3e-6  # what AN1445 calls practical


def test_coaxial_rings_against_a_known_value():
    # far apart, two rings are two dipoles: M = u0 pi r^4 / (2 d^3)
    r, d = 0.05, 0.5
    assert coil.coaxial(r, r, d) == pytest.approx(coil.MU0 * math.pi * r**4 / (2 * d**3), rel=0.07)


def test_same_coupling_as_the_simulators_rf_model():
    ours = coil.ring_coupling(0.048, 0.010, 0.0)
    theirs = mutual_inductance(48.0, 10.0, 0.0, 0.0) * 1e-9
    assert ours == pytest.approx(theirs, rel=0.01)
    assert coil.coaxial(0.048, 0.010) == pytest.approx(theirs, rel=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_two_ways_agree_on_the_loops_own_capacitance(kind):
    spiral = coil.loop(kind)
    charges, strip = capacitance.by_charges(spiral), capacitance.by_strip(spiral)
    assert charges == pytest.approx(strip, rel=0.12)
    assert capacitance.by_neighbours(spiral) < charges  # which leaves out all but neighbours


def test_charges_on_two_turns_are_those_of_two_coplanar_strips():
    two = coil.Loop(0.048, 2)
    charges, formula = capacitance.by_charges(two), capacitance.by_neighbours(two)
    assert charges == pytest.approx(formula, rel=0.03)


def test_own_capacitance_swings_with_the_loop():
    """Below its own resonance a coil with a capacitor across it looks larger: L / (1 - w2 L C)."""
    plain, own = antenna.Coil(2e-6, 0.0), antenna.Coil(2e-6, 0.0, 5e-12)
    larger = 1 / (1 - antenna.W**2 * 2e-6 * 5e-12)
    assert own.half().imag == pytest.approx(plain.half().imag * larger, rel=1e-9)
    assert own.share() == pytest.approx(larger, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_matching_meets_its_target(kind):
    wound, m = antenna.built(kind), antenna.match(matching.FITTED[kind])
    load = antenna.driver_load(wound, m)
    assert 50 <= load.real <= 100 and abs(load.imag) < advice.NEARLY_REAL * load.real
    assert 7 < antenna.quality(wound, m) < 35  # AN1445: at most 35
    low, high = antenna.spread(wound, m, 0.02, 0.02)
    assert 29 < low < abs(load) < high < 100  # 2 % parts stay in the window
    assert antenna.supply_current(low) < 0.07  # TVDD allows 0.1
    low, high = antenna.spread(wound, m, 0.05, 0.03)
    assert low > 14 and high < 120
    assert antenna.supply_current(low) < 0.105  # the worst of all cheap ones, at its limit
    assert antenna.receive_voltage(wound, m, 3900, 1000) < 1.5


@pytest.mark.parametrize("kind", KINDS)
def test_the_filter_and_the_capacitors_are_an1445s(kind):
    wound, m = antenna.built(kind), antenna.match(matching.FITTED[kind])
    assert antenna.filter_frequency(m) == pytest.approx(13.56e6 + 0.848e6, rel=0.01)
    load = abs(antenna.driver_load(wound, m))
    c1, c2 = antenna.closed_form(wound, m, load)
    # the fitted ones are for a loop nearer to the formula, and an action space's is damped
    assert m.c1 == pytest.approx(c1, rel=0.15) and m.c2 == pytest.approx(c2, rel=0.06)
    exact = antenna.Match(m.l0, m.c0, c1, c2, m.rq)
    again = antenna.driver_load(wound, exact)
    assert abs(again - load) < 5  # but for the switch, which the closed form leaves out


@pytest.mark.parametrize("kind", KINDS)
def test_a_built_loop_and_its_chips_cannot_overload_the_drivers(kind):
    m = antenna.match(matching.FITTED[kind])
    free = [antenna.built(kind, share) for share in antenna_tables.SHARES]
    currents = [antenna.loop_current(wound, m) for wound in free]
    assert max(currents) < 1.15 * min(currents)  # the constant current of AN1445
    for wound in antenna_tables.cases(kind):
        load = antenna.driver_load(wound, m)
        for driver in (antenna.DRIVER, antenna.DRIVER_RESET):
            assert antenna.supply_current(load, driver=driver) < 0.100  # TVDD's limit


@pytest.mark.parametrize("kind", KINDS)
def test_the_current_tells_a_low_loop_from_a_high_one(kind):
    """The guide tunes by it: pairs at C18, C19 raise the current of a loop that is right or high
    more than that of one that is low."""

    def drawn(share, pair):
        load = antenna.driver_load(antenna.built(kind, share), antenna.with_pair(kind, pair))
        return antenna.supply_current(load)

    steps = [drawn(share, "4p7") - drawn(share, "") for share in (0.93, 0.98, 1.0, 1.03)]
    assert steps == sorted(steps) and steps[-1] - steps[0] > 0.003  # a supply shows 1 mA


def test_nothing_is_fitted_for_trimming():
    for kind in KINDS:
        board = circuit.board(kind)
        assert all(board.part(f"C{k}").dnp for k in (14, 15, 18, 19))


def test_the_crystal_sees_its_load():
    for ref in ("C5", "C6"):
        each = antenna.parse(circuit.board("bowl").part(ref).value) * 1e12
        assert crystal.load(each) == pytest.approx(crystal.CL_PF, abs=0.7)
        assert abs(crystal.pull_ppm(each)) + 50 < crystal.allowed_ppm() / 4
    assert crystal.pull_ppm(22) < -10 < 10 < crystal.pull_ppm(5)  # and a wrong pair is seen
    assert "-10-" in circuit.KINDS["XTAL"].mpn  # Abracon's code for 10 pF


def test_the_pump_closes_the_switch_and_a_small_capacitor_would_not():
    pump = next(p for p in circuit.board("bowl").parts if p.ref == "C8")
    farad = antenna.parse(pump.value)
    for kind in KINDS:
        load = antenna.driver_load(antenna.built(kind), antenna.match(matching.FITTED[kind]))
        assert antenna.gate_volts(farad, antenna.driver_swing(load)) >= 1.8  # DMG1012T: 0.7 ohm
        assert antenna.gate_volts(22e-12, antenna.driver_swing(load)) < 1.3


@pytest.mark.parametrize("kind", ["bowl", "action"])
def test_every_valid_place_on_the_floor_couples_more_than_any_outside(kind):
    rows = [
        r.split(" | ") for r in antenna_tables.reach().splitlines() if r.startswith(f"| {kind}")
    ]
    inside = [float(r[2]) for r in rows if "flat" not in r[1]]
    outside = [abs(float(r[2])) for r in rows if "flat" in r[1]]
    assert len(inside) == 4 and len(outside) == 3 and min(inside) > 1.5 * max(outside)


def test_a_small_magnet_is_noticed_in_the_middle_only():
    assert hall.volts(0) > 20 * hall.STEP
    assert abs(hall.volts(0.02)) < 2 * hall.STEP
    # far above, a dipole's field falls with the third power
    assert hall.field(0, 0.02) == pytest.approx(8 * hall.field(0, 0.04), rel=1e-6)


def test_idle_neighbours_stay_out_of_the_way_only_with_the_switch():
    for kind, other, distance in (
        ("bowl", "bowl", 0.118),
        ("bowl", "action", 0.0834),
        ("action", "bowl", 0.0834),
    ):
        n = antenna.neighbour(kind, other, distance, matching.FITTED)
        assert n.current_open < 0.06 and n.detuned < 0.05
        assert n.current_tuned > 0.2  # why the switch is there


def test_the_input_opens_for_a_wrong_plug_and_for_no_right_one():
    """5 V and 5 % must pass; what slips through must hurt nobody. Values as on the schematic."""
    board = circuit.board("controller")
    r18, r19 = (antenna.parse(board.part(ref).value) for ref in ("R18", "R19"))
    low, usual, high = supply.trips_at()
    assert usual == pytest.approx(2.495 * (1 + r18 / r19) + 2e-6 * r18, abs=0.01)
    assert supply.SUPPLY_MOST + 0.04 < low < usual < high < supply.PIXEL_MOST + 0.15
    guide = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    assert f"falls to 0 V when the supply reads {low:.2f} to {high:.2f} V" in guide
    for ref in ("R18", "R19"):  # the sum counts with 0.1 % and 0.5 %
        assert circuit.order(board.part(ref).kind, board.part(ref).value)[1].startswith("RT0402B")
    assert circuit.order("REF", "TL431")[1].startswith("TL431B")
    for plug in (9.0, 12.0, 15.0):
        assert supply.USB_RAIL + supply.slips_through(plug) < supply.PULSE_MOST
        # stands it for ever: D1 does not conduct, fuse and Q1 bear it, no resistor burns
        assert plug <= float(board.part("D1").value[4:-1])
        r85 = antenna.parse(board.part("R85").value)
        assert supply.blocked_watts(plug, r85) < 0.65 * supply.R0603_WATTS
        assert plug**2 / antenna.parse(board.part("R1").value) < 1 / 16
    volts, heat = supply.transistor_loss(supply.budget(supply_tables.LIMIT).total)
    assert volts < 0.25 and supply.AMBIENT + heat * 110 < 120  # SO-8 on copper: 110 K/W


def test_usb_alone_keeps_the_readers_supply_up():
    for port in supply.USB_VOLTS:
        five, three = supply.usb_rails(0.4, port=port)
        assert five > 3.9 and three == pytest.approx(3.3)
        assert supply.usb_rails(0.4, "AZ1117", port)[1] < 3.2  # why the part was changed
    regulator = circuit.board("controller").part("U5")
    assert circuit.order(regulator.kind, regulator.value)[1].startswith(regulator.value)
    assert supply.trips_at()[2] < supply.REGULATOR_MOST
    assert circuit.board("controller").part("R85").kind == "R0603"


def test_supply_holds():
    b = supply.budget(supply_tables.LIMIT)
    assert b.total < supply.FUSE_HOLD * supply.FUSE_WARM and supply.all_white() > supply.FUSE_HOLD
    assert supply.regulator(b.rail)[1] < supply.JUNCTION_MAX - 10
    drop, shift = supply.tile_drop(16 * 3 * supply.LED_CHANNEL)
    assert drop < 0.2 and shift < 0.1
    assert (
        settings.TABLE["led_cap_ma"][2] == supply_tables.LIMIT * 1000
    )  # the most that may be set
    assert 0 < supply.usb_tiles() < 13  # so the docs must not say that USB feeds the whole board
    four = b.rail + supply.READER_FIELD
    assert supply.regulator(four)[1] > supply.JUNCTION_MAX - 10  # why three fields at most
    for kind in KINDS:
        wound, m = antenna.built(kind), antenna.match(matching.FITTED[kind])
        low, _ = antenna.spread(wound, m, 0.02, 0.02)
        assert antenna.supply_current(low) < supply.READER_FIELD
    worst = b.rail + supply.FIELDS * (0.100 - supply.READER_FIELD)  # three drivers at their limit
    assert supply.regulator(worst)[1] < supply.JUNCTION_MAX + 3  # as docs/hardware.md says


def test_spi_runs_at_the_second_step():
    assert bus.highest_clock() > 4e6
    assert bus.highest_clock() < 8e6  # the firmware's first step needs shorter cables
    assert bus.longest_cable(4e6) >= bus.CABLE_M >= max(ribbons.lengths().values()) / 100
    assert bus.highest_clock(0.2) > bus.highest_clock(0.6)


def test_a_reader_is_selected_before_the_first_clock():
    # MicroPython lies between: lowering the enable and starting a transfer are two calls of
    # a microsecond or more each, at 125 MHz
    assert 50 < bus.select_ns() < 250


def test_values_are_read_as_they_are_written():
    assert antenna.parse("3R3") == pytest.approx(3.3)
    assert antenna.parse("560n") == pytest.approx(560e-9)
    assert antenna.parse("DNP") == 0


def test_other_values_overload_no_driver_either():
    """docs/build.md's table for more or less current; TVDD allows 100 mA."""
    for kind, c1, c2, rq, word in antenna_tables.OTHERS:
        m = antenna.match(matching.FITTED[kind] | {"C1": c1, "C2": c2, "RQ": rq})
        driver = antenna_tables.OHM[word]
        load = antenna.driver_load(antenna.built(kind), m)
        assert abs(load.imag) < advice.NEARLY_REAL * load.real, (kind, c1)
        for wound in antenna_tables.cases(kind):
            assert antenna.supply_current(antenna.driver_load(wound, m), driver=driver) < 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_the_simulator_drives_loops_as_the_fitted_matching_does(kind):
    """Current, also with chips in the field, and with the drivers as a reset leaves them."""
    zone, m = ZONE[antenna_tables.ZONE_OF[kind]], antenna.match(matching.FITTED[kind])
    for ohm in (0.0, *antenna_tables.CHIPS_OHM):
        amps = antenna.loop_current(antenna.built(kind, ohm=ohm), m)
        model = 1e-3 * zone.loop_ma * zone.source_ohm / (zone.source_ohm + ohm)
        assert model == pytest.approx(amps, rel=0.02)
    wound = antenna.built(kind)
    less = antenna.loop_current(wound, m, driver=antenna.DRIVER_RESET)
    assert less / antenna.loop_current(wound, m) == pytest.approx(AFTER_RESET, abs=0.03)


def test_the_command_calculates_with_the_loops_of_the_boards():
    """`spiceboard tune` works without numpy and geometry: its loops are copies."""
    for kind in KINDS:
        planned, kept = antenna.built(kind, 1.0), matching.LOOPS[kind]
        assert kept.inductance == pytest.approx(planned.inductance, rel=1e-4)
        assert kept.copper == pytest.approx(planned.copper, rel=1e-3)
        assert kept.own == pytest.approx(planned.own, rel=1e-3)


def test_who_measures_what_the_guide_says_is_told_that_it_is_right(capsys):
    """Each line of the guide that tunes runs, and gives what the guide shows below it."""
    guide = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
    lines = re.findall(r"^spiceboard (tune .*)$", guide, re.M)
    assert len(lines) >= 2
    shown = guide.replace("\n    ", "\n")
    for line in lines:
        assert main.main(line.split("#")[0].split()) == 0
        assert capsys.readouterr().out in shown, line


def test_stacks_are_reckoned_at_the_current_of_this_board():
    heads = antenna_tables.stacks().splitlines()[0]
    for kind in KINDS:
        amps = antenna.loop_current(antenna.built(kind), antenna.match(matching.FITTED[kind]))
        assert f"{kind}, 17.5 MHz, {amps * 1e3:.0f} mA" in heads
