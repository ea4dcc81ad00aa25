"""The sums: against each other, the simulator's RF model, and limits of data sheets."""

import math

import antenna
import bus
import pytest
import supply
import tile

from spiceboard.sim.rf import mutual_inductance


@pytest.mark.parametrize("kind", ["bowl", "action"])
def test_two_formulas_agree_on_the_inductance(kind):
    spiral = antenna.loop(kind)
    assert antenna.inductance_rings(spiral) == pytest.approx(
        antenna.inductance_sheet(spiral), rel=0.03
    )
    assert 0.3e-6 < antenna.inductance_rings(spiral) < 3e-6  # what AN1445 calls practical


def test_coaxial_rings_against_a_known_value():
    # far apart, two rings are two dipoles: M = u0 pi r^4 / (2 d^3)
    r, d = 0.05, 0.5
    assert antenna.coaxial(r, r, d) == pytest.approx(
        antenna.MU0 * math.pi * r**4 / (2 * d**3), rel=0.07
    )


def test_same_coupling_as_the_simulators_rf_model():
    ours = antenna.ring_coupling(0.048, 0.010, 0.0)
    theirs = mutual_inductance(48.0, 10.0, 0.0, 0.0) * 1e-9
    assert ours == pytest.approx(theirs, rel=0.01)
    assert antenna.coaxial(0.048, 0.010) == pytest.approx(theirs, rel=0.01)


@pytest.mark.parametrize("kind", ["bowl", "action"])
def test_matching_meets_its_target(kind):
    spiral, m = antenna.loop(kind), antenna.match(tile.MATCH[kind])
    inductance, copper = antenna.inductance_rings(spiral), antenna.resistance(spiral)
    load = antenna.driver_load(inductance, copper, m)
    assert 50 <= load.real <= 100 and abs(load.imag) < 15
    assert 15 < antenna.quality(inductance, copper, m) < 35
    low, high = antenna.spread(inductance, copper, m, 0.02, 0.02)
    assert low < abs(load) < high and low > 20
    assert antenna.receive_voltage(inductance, copper, m, 3900, 1000) < 1.5
    volts = 4 / math.pi * 3.3
    assert volts / abs(load + 12) < 0.1  # drivers' peak current; TVDD allows 100 mA


def test_idle_neighbours_stay_out_of_the_way_only_with_the_switch():
    for kind, other, distance in (
        ("bowl", "bowl", 0.118),
        ("bowl", "action", 0.0834),
        ("action", "bowl", 0.0834),
    ):
        n = antenna.neighbour(kind, other, distance, tile.MATCH)
        assert n.current_open < 0.05 and n.detuned < 0.05
        assert n.current_tuned > 0.2  # why the switch is there


def test_supply_holds():
    b = supply.budget(1.5)
    assert b.total < supply.FUSE_HOLD and supply.all_white() > supply.FUSE_HOLD
    assert supply.regulator(b.rail)[1] < supply.JUNCTION_MAX - 20
    drop, shift = supply.tile_drop(16 * 3 * supply.LED_CHANNEL)
    assert drop < 0.2 and shift < 0.1
    all_fields = b.rail + 12 * supply.READER_FIELD
    assert supply.regulator(all_fields)[1] > supply.JUNCTION_MAX  # why one field at a time


def test_spi_runs_at_the_second_step():
    assert bus.highest_clock() > 4e6
    assert bus.highest_clock() < 8e6  # the firmware's first step needs shorter cables
    assert bus.longest_cable(4e6) >= 0.5
    assert bus.highest_clock(0.2) > bus.highest_clock(0.6)


def test_values_are_read_as_they_are_written():
    assert antenna.parse("3R3") == pytest.approx(3.3)
    assert antenna.parse("560n") == pytest.approx(560e-9)
    assert antenna.parse("DNP") == 0
