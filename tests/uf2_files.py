"""UF2 files as the Pico tools write them."""

import struct
from typing import Any

RP2040, RP2350_ARM, RP2350_RISCV, ABSOLUTE = 0xE48BFF56, 0xE48BFF59, 0xE48BFF5A, 0xE48BFF57
BANNER = b"v1.25.0 on 2025-04-15"
IGNORE = struct.pack("<I", 0x9957E304)  # the Pico tools' tag: this block is for no chip


def block(family: int, number: int, blocks: int, *, payload: bytes = b"", **more: Any) -> bytes:
    """One block of 512 bytes, as picotool lays it out."""
    address = more.get("address", 0x10000000 + 256 * number)
    size, flags = more.get("size", 256), more.get("flags", 0x2000)
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, flags, address, size, number, blocks, family)
    body: bytes = payload.ljust(256, b"\x55") + more.get("tags", b"").ljust(220, b"\0")
    return head + body + struct.pack("<I", 0x0AB16F30)


def uf2(family: int, blocks: int = 8, flags: int = 0x2000, text: bytes = BANNER) -> bytes:
    """A UF2 file of so many blocks, with MicroPython's banner in its first."""
    return b"".join(
        block(family, number, blocks, flags=flags, payload=b"" if number else text)
        for number in range(blocks)
    )


def e10(flags: int = 0x2000) -> bytes:
    """The block that today's tools put first into a file for the RP2350 (erratum E10)."""
    tags = IGNORE if flags & 0x8000 else b""
    return block(ABSOLUTE, 0, 2, address=0x10FFFF00, payload=b"\xef" * 256, flags=flags, tags=tags)
