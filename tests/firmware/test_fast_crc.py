"""The check sums that the RP2040 computes in viper and a computer in C are the wire's own."""

import sys
import types
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spiceboard.board import checksum
from spicecore.wire import messages

SOURCE = Path(__file__).resolve().parents[2] / "firmware/boards/pico/fast/crc.py"


def fast() -> types.ModuleType:
    stub = types.ModuleType("micropython")
    stub.viper = lambda function: function  # type: ignore[attr-defined]
    module = types.ModuleType("crc_fast")
    module.__dict__["ptr8"] = bytes
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "micropython", stub)
        exec(compile(SOURCE.read_text(), str(SOURCE), "exec"), module.__dict__)
    return module


@given(st.binary(max_size=300), st.integers(0, 0xFFFF))
def test_same_sum(data: bytes, crc: int) -> None:
    crc16 = fast().crc16
    assert crc16(data) == messages.crc16(data)
    assert crc16(data, crc) == messages.crc16(data, crc)
    assert checksum.crc16(data) == messages.crc16(data)


def test_known_value() -> None:
    """CRC-16/IBM-3740 of the digits, from the catalogue of parametrised CRC algorithms."""
    assert fast().crc16(b"123456789") == checksum.crc16(b"123456789") == 0x29B1
