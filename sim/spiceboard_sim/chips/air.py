"""ISO/IEC 14443 type A on the air: times at 106 kbit/s, CRC_A, and what a field must offer.

Frames are integers with the bit sent first as bit 0, with their number of data bits; parity
bits are counted in the time and otherwise understood. Times are nanoseconds.
"""

from dataclasses import dataclass
from typing import Protocol

CARRIER_HZ = 13_560_000
NEVER = 1 << 62


def carrier_ns(periods: int) -> int:
    """The time of so many periods of the carrier, in ns."""
    return periods * 1_000_000_000 // CARRIER_HZ


ETU_NS = carrier_ns(128)  # one bit: 9.44 us (ISO 14443-3, 6.2)
# Frame delay time reader to tag, after a last bit 0 and 1 (ISO 14443-3, 6.2.1.1, n = 9).
FDT_NS = (carrier_ns(1172), carrier_ns(1236))
# A reader may not start a frame sooner than this after a tag's last one (6.2.1.2).
FDT_BACK_NS = carrier_ns(1172)


class NotModelled(Exception):
    """The firmware did what the simulated hardware does not model, or what hardware forbids.

    The sentence names the register or pin and the section of the data sheet or standard.
    """


@dataclass(frozen=True, slots=True)
class Response:
    """What one tag sends back."""

    bits: int  # number of data bits
    value: int
    fdt_ns: int
    parity_ok: bool = True


@dataclass(frozen=True, slots=True)
class Reception:
    """What a reader's receiver makes of all responses together.

    clash: the bits that some tags sent as 0 and some as 1; value has them as 1.
    """

    bits: int
    value: int
    clash: int
    fdt_ns: int
    parity_ok: bool = True


class Field(Protocol):
    """The antenna of one reader and the tags near it."""

    def conduct(self, full: bool) -> None:
        """The drivers' conductance from the next `switch` on: full, or as after a reset."""

    def switch(self, on: bool, now: int) -> None:
        """Field on or off; tags without field forget all but their UID."""

    def send(self, value: int, bits: int, start: int, end: int, gain_db: int) -> Reception | None:
        """Let the tags hear a frame of the given times; what the receiver gets, or None."""


def crc_a(data: bytes, preset: int = 0x6363) -> int:
    """CRC_A of ISO 14443-3 annex B (x^16 + x^12 + x^5 + 1, reflected); low byte is sent first."""
    crc = preset
    for byte in data:
        crc = crc >> 8 ^ _CRC_TABLE[(crc ^ byte) & 255]
    return crc


def _crc_table() -> list[int]:
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x8408 if n & 1 else 0)
        table.append(n)
    return table


_CRC_TABLE = _crc_table()


def frame_ns(bits: int) -> int:
    """Air time of a frame: start bit, data, a parity bit after each full byte (6.2.3)."""
    return carrier_ns(128 * (1 + bits + bits // 8))


def response_ns(bits: int, split: int) -> int:
    """Air time of a response whose first byte lacks the `split` bits the reader sent."""
    return carrier_ns(128 * (1 + bits + (bits + split) // 8))


def superpose(responses: list[Response]) -> Reception | None:
    """The sum of simultaneous load modulation: equal bits stay, different ones clash (6.1.5.3)."""
    if not responses:
        return None
    first = responses[0]
    if len(responses) == 1:
        return Reception(first.bits, first.value, 0, first.fdt_ns, first.parity_ok)
    union = 0
    common = -1
    bits = first.bits
    parity_ok = True
    for response in responses:
        if response.fdt_ns != first.fdt_ns:
            raise NotModelled(
                "two tags answer one frame at different times (ISO 14443-3, 6.2.1.1): "
                "two are ACTIVE at once"
            )
        union |= response.value
        common &= response.value
        bits = max(bits, response.bits)
        parity_ok = parity_ok and response.parity_ok
    return Reception(bits, union, union & ~common, first.fdt_ns, parity_ok)
