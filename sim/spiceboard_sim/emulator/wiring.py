"""Connect the emulated chip's pins to the controller board of the simulator's world.

The world is asked only when the firmware touches something: a bus byte, a pin, an ADC reading.
Each time it is told the chip's time first, so chips, fields and events are where they should be.
"""

from typing import Any

from spiceboard_sim.emulator import native  # noqa: F401  first: which rp2040py is imported

# isort: split
from rp2040py.external.ws2812 import Ws2812
from rp2040py.gpio_pin import GPIOPinState

from spiceboard_sim.board.controller import (
    BUTTONS,
    BUZZER,
    HALL_ADDRESS,
    PIXELS,
    SELECT_ADDRESS,
    SELECT_ENABLE,
    Controller,
)
from spiceboard_sim.board.world import World
from spiceboard_sim.chips.air import NotModelled
from spiceboard_sim.chips.ws2812 import RESET_NS
from spiceboard_sim.emulator.chip import Chip

_WATCHED = (SELECT_ENABLE, *SELECT_ADDRESS, *HALL_ADDRESS)
_DRIVEN = (GPIOPinState.LOW, GPIOPinState.HIGH)
_OUT = 1
BEAT_NS = 100.0  # pixels_pio.py: a PIO clock is 125 ns
SILENT_NS = 5_000.0  # without an edge: the frame has ended
# The emulator tells an edge when the instruction ends in which it fell, up to 100 ns late, so a 0
# is up to 475 ns high and a 1 815 at least. The decoder's own 0.4 of the shortest period (1190 ns)
# lies on the first; half of it is as far from both. A real LED sees no such shift.
ONE_DUTY = 0.5


class Wiring:
    """Everything that is soldered to the emulated Pico."""

    def __init__(self, chip: Chip, world: World) -> None:
        self.chip = chip
        self.world = world
        self.controller = Controller(world)
        self.spi_bytes = 0
        self._spi = chip.mcu.spi[0]
        self._answer = 0
        self._shift = chip.clock.create_alarm(self._shifted)
        self._releases = {pin: chip.clock.create_alarm(self._release(pin)) for pin in BUTTONS}
        self._spi.on_transmit = self._transmit
        chip.mcu.adc.on_adc_read = self._convert
        self._converted = chip.clock.create_alarm(self._conversion_done)
        for pin in _WATCHED:
            chip.mcu.gpio[pin].add_listener(self._follow(pin))
        for pin in BUTTONS:
            chip.mcu.gpio[pin].set_input_value(True)  # pulled up outside
        # The decoder's own 50 us would cut a frame where the line only pauses, and drop bits.
        self._pixels = Ws2812(
            PIXELS,
            color_order="GRB",
            on_pixels=self._frame,
            high_duty_threshold=ONE_DUTY,
            latch_nanos=RESET_NS,
        )
        self._pixels.attach(chip.mcu)
        self._edge_ns = -float(RESET_NS)
        self._beating = False
        self._beat = chip.clock.create_alarm(self._metronome)
        chip.mcu.gpio[PIXELS].add_listener(self._pixel_edge)
        chip.quiet = self._between_frames

    # --- time ---

    def sync(self) -> None:
        """Let the world's time be the chip's."""
        self.world.advance(int(self.chip.clock.nanos))

    def power_on(self) -> None:
        """Readers and pins start as after plugging in."""
        self.sync()
        for reader in self.world.readers.values():
            reader.power_on()
        self.reset()

    def reset(self) -> None:
        """The chip restarted: its pins float, the readers go on as they were."""
        self.controller.reset()

    # --- pins ---

    def _follow(self, pin: int) -> Any:
        def changed(new: GPIOPinState, _old: GPIOPinState) -> None:
            if new not in _DRIVEN:
                return
            self.sync()
            level = int(new == GPIOPinState.HIGH)
            if pin in self.controller._driven:
                self.controller.pin_set(pin, level)
            else:
                self.controller.pin_init(pin, _OUT, 0, level)

        return changed

    def press(self, button: str, ms: int = 150) -> None:
        """Hold a button down for `ms` milliseconds."""
        self.sync()
        self.world.press(button, ms)
        pin = next(pin for pin, name in BUTTONS.items() if name == button)
        self.chip.mcu.gpio[pin].set_input_value(False)
        self._releases[pin].schedule(ms * 1e6)

    def _release(self, pin: int) -> Any:
        return lambda: self.chip.mcu.gpio[pin].set_input_value(True)

    def sounds(self) -> bool:
        """Is the buzzer's pin driven by PWM?"""
        return bool(self.chip.mcu.gpio[BUZZER].function_select == 4)

    # --- SPI: a byte takes the time that its clock says ---

    def _transmit(self, value: int) -> None:
        self.sync()
        hz = self._spi_hz()
        if self.controller.spi_hz != int(hz):
            self.controller.spi_init(int(hz))
        if self._spi.data_bits != 8:
            raise NotModelled(f"SPI words of {self._spi.data_bits} bits: the MFRC522 takes bytes")
        self.spi_bytes += 1
        self._answer = self.controller.spi(bytes((value,)))[0]
        self._shift.schedule(8e9 / hz)

    def _spi_hz(self) -> float:
        """SPI clock by the registers. The emulator takes clk_peri for 125 MHz whatever its source
        is; MicroPython runs it from the USB PLL (RP2040 data sheet 2.15.7, AUXSRC 2)."""
        mcu = self.chip.mcu
        peri = 48e6 if mcu.clocks.peri_ctrl >> 5 & 7 == 2 else 125e6
        return float(self._spi.clock_frequency * peri / mcu.clk_peri)

    def _shifted(self) -> None:
        self._spi.complete_transmit(self._answer)

    # --- analogue ---

    def _convert(self, channel: int) -> None:
        self.sync()
        self._sample = self.controller.adc(26 + channel) >> 4 if channel < 2 else 0
        self._converted.schedule(2_000.0)  # 96 cycles of 48 MHz (RP2040 data sheet 4.9.3)

    def _conversion_done(self) -> None:
        self.chip.mcu.adc.complete_adc_read(self._sample, False)

    # --- pixels ---

    def _pixel_edge(self, _new: GPIOPinState, _old: GPIOPinState) -> None:
        """A sleeping processor lets the emulator jump to the next alarm, and drop what PIO owed
        meanwhile: the line would pause in mid-frame. Alarms closer than a PIO clock prevent it."""
        self._edge_ns = self.chip.clock.nanos
        if not self._beating:
            self._beating = True
            self._beat.schedule(BEAT_NS)

    def _metronome(self) -> None:
        self._beating = self.chip.clock.nanos - self._edge_ns < SILENT_NS
        if self._beating:
            self._beat.schedule(BEAT_NS)

    def _between_frames(self) -> bool:
        return bool(self.chip.clock.nanos - self._edge_ns > RESET_NS)

    def _frame(self, pixels: list[tuple[int, ...]]) -> None:
        data = bytes(value for red, green, blue in pixels for value in (green, red, blue))
        now = int(self.chip.clock.nanos)
        if any(field.on for field in self.world.fields.values()):
            self.world.led_frames_in_field += 1
        self.world.chain.pulses_seen(data, now)
