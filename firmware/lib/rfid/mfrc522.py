"""MFRC522 reader over machine.SPI; usable alone, on both runtimes.

    spi = machine.SPI(0, 8_000_000)                 # mode 0, at most 10 MHz (section 8.1.2)
    nss = machine.Pin(5, machine.Pin.OUT, value=1)
    reader = MFRC522(spi, lambda on: nss(not on))
    reader.init(33)                                 # soft reset; every write read back
    reader.antenna(True)
    uids = UidSet(16)
    print(REASONS[reader.inventory(uids, 250_000)], [uids.uid(i) for i in range(uids.count)])

`mpremote mip install` of this folder's package.json brings what that needs. After construction
nothing here allocates. Sections are those of the NXP data sheet MFRC522, rev. 3.9.
"""

import time

from rfid.chip import Chip
from rfid.frames import Frames

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


_COMMAND = const(0x01)  # registers (section 9.3); on the bus shifted left by one
_COM_IRQ = const(0x04)
_FIFO_DATA = const(0x09)
_FIFO_LEVEL = const(0x0A)
_BIT_FRAMING = const(0x0D)

_IDLE = const(0x00)  # commands (section 10.3)
_TRANSCEIVE = const(0x0C)
_RX_OR_TIMER = const(0x21)  # ComIrqReg: RxIRq, TimerIRq
_RX_IRQ = const(0x20)
_FATAL = const(0x13)  # ErrorReg: BufferOvfl, ParityErr, ProtocolErr
_COLL_ERR = const(0x08)  # ErrorReg: a collision is data, not failure
_NOT_VALID = const(0x20)  # CollReg: position out of range
_POLL_US = const(50)
_GUARD_US = const(90)  # a tag needs 1172 carrier periods between its answer and the next frame

SILENCE = 0  # exchange(): no answer before the time-out
GARBLED = -1  # exchange(): overflow, parity or protocol error
DEAD = -2  # exchange(): the reader itself does not answer on the bus


def crc_a(data: "bytearray | memoryview", length: int) -> int:
    """CRC_A of data[:length]: polynomial x^16 + x^12 + x^5 + 1, preset 6363h (6.2.4)."""
    crc = 0x6363
    for i in range(length):
        byte = (data[i] ^ crc) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return crc & 0xFFFF


TYPE_CHECKING = const(0)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from rfid.reader import Clock

    Select = Callable[[bool], object]
    Buffer = bytes | bytearray | memoryview

    class SPI(Protocol):
        """The part of `machine.SPI` that a Bus needs."""

        def write(self, data: Buffer) -> object: ...

        def write_readinto(self, data: Buffer, into: bytearray | memoryview) -> object: ...


class DesktopClock:
    """What a reader needs of MicroPython's `time`, for CPython, which lacks it."""

    def sleep_us(self, us: int) -> None:
        time.sleep(us / 1e6)

    def ticks_us(self) -> int:
        return time.perf_counter_ns() // 1000

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier


class Bus:
    """SPI bus and frame buffers, shared by all readers on it.

    `select` of the methods is a callable: True drives the reader's NSS low. Writes repeat one
    address, reads may chain different ones (section 8.1.2.1): `poll` is one transaction.
    Buffers: tx (to send), rx (received), status (ComIrq, Error, FIFOLevel, Control, Coll in
    1..5).
    """

    ROOM = 20  # bytes a frame: a READ of ISO 14443-3 tags returns 18

    def __init__(self, spi: "SPI") -> None:
        self.spi = spi
        frame = bytearray(1 + self.ROOM)
        frame[0] = _FIFO_DATA << 1
        answer = bytearray(1 + self.ROOM)
        ask = bytes([0x80 | _FIFO_DATA << 1] * self.ROOM + [0])
        self.tx = memoryview(frame)[1:]
        self.rx = memoryview(answer)[1:]
        # Slices are made once: a slice allocates.
        self._sends = [memoryview(frame)[: n + 1] for n in range(self.ROOM + 1)]
        self._asks = [memoryview(ask)[self.ROOM - n :] for n in range(self.ROOM + 1)]
        self._answers = [memoryview(answer)[: n + 1] for n in range(self.ROOM + 1)]
        self._pair = bytearray(2)
        self._got = bytearray(2)
        self._chain = bytes([0x88, 0x8C, 0x94, 0x98, 0x9C, 0x00])
        self.status = bytearray(6)

    def write(self, select: "Select", register: int, value: int) -> None:
        """Write one register."""
        self._pair[0] = register << 1
        self._pair[1] = value
        select(True)
        self.spi.write(self._pair)
        select(False)

    def read(self, select: "Select", register: int) -> int:
        """Read one register."""
        self._pair[0] = 0x80 | register << 1
        self._pair[1] = 0
        select(True)
        self.spi.write_readinto(self._pair, self._got)
        select(False)
        return self._got[1]

    def load(self, select: "Select", length: int, framing: int) -> None:
        """Prepare to send tx[:length]; framing: RxAlign << 4 | TxLastBits."""
        self.write(select, _COMMAND, _IDLE)
        self.write(select, _COM_IRQ, 0x7F)  # clears all
        self.write(select, _FIFO_LEVEL, 0x80)  # flush
        self.write(select, _BIT_FRAMING, framing)  # takes back the last frame's StartSend
        select(True)
        self.spi.write(self._sends[length])
        select(False)

    def start(self, select: "Select", framing: int) -> None:
        """Send it."""
        self.write(select, _COMMAND, _TRANSCEIVE)
        self.write(select, _BIT_FRAMING, 0x80 | framing)  # StartSend

    def poll(self, select: "Select") -> int:
        """Read the status registers into `status`; returns ComIrq."""
        select(True)
        self.spi.write_readinto(self._chain, self.status)
        select(False)
        return self.status[1]

    def fetch(self, select: "Select", count: int) -> None:
        """Read count bytes of the FIFO into rx."""
        select(True)
        self.spi.write_readinto(self._asks[count], self._answers[count])
        select(False)


class MFRC522(Frames, Chip):
    """One reader.

    spi       machine.SPI-like, or a Bus that several readers share
    select    select(True) drives this reader's NSS low, select(False) high
    clock     has sleep_us, ticks_us, ticks_diff as MicroPython's `time`, which is the default

    tx, rx are the bus's buffers. After exchange(): last_bits is the number of valid bits in the
    last byte received (0: all), coll the first collided bit: 0 none, else 1..32 counted in the
    received frame, RxAlign included (section 9.3.1.15), 33 when the chip does not know.
    """

    last_bits = 0
    coll = 0
    _heard = 0

    def __init__(self, spi: "SPI | Bus", select: "Select", clock: "Clock | None" = None) -> None:
        if clock is None:
            clock = time if hasattr(time, "sleep_us") else DesktopClock()  # type: ignore
        assert clock is not None
        self.clock = clock
        self.bus: Bus = spi if isinstance(spi, Bus) else Bus(spi)
        self.select = select
        self.tx = self.bus.tx
        self.rx = self.bus.rx

    def read(self, register: int) -> int:
        """Read one register."""
        return self.bus.read(self.select, register)

    def write(self, register: int, value: int) -> None:
        """Write one register."""
        self.bus.write(self.select, register, value)

    def crc_a(self, data: "bytearray | memoryview", length: int) -> int:
        """See crc_a()."""
        return crc_a(data, length)

    def exchange(self, length: int, last_bits: int, align: int, expect: int, wait_us: int) -> int:
        """Send tx[:length] and receive into rx: bytes received, or SILENCE, GARBLED, DEAD.

        last_bits   bits of the last byte that are sent, 0 = all 8 (TxLastBits)
        align       place of the first received bit in rx[0] (RxAlign)
        expect      bytes that the answer should have: the bus stays quiet while they arrive
        wait_us     time-out after the end of the sent frame until the answer begins
        """
        bus = self.bus
        select = self.select
        polls = self.patience(wait_us)
        self.coll = 0
        # Start, 9 bits a byte, end, both ways, and the tag's delay of 9 to 10 bits; 9.44 us a bit
        air_us = (9 * (length + expect) + (last_bits - 9 if last_bits else 0) + 14) * 302 >> 5
        bus.load(select, length, align << 4 | last_bits)
        rest = _GUARD_US - self.clock.ticks_diff(self.clock.ticks_us(), self._heard)
        if 0 < rest <= _GUARD_US:
            self.clock.sleep_us(rest)
        bus.start(select, align << 4 | last_bits)
        self.clock.sleep_us(air_us)
        while not bus.poll(select) & _RX_OR_TIMER:
            polls -= 1
            if polls == 0:
                return DEAD
            self.clock.sleep_us(_POLL_US)
        return self._received()

    def _received(self) -> int:
        """Judge the status registers and fetch what came."""
        status = self.bus.status
        if status[1] & status[2] & status[3] & status[4] == 0xFF:
            return DEAD  # MISO stuck high
        if not status[1] & _RX_IRQ:
            return SILENCE
        self._heard = self.clock.ticks_us()
        if status[2] & _FATAL and not status[2] & _COLL_ERR:
            return GARBLED
        count = status[3] & 0x7F
        if count == 0 or count > self.bus.ROOM:
            return GARBLED
        self._note_bits()
        self.bus.fetch(self.select, count)
        return count

    def _note_bits(self) -> None:
        status = self.bus.status
        if status[2] & _COLL_ERR:
            position = status[5] & 0x1F
            self.coll = 33 if status[5] & _NOT_VALID else position or 32
        self.last_bits = status[4] & 0x07
