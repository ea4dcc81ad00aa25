"""The coupling of tags and reader antennas: mutual inductance of circular loops.

Neumann's double integral over two loops of thin wire, each cut into straight pieces; checked in
the tests against the closed form for coaxial loops. A strength is relative to a tag lying flat in
the middle of the same zone, because each antenna is matched to its own loop. Neighbouring loops
and tags are assumed not to load each other. The ranges are a model until a built board has been
measured.

Two thresholds differ. A tag wakes up by the field it gets, as M. The reader hears it by what
comes back, as M squared, against its receiver's gain.
"""

from functools import lru_cache
from math import cos, hypot, pi, radians, sin

import numpy as np

from spiceboard_sim.board.geometry import CHIP_THICKNESS, FLOOR_ABOVE_LOOP, TAG_LOOP_RADIUS, Zone

MU0 = 4e-7 * pi  # H/m

WAKES = 0.25  # a tag wakes at this strength
HEARD_AT_33_DB = 0.47  # the receiver hears this strength at 33 dB, its default gain
SURE, NEVER = 1.06, 0.94  # of that strength: above always heard, below never, between by chance
MASKED = 0.2  # an answer weaker than this share of the strongest is not noticed (M, so 28 dB)
REACH = 90.0  # mm from the axis; further out the strength stays below WAKES

# Chance that a whole answer is garbled by noise, by gain (dB): beyond 38 dB there is no more range
# to win. Requirement 5 tells of it; the numbers are a guess.
NOISE = {18: 0.0, 23: 0.0, 33: 0.0, 38: 0.0, 43: 0.004, 48: 0.06}


def mutual_inductance(
    loop_radius: float,
    tag_radius: float,
    offset: float,
    height: float,
    tilt: float = 0.0,
    towards: float = 0.0,
    pieces: tuple[int, int] = (128, 48),
) -> float:
    """M in nH of two single turns, dimensions in mm.

    offset: of the tag's centre from the loop's axis; height: above its plane; tilt: degrees from
    lying flat; towards: direction of the tag's low side, degrees from the direction of the offset.
    """
    a = 2 * pi * (np.arange(pieces[0]) + 0.5) / pieces[0]
    b = 2 * pi * (np.arange(pieces[1]) + 0.5) / pieces[1]
    loop = np.stack((loop_radius * np.cos(a), loop_radius * np.sin(a), 0 * a))
    loop_step = np.stack((-np.sin(a), np.cos(a), 0 * a)) * (2 * pi * loop_radius / pieces[0])
    dip = radians(tilt)
    turn = radians(towards)
    # The circle's two axes: one goes down along the tilt, the other is level.
    down = np.array((cos(turn) * cos(dip), sin(turn) * cos(dip), -sin(dip)))
    level = np.array((-sin(turn), cos(turn), 0.0))
    centre = np.array((offset, 0.0, height))
    tag = centre[:, None] + tag_radius * (np.outer(down, np.cos(b)) + np.outer(level, np.sin(b)))
    tag_step = (np.outer(level, np.cos(b)) - np.outer(down, np.sin(b))) * (
        2 * pi * tag_radius / pieces[1]
    )
    gap = loop[:, :, None] - tag[:, None, :]
    distance = np.sqrt((gap * gap).sum(axis=0))
    dots = loop_step.T @ tag_step
    return float(MU0 / (4 * pi) * (dots / distance).sum() * 1e6)  # mm to m, H to nH


@lru_cache(maxsize=16)
def _central(loop_radius: float) -> float:
    height = FLOOR_ABOVE_LOOP + CHIP_THICKNESS / 2
    return mutual_inductance(loop_radius, TAG_LOOP_RADIUS, 0.0, height)


@lru_cache(maxsize=100_000)
def _relative(loop: float, offset: float, height: float, tilt: float, towards: float) -> float:
    if height < 1.0:
        height = 1.0  # the tag's middle cannot sink into the loop's plane
    m = mutual_inductance(loop, TAG_LOOP_RADIUS, offset, height, tilt, towards)
    return m / _central(loop)


def strength(
    zone: Zone, x: float, y: float, height: float, tilt: float = 0.0, towards: float = 0.0
) -> float:
    """Coupling of a chip with a zone's antenna, relative to its middle; sign as of M.

    x, y, height: the chip's centre and its lower side above the flat, mm. tilt, towards: degrees,
    the direction of its low side from the x axis. Places are taken to a tenth of a millimetre.
    """
    dx, dy = x - zone.x, y - zone.y
    offset = hypot(dx, dy)
    if offset > REACH:
        return 0.0
    above = height + zone.depth + FLOOR_ABOVE_LOOP + CHIP_THICKNESS / 2
    if tilt < 1.0:
        tilt = relative = 0.0
    else:
        relative = (towards - float(np.degrees(np.arctan2(dy, dx)))) % 360
    return _relative(
        zone.loop_radius, round(offset, 1), round(above, 1), round(tilt), round(relative / 5) * 5.0
    )


def heard_at(gain_db: int) -> float:
    """The strength that a receiver hears at that gain: what comes back goes as M squared."""
    return float(HEARD_AT_33_DB * 10 ** ((33 - gain_db) / 40))
