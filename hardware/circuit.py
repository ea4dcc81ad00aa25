"""The circuit of the three boards, once: parts, pins, nets, and where a part stands on its page.

Everything else is made from this or compared with it: the schematics (tools/schematic.py), the
boards' nets, the bill of materials, the wiring tables of docs/hardware.md, firmware/board.py and
the simulator's wiring (tests/hardware). Nothing here needs KiCad. Words: description.py.
"""

import controller as _controller
import tile as _tile
from description import (
    BOWLS,
    CABLE,
    GPIO_PIN,
    KINDS,
    LEDS,
    PASSIVES,
    PICO,
    POWER,
    ZONES,
    Board,
    Kind,
    Part,
    order,
    resistor,
    two,
)

__all__ = [
    "BOWLS", "CABLE", "GPIO_PIN", "KINDS", "LEDS", "PASSIVES", "PICO", "POWER", "ZONES",
    "Board", "Kind", "Part", "boards", "controller", "order", "resistor", "tile", "two",
]  # fmt: skip


def tile(name: str) -> Board:
    """The bowl tile or the action tile: one reader circuit, two sizes of ring and loop."""
    return _tile.build(name)


def controller() -> Board:
    """The controller."""
    return _controller.build()


def boards() -> dict[str, Board]:
    """All three, by name."""
    return {"bowl": tile("bowl"), "action": tile("action"), "controller": controller()}
