"""Readers on a bench, alone or thirteen behind the decoder: registers by name, time by hand."""

from spiceboard_sim.board.controller import (
    HALL_ADC,
    HALL_ADDRESS,
    SELECT_ADDRESS,
    SELECT_ENABLE,
    Controller,
)
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.world import World
from spiceboard_sim.chips.air import crc_a
from spiceboard_sim.chips.field import PlainField
from spiceboard_sim.chips.mfrc522 import MFRC522
from spiceboard_sim.chips.ntag213 import Tag


class Bench:
    """One reader chip, its field, and a clock (ns) that moves only when told."""

    def __init__(self, *tags: Tag, coll_pos: str = "frame") -> None:
        self.now = 0
        self.field = PlainField(list(tags))
        self.chip = MFRC522(lambda: self.now, self.field, coll_pos=coll_pos)

    def read(self, register: int) -> int:
        self.chip.select()
        value = self.chip.transfer(bytes((0x80 | register << 1, 0)))[1]
        self.chip.deselect()
        return value

    def write(self, register: int, *values: int) -> None:
        self.chip.select()
        self.chip.transfer(bytes((register << 1, *values)))
        self.chip.deselect()

    def start(self, timeout_us: int = 1000) -> None:
        """Configure for type A, antenna on, tags awake."""
        self.write(0x2A, 0x80)  # TAuto
        self.write(0x2B, 0xA9)
        ticks = timeout_us // 25
        self.write(0x2C, ticks >> 8)
        self.write(0x2D, ticks & 255)
        self.write(0x15, 0x40)
        self.write(0x11, 0x3D)
        self.write(0x0E, 0x00)
        self.write(0x14, 0x83)
        self.now += 1_000_000

    def send(self, data: bytes, last_bits: int = 0, align: int = 0) -> bytes:
        """Transceive as a driver does; what is in the FIFO when RxIRq or TimerIRq is set."""
        self.now += 100_000  # the guard time after an answer
        self.write(0x01, 0x00)
        self.write(0x04, 0x7F)
        self.write(0x0A, 0x80)
        self.write(0x09, *data)
        self.write(0x01, 0x0C)
        self.write(0x0D, 0x80 | align << 4 | last_bits)
        for _ in range(1000):
            self.now += 20_000
            if self.read(0x04) & 0x21:
                break
        else:
            raise AssertionError("neither RxIRq nor TimerIRq came")
        self.write(0x0D, 0)
        return bytes(self.read(0x09) for _ in range(self.read(0x0A)))


class VisitedBoard:
    """The controller's pins driven by hand, and a plain way to read a zone's only tag."""

    def __init__(self) -> None:
        self.world = World()
        self.controller = Controller(self.world)
        for pin in (SELECT_ENABLE, *SELECT_ADDRESS, *HALL_ADDRESS):
            self.controller.pin_init(pin, 1, 0, 1 if pin == SELECT_ENABLE else 0)
        self.controller.spi_init(4_000_000)

    def _frame(self, zone: str, data: bytes) -> bytes:
        for bit, pin in enumerate(SELECT_ADDRESS):
            self.controller.pin_set(pin, list(ZONE).index(zone) >> bit & 1)
        self.controller.pin_set(SELECT_ENABLE, 0)
        answer = self.controller.spi(data)
        self.controller.pin_set(SELECT_ENABLE, 1)
        return answer

    def read(self, zone: str, register: int) -> int:
        return self._frame(zone, bytes((0x80 | register << 1, 0)))[1]

    def write(self, zone: str, register: int, *values: int) -> None:
        self._frame(zone, bytes((register << 1, *values)))

    def versions(self) -> dict[str, int]:
        return {zone: self.read(zone, 0x37) for zone in ZONE}

    def hall(self, channel: int) -> float:
        """Millivolts of a hall sensor."""
        for bit, pin in enumerate(HALL_ADDRESS):
            self.controller.pin_set(pin, channel >> bit & 1)
        return self.controller.adc(HALL_ADC) * 3300 / 65535

    def light(self, colour: tuple[int, int, int] = (5, 5, 5)) -> None:
        """All LEDs in one colour, by bytes as a state machine gets them."""
        chain = self.world.chain
        red, green, blue = colour
        chain.pulses_seen(bytes((green, red, blue)) * chain.n, self.world.now)
        self.world.now += 10**6

    def uids(self, zone: str, gain: int = 0x48, settle_ms: int = 2) -> list[bytes]:
        """The UID of the tag in a zone, if exactly one answers rightly; else nothing."""
        for register, value in ((0x2A, 0x80), (0x2B, 0xA9), (0x2C, 0), (0x2D, 40), (0x15, 0x40),
                                (0x11, 0x3D), (0x0E, 0), (0x26, gain), (0x14, 0x83)):  # fmt: skip
            self.write(zone, register, value)
        self.world.now += settle_ms * 1_000_000
        try:
            return self._uid(zone)
        finally:
            self.write(zone, 0x14, 0x80)

    def _uid(self, zone: str) -> list[bytes]:
        if len(self._send(zone, b"\x26", 7)) != 2:
            return []
        uid = b""
        for level in range(3):
            code = 0x93 + 2 * level
            part = self._send(zone, bytes((code, 0x20)))
            if len(part) != 5 or part[0] ^ part[1] ^ part[2] ^ part[3] != part[4]:
                return []
            frame = bytes((code, 0x70)) + part
            sak = self._send(zone, frame + crc_a(frame).to_bytes(2, "little"))
            if len(sak) != 3 or crc_a(sak[:1]) != int.from_bytes(sak[1:], "little"):
                return []
            uid += part[1:4] if part[0] == 0x88 else part[:4]
            if not sak[0] & 0x04:
                return [uid]
        return []

    def _send(self, zone: str, data: bytes, last_bits: int = 0) -> bytes:
        self.world.now += 100_000
        for register, *values in ((0x01, 0), (0x04, 0x7F), (0x0A, 0x80), (0x09, *data),
                                  (0x01, 0x0C), (0x0D, 0x80 | last_bits)):  # fmt: skip
            self.write(zone, register, *values)
        for _ in range(200):
            self.world.now += 20_000
            if self.read(zone, 0x04) & 0x21:
                break
        self.write(zone, 0x0D, 0)
        if self.read(zone, 0x06) & 0x1B:
            return b""
        return bytes(self.read(zone, 0x09) for _ in range(self.read(zone, 0x0A)))
