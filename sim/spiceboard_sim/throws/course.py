"""What comes of a throw or a touch, and who works it out."""

from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from spiceboard_sim.throws.pose import Pose

Frame = tuple[float, dict[str, Pose]]  # seconds after the release, and the chips that move
Poses = dict[str, Pose]


@dataclass
class Course:
    """A throw's course, or what a hand's touch set moving.

    chip: the thrown one, or "". frames: poses on the way, in the order of time. rest: where what
    moved lies in the end; None is off the board. touched_s: when the thrown chip first touched
    anything, None where nothing was thrown or it flew off. seconds: until all lies still.
    begun_ms: of the board's time, when a hand let go.
    """

    chip: str = ""
    frames: list[Frame] = field(default_factory=list)
    rest: dict[str, Pose | None] = field(default_factory=dict)
    touched_s: float | None = None
    seconds: float = 0.0
    begun_ms: int = 0


class Physics(Protocol):
    """Bodies on the board. `poses` is where all others lie by now."""

    says: str  # in one sentence, what it is

    def throw(
        self,
        chip: str,
        aim: tuple[float, float],
        strength: float,
        poses: Poses,
        random: Random,
    ) -> Course:
        """Throw a chip at a point (mm); strength 0 (soft) to 1 (hard), else ValueError."""

    def lay(self, chip: str, x: float, y: float, face_up: bool, poses: Poses) -> Course:
        """A hand puts a chip down there, on what lies there."""

    def settle(self, poses: Poses) -> Course:
        """Something was taken away: what lay on it comes down."""
