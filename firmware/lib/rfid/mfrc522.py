"""MFRC522 reader driver (NXP data sheet MFRC522, rev. 3.9); usable alone, on both runtimes.

    spi = machine.SPI(0, 8_000_000)                 # mode 0, at most 10 MHz (section 8.1.2)
    nss = machine.Pin(5, machine.Pin.OUT, value=1)
    reader = MFRC522(spi, lambda on: nss(not on))
    reader.init(33)                                 # soft reset; every write read back
    reader.antenna(True)                            # then wait 1 to 5 ms for the tags
    reader.tx[0] = 0x26                             # REQA
    print(reader.exchange(1, 7, 0, 2, 300), reader.rx[0], reader.rx[1])

The frames of ISO 14443-3 are in iso14443a.py; `mpremote mip install` of this folder's
package.json brings both. After construction nothing here allocates.
The chip is reset by software only: NRSTPD may be strapped high, or shared by several readers.
"""

import time

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


# Registers (section 9.3); the SPI address byte is the address shifted left by one.
_COMMAND = const(0x01)
_COM_IRQ = const(0x04)
_FIFO_DATA = const(0x09)
_FIFO_LEVEL = const(0x0A)
_BIT_FRAMING = const(0x0D)
_COLL = const(0x0E)
_MODE = const(0x11)
_TX_MODE = const(0x12)
_RX_MODE = const(0x13)
_TX_CONTROL = const(0x14)
_TX_ASK = const(0x15)
_MOD_WIDTH = const(0x24)
_RF_CFG = const(0x26)
_T_MODE = const(0x2A)
_T_PRESCALER = const(0x2B)
_T_RELOAD_H = const(0x2C)
_T_RELOAD_L = const(0x2D)
_VERSION = const(0x37)

_IDLE = const(0x00)  # commands (section 10.3)
_TRANSCEIVE = const(0x0C)
_SOFT_RESET = const(0x0F)
_POWER_DOWN = const(0x10)  # CommandReg: still waking up
_TX_OFF = const(0x80)  # TxControlReg: InvTx2RFOn as after reset; Tx1RFEn and Tx2RFEn
_TX_ON = const(0x83)
_RX_OR_TIMER = const(0x21)  # ComIrqReg: RxIRq, TimerIRq
_RX_IRQ = const(0x20)
_FATAL = const(0x13)  # ErrorReg: BufferOvfl, ParityErr, ProtocolErr
_COLL_ERR = const(0x08)  # ErrorReg: a collision is data, not failure
_NOT_VALID = const(0x20)  # CollReg: position out of range
_TICK_US = const(25)  # timer: 13.56 MHz / (2 * 0xA9 + 1)
_POLL_US = const(50)
_GUARD_US = const(90)  # a tag wants 1172 carrier periods between its answer and the next frame

SILENCE = 0  # exchange(): nobody answered before the time-out
GARBLED = -1  # exchange(): overflow, parity or protocol error
DEAD = -2  # exchange(): the reader itself does not answer on the bus

GAINS_DB = (18, 23, 33, 38, 43, 48)
_GAIN_BITS = (0x00, 0x10, 0x40, 0x50, 0x60, 0x70)  # RFCfgReg, RxGain

# name, register, value, bits that must read back. Mode: CRC preset 6363h, transmit only with the
# field on; TxASK: 100 % modulation; Coll: bits after a collision are zeros; timer starts itself.
_CONFIGURATION = (
    ("TxModeReg", _TX_MODE, 0x00, 0xFF),
    ("RxModeReg", _RX_MODE, 0x00, 0xFF),
    ("ModWidthReg", _MOD_WIDTH, 0x26, 0xFF),
    ("TModeReg", _T_MODE, 0x80, 0xFF),
    ("TPrescalerReg", _T_PRESCALER, 0xA9, 0xFF),
    ("TReloadReg(high)", _T_RELOAD_H, 0x00, 0xFF),
    ("TReloadReg(low)", _T_RELOAD_L, 0x0C, 0xFF),
    ("TxASKReg", _TX_ASK, 0x40, 0xFF),
    ("ModeReg", _MODE, 0x3D, 0xFF),
    ("CollReg", _COLL, 0x00, 0x80),
)
_RELOAD = const(0x0C)  # 12 ticks: 300 us, see FDT in iso14443a.py
_BACK_OFF_US = (1_000, 10_000, 50_000)


def crc_a(data: "bytearray | memoryview", length: int) -> int:
    """CRC_A of data[:length]: polynomial x^16 + x^12 + x^5 + 1, preset 6363h (6.2.4)."""
    crc = 0x6363
    for i in range(length):
        byte = (data[i] ^ crc) & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = crc >> 8 ^ byte << 8 ^ byte << 3 ^ byte >> 4
    return crc & 0xFFFF


class SPI:
    """What a Bus needs of `machine.SPI`: named for the type checker, nothing inherits from it."""

    def write(self, data: "bytes | bytearray | memoryview") -> object:
        raise NotImplementedError

    def write_readinto(
        self, data: "bytes | bytearray | memoryview", into: "bytearray | memoryview"
    ) -> object:
        raise NotImplementedError


class Select:
    """What `select` is: a callable, True drives the reader's NSS low. For the type checker."""

    def __call__(self, on: bool) -> object:
        raise NotImplementedError


class Clock:
    """What a reader needs of MicroPython's `time`; this one is for CPython, which lacks it."""

    def sleep_us(self, us: int) -> None:
        time.sleep(us / 1e6)

    def ticks_us(self) -> int:
        return time.perf_counter_ns() // 1000

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier


class Bus:
    """SPI bus and frame buffers, shared by all readers on it.

    spi: has write(buf), write_readinto(out, in). `select` of the methods is a callable: True
    drives the reader's NSS low. firmware/boards/pico/fast/bus.py has the same class over
    registers, all but load() to fetch(). Writes repeat one address, reads may chain different
    ones (section 8.1.2.1): `poll` is one transaction. Buffers: tx (to send), rx (received),
    status (ComIrq, Error, FIFOLevel, Control, Coll in 1..5).
    """

    ROOM = 20  # bytes a frame: a READ of ISO 14443-3 tags returns 18
    whole = False  # True: run() to reach() do a frame, or several, at once
    # Where `whole`, for the next cover(): where it finds just the known tags, the field goes off,
    # and that of the reader with this `select` on: then -2. -1: no such wish.
    follow = -1

    def __init__(self, spi: SPI) -> None:
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

    def write(self, select: Select, register: int, value: int) -> None:
        """Write one register."""
        self._pair[0] = register << 1
        self._pair[1] = value
        select(True)
        self.spi.write(self._pair)
        select(False)

    def read(self, select: Select, register: int) -> int:
        """Read one register."""
        self._pair[0] = 0x80 | register << 1
        self._pair[1] = 0
        select(True)
        self.spi.write_readinto(self._pair, self._got)
        select(False)
        return self._got[1]

    def load(self, select: Select, length: int, framing: int) -> None:
        """Make ready to send tx[:length]; framing: RxAlign << 4 | TxLastBits."""
        self.write(select, _COMMAND, _IDLE)
        self.write(select, _COM_IRQ, 0x7F)  # clears all
        self.write(select, _FIFO_LEVEL, 0x80)  # flush
        self.write(select, _BIT_FRAMING, framing)  # takes back the last frame's StartSend
        select(True)
        self.spi.write(self._sends[length])
        select(False)

    def start(self, select: Select, framing: int) -> None:
        """Send it."""
        self.write(select, _COMMAND, _TRANSCEIVE)
        self.write(select, _BIT_FRAMING, 0x80 | framing)  # StartSend

    def run(self, select: Select, length: int, framing: int, expect: int, polls: int) -> int:
        """A frame from loading to fetching: as MFRC522.exchange(). Only where `whole`, like the
        next nine: a Bus over SPI has no clock."""
        raise NotImplementedError

    def call(self, select: Select, command: int, polls: int) -> int:
        """REQA or WUPA; see the fast twin."""
        raise NotImplementedError

    def ask(self, select: Select, path: bytearray, level: int, known: int, polls: int) -> int:
        """ANTICOLLISION; see the fast twin."""
        raise NotImplementedError

    def choose(self, select: Select, uids: bytearray, level: int, at: int, polls: int) -> int:
        """SELECT; see the fast twin."""
        raise NotImplementedError

    def walk(
        self, select: Select, path: bytearray, values: bytearray, counts: int, polls: int
    ) -> int:
        """All of level 1; see the fast twin."""
        raise NotImplementedError

    def leaves(self, walk: object, data: bytearray, what: int) -> int:
        """Tags one by one from REQA to HLTA; see the fast twin."""
        raise NotImplementedError

    def field(self, select: Select, on: bool) -> bool:
        """Antenna on or off; see the fast twin."""
        raise NotImplementedError

    def settle(self, us: int) -> None:
        """Wait from a field's switching on; see the fast twin."""
        raise NotImplementedError

    def cover(self, reader: "MFRC522", known: object, walk: object) -> int:
        """All known tags verified; see the fast twin."""
        raise NotImplementedError

    def reach(self, select: Select, data: bytearray, at: int, command: int, polls: int) -> int:
        """A known tag called and selected; see the fast twin."""
        raise NotImplementedError

    def poll(self, select: Select) -> int:
        """Read the status registers into `status`; returns ComIrq."""
        select(True)
        self.spi.write_readinto(self._chain, self.status)
        select(False)
        return self.status[1]

    def crc_a(self, data: "bytearray | memoryview", length: int) -> int:
        """See crc_a()."""
        return crc_a(data, length)

    def fetch(self, select: Select, count: int) -> None:
        """Read count bytes of the FIFO into rx."""
        select(True)
        self.spi.write_readinto(self._asks[count], self._answers[count])
        select(False)


class MFRC522:
    """One reader.

    spi       machine.SPI-like, or a Bus that several readers share
    select    select(True) drives this reader's NSS low, select(False) high
    clock     has sleep_us, ticks_us, ticks_diff as MicroPython's `time`, which is the default

    tx, rx are the bus's buffers. After exchange(): last_bits is the number of valid bits in the
    last byte received (0: all), coll the first collided bit: 0 none, else 1..32 counted in the
    received frame, RxAlign included (section 9.3.1.15), 33 when the chip does not know.
    settle_us is what its tags need after the field comes on (at most 5 ms), for settle().
    coll_counts is kept for frames.py, which finds out whether this chip counts so.
    """

    UNKNOWN = 0
    IN_FRAME = 1
    IN_LEVEL = 2

    # Here, and not in each reader, what a bus that does frames as a whole never sets.
    last_bits = 0
    coll = 0
    off_us = 5_000  # a tag has reset after 5 ms without a field (ISO 14443-3, 6.2.3)
    _on_at = 0
    _heard = 0

    def __init__(
        self,
        spi: "SPI | Bus",
        select: Select,
        clock: "Clock | None" = None,
    ) -> None:
        if clock is None:
            clock = time if hasattr(time, "sleep_us") else Clock()  # type: ignore[assignment]
        assert clock is not None
        # `whole` and not isinstance: the fast bus is a class of its own.
        self.bus: Bus = spi if hasattr(spi, "whole") else Bus(spi)  # type: ignore
        self.select = select
        self.sleep_us = clock.sleep_us
        self.ticks_us = clock.ticks_us
        self.ticks_diff = clock.ticks_diff
        self.tx = self.bus.tx
        self.rx = self.bus.rx
        self.coll_counts = self.UNKNOWN
        self.gain_db = 33
        self.settle_us = 5_000
        self._ticks = _RELOAD

    def init(self, gain_db: int = 33) -> None:
        """Soft reset and configuration; the antenna is off afterwards. Three tries.

        OSError names the register that reads back wrong, or says that nobody answers.
        """
        trouble = OSError("MFRC522: not initialised")
        for wait in _BACK_OFF_US:
            try:
                self._reset()
                for name, register, value, mask in _CONFIGURATION:
                    self._configure(name, register, value, mask)
                self._ticks = _RELOAD
                self.coll_counts = self.UNKNOWN
                self.antenna(False)
                self.gain(gain_db)
                return
            except OSError as error:
                trouble = error
                self.sleep_us(wait)
        raise trouble

    def version(self) -> int:
        """VersionReg: 0x91, 0x92 genuine, 0x88 and others clones; 0x00 or 0xFF nobody there;
        -1 when three reads disagree: lower the SPI clock."""
        first = self.bus.read(self.select, _VERSION)
        for _ in range(2):
            if self.bus.read(self.select, _VERSION) != first:
                return -1
        return first

    def canary_ok(self) -> bool:
        """True while registers hold what init() and gain() wrote: no reset, no lock-up since."""
        bus = self.bus  # and not read = bus.read, which would allocate a bound method
        gain = bus.read(self.select, _RF_CFG) & 0x70
        return (
            gain == _GAIN_BITS[GAINS_DB.index(self.gain_db)]
            and bus.read(self.select, _TX_ASK) == 0x40
            and bus.read(self.select, _T_PRESCALER) == 0xA9
        )

    def antenna(self, on: bool) -> None:
        """Field on or off (TxControlReg, Tx1RFEn and Tx2RFEn). OSError when it does not hold."""
        bus = self.bus
        if bus.whole and bus.field(self.select, on):
            return
        if not on:  # a frame that is still being sent ends with its field
            bus.write(self.select, _COMMAND, _IDLE)
        value = _TX_ON if on else _TX_OFF
        bus.write(self.select, _TX_CONTROL, value)
        if bus.read(self.select, _TX_CONTROL) & 0x03 != value & 0x03:
            self._configure("TxControlReg", _TX_CONTROL, value, 0x03)
        self._on_at = self.ticks_us()

    def settle(self) -> None:
        """Wait until the field has been on for settle_us."""
        if self.bus.whole:
            self.bus.settle(self.settle_us)
            return
        rest = self.settle_us - self.ticks_diff(self.ticks_us(), self._on_at)
        if 0 < rest <= self.settle_us:
            self.sleep_us(rest)

    def restart(self) -> None:
        """Field off until the tags have lost their state, on, and settled."""
        self.antenna(False)
        self.sleep_us(self.off_us)
        self.antenna(True)
        self.settle()

    def gain(self, db: int) -> None:
        """Receiver gain, one of GAINS_DB (else ValueError). OSError when it does not hold."""
        if db not in GAINS_DB:
            raise ValueError("receiver gain %r dB: the chip has %s" % (db, str(GAINS_DB)))
        kept = self.bus.read(self.select, _RF_CFG) & 0x8F
        self._configure("RFCfgReg", _RF_CFG, kept | _GAIN_BITS[GAINS_DB.index(db)], 0x70)
        self.gain_db = db

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
        if bus.whole:
            got = bus.run(select, length, align << 4 | last_bits, expect, polls)
            if got > 0:
                self._note_bits()
            return got
        # Start, 9 bits a byte, end, both ways, and the tag's delay of 9 to 10 bits; 9.44 us a bit
        air_us = (9 * (length + expect) + (last_bits - 9 if last_bits else 0) + 14) * 302 >> 5
        bus.load(select, length, align << 4 | last_bits)
        rest = _GUARD_US - self.ticks_diff(self.ticks_us(), self._heard)
        if 0 < rest <= _GUARD_US:
            self.sleep_us(rest)
        bus.start(select, align << 4 | last_bits)
        self.sleep_us(air_us)
        while not bus.poll(select) & _RX_OR_TIMER:
            polls -= 1
            if polls == 0:
                return DEAD
            self.sleep_us(_POLL_US)
        return self._received()

    def patience(self, wait_us: int) -> int:
        """Set the chip's time-out; how many polls of the status are enough for it."""
        ticks = wait_us // _TICK_US
        if ticks != self._ticks:
            self.bus.write(self.select, _T_RELOAD_H, ticks >> 8)
            self.bus.write(self.select, _T_RELOAD_L, ticks & 0xFF)
            self._ticks = ticks
        return ticks // 2 + 40

    def _received(self) -> int:
        """Judge the status registers and fetch what came."""
        status = self.bus.status
        if status[1] & status[2] & status[3] & status[4] == 0xFF:
            return DEAD  # MISO stuck high
        if not status[1] & _RX_IRQ:
            return SILENCE
        self._heard = self.ticks_us()
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

    def _reset(self) -> None:
        """Soft reset: the oscillator may need some ms (section 10.3.1.10)."""
        self.bus.write(self.select, _COMMAND, _SOFT_RESET)
        for _ in range(10):
            self.sleep_us(5_000)
            if not self.bus.read(self.select, _COMMAND) & _POWER_DOWN:
                break
        else:
            raise OSError(
                "MFRC522: no answer, or still in reset after 50 ms; check power and MISO"
            )
        version = self.version()
        if version in (-1, 0x00, 0xFF):
            said = "differs from read to read" if version < 0 else "reads 0x%02X" % version
            raise OSError("MFRC522: nobody answers: VersionReg %s; check NSS, MISO, clock" % said)
        self.bus.write(self.select, _COMMAND, _IDLE)  # switches the receiver on

    def _configure(self, name: str, register: int, value: int, mask: int) -> None:
        self.bus.write(self.select, register, value)
        got = self.bus.read(self.select, register)
        if (got ^ value) & mask:
            raise OSError("MFRC522: %s is 0x%02X after writing 0x%02X" % (name, got, value))
