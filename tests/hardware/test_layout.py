"""What DRC does not look at: solder pads without vias, grounds and the field, amperes and heat."""

import itertools
import math

import pytest
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union

from hardware import circuit, layout
from hardware.calc import antenna, supply, turns
from hardware.calc.copper import Copper
from hardware.generate import placement
from hardware.generate.sexp import bare, every, first
from spiceboard.tuning.matching import FITTED

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


def volts(board, name, *ways):
    """V peak at 13.56 MHz that the loop drives round a way out and back, given pad by pad."""
    spots = []
    for start, end in ways:
        spots += board.way(start, end)[1]
    spots.append(spots[0])
    amps = antenna.loop_current(antenna.built(name), antenna.match(FITTED[name]))
    return amps * abs(sum(turns.driven(name, a, b) for a, b in itertools.pairwise(spots)))


REFERENCES = {  # ground pads that must not swing against U1's: mm of copper to its pad
    ("C10", "2"): 10.0, ("C11", "2"): 10.0, ("D3", "1"): 16.0, ("C9", "2"): 20.0,
    ("R15", "2"): 20.0, ("R17", "2"): 20.0, ("R16", "2"): 20.0,
}  # fmt: skip


@pytest.mark.parametrize("name", ["bowl", "action"])
@pytest.mark.parametrize("pad", REFERENCES, ids=".".join)
def test_filter_and_switch_stand_on_the_readers_own_ground(boards, name, pad):
    """Not round the ring of pixels, as in revision A: 65 to 71 mm on the action tile."""
    _, path = boards[name].way(pad, ("U1", "33"))
    assert sum(math.dist(a, b) for a, b in itertools.pairwise(path)) < REFERENCES[pad]


def u1(pin):
    return ("U1", pin)


def j1(pin):
    return ("J1", pin)


LINES = {  # signal: way out and back; V that its receiver bears
    "SCK": ([(j1("8"), ("R3", "1")), (("R3", "2"), u1("29")), (u1("33"), j1("9"))], 0.15),
    "MOSI": ([(j1("10"), ("R4", "1")), (("R4", "2"), u1("30")), (u1("33"), j1("11"))], 0.15),
    "NSS": ([(j1("13"), ("R7", "1")), (("R7", "2"), u1("24")), (u1("33"), j1("11"))], 0.3),
    "MISO": ([(u1("31"), ("U2", "2")), (("U2", "3"), u1("33"))], 0.3),
    "MISO out": (
        [(("U2", "4"), ("R5", "2")), (("R5", "1"), j1("12")), (j1("11"), ("U2", "3"))], 0.3,
    ),
    # nets with a margin below a volt: the switch's bias (2.0 V, 1.8 V needed), receiver, crystal
    "PUMP": ([(u1("11"), ("C8", "1")), (("C8", "2"), ("D3", "3")), (("D3", "1"), u1("33"))], 0.1),
    "GATE to its source": (
        [(("Q1", "1"), ("C9", "1")), (("C9", "2"), u1("33")), (u1("33"), ("C11", "2")),
         (("C11", "1"), ("C13", "1")), (("C13", "2"), ("C17", "2")), (("C17", "1"), ("Q1", "2"))],
        0.1,
    ),
    "GATE at 0 Hz": (
        [(("Q1", "1"), ("R15", "1")), (("R15", "2"), ("R17", "2")), (("R17", "1"), ("Q1", "2"))],
        0.1,
    ),
    "RX": ([(u1("16"), ("R11", "1")), (("R11", "2"), u1("17"))], 0.05),
    "VMID": ([(u1("16"), ("C24", "1")), (("C24", "2"), u1("33"))], 0.05),
    "RX divider": (
        [(u1("17"), ("C7", "1")), (("C7", "2"), ("R12", "1")), (("R12", "2"), ("C10", "1")),
         (("C10", "2"), u1("33"))],
        0.05,
    ),
    "OSCIN": (
        [(u1("21"), ("Y1", "1")), (("Y1", "1"), ("C5", "2")), (("C5", "1"), u1("33"))], 0.05,
    ),
    "OSCOUT": (
        [(u1("22"), ("Y1", "3")), (("Y1", "3"), ("C6", "2")), (("C6", "1"), u1("33"))], 0.05,
    ),
    "TVDD": ([(u1("12"), ("C22", "1")), (("C22", "2"), u1("33"))], 0.05),
}  # fmt: skip


@pytest.mark.parametrize("name", ["bowl", "action"])
@pytest.mark.parametrize("line", LINES)
def test_bus_and_ground_enclose_little_of_the_field(boards, name, line):
    ways, limit = LINES[line]
    assert volts(boards[name], name, *ways) < limit


@pytest.mark.parametrize("name, last", [("bowl", 26), ("action", 18)])
def test_the_pixels_data_survives_the_field(boards, name, last):
    """Its lines go up to 12 o'clock and their ground comes back round the ring: no small turn.

    What the field makes in them ends at C26, behind R1; the last pixel's line at the next tile's.
    """
    board = boards[name]
    first = volts(board, name, (j1("4"), ("R1", "1")), (("R1", "2"), ("D11", "4")),
                  (("D11", "3"), j1("5")))  # fmt: skip
    ring = (f"D{last}", "2"), (f"D{last}", "3")
    out = volts(board, name, (ring[0], ("R2", "2")), (("R2", "1"), j1("6")), (j1("5"), ring[1]))
    tile = circuit.board(name)
    ohm = {ref: antenna.parse(tile.part(ref).value) for ref in ("R1", "R2")}
    end = antenna.cap(antenna.parse(tile.part("C26").value))
    low = 0.3 * 4.7  # V: what a WS2812B still takes for low
    assert first * abs(end / (ohm["R1"] + end)) < low / 3
    assert out * abs(end / (ohm["R1"] + ohm["R2"] + end)) < low / 2.5
    assert max(first, out) > 0.3  # without C26 it would be too near
    near = [
        board.pads[key][0][:2] for key in (("C26", "1"), ("D11", "4"), ("C26", "2"), ("D11", "3"))
    ]
    assert math.dist(near[0], near[1]) < 3 and math.dist(near[2], near[3]) < 4
    bit = 2.2 * (ohm["R1"] + 100) * 100e-12  # s: rise of the data
    assert bit < 0.25 * 400e-9


def test_the_walk_measures_a_square(boards):
    """Two millimetres beside the middle the field is known: mu0 N I / 2R."""
    spots = [
        (turns.CENTRE[0] + x, turns.CENTRE[1] + y)
        for x, y in ((0, 0), (2, 0), (2, 2), (0, 2), (0, 0))
    ]
    found = abs(sum(turns.driven("bowl", a, b) for a, b in itertools.pairwise(spots)))
    field = 4e-7 * math.pi * 3 / (2 * 0.048)
    assert found == pytest.approx(2 * math.pi * 13.56e6 * field * 4e-6, rel=0.05)


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
    """Jack, fuse, transistors, capacitors: each piece lies in one pour, at least 2 mm wide.

    Between Q1's two sources it is 1.4 mm on 4 mm: 3 A, which the fuse holds, warm that by 10 K
    (IPC-2221, outer layer, 35 um).
    """
    assert 0.048 * 10**0.44 * (1.4 * 0.035 * 1550) ** 0.725 > supply.FUSE_HOLD
    board = boards["controller"]
    ways = [
        (2.0, [("J14", "1"), ("F1", "1")]),
        (2.0, [("F1", "2"), ("D1", "1"), ("Q1", "7"), ("Q1", "8")]),
        (1.4, [("Q1", "1"), ("Q1", "3")]),
        (2.0, [("Q1", "5"), ("Q1", "6"), ("C1", "1"), ("C2", "1")]),
    ]
    for wide, way in ways:
        net = board.pads[way[0]][0][6]
        pours = [
            Polygon(p).buffer(-wide / 2).buffer(wide / 2 + 0.3)
            for side, p in board.pours(net)
            if side == "F.Cu"
        ]
        spots = [Point(board.pads[key][0][:2]) for key in way]
        reach = [Polygon(Point(s.x, s.y).buffer(1.8)) for s in spots]
        joined = [p for pour in pours for p in getattr(pour, "geoms", [pour])]
        assert any(all(p.intersects(r) for r in reach) for p in joined), way


def test_both_spines_begin_in_the_pour(boards):
    board = boards["controller"]
    number = board.pads[("Q1", "5")][0][6]
    pour = unary_union([Polygon(p) for side, p in board.pours(number) if side == "F.Cu"])
    wide = [LineString([a, b]) for net, _, a, b, w in board.tracks if net == number and w >= 2.4]
    spines = unary_union([line.buffer(1.2) for line in wide])
    pieces = [p for p in getattr(spines, "geoms", [spines]) if p.intersects(pour)]
    for connector in ("J1", "J7", "J8", "J13"):
        at = Point(board.pads[(connector, "1")][0][:2])
        assert any(p.distance(at) < 1.0 for p in pieces), connector


def references(board):
    """{reference: (x, y, copper layer)} of the names that the silk shows: the middle of each word,
    and the side on which it is read."""
    found = {}
    for fp in every(board.tree, "footprint"):
        at = [float(v) for v in first(fp, "at")[1:]]
        turned = math.radians(at[2] if len(at) > 2 else 0)
        for prop in every(fp, "property"):
            hidden = first(prop, "hide")
            if bare(prop[1]) == "Reference" and not (hidden and hidden[1] == "yes"):
                x, y = (float(v) for v in first(prop, "at")[1:3])
                found[bare(prop[2])] = (
                    at[0] + x * math.cos(turned) + y * math.sin(turned),
                    at[1] - x * math.sin(turned) + y * math.cos(turned),
                    bare(first(prop, "layer")[1])[0] + ".Cu",
                )
    return found


def gap(point, pad):
    """mm from a point to a pad's box, measured in the pad's own turn."""
    x, y, hw, hh, turned, *_ = pad
    dx, dy = point[0] - x, point[1] - y
    u = dx * math.cos(turned) - dy * math.sin(turned)
    v = dx * math.sin(turned) + dy * math.cos(turned)
    return math.hypot(max(abs(u) - hw, 0), max(abs(v) - hh, 0))


@pytest.mark.parametrize("name, least", [("bowl", 50), ("action", 20), ("controller", 60)])
def test_a_name_stands_at_its_own_part(boards, name, least):
    """A wrong name is worse than none: the rest is told by docs/pictures/*-map.svg."""
    board, wrong = boards[name], []
    shown = references(board)
    for ref, (*spot, side) in shown.items():
        seen = [(key[0], p) for key, pads in board.pads.items() for p in pads if side in p[5]]
        near = min((gap(spot, pad), other) for other, pad in seen)
        if near[1] != ref:
            wrong.append(f"{ref} stands at {near[1]}")
    assert wrong == [] and len(shown) >= least
    if name != "controller":
        assert {"TP7", "TP8"} <= set(shown), "the guide measures there, on the back"


def test_the_action_tile_fits_one_way_only():
    """Turned by half, its two screw holes must miss the bosses by more than their play."""
    places = layout.layouts()["action"].places
    (x1, y1, *_), (x2, y2, *_) = places["H1"], places["H2"]
    assert math.dist((-x1, -y1), (x2, y2)) > 1.5


def test_the_map_in_the_guide_is_of_this_board(boards):
    assert placement.PAGE.read_text(encoding="utf-8") == placement.draw(boards["action"])
