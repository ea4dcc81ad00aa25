"""Rotations: a chip's pose as a quaternion, and back."""

from math import acos, atan2, cos, degrees, radians, sin

from spiceboard_sim.board.geometry import CHIP_THICKNESS
from spiceboard_sim.throws.pose import Pose

FLAT = 0.05  # degrees: a chip that lies so is flat

Quaternion = tuple[float, float, float, float]


def about(axis: tuple[float, float, float], angle: float) -> Quaternion:
    """A turn about a unit axis, degrees."""
    half = radians(angle) / 2
    return (cos(half), axis[0] * sin(half), axis[1] * sin(half), axis[2] * sin(half))


def turned(pose: Pose) -> Quaternion:
    """The chip's rotation as MuJoCo's quaternion: its axis tilted, its low side as the pose says;
    face down turned over about the low side's direction."""
    half = radians(pose.tilt) / 2
    way = radians(pose.towards)
    # The axis leans towards the low side (board: y down, so MuJoCo's y is turned over).
    lean = (cos(half), sin(half) * sin(way), sin(half) * cos(way), 0.0)
    if pose.face_up:
        return lean
    flip = (0.0, cos(way), -sin(way), 0.0)  # half a turn about the low side's direction
    return product(lean, flip)


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Hamilton's product of two quaternions: first b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def pose_of(qpos: list[float]) -> Pose:
    """The pose of a body's place and quaternion."""
    w, i, j, k = qpos[3:7]
    size = (w * w + i * i + j * j + k * k) ** 0.5
    w, i, j, k = w / size, i / size, j / size, k / size
    axis = (2 * (i * k + w * j), 2 * (j * k - w * i), 1 - 2 * (i * i + j * j))
    sign = 1.0 if axis[2] >= 0 else -1.0
    n = [sign * part for part in axis]
    tilt = degrees(acos(min(1.0, n[2])))
    towards = degrees(atan2(-n[1], n[0])) % 360
    if tilt < FLAT:
        tilt = towards = 0.0
    x, y, z = 1000 * qpos[0], -1000 * qpos[1], 1000 * qpos[2]
    height = z - CHIP_THICKNESS / 2
    return Pose(
        round(x, 4), round(y, 4), round(height, 4), round(tilt, 3), round(towards, 2), sign > 0
    )
