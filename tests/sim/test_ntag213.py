"""The tag's states, by ISO 14443-3 (figure of the type A states) and the NTAG213 sheet."""

import pytest

from spiceboard_sim.chips.air import crc_a
from spiceboard_sim.chips.ntag213 import ACTIVE, HALT, IDLE, OFF, READY, Tag

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
        self.now += 10 * MS  # writing a page takes 4
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


def ready(air: Air) -> Air:
    air.send(*(REQA if air.tag.state == IDLE else WUPA))
    air.activate()
    return air


def test_a_page_is_written_and_acknowledged_late() -> None:
    air = ready(Air(Tag(UIDS[1])))
    frame = b"\xa2\x04abcd"
    frame += crc_a(frame).to_bytes(2, "little")
    answer = air.tag.receive(int.from_bytes(frame, "little"), 64, 150 * MS, 151 * MS)
    assert answer is not None and (answer.bits, answer.value) == (4, 0xA)
    assert 4 * MS < answer.fdt_ns < 5 * MS
    air.now = 180 * MS
    page = air.crc(b"\x30\x04")
    assert page is not None and page[:4] == b"abcd"


@pytest.mark.parametrize("page", [0, 1, 45])
def test_other_pages_are_not_written(page: int) -> None:
    air = ready(Air(Tag(UIDS[1])))
    assert air.crc(bytes((0xA2, page, 1, 2, 3, 4))) == b"\x00"
    assert air.tag.state == IDLE


def test_lock_bits_only_gain_ones_and_freeze_their_page() -> None:
    air = ready(Air(Tag(UIDS[1])))
    assert air.crc(b"\xa2\x02\xff\xff\x10\x00") == b"\x0a"  # page 4
    assert air.crc(b"\xa2\x02\xff\xff\x00\x00") == b"\x0a"
    page = air.crc(b"\x30\x02")
    assert page is not None and page[2:4] == b"\x10\x00"
    assert air.crc(b"\xa2\x05abcd") == b"\x0a"
    assert air.crc(b"\xa2\x04abcd") == b"\x00"


def test_a_password_guards_pages_until_the_field_goes() -> None:
    air = ready(Air(Tag(UIDS[1])))
    config = ((43, b"pass"), (44, b"OK\0\0"), (42, b"\x80\0\0\0"), (41, b"\x04\0\0\x06"))
    for page, data in config:
        assert air.crc(bytes((0xA2, page)) + data) == b"\x0a"
    assert air.crc(b"\x30\x06") == b"\x00"  # PROT: reading too
    ready(air)
    assert air.crc(b"\xa2\x06abcd") == b"\x00"
    ready(air)
    assert air.crc(b"\x1bnope") == b"\x00"
    ready(air)
    pack = air.crc(b"\x1bpass")
    assert pack is not None and pack[:2] == b"OK"
    assert air.crc(b"\xa2\x06abcd") == b"\x0a"
    secret = air.crc(b"\x30\x2b")
    assert secret is not None and secret[:8] == bytes(8)
    air.tag.lose()
    air.tag.power(air.now)
    ready(air)
    assert air.crc(b"\xa2\x06abcd") == b"\x00"


@pytest.mark.parametrize(("stays", "state"), [(True, READY), (False, IDLE)])
def test_a_select_for_another(stays: bool, state: str) -> None:
    air = Air(Tag(UIDS[0], stays_ready=True, stays_at_select=stays))
    air.send(*REQA)
    other = UIDS[0][:3] + b"\x99"
    bcc = other[0] ^ other[1] ^ other[2] ^ other[3]
    assert air.crc(b"\x93\x70" + other + bytes((bcc,))) is None
    assert air.tag.state == state


def test_a_uid_does_not_begin_with_the_cascade_tag() -> None:
    with pytest.raises(ValueError, match="0x88"):
        Tag(bytes.fromhex("88112233"))
