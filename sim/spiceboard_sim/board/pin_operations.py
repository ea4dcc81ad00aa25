"""What the firmware posts over the link, done to the controller's pins in its order.

The format is told in `protocol.py`; each operation takes the time that both sides charge for it.
"""

import struct

from spiceboard_sim.board import protocol as p
from spiceboard_sim.board.controller import Controller
from spiceboard_sim.board.protocol import (
    ADVANCE,
    COST_PIN,
    COST_SPI,
    PIN_SET,
    PIO_PROGRAM,
    SPI_READ,
    SPI_WRITE,
)
from spiceboard_sim.chips.pio import Program

_MS = 1_000_000
_HEAD = struct.Struct("<BHH").unpack_from  # code, two arguments
NEVER = 0x3FFFFFFFFFFFFFFF

Request = tuple[int, int, int, bytes]  # code, a, b, data


class Operations:
    """The operations of one start of the firmware; the watchdog is among them.

    watchdog_due: ns, when it bites if it is not fed.
    """

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        self.world = controller.world
        self.byte_ns = 8000
        self.watchdog_due = NEVER
        self._watchdog_ns = 0
        self._pixel_size = 4

    def posted(self, message: bytes) -> Request:
        """Do everything posted in a message; return the request that ends it."""
        world, controller = self.world, self.controller
        at = 0
        while True:  # most of a simulated board's time is spent here and in what it calls
            code, low, high = _HEAD(message, at)
            at += 5
            if code == PIN_SET:
                controller.pin_set(low, high)
                world.now += COST_PIN
                continue
            a = low | high << 16
            if code == SPI_WRITE:
                controller.spi(message[at : at + a])
                at += a
                world.now += COST_SPI + a * self.byte_ns
            elif code == ADVANCE:
                world.now += a
            elif code == SPI_READ or code == PIO_PROGRAM:
                return code, a, 0, message[at : at + a]
            elif code >= 0x40:
                return code, a, int.from_bytes(message[at : at + 8], "little"), b""
            else:
                at = self._rare(code, a, message, at)

    def _rare(self, code: int, a: int, message: bytes, at: int) -> int:
        world, controller = self.world, self.controller
        low, high = a & 0xFFFF, a >> 16
        if code == p.PIXELS:
            controller.pixels(message[at : at + a], self._pixel_size)
            at += a
            world.now += p.COST_PIN
        elif code == p.PIXEL_SIZE:
            self._pixel_size = low
        elif code == p.SPI_INIT:
            controller.spi_init(low * 10_000)
            self.byte_ns = 8_000_000_000 // (low * 10_000)
            world.now += p.COST_SPI
        elif code == p.PIN_INIT:
            controller.pin_init(low, high & 15, high >> 4 & 15, high >> 8 & 1)
            world.now += p.COST_PIN
        elif code == p.PWM:
            pin, hz, duty = struct.unpack_from("<HIH", message, at)
            controller.pwm(pin, hz, duty)
            at += a
            world.now += p.COST_PIN
        elif code == p.WATCHDOG:
            self._watchdog_ns = low * _MS
            self.watchdog_due = world.now + low * _MS if low else NEVER
            world.now += p.COST_PIN
        elif code == p.FEED:
            self.watchdog_due = world.now + self._watchdog_ns
            world.now += p.COST_PIN
        else:
            raise ValueError(f"link: unknown operation {code}")
        return at

    def keep_watchdog(self, before: "Operations") -> None:
        """After a soft reset: the watchdog of the start before goes on."""
        self.watchdog_due, self._watchdog_ns = before.watchdog_due, before._watchdog_ns

    def program(self, data: bytes) -> int:
        """Set up a state machine as PIO_PROGRAM tells it; ns for each FIFO word."""
        pin, hz, target, end, side, right, pull, bits, count = struct.unpack_from(
            "<BIBBBBBBB", data
        )
        code = struct.unpack_from(f"<{count}H", data, 12)
        program = Program(hz, code, target, end, side, bool(right), bool(pull), bits)
        return self.controller.pio_program(pin, program)
