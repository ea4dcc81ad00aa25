"""The router's last step: bends that nothing asks for go, and nobody's copper is touched."""

import itertools

import pytest
from shapely.geometry import LineString, Point, box

from hardware.generate import route

START, END = (1.0, 1.0), (9.0, 5.0)


def pad(net, x, y):
    area = Point(x, y).buffer(0.3)
    return route.Shape(net, "F", area, Point(x, y).buffer(0.06), pad=True)


def staircase():
    """From START to END in steps of a millimetre, as cells of 0.1 mm."""
    cells = [(0, 10, 10)]
    for _ in range(4):
        for dy, dx in [(0, 1)] * 10 + [(1, 1)] * 10:
            layer, y, x = cells[-1]
            cells.append((layer, y + dy, x + dx))
    return cells


def straightened(*others):
    router = route.Router(box(0, 0, 10, 10), [pad("A", *START), pad("A", *END), *others], {})
    router.paths = {"A": [staircase()]}
    router._mark("A", 1)
    router.straighten()
    (track,) = router.tracks()[0]
    return router, LineString(track[3])


def test_a_staircase_becomes_a_slant_and_a_straight():
    _, line = straightened()
    assert len(line.coords) == 3
    assert {line.coords[0], line.coords[-1]} == {START, END}
    slow = LineString([(0.1 * x, 0.1 * y) for _, y, x in staircase()])
    assert line.length == pytest.approx(slow.length)


def test_it_stays_off_what_lies_at_both_elbows():
    others = [pad("B", 5.0, 1.0), pad("B", 5.0, 5.0)]
    _, line = straightened(*others)
    assert all(line.distance(o.area) > 0.1 + 0.15 for o in others)
    assert len(line.coords) > 3


def test_a_branch_keeps_the_place_where_it_joins():
    router = route.Router(box(0, 0, 10, 10), [pad("A", *START), pad("A", *END)], {})
    trunk = staircase()
    middle = trunk[len(trunk) // 2 + 7]
    branch = [(0, middle[1] + k, middle[2]) for k in range(20, -1, -1)]
    router.paths = {"A": [trunk, branch]}
    router._mark("A", 1)
    router.straighten()
    assert middle in router.paths["A"][0] and router.paths["A"][1][-1] == middle


def test_a_pour_that_is_to_stay_whole_is_not_entered():
    router = route.Router(box(0, 0, 10, 10), [pad("A", *START), pad("A", *END)], {})
    pours = [box(4.5, 0.5, 6.0, 1.4), box(4.0, 4.4, 5.0, 5.5)]
    for pour in pours:
        router.avoid("F", pour)
    router.paths = {"A": [staircase()]}
    router._mark("A", 1)
    router.straighten()
    spots = [Point(0.1 * x, 0.1 * y) for _, y, x in router.paths["A"][0]]
    assert not any(pour.contains(s) for pour, s in itertools.product(pours, spots))
