"""The board's physics by rigid bodies: hands and throws on an Engine."""

from random import Random

from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.course import Course, Poses
from spiceboard_sim.throws.engine import Engine
from spiceboard_sim.throws.flat import rest
from spiceboard_sim.throws.hand import release
from spiceboard_sim.throws.pose import Pose


class Rigid:
    """See course.Physics."""

    says = "throws are rigid bodies (MuJoCo)"

    def __init__(self, constants: Constants | None = None) -> None:
        self._engine = Engine(constants)

    def _sync(self, poses: Poses) -> None:
        """Hands may have put chips elsewhere since."""
        here = self._engine.poses()
        there: dict[str, Pose | None] = {name: None for name in here if name not in poses}
        there.update(poses)
        self._engine.place(there)

    def throw(
        self,
        chip: str,
        aim: tuple[float, float],
        strength: float,
        poses: Poses,
        random: Random,
    ) -> Course:
        self._sync(poses)
        return self._engine.throw(chip, release(aim, strength, self._engine.constants, random))

    def lay(self, chip: str, x: float, y: float, face_up: bool, poses: Poses) -> Course:
        self._sync(poses)
        below = [(p.x, p.y, p.height) for p in sorted(poses.values(), key=lambda p: p.height)]
        pose = Pose(x, y, rest(x, y, below).height, face_up=face_up)
        self._engine.place({chip: pose})
        course = self._engine.settle()
        course.rest.setdefault(chip, pose)
        return course

    def settle(self, poses: Poses) -> Course:
        self._sync(poses)
        return self._engine.settle()
