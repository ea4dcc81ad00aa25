"""A human throw: where a chip leaves the hand, how fast and how it turns, for an aim.

The hand stands behind the front rim (y beyond the board) and throws so that the chip touches down
short of the target and slides the rest. All its errors are sigmas of constants.Constants, times
the skill. Strength 0 is a soft throw in an arc, 1 a hard and flat one.
"""

from math import cos, radians, sin, sqrt, tan
from random import Random

from spiceboard_sim.board.geometry import HEIGHT
from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.engine import Release
from spiceboard_sim.throws.turns import Quaternion, about, product

GRAVITY = 9810.0  # mm/s^2


def release(
    aim: tuple[float, float], strength: float, constants: Constants, random: Random
) -> Release:
    """One throw at a point (mm); strength 0 to 1, else ValueError."""
    if not 0 <= strength <= 1:
        raise ValueError(f"strength must be 0 to 1, not {strength}")
    c = constants
    skill = c.skill
    x = aim[0] + random.gauss(0, c.release_aside) * skill
    y = HEIGHT + random.uniform(*c.release_behind)
    z = random.uniform(*c.release_height)
    dx, dy = aim[0] - x, aim[1] - y
    far = sqrt(dx * dx + dy * dy)
    touch = max(far - c.short_share * far - c.short, 20.0)
    soft, hard = c.elevation
    rise = radians(soft + (hard - soft) * strength)
    speed = sqrt(GRAVITY / 2 / (touch * tan(rise) + z)) * touch / cos(rise)
    speed *= 1 + random.gauss(0, c.speed_sigma) * skill
    rise += radians(random.gauss(0, c.elevation_sigma)) * skill
    aside = radians(random.gauss(0, c.azimuth_sigma)) * skill
    ux, uy = dx / far, dy / far
    ux, uy = ux * cos(aside) - uy * sin(aside), ux * sin(aside) + uy * cos(aside)
    flat = speed * cos(rise)
    velocity = (flat * ux, flat * uy, speed * sin(rise))
    return Release((x, y, z), velocity, _turned(c, random), _spin(c, random))


def _turned(c: Constants, random: Random) -> Quaternion:
    """A lying chip, either face up, tilted by a hand."""
    tilt = (random.gauss(0, c.tilt_sigma) * c.skill, random.gauss(0, c.tilt_sigma) * c.skill)
    way = about((cos(radians(tilt[1])), sin(radians(tilt[1])), 0.0), tilt[0])
    face = about((1.0, 0.0, 0.0), 180.0) if random.random() < 0.5 else about((1.0, 0.0, 0.0), 0.0)
    return product(way, product(about((0.0, 0.0, 1.0), random.uniform(0, 360)), face))


def _spin(c: Constants, random: Random) -> tuple[float, float, float]:
    wobble = radians(c.wobble_sigma) * c.skill
    return (
        random.gauss(0, wobble),
        random.gauss(0, wobble),
        random.gauss(0, radians(c.spin_sigma)) * c.skill,
    )
