"""MuJoCo's model of the board with all its chips, from constants; as text, and compiled."""

from functools import lru_cache
from itertools import pairwise

import mujoco

from spiceboard.extras import install
from spiceboard_sim.board.geometry import CHIP_RADIUS, CHIP_THICKNESS, HOLE_RADIUS
from spiceboard_sim.throws import plate
from spiceboard_sim.throws.constants import Constants
from spicecore.parts import CHIPS

VERSION = "4.0.1"  # results differ from version to version; pyproject.toml pins the same
TIMESTEP = 0.0005  # s
STIFF = 1000.0  # /s: of a contact; times the step at most 0.7
# The damping that gives a restitution, as dropped chips show it with this integrator.
_DAMPING = ((0.17, 0.63), (0.25, 0.42), (0.31, 0.26), (0.37, 0.15))
# Chips that are not on the board lie asleep on the table, far away.
PARK_X, PARK_Y, PARK_STEP = -0.6, 0.0, 0.05


def damping(restitution: float) -> float:
    """Damping ratio of a contact for a restitution, between the values that were measured."""
    if restitution <= _DAMPING[0][0]:
        return _DAMPING[0][1]
    for (e0, z0), (e1, z1) in pairwise(_DAMPING):
        if restitution <= e1:
            return z0 + (z1 - z0) * (restitution - e0) / (e1 - e0)
    return _DAMPING[-1][1]


def _mm(values: tuple[float, ...]) -> str:
    return " ".join(f"{value / 1000:.7g}" for value in values)


def _static(constants: Constants) -> tuple[str, str]:
    """Meshes, and the geoms of everything that does not move."""
    meshes, geoms = [], []
    for n, corners in enumerate(plate.prisms()):
        vertices = "  ".join(_mm(corner) for corner in corners)
        meshes.append(f'<mesh name="p{n}" vertex="{vertices}"/>')
        geoms.append(f'<geom type="mesh" mesh="p{n}"/>')
    for centre, half in plate.floors() + plate.rim():
        geoms.append(f'<geom type="box" pos="{_mm(centre)}" size="{_mm(half)}"/>')
    geoms.append(f'<geom type="plane" pos="{_mm((0, 0, -plate.DEPTH))}" size="2 2 1"/>')
    return "".join(meshes), "".join(geoms)


def _chip(name: str, n: int, constants: Constants) -> str:
    """A ring of wood, its mass and inertia those of a disc with a hole."""
    mass = constants.mass / 1000
    square = (CHIP_RADIUS**2 + HOLE_RADIUS**2) * 1e-6
    height = CHIP_THICKNESS / 1000
    across = mass * (3 * square + height**2) / 12
    inertia = f"{across:.9g} {across:.9g} {mass * square / 2:.9g}"
    where = f"{PARK_X - PARK_STEP * (n % 5)} {PARK_Y - PARK_STEP * (n // 5)} -0.001"
    return (
        f'<body name="{name}" pos="{where}" sleep="init"><freejoint/>'
        f'<inertial pos="0 0 0" mass="{mass:.6g}" diaginertia="{inertia}"/>'
        f'<geom name="{name}" type="cylinder" '
        f'size="{_mm((CHIP_RADIUS, CHIP_THICKNESS / 2))}"/></body>'
    )


def text(constants: Constants) -> str:
    """The model as MJCF. Settings and why: docs/throws.md."""
    meshes, geoms = _static(constants)
    chips = "".join(_chip(name, n, constants) for n, name in enumerate(CHIPS))
    damp = -2 * damping(constants.restitution) * STIFF
    friction = (constants.friction, constants.torsion / 1000, constants.rolling / 1000)
    return f"""<mujoco model="spiceboard">
 <compiler boundmass="0" boundinertia="0"/>
 <option timestep="{TIMESTEP}" integrator="discrete" solver="Newton" cone="elliptic"
  impratio="10" tolerance="1e-10" ccd_tolerance="1e-9" ccd_iterations="100"
  sleep_tolerance="1e-3"><flag sleep="enable" multiccd="enable" nativeccd="enable"/></option>
 <size memory="48M"/>
 <default><geom condim="6" friction="{" ".join(f"{part:g}" for part in friction)}"
  solref="{-(STIFF**2):g} {damp:g}" solimp="0.8 0.8 0.001 0.5 2"/></default>
 <asset>{meshes}</asset>
 <worldbody>{geoms}{chips}</worldbody>
</mujoco>"""


@lru_cache(maxsize=4)
def compiled(constants: Constants) -> mujoco.MjModel:
    """The model, made once for each set of constants (0.1 s)."""
    if mujoco.__version__ != VERSION:
        raise ImportError(
            f"the throws are those of MuJoCo {VERSION}, not {mujoco.__version__}: "
            f"run {install('sim')}"
        )
    return mujoco.MjModel.from_xml_string(text(constants))
