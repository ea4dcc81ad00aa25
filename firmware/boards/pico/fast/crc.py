"""messages.crc16() in viper: 11 us a byte were most of what a message costs."""

import micropython


@micropython.viper
def _crc16(data: ptr8, count: int, crc: int) -> int:  # noqa: F821
    i = 0
    while i < count:
        x = crc >> 8 ^ data[i]
        x ^= x >> 4
        crc = (crc << 8 ^ x << 12 ^ x << 5 ^ x) & 0xFFFF
        i += 1
    return crc


def crc16(data, crc=0xFFFF):
    """As messages.crc16()."""
    return _crc16(data, len(data), crc)
