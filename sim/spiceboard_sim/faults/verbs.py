"""Faults as verbs on a board: what can be broken, worn, or swapped, to see it named.

`FAULTS` is the list: name -> (function, what it is, what its place is). `inject(board, name, ...)`
does one at once; most can be taken back with `repair(board)`. Nothing of it reaches the firmware
but through pins, bus bytes and flash.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from spiceboard_sim.board.controller import SELECT_ENABLE, Controller
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.world import Chip, World
from spiceboard_sim.chips.mfrc522 import MFRC522
from spiceboard_sim.chips.mfrc522_registers import RF_CFG, T_PRESCALER, VERSION
from spiceboard_sim.chips.ntag213 import Tag
from spicecore.parts import LEDS

_FOREVER = 1 << 61
_OF_THE_BUS = frozenset(  # after these, readers hear nonsense, or a field cannot be switched off
    "reader_dies select_open select_stuck selects_swapped address_stuck miso_jammed miso_stuck "
    "wire_drops_byte long_wire stuck_reset reader_hangs reader_forgets register_sticks bits_flip "
    "readers_unpowered".split()
)
_INDEX = {name: number for number, name in enumerate(ZONE)}


class Target(Protocol):
    """A board of either level: its world and pins; flash and power where it has them."""

    world: World
    controller: Controller


@dataclass(frozen=True)
class Fault:
    """One kind of fault. place: "zone", "chip", "button", "" or another word for its argument."""

    inject: Callable[..., None]
    meaning: str
    place: str


FAULTS: dict[str, Fault] = {}


def _fault(place: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def add(function: Callable[..., None]) -> Callable[..., None]:
        meaning = (function.__doc__ or "").strip().splitlines()[0]
        FAULTS[function.__name__] = Fault(function, meaning, place)
        return function

    return add


def inject(board: Target, name: str, **arguments: Any) -> None:
    """Make a fault now; KeyError names the list, TypeError a wrong argument."""
    if name not in FAULTS:
        raise KeyError(f"no fault {name!r}: there are {', '.join(sorted(FAULTS))}")
    FAULTS[name].inject(board, **arguments)
    if name in _OF_THE_BUS:
        board.world.bus_broken = True


def _reader(board: Target, zone: str) -> MFRC522:
    if zone not in _INDEX:
        raise KeyError(f"no zone {zone!r}: zones are {', '.join(ZONE)}")
    return board.world.readers[zone]


def _retag(board: Target, chip: Chip, tag: Tag) -> None:
    """Give a chip another tag; one in a field wakes with it."""
    chip.tag = tag
    for field in board.world.fields.values():
        field.powered = [(c, s) for c, s in field.powered if c is not chip]
        if field.on:
            field.power(board.world.now)


# --- readers and their bus ---


@_fault("zone")
def reader_dies(board: Target, zone: str) -> None:
    """A reader does not answer on the bus: MISO stays low."""
    _reader(board, zone).dead = True
    board.world.fields[zone].switch(False, board.world.now)


@_fault("zone")
def select_open(board: Target, zone: str) -> None:
    """A reader's select line is broken: the chip lives and is never selected."""
    _reader(board, zone)
    board.world.decoder.open_lines.add(_INDEX[zone])


@_fault("zone")
def select_stuck(board: Target, zone: str, reading: bool = False) -> None:
    """A reader's select line is shorted to ground: it stays for ever in one frame.

    reading: that frame is a read, so that it talks while others are read."""
    reader = _reader(board, zone)
    board.world.decoder.stuck_low = _INDEX[zone]
    board.controller.pin_set(SELECT_ENABLE, board.controller.levels[SELECT_ENABLE])
    reader.transfer(bytes((0x80 | VERSION << 1 if reading else T_PRESCALER << 1,)))


@_fault("zones")
def selects_swapped(board: Target, zone: str, other: str) -> None:
    """Two select lines are exchanged: two readers sit under each other's zone."""
    _reader(board, zone), _reader(board, other)
    board.world.decoder.swap = (_INDEX[zone], _INDEX[other])


@_fault("bit")
def address_stuck(board: Target, bit: int, level: int = 0) -> None:
    """An address line of the decoder is stuck: half of the readers answer for others."""
    board.world.decoder.stuck_bit = (bit, level)


@_fault("zone")
def miso_jammed(board: Target, zone: str) -> None:
    """A clone drives MISO while it is not selected: every other reader reads as ones."""
    _reader(board, zone)
    board.world.jamming.add(zone)


@_fault("level")
def miso_stuck(board: Target, level: int = 1) -> None:
    """MISO is shorted to supply or ground: every reader reads as ones or zeros."""
    board.world.miso_stuck = level


@_fault("n")
def wire_drops_byte(board: Target, n: int = 1) -> None:
    """The n-th byte from now on the bus is lost: a loose contact, once."""
    board.controller.drop_byte(n)


@_fault("zone")
def long_wire(board: Target, zone: str, hz: int = 2_000_000) -> None:
    """A reader's wire is too long: bits are misread above that clock."""
    _reader(board, zone)
    board.world.slow_wires[zone] = hz


@_fault("zone")
def stuck_reset(board: Target, zone: str) -> None:
    """A reader never comes out of reset."""
    reader = _reader(board, zone)
    reader.stuck = True
    reader.hold_reset()


@_fault("zone")
def reader_hangs(board: Target, zone: str) -> None:
    """A reader's registers answer, its transceiver no longer does (until power returns)."""
    _reader(board, zone).deaf = True


@_fault("zone")
def reader_forgets(board: Target, zone: str) -> None:
    """A dip of its supply resets one reader behind the firmware's back."""
    _reader(board, zone).power_on()


@_fault("zone")
def clone_version(board: Target, zone: str, version: int = 0x82) -> None:
    """A clone with an unknown version number that works all the same."""
    _reader(board, zone).version = version


@_fault("zone")
def register_sticks(board: Target, zone: str, register: int = RF_CFG, bits: int = 0x30) -> None:
    """A register does not take what is written: some bits read back as zero."""
    _reader(board, zone).sticky[register] = bits


# --- antennas and tags ---


@_fault("zone")
def weak_antenna(board: Target, zone: str, gain: float = 0.55) -> None:
    """An antenna couples weakly: a bad joint or a wrong capacitor."""
    _reader(board, zone)
    board.world.fields[zone].gain = gain


@_fault("zone")
def antenna_open(board: Target, zone: str) -> None:
    """An antenna is not connected: the reader works and sees nothing."""
    _reader(board, zone)
    board.world.fields[zone].gain = 0.0


@_fault("zones")
def neighbour_detunes(board: Target, zone: str, other: str, gain: float = 0.6) -> None:
    """Two neighbours' loops pull each other off tune: both couple less."""
    weak_antenna(board, zone, gain)
    weak_antenna(board, other, gain)


@_fault("zone")
def noise_at(board: Target, zone: str, chance: float = 0.3) -> None:
    """Noise near an antenna (LED supply, a switching regulator) garbles answers."""
    _reader(board, zone)
    board.world.fields[zone].noise = chance


@_fault("zone")
def noise_of_leds(board: Target, zone: str, chance: float = 0.5) -> None:
    """Answers are garbled in one zone while any LED is lit."""
    _reader(board, zone)
    board.world.fields[zone].led_noise = chance


@_fault("chip")
def tag_flickers(board: Target, chip: str, chance: float = 0.5) -> None:
    """A tag misses frames by chance."""
    board.world.chip(chip).mute = chance


@_fault("chip")
def tag_dead(board: Target, chip: str) -> None:
    """A tag is broken and never answers."""
    board.world.chip(chip).mute = 1.0


@_fault("chip")
def tag_slow(board: Target, chip: str, wake_ms: float = 8.0) -> None:
    """A tag takes long to wake up in the field."""
    found = board.world.chip(chip)
    found.tag.wake_ns = round(wake_ms * 1_000_000)


@_fault("chip")
def wrong_bcc(board: Target, chip: str, level: int = 1) -> None:
    """A tag sends a wrong check byte at one cascade level."""
    found = board.world.chip(chip)
    _retag(board, found, Tag(found.tag.uid, bad_bcc=level))


@_fault("chips")
def duplicate_uid(board: Target, chip: str, other: str) -> None:
    """A chip's tag has the UID of another's: a copied card."""
    found = board.world.chip(chip)
    _retag(board, found, Tag(board.world.chip(other).tag.uid))


@_fault("chip")
def stranger_tag(board: Target, chip: str, uid: str = "04c0ffee123456") -> None:
    """A chip carries a tag that is on no roster."""
    _retag(board, board.world.chip(chip), Tag(bytes.fromhex(uid)))


# --- LEDs, hall sensors, buttons, buzzer ---


@_fault("led")
def led_breaks(board: Target, zone: str, led: int = 0) -> None:
    """An LED in the chain is dead: it and all behind it stay as they are or dark."""
    _reader(board, zone)
    board.world.chain.broken = sum(LEDS[: _INDEX[zone]]) + led


@_fault("zone")
def led_order(board: Target, zone: str) -> None:
    """A ring's LEDs are of another make: red and green are exchanged."""
    _reader(board, zone)
    first = sum(LEDS[: _INDEX[zone]])
    board.world.chain.swapped = range(first, first + LEDS[_INDEX[zone]])


@_fault("zone")
def hall_stuck(board: Target, zone: str, millivolts: float = 3300.0) -> None:
    """A hall sensor's output is stuck high or low."""
    _reader(board, zone)
    board.world.halls[_INDEX[zone]].stuck_mv = millivolts


@_fault("zone")
def hall_drifts(board: Target, zone: str, millivolts: float = 250.0) -> None:
    """A hall sensor's rest level has moved away from its stored baseline."""
    _reader(board, zone)
    board.world.halls[_INDEX[zone]].offset_mv += millivolts


@_fault("")
def hall_noisy(board: Target, millivolts: float = 80.0) -> None:
    """All hall readings are noisy: a bad reference or ground."""
    board.world.hall_noise_mv = millivolts


@_fault("button")
def button_stuck(board: Target, button: str) -> None:
    """A button is stuck down."""
    board.world.press(button)
    board.world.pressed[button] = _FOREVER


@_fault("button")
def button_dead(board: Target, button: str) -> None:
    """A button makes no contact."""
    board.world.press(button, 0)
    board.world.dead_buttons.add(button)


@_fault("")
def buzzer_dead(board: Target) -> None:
    """The buzzer makes no sound."""
    board.world.buzzer.broken = True


# --- supply and flash ---


@_fault("")
def supply_sags(board: Target, millivolts: float = 4300.0) -> None:
    """The 5 V supply is low: a weak adapter or a thin cable."""
    board.world.supply_mv = millivolts


@_fault("")
def brown_out(board: Target) -> None:
    """The supply fails for a moment: everything restarts on the same flash."""
    restart = getattr(board, "restart", None)
    if restart is None:
        raise ValueError("this board cannot be restarted from here")
    restart()


@_fault("")
def flash_full(board: Target, size: int = 0) -> None:
    """No file can grow beyond so many bytes: every longer write is an error."""
    limit = getattr(board, "limit_flash", None)
    if limit is None:
        raise ValueError("this board's flash cannot be limited from here")
    limit(size)


@_fault("file")
def file_corrupt(board: Target, file: str, at: int = -20, flip: int = 0x10) -> None:
    """One bit of a file on flash has changed (journal, roster, settings, ...)."""
    path = Path(getattr(board, "flash", ".")) / file
    if not path.is_file():
        raise ValueError(f"there is no file {file} on this board's flash")
    data = bytearray(path.read_bytes())
    if not data:
        raise ValueError(f"{file} is empty")
    data[at % len(data)] ^= flip
    path.write_bytes(data)


@_fault("file")
def file_cut(board: Target, file: str, keep: int) -> None:
    """A file on flash ends early: power failed while it was written."""
    path = Path(getattr(board, "flash", ".")) / file
    if not path.is_file():
        raise ValueError(f"there is no file {file} on this board's flash")
    path.write_bytes(path.read_bytes()[:keep])


def repair(board: Target) -> None:
    """Undo every fault of readers, bus, antennas, LEDs, hall sensors, buttons and supply.

    Tags and files keep what was done to them."""
    world = board.world
    for reader in world.readers.values():
        reader.dead = reader.deaf = reader.stuck = False
        reader.version = 0x92
        reader.sticky.clear()
        reader.power_on()
    for field in world.fields.values():
        field.gain, field.noise, field.led_noise = 1.0, 0.0, 0.0
    decoder = world.decoder
    decoder.swap = decoder.stuck_low = decoder.stuck_bit = None
    decoder.open_lines.clear()
    world.jamming.clear()
    world.slow_wires.clear()
    world.bus_broken = False
    world.bit_flips.clear()
    world.miso_stuck = None
    world.hall_bit = None
    world.chain.broken, world.chain.swapped = None, range(0)
    for hall in world.halls:
        hall.stuck_mv = None
    world.hall_noise_mv = 2.0
    world.pressed.clear()
    world.dead_buttons.clear()
    world.buzzer.broken = False
    world.supply_mv = 5000.0
