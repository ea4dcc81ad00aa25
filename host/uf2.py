"""UF2 files: what they are for, and whether they are whole. https://github.com/microsoft/uf2"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path

from spiceboard.host.errors import UNFIT, UserError

BLOCK = 512
MAGIC = (0x0A324655, 0x9E5D5157)
MAGIC_END = 0x0AB16F30
HAS_FAMILY = 0x2000
FAMILIES = {
    0xE48BFF56: "RP2040",
    0xE48BFF57: "absolute",  # RP2350: not bound to a partition; also used for erratum blocks
    0xE48BFF58: "data",
    0xE48BFF59: "RP2350",  # Arm, secure
    0xE48BFF5A: "RP2350",  # RISC-V
    0xE48BFF5B: "RP2350",  # Arm, non-secure
}
CHIP_FAMILIES = ("RP2040", "RP2350")


class BadUf2(UserError):
    """The file is no UF2 file, is cut short, or is for something else or no MicroPython."""

    exit_code = UNFIT


@dataclass(frozen=True)
class Uf2:
    """A checked UF2 file."""

    path: Path
    chip: str
    blocks: int
    sha256: str
    version: str  # of the MicroPython in it, as "1.25.0"


def read_uf2(path: Path, sha256: str | None = None) -> Uf2:
    """Read and check a UF2 file whole: blocks, numbering, one chip's family, MicroPython in it.

    BadUf2 says what is wrong, UserError that there is no such file; `sha256` (hex) must fit when
    it is given.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    if not data or len(data) % BLOCK:
        raise BadUf2(
            f"{path} is no whole UF2 file: {len(data)} bytes are not a number of {BLOCK}-byte "
            "blocks. Download it again"
        )
    digest = hashlib.sha256(data).hexdigest()
    if sha256 and digest != sha256.lower():
        raise BadUf2(f"{path} has the checksum {digest}, not the expected {sha256.lower()}")
    chips = set()
    payload = bytearray()
    counts: dict[str, list[int]] = {}
    for index in range(len(data) // BLOCK):
        family, number, total, part = _block(path, data, index)
        if family in CHIP_FAMILIES:
            chips.add(family)
            payload += part
        counts.setdefault(family, [total]).append(number)
    for family, (total, *numbers) in counts.items():
        if numbers != list(range(total)):
            raise BadUf2(
                f"{path} is cut short: {len(numbers)} of {total} blocks for {family}. "
                "Download it again"
            )
    if len(chips) != 1:
        what = " and ".join(sorted(chips)) or "none of " + " or ".join(CHIP_FAMILIES)
        raise BadUf2(f"{path} is for {what}; a file for exactly one chip is needed")
    version = _version(bytes(payload))
    if version is None:
        raise BadUf2(
            f"{path} has no version of MicroPython in it, so it is another program or a damaged "
            "copy: take the image from micropython.org, or `--uf2 pinned`"
        )
    return Uf2(path, chips.pop(), len(data) // BLOCK, digest, version)


def _block(path: Path, data: bytes, index: int) -> tuple[str, int, int, bytes]:
    """(family's name, number, total, payload) of a block."""
    at = index * BLOCK
    first, second, flags, _address, size, number, total, family = struct.unpack_from(
        "<8I", data, at
    )
    (end,) = struct.unpack_from("<I", data, at + BLOCK - 4)
    if (first, second) != MAGIC or end != MAGIC_END or size > 476:
        raise BadUf2(f"{path} is no UF2 file: block {index} does not begin or end as one")
    if not flags & HAS_FAMILY:
        raise BadUf2(f"{path} does not say which chip it is for (block {index} has no family)")
    name = FAMILIES.get(family, f"an unknown family 0x{family:08x}")
    return name, number, total, data[at + 32 : at + 32 + size]


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
