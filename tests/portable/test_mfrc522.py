"""The reader driver against a small register model, and one sweep with the heap locked."""

import sys

from tagfield import Chip, Field, Tag

from rfid import codes as iso
from rfid.mfrc522 import DEAD, GARBLED, MFRC522, SILENCE, Bus
from rfid.registers import CONFIGURATION, GAINS_DB
from rfid.uidset import UidSet
from rfid.visit import visit

UID = b"\x04\x01\x02\x03\x04\x05\x06"


def ready(*uids) -> tuple:
    chip = Chip(Field([Tag(uid) for uid in uids]))
    reader = MFRC522(chip, chip.select, chip)
    reader.init()
    reader.antenna(True)
    return chip, reader


def refused(call, *words) -> None:
    """call() raises OSError that says all the words."""
    try:
        call()
    except OSError as error:
        for word in words:
            assert word in str(error), str(error)
    else:
        raise AssertionError("no OSError that says " + " ".join(words))


def test_init_resets_by_software_and_leaves_the_antenna_off() -> None:
    chip = Chip(Field())
    MFRC522(chip, chip.select, chip).init(38)
    assert chip.resets == 2  # power on, and the soft reset
    assert chip.registers[0x14] & 3 == 0
    assert chip.registers[0x26] == 0x58  # the reserved bits are kept
    assert chip.registers[0x15] == 0x40 and chip.registers[0x11] == 0x3D
    assert not chip.selected


def test_every_configuration_write_is_read_back() -> None:
    """Complaint 4: a register that does not hold what was written is named."""
    for name, register, value, mask in CONFIGURATION:
        chip = Chip(Field())
        chip.stuck = {register: value ^ mask}
        refused(MFRC522(chip, chip.select, chip).init, name, "0x%02X" % (value ^ mask))
    for name, register, value in (("RFCfgReg", 0x26, 0x70), ("TxControlReg", 0x14, 0x83)):
        chip = Chip(Field())
        chip.stuck = {register: value}
        refused(MFRC522(chip, chip.select, chip).init, name)


def test_init_is_tried_three_times_with_back_off() -> None:
    """Complaint 43: a reader that needs a moment after power-on still starts."""
    chip = Chip(Field())
    reader = MFRC522(chip, chip.select, chip)
    answer = chip._read
    chip._read = lambda register: 0 if chip.now < 12_000 else answer(register)
    reader.init()
    assert chip.resets == 4
    chip.version = 0xFF
    before = chip.resets
    refused(reader.init, "VersionReg", "0xFF")
    assert chip.resets - before == 3


def test_version_wants_three_equal_reads() -> None:
    """Complaints 3 and 6: any stable version is accepted; only 00 and FF mean no reader."""
    for version in (0x88, 0x91, 0x92, 0x12, 0x82, 0xB2):
        chip = Chip(Field())
        chip.version = version
        reader = MFRC522(chip, chip.select, chip)
        reader.init()
        assert reader.version() == version
    for version in (0x00, 0xFF):
        chip = Chip(Field())
        chip.version = version
        refused(MFRC522(chip, chip.select, chip).init, "nobody")
    chip, reader = ready()
    answer = chip._read
    counter = [0]

    def jittery(register):
        counter[0] += 1
        return 0x92 if counter[0] % 3 else 0x82

    chip._read = jittery
    assert reader.version() == -1
    chip._read = answer
    assert reader.version() == 0x92


def test_canary_sees_a_reset_and_a_dead_bus() -> None:
    """Complaint 8."""
    chip, reader = ready()
    assert reader.healthy(True)
    reader.gain(48)
    assert reader.healthy(True)
    chip.soft_reset()
    assert not reader.healthy(True)
    reader.init()
    chip.dead = True
    assert not reader.healthy(True)


def test_gain_sets_all_steps_and_refuses_others() -> None:
    chip, reader = ready()
    bits = []
    for db in GAINS_DB:
        reader.gain(db)
        bits.append(chip.registers[0x26])
    assert bits == [0x08, 0x18, 0x48, 0x58, 0x68, 0x78]
    try:
        reader.gain(40)
    except ValueError as error:
        assert "40" in str(error) and "48" in str(error)
    else:
        raise AssertionError("took 40 dB")


def request(reader: MFRC522) -> int:
    reader.tx[0] = 0x26
    return reader.exchange(1, 7, 0, 2, 300)


def test_exchange_tells_answer_silence_garbage_and_a_dead_reader() -> None:
    chip, reader = ready()
    assert request(reader) == SILENCE
    chip, reader = ready(UID)
    assert request(reader) == 2
    assert bytes(reader.rx[:2]) == b"\x44\x00" and reader.last_bits == 0 and reader.coll == 0
    reader.antenna(False)
    reader.antenna(True)
    chip.noise = 1
    assert request(reader) == GARBLED
    chip.dead = True
    assert request(reader) == DEAD
    chip.dead = False
    chip._read = lambda register: 0xFF
    assert request(reader) == DEAD


def test_collision_is_data_even_with_its_parity_error() -> None:
    chip, reader = ready(UID, b"\x04\x01\x0a\x03\x04\x05\x06")
    assert request(reader) == 2
    reader.tx[0] = 0x93
    reader.tx[1] = 0x20
    assert reader.exchange(2, 0, 0, 5, 300) == 5
    assert reader.coll == 28  # CT, 04, 01, then bit 4 of 02 against 0A
    assert chip.registers[6] & 0x02


def test_collision_in_the_32nd_bit_reads_as_zero() -> None:
    chip, reader = ready(b"\x11\x22\x33\x44", b"\x11\x22\x33\xc4")
    request(reader)
    reader.tx[0] = 0x93
    reader.tx[1] = 0x20
    assert reader.exchange(2, 0, 0, 5, 300) == 5
    assert chip.registers[0x0E] & 0x1F == 0 and reader.coll == 32


def test_the_bus_is_quiet_while_the_answer_arrives() -> None:
    """Nine transactions a frame: seven to send, one status chain, one FIFO burst."""
    chip, reader = ready(UID)
    before = chip.transactions
    request(reader)
    assert chip.transactions - before == 9
    chip, reader = ready()
    before = chip.transactions
    request(reader)
    assert chip.transactions - before <= 11


def test_timeout_follows_the_timer() -> None:
    chip, reader = ready()
    reader.tx[0] = 0x26
    start = chip.now
    reader.exchange(1, 7, 0, 2, 1000)
    assert chip.registers[0x2C] << 8 | chip.registers[0x2D] == 40
    assert 1000 < chip.now - start < 1300
    start = chip.now
    assert request(reader) == SILENCE
    assert 300 < chip.now - start < 600


def test_clock_of_the_runtime_is_the_default() -> None:
    chip = Chip(Field())
    reader = MFRC522(chip, chip.select)
    clock = reader.clock
    start = clock.ticks_us()
    clock.sleep_us(2000)
    assert clock.ticks_diff(clock.ticks_us(), start) >= 2000


# -- no allocation ----------------------------------------------------------------------------


class Recorder:
    """Passes SPI through to a chip and keeps what went both ways; then plays it back."""

    def __init__(self, chip: Chip, room: int) -> None:
        self.chip = chip
        self.out = bytearray(room)
        self.back = bytearray(room)
        self.end = self.at = 0
        self.playing = False
        self.wrong = 0

    def write(self, data) -> None:
        if self.playing:
            self._replay(data, None)
            return
        self._record(data, bytearray(len(data)))

    def write_readinto(self, data, into) -> None:
        if self.playing:
            self._replay(data, into)
            return
        self._record(data, into)

    def _record(self, data, into) -> None:
        sent = bytes(data)
        self.chip.write_readinto(sent, into)
        for i in range(len(sent)):
            self.out[self.end + i] = sent[i]
            self.back[self.end + i] = into[i]
        self.end += len(sent)

    def _replay(self, data, into) -> None:
        at = self.at
        for i in range(len(data)):
            if data[i] != self.out[at + i]:
                self.wrong += 1
            if into is not None:
                into[i] = self.back[at + i]
        self.at = at + len(data)

    def select(self, on: bool) -> None:
        if not self.playing:
            self.chip.select(on)

    def sleep_us(self, us: int) -> None:
        if not self.playing:
            self.chip.sleep_us(us)

    def ticks_us(self) -> int:
        return 0

    def ticks_diff(self, later: int, earlier: int) -> int:
        return later - earlier


def sweep(readers, known, found, second, out) -> int:
    """Each reader as a board visits it; the sum of all reasons."""
    total = 0
    for i in range(len(readers)):
        reader = readers[i]
        reader.antenna(True)
        reader.clock.sleep_us(1000)
        total += visit(reader, known[i], found[i], second, 400_000, i == 1)
        reader.strengths(found[i], (18, 33, 48), out)
        reader.gain(33)
        total += reader.healthy(True)
        reader.antenna(False)
    return total


MICROPYTHON = sys.implementation.name == "micropython"


def heap_locked(call) -> int:
    """call() with the heap locked where that can be: there an allocation raises MemoryError."""
    if not MICROPYTHON:
        return call()
    import micropython

    micropython.heap_lock()
    try:
        return call()
    finally:
        micropython.heap_unlock()


def test_a_sweep_allocates_nothing() -> None:
    """Three zones: known tags verified, known tags proven, and a change with walk and strengths.

    The bus plays back what the chip model said to the very same bytes, for the model itself
    allocates. The replay must send exactly what was recorded.
    """
    batch = [bytes([4, i, 7, 9 * i, i, 3, 16 * i]) for i in range(6)]
    shared = [b"\x04\x01\x02\x33" + bytes([i, 1, 2]) for i in range(3)]
    placed = (batch[:4], shared, batch + shared + [b"\x10\x20\x30\x40", bytes(range(1, 11))])
    recorders = [Recorder(Chip(Field([Tag(u) for u in uids])), 20_000) for uids in placed]
    readers = [MFRC522(r, r.select, r) for r in recorders]
    known = [UidSet(16) for _ in placed]
    found = [UidSet(16) for _ in placed]
    second = UidSet(16)
    out = bytearray(16)
    for i, uids in enumerate(placed):
        readers[i].init()
        recorders[i].end = 0
        for uid in uids[: 4 if i == 2 else 16]:
            known[i].add(uid)
    expected = iso.SAME + iso.SAME + iso.COMPLETE + 3
    assert sweep(readers, known, found, second, out) == expected
    assert [f.count for f in found] == [4, 3, 11]
    for recorder in recorders:
        recorder.playing = True
    assert heap_locked(lambda: sweep(readers, known, found, second, out)) == expected
    assert [f.count for f in found] == [4, 3, 11]
    for recorder in recorders:
        assert recorder.wrong == 0 and recorder.at == recorder.end > 300


def test_heap_lock_bites() -> None:
    """The test above would notice: under MicroPython an allocation raises."""
    try:
        heap_locked(lambda: len(bytearray(100)))
    except MemoryError:
        assert MICROPYTHON
    else:
        assert not MICROPYTHON


def test_a_bus_is_shared_by_its_readers() -> None:
    chip, other = Chip(Field([Tag(UID)])), Chip(Field())

    class Lines:
        """Two chips on one SPI; whichever is selected answers."""

        def write(self, data) -> None:
            (chip if chip.selected else other).write(data)

        def write_readinto(self, data, into) -> None:
            (chip if chip.selected else other).write_readinto(data, into)

    bus = Bus(Lines())
    readers = [MFRC522(bus, c.select, c) for c in (chip, other)]
    assert readers[0].tx is readers[1].tx
    for reader in readers:
        reader.init()
        reader.antenna(True)
    assert [request(reader) for reader in readers] == [2, SILENCE]
