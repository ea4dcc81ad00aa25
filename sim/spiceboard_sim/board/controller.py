"""The controller board as its microcontroller sees it: what hangs on which pin.

Pins in, pins out, bus bytes; used by the interpreter's process (`process.py`) and by the emulated
chip alike. Pin numbers come from the table of the firmware's board.
"""

from spiceboard.flash.sources import pins
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.world import World
from spiceboard_sim.chips.air import NotModelled
from spiceboard_sim.chips.pio import Program

PINS = pins()
SCK, MOSI, MISO = PINS["SCK"], PINS["MOSI"], PINS["MISO"]
SELECT_ENABLE = PINS["SEL_EN"]
SELECT_ADDRESS = tuple(PINS[f"SEL_A{bit}"] for bit in range(4))
PIXELS = PINS["PIX"]
HALL_ADDRESS = tuple(PINS[f"HALL_S{bit}"] for bit in range(4))
BUZZER = PINS["BUZZER"]
BUTTONS = {PINS["BTN_OK"]: "ok", PINS["BTN_NO"]: "no", PINS["BTN_UNDO"]: "undo"}
HALL_ADC, SUPPLY_ADC = PINS["HALL_ADC"], PINS["SENSE_5V"]
SPI_LIMIT_HZ = 10_000_000
_OUTPUTS = frozenset(
    (SELECT_ENABLE, *SELECT_ADDRESS, PIXELS, *HALL_ADDRESS, BUZZER, 0, 25)
)  # 25 is the Pico's own LED
_IN, _OUT = 0, 1
_PULL_DOWN = 2


class Controller:
    """The pins of one Pico on the board. All times are the world's."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._readers = list(world.readers.values())
        self.reset()

    def reset(self) -> None:
        """The microcontroller restarts: its pins float, outside pulls decide.

        The select enable is pulled up, addresses and multiplexer pulled down.
        """
        self.levels = dict.fromkeys(_OUTPUTS, 0)
        self.levels[SELECT_ENABLE] = 1
        self._driven: set[int] = set()
        self.spi_hz = 0
        self._dropping = 0
        world = self.world
        world.decoder.enabled = False
        world.decoder.address = 0
        world.buzzer.drive(0, 0, world.now)
        self._selected: tuple[int, ...] = ()  # lines that are low
        self._on_bus: tuple[int, ...] = ()  # those that lead to a reader
        self._select()
        self.bytes_sent = 0
        self.accesses = 0

    # --- pins ---

    def pin_init(self, pin: int, mode: int, pull: int, level: int) -> None:
        """Make a pin an input or output; internal pull-downs are refused."""
        if pull == _PULL_DOWN:
            raise NotModelled(
                f"internal pull-down on GP{pin}: the RP2350 latches with it (erratum E9); the "
                "board has its own pulls"
            )
        if mode == _OUT:
            if pin not in _OUTPUTS:
                raise NotModelled(f"GP{pin} as output: on this board something else drives it")
            self._driven.add(pin)
            self.pin_set(pin, level)

    def pin_set(self, pin: int, level: int) -> None:
        """Drive an output."""
        if pin not in self._driven:
            raise NotModelled(f"GP{pin} is set, but is not an output yet")
        self.levels[pin] = level
        if pin == SELECT_ENABLE:
            self.world.decoder.enabled = not level
            self._select()
        elif pin in SELECT_ADDRESS:
            decoder = self.world.decoder
            bit = 1 << (pin - SELECT_ADDRESS[0])
            decoder.address = decoder.address & ~bit | (bit if level else 0)
            if decoder.enabled:  # nothing is selected by an address alone
                self._select()

    def _select(self) -> None:
        low, before = self.world.decoder.low(), self._selected
        if low == before:
            return
        readers = self._readers
        for line in before:
            if line not in low and line < len(readers):
                readers[line].deselect()
        for line in low:
            if line not in before and line < len(readers):
                readers[line].select()
        self._selected = low
        self._on_bus = tuple([line for line in low if line < len(readers)]) if low else ()

    def pin_get(self, pin: int) -> int:
        """Level of a pin as an input: buttons are low while pressed, outputs read back."""
        if pin in BUTTONS:
            button = BUTTONS[pin]
            if button in self.world.dead_buttons:
                return 1
            return 0 if self.world.now < self.world.pressed.get(button, 0) else 1
        if pin in self._driven:
            return self.levels[pin]
        if pin == MISO:
            return 0  # pulled down outside
        raise NotModelled(f"reading GP{pin}: nothing is connected there")

    # --- SPI ---

    def spi_init(self, hz: int) -> None:
        """Set the clock; the readers stand 10 MHz (MFRC522 data sheet 8.1.2)."""
        if hz > SPI_LIMIT_HZ:
            raise NotModelled(
                f"SPI at {hz / 1e6:.1f} MHz: the MFRC522 stands at most 10 MHz (8.1.2)"
            )
        self.spi_hz = hz

    def spi(self, data: bytes) -> bytes:
        """Exchange bytes with the selected reader; with none selected, MISO is pulled down."""
        if not self.spi_hz:
            raise NotModelled("SPI is used before it is set up")
        self.bytes_sent += len(data)
        self.accesses += 1
        if self._dropping:
            data = self._over_the_wire(data)
        world, readers = self.world, self._readers
        selected = self._on_bus
        if world.bus_broken:
            answer = self._broken(selected, data)
        elif len(selected) == 1:
            answer = readers[selected[0]].transfer(data)
        elif not selected:
            answer = bytes(len(data))
        else:
            answer = self._several(selected)
        if world.jamming or world.slow_wires or world.bit_flips or world.miso_stuck is not None:
            answer = self._spoilt(selected, answer)
        return answer

    def _several(self, selected: tuple[int, ...]) -> bytes:
        """Two readers talk at once: forbidden to the firmware, possible by a fault."""
        names = " and ".join(self._readers[line].name for line in selected)
        raise NotModelled(f"two readers are selected at once: {names}")

    def _broken(self, selected: tuple[int, ...], data: bytes) -> bytes:
        """With a bus fault, readers hear nonsense and not by the firmware's mistake: what means
        nothing to them does nothing and reads as zero. Several talk at once; one whose NSS never
        rises takes all bytes as one frame, whichever reader they are for."""
        answer = bytearray(len(data))
        for line in selected:
            reader = self._readers[line]
            for index, byte in enumerate(data):
                answer[index] |= reader.endure(byte)
        return bytes(answer)

    def _spoilt(self, selected: tuple[int, ...], answer: bytes) -> bytes:
        """What faults of the bus make of an answer."""
        world = self.world
        names = [ZONE_OF_ADDRESS[line] for line in selected]
        if world.miso_stuck is not None:
            return bytes((255 * world.miso_stuck,)) * len(answer)
        if any(zone not in names for zone in world.jamming):
            return b"\xff" * len(answer)  # two outputs against each other: the louder one wins
        for zone in names:
            if self.spi_hz > world.slow_wires.get(zone, SPI_LIMIT_HZ):
                return bytes(byte >> 1 for byte in answer)  # sampled a bit late
            if flips := world.bit_flips.get(zone):
                chance = world.chance
                answer = bytes(
                    byte ^ 1 << int(8 * chance()) if chance() < flips else byte for byte in answer
                )
        return answer

    def drop_byte(self, n: int) -> None:
        """Fault: the n-th byte from now on the bus arrives as zero (a loose contact)."""
        self._dropping = n

    def _over_the_wire(self, data: bytes) -> bytes:
        if not self._dropping:
            return data
        if self._dropping <= len(data):
            spoilt = bytearray(data)
            spoilt[self._dropping - 1] = 0
            self._dropping = 0
            return bytes(spoilt)
        self._dropping -= len(data)
        return data

    # --- the rest ---

    def adc(self, pin: int) -> int:
        """16-bit reading of an analogue input; 65535 is 3.3 V, 12 bits are real."""
        world = self.world
        if pin == SUPPLY_ADC:
            millivolts = world.supply_mv / 2
        elif pin == HALL_ADC:
            channel = sum(self.levels[p] << bit for bit, p in enumerate(HALL_ADDRESS))
            if world.hall_bit is not None:
                bit, level = world.hall_bit
                channel = channel & ~(1 << bit) | level << bit
            if channel >= len(world.halls):
                millivolts = 0.0  # open inputs are tied down on the board
            else:
                millivolts = world.halls[channel].millivolts()
                millivolts += world.random.gauss(0, world.hall_noise_mv)
        else:
            raise NotModelled(f"ADC on GP{pin}: nothing is connected there")
        twelve = max(0, min(4095, round(millivolts * 4095 / 3300)))
        return twelve << 4 | twelve >> 8

    def pwm(self, pin: int, hz: int, duty: int) -> None:
        """A square wave; only the buzzer takes one."""
        if pin != BUZZER:
            raise NotModelled(f"PWM on GP{pin}: the buzzer is at GP{BUZZER}")
        self.world.buzzer.drive(hz, duty, self.world.now)

    def pio_program(self, pin: int, program: Program) -> int:
        """A state machine is set up; returns ns for each FIFO word."""
        if pin != PIXELS:
            raise NotModelled(f"a pixel program on GP{pin}: the chain is at GP{PIXELS}")
        return self.world.chain.program(program)

    def pixels(self, words: bytes, size: int) -> None:
        """Words go to the pixel chain's state machine."""
        world = self.world
        if any(field.on for field in world.fields.values()):
            world.led_frames_in_field += 1
        world.chain.feed(words, size, world.now)


ZONE_OF_ADDRESS = tuple(ZONE)
