"""The real driver on CPython, in front of the register-level MFRC522 model with its tags.

`Rig` plays the parts that a board has: SPI, chip select and a clock, all on virtual time.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "firmware/lib")] if str(ROOT / "firmware/lib") not in sys.path else []

from rfid import mfrc522  # noqa: E402  (the firmware's, beside any package of that name)
from spiceboard_sim.chips import mfrc522 as model  # noqa: E402
from spiceboard_sim.chips.field import PlainField  # noqa: E402
from spiceboard_sim.chips.ntag213 import Tag  # noqa: E402

SPI_BYTE_NS = 8 * 250  # 4 MHz


class Rig:
    """One reader chip, its tags, and the driver; `ns` is the clock."""

    def __init__(self, tags: Iterable[Tag], coll_pos: str = "frame") -> None:
        self.ns = 0
        self.field = PlainField(list(tags))
        self.chip = model.MFRC522(lambda: self.ns, self.field, coll_pos=coll_pos)
        self.reader = mfrc522.MFRC522(self, self.select, self)  # type: ignore[arg-type]
        self.bytes = 0

    def start(self) -> mfrc522.MFRC522:
        """Initialised, the field on, the tags awake."""
        self.reader.init(33)
        self.reader.antenna(True)
        self.sleep_us(1000)
        return self.reader

    def again(self) -> None:
        """Field off and on."""
        self.reader.antenna(False)
        self.sleep_us(100)
        self.reader.antenna(True)
        self.sleep_us(1000)

    # the clock
    def sleep_us(self, us: int) -> None:
        self.ns += 1000 * us

    def ticks_us(self) -> int:
        return self.ns // 1000

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier

    # SPI and chip select
    def select(self, on: bool) -> None:
        if on:
            self.chip.select()
        else:
            self.chip.deselect()

    def transfer(self, data: bytes) -> bytes:
        """One exchange, which takes its time on the bus."""
        out = bytearray()
        for byte in data:
            self.ns += SPI_BYTE_NS
            self.bytes += 1
            out += self.chip.transfer(bytes([byte]))
        return bytes(out)

    def write(self, data: bytes) -> None:
        self.transfer(bytes(data))

    def write_readinto(self, data: bytes, into: bytearray) -> None:
        into[:] = self.transfer(bytes(data))
