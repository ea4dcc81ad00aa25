"""The case: closed solids, and everything that must fit does."""

import case
import pytest


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
