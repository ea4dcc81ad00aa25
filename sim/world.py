"""The world: chips on the board, fields, readers, LEDs, buttons, and the time they share.

It knows poses in millimetres and never tells the firmware anything but bus bytes, pin levels and
time. Verbs are those of hands (`lay`, `lift`, `throw`, `press`); faults are in `faults.py`.
"""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass

from spiceboard.sim import rf
from spiceboard.sim.chips.air import NotModelled, Reception, Response, superpose
from spiceboard.sim.chips.mfrc522 import MFRC522
from spiceboard.sim.chips.ntag213 import Tag
from spiceboard.sim.chips.small import Buzzer, Decoder, Hall
from spiceboard.sim.chips.ws2812 import Chain
from spiceboard.sim.geometry import CHIP_THICKNESS, ZONE, Zone, floor_at, zone_at
from spiceboard.spicecore.parts import CHIPS, LEDS, MILL, colour

BUTTONS = ("ok", "no", "undo")
MILL_HEIGHT = 2.0  # mm: the mill's tag is in its foot, as high as a chip's
_HALL_MV = 120.0  # what a chip's magnet does to the sensor below it; the sign is its face


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a chip lies: its centre, its lower side above the flat (mm), tilt in degrees, and
    the direction of its low side from the x axis. face_up turns the magnet over."""

    x: float
    y: float
    height: float
    tilt: float = 0.0
    towards: float = 0.0
    face_up: bool = True


class Chip:
    """A chip or the mill. pose None: off the board. mute: chance (0 to 1) that its tag misses
    a frame, for a damaged or wobbling one."""

    def __init__(self, name: str, tag: Tag) -> None:
        self.name = name
        self.tag = tag
        self.pose: Pose | None = None
        self.mute = 0.0
        self.powered_by: ZoneField | None = None

    @property
    def colour(self) -> str:
        """What eyes see of it."""
        return colour(self.name)


class ZoneField:
    """The antenna of one zone; `gain` below 1 is a weak one (a fault)."""

    def __init__(self, world: "World", zone: Zone) -> None:
        self._world = world
        self.zone = zone
        self.gain = 1.0
        self.on = False
        self.powered: list[tuple[Chip, float]] = []

    def switch(self, on: bool, now: int) -> None:
        """See `air.Field`; a second field at once is refused."""
        if on == self.on:
            return
        self.on = on
        if on:
            others = [f.zone.name for f in self._world.fields.values() if f.on and f is not self]
            if others:
                raise NotModelled(
                    f"two fields are on at once, {others[0]} and {self.zone.name}: readers "
                    "disturb each other (requirement 1)"
                )
            self._world.fields_on += 1
            self.power(now)
        else:
            for chip, _ in self.powered:
                chip.tag.lose()
                chip.powered_by = None
            self.powered = []

    def power(self, now: int) -> None:
        """Wake the tags that get enough now, and put to sleep those that no longer do."""
        before = {chip.name for chip, _ in self.powered}
        after = []
        for chip in self._world.chips.values():
            strength = self.strength(chip)
            if strength >= rf.WAKES:
                after.append((chip, strength))
                if chip.name not in before:
                    chip.tag.power(now)
                    chip.powered_by = self
            elif chip.name in before:
                chip.tag.lose()
                chip.powered_by = None
        self.powered = after

    def strength(self, chip: Chip) -> float:
        """Magnitude of the coupling of a chip with this antenna."""
        pose = chip.pose
        if pose is None:
            return 0.0
        return self.gain * abs(
            rf.strength(self.zone, pose.x, pose.y, pose.height, pose.tilt, pose.towards)
        )

    def send(self, value: int, bits: int, start: int, end: int, gain_db: int) -> Reception | None:
        """See `air.Field`: tags hear it as they are powered, the reader as its gain allows."""
        world = self._world
        chance = world.chance
        least = rf.heard_at(gain_db)
        heard: list[tuple[Response, float]] = []
        loudest = 0.0
        for chip, strength in self.powered:
            if chip.mute and chance() < chip.mute:
                continue
            answer = chip.tag.receive(value, bits, start, end)
            if answer is None:
                continue
            margin = strength / least
            if margin < rf.SURE:
                if margin < rf.NEVER:
                    continue
                if chance() * (rf.SURE - rf.NEVER) > margin - rf.NEVER:
                    continue
            heard.append((answer, strength))
            loudest = max(loudest, strength)
        reception = superpose([a for a, s in heard if s >= rf.MASKED * loudest])
        noise = rf.NOISE[gain_db]
        if reception is not None and noise and chance() < noise:
            return Reception(
                reception.bits, reception.value ^ 4, reception.clash, reception.fdt_ns, False
            )
        return reception


def default_uids() -> dict[str, bytes]:
    """UIDs of a set of chips bought as one batch: first bytes alike, as such batches have them."""
    draw = random.Random(213)
    uids: dict[str, bytes] = {}
    for number, name in enumerate(CHIPS):
        serial = 0x51_0000 + 37 * number * number + 11 * number
        uids[name] = bytes((0x04, serial >> 8 & 255, serial & 255, 0x2A, draw.randrange(256)))
        uids[name] += bytes((0x6C, 0x80))
    return uids


class World:
    """Everything outside the microcontroller.

    now: virtual time in ns, moved on by whoever runs the firmware. seed: of all chance in it.
    """

    def __init__(self, seed: int = 0, uids: dict[str, bytes] | None = None) -> None:
        self.now = 0
        self.random = random.Random(seed)
        self.chance = self.random.random
        self.fields = {name: ZoneField(self, zone) for name, zone in ZONE.items()}
        self.fields_on = 0  # how often a field was switched on
        self.readers = {
            name: MFRC522(lambda: self.now, field, f"reader {name}")
            for name, field in self.fields.items()
        }
        self.decoder = Decoder()
        self.chain = Chain(sum(LEDS))
        self.led_frames_in_field = 0  # frames begun while a field was on
        self.halls = [Hall(offset) for offset in self._hall_offsets()]
        self.hall_noise_mv = 2.0
        self.buzzer = Buzzer()
        self.pressed: dict[str, int] = {}  # button -> until (ns)
        self.supply_mv = 5000.0
        self.chips = {
            name: Chip(name, Tag(uid)) for name, uid in (uids or default_uids()).items()
        }
        self._order: list[str] = []  # of laying, for stacks
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._event_number = 0

    def _hall_offsets(self) -> list[float]:
        return [self.random.uniform(-40, 40) for _ in ZONE]

    # --- time ---

    def at(self, when: int, action: Callable[[], None]) -> None:
        """Do something at a virtual time (ns); the past means now."""
        self._event_number += 1
        heapq.heappush(self._events, (max(when, self.now), self._event_number, action))

    def next_event(self) -> int | None:
        """When the next planned thing happens (ns), or None."""
        return self._events[0][0] if self._events else None

    def advance(self, to: int) -> None:
        """Let time pass, doing what is due."""
        while self._events and self._events[0][0] <= to:
            when, _, action = heapq.heappop(self._events)
            self.now = max(self.now, when)
            action()
        self.now = max(self.now, to)

    # --- hands ---

    def chip(self, name: str) -> Chip:
        """The chip of that name; KeyError with a sentence otherwise."""
        if name not in self.chips:
            raise KeyError(f"no chip {name!r}: chips are b10 to o60, and mill")
        return self.chips[name]

    def place(self, name: str, pose: Pose | None) -> None:
        """Put a chip exactly there (None: off the board)."""
        chip = self.chip(name)
        chip.pose = pose
        if name in self._order:
            self._order.remove(name)
        if pose is not None:
            self._order.append(name)
        self._moved()

    def lay(self, name: str, zone: str | None = None, x: float = 0.0, y: float = 0.0) -> Pose:
        """Lay a chip flat by hand into a zone, or at a point, on what lies there already."""
        if zone is not None:
            if zone not in ZONE:
                raise KeyError(f"no zone {zone!r}: zones are {', '.join(ZONE)}")
            x, y = self._free_place(ZONE[zone])
        chip = self.chip(name)
        chip.pose = None
        pose = Pose(x, y, self.surface(x, y, name), face_up=self.random.random() < 0.5)
        self.place(name, pose)
        return pose

    def _free_place(self, zone: Zone) -> tuple[float, float]:
        """Where a careful hand puts it: beside what lies in the zone, else in the middle on it."""
        steps = (0.0, 22.0) if zone.radius > 30 else (0.0,)
        spots = [(zone.x, zone.y)]
        spots += [
            (zone.x + r * dx, zone.y + r * dy)
            for r in steps[1:]
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))
        ]
        return min(spots, key=lambda spot: (self.surface(*spot), spots.index(spot)))

    def lift(self, name: str) -> None:
        """Take a chip off the board, what lay on it sinks."""
        self.place(name, None)
        self.settle()

    def settle(self) -> None:
        """Let every chip come down on what is below it now (in the order they were laid)."""
        for name in self._order:
            chip = self.chips[name]
            pose = chip.pose
            if pose is None or name == MILL:
                continue
            height = self.surface(pose.x, pose.y, name, below=self._order.index(name))
            if height < pose.height - 1e-9:
                level = height <= floor_at(pose.x, pose.y) + 1e-9
                tilt = 0.0 if level else pose.tilt
                chip.pose = Pose(pose.x, pose.y, height, tilt, pose.towards, pose.face_up)
        self._moved()

    def surface(self, x: float, y: float, name: str = "", below: int | None = None) -> float:
        """Height on which the lower side of a chip laid at (x, y) comes to rest.

        The highest of the floor and the chips whose middle carries it: those less than 0.7
        diameters away."""
        height = floor_at(x, y)
        for other in self._order if below is None else self._order[:below]:
            pose = self.chips[other].pose
            if pose is None or other == name:
                continue
            if (pose.x - x) ** 2 + (pose.y - y) ** 2 < 22.4**2:
                height = max(height, pose.height + CHIP_THICKNESS)
        return height

    def press(self, button: str, ms: int = 150) -> None:
        """Hold one of the three buttons down for so long."""
        if button not in BUTTONS:
            raise KeyError(f"no button {button!r}: buttons are ok, no, undo")
        self.pressed[button] = self.now + ms * 1_000_000

    def _moved(self) -> None:
        """A field that is on feels the change; the hall sensors do."""
        for index, zone in enumerate(ZONE.values()):
            self.halls[index].field_mv = sum(
                _HALL_MV * (1 if chip.pose.face_up else -1)
                for chip in self.chips.values()
                if chip.pose is not None and zone.holds(chip.pose.x, chip.pose.y)
            )
        for field in self.fields.values():
            if field.on:
                field.power(self.now)

    # --- eyes ---

    def rings(self) -> dict[str, list[tuple[int, int, int]]]:
        """{zone: (r, g, b) of each LED} as decoded from the pixel line, 12 o'clock first."""
        colours = self.chain.colours(self.now)
        shown, start = {}, 0
        for name, count in zip(ZONE, LEDS, strict=True):
            shown[name] = colours[start : start + count]
            start += count
        return shown

    def lying(self) -> dict[str, str | None]:
        """{chip on the board: the zone in which it is valid, or None on the flat}."""
        found: dict[str, str | None] = {}
        for name in self._order:
            pose = self.chips[name].pose
            if pose is not None:
                zone = zone_at(pose.x, pose.y)
                found[name] = zone.name if zone else None
        return found

    def order(self) -> list[str]:
        """Chips on the board in the order in which they came to lie."""
        return list(self._order)
