"""How a chip lies: what hands, throws, fields and pictures have in common."""

from dataclasses import dataclass

from spiceboard_sim.board.geometry import CHIP_THICKNESS


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
