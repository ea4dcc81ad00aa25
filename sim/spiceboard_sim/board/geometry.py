"""Dimensions of the board and the chips, from `geometry.json`: the table the boards share.

Millimetres, seen from above, origin at the top left inner corner of the rim, y down. Heights are
above the flat between the zones.
"""

import json
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

from spicecore.parts import ZONES

_TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("geometry.json").read_text("utf-8"))

WIDTH = float(_TABLE["field"]["width"])
HEIGHT = float(_TABLE["field"]["height"])
RIM_HEIGHT = float(_TABLE["field"]["rim_height"])
CHIP_RADIUS: float = _TABLE["chip"]["diameter"] / 2
CHIP_THICKNESS = float(_TABLE["chip"]["thickness"])
HOLE_RADIUS: float = _TABLE["chip"]["hole_diameter"] / 2
TAG_LOOP_RADIUS = float(_TABLE["chip"]["tag_loop_radius"])
TAG_RESONANCE = 1e6 * float(_TABLE["chip"]["tag_resonance_mhz"])  # Hz
FLOOR_ABOVE_LOOP = float(_TABLE["floor_above_loop"])


@dataclass(frozen=True, slots=True)
class Zone:
    """One bowl or action space and its antenna."""

    name: str
    x: float
    y: float
    radius: float
    depth: float  # of its floor below the flat
    loop_radius: float
    loop_turns: int
    loop_ma: float  # peak current of the loop without chips
    source_ohm: float  # what its matching looks like from the loop

    def holds(self, x: float, y: float) -> bool:
        """Is a chip centred there valid: does its hole touch the zone (see geometry.json)?"""
        return hypot(x - self.x, y - self.y) <= self.radius + HOLE_RADIUS


def _zones() -> dict[str, Zone]:
    found = {}
    for kind in ("bowl", "action"):
        table = _TABLE[kind]
        for name, (x, y) in table["centres"].items():
            found[name] = Zone(
                name,
                float(x),
                float(y),
                table["diameter"] / 2,
                float(table["depth"]),
                float(table["loop_radius"]),
                int(table["loop_turns"]),
                float(table["loop_ma"]),
                float(table["source_ohm"]),
            )
    return {name: found[name] for name in ZONES}


ZONE = _zones()  # by name, in wiring order


def zone_at(x: float, y: float) -> Zone | None:
    """The zone in which a chip centred at (x, y) is valid, or None."""
    for zone in ZONE.values():
        if zone.holds(x, y):
            return zone
    return None


def floor_at(x: float, y: float) -> float:
    """Height of the board's surface at a point, mm above the flat (zero or below)."""
    for zone in ZONE.values():
        if (x - zone.x) ** 2 + (y - zone.y) ** 2 <= zone.radius**2:
            return -zone.depth
    return 0.0
