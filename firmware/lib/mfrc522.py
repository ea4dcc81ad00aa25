"""MFRC522 reader driver (NXP data sheet MFRC522, rev. 3.9); usable alone, on both runtimes.

    reader = MFRC522(spi, select)       # spi: machine.SPI-like; select(True) drives this NSS low
    reader.init(33)                     # soft reset, every register write read back
    reader.antenna(True)                # then wait for the tags: 1 to 5 ms

Skeleton: signatures are fixed, bodies follow.
"""

SILENCE = 0  # exchange(): nobody answered before the time-out
GARBLED = -1  # exchange(): overflow, parity or protocol error
DEAD = -2  # exchange(): the reader itself does not answer on the bus
GAINS_DB = (18, 23, 33, 38, 43, 48)


class Bus:
    """The SPI bus and its buffers, shared by all readers on it (firmware/rp2/mfrc522_fast.py
    has the same class over bare registers). `Bus(spi)`: spi has write, readinto,
    write_readinto."""


class MFRC522:
    """One reader.

    spi      machine.SPI-like (mode 0, at most 10 MHz), or a Bus shared by several readers
    select   select(True) selects this reader, select(False) none
    sleep_us, ticks_us, ticks_diff   default to the `time` module's; CPython callers hand theirs in

    Attributes after exchange(): rx (bytearray, the FIFO as received), last_bits (valid bits in
    its last byte, 0 = all 8), coll (0 none; 1..32 first collided bit, counted in the current
    cascade level; 33 position unknown).
    """

    def init(self, gain_db: int = 33) -> None:
        """Soft reset and configuration, antenna off; 3 tries with back-off.

        OSError naming the register when a write reads back differently."""

    def version(self) -> int:
        """VersionReg, read three times: 0x91, 0x92 genuine; 0x00 or 0xFF nobody there; -1 when
        the three reads disagree (lower the SPI clock)."""
        return 0

    def canary_ok(self) -> bool:
        """True while the registers that init() wrote still hold (no reset or lock-up since)."""
        return False

    def antenna(self, on: bool) -> None:
        """Field on or off, read back (OSError). Tags need 1 to 5 ms after "on"."""

    def gain(self, db: int) -> None:
        """Receiver gain: one of GAINS_DB (ValueError), read back (OSError)."""

    def exchange(self, length: int, last_bits: int, align: int, expect: int, wait_us: int) -> int:
        """Send tx[:length], receive into rx: bytes received, or SILENCE, GARBLED, DEAD.

        last_bits: bits of the last byte to send (0 = 8); align: RxAlign; expect: bytes of the
        answer (for its air time); wait_us: time-out after the end of the frame."""
        return SILENCE
