"""UF2 files: what they are for, and whether they are whole. https://github.com/microsoft/uf2

Read as the boot ROMs read them (RP2040 data sheet 2.8.4.2, RP2350 data sheet 5.5.2): blocks of
another family, or marked as none of the main flash, are passed over; those of each family count
by themselves, in any order. An image for the Pico 2 begins with one block that is only there for
erratum RP2350-E10 and is never completed.
"""

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from spiceboard.errors import UNFIT, UserError
from spiceboard.flash.sources import board_data

BLOCK = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = 0x0AB16F30
NOT_FLASH, IS_FILE, HAS_FAMILY, HAS_TAGS = 0x0001, 0x1000, 0x2000, 0x8000
IGNORE_TAG = 0x9957E304  # of the Pico tools: this block is for no chip

_PICO = board_data("image")
PAGE: int = _PICO["PAGE"]
ABSOLUTE: int = _PICO["ABSOLUTE"]
E10_ADDRESS: int = _PICO["E10_ADDRESS"]
E10_BLOCKS: int = _PICO["E10_BLOCKS"]
FAMILIES: dict[int, str] = _PICO["FAMILIES"]
CHIP_FAMILIES = tuple(sorted(set(FAMILIES.values())))
FLASH = range(*_PICO["FLASH"])
SIZE_MAX = len(FLASH) // PAGE * BLOCK * len(FAMILIES)  # bytes: each family with a full flash


class BadUf2(UserError):
    """The file is not a UF2 file, is cut short, or is for something else or no MicroPython."""

    exit_code = UNFIT


@dataclass(frozen=True)
class Uf2:
    """A checked UF2 file."""

    path: Path
    versions: dict[str, str]  # chip: version of its MicroPython, as "1.25.0"
    blocks: int
    sha256: str
    data: bytes = field(repr=False)  # what was checked is what is copied

    @property
    def about(self) -> str:
        """What it holds, in words."""
        return " and ".join(f"{self.versions[c]} for the {c}" for c in sorted(self.versions))


@dataclass(frozen=True)
class Block:
    """A block that a boot ROM would look at."""

    family: int
    number: int
    total: int
    address: int
    payload: bytes


def read_uf2(path: Path, sha256: str | None = None) -> Uf2:
    """Read and check a UF2 file whole: blocks, numbering, families, MicroPython for each chip.

    BadUf2 says what is wrong, UserError that there is no such file; `sha256` (hex) must fit when
    it is given.
    """
    data = _content(path)
    digest = hashlib.sha256(data).hexdigest()
    if sha256 and digest != sha256.lower():
        raise BadUf2(f"{path} has the checksum {digest}, not the expected {sha256.lower()}")
    families: dict[int, list[Block]] = {}
    others = set()
    for block in _blocks(path, data):
        if block.family in FAMILIES:
            families.setdefault(block.family, []).append(block)
        else:
            others.add(f"0x{block.family:08x}")
    if not families:
        named = f" (it has the unknown family {', '.join(sorted(others))})" if others else ""
        raise BadUf2(f"{path} is not for {' or '.join(CHIP_FAMILIES)}{named}")
    versions = {}
    for family, blocks in sorted(families.items()):
        version = _version(_image(path, blocks))
        if version is not None:
            versions[FAMILIES[family]] = version
    if not versions:
        raise BadUf2(
            f"{path} contains no version of MicroPython, so it is another program or damaged: "
            "download the image from micropython.org, or use `--uf2 pinned`"
        )
    return Uf2(path, versions, len(data) // BLOCK, digest, data)


def _content(path: Path) -> bytes:
    """The bytes of a file that can be a UF2 file by its size."""
    try:
        if path.exists() and not path.is_file():
            raise UserError(f"cannot read {path}: it is not a file")
        size = path.stat().st_size
        if not size or size % BLOCK or size > SIZE_MAX:
            raise BadUf2(
                f"{path} is not a complete UF2 file: {size} bytes are not a number of "
                f"{BLOCK}-byte blocks for a chip's flash. Download it again"
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:  # the second: a name that can be none
        raise UserError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from error


def _blocks(path: Path, data: bytes) -> Iterator[Block]:
    """The blocks of the main flash, without those that must be ignored."""
    for index in range(len(data) // BLOCK):
        at = index * BLOCK
        first, second, flags, address, size, number, total, family = struct.unpack_from(
            "<8I", data, at
        )
        (end,) = struct.unpack_from("<I", data, at + BLOCK - 4)
        if (first, second) != MAGIC or end != MAGIC_END or size > 476:
            raise BadUf2(
                f"{path} is not a UF2 file: block {index} does not begin and end like a UF2 block"
            )
        if flags & (NOT_FLASH | IS_FILE):
            continue
        if not flags & HAS_FAMILY:
            raise BadUf2(f"{path} does not say which chip it is for (block {index} has no family)")
        block = data[at : at + BLOCK]
        if flags & HAS_TAGS and IGNORE_TAG in _tags(block, size):
            continue
        if (family, address, number, total) == (ABSOLUTE, E10_ADDRESS, 0, E10_BLOCKS):
            continue
        yield Block(family, number, total, address, block[32 : 32 + size])


def _tags(block: bytes, size: int) -> Iterator[int]:
    """First words (length, then 24 bits of kind) of the extension tags behind the payload."""
    at = 32 + (size + 3) // 4 * 4
    while at + 4 <= BLOCK - 4 and block[at]:
        yield struct.unpack_from("<I", block, at)[0]
        at += (block[at] + 3) // 4 * 4


def _image(path: Path, blocks: list[Block]) -> bytes:
    """The payloads of one family by their address; BadUf2 unless each is there, once."""
    chip, total = FAMILIES[blocks[0].family], blocks[0].total
    numbers: dict[int, Block] = {}
    pages: dict[int, Block] = {}
    for block in blocks:
        if len(block.payload) != PAGE or block.address % PAGE or block.address not in FLASH:
            raise BadUf2(
                f"{path} is not for the flash of a board: block {block.number} has "
                f"{len(block.payload)} bytes for address 0x{block.address:08x}"
            )
        known = numbers.setdefault(block.number, block)
        if block.total != total or known != block:
            raise BadUf2(
                f"{path} is damaged: its blocks for {chip} contradict each other at number "
                f"{block.number}. Download it again"
            )
        if pages.setdefault(block.address, block) != block:
            raise BadUf2(
                f"{path} is damaged: it writes address 0x{block.address:08x} twice. Download it "
                "again"
            )
    if len(numbers) != total or max(numbers) >= total:
        raise BadUf2(
            f"{path} is incomplete: it has {len(numbers)} of {total} blocks for {chip}. "
            "Download it again"
        )
    return b"".join(pages[address].payload for address in sorted(pages))


def _version(payload: bytes) -> str | None:
    """MicroPython's version as its banner has it: `v1.25.0 on 2025-04-15`."""
    marker = payload.find(b"MicroPython v")
    at = payload.find(b" on 20", marker) if marker >= 0 else -1
    if at < 0:
        at = payload.find(b" on 20")
    start = payload.rfind(b"v", max(0, at - 40), at) if at > 0 else -1
    if start < 0:
        return None
    text = payload[start + 1 : at].decode("ascii", "replace")
    return text.split(" ")[0] if text[:1].isdigit() else None
