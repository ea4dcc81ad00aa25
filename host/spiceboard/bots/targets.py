"""The plan of the board that people and bots aim at, in millimetres from its top left corner.

x to the right, y down. The dimensions are those of the simulator's and the build's geometry table;
a test holds them against it.
"""

import math

BOWLS = tuple("curry ginger cardamom chili saffron garlic mint cumin cinnamon".split())
PITCH = 118.0  # from bowl to bowl
MARGIN = 60.0  # from the rim to the first bowl's middle
SIZE = 2 * MARGIN + 2 * PITCH
BOWL_RADIUS, ACTION_RADIUS = 42.0, 22.0
CHIP_DIAMETER = 32.0
HOLE_RADIUS = 3.0  # an edge that is seen through the chip's hole counts as inside

# Centres in units of the pitch, from the first bowl.
GRID = {name: (float(i % 3), float(i // 3)) for i, name in enumerate(BOWLS)} | {
    "extra_throw": (0.5, 0.5),
    "spice_card": (1.5, 0.5),
    "reserve": (1.5, 1.5),
    "head_chef": (0.5, 1.5),
}
ZONES = tuple(GRID)
CENTRES = {zone: (MARGIN + x * PITCH, MARGIN + y * PITCH) for zone, (x, y) in GRID.items()}


def radius(zone: str) -> float:
    """Radius of a zone."""
    return BOWL_RADIUS if zone in BOWLS else ACTION_RADIUS


def distance(zone: str, x: float, y: float) -> float:
    """From a zone's middle to a point."""
    return math.hypot(x - CENTRES[zone][0], y - CENTRES[zone][1])


# Games on the rules alone ask for the zone of a point at each step: what that needs is kept.
REACHES = tuple((zone, *CENTRES[zone], radius(zone) + HOLE_RADIUS) for zone in ZONES)


def counts_in(zone: str, x: float, y: float) -> bool:
    """Does a chip whose middle is there count in the zone?"""
    return distance(zone, x, y) <= radius(zone) + HOLE_RADIUS


def zone_at(x: float, y: float) -> str | None:
    """The zone in which a chip there counts, or None."""
    for zone, middle_x, middle_y, reach in REACHES:
        if math.hypot(x - middle_x, y - middle_y) <= reach:
            return zone
    return None


def on_board(x: float, y: float) -> bool:
    """Is that point within the rim?"""
    return 0 < x < SIZE and 0 < y < SIZE
