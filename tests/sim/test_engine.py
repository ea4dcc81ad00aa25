"""Rigid bodies against closed forms: slides, impacts, tilts, stacks; and that throws repeat."""

from collections.abc import Callable
from dataclasses import replace
from math import atan2, cos, degrees, hypot, radians, sin
from random import Random
from statistics import median

import pytest

pytest.importorskip(
    "mujoco", reason="throws are rigid bodies only with MuJoCo: tools/setup.sh sim"
)

from spiceboard_sim.board.geometry import CHIP_RADIUS, CHIP_THICKNESS, ZONE, Zone, zone_at
from spiceboard_sim.throws.constants import SOURCES, Constants, changed
from spiceboard_sim.throws.engine import Engine, Release
from spiceboard_sim.throws.hand import GRAVITY, release
from spiceboard_sim.throws.pose import Pose
from spiceboard_sim.throws.turns import pose_of, turned
from spicecore.parts import CHIPS

SAFFRON, RESERVE = ZONE["saffron"], ZONE["reserve"]
SMOOTH = replace(Constants(), torsion=0.0, rolling=0.0)


def rested(*poses: Pose, constants: Constants | None = None) -> list[Pose]:
    """Where chips come to rest that are placed there, the lowest first."""
    engine = Engine(constants)
    names = CHIPS[: len(poses)]
    engine.place(dict(zip(names, poses, strict=True)))
    engine.settle()
    return [engine.poses()[name] for name in names]


@pytest.mark.parametrize(("friction", "speed"), [(0.35, 200), (0.35, 500), (0.25, 400)])
def test_a_slide_is_as_long_as_friction_says(friction: float, speed: float) -> None:
    """v^2 / (2 mu g), over the joints of the flat between two bowls; few of them catch an edge."""
    engine = Engine(replace(Constants(), friction=friction))
    chance = Random(7)
    slides = []
    for _ in range(12):
        start = Pose(119 + chance.uniform(-0.9, 0.9), 42 + chance.uniform(-5, 4), 0)
        engine.lift("b10")
        engine.place({"b10": start})
        engine.settle()
        lay = engine.poses()["b10"]
        course = engine.throw("b10", Release((lay.x, lay.y, lay.middle), (0, speed, 0)))
        pose = course.rest["b10"]
        assert pose is not None and abs(pose.height) < 0.01
        slides.append(pose.y - lay.y)
    theory = speed**2 / (2 * friction * GRAVITY)
    assert median(slides) == pytest.approx(theory, rel=0.01)
    assert sum(abs(slide / theory - 1) < 0.05 for slide in slides) >= 10


def test_equal_chips_that_meet_head_on_keep_their_momentum() -> None:
    engine = Engine(replace(SMOOTH, friction=0.0))
    engine.place({"r10": Pose(119, 80, 0)})
    engine.settle()
    course = engine.throw("b10", Release((119, 40, 2.0), (0, 300, 0)))
    frames = [(t, f) for t, f in course.frames if t > 0.03 and {"b10", "r10"} <= set(f)]
    (t0, one), (t1, two) = frames[0], frames[1]
    total = sum((two[n].y - one[n].y) / (t1 - t0) for n in ("b10", "r10"))
    assert total == pytest.approx(300, rel=0.01)


def leaning(edge_at: Callable[[float], float], drop: float) -> float:
    """Tilt (degrees) of a chip whose lower edge touches the floor and whose lower face an edge
    `drop` above it. edge_at: how far that edge is from the lower face's middle (towards the high
    side), which itself lies so far (mm, towards there) from the chip's."""
    tilt = 0.1
    for _ in range(50):
        run = edge_at(CHIP_THICKNESS / 2 * sin(tilt)) + CHIP_RADIUS * cos(tilt)
        tilt = atan2(drop, run)
    return degrees(tilt)


def hollow(zone: Zone, off: float) -> float:
    """Tilt of a chip that far from a hollow's middle: it lies on the edge at two points, where its
    own circle crosses the hollow's."""

    def edge_at(shift: float) -> float:
        face = off + shift
        return (zone.radius**2 - CHIP_RADIUS**2 + face**2) / (2 * face) - face

    return leaning(edge_at, zone.depth)


@pytest.mark.parametrize("offset", [30.0, 32.0, 34.0])
def test_a_chip_leans_on_a_bowls_edge_as_geometry_says(offset: float) -> None:
    (pose,) = rested(Pose(SAFFRON.x + offset, SAFFRON.y, 3.0))
    off = hypot(pose.x - SAFFRON.x, pose.y - SAFFRON.y)
    assert pose.tilt == pytest.approx(hollow(SAFFRON, off), abs=0.12)
    assert pose.towards == pytest.approx(180, abs=2)


@pytest.mark.parametrize("offset", [9.0, 11.0])
def test_a_chip_leans_on_a_small_hollows_edge(offset: float) -> None:
    (pose,) = rested(Pose(RESERVE.x, RESERVE.y - offset, 2.0))
    off = hypot(pose.x - RESERVE.x, pose.y - RESERVE.y)
    assert pose.tilt == pytest.approx(hollow(RESERVE, off), abs=0.12)
    assert pose.towards == pytest.approx(90, abs=2)


@pytest.mark.parametrize("offset", [20.0, 25.0, 29.0])
def test_a_chip_leans_on_another_as_geometry_says(offset: float) -> None:
    under, pose = rested(Pose(119, 42, 0), Pose(119, 42 + offset, 5))
    gap = pose.y - under.y
    tilt = leaning(lambda shift: gap - shift - CHIP_RADIUS, CHIP_THICKNESS)
    assert pose.tilt == pytest.approx(tilt, abs=0.1)
    assert pose.towards == pytest.approx(90, abs=2)


def test_a_stack_of_six_stands_and_sinks_when_its_foot_goes() -> None:
    engine = Engine()
    chance = Random(4)
    poses = {
        name: Pose(SAFFRON.x + chance.gauss(0, 1.5), SAFFRON.y + chance.gauss(0, 1.5), 4 * n - 2.7)
        for n, name in enumerate(CHIPS[:6])
    }
    engine.place(poses)
    engine.settle()
    for n, name in enumerate(CHIPS[:6]):
        pose = engine.poses()[name]
        assert pose.height == pytest.approx(4 * n - 3, abs=0.05) and pose.tilt < 0.2
    engine.lift(CHIPS[0])
    heights = [engine.poses()[name].height for name in CHIPS[1:6]]
    assert heights == pytest.approx([-3, 1, 5, 9, 13], abs=0.05)


def test_chips_rest_on_the_rim_and_stand_on_its_edge() -> None:
    """The world knows both; height and tilt say which."""
    (on,) = rested(Pose(178, -5, 8.3))
    assert on.height == pytest.approx(8, abs=0.02) and on.tilt == 0
    (edge,) = rested(Pose(119, 178, CHIP_RADIUS - 1.9, 90.0, 0.0))
    assert edge.tilt == pytest.approx(90, abs=1) and edge.middle == pytest.approx(16, abs=0.1)
    (leaning,) = rested(Pose(178, 10, 12, 60.0, 90.0))
    assert leaning.tilt < 60


def test_poses_and_rotations_are_each_others_reverse() -> None:
    chance = Random(3)
    for _ in range(50):
        pose = Pose(
            10, 20, 3, chance.uniform(1, 85), chance.uniform(0, 359), chance.random() < 0.5
        )
        back = pose_of([0.010, -0.020, 0.005, *turned(pose)])
        assert back.face_up == pose.face_up
        assert (back.tilt, back.towards) == pytest.approx((pose.tilt, pose.towards), abs=0.01)


def game(seed: int, throws: int = 12) -> list[Pose]:
    chance = Random(seed)
    engine = Engine()
    for n, name in enumerate(CHIPS[:throws]):
        zone = list(ZONE.values())[n * 5 % 13]
        engine.throw(name, release((zone.x, zone.y), 0.4, engine.constants, chance))
    return list(engine.poses().values())


def test_the_same_seed_gives_the_same_throws_bit_for_bit() -> None:
    assert game(5) == game(5)
    assert game(5) != game(6)


def test_everything_comes_to_rest_where_a_chip_can_lie() -> None:
    """In the board or on its rim, nobody in the plate; many hit what they are thrown at."""
    hits = poses = 0
    for seed in range(4):
        for n, pose in enumerate(game(seed)):
            zone = zone_at(pose.x, pose.y)
            hits += zone is list(ZONE.values())[n * 5 % 13]
            poses += 1
            low = pose.middle - CHIP_RADIUS * sin(radians(pose.tilt)) - CHIP_THICKNESS / 2
            assert low > -3.5, pose
    assert poses > 40 and 0.3 < hits / poses


def test_asleep_chips_do_not_creep() -> None:
    engine = Engine()
    engine.place({"b10": Pose(178, 178, -3), "b20": Pose(185, 178, 1)})
    engine.settle()
    before = engine.poses()
    engine.throw("r10", Release((60, 380, 100), (0, -1300, 0)))
    assert {n: engine.poses()[n] for n in before} == before


def test_a_chip_placed_into_others_is_raised_and_not_shot_off() -> None:
    one, two = rested(Pose(178, 178, -3), Pose(180, 178, -1))
    assert (one.x, one.y, one.height) == pytest.approx((178, 178, -3), abs=0.01)
    assert two.height == pytest.approx(1, abs=0.02)


def test_every_constant_has_a_source_and_is_checked() -> None:
    assert set(SOURCES) == set(Constants.__dataclass_fields__)
    with pytest.raises(ValueError, match="not a constant"):
        changed(Constants(), {"luck": 1})
    with pytest.raises(ValueError, match="a number"):
        changed(Constants(), {"mass": "heavy"})
    with pytest.raises(ValueError, match="restitution"):
        changed(Constants(), {"restitution": 0.9})
    assert changed(Constants(), {"release_height": [50, 60]}).release_height == (50.0, 60.0)


def test_strength_is_zero_to_one() -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        release((60, 60), 1.5, Constants(), Random(1))
