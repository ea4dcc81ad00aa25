"""The circuit of the three boards, once: parts, pins, nets, and where a part stands on its page.

Everything else is made from this or compared with it: the schematics (generate/schematic.py), the
boards' nets, the bill of materials, the wiring tables of docs/hardware.md, firmware/boards/pico/board.py and
the simulator's wiring (tests/hardware). Nothing here needs KiCad.
"""

from hardware.circuit import controller, tile
from hardware.circuit.catalogue import KINDS, PASSIVES, Kind, order, resistor
from hardware.circuit.description import (
    BOWLS,
    CABLE,
    GPIO_PIN,
    LEDS,
    PICO,
    POWER,
    ZONES,
    Board,
    Part,
    two,
)

__all__ = [
    "BOARDS", "BOWLS", "CABLE", "GPIO_PIN", "KINDS", "LEDS", "PASSIVES", "PICO", "POWER", "ZONES",
    "Board", "Kind", "Part", "board", "boards", "order", "resistor", "two",
]  # fmt: skip

BOARDS = ("bowl", "action", "controller")


def board(name: str) -> Board:
    """The board of that name: the tiles share one reader circuit, with two sizes of ring and loop."""
    return controller.build() if name == "controller" else tile.build(name)


def boards() -> dict[str, Board]:
    """All three, by name."""
    return {name: board(name) for name in BOARDS}
