"""The parts of the MFRC522 (NXP data sheet, rev. 3.9) that are the same on any bus: start, gain,
field, health. mfrc522.MFRC522 speaks to it over machine.SPI, a board may have a faster class.

The chip is reset by software only: NRSTPD may be strapped high, or shared by several readers.
"""

from rfid.iso14443a import TypeA
from rfid.registers import (
    COMMAND,
    CONFIGURATION,
    GAIN_BITS,
    GAINS_DB,
    RF_CFG,
    T_PRESCALER,
    T_RELOAD_H,
    T_RELOAD_L,
    TX_ASK,
    TX_CONTROL,
    VERSION,
)

try:
    from micropython import const
except ImportError:  # CPython

    def const(value: int) -> int:  # type: ignore[misc]
        return value


TYPE_CHECKING = const(0)
if TYPE_CHECKING:
    from collections.abc import Callable

    from rfid.reader import Bench

_IDLE = const(0x00)  # commands (section 10.3)
_SOFT_RESET = const(0x0F)
_POWER_DOWN = const(0x10)  # CommandReg: still waking up
_TX_OFF = const(0x80)  # TxControlReg: InvTx2RFOn as after reset; Tx1RFEn and Tx2RFEn
_TX_ON = const(0x83)
_TICK_US = const(25)  # timer: 13.56 MHz / (2 * 0xA9 + 1)

_RELOAD = const(0x0C)  # 12 ticks: 300 us, see FDT in iso14443a.py
_BACK_OFF_US = (1_000, 10_000, 50_000)


class Chip(TypeA):
    """One MFRC522, over read() and write() of the class that derives from it.

    settle_us is what its tags need after the field comes on (at most 5 ms), for settle().
    coll_counts is kept for rfid.known, which finds out how this chip counts collisions.
    """

    read: "Callable[[int], int]"  # a register
    write: "Callable[[int, int], None]"  # a register, the value
    gains_db = GAINS_DB
    gain_db = 33
    settle_us = 5_000
    coll_counts = 0
    _ticks = _RELOAD
    _on_at = 0

    def init(self, gain_db: int = 33) -> None:
        """Soft reset and configuration; the antenna is off afterwards. Three tries.

        OSError names the register that reads back wrong, or says that nobody answers.
        """
        trouble = OSError("MFRC522: not initialised")
        for wait in _BACK_OFF_US:
            try:
                self._reset()
                for name, register, value, mask in CONFIGURATION:
                    self._configure(name, register, value, mask)
                self._ticks = _RELOAD
                self.coll_counts = 0
                self.antenna(False)
                self.gain(gain_db)
                return
            except OSError as error:
                trouble = error
                self.clock.sleep_us(wait)
        raise trouble

    def version(self) -> int:
        """VersionReg: 0x91, 0x92 genuine, 0x88 and others clones; 0x00 or 0xFF: no reader; -1 if
        three reads disagree: lower the SPI clock."""
        first = self.read(VERSION)
        for _ in range(2):
            if self.read(VERSION) != first:
                return -1
        return first

    def healthy(self, closely: bool) -> bool:
        """True while registers hold what init() and gain() wrote: no reset, no lock-up since. A
        reset shows in one register; closely: three are read."""
        if self.read(TX_ASK) != 0x40:
            return False
        if not closely:
            return True
        gain = self.read(RF_CFG) & 0x70
        return gain == GAIN_BITS[GAINS_DB.index(self.gain_db)] and self.read(T_PRESCALER) == 0xA9

    def antenna(self, on: bool) -> None:
        """Field on or off (TxControlReg, Tx1RFEn and Tx2RFEn). OSError when it does not hold."""
        if not on:  # end a frame that is still being sent together with its field
            self.write(COMMAND, _IDLE)
        value = _TX_ON if on else _TX_OFF
        self.write(TX_CONTROL, value)
        if self.read(TX_CONTROL) & 0x03 != value & 0x03:
            self._configure("TxControlReg", TX_CONTROL, value, 0x03)
        self._on_at = self.clock.ticks_us()

    def settle(self) -> None:
        """Wait until the field has been on for settle_us."""
        rest = self.settle_us - self.clock.ticks_diff(self.clock.ticks_us(), self._on_at)
        if 0 < rest <= self.settle_us:
            self.clock.sleep_us(rest)

    def gain(self, db: int) -> None:
        """Receiver gain, one of GAINS_DB (else ValueError). OSError when it does not hold."""
        if db not in GAINS_DB:
            raise ValueError("receiver gain %r dB: the chip has %s" % (db, str(GAINS_DB)))
        kept = self.read(RF_CFG) & 0x8F
        self._configure("RFCfgReg", RF_CFG, kept | GAIN_BITS[GAINS_DB.index(db)], 0x70)
        self.gain_db = db

    def patience(self, wait_us: int) -> int:
        """Set the chip's time-out; return how many polls of the status it needs."""
        ticks = wait_us // _TICK_US
        if ticks != self._ticks:
            self.write(T_RELOAD_H, ticks >> 8)
            self.write(T_RELOAD_L, ticks & 0xFF)
            self._ticks = ticks
        return ticks // 2 + 40

    def bench(self) -> "Bench":
        """See reader.Bench."""
        from rfid.on_demand.mfrc522_bench import MFRC522Bench

        return MFRC522Bench(self)

    def _reset(self) -> None:
        """Soft reset: the oscillator may need some ms (section 10.3.1.10)."""
        self.write(COMMAND, _SOFT_RESET)
        for _ in range(10):
            self.clock.sleep_us(5_000)
            if not self.read(COMMAND) & _POWER_DOWN:
                break
        else:
            raise OSError(
                "MFRC522: no answer, or still in reset after 50 ms; check power and MISO"
            )
        version = self.version()
        if version in (-1, 0x00, 0xFF):
            said = "differs from read to read" if version < 0 else "reads 0x%02X" % version
            raise OSError("MFRC522: nobody answers: VersionReg %s; check NSS, MISO, clock" % said)
        self.write(COMMAND, _IDLE)  # switches the receiver on

    def _configure(self, name: str, register: int, value: int, mask: int) -> None:
        self.write(register, value)
        got = self.read(register)
        if (got ^ value) & mask:
            raise OSError("MFRC522: %s is 0x%02X after writing 0x%02X" % (name, got, value))
