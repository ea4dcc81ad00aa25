"""The reader model, judged by the MFRC522 data sheet (revision 3.9, sections in brackets)."""

import pytest

from simbench import Bench
from spiceboard_sim.chips.air import NotModelled, crc_a
from spiceboard_sim.chips.mfrc522_registers import RESET
from spiceboard_sim.chips.ntag213 import Tag

A = bytes.fromhex("04112233445566")
CASCADE = bytes((0x88, 0x04, 0x11, 0x22, 0x88 ^ 0x04 ^ 0x11 ^ 0x22))


@pytest.mark.parametrize(
    ("register", "value"),
    [(0x01, 0x20), (0x02, 0x80), (0x04, 0x14), (0x06, 0x00), (0x07, 0x21), (0x0B, 0x08),
     (0x0C, 0x10), (0x11, 0x3F), (0x14, 0x80), (0x24, 0x26), (0x26, 0x48), (0x37, 0x92)],
)  # fmt: skip
def test_reset_values(register: int, value: int) -> None:
    """[9.2 and 9.3, "reset value"]"""
    assert Bench().read(register) == value


def test_reads_chain_addresses() -> None:
    """[8.1.2.1] each byte's answer comes with the next one"""
    chip = Bench().chip
    chip.select()
    assert chip.transfer(
        bytes((0x80 | 0x37 << 1, 0x80 | 0x26 << 1, 0x80 | 0x11 << 1, 0))
    ) == bytes((0, 0x92, 0x48, 0x3F))


def test_fifo_keeps_64_bytes_and_tells_overflow() -> None:
    """[8.3] and BufferOvfl [9.3.1.7]"""
    bench = Bench()
    bench.write(0x09, *range(64))
    assert bench.read(0x0A) == 64
    assert bench.read(0x06) == 0
    bench.write(0x09, 99)
    assert bench.read(0x06) == 0x10
    assert bench.read(0x04) & 0x02  # ErrIRq
    assert [bench.read(0x09) for _ in range(3)] == [0, 1, 2]
    bench.write(0x0A, 0x80)  # FlushBuffer clears level and BufferOvfl
    assert (bench.read(0x0A), bench.read(0x06)) == (0, 0)


def test_water_level_alerts() -> None:
    """[8.3.3] HiAlert = 64 - FIFO <= WaterLevel; LoAlert = FIFO <= WaterLevel"""
    bench = Bench()
    bench.write(0x09, *range(9))
    assert bench.read(0x07) & 3 == 0
    bench.write(0x09, *range(47))
    assert bench.read(0x07) & 3 == 2
    bench.write(0x0A, 0x80)
    assert bench.read(0x07) & 3 == 1


def test_irq_bits_are_set_and_cleared_by_bit_7() -> None:
    """[9.3.1.5]"""
    bench = Bench()
    bench.write(0x04, 0x7F)
    assert bench.read(0x04) == 0
    bench.write(0x04, 0x80 | 0x21)
    assert bench.read(0x04) == 0x21
    bench.write(0x04, 0x01)
    assert bench.read(0x04) == 0x20


def test_crc_coprocessor() -> None:
    """[10.3.1.4] CalcCRC over the FIFO with ModeReg's preset; CRCIRq when done"""
    bench = Bench()
    bench.write(0x11, 0x3D)
    bench.write(0x09, 0x50, 0x00)
    bench.write(0x05, 0x04)
    bench.write(0x01, 0x03)
    bench.now += 5_000
    assert bench.read(0x05) & 0x04
    assert (bench.read(0x22), bench.read(0x21)) == (0x57, 0xCD)


@pytest.mark.parametrize(
    ("prescaler", "reload", "period_us"),
    [(0x0A9, 1000, 25.0 * 1001), (0xD3E, 30, 500.07 * 31), (0x000, 0xFFFF, 65536 / 13.56)],
)
def test_timer_period(prescaler: int, reload: int, period_us: float) -> None:
    """[8.5] (2 * TPrescaler + 1) * (TReload + 1) / 13.56 MHz"""
    bench = Bench()
    bench.write(0x2A, prescaler >> 8)
    bench.write(0x2B, prescaler & 255)
    bench.write(0x2C, reload >> 8)
    bench.write(0x2D, reload & 255)
    bench.write(0x04, 0x7F)
    bench.write(0x0C, 0x40)  # TStartNow
    assert bench.read(0x07) & 0x08  # TRunning
    bench.now = int(period_us * 999)
    assert bench.read(0x04) & 1 == 0
    bench.now = int(period_us * 1002)
    assert bench.read(0x04) & 1
    assert bench.read(0x07) & 0x08 == 0


def test_timer_counts_down_and_stops() -> None:
    """[8.5] TCounterVal, TStopNow"""
    bench = Bench()
    bench.write(0x2B, 0xA9)
    bench.write(0x2C, 0x01)
    bench.write(0x2D, 0x00)
    bench.write(0x0C, 0x40)
    bench.now = 100 * 25_000
    count = bench.read(0x2E) << 8 | bench.read(0x2F)
    assert 155 <= count <= 158
    bench.write(0x0C, 0x80)
    bench.now += 10**9
    assert bench.read(0x04) & 1 == 0


def test_soft_reset_forgets_all() -> None:
    """[10.3.1.10]"""
    bench = Bench()
    bench.write(0x26, 0x78)
    bench.write(0x14, 0x83)
    bench.write(0x01, 0x0F)
    assert bench.read(0x01) & 0x10
    bench.now += 1_000_000
    assert bench.read(0x01) == 0x20
    assert bench.read(0x26) == 0x48
    assert not bench.chip.antenna


def test_a_tag_answers_and_silence_ends_by_the_timer() -> None:
    """[8.5, 9.3.3.11] TAuto starts at the end of sending and stops with the answer"""
    bench = Bench(Tag(A))
    bench.start(timeout_us=500)
    assert bench.send(b"\x26", last_bits=7) == b"\x44\x00"
    assert bench.read(0x04) & 0x61 == 0x60  # TxIRq, RxIRq, no TimerIRq
    assert bench.read(0x0C) & 7 == 0
    began = bench.now
    assert bench.send(b"\x26", last_bits=7) == b""  # READY: falls back to IDLE, silent
    assert bench.read(0x04) & 0x61 == 0x41
    assert 660_000 <= bench.now - began <= 740_000  # guard, 75 us of REQA, 21 ticks of 25 us


def test_air_time_of_an_answer() -> None:
    """RxIRq comes after frame, frame delay and answer, not before."""
    bench = Bench(Tag(A))
    bench.start()
    bench.write(0x04, 0x7F)
    bench.write(0x0A, 0x80)
    bench.write(0x09, 0x26)
    bench.write(0x01, 0x0C)
    bench.write(0x0D, 0x87)
    due = 75_516 + 86_430 + 19 * 9_440  # REQA ends in a 0
    bench.now += due - 20_000
    assert bench.read(0x04) & 0x20 == 0
    bench.now += 40_000
    assert bench.read(0x04) & 0x20


def select(bench: Bench, level: int, part: bytes) -> bytes:
    frame = bytes((0x93 + 2 * level, 0x70)) + part
    return bench.send(frame + crc_a(frame).to_bytes(2, "little"))


def test_seven_byte_uid_by_two_levels() -> None:
    """ISO 14443-3, 6.4.4"""
    bench = Bench(Tag(A))
    bench.start()
    bench.send(b"\x26", last_bits=7)
    assert bench.send(b"\x93\x20") == CASCADE
    assert select(bench, 0, CASCADE)[0] == 0x04  # SAK: UID not complete
    second = bench.send(b"\x95\x20")
    assert second[:4] == A[3:]
    assert select(bench, 1, second)[0] == 0x00
    frame = b"\x30\x00"
    memory = bench.send(frame + crc_a(frame).to_bytes(2, "little"))
    assert memory[:3] == A[:3]
    assert crc_a(memory[:-2]) == int.from_bytes(memory[-2:], "little")


@pytest.mark.parametrize("position", range(1, 33))
@pytest.mark.parametrize("rule", ["frame", "level"])
def test_first_collision_of_a_level(position: int, rule: str) -> None:
    """[9.3.1.15] 01h is the first bit, 08h the eighth, 00h the 32nd; later bits are cleared"""
    one = bytearray(b"\x04\x00\x00\x01")
    two = bytearray(one)
    two[(position - 1) // 8] ^= 1 << (position - 1) % 8
    if 0x88 in (one[0], two[0]):
        one[0] ^= 1
        two[0] ^= 1
    bench = Bench(Tag(bytes(one)), Tag(bytes(two)), coll_pos=rule)
    bench.start()
    bench.send(b"\x26", last_bits=7)
    got = bench.send(b"\x93\x20")
    assert bench.read(0x06) & 0x08
    assert bench.read(0x0E) & 0x3F == position & 31
    value = int.from_bytes(got, "little")
    known = (1 << position - 1) - 1
    assert value & known == int.from_bytes(one, "little") & known
    assert value >> position == 0


@pytest.mark.parametrize(("rule", "told"), [("frame", 5 + 3), ("level", 16 + 5 + 3)])
def test_collision_in_a_split_frame(rule: str, told: int) -> None:
    """21 bits known: the answer begins at bit 22, and clashes at bit 24 of the level."""
    one = bytes((0x04, 0x35, 0x1F, 0x77))
    two = bytes((0x04, 0x35, 0x9F, 0x77))
    bench = Bench(Tag(one), Tag(two), coll_pos=rule)
    bench.start()
    bench.send(b"\x26", last_bits=7)
    frame = bytes((0x93, 2 + 2 << 4 | 5)) + one[:2] + bytes((one[2] & 0x1F,))
    got = bench.send(frame, last_bits=5, align=5)
    assert bench.read(0x0E) & 0x3F == told
    assert got[0] & 0x1F == 0  # the bits that the reader sent are not repeated
    assert got[0] >> 5 & 3 == one[2] >> 5 & 3


def test_values_after_collision_are_kept_where_asked() -> None:
    """[9.3.1.15] ValuesAfterColl"""
    one, two = bytes((0x05, 0, 0, 0x80)), bytes((0x04, 0, 0, 0x80))
    bench = Bench(Tag(one), Tag(two))
    bench.start()
    bench.write(0x0E, 0x80)
    bench.send(b"\x26", last_bits=7)
    assert bench.send(b"\x93\x20")[3] == 0x80


def test_wrong_alignment_is_refused() -> None:
    bench = Bench(Tag(b"\x04\x01\x02\x03"))
    bench.start()
    bench.send(b"\x26", last_bits=7)
    with pytest.raises(NotModelled, match=r"RxAlign.*9\.3\.1\.14"):
        bench.send(bytes((0x93, 0x23, 0x04)), last_bits=3, align=0)


@pytest.mark.parametrize(
    ("register", "value", "section"),
    [(0x01, 0x0E, "10.3"), (0x12, 0x10, "9.3.2.3"), (0x36, 0x49, "9.2"),
     (0x2A, 0x20, "9.3.3.11"), (0x14, 0x03, "9.3.2.5"), (0x37, 0x00, "9.2")],
)  # fmt: skip
def test_what_is_not_modelled_is_refused(register: int, value: int, section: str) -> None:
    with pytest.raises(NotModelled, match=section.replace(".", r"\.")):
        Bench().write(register, value)


def test_reset_values_and_harmless_bits_may_be_written() -> None:
    bench = Bench(Tag(A))
    for register, value in RESET.items():
        if register not in (0x01, 0x04, 0x05, 0x0A, 0x0C, 0x07, 0x21, 0x22):  # not plain stores
            bench.write(register, value)
    bench.start()
    bench.write(0x13, 0x08)  # RxNoErr
    assert len(bench.send(b"\x26", last_bits=7)) == 2


def test_a_set_up_right_after_a_soft_reset_holds() -> None:
    """1024 clocks of 27.12 MHz; PowerDown shows until then (8.6.2)."""
    bench = Bench(Tag(A))
    bench.write(0x01, 0x0F)
    assert bench.read(0x01) & 0x10
    bench.write(0x15, 0x40)
    bench.now += 37_000
    assert bench.read(0x01) & 0x10
    bench.now += 1_000
    assert not bench.read(0x01) & 0x10 and bench.read(0x15) == 0x40
    bench.start()
    assert len(bench.send(b"\x26", last_bits=7)) == 2


def test_soft_power_down_keeps_registers_and_ends_after_1024_clocks() -> None:
    bench = Bench(Tag(A))
    bench.start()
    bench.write(0x09, 1, 2, 3)
    bench.write(0x01, 0x10)
    assert not bench.field.on and bench.read(0x01) & 0x10
    assert bench.read(0x0A) == 3 and bench.read(0x15) == 0x40
    bench.now += 5_000_000
    assert bench.read(0x01) & 0x10  # it lasts until it is ended
    bench.write(0x01, 0x00)
    assert bench.read(0x01) & 0x10
    bench.now += 38_000
    assert not bench.read(0x01) & 0x10 and bench.field.on
    bench.now += 1_000_000
    bench.write(0x0A, 0x80)
    assert len(bench.send(b"\x26", last_bits=7)) == 2


def test_sending_without_a_field_is_refused() -> None:
    bench = Bench()
    bench.start()
    bench.write(0x14, 0x80)
    with pytest.raises(NotModelled, match="without a field"):
        bench.send(b"\x26", last_bits=7)


def test_a_frame_too_soon_after_an_answer_is_refused() -> None:
    """ISO 14443-3, 6.2.1.2: 1172 carrier periods"""
    bench = Bench(Tag(A))
    bench.start()
    bench.send(b"\x26", last_bits=7)
    bench.write(0x01, 0x00)
    bench.write(0x09, 0x93, 0x20)
    bench.write(0x01, 0x0C)
    with pytest.raises(NotModelled, match="1172"):
        bench.write(0x0D, 0x80)
