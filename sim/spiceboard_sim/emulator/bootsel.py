"""BOOTSEL of an emulated board: the drive that its boot ROM shows, and where it is mounted.

The boot ROM itself does not run. What it does is in the RP2040 data sheet, 2.8.4: it shows a FAT16
volume and looks at the sectors that are written, not at files. A sector that is a UF2 block of its
family is programmed where it says; the drive vanishes when all blocks of a file were seen.
"""

import contextlib
import struct
from collections.abc import Callable
from pathlib import Path

from fatfs import PartitionExtended  # type: ignore[import-untyped]
from fatfs.diskio import RamDisk  # type: ignore[import-untyped]
from fatfs.wrapper import Partition  # type: ignore[import-untyped]

SECTOR = 512
SIZE = 16 * 1024 * 1024  # the boot ROM claims 128 MiB, of which nothing but a UF2 is kept
ERASE = 4096
FAMILY = 0xE48BFF56
UF2_BEGIN, UF2_END = (0x0A324655, 0x9E5D5157), 0x0AB16F30
PAYLOAD = 256  # the only size that the boot ROM takes
HAS_FAMILY, NOT_FLASH = 0x2000, 0x0001
FLASH = range(0x10000000, 0x11000000)
SHOWN = {
    "INFO_UF2.TXT": b"UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n",
    "INDEX.HTM": b'<html><head><meta http-equiv="refresh" content="0;'
    b"URL='https://raspberrypi.com/device/RP2?version=E0C9125B0D9B'\"/></head>"
    b"<body>Redirecting</body></html>\r\n",
}


class Drive(RamDisk):  # type: ignore[misc]
    """The FAT16 volume of the boot ROM. program(offset, bytes): writes the flash; erase(offset)
    erases 4 KiB of it. `whole` becomes true when every block of a file has come."""

    def __init__(
        self, program: Callable[[int, bytes], None], erase: Callable[[int], None]
    ) -> None:
        super().__init__(bytearray(SIZE), SECTOR)
        self._program, self._erase = program, erase
        self._seen: set[int] = set()
        self._erased: set[int] = set()
        self.whole = False
        self.ignored = 0  # sectors of another family, which the boot ROM passes over silently
        self._live = False
        self._volume = Partition(self)
        self._volume.mkfs()
        self.storage[43:54] = b"RPI-RP2    "
        self._volume.mount()
        for name, content in SHOWN.items():
            with self._volume.open(f"/{name}", "w") as file:
                file.write(content)
        self._live = True

    def create(self, name: str) -> "Copy":
        """A new file, written by a FAT driver (ChaN's FatFs), as a desktop's would."""
        return Copy(self._volume.open(f"/{name}", "w"))

    def names(self) -> list[str]:
        """Names in the volume's root."""
        return list(PartitionExtended(self._volume).listdir("/"))

    def write(self, sector: int, count: int, buff: bytes) -> None:
        """`count` bytes from a sector on; each sector is looked at."""
        super().write(sector, count, buff)
        if self._live:
            for at in range(0, count, SECTOR):
                self._look(bytes(buff[at : at + SECTOR]))

    def _look(self, block: bytes) -> None:
        first, second, flags, address, size, number, blocks, family = struct.unpack_from(
            "<8I", block
        )
        (end,) = struct.unpack_from("<I", block, SECTOR - 4)
        if (first, second) != UF2_BEGIN or end != UF2_END:
            return  # a directory, a FAT, or any other file
        if flags & NOT_FLASH or not flags & HAS_FAMILY or family != FAMILY or size != PAYLOAD:
            self.ignored += 1
            return
        if address not in FLASH:
            self.ignored += 1
            return
        offset = address - FLASH.start
        if offset // ERASE not in self._erased:
            self._erased.add(offset // ERASE)
            self._erase(offset // ERASE * ERASE)
        self._program(offset, block[32 : 32 + PAYLOAD])
        self._seen.add(number)
        self.whole = len(self._seen) >= blocks


class Copy:
    """A file that is being written to the drive; whole sectors reach it at once."""

    def __init__(self, handle: object) -> None:
        self._handle = handle
        self.written = 0

    def write(self, data: bytes) -> None:
        """Append."""
        self._handle.write(data)  # type: ignore[attr-defined]
        self.written += len(data)

    def close(self) -> None:
        """Write directory and FAT."""
        with contextlib.suppress(OSError):  # the drive may have vanished
            self._handle.close()  # type: ignore[attr-defined]


class Mount:
    """The drive as a folder, as a desktop shows it: what is copied into the folder is written to
    the drive. (No kernel need mount FAT for it; a test does where one can.)"""

    def __init__(self, drive: Drive, folder: Path) -> None:
        self.drive, self.folder = drive, folder
        self._copies: dict[str, Copy] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in SHOWN.items():
            (folder / name).write_bytes(content)

    def pump(self) -> None:
        """Carry what was written since the last call."""
        for path in sorted(self.folder.iterdir()):
            if path.name in SHOWN or not path.is_file():
                continue
            copy = self._copies.get(path.name) or self.drive.create(path.name)
            self._copies[path.name] = copy
            with open(path, "rb") as file:
                file.seek(copy.written)
                fresh = file.read()
            if whole := len(fresh) // SECTOR * SECTOR:
                copy.write(fresh[:whole])

    def vanish(self) -> None:
        """The board leaves the bus: the folder is empty, as after an unplugged drive."""
        for copy in self._copies.values():
            copy.close()
        for path in self.folder.iterdir():
            path.unlink()
