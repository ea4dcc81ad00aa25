"""Ring colours of a board whose pixels cannot be decoded: drawn from its snapshot.

The same `rings` module that the firmware uses turns the abstract shapes into colours.
"""

from typing import Any

from spiceboard.bots.targets import BOWLS, ZONES
from spicecore.lights import rings

LEDS = {zone: 16 if zone in BOWLS else 8 for zone in ZONES}
Lights = dict[str, list[tuple[int, int, int]]]


def from_show(show: dict[str, list[Any]], t_ms: int) -> Lights:
    """Colours of every ring, 0..255, for the shapes of a snapshot at a time of the animation."""
    painter = rings.Painter(order="RGB")
    lights: Lights = {}
    for zone, count in LEDS.items():
        chain = bytearray(3 * count)
        shape = show.get(zone, ["dark"])
        painter.render(chain, 0, count, shape, rings.frame(shape, t_ms))
        lights[zone] = [
            (chain[3 * led], chain[3 * led + 1], chain[3 * led + 2]) for led in range(count)
        ]
    return lights
