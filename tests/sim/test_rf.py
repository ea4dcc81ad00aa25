"""The loop model against the closed form, and the figures that the design rests on."""

import importlib
import sys
from itertools import combinations, pairwise
from math import hypot, pi, sqrt
from types import SimpleNamespace

import pytest

from spiceboard_sim.board.geometry import (
    CHIP_THICKNESS,
    FLOOR_ABOVE_LOOP,
    HOLE_RADIUS,
    TAG_LOOP_RADIUS,
    TAG_RESONANCE,
    ZONE,
)
from spiceboard_sim.board.world import Pose, World
from spiceboard_sim.chips.air import NotModelled
from spiceboard_sim.rf import circuit, coupling, overlap
from spiceboard_sim.rf.tag import TagCircuit
from spicecore.parts import ZONES

CURRY = ZONE["curry"]


def elliptic(k: float) -> tuple[float, float]:
    """Complete elliptic integrals K and E by the arithmetic-geometric mean."""
    a, b, c, total, power = 1.0, sqrt(1 - k * k), k, 0.0, 0.5
    while abs(c) > 1e-15:
        total += power * c * c
        a, b, c = (a + b) / 2, sqrt(a * b), (a - b) / 2
        power *= 2
    whole = pi / (2 * a)
    return whole, whole * (1 - total)


def coaxial(a: float, b: float, h: float) -> float:
    """M in nH of coaxial loops (Maxwell), dimensions in mm."""
    k = sqrt(4 * a * b / ((a + b) ** 2 + h * h))
    first, second = elliptic(k)
    m = coupling.MU0 * sqrt(a * b) * 1e-3 * ((2 / k - k) * first - 2 / k * second)
    return m * 1e9


@pytest.mark.parametrize(("loop", "tag"), [(48, 10), (28, 10), (48, 12)])
@pytest.mark.parametrize("height", [6, 8, 10, 14, 30])
def test_coaxial_loops_match_the_closed_form(loop: float, tag: float, height: float) -> None:
    assert coupling.mutual_inductance(loop, tag, 0, height) == pytest.approx(
        coaxial(loop, tag, height), rel=1e-6
    )


@pytest.mark.parametrize(
    ("offset", "height", "figure"),
    [(0, -3, 1.0), (20, -3, 1.15), (36, -3, 1.60), (42, -3, 1.33), (45, -3, 0.93),
     (45, 1, 0.69), (45, 5, 0.54), (46, 0, 0.63), (48, 0, 0.42), (52, 0, 0.02)],
)  # fmt: skip
def test_figures_of_the_design(offset: float, height: float, figure: float) -> None:
    """Distances from a bowl's centre; on the floor, on one and two chips, on the flat outside."""
    found = coupling.strength(CURRY, CURRY.x + offset, CURRY.y, height)
    assert found == pytest.approx(figure, abs=0.006)


def test_outside_is_a_lobe_of_opposite_sign() -> None:
    lobe = [coupling.strength(CURRY, CURRY.x + d, CURRY.y, 0) for d in range(53, 90)]
    assert max(lobe) < 0
    assert min(lobe) == pytest.approx(-0.355, abs=0.006)


def test_tilt_is_symmetric_and_weakens() -> None:
    flat = coupling.strength(CURRY, CURRY.x, CURRY.y, -3)
    tilted = [coupling.strength(CURRY, CURRY.x, CURRY.y, -3, 30, way) for way in (0, 90, 180, 270)]
    assert max(tilted) - min(tilted) < 1e-9
    assert tilted[0] < flat
    upright = coupling.mutual_inductance(48, 10, 0, 20, tilt=90)
    assert abs(upright) < 1e-9  # no flux through a loop that stands on the axis


def test_every_valid_place_couples_more_than_any_place_outside() -> None:
    """On the floor; what lies in stacks at the edge is a doubt (design)."""
    for zone in ZONE.values():
        reach = zone.radius + 3
        inside = [
            coupling.strength(zone, zone.x + d, zone.y, -zone.depth)
            for d in range(0, int(reach) + 1)
        ]
        outside = [
            abs(coupling.strength(zone, zone.x + reach + 1 + d, zone.y, 0)) for d in range(0, 40)
        ]
        assert min(inside) > max(outside)


def test_hearing_goes_with_the_square_root_of_the_gain() -> None:
    assert coupling.heard_at(33) == coupling.HEARD_AT_33_DB
    assert (coupling.heard_at(33) / coupling.heard_at(48)) ** 2 == pytest.approx(10 ** (15 / 20))


def nominal(world: World) -> World:
    """All tags alike: without the spread of a batch."""
    for chip in world.chips.values():
        chip.circuit = TagCircuit(TAG_RESONANCE)
    return world


def visible(world: World, zone: str, gain: int) -> set[str]:
    """Chips that answer a REQA in a zone."""
    field = world.fields[zone]
    field.conduct(True)  # as the firmware sets its reader
    field.switch(True, world.now)
    world.now += 10**6
    seen = {
        c.name
        for c, strength in field.powered
        if strength >= coupling.heard_at(gain) * coupling.SURE
    }
    field.switch(False, world.now)
    return seen


def test_a_chip_on_the_flat_between_two_bowls_wakes_in_neither() -> None:
    """It would be heard with more gain; but half the voltage does not wake it."""
    world = nominal(World())
    world.place("b30", Pose(119, 60, 0.0))
    assert visible(world, "curry", 48) == set() == visible(world, "ginger", 48)
    field = world.fields["curry"]
    assert coupling.heard_at(48) < field.strength(world.chips["b30"]) < coupling.heard_at(33)
    field.drive = 2.5
    assert visible(world, "curry", 43) == {"b30"}


def test_a_single_chip_counts_as_the_rule_says_but_for_two_millimetres() -> None:
    """Valid to 45 mm: heard at 33 dB there, and asleep from 47 mm on."""
    for zone in ZONE.values():
        world = nominal(World())
        edge = zone.radius + HOLE_RADIUS
        world.place("b30", Pose(zone.x + edge, zone.y, 0.0))
        valid = visible(world, zone.name, 33)
        world.place("b30", Pose(zone.x + edge + 2.5, zone.y, 0.0))
        assert visible(world, zone.name, 48) == set(), zone
        world.place("b30", Pose(zone.x + edge - 2, zone.y, 0.0))
        assert visible(world, zone.name, 33) == {"b30"} or valid == {"b30"}


def test_a_valid_chip_is_seen_by_its_zone_alone_at_the_default_gain() -> None:
    for name in ZONE:
        world = World()
        world.lay("g20", name)
        assert [zone for zone in ZONE if visible(world, zone, 33)] == [name]


def test_a_second_field_is_refused_where_it_disturbs() -> None:
    world = World()
    world.fields["curry"].switch(True, 0)
    for near in ("ginger", "saffron", "extra_throw"):
        with pytest.raises(NotModelled, match="two fields"):
            world.fields[near].switch(True, 0)
        world.fields[near].on = False
    world.fields["mint"].switch(True, 0)  # 236 mm away
    assert world.overlaps == 4


def test_a_third_field_is_refused_where_two_others_add_up_to_too_much() -> None:
    """Cardamom's tags bear curry's and reserve's fields together, reserve's would not bear curry's
    and cardamom's, each of which is harmless alone; four fields are more than the supply gives."""
    world = World()
    for zone in ("curry", "cardamom", "reserve"):
        world.fields[zone].switch(True, 0)
    world.fields["cardamom"].send(0x26, 7, 0, 1, 33)
    world.fields["curry"].send(0x26, 7, 0, 1, 33)
    with pytest.raises(NotModelled, match="reserve is read while the fields of"):
        world.fields["reserve"].send(0x26, 7, 0, 1, 33)
    world.fields["cardamom"].switch(False, 2)
    world.fields["reserve"].send(0x26, 7, 3, 4, 33)
    world.fields["cardamom"].switch(True, 5)
    with pytest.raises(NotModelled, match="four fields"):
        world.fields["mint"].switch(True, 6)


def test_the_firmwares_table_of_fields_is_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """FIELDS by the model, and its rule for a third: while a bowl is read, any two of them may be
    on. ROW has every zone once, each may be on beside the next."""
    monkeypatch.setitem(sys.modules, "micropython", SimpleNamespace(const=lambda value: value))
    schedule = importlib.import_module("app.schedule")
    for one, allowed in enumerate(schedule.FIELDS):
        for two in range(len(ZONES)):
            harmless = one != two and overlap.harmless(ZONE[ZONES[one]], ZONE[ZONES[two]])
            assert bool(allowed >> two & 1) == harmless, (ZONES[one], ZONES[two])
    for one in range(schedule.BOWLS):
        beside = [ZONE[ZONES[two]] for two in range(13) if schedule.FIELDS[one] >> two & 1]
        assert all(overlap.quiet(ZONE[ZONES[one]], *two) for two in combinations(beside, 2))
    *chain, last = schedule.ROW
    assert sorted([last, *chain]) == list(range(len(ZONES)))
    assert ZONES[last] == "saffron" and not schedule.FIELDS[last]
    assert all(schedule.FIELDS[one] >> two & 1 for one, two in pairwise(chain))


@pytest.mark.parametrize(
    "one,two,worst,loop",
    [("curry", "ginger", 0.31, 0.1150), ("curry", "mint", 0.024, 0.0094),
     ("extra_throw", "curry", 0.74, 0.1167), ("extra_throw", "cardamom", 0.048, 0.0051),
     ("extra_throw", "reserve", 0.017, 0.0018), ("extra_throw", "head_chef", 0.053, 0.0054)],
)  # fmt: skip
def test_how_far_a_field_reaches_into_another(
    one: str, two: str, worst: float, loop: float
) -> None:
    """docs/sensing.md: 5 % are allowed; zones from 186 mm on, and opposite action spaces."""
    a, b = ZONE[one], ZONE[two]
    assert overlap.share(a, b) == pytest.approx(worst, rel=0.15)
    assert overlap.beat(a, b) == pytest.approx(loop, rel=0.05)
    assert overlap.harmless(a, b) == overlap.harmless(b, a) == (worst < 0.05)


def test_a_field_grows_like_the_present_model_beside_its_own_loop() -> None:
    """The share at one place is the ratio of the two strengths, each by its own loop."""
    zone, other = ZONE["extra_throw"], ZONE["reserve"]
    pose = Pose(zone.x, zone.y, -zone.depth)
    own, foreign = (overlap._field(z, [pose])[0] for z in (zone, other))
    gap = hypot(other.x - zone.x, other.y - zone.y)
    height = FLOOR_ABOVE_LOOP + CHIP_THICKNESS / 2
    radii = circuit.loop_radii(zone)
    mine, theirs = (
        sum(coupling.mutual_inductance(r, TAG_LOOP_RADIUS, d, height) for r in radii)
        for d in (0.0, gap)
    )
    assert foreign / own == pytest.approx(theirs / mine, rel=0.02)
