"""Collision walk, verification and proof, against tags modelled bit by bit."""

from tagfield import Chip, Field, Tag, bits_of, crc_bits

from rfid import codes as iso
from rfid.frames import Frames
from rfid.iso14443a import TypeA
from rfid.mfrc522 import MFRC522, crc_a
from rfid.uidset import UidSet
from rfid.visit import check, visit

BUDGET_US = 400_000


class Random:
    """A small generator, the same numbers on both runtimes."""

    def __init__(self, seed: int) -> None:
        self.x = seed * 7919 + 12345 & 0x3FFFFFFF

    def below(self, n: int) -> int:
        self.x = self.x * 1103515245 + 12345 & 0x3FFFFFFF
        return (self.x >> 12) % n

    def uid(self, length: int, prefix: bytes = b"") -> bytes:
        """A UID that starts with prefix; never a 0x88 where a cascade tag would be read."""
        while True:
            uid = prefix + bytes([self.below(256) for _ in range(length - len(prefix))])
            if 0x88 not in (uid[0], uid[3] if length > 4 else 0, uid[6] if length > 7 else 0):
                return uid


def rig(uids) -> tuple:
    """A reader in front of tags, its antenna on."""
    chip = Chip(Field([Tag(uid) for uid in uids]))
    reader = MFRC522(chip, chip.select, chip)
    reader.init(33)
    reader.settle_us = 0
    reader.antenna(True)
    return chip, reader


def set_of(uids, room: int = 24) -> UidSet:
    made = UidSet(room)
    for uid in uids:
        made.add(uid)
    return made


def listed(uids: UidSet) -> list:
    return sorted([uids.uid(i) for i in range(uids.count)])


def walked(uids, room: int = 24, budget_us: int = BUDGET_US) -> tuple:
    """(reason, UIDs found) of an inventory over these tags."""
    found = UidSet(room)
    reason = rig(uids)[1].inventory(found, budget_us)
    return reason, listed(found)


def flipped(uid: bytes, bit: int) -> bytes:
    """The UID with bit 1.. (in the order of sending) turned over."""
    out = bytearray(uid)
    out[(bit - 1) // 8] ^= 1 << (bit - 1) % 8
    return bytes(out)


# -- frames -----------------------------------------------------------------------------------


def test_crc_a_known_values() -> None:
    """ISO 14443-3 annex B: 00 00 -> A0 1E, 12 34 -> 26 CF; and HLTA's 57 CD."""
    for data, crc in ((b"\x00\x00", 0x1EA0), (b"\x12\x34", 0xCF26), (b"\x50\x00", 0xCD57)):
        assert crc_a(bytearray(data), 2) == crc
        low_first = [crc >> i & 1 for i in range(16)]
        assert crc_bits(bits_of(data)) == low_first


class Script(Frames, TypeA):
    """A reader whose answers are written down: [(frame, framing, answer, coll)]; checks frames."""

    coll_counts = 0

    def __init__(self, lines) -> None:
        self.lines = list(lines)
        self.tx = bytearray(20)
        self.rx = bytearray(20)
        self.last_bits = self.coll = 0
        self.clock = self

    def crc_a(self, data, length: int) -> int:
        return crc_a(data, length)

    def ticks_us(self) -> int:
        return 0

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier

    def settle(self) -> None:
        pass

    def exchange(self, length, last_bits, align, expect, wait_us) -> int:
        want, framing, answer, self.coll = self.lines.pop(0)
        sent = bytearray(self.tx[:length])
        if last_bits:
            sent[-1] &= (1 << last_bits) - 1
        assert bytes(sent) == want, (bytes(sent), want)
        assert (last_bits, align) == framing, (last_bits, align, want)
        for i in range(len(answer)):
            self.rx[i] = answer[i]
        return len(answer)


CALL = [(b"\x26", (7, 0), b"\x04\x00", 0)]  # REQA: in a fresh field all are READY afterwards


def test_worked_bit_sequence_of_two_tags() -> None:
    """Two 4-byte UIDs that part in bit 3 of the second byte, frame by frame.

    10 04 30 40 (BCC 64) and 10 00 20 50 (BCC 60). First collision: bit 11 of the level. The
    reader takes the 1: NVB = 33 (two bytes of SEL, NVB and one of UID, three bits), sending
    10 and the bits 0 0 1; the answer's first bit lands at bit 3 (RxAlign 3). Then the 0.
    """
    sak = b"\x08\xb6\xdd"
    script = Script(
        CALL
        + [
            (b"\x93\x20", (0, 0), b"\x10\x00\x00\x00\x00", 11),
            (b"\x93\x33\x10\x04", (3, 3), b"\x00\x30\x40\x64", 0),
            (b"\x93\x33\x10\x00", (3, 3), b"\x00\x20\x50\x60", 0),
            (b"\x93\x70\x10\x04\x30\x40\x64\xda\xfa", (0, 0), sak, 0),
            (b"\x50\x00\x57\xcd", (0, 0), b"", 0),
            (b"\x26", (7, 0), b"\x04\x00", 0),
            # The last is left ACTIVE, where it does not answer REQA.
            (b"\x93\x70\x10\x00\x20\x50\x60\x16\xde", (0, 0), sak, 0),
            (b"\x26", (7, 0), b"", 0),
        ]
    )
    for line in script.lines:  # the CRCs were worked out with the shift register of the standard
        if len(line[0]) == 9:
            assert bits_of(line[0][7:]) == crc_bits(bits_of(line[0][:7])), line
    assert bits_of(sak[1:]) == crc_bits(bits_of(sak[:1]))
    found = UidSet(4)
    assert script.inventory(found, 1000) == iso.COMPLETE
    assert listed(found) == [b"\x10\x00\x20\x50", b"\x10\x04\x30\x40"]
    assert script.lines == []


def test_collision_position_counts_in_the_received_frame() -> None:
    """With 11 bits known and RxAlign 3 the chip reports bit 15 of the level as 7, bit 17 as 9."""
    script = Script(
        CALL
        + [
            (b"\x93\x20", (0, 0), b"\x10\x00\x00\x00\x00", 11),
            (b"\x93\x33\x10\x04", (3, 3), b"\x10\x00\x00\x00", 9),  # at most 11: in frame
            (b"\x93\x41\x10\x14\x01", (1, 1), b"\x00\x00\x05", 0),
            (b"\x93\x41\x10\x14\x00", (1, 1), b"\x00\x00\x04", 0),
            (b"\x93\x33\x10\x00", (3, 3), b"\x00\x00\x00\x10", 0),
        ]
    )
    found = UidSet(4)
    try:
        script.inventory(found, 1000)
    except IndexError:
        pass  # the script ends where the SELECTs begin
    assert script.lines == []


# -- the property: found is placed ------------------------------------------------------------


def variants():
    """What chips and tags may do differently: set on the models, one after the other."""
    try:
        for Tag.stays in (True, False):
            for Chip.coll_in_frame in (True, False):
                yield
    finally:
        Tag.stays = Chip.coll_in_frame = True


def test_every_first_collision_bit_of_every_level() -> None:
    """Two tags that part at bit b of level l, for all 32 bits of the three levels."""
    random = Random(1)
    for _ in variants():
        for length in (4, 7, 10):
            for bit in range(1, 8 * length + 1):
                one = two = b"\x88"
                while 0x88 in two:
                    one = random.uid(length)
                    two = flipped(one, bit)
                assert walked([one, two]) == (iso.COMPLETE, sorted([one, two])), (length, bit)


def batch(random: Random, count: int) -> list:
    """Random tags of mixed lengths, most of one batch: they share their first bytes."""
    uids = set()
    shared = random.uid(7)[: 1 + random.below(6)]
    while len(uids) < count:
        kind = random.below(8)
        if kind == 0:
            uids.add(random.uid(4))
        elif kind == 1:
            uids.add(random.uid(10))
        elif kind == 2:
            uids.add(random.uid(7))
        else:
            uids.add(random.uid(7, shared))
    return list(uids)


def test_none_to_sixteen_random_tags() -> None:
    random = Random(2)
    for _ in variants():
        for count in range(17):
            uids = batch(random, count)
            assert walked(uids) == (iso.COMPLETE, sorted(uids)), uids


def test_tags_of_mixed_makers() -> None:
    """Complaint 17: where some tags fall to IDLE and some stay READY, the ones that fell are
    hidden from the first walk by others below the same prefix; the closing REQA finds them."""
    random = Random(15)
    for _ in range(40):
        chip, reader = rig(batch(random, 1 + random.below(10)))
        for tag in chip.field.tags:
            tag.stays = random.below(2) == 0
        found = UidSet(16)
        assert reader.inventory(found, BUDGET_US) == iso.COMPLETE
        assert listed(found) == sorted([tag.uid for tag in chip.field.tags])


def test_a_visit_finds_tags_of_mixed_makers() -> None:
    """New tags beside known ones, with a proof and without: no tag is left in IDLE. A tag that
    falls beside known ones that stay is seen at the latest by a proof, and so is one that shares
    all of level 1 with a known one."""
    random = Random(16)
    for _ in range(60):
        uids = batch(random, 1 + random.below(7))
        chip, reader = rig(uids)
        for tag in chip.field.tags:
            tag.stays = random.below(2) == 0
        known = set_of(uids[: random.below(len(uids))])
        found = UidSet(16)
        for proof in (random.below(2) == 0, True, False):
            reason = visit(reader, known, found, UidSet(16), BUDGET_US, proof)
            plain = len({bytes(Tag(uid).levels[0]) for uid in uids}) == len(uids)
            if proof or (plain and reason != iso.SAME):
                assert reason <= iso.SAME and listed(found) == sorted(uids), (proof, reason)
            known.copy(found)
            again(chip, reader)


def test_tags_that_share_trailing_bits() -> None:
    """Complaint 14: 1 to 7 equal trailing nibbles; and a dozen that differ in one byte only."""
    for nibbles in range(1, 8):
        tail = bytes([0x5A] * 7)
        one = b"\x04" + tail[:6]
        two = flipped(one, 8 * 7 - 4 * nibbles)
        assert walked([one, two]) == (iso.COMPLETE, sorted([one, two]))
    for place in range(7):
        uids = [bytes([4] * place + [16 + i] + [4] * (6 - place)) for i in range(12)]
        assert walked(uids) == (iso.COMPLETE, sorted(uids))


def test_cascade_tag_never_begins_a_uid() -> None:
    """Complaint 11: golden vectors of 4, 7 and 10 bytes."""
    uids = [
        bytes.fromhex("de ad be ef".replace(" ", "")),
        bytes.fromhex("04a1b2c3d4e5f6"),
        bytes.fromhex("04112233445566778899"[:20]),
    ]
    reason, found = walked(uids)
    assert reason == iso.COMPLETE
    assert found == sorted(uids)
    assert [len(uid) for uid in sorted(found, key=len)] == [4, 7, 10]
    assert all(uid[0] != 0x88 for uid in found)
    try:
        UidSet(1).add(b"\x88\x04\x05\x06")
    except ValueError as error:
        assert "0x88" in str(error)
    else:
        raise AssertionError("0x88 was taken as the first byte of a UID")


# -- what goes wrong --------------------------------------------------------------------------


def test_deadline_gives_a_partial_result_with_its_reason() -> None:
    uids = batch(Random(3), 12)
    reason, found = walked(uids, budget_us=25_000)
    assert reason == iso.TIMEOUT
    assert len(found) < 12 and all(uid in uids for uid in found)
    chip, reader = rig(uids)
    before = chip.now
    reader.inventory(UidSet(16), 25_000)
    assert chip.now - before < 30_000


def test_more_tags_than_room_is_crowded() -> None:
    uids = batch(Random(4), 9)
    reason, found = walked(uids, room=8)
    assert reason == iso.CROWDED and len(found) == 8
    reason, found = walked(batch(Random(5), 33), room=40, budget_us=10_000_000)
    assert reason in (iso.CROWDED, iso.COMPLETE)


def test_wrong_bcc_does_not_count() -> None:
    chip, reader = rig([b"\x04\x01\x02\x03\x04\x05\x06", b"\x04\x11\x12\x13\x14\x15\x16"])
    level = chip.field.tags[0].levels[1]
    chip.field.tags[0].levels[1] = level[:4] + bytes([level[4] ^ 0x10])
    found = UidSet(4)
    assert reader.inventory(found, BUDGET_US) == iso.GARBLED
    assert listed(found) == [b"\x04\x11\x12\x13\x14\x15\x16"]


def test_sak_that_contradicts_the_cascade_tag_does_not_count() -> None:
    chip, reader = rig([b"\x21\x22\x23\x24"])
    chip.field.tags[0].sak = 0x04
    found = UidSet(4)
    assert reader.inventory(found, BUDGET_US) == iso.GARBLED
    assert found.count == 0


def test_tag_that_leaves_in_the_middle_of_the_walk() -> None:
    """Incomplete, or complete without it: never a wrong UID, never the others lost in silence."""
    uids = batch(Random(6), 5)
    for after in range(40):
        chip, reader = rig(uids)
        chip.field.tags[2].leaves_after = after
        found = UidSet(16)
        reason = reader.inventory(found, BUDGET_US)
        got = listed(found)
        assert all(uid in uids for uid in got)
        if reason == iso.COMPLETE:
            stayed = sorted([uid for uid in uids if uid != chip.field.tags[2].uid])
            assert got == stayed or got == sorted(uids), after
        else:
            assert reason == iso.GARBLED


def test_noise_on_one_answer_is_asked_again() -> None:
    uids = batch(Random(7), 6)
    for frame in range(60):
        chip, reader = rig(uids)
        found = UidSet(16)
        send = chip.field.transceive

        def noisy(bits, chip=chip, send=send, frame=frame):
            chip.noise = 1 if chip.field.frames == frame else 0
            return send(bits)

        chip.field.transceive = noisy
        assert visit(reader, UidSet(16), found, UidSet(16), BUDGET_US, False) == iso.COMPLETE
        assert listed(found) == sorted(uids), frame


def test_dead_reader_is_told_from_an_empty_field() -> None:
    chip, reader = rig([])
    assert reader.inventory(UidSet(4), BUDGET_US) == iso.COMPLETE
    chip.dead = True
    for call in (reader.inventory, reader.verify, reader.prove):
        assert call(UidSet(4), BUDGET_US) == iso.DEAD


# -- verification and proof -------------------------------------------------------------------


def again(chip: Chip, reader: MFRC522) -> None:
    """Field off and on."""
    reader.antenna(False)
    reader.antenna(True)


def test_verify_and_prove_known_tags() -> None:
    random = Random(8)
    for _ in variants():
        for count in (0, 1, 2, 3, 5, 8, 12, 16):
            uids = batch(random, count)
            chip, reader = rig(uids)
            for call in (reader.verify, reader.prove, reader.verify):
                known = set_of(uids)
                assert call(known, BUDGET_US) == iso.SAME, (call, uids)
                again(chip, reader)
            assert reader.inventory(known, BUDGET_US) == iso.COMPLETE
            assert reader.confirm(known, BUDGET_US) == iso.SAME
            chip.field.tags = chip.field.tags[1:]
            assert reader.confirm(known, BUDGET_US) == (iso.DIFFERENT if count else iso.SAME)


def test_verify_and_prove_see_a_missing_tag() -> None:
    random = Random(9)
    for _ in variants():
        for count in range(1, 8):
            uids = batch(random, count)
            for gone in range(count):
                for call in ("verify", "prove"):
                    reader = rig(uids[:gone] + uids[gone + 1 :])[1]
                    assert getattr(reader, call)(set_of(uids), BUDGET_US) == iso.DIFFERENT


def test_prove_sees_every_new_tag_and_verify_all_but_the_named_blindness() -> None:
    random = Random(10)
    for count in range(9):
        uids = batch(random, count + 1)
        for new in range(count + 1):
            known = set_of(uids[:new] + uids[new + 1 :])
            chip, reader = rig(uids)
            assert reader.prove(known, BUDGET_US) == iso.DIFFERENT
            again(chip, reader)
            level = Tag(uids[new]).levels[0]
            twin = [u for u in uids if u != uids[new] and Tag(u).levels[0] == level]
            got = reader.verify(known, BUDGET_US)
            assert got == iso.DIFFERENT or (len(twin) == 1 and got == iso.SAME)


def test_verify_walks_level_1_and_selects_nobody() -> None:
    """REQA, seven frames that end in collisions, one for each of eight tags."""
    uids = [bytes([4, 16 * i + 3, 1, 2, 3, 4, 5]) for i in range(8)]
    chip, reader = rig(uids)
    before = chip.field.frames
    assert reader.verify(set_of(uids), BUDGET_US) == iso.SAME
    assert chip.field.frames - before == 16


def test_visit_finds_what_changed_and_confirms_it() -> None:
    random = Random(11)
    found = UidSet(16)
    second = UidSet(16)
    for _ in range(30):
        uids = batch(random, 1 + random.below(8))
        keep = [uid for uid in uids if random.below(3)]
        new = batch(random, random.below(3))
        proof = random.below(2) == 0
        reader = rig(keep + new)[1]
        got = visit(reader, set_of(uids), found, second, BUDGET_US, proof)
        if sorted(keep + new) == sorted(uids):
            assert got == iso.SAME
        else:
            assert got == iso.COMPLETE, iso.REASONS[got]
        assert listed(found) == sorted(keep + new)


def test_visit_from_any_state_of_the_tags() -> None:
    """The walk after a failed verification finds tags in READY, IDLE and ACTIVE alike."""
    random = Random(12)
    for _ in range(60):
        uids = batch(random, 5)
        chip, reader = rig(uids)
        for tag in chip.field.tags:
            tag.state = ("IDLE", "READY", "ACTIVE")[random.below(3)]
            if tag.state == "READY":
                tag.level = random.below(len(tag.levels))
        found = UidSet(16)
        assert reader.inventory(found, BUDGET_US) == iso.COMPLETE
        assert listed(found) == sorted(uids)


def test_bad_read_is_retried_in_the_same_visit() -> None:
    """Complaint 25: a tag that swallows a few answers is still found by the visit."""
    uids = batch(Random(13), 3)
    for mute in range(1, 4):
        chip, reader = rig(uids)
        chip.field.tags[1].mute = mute
        found = UidSet(16)
        known = set_of(uids)
        assert visit(reader, known, found, UidSet(16), BUDGET_US, False) <= iso.SAME
        assert listed(found) == sorted(uids)


def apart(count: int) -> list:
    """UIDs of which no two share level 1."""
    return [bytes([4, 37 * n + 5, 3 * n, n, 7, 8, 9]) for n in range(count)]


def updated(reader, known, found, gain_db: int = 33, proof: bool = False) -> int:
    """check() says DIFFERENT, then update()."""
    assert check(reader, known, BUDGET_US, proof) == iso.DIFFERENT
    return reader.update(known, found, gain_db, BUDGET_US, proof)


def test_update_takes_two_readings_and_selects_only_who_is_new() -> None:
    """Complaint 17: a landing is believed after two readings, here of one visit."""
    uids = apart(4)
    for proof in (False, True):
        chip, reader = rig(uids)
        found = UidSet(16)
        selected = []
        for tag in chip.field.tags:
            judge = tag.receive

            def heard(bits, tag=tag, judge=judge, selected=selected):
                if len(bits) == 72 and bits[:16] == bits_of(b"\x93\x70"):
                    if bits[16:48] == bits_of(bytes([0x88]) + tag.uid[:3])[:32]:
                        selected.append(tag.uid)
                return judge(bits)

            tag.receive = heard
        assert updated(reader, set_of(uids[:3]), found, proof=proof) == iso.COMPLETE
        assert listed(found) == sorted(uids)
        assert uids[3] in selected
        assert proof or selected == [uids[3]]


def test_update_sees_who_left_and_an_empty_field() -> None:
    uids = apart(3)
    for left in range(3):
        found = UidSet(16)
        assert updated(rig(uids[:left])[1], set_of(uids), found) == iso.COMPLETE
        assert listed(found) == sorted(uids[:left])


def test_update_finds_no_clear_answer_where_one_is_weak() -> None:
    """The second reading is at the gain given; afterwards the swept gain is back."""
    uids = apart(2)
    for gain, expected in ((33, iso.COMPLETE), (23, iso.DIFFERENT)):
        chip, reader = rig(uids)
        judge = chip.field.tags[1].receive

        def coupled(bits, reader=reader, judge=judge):
            answer = judge(bits)
            return answer if reader.gain_db >= 33 else None

        chip.field.tags[1].receive = coupled
        assert updated(reader, set_of(uids[:1]), UidSet(16), gain) == expected
        assert reader.gain_db == 33 and reader.healthy(True)


def test_halt_is_acknowledged_by_silence() -> None:
    """Complaint 10: silence after HLTA is success, any answer is failure."""
    uid = b"\x04\x01\x02\x03\x04\x05\x06"
    chip, reader = rig([uid])
    assert reader.prove(set_of([uid]), BUDGET_US) == iso.SAME
    again(chip, reader)
    judge = chip.field.tags[0].receive

    def talkative(bits):
        answer = judge(bits)
        return bits_of(b"\x0a") if bits == bits_of(b"\x50\x00\x57\xcd") else answer

    chip.field.tags[0].receive = talkative
    assert reader.prove(set_of([uid]), BUDGET_US) == iso.DIFFERENT


def test_strength_is_the_lowest_gain_that_hears_a_tag() -> None:
    uids = batch(Random(14), 4)
    chip, reader = rig(uids)
    needs = {uids[0]: 18, uids[1]: 33, uids[2]: 43, uids[3]: 99}
    chip.field.tags[3].uid = uids[3]
    for tag in chip.field.tags:
        judge = tag.receive

        def coupled(bits, tag=tag, judge=judge):
            answer = judge(bits)
            return answer if reader.gain_db >= needs[tag.uid] else None

        tag.receive = coupled
    out = bytearray(4)
    reader.gain(48)
    assert reader.strengths(set_of(uids), (18, 23, 33, 38, 43, 48), out) == iso.COMPLETE
    assert list(out) == [18, 33, 43, 0]


# -- UidSet -----------------------------------------------------------------------------------


def test_uid_set_finds_copies_and_refuses() -> None:
    uids = [
        b"\x01\x02\x03\x04",
        b"\x04\x02\x03\x04\x05\x06\x07",
        b"\x01\x02\x03\x04" + b"\x09" * 6,
    ]
    roster = set_of(uids, 3)
    other = set_of(uids[::-1], 3)
    assert [roster.find(other, i) for i in range(3)] == [2, 1, 0]
    assert [len(roster.uid(i)) for i in range(3)] == [4, 7, 10]
    assert roster.find(set_of([b"\x01\x02\x03\x05"]), 0) == -1
    for bad in (b"", b"\x01\x02\x03", b"\x01" * 5, b"\x01" * 11):
        try:
            UidSet(2).add(bad)
        except ValueError:
            continue
        raise AssertionError("took a UID of %d bytes" % len(bad))
    try:
        roster.add(b"\x09\x09\x09\x09")
    except IndexError as error:
        assert "room" in str(error)
    else:
        raise AssertionError("took a fourth UID of three")
    smaller = UidSet(1)
    smaller.copy(roster)
    assert listed(smaller) == [uids[0]] and not smaller.take(roster, 1)
