"""The same Bus as mfrc522.Bus, over the RP2040's SPI and SIO registers from viper code.

About 90 us of processor time a frame instead of 360 (`machine.SPI` from bytecode). It sends the
same bytes in the same order. `select` is not a callable here but the reader's address at the
4-to-16 decoder (0..15): MFRC522(FastBus(spi), address). The pins are those of the board's table.

    spi = machine.SPI(0, 8_000_000, sck=..., mosi=..., miso=...)   # sets pins, mode and clock
    bus = FastBus(spi)

RP2040 only: SPI0 at 4003C000h, SIO at D0000000h (RP2040 data sheet 4.4.4, 2.3.1.7). Addresses are
written shifted right by two, for a small integer has 31 bits.
"""

from array import array

import micropython
from micropython import const

_ROOM = const(20)  # bytes a frame, as mfrc522.Bus
_AT = const(14)  # place of tx in the script
_GUARD_US = const(90)  # as mfrc522.py
_POLL_US = const(50)
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


@micropython.viper
def _run(select: int, script: ptr8, tail: ptr8, times: ptr32) -> int:  # noqa: F821
    """A frame from loading to the last poll: ComIrq, 0 when neither receiver nor timer spoke.

    script, tail: as _script(), the guard time between them. Behind the tail's end six bytes that
    ask for the status, and six that it is answered with. times: [0] microseconds on the air, [1]
    polls, [2] when the last answer had come.
    """
    base = 0x34000000
    sio = ptr32(base << 2)  # noqa: F821
    base = 0x1000F000
    spi = ptr32(base << 2)  # noqa: F821
    base = 0x10015000
    timer = ptr32(base << 2)  # noqa: F821  [10] TIMERAWL, data sheet 4.6.5
    sio[6] = 15 << _ADDRESS
    sio[5] = select << _ADDRESS
    frames = script
    part = 0
    at = 0
    while part < 2:
        at = 0
        while frames[at]:
            end = at + frames[at]
            sio[6] = 1 << _ENABLE
            while at < end:
                at += 1
                spi[2] = frames[at]
                while not spi[3] & 4:
                    pass
                got = spi[2]
            while spi[3] & 16:
                pass
            sio[5] = 1 << _ENABLE
            at += 1
        if part == 0:
            while timer[10] - times[2] < _GUARD_US:
                pass
        frames = tail
        part += 1
    start = timer[10]
    wait = times[0]
    polls = times[1]
    while polls:
        while timer[10] - start < wait:
            pass
        start = timer[10]
        wait = _POLL_US
        polls -= 1
        sio[6] = 1 << _ENABLE
        i = 1
        while i < 7:
            spi[2] = tail[at + i]
            while not spi[3] & 4:
                pass
            tail[at + 6 + i] = spi[2]
            i += 1
        while spi[3] & 16:
            pass
        sio[5] = 1 << _ENABLE
        got = tail[at + 8]
        if got & 0x21:  # RxIRq, TimerIRq
            times[2] = timer[10]
            return got
    return 0


@micropython.viper
def _crc_a(data: ptr8, count: int) -> int:  # noqa: F821
    """As mfrc522.crc_a()."""
    crc = 0x6363
    i = 0
    while i < count:
        byte = (data[i] ^ crc) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
        i += 1
    return crc & 0xFFFF


class FastBus:
    """See mfrc522.Bus: write, read, load, start, poll, fetch; tx, rx, status."""

    ROOM = _ROOM
    whole = True

    def __init__(self, spi):
        self.spi = spi  # kept: it owns clock, mode and pins
        # Command: Idle; ComIrq: clear; FIFOLevel: flush; BitFraming; FIFOData and the frame
        self._load = bytearray(b"\x02\x02\x00\x02\x08\x7f\x02\x14\x80\x02\x1a\x00\x00\x12")
        self._load.extend(bytes(_ROOM + 1))
        self.tx = memoryview(self._load)[_AT : _AT + _ROOM]
        # Command: Transceive; BitFraming: StartSend; then the status chain and its answer
        self._chain = b"\x88\x8c\x94\x98\x9c\x00"
        self._start = bytearray(b"\x02\x02\x0c\x02\x1a\x80\x00" + self._chain + bytes(6))
        self.status = memoryview(self._start)[13:]
        self._times = array("i", (0, 0, 0))
        self._pair = bytearray(2)
        self._got = bytearray(2)
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
        kept = self._close(length, framing)
        _script(select, self._load)
        self._load[_AT + length] = kept

    def _close(self, length: int, framing: int) -> int:
        """Complete the loading script; the byte of tx that its end displaces."""
        script = self._load
        script[_AT - 3] = framing
        script[_AT - 2] = length + 1
        kept = script[_AT + length]
        script[_AT + length] = 0
        return kept

    def start(self, select: int, framing: int):
        """Send it."""
        self._start[5] = 0x80 | framing
        _script(select, self._start)

    def run(self, select: int, length: int, framing: int, air_us: int, polls: int) -> int:
        """load(), guard time, start(), wait air_us, poll() so many times: what ComIrq said at the
        end, 0 when it never spoke."""
        kept = self._close(length, framing)
        self._start[5] = 0x80 | framing
        self._times[0] = air_us
        self._times[1] = polls
        got = _run(select, self._load, self._start, self._times)
        self._load[_AT + length] = kept
        return got

    def crc_a(self, data, length: int) -> int:
        """As mfrc522.crc_a()."""
        return _crc_a(data, length)

    def poll(self, select: int) -> int:
        """Read the status registers into `status`; returns ComIrq."""
        _swap(select, self._chain, self.status, 6)
        return self.status[1]

    def fetch(self, select: int, count: int):
        """Read count bytes of the FIFO into rx."""
        _swap(select, self._asks[count], self._answer, count + 1)
