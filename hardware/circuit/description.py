"""The terms of a circuit: zones, GPIO numbers, the cable, parts, boards.

Units: `at` is in steps of 1.27 mm on the page, from its top left corner, y down; `rot` in degrees,
counter-clockwise as KiCad shows it. Pin numbers are those of the package.
"""

from dataclasses import dataclass, field

from spiceboard.flash.sources import pins
from spicecore.parts import LEDS as LED_COUNTS
from spicecore.parts import ZONES as ZONES

BOWLS = ZONES[:9]
LEDS = {zone: LED_COUNTS[k] for k, zone in enumerate(ZONES)}
PICO = pins()  # net -> GPIO of the Pico: the firmware's own table, firmware/boards/pico/pins.py
# GPIO number -> pin of the Pico's 40
GPIO_PIN = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16,
    13: 17, 14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29,
    26: 31, 27: 32, 28: 34,
}  # fmt: skip
# the ribbon cable of 16 conductors: every fast line has a ground beside it
CABLE = {
    1: "+5V", 2: "+5V", 3: "GND", 4: "LED_IN", 5: "GND", 6: "LED_OUT", 7: "GND", 8: "SCK",
    9: "GND", 10: "MOSI", 11: "GND", 12: "MISO", 13: "NSS", 14: "HALL", 15: "GND", 16: "+3V3",
}  # fmt: skip
POWER = ("GND", "+5V", "+3V3")


@dataclass
class Part:
    """One part on one board. `pins` maps the package's pin to a net; None is a marked no-connect."""

    ref: str
    kind: str
    value: str
    pins: dict[str, str | None]
    page: str
    block: str
    at: tuple[float, float]
    rot: int = 0
    dnp: bool = False
    mirror: str = ""
    note: str = ""


@dataclass
class Board:
    """A board: `pages` {name: (title, paper)}, `blocks` {(page, block): (x, y, w, h, title)}.

    Pages named in `apart` hold like blocks side by side: no wire goes from one to the next.
    """

    name: str
    title: str
    pages: dict[str, tuple[str, str]]
    blocks: dict[tuple[str, str], tuple[float, float, float, float, str]]
    parts: list[Part] = field(default_factory=list)
    flags: dict[str, tuple[str, str, float, float]] = field(default_factory=dict)
    texts: list[tuple[str, float, float, str]] = field(default_factory=list)
    apart: tuple[str, ...] = ()

    def add(
        self, ref: str, kind: str, value: str, pins: dict[str, str | None], where: str,
        at: tuple[float, float], rot: int = 0, **more: object,
    ) -> None:  # fmt: skip
        """`where` is "page/block"."""
        page, block = where.split("/")
        self.parts.append(Part(ref, kind, value, pins, page, block, at, rot, **more))  # type: ignore[arg-type]

    def nets(self) -> dict[str, set[tuple[str, str]]]:
        """{net: {(ref, pin), ...}} of everything connected."""
        found: dict[str, set[tuple[str, str]]] = {}
        for part in self.parts:
            for pin, net in part.pins.items():
                if net is not None:
                    found.setdefault(net, set()).add((part.ref, pin))
        return found

    def part(self, ref: str) -> Part:
        """The part with that reference; KeyError if there is none."""
        for part in self.parts:
            if part.ref == ref:
                return part
        raise KeyError(f"{self.name} has no part {ref}")


def two(a: str, b: str) -> dict[str, str | None]:
    """Pins of a two-legged part."""
    return {"1": a, "2": b}
