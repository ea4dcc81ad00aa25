"""The tag's states, by ISO 14443-3 (figure of the type A states) and the NTAG213 sheet."""

import pytest

from spiceboard.sim.chips.air import crc_a
from spiceboard.sim.chips.ntag213 import ACTIVE, HALT, IDLE, OFF, READY, Tag

MS = 1_000_000
REQA, WUPA = (0x26, 7), (0x52, 7)
UIDS = [bytes.fromhex(u) for u in ("04112233", "04112233445566", "04112233445566778899")]


class Air:
    """Frames to one tag, far enough apart."""

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.now = 0
        tag.power(0)

    def send(self, value: int, bits: int) -> bytes | None:
        self.now += 5 * MS
        answer = self.tag.receive(value, bits, self.now, self.now + MS)
        if answer is None:
            return None
        return answer.value.to_bytes((answer.bits + 7) // 8, "little")

    def whole(self, data: bytes) -> bytes | None:
        return self.send(int.from_bytes(data, "little"), 8 * len(data))

    def crc(self, data: bytes) -> bytes | None:
        return self.whole(data + crc_a(data).to_bytes(2, "little"))

    def activate(self) -> bytes:
        """All cascade levels; the UID that was read."""
        uid = b""
        for level in range(3):
            select = 0x93 + 2 * level
            part = self.whole(bytes((select, 0x20)))
            assert part is not None and len(part) == 5
            sak = self.crc(bytes((select, 0x70)) + part)
            assert sak is not None
            uid += part[1:4] if part[0] == 0x88 else part[:4]
            if not sak[0] & 0x04:
                return uid
        raise AssertionError("SAK never says complete")


@pytest.mark.parametrize("uid", UIDS)
def test_uid_of_each_size(uid: bytes) -> None:
    air = Air(Tag(uid))
    atqa = air.send(*REQA)
    assert atqa == {4: b"\x04\0", 7: b"\x44\0", 10: b"\x84\0"}[len(uid)]
    assert air.activate() == uid
    assert air.tag.state == ACTIVE


def test_it_listens_only_some_time_after_the_field_came() -> None:
    tag = Tag(UIDS[1], wake_ns=2 * MS)
    tag.power(10 * MS)
    assert tag.receive(0x26, 7, 11 * MS, 11 * MS + 75_000) is None
    assert tag.receive(0x26, 7, 12 * MS, 12 * MS + 75_000) is not None


def test_halt_hears_only_wupa() -> None:
    air = Air(Tag(UIDS[1]))
    air.send(*REQA)
    air.activate()
    assert air.crc(b"\x50\x00") is None  # silence is success
    assert air.tag.state == HALT
    assert air.send(*REQA) is None
    assert air.send(*WUPA) is not None
    assert air.whole(b"\x93\x20\xff\xff\xff") is None  # an error leads back to HALT, not IDLE
    assert air.tag.state == HALT


def test_reqa_in_ready_falls_back_to_idle() -> None:
    air = Air(Tag(UIDS[0]))
    assert air.send(*REQA)
    assert air.send(*REQA) is None
    assert air.tag.state == IDLE
    assert air.send(*REQA)


@pytest.mark.parametrize(("stays", "state"), [(True, READY), (False, IDLE)])
def test_unaddressed_anticollision(stays: bool, state: str) -> None:
    air = Air(Tag(UIDS[0], stays_ready=stays))
    air.send(*REQA)
    assert air.whole(b"\x93\x30\x05") is None
    assert air.tag.state == state


def test_field_loss_forgets() -> None:
    air = Air(Tag(UIDS[0]))
    air.send(*REQA)
    air.tag.lose()
    assert air.tag.state == OFF
    assert air.send(*REQA) is None


def test_every_prefix_is_answered_with_the_rest() -> None:
    uid = UIDS[0]
    whole = int.from_bytes(uid + bytes((uid[0] ^ uid[1] ^ uid[2] ^ uid[3],)), "little")
    air = Air(Tag(uid))
    air.send(*REQA)
    for known in range(40):
        nvb = (2 + known // 8) << 4 | known % 8
        frame = 0x93 | nvb << 8 | (whole & (1 << known) - 1) << 16
        air.now += 2 * MS
        answer = air.tag.receive(frame, 16 + known, air.now, air.now + MS)
        assert answer is not None
        assert (answer.bits, answer.value) == (40 - known, whole >> known)


def test_reads_and_refuses_pages() -> None:
    air = Air(Tag(UIDS[1]))
    air.send(*REQA)
    air.activate()
    page0 = air.crc(b"\x30\x00")
    assert page0 is not None and page0[:3] == UIDS[1][:3] and page0[4:8] == UIDS[1][3:]
    fast = air.crc(b"\x3a\x00\x02")
    assert fast is not None and fast[:12] == page0[:12]
    version = air.crc(b"\x60")
    assert version is not None and version[6] == 0x0F
    assert air.crc(b"\x30\x2d") == b"\x00"  # NAK of four bits
    assert air.tag.state == IDLE


def test_a_uid_does_not_begin_with_the_cascade_tag() -> None:
    with pytest.raises(ValueError, match="0x88"):
        Tag(bytes.fromhex("88112233"))
