"""Chips as rigid bodies: where they lie, what a hand or a throw does to them.

An engine keeps MuJoCo's state from throw to throw, so that chips at rest stay asleep: they cost
nothing and do not creep. Millimetres, degrees and the board's axes go in and come out
(x right, y down, heights above the flat).
"""

import copy
from collections.abc import Iterable
from dataclasses import dataclass

import mujoco
import numpy as np

from spiceboard_sim.board.geometry import HEIGHT, WIDTH
from spiceboard_sim.throws import plate, scene
from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.course import Course, Frame
from spiceboard_sim.throws.pose import Pose
from spiceboard_sim.throws.turns import pose_of, turned
from spicecore.parts import CHIPS

LOST = 90.0  # mm outside the rim: a chip there is off the board
FRAME_S = 0.02  # between two pictures of a course
MOST_S = 6.0  # nothing rolls longer
_LIFT = 0.00005  # m above what it touches: a chip placed into another would be shot off
_STILL = 0.02e-3  # m in _STILL_S: below this, a body is at rest
_STILL_S = 0.05
_DEEP = -0.00002  # m: deeper into each other chips do not lie


@dataclass(frozen=True, slots=True)
class Release:
    """A chip as it leaves a hand: place of its middle (mm, y down, z above the flat), velocity
    (mm/s), rotation as a quaternion and spin (rad/s) about its own axes in MuJoCo's frame."""

    place: tuple[float, float, float]
    velocity: tuple[float, float, float]
    turned: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Engine:
    """Bodies of all chips on one board."""

    def __init__(self, constants: Constants | None = None) -> None:
        self.constants = constants or Constants()
        self._model = scene.compiled(self.constants)
        self._data = mujoco.MjData(self._model)
        self._tolerance = float(self._model.opt.sleep_tolerance)
        self._index = {name: n for n, name in enumerate(CHIPS)}
        self._parked = self._data.qpos.copy()
        self._poses: dict[str, Pose | None] = dict.fromkeys(CHIPS)
        self._waking = copy.copy(self._model)  # no body sleeps, to see all contacts
        self._waking.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        self._look = mujoco.MjData(self._waking)

    # --- hands ---

    def place(self, poses: dict[str, Pose | None]) -> None:
        """Put chips there (None: off the board), just above what they would touch."""
        changed = {n: p for n, p in poses.items() if p != self._poses[n]}
        if not changed:
            return
        for name, pose in changed.items():
            self._write(name, None)
            self._poses[name] = pose
        laid = [(name, pose) for name, pose in changed.items() if pose is not None]
        for name, pose in sorted(laid, key=lambda item: item[1].height):
            self._write(name, pose)
            self._free(name)

    def lift(self, name: str) -> Course:
        """Take a chip away; what lay on it comes down."""
        self.place({name: None})
        return self.settle()

    def settle(self) -> Course:
        """Let everything come to rest."""
        return self._run(None)

    def throw(self, name: str, release: Release) -> Course:
        """Let a chip fly, and everything come to rest."""
        at = self._index[name]
        place = [part / 1000 for part in release.place]
        q, v = 7 * at, 6 * at
        self._data.qpos[q : q + 3] = (place[0], -place[1], place[2])
        self._data.qpos[q + 3 : q + 7] = release.turned
        moving = release.velocity
        self._data.qvel[v : v + 3] = [moving[0] / 1000, -moving[1] / 1000, moving[2] / 1000]
        self._data.qvel[v + 3 : v + 6] = release.spin
        self._poses[name] = self._read(name)
        return self._run(name)

    def poses(self) -> dict[str, Pose]:
        """Every chip on the board."""
        return {name: pose for name, pose in self._poses.items() if pose is not None}

    def bodies(self) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        """Place and quaternion of every body, as MuJoCo has them: for pictures."""
        return np.array(self._data.qpos, dtype=np.float64)

    # --- bodies ---

    def _write(self, name: str, pose: Pose | None) -> None:
        at = self._index[name]
        q = 7 * at
        if pose is None:
            self._data.qpos[q : q + 7] = self._parked[q : q + 7]
        else:
            x, y, z = pose.x / 1000, -pose.y / 1000, pose.middle / 1000
            self._data.qpos[q : q + 3] = (x, y, z)
            self._data.qpos[q + 3 : q + 7] = turned(pose)
        self._data.qvel[6 * at : 6 * at + 6] = 0

    def _free(self, name: str) -> None:
        """Raise a chip just written until it touches nothing deeply; then a little more."""
        z = 7 * self._index[name] + 2
        for _ in range(60):
            depth = self._depth(name)
            if depth >= _DEEP:
                break
            self._data.qpos[z] += max(0.0002, -depth)
        self._data.qpos[z] += _LIFT

    def _depth(self, name: str) -> float:
        """How deep a chip lies in others, m (negative), by a look without sleep."""
        look = self._look
        look.qpos[:] = self._data.qpos
        mujoco.mj_kinematics(self._waking, look)
        mujoco.mj_comPos(self._waking, look)
        mujoco.mj_collision(self._waking, look)
        geom = self._model.geom(name).id
        depths = [
            c.dist for c in look.contact[: look.ncon] if geom in (c.geom1, c.geom2) and c.dist < 0
        ]
        return float(min(depths, default=0.0))

    def _read(self, name: str) -> Pose:
        at = 7 * self._index[name]
        return pose_of([float(part) for part in self._data.qpos[at : at + 7]])

    # --- time ---

    def _run(self, thrown: str | None) -> Course:
        model, data = self._model, self._data
        begun = data.time
        every = round(FRAME_S / scene.TIMESTEP)
        frames: list[Frame] = []
        before = data.qpos.copy()
        still = before.copy()
        touched = None
        steps = 0
        while data.time - begun < MOST_S:
            mujoco.mj_step(model, data, nstep=every // 4)
            steps += every // 4
            if thrown and touched is None and self._touches(thrown):
                touched = float(data.time - begun)
            self._park_lost()
            if steps % every == 0:
                frames.append((float(data.time - begun), self._moving(before)))
            if not data.ntree_awake:
                break
            if steps % round(_STILL_S / scene.TIMESTEP) == 0:
                if data.time - begun > 0.2 and np.abs(data.qpos - still).max() < _STILL:
                    self._calm()
                    break
                still = data.qpos.copy()
        return Course(thrown or "", frames, self._rest(before), touched, float(data.time - begun))

    def _calm(self) -> None:
        """No body moves, but one is not asleep: give it a push above the threshold."""
        self._model.opt.sleep_tolerance = 0.5
        mujoco.mj_step(self._model, self._data, nstep=15)
        self._model.opt.sleep_tolerance = self._tolerance

    def _touches(self, name: str) -> bool:
        geom = self._model.geom(name).id
        contacts = self._data.contact[: self._data.ncon]
        return any(geom in (contact.geom1, contact.geom2) for contact in contacts)

    def _park_lost(self) -> None:
        """A chip far outside rolls for seconds on its edge: it is off the board."""
        places = self._data.qpos.reshape(-1, 7)[:, :2]
        x, y = places[:, 0], -places[:, 1]
        far = LOST / 1000
        inside = (x > -far) & (x < WIDTH / 1000 + far) & (y > -far) & (y < HEIGHT / 1000 + far)
        parked = np.abs(places - self._parked.reshape(-1, 7)[:, :2]).max(axis=1) < 1e-9
        for n in np.flatnonzero(~inside & ~parked):
            self._write(CHIPS[n], None)

    def _changed(self, before: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> Iterable[str]:
        moved = np.abs(self._data.qpos - before).reshape(-1, 7).max(axis=1) > 1e-6
        return [CHIPS[n] for n in np.flatnonzero(moved)]

    def _moving(self, before: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> dict[str, Pose]:
        return {name: self._read(name) for name in self._changed(before) if self._poses[name]}

    def _rest(
        self, before: "np.ndarray[tuple[int], np.dtype[np.float64]]"
    ) -> dict[str, Pose | None]:
        """Where everything that moved lies now; what fell off the board is parked."""
        rest: dict[str, Pose | None] = {}
        for name in self._changed(before):
            if self._poses[name] is None:
                continue
            pose = self._read(name)
            if off_board(pose):
                self._write(name, None)
                rest[name] = self._poses[name] = None
            else:
                rest[name] = self._poses[name] = pose
        return rest


def off_board(pose: Pose) -> bool:
    """Does the chip lie beside the board: its middle outside the rim's outer edge?"""
    out = plate.RIM_WIDTH
    inside = -out <= pose.x <= WIDTH + out and -out <= pose.y <= HEIGHT + out
    return not inside
