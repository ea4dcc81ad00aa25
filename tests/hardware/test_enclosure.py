"""The case: closed solids, and everything that must fit does."""

import math

import pytest

from hardware.enclosure import case, ribbons


@pytest.fixture(scope="module")
def written():
    return case.write()


def test_parts_are_closed_and_fit(written):
    assert written == []
    assert {p.stem for p in case.OUT.glob("*.stl")} >= set(case.COUNTS) == set(case.parts())


def test_a_tile_that_is_too_large_is_noticed(monkeypatch):
    monkeypatch.setitem(case.TABLE["tile"], "action_outline_diameter", 75)
    assert any("overlap" in line for line in case.faults())


def test_a_floor_that_is_too_low_is_noticed(monkeypatch):
    monkeypatch.setitem(case.TABLE, "floor_above_loop", 1)
    assert any("cuts" in line or "touch" in line for line in case.faults())


def test_the_cut_meets_only_what_inserts_cover():
    left, right = case.halves()
    assert left.volume() == pytest.approx(right.volume(), rel=0.02)
    middle = case.FIELD["width"] / 2
    crossed = [
        n
        for k in ("bowl", "action")
        for n, (x, _) in case.centres(k).items()
        if abs(x - middle) < case.TABLE[k]["diameter"] / 2
    ]
    assert sorted(crossed) == ["cumin", "ginger", "saffron"]


def test_loop_lies_as_deep_as_the_simulator_thinks():
    for kind in ("bowl", "action"):
        floor = -case.TABLE[kind]["depth"]
        assert floor - case.tile_top(kind) == case.TABLE["floor_above_loop"]


@pytest.mark.parametrize("kind, screw", [("bowl", 6.0), ("action", 5.0), ("controller", 8.0)])
def test_a_screw_that_is_too_long_is_noticed(monkeypatch, kind, screw):
    monkeypatch.setitem(case.SCREWS, kind, (case.SCREWS[kind][0], screw))
    assert any("too long" in line for line in case.faults())


def test_the_guide_names_these_screws():
    guide = (case.ROOT / "docs" / "build.md").read_text()
    for thread, length in case.SCREWS.values():
        assert f"{thread}x{length:g} " in guide


def test_pixels_under_the_plate_are_noticed(monkeypatch):
    monkeypatch.setitem(case.LIGHT, "action", 22.0)
    assert any("shine against the plate" in line for line in case.faults())


def test_a_part_that_is_too_high_is_noticed(monkeypatch):
    monkeypatch.setitem(case.HEIGHTS, "tails of the header, cut", 2.5)
    assert any("tails" in line for line in case.faults())


def test_no_cable_is_longer_than_the_sums_count():
    from hardware.calc import bus

    assert max(ribbons.lengths().values()) <= bus.CABLE_M * 100


def test_the_plan_of_the_ribbons_is_of_this_case_and_no_ribbon_is_short():
    assert ribbons.PAGE.read_text(encoding="utf-8") == ribbons.draw()
    ends, spots = ribbons.connectors(), ribbons.spots()
    for zone, cm in ribbons.lengths().items():  # straight from plug to plug is the least of all
        (x, y), (u, v) = spots[zone], ends[zone]
        assert 10 * cm > math.hypot(x - u, y + 11 - v) + 40, zone


def test_parts_have_a_flat_side_to_lie_on():
    """At least the floor of a ring of 2 mm: else it does not print without supports."""
    for name, solid in case.parts().items():
        x0, y0, z0, x1, y1, z1 = solid.bounding_box()
        low, high = solid.slice(z0 + 0.05).area(), solid.slice(z1 - 0.05).area()
        assert max(low, high) > 0.12 * (x1 - x0) * (y1 - y0) or name.startswith(("rim", "ring")), (
            name
        )
