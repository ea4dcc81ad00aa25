"""The checksum of the wire, computed in C: in Python it took most of what a message costs."""

from binascii import crc_hqx


def crc16(data: bytes) -> int:
    """As spicecore.wire.messages.crc16() of all the data, 0 to 65535."""
    return crc_hqx(data, 0xFFFF)
