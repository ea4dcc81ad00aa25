"""Closed turns inside the antenna, also through capacitors: what they cost the loop."""

import math

import pytest

from hardware.calc import antenna, coil, turns

TILES = ("bowl", "action")


def ring(kind, radius, gap=None):
    """A ring of track round the axis, `radius` mm; its last piece: `gap` ohm more, or open."""
    spots = [
        (
            turns.CENTRE[0] + radius * math.cos(k * math.pi / 36),
            turns.CENTRE[1] + radius * math.sin(k * math.pi / 36),
        )
        for k in range(73)
    ]
    out = []
    for k in range(72):
        coil = 1j * antenna.W * math.dist(spots[k], spots[k + 1]) * turns.NH_PER_MM * 1e-9
        z = 0.01 + coil + (gap or 0 if k == 71 else 0)
        out.append((("ring", k), ("ring", (k + 1) % 72), z, turns.driven(kind, *spots[k : k + 2])))
    return out if gap is not None else out[:-1]


@pytest.fixture(scope="module")
def laid():
    return {kind: turns.tile(kind) for kind in TILES}


@pytest.mark.parametrize("kind", TILES)
def test_the_turns_of_a_tile_cost_next_to_nothing(laid, kind):
    inductance, ohm = turns.share(kind, laid[kind])
    assert laid[kind].turns > 100  # capacitors do close turns; they are small or twin tracks
    assert -0.015 < inductance < 0 and 0 <= ohm < 0.03


def test_a_ring_is_reckoned_as_one_by_hand():
    network = ring("bowl", 20.0, gap=0.0)
    found = turns.cost(network)
    mutual = sum(coil.coaxial(r, 0.020, turns.HEIGHT) for r in coil.loop("bowl").radii())
    whole = sum(edge[2] for edge in network)
    assert found.turns == 1
    assert found.series == pytest.approx((antenna.W * mutual) ** 2 / whole, rel=0.02)


def test_a_ring_closed_by_a_capacitor_is_found_and_an_open_one_is_none(laid):
    closed = turns.cost(ring("bowl", 30.0, gap=0.0))
    through = turns.cost(ring("bowl", 30.0, gap=antenna.cap(100e-9)))
    small = turns.cost(ring("bowl", 30.0, gap=antenna.cap(1e-12)))
    assert turns.share("bowl", closed)[0] < -0.05
    assert through.series == pytest.approx(closed.series, rel=0.05)
    assert abs(small.series) < abs(closed.series) / 50
    assert turns.cost(ring("bowl", 30.0)) == turns.Cost(0j, 0, 0.0)
    # and beside the copper of a real tile it is not lost
    both = turns.cost(
        [*turns.edges("action", turns.copper.Copper("action")), *ring("action", 15.0, 0.0)]
    )
    assert abs(both.series) > 3 * abs(laid["action"].series)


def test_parts_join_what_they_join():
    parts = {p.ref: p for p in turns.circuit.board("bowl").parts}
    assert abs(turns.impedance(parts["C4"])) < 0.1  # 10 uF
    assert abs(turns.impedance(parts["C20"])) < 0.15  # 100 nF
    assert turns.impedance(parts["C14"]) is None  # empty
    assert turns.impedance(parts["JP1"]) is None  # open
    assert turns.impedance(parts["U1"]) is None
    assert turns.impedance(parts["R16"]) == 1e6
