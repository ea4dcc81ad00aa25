"""The same Bus as mfrc522.Bus, over the RP2040's SPI and SIO registers from viper code.

About 90 us of processor time a frame instead of 360 (`machine.SPI` from bytecode). It sends the
same bytes in the same order. `select` is not a callable here but the reader's address at the
4-to-16 decoder (0..15): MFRC522(FastBus(spi), address). The pins are those of the board's table.

    spi = machine.SPI(0, 8_000_000, sck=..., mosi=..., miso=...)   # sets pins, mode and clock
    bus = FastBus(spi)

RP2040 only: SPI0 at 4003C000h, SIO at D0000000h (RP2040 data sheet 4.4.4, 2.3.1.7). Addresses are
written shifted right by two, for a small integer has 31 bits.
"""

import micropython
from micropython import const

_ROOM = const(20)  # bytes a frame, as mfrc522.Bus
_AT = const(14)  # place of tx in the script
_ENABLE = const(5)  # GPIO of the decoder's /E, low selects
_ADDRESS = const(6)  # GPIO of its A0; A1 to A3 follow


@micropython.viper
def _swap(select: int, out: ptr8, into: ptr8, count: int):  # noqa: F821
    """One NSS frame: count bytes out, count bytes in."""
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821  [5] GPIO_OUT_SET, [6] GPIO_OUT_CLR
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821  [2] SSPDR, [3] SSPSR
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    sio[6] = 1 << _ENABLE
    i = 0
    while i < count:
        spi[2] = out[i]
        while not spi[3] & 4:  # RNE: the answer has come
            pass
        into[i] = spi[2]
        i += 1
    while spi[3] & 16:  # BSY: the last clock edge
        pass
    sio[5] = 1 << _ENABLE


@micropython.viper
def _script(select: int, script: ptr8):  # noqa: F821
    """NSS frames in a row, nothing read: each a length and its bytes; a length of 0 ends."""
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    at = 0
    while script[at]:
        end = at + script[at]
        sio[6] = 1 << _ENABLE
        while at < end:
            at += 1
            spi[2] = script[at]
            while not spi[3] & 4:
                pass
            into = spi[2]  # noqa: F841  empties the receiver
        while spi[3] & 16:
            pass
        sio[5] = 1 << _ENABLE
        at += 1


class FastBus:
    """See mfrc522.Bus: write, read, load, start, poll, fetch; tx, rx, status."""

    ROOM = _ROOM

    def __init__(self, spi):
        self.spi = spi  # kept: it owns clock, mode and pins
        # Command: Idle; ComIrq: clear; FIFOLevel: flush; BitFraming; FIFOData and the frame
        self._load = bytearray(b"\x02\x02\x00\x02\x08\x7f\x02\x14\x80\x02\x1a\x00\x00\x12")
        self._load.extend(bytes(_ROOM + 1))
        self.tx = memoryview(self._load)[_AT : _AT + _ROOM]
        self._start = bytearray(b"\x02\x02\x0c\x02\x1a\x80\x00")  # Transceive; StartSend
        self._pair = bytearray(2)
        self._got = bytearray(2)
        self._chain = b"\x88\x8c\x94\x98\x9c\x00"
        self.status = bytearray(6)
        self._asks = [b"\x92" * count + b"\x00" for count in range(_ROOM + 1)]
        self._answer = bytearray(_ROOM + 1)
        self.rx = memoryview(self._answer)[1:]

    def write(self, select: int, register: int, value: int):
        """Write one register."""
        self._pair[0] = register << 1
        self._pair[1] = value
        _swap(select, self._pair, self._got, 2)

    def read(self, select: int, register: int) -> int:
        """Read one register."""
        self._pair[0] = 0x80 | register << 1
        self._pair[1] = 0
        _swap(select, self._pair, self._got, 2)
        return self._got[1]

    def load(self, select: int, length: int, framing: int):
        """Make ready to send tx[:length]; framing: RxAlign << 4 | TxLastBits."""
        script = self._load
        script[_AT - 3] = framing
        script[_AT - 2] = length + 1
        last = script[_AT + length]
        script[_AT + length] = 0
        _script(select, script)
        script[_AT + length] = last

    def start(self, select: int, framing: int):
        """Send it."""
        self._start[5] = 0x80 | framing
        _script(select, self._start)

    def poll(self, select: int) -> int:
        """Read the status registers into `status`; returns ComIrq."""
        _swap(select, self._chain, self.status, 6)
        return self.status[1]

    def fetch(self, select: int, count: int):
        """Read count bytes of the FIFO into rx."""
        _swap(select, self._asks[count], self._answer, count + 1)
