"""The plain model of a throw, for where MuJoCo is missing; and how a careful hand lays a chip.

Discs in two dimensions that slide, push each other head on, drop into bowls and stop at the
rim. Plain and repeatable; its numbers are guesses, meant to give misses, chips on the flat and on
each other, leaning ones and pushes. Millimetres, see `geometry`.
"""

from dataclasses import dataclass, field
from math import asin, atan2, cos, degrees, hypot, pi, sin
from random import Random

from spiceboard.extras import install
from spiceboard_sim.board.geometry import (
    CHIP_RADIUS,
    CHIP_THICKNESS,
    HEIGHT,
    WIDTH,
    Zone,
    floor_at,
    zone_at,
)
from spiceboard_sim.throws.course import Course, Poses
from spiceboard_sim.throws.pose import Pose

FLIGHT_S, SLIDE_S = 0.3, 0.15

_STEP = 2.0  # mm of sliding looked at a time
_ON_TOP = 0.7 * 2 * CHIP_RADIUS  # a chip nearer than that to another's middle lies on it
_CLIMB = 14.0  # mm of sliding that it costs to leave a bowl
_GIVEN = 0.8  # share of the way left that a pushed chip takes over
_JUMPS = 0.6  # chance that a hard throw at the rim goes over it


@dataclass(frozen=True, slots=True)
class Rest:
    """How a chip lies at a place: height of its lower side, tilt and its low side's direction."""

    height: float
    tilt: float = 0.0
    towards: float = 0.0


@dataclass
class _Slides:
    """What a throw moves: {chip: (x, y) or None}, in the order in which it comes to rest."""

    moved: dict[str, tuple[float, float] | None] = field(default_factory=dict)


class Flat:
    """See course.Physics: the fallback where MuJoCo is not installed."""

    says = (
        "throws use the simple model of discs in two dimensions: MuJoCo is missing "
        f"({install('sim')} installs it)"
    )

    def throw(
        self,
        chip: str,
        aim: tuple[float, float],
        strength: float,
        poses: Poses,
        random: Random,
    ) -> Course:
        """A harder throw scatters more, slides further and pushes more."""
        if not 0 <= strength <= 1:
            raise ValueError(f"strength must be 0 to 1, not {strength}")
        spread = 12.0 + 14.0 * strength
        x = aim[0] + random.gauss(0, spread)
        y = aim[1] + random.gauss(0, spread)
        away = -pi / 2 + random.gauss(0, 0.5)  # from the thrower's edge, upwards on the board
        way = random.expovariate(1 / (4.0 + 40.0 * strength))
        if not _inside(x, y):
            return Course(chip, rest={chip: None}, seconds=FLIGHT_S)
        slides = _Slides()
        places = {name: (pose.x, pose.y) for name, pose in poses.items()}
        _slide(chip, (x, y), away, way, places, slides, strength, random)
        face_up = random.random() < 0.5
        landed = _pose(x, y, poses, face_up)
        course = Course(chip, [(FLIGHT_S, {chip: landed})], {}, FLIGHT_S, FLIGHT_S + SLIDE_S)
        course.rest = _rested(slides.moved, poses, {chip: face_up})
        return course

    def lay(self, chip: str, x: float, y: float, face_up: bool, poses: Poses) -> Course:
        return Course(rest={chip: _pose(x, y, poses, face_up)})

    def settle(self, poses: Poses) -> Course:
        """In the order in which they lie: lowest first."""
        lower: Poses = {}
        course = Course()
        for name, pose in sorted(poses.items(), key=lambda item: item[1].height):
            new = _pose(pose.x, pose.y, lower, pose.face_up)
            if new.height < pose.height - 1e-9:
                course.rest[name] = new
            else:
                new = pose
            lower[name] = new
        return course


def _pose(x: float, y: float, poses: Poses, face_up: bool) -> Pose:
    below = [(p.x, p.y, p.height) for p in sorted(poses.values(), key=lambda p: p.height)]
    found = rest(x, y, below)
    return Pose(x, y, found.height, found.tilt, found.towards, face_up)


def _rested(
    moved: dict[str, tuple[float, float] | None], poses: Poses, faces: dict[str, bool]
) -> dict[str, Pose | None]:
    """How the moved ones lie, one after the other, on those that did not move."""
    lying = {name: pose for name, pose in poses.items() if name not in moved}
    found: dict[str, Pose | None] = {}
    for name, place in moved.items():
        found[name] = None
        if place is not None:
            face = faces[name] if name in faces else poses[name].face_up
            found[name] = lying[name] = _pose(*place, lying, face)
    return found


def _inside(x: float, y: float) -> bool:
    """Does a chip centred there clear the rim?"""
    r = CHIP_RADIUS
    return r <= x <= WIDTH - r and r <= y <= HEIGHT - r


def _bowl(x: float, y: float) -> Zone | None:
    """The zone over whose hollow the centre is."""
    zone = zone_at(x, y)
    if zone is None or hypot(x - zone.x, y - zone.y) > zone.radius:
        return None
    return zone


def _slide(
    chip: str,
    start: tuple[float, float],
    angle: float,
    way: float,
    places: dict[str, tuple[float, float]],
    course: _Slides,
    strength: float,
    random: Random,
    depth: int = 0,
) -> None:
    """Let a chip slide so far; chips in its way take over what is left, and slide in turn."""
    x, y = start
    places.pop(chip, None)
    under = {name for name, at in places.items() if _gap((x, y), at) < _ON_TOP}
    while way > 0:
        step = min(_STEP, way)
        nx, ny = x + step * cos(angle), y + step * sin(angle)
        way -= step
        if not _inside(nx, ny):
            if strength > 0.6 and random.random() < _JUMPS:
                course.moved[chip] = None
                return
            angle = _bounced(nx, ny, angle)
            way *= 0.4
            continue
        if _bowl(x, y) is not _bowl(nx, ny) and _bowl(x, y) is not None:
            if way < _CLIMB:
                break
            way -= _CLIMB
        struck = _struck((nx, ny), angle, places, under)
        if struck is not None and depth < 6:
            ox, oy = places[struck]
            line = atan2(oy - ny, ox - nx)
            share = cos(line - angle)
            _slide(
                struck, (ox, oy), line, way * share * _GIVEN, places, course, strength, random,
                depth + 1,
            )  # fmt: skip
            way *= 1 - share
            under.add(struck)
        x, y = nx, ny
    places[chip] = (x, y)
    course.moved[chip] = (x, y)


def _struck(
    at: tuple[float, float],
    angle: float,
    places: dict[str, tuple[float, float]],
    under: set[str],
) -> str | None:
    """The first chip ahead that is touched; those it slides over already are not pushed."""
    for name, other in places.items():
        if name in under or _gap(at, other) >= 2 * CHIP_RADIUS:
            continue
        if cos(atan2(other[1] - at[1], other[0] - at[0]) - angle) > 0.2:
            return name
    return None


def _bounced(x: float, y: float, angle: float) -> float:
    if not CHIP_RADIUS <= x <= WIDTH - CHIP_RADIUS:
        angle = pi - angle
    if not CHIP_RADIUS <= y <= HEIGHT - CHIP_RADIUS:
        angle = -angle
    return angle


def _gap(a: tuple[float, float], b: tuple[float, float]) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def rest(x: float, y: float, below: list[tuple[float, float, float]]) -> Rest:
    """How a chip lies at (x, y) on the floor and on the chips (x, y, height) that were there.

    On a chip whose middle is near it lies flat, and so on three or more; touching one or two
    further off it leans on an edge; and where the hollow is too narrow for it, it leans
    on the zone's edge.
    """
    floor = floor_at(x, y)
    carried = [h for ox, oy, h in below if _gap((x, y), (ox, oy)) < _ON_TOP]
    if carried:
        return Rest(max(carried) + CHIP_THICKNESS)
    touched = [
        (ox, oy, h)
        for ox, oy, h in below
        if _gap((x, y), (ox, oy)) < 2 * CHIP_RADIUS - 0.5 and h <= floor + CHIP_THICKNESS
    ]
    if len(touched) >= 3:
        return Rest(max(h for _, _, h in touched) + CHIP_THICKNESS)
    if touched:
        ox, oy, h = touched[-1]
        tilt = degrees(asin(CHIP_THICKNESS / (2 * CHIP_RADIUS)))
        low = degrees(atan2(y - oy, x - ox)) % 360
        return Rest((h + CHIP_THICKNESS + floor) / 2, tilt, low)
    zone = _bowl(x, y)
    if zone is not None:
        off = hypot(x - zone.x, y - zone.y)
        free = zone.radius - CHIP_RADIUS
        if off > free:
            part = (off - free) / (2 * CHIP_RADIUS)  # of the chip that lies on the edge
            tilt = degrees(asin(zone.depth / (2 * CHIP_RADIUS)))
            low = degrees(atan2(zone.y - y, zone.x - x)) % 360
            return Rest(floor + part * zone.depth, tilt, low)
    return Rest(floor)
