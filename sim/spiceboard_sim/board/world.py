"""The world: chips on the board, fields, readers, LEDs, buttons, and the time they share.

It knows poses in millimetres and never tells the firmware anything but bus bytes, pin levels and
time. Verbs are those of hands (`lay`, `lift`, `throw`, `press`); faults are in `faults.py`.
"""

import heapq
import random
from collections.abc import Callable
from functools import cached_property
from math import hypot, sqrt

from spiceboard_sim.board.geometry import (
    CHIP_RADIUS,
    CHIP_THICKNESS,
    TAG_RESONANCE,
    ZONE,
    Zone,
    floor_at,
    zone_at,
)
from spiceboard_sim.chips.air import NotModelled, Reception, Response, superpose
from spiceboard_sim.chips.mfrc522 import MFRC522
from spiceboard_sim.chips.ntag213 import Tag
from spiceboard_sim.chips.small import Buzzer, Decoder, Hall
from spiceboard_sim.chips.ws2812 import Chain
from spiceboard_sim.rf import circuit, coupling, overlap
from spiceboard_sim.rf.tag import WAKE_VOLT, TagCircuit, spread
from spiceboard_sim.throws.choose import physics
from spiceboard_sim.throws.course import Course, Physics
from spiceboard_sim.throws.pose import Pose as Pose
from spiceboard_sim.throws.pose import impossible, off_board
from spicecore.parts import CHIPS, LEDS, colour

BUTTONS = ("ok", "no", "undo")
_MS = 1_000_000
# of the loop's current: with the conductance that a reset leaves (hardware/calc; a test compares)
AFTER_RESET = 0.88
_HALL_MV = 120.0  # what a chip's magnet does to the sensor below it; the sign is its face


class Chip:
    """A chip or the mill. pose None: off the board. mute: chance (0 to 1) that its tag misses
    a frame, for a damaged or wobbling one. circuit: its tag's resonance and Q."""

    def __init__(self, name: str, tag: Tag, circuit: TagCircuit) -> None:
        self.name = name
        self.tag = tag
        self.circuit = circuit
        self.pose: Pose | None = None
        self.mute = 0.0
        self.course: Course | None = None  # the throw that moves it just now

    @property
    def colour(self) -> str:
        """What eyes see of it."""
        return colour(self.name)


class ZoneField:
    """The antenna of one zone.

    Faults: `drive` below 1 is a weak field, `gain` below 1 a weak receiver, both a weak antenna;
    `noise` and `led_noise` are chances that an answer is garbled, always or while any LED is lit.
    """

    def __init__(self, world: "World", zone: Zone) -> None:
        self._world = world
        self.zone = zone
        self.gain = self.drive = 1.0
        self._conductance = AFTER_RESET
        self.noise = self.led_noise = 0.0
        self.on = False
        self.powered: list[tuple[Chip, float]] = []
        self._solved: tuple[int, float] = (-1, 0.0)  # moves of the world, and current, then
        self._felt: dict[str, tuple[float, float]] = {}

    def conduct(self, full: bool) -> None:
        """See `air.Field`."""
        self._conductance = 1.0 if full else AFTER_RESET

    def switch(self, on: bool, now: int) -> None:
        """See `air.Field`; others at once are refused where they would disturb."""
        if on == self.on:
            return
        self.on = on
        if on:
            others = [f.zone for f in self._world.fields.values() if f.on and f is not self]
            if others and not self._world.bus_broken:
                self._beside(others)
            self._world.fields_on += 1
            self.power(now)
        else:
            for chip, _ in self.powered:
                chip.tag.lose()
            self.powered = []

    def _beside(self, others: list[Zone]) -> None:
        """Other fields are on: refused where two of them disturb each other's tags, or where four
        ask more of the supply than it gives. `send` judges what others add up to."""
        self._world.overlaps += 1
        if len(others) > 2:
            names = ", ".join(zone.name for zone in [*others, self.zone])
            raise NotModelled(f"four fields are on at once: {names}; docs/sensing.md allows three")
        for other in others:
            if not overlap.harmless(self.zone, other):
                part = max(overlap.share(self.zone, other), overlap.share(other, self.zone))
                raise NotModelled(
                    f"two fields are on at once, {other.name} and {self.zone.name}: one has up to "
                    f"{100 * part:.0f} % of the other at its tags, and "
                    f"{100 * overlap.RESIDUE:.0f} % are allowed (requirement 1, docs/sensing.md)"
                )

    def _judge(self) -> None:
        """This reader sends a frame: refused where two other fields add up to too much."""
        others = [f.zone for f in self._world.fields.values() if f.on and f is not self]
        if len(others) > 1 and not overlap.quiet(self.zone, *others):
            names = " and ".join(zone.name for zone in others)
            raise NotModelled(
                f"{self.zone.name} is read while the fields of {names} are on, which together "
                f"have more than {100 * overlap.RESIDUE:.0f} % of its own at a tag "
                "(docs/sensing.md)"
            )

    def power(self, now: int) -> None:
        """Wake the tags that get enough now, and put to sleep those that no longer do."""
        before = {chip.name: chip for chip, _ in self.powered}
        after = []
        for name, (volts, strength) in self._all().items():
            if volts >= WAKE_VOLT:
                chip = self._world.chips[name]
                after.append((chip, strength * self.gain))
                if before.pop(name, None) is None:
                    chip.tag.power(now)
        for chip in before.values():
            chip.tag.lose()
        self.powered = after

    def strength(self, chip: Chip) -> float:
        """How well a chip is heard if it is awake: 1 is a tag alone in the middle."""
        return self._feels(chip)[1]

    def volts(self, chip: Chip) -> float:
        """Peak voltage at a chip in this field."""
        return self._feels(chip)[0]

    def _feels(self, chip: Chip) -> tuple[float, float]:
        """A chip's voltage and strength, among all chips nearby."""
        volts, strength = self._all().get(chip.name, (0.0, 0.0))
        return volts, strength * self.gain

    @property
    def _current(self) -> float:
        """As a share of what the loop has with full conductance."""
        return self.drive * self._conductance

    def _all(self) -> dict[str, tuple[float, float]]:
        """The same of all chips nearby, before the receiver's gain; computed again if something
        has moved."""
        state = (self._world.moves, self._current)
        if self._solved != state:
            self._solved = state
            self._felt = self._solve()
        return self._felt

    def _solve(self) -> dict[str, tuple[float, float]]:
        zone = self.zone
        near = [
            (chip, chip.pose)
            for chip in self._world.chips.values()
            if chip.pose is not None
            and hypot(chip.pose.x - zone.x, chip.pose.y - zone.y) < circuit.REACH
        ]
        if not near:
            return {}
        tags = [chip.circuit for chip, _ in near]
        found = circuit.solve(zone, [pose for _, pose in near], tags, self._current)
        alone = circuit.alone(zone).heard[0]
        return {
            chip.name: (volts, sqrt(heard / alone))
            for (chip, _), volts, heard in zip(near, found.volts, found.heard, strict=True)
        }

    def send(self, value: int, bits: int, start: int, end: int, gain_db: int) -> Reception | None:
        """See `air.Field`: tags hear it as they are powered, the reader as its gain allows."""
        world = self._world
        if not world.bus_broken:
            self._judge()
        chance = world.chance
        least = coupling.heard_at(gain_db)
        heard: list[tuple[Response, float]] = []
        loudest = 0.0
        for chip, strength in self.powered:
            if chip.mute and chance() < chip.mute:
                continue
            answer = chip.tag.receive(value, bits, start, end)
            if answer is None:
                continue
            margin = strength / least
            if margin < coupling.SURE:
                if margin < coupling.NEVER:
                    continue
                if chance() * (coupling.SURE - coupling.NEVER) > margin - coupling.NEVER:
                    continue
            heard.append((answer, strength))
            loudest = max(loudest, strength)
        reception = superpose([a for a, s in heard if s >= coupling.MASKED * loudest])
        noise = coupling.NOISE[gain_db] + self.noise
        if self.led_noise and world.chain.lit(world.now):
            noise += self.led_noise
        if reception is not None and noise and chance() < noise:
            return Reception(
                reception.bits, reception.value ^ 4, reception.clash, reception.fdt_ns, False
            )
        return reception


def _height(item: tuple[str, Pose | None]) -> float:
    return item[1].height if item[1] is not None else 0.0


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

    now: virtual time in ns, moved on by the board's process. seed: for everything random in it.
    """

    def __init__(self, seed: int = 0, uids: dict[str, bytes] | None = None) -> None:
        self.now = 0
        self.random = random.Random(seed)
        self.chance = self.random.random
        self.fields = {name: ZoneField(self, zone) for name, zone in ZONE.items()}
        self.fields_on = 0  # how often a field was switched on
        self.overlaps = 0  # and how often while another was
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
        self.dead_buttons: set[str] = set()
        self.jamming: set[str] = set()  # zones whose reader drives MISO unselected
        self.slow_wires: dict[str, int] = {}  # zone -> highest clock (Hz) that it stands
        self.bus_broken = False  # readers may hear nonsense then, and fields stay on
        self.miso_stuck: int | None = None
        self.bit_flips: dict[str, float] = {}  # zone -> chance that a byte of its answers is wrong
        self.hall_bit: tuple[int, int] | None = (
            None  # multiplexer address (bit, level) that sticks
        )
        self.supply_mv = 5000.0
        batch = random.Random(f"tags {seed}")
        self.chips = {
            name: Chip(name, Tag(uid), spread(TagCircuit(TAG_RESONANCE), batch))
            for name, uid in (uids or default_uids()).items()
        }
        self.moves = 0  # how often anything was moved
        self.thrown: list[Course] = []  # every throw's course, for pages, tests and counts
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

    @cached_property
    def physics(self) -> Physics:
        """What works out throws and touches; made when it is first needed."""
        return physics()

    def place(self, name: str, pose: Pose | None) -> None:
        """Put a chip exactly there (None: off the board). ValueError: no chip can lie so."""
        chip = self.chip(name)
        if pose is not None and (why := impossible(pose)):
            raise ValueError(why)
        chip.course = None
        self._put(name, pose)
        self._moved()

    def _put(self, name: str, pose: Pose | None) -> None:
        self.chips[name].pose = pose
        if name in self._order:
            self._order.remove(name)
        if pose is not None:
            self._order.append(name)

    def lay(self, name: str, zone: str | None = None, x: float = 0.0, y: float = 0.0) -> Pose:
        """Lay a chip flat by hand into a zone, or at a point, on what lies there already."""
        if zone is not None:
            if zone not in ZONE:
                raise KeyError(f"no zone {zone!r}: zones are {', '.join(ZONE)}")
            x, y = self._free_place(ZONE[zone])
        chip = self.chip(name)
        if why := off_board(x, y):
            raise ValueError(why)
        chip.pose = None
        face_up = self.random.random() < 0.5
        pose = Pose(x, y, floor_at(x, y), 0.0, 0.0, face_up)
        if self._alone(name, pose):
            self.place(name, pose)
            return pose
        self._take(self.physics.lay(name, x, y, face_up, self._poses(name)))
        laid = self.chips[name].pose
        return pose if laid is None else laid  # it may have slid off the rim

    def _alone(self, name: str, pose: Pose) -> bool:
        """Does a chip lie flat there without touching another?"""
        zone = zone_at(pose.x, pose.y)
        if zone is not None:
            off = hypot(pose.x - zone.x, pose.y - zone.y)
            if zone.radius - CHIP_RADIUS < off:
                return False
        return all(
            hypot(pose.x - other.x, pose.y - other.y) > 2 * CHIP_RADIUS
            for other in self._poses(name).values()
        )

    def _poses(self, but: str = "") -> dict[str, Pose]:
        """Where all chips lie, or will when they have come to rest."""
        found = {}
        for name, chip in self.chips.items():
            pose = chip.pose
            if chip.course is not None and name in chip.course.rest:
                pose = chip.course.rest[name]
            if pose is not None and name != but:
                found[name] = pose
        return found

    def _take(self, course: Course) -> None:
        """What a touch moved lies there now, the lowest first."""
        for name, pose in sorted(course.rest.items(), key=_height):
            self.chips[name].course = None
            self._put(name, pose)
        self._moved()

    def _free_place(self, zone: Zone) -> tuple[float, float]:
        """Where a careful hand puts it: beside what lies in the zone, else in the middle on it."""
        spots = [(zone.x, zone.y)]
        if zone.radius > 30:
            r = 23.0
            around = ((-r, 0.0), (r, 0.0), (0.0, -r), (0.0, r))
            spots = [(zone.x + dx, zone.y + dy) for dx, dy in around] + spots
        return min(spots, key=lambda spot: (self.surface(*spot), spots.index(spot)))

    def throw(
        self,
        name: str,
        zone: str | None = None,
        strength: float = 0.4,
        x: float = 0.0,
        y: float = 0.0,
    ) -> None:
        """Throw a chip at a zone's middle or a point; it touches down after some 0.2 s, and all
        lies still 0.2 to 2 s later. What comes of it: the last of `thrown`."""
        if zone is not None:
            if zone not in ZONE:
                raise KeyError(f"no zone {zone!r}: zones are {', '.join(ZONE)}")
            x, y = ZONE[zone].x, ZONE[zone].y
        chip = self.chip(name)
        if chip.pose is not None or chip.course is not None:
            raise KeyError(f"{name} lies on the board: lift it first")
        course = self.physics.throw(name, (x, y), strength, self._poses(), self.random)
        self.thrown.append(course)
        for moved in {name, *course.rest}:
            self.chips[moved].course = course
        begun = self.now
        course.begun_ms = begun // 1_000_000
        for seconds, poses in course.frames:
            if course.touched_s is not None and seconds >= course.touched_s:
                self.at(begun + round(seconds * 1e9), lambda p=poses: self._show(course, p))  # type: ignore[misc]
        self.at(begun + round(course.seconds * 1e9), lambda: self._come_to_rest(course))

    def _show(self, course: Course, poses: dict[str, Pose]) -> None:
        """A picture of a throw's course: chips that no hand took meanwhile."""
        for name, pose in poses.items():
            if self.chips[name].course is course:
                self._put(name, pose)
        self._moved()

    def _come_to_rest(self, course: Course) -> None:
        mine = {n: p for n, p in course.rest.items() if self.chips[n].course is course}
        for chip in self.chips.values():
            if chip.course is course:
                chip.course = None
        self._take(Course(rest=mine))

    def lift(self, name: str) -> None:
        """Take a chip off the board, what lay on it sinks."""
        pose = self.chip(name).pose
        self.place(name, None)
        near = 2 * CHIP_RADIUS + 1
        if pose and any(
            hypot(pose.x - other.x, pose.y - other.y) < near for other in self._poses().values()
        ):
            self.settle()

    def settle(self) -> None:
        """Let every chip come down on what is below it now."""
        self._take(self.physics.settle(self._poses()))

    def surface(self, x: float, y: float) -> float:
        """Height on which a chip laid at (x, y) by hand lies (mm above the flat)."""
        heights = [
            other.height + CHIP_THICKNESS
            for other in self._poses().values()
            if hypot(x - other.x, y - other.y) < 2 * CHIP_RADIUS
        ]
        return max([floor_at(x, y), *heights])

    def press(self, button: str, ms: int = 150) -> None:
        """Hold one of the three buttons down for `ms` milliseconds."""
        if button not in BUTTONS:
            raise KeyError(f"no button {button!r}: buttons are ok, no, undo")
        self.pressed[button] = self.now + ms * 1_000_000

    def _moved(self) -> None:
        """A field that is on feels the change; the hall sensors do."""
        self.moves += 1
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

    def look(self) -> list[tuple[str, float, float]]:
        """(colour, x, y) of every chip on the board, the lowest first: no more than eyes see."""
        seen = []
        for name in self._order:
            chip = self.chips[name]
            if chip.pose is not None:
                seen.append((chip.colour, chip.pose.x, chip.pose.y))
        return seen

    def look_closely(self) -> list[tuple[str, float, float, float, float, float]]:
        """The same with how each lies: (colour, x, y, height, tilt, towards), see Pose."""
        poses = [(self.chips[name].colour, self.chips[name].pose) for name in self._order]
        return [(c, p.x, p.y, p.height, p.tilt, p.towards) for c, p in poses if p is not None]

    def order(self) -> list[str]:
        """Chips on the board in the order in which they came to lie."""
        return list(self._order)
