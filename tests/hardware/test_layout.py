"""What DRC does not look at: solder pads without vias, the reader's ground, amperes and heat."""

import math

import pytest
import supply
from copper import Copper
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import polygonize, unary_union

BOARDS = ("bowl", "action", "controller")


@pytest.fixture(scope="module")
def boards():
    return {name: Copper(name) for name in BOARDS}


@pytest.mark.parametrize("name", BOARDS)
def test_no_via_stands_in_a_solder_pad(boards, name):
    """Solder would run away through it. Wanted only under the reader's exposed pad."""
    board, found = boards[name], []
    for key, pads in board.pads.items():
        for pad in pads:
            exposed = min(pad[2], pad[3]) > 1.3 and not pad[7]
            if pad[7] or exposed or not pad[5]:
                continue
            found += [(key, at) for _, at in board.vias if board.in_pad(at, pad, 0.3)]
    assert found == []


def test_the_walk_for_vias_finds_one(boards):
    board = boards["bowl"]
    pad = board.pads[("C1", "2")][0]
    assert board.in_pad((pad[0], pad[1]), pad, 0.25)
    assert not board.in_pad((pad[0] + pad[2] + 1.0, pad[1]), pad, 0.25)


@pytest.mark.parametrize("name", ["bowl", "action"])
def test_the_readers_ground_is_short(boards, name):
    """13.56 MHz runs in it: straight to the cable, not over the ring's arc."""
    ohm, path = boards[name].way(("U1", "33"), ("J1", "9"))
    assert ohm < 0.015
    centre = (148.5, 105.0)
    assert max(math.dist(p, centre) for p in path) < 14.5  # the arc lies beyond


def turn(signal, ground):
    """mm2 that a way out and a way back enclose, seen from above."""
    ring = LineString([*signal, *ground[::-1], signal[0]])
    return sum(p.area for p in polygonize(unary_union(ring)))


@pytest.mark.parametrize("name", ["bowl", "action"])
@pytest.mark.parametrize(
    "outer, resistor, inner, ground", [("8", "R3", "29", "9"), ("10", "R4", "30", "11")]
)
def test_bus_and_ground_enclose_little_of_the_field(boards, name, outer, resistor, inner, ground):
    """Volts that the transmitting loop induces between the reader's ground and its SPI pins."""
    board = boards[name]
    signal = (
        board.way(("J1", outer), (resistor, "1"))[1] + board.way((resistor, "2"), ("U1", inner))[1]
    )
    back = board.way(("J1", ground), ("U1", "33"))[1]
    area = turn(signal, back)
    turns, amps, radius = (3, 0.14, 0.048) if name == "bowl" else (4, 0.15, 0.028)
    field = 4e-7 * math.pi * turns * amps / (2 * radius)
    volts = 2 * math.pi * 13.56e6 * field * area * 1e-6
    assert volts < 0.15, f"{area:.0f} mm2, {volts:.2f} V"


def test_the_walk_measures_a_square():
    assert turn([(0, 0), (10, 0), (10, 10)], [(0, 0), (0, 10), (10, 10)]) == pytest.approx(100)


def area_of(board, net, layer, near):
    """cm2 of the pour of a net on a layer that lies under the point."""
    number = next(k for k, n in board.names.items() if n == net)
    return sum(
        Polygon(points).area / 100
        for own, points in board.pours(number)
        if own == layer and Polygon(points).distance(Point(near)) < 1.0
    )


def test_the_regulator_stands_on_the_copper_that_its_sum_counts_on(boards):
    board = boards["controller"]
    tab = board.pads[("U5", "2")]
    x, y = max(tab, key=lambda p: p[2] * p[3])[:2]
    copper = area_of(board, "+3V3", "F.Cu", (x, y)) + area_of(board, "+3V3", "B.Cu", (x, y))
    assert copper >= supply.COPPER_CM2
    number = next(k for k, n in board.names.items() if n == "+3V3")
    near = [at for net, at in board.vias if net == number and math.dist(at, (x, y)) < 12]
    assert len(near) >= 8


def test_the_amperes_have_wide_copper(boards):
    """Jack, fuse, transistor, capacitors: each piece lies in one pour, at least 2 mm wide."""
    board = boards["controller"]
    ways = [
        [("J14", "1"), ("F1", "1")],
        [("F1", "2"), *[("Q1", str(k)) for k in range(5, 9)]],
        [*[("Q1", str(k)) for k in (1, 2, 3)], ("D1", "1"), ("C1", "1"), ("C2", "1")],
    ]
    for way in ways:
        net = board.pads[way[0]][0][6]
        pours = [
            Polygon(p).buffer(-1.0).buffer(1.3) for side, p in board.pours(net) if side == "F.Cu"
        ]
        spots = [Point(board.pads[key][0][:2]) for key in way]
        reach = [Polygon(Point(s.x, s.y).buffer(1.8)) for s in spots]
        joined = [p for pour in pours for p in getattr(pour, "geoms", [pour])]
        assert any(all(p.intersects(r) for r in reach) for p in joined), way


def test_both_spines_begin_in_the_pour(boards):
    board = boards["controller"]
    number = board.pads[("Q1", "1")][0][6]
    pour = unary_union([Polygon(p) for side, p in board.pours(number) if side == "F.Cu"])
    wide = [LineString([a, b]) for net, _, a, b, w in board.tracks if net == number and w >= 2.4]
    spines = unary_union([line.buffer(1.2) for line in wide])
    pieces = [p for p in getattr(spines, "geoms", [spines]) if p.intersects(pour)]
    for connector in ("J1", "J7", "J8", "J13"):
        at = Point(board.pads[(connector, "1")][0][:2])
        assert any(p.distance(at) < 1.0 for p in pieces), connector
