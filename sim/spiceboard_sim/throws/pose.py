"""How a chip lies: what hands, throws, fields and pictures have in common."""

from dataclasses import dataclass
from math import isfinite

from spiceboard_sim.board.geometry import CHIP_RADIUS, CHIP_THICKNESS, HEIGHT, WIDTH, floor_at

SUNK = 1.0  # mm: a chip that leans into a bowl may be so much below what is under its middle


@dataclass(frozen=True, slots=True)
class Pose:
    """A chip's centre (mm, see geometry) and how it is turned.

    height: of its middle above the flat, less half its thickness: where a flat chip's lower side
    is. tilt: degrees from lying flat, 90 on its edge. towards: direction of the low side from the
    x axis, degrees. face_up turns the magnet over.
    """

    x: float
    y: float
    height: float
    tilt: float = 0.0
    towards: float = 0.0
    face_up: bool = True

    @property
    def middle(self) -> float:
        """Height of the middle above the flat: where the tag's plane is."""
        return self.height + CHIP_THICKNESS / 2


def off_board(x: float, y: float) -> str:
    """Why no chip can lie there: a sentence, or "". On the rim it can."""
    if not (isfinite(x) and isfinite(y)):
        return f"a place is two finite numbers of mm, not {x:g}, {y:g}"
    if -CHIP_RADIUS <= x <= WIDTH + CHIP_RADIUS and -CHIP_RADIUS <= y <= HEIGHT + CHIP_RADIUS:
        return ""
    return (
        f"({x:g}, {y:g}) is not on the board: x is 0 to {WIDTH:g} mm, y 0 to {HEIGHT:g}, from the "
        "top left corner"
    )


def impossible(pose: Pose) -> str:
    """Why no chip can lie so: a sentence, or ""."""
    if away := off_board(pose.x, pose.y):
        return away
    if not 0 <= pose.tilt <= 90:
        return f"a chip is tilted by 0 (flat) to 90 degrees (on its edge), not {pose.tilt:g}"
    floor = floor_at(pose.x, pose.y)
    if not pose.height >= floor - SUNK:
        return (
            f"a chip at ({pose.x:g}, {pose.y:g}) cannot lie at {pose.height:g} mm: the board's "
            f"surface is at {floor:g} there"
        )
    return "" if isfinite(pose.height) and isfinite(pose.towards) else "a pose is finite numbers"
