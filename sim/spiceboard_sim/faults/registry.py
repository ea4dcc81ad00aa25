"""The list of faults, and how one is made and repaired; the modules beside this one fill it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from spiceboard_sim.board.controller import Controller
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.world import World
from spiceboard_sim.chips.mfrc522 import MFRC522

FOREVER = 1 << 61
_OF_THE_BUS = frozenset(  # after these, readers hear nonsense, or a field cannot be switched off
    "reader_dies select_open select_stuck selects_swapped address_stuck miso_jammed miso_stuck "
    "wire_drops_byte long_wire stuck_reset reader_hangs reader_forgets register_sticks bits_flip "
    "readers_unpowered".split()
)
INDEX = {name: number for number, name in enumerate(ZONE)}


class Target(Protocol):
    """A board of either level: its world and pins; flash and power where it has them."""

    world: World

    @property
    def controller(self) -> Controller: ...


@dataclass(frozen=True)
class Fault:
    """One kind of fault. place: "zone", "chip", "button", "" or another word for its argument."""

    inject: Callable[..., None]
    meaning: str
    place: str


FAULTS: dict[str, Fault] = {}


def fault(place: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
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


def reader_of(board: Target, zone: str) -> MFRC522:
    if zone not in INDEX:
        raise KeyError(f"no zone {zone!r}: zones are {', '.join(ZONE)}")
    return board.world.readers[zone]


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
        field.gain = field.drive = 1.0
        field.noise = field.led_noise = 0.0
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
