"""Rigid bodies where MuJoCo is installed, else the plain model, which says so."""

from importlib.util import find_spec

from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.course import Physics
from spiceboard_sim.throws.flat import Flat


def physics(constants: Constants | None = None) -> Physics:
    """A board's physics, with no chip on it."""
    if find_spec("mujoco") is None:
        return Flat()
    from spiceboard_sim.throws.rigid import Rigid

    return Rigid(constants)
