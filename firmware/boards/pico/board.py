"""The board, built from its table of pins: the only module that imports `machine`.

All other code gets this object and would run on another board. The chip decides which drivers are
used, never a flag.
"""

import sys

import machine
from micropython import const

from boards.pico.fast.pixels_pio import PioOutput
from boards.pico.pins import BUTTONS, PINS, PROFILE, SPI_HZ, check
from spicecore.parts import LEDS, ZONES

WATCHDOG_MS = 8_000  # 8388 is the chip's maximum
BEAT_MS = 6_000  # a task that is silent for longer hangs, and the watchdog may bite
_ADC_MV = const(3300)


def _output(name, level):
    # Set the level before the pin drives, so that no reader is selected for a moment.
    return machine.Pin(PINS[name], machine.Pin.OUT, value=level)


class Board:
    """Everything on the PCB. Readers are in the order of ZONES; none has its field on."""

    PROFILE = PROFILE
    BUTTONS = BUTTONS
    SPI_HZ = SPI_HZ
    BEAT_MS = BEAT_MS

    def __init__(self):
        wrong = check(PINS)
        if wrong:
            raise ValueError("wiring: " + wrong)
        self.machine = getattr(sys.implementation, "_machine", sys.platform)
        self._enable = _output("SEL_EN", 1)
        self._address = [_output("SEL_A%d" % bit, 0) for bit in range(4)]
        self._selected = 0
        self._spi = machine.SPI(
            0,
            baudrate=self.SPI_HZ[0],
            polarity=0,
            phase=0,
            sck=machine.Pin(PINS["SCK"]),
            mosi=machine.Pin(PINS["MOSI"]),
            miso=machine.Pin(PINS["MISO"]),
        )
        self.spi_hz = self.SPI_HZ[0]
        self.readers = self._readers()
        self.frame_bytes = 3 * sum(LEDS)
        self.output = PioOutput(PINS["PIX"], self.frame_bytes)
        self.raw = bytearray(self.frame_bytes)  # the bytes of the next frame, as the LEDs get them
        self.weaken = self._weaken()
        self.crc16 = self._crc16()
        self._hall_address = [_output("HALL_S%d" % bit, 0) for bit in range(4)]
        self._hall = machine.ADC(machine.Pin(PINS["HALL_ADC"]))
        self._supply = machine.ADC(machine.Pin(PINS["SENSE_5V"]))
        self._buttons = [
            machine.Pin(PINS["BTN_" + name.upper()], machine.Pin.IN) for name in BUTTONS
        ]
        self._buzzer = None
        self._watchdog = None
        self.reset_cause = self._reset_cause()
        self.unique_id = "".join(["%02x" % byte for byte in machine.unique_id()])

    def _readers(self):
        if "RP2040" in self.machine:
            from boards.pico.fast.mfrc522 import FastMFRC522, Lines

            lines = Lines(self._spi)
            return [FastMFRC522(lines, address) for address in range(len(ZONES))]
        from rfid.mfrc522 import MFRC522, Bus

        bus = Bus(self._spi)
        return [MFRC522(bus, self._select(address)) for address in range(len(ZONES))]

    def _weaken(self):
        """The function that weakens a frame to the allowed current."""
        if "RP2040" in self.machine:
            from boards.pico.fast.weaken import weaken
        else:
            from spicecore.lights.rings import weaken
        return weaken

    def _crc16(self):
        """The function that computes the checksums of the wire."""
        if "RP2040" in self.machine:
            from boards.pico.fast.crc import crc16
        else:
            from spicecore.wire.messages import crc16
        return crc16

    def _select(self, address):
        """The callable that selects one reader; the decoder makes it impossible to select two."""

        def select(on):
            if on:
                if address != self._selected:
                    self.address(address)
                self._enable(0)
            else:
                self._enable(1)

        return select

    def address(self, number: int):
        """Set the decoder's address (0..15); this alone selects nothing."""
        self._selected = number
        for bit in range(4):
            self._address[bit](number >> bit & 1)

    def clock(self, hz: int):
        """SPI clock of all readers."""
        self._spi.init(baudrate=hz, polarity=0, phase=0)
        self.spi_hz = hz

    def start_bus(self) -> list:
        """Find the highest clock at which every reader that answers gives the same version three
        times. Return the versions (0, 255: no reader; -1: unsteady even at the lowest clock)."""
        versions = []
        for hz in self.SPI_HZ:
            self.clock(hz)
            versions = [reader.version() for reader in self.readers]
            if -1 not in versions:
                break
        return versions

    def idle_miso(self) -> int:
        """MISO with no reader selected: 0 by its pull-down, 255 if a reader drives it, otherwise
        mixed."""
        self.address(15)
        return self._spi.read(1)[0]

    def hall_mv(self, zone: int) -> int:
        """Level of a zone's hall sensor in mV; 1650 at rest."""
        for bit in range(4):
            self._hall_address[bit](zone >> bit & 1)
        return self._hall.read_u16() * _ADC_MV // 65535

    def supply_mv(self) -> int:
        """The 5 V supply in mV, measured behind 1:2."""
        return self._supply.read_u16() * 2 * _ADC_MV // 65535

    def pressed(self) -> int:
        """Buttons that are down: bit 0 ok, 1 no, 2 undo."""
        down = 0
        for bit in range(3):
            if not self._buttons[bit]():
                down |= 1 << bit
        return down

    def buzz(self, hz: int):
        """A tone until the next call; 0: silence."""
        if self._buzzer is None:
            if not hz:
                return
            self._buzzer = machine.PWM(machine.Pin(PINS["BUZZER"]))
        if hz:
            self._buzzer.freq(hz)
            self._buzzer.duty_u16(32768)
        else:
            self._buzzer.duty_u16(0)

    def fields_off(self):
        """Switch every antenna off; a reader that does not answer is off or broken."""
        self._enable(1)  # ends a frame that Ctrl-C interrupted
        for reader in self.readers:
            try:
                reader.antenna(False)
            except OSError:
                pass

    def show(self):
        """Start sending the frame in `raw`."""
        self.output.write(self.raw)

    def dark(self):
        """All LEDs and the buzzer off."""
        self.raw[:] = bytes(self.frame_bytes)
        self.show()
        self.buzz(0)

    def watchdog_start(self):
        """From now on watchdog_feed() must come every eight seconds, or the board restarts."""
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS)

    def watchdog_feed(self):
        if self._watchdog:
            self._watchdog.feed()

    def watchdog_stop(self):
        """Stop the watchdog for the interpreter's prompt: clear ENABLE of WATCHDOG_CTRL through
        its atomic clear alias (RP2040 data sheet 2.1.2 and 4.7.6, RP2350 data sheet 12.9.7). Also
        if a Ctrl-C came between its start and our note of it."""
        base = 0x400D8000 if "RP2350" in self.machine else 0x40058000
        machine.mem32[base + 0x3000] = 1 << 30
        self._watchdog = None

    def _reset_cause(self):
        cause = machine.reset_cause()
        if cause == machine.WDT_RESET:
            return "watchdog"
        return "power" if cause == machine.PWRON_RESET else "other"

    def reboot(self):
        """Restart; does not return."""
        machine.reset()
