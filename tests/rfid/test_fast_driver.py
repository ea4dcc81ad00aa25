"""The RP2040's register driver, with its registers modelled: same bytes as the plain one.

Viper's `ptr32` is replaced by models of SIO and SPI0 in front of the chip models; what the
processor itself makes of it is measured on the emulated board (tests/emulated).
"""

import ast
import inspect
import types
from typing import Any

import plain_reader
import pytest
import reader_contract

from checkout import ROOT
from register_rig import Rig
from rfid import codes as iso
from rfid import mfrc522
from rfid import reader as contract
from rfid.on_demand import mfrc522_bench
from rfid.uidset import UidSet
from rfid.visit import visit
from spiceboard_sim.chips.ntag213 import Tag

SOURCES = [ROOT / f"firmware/boards/pico/fast/{part}.py" for part in ("viper", "mfrc522")]
CODE = [compile(path.read_text(), str(path), "exec") for path in SOURCES]
SIO, SPI0, TIMER = 0xD000_0000, 0x4003_C000, 0x4005_4000
UIDS = [
    bytes.fromhex(u) for u in ("04112233445566", "04112233445577", "deadbe01", "04a1b2c3d4e5f6")
]


class Pico:
    """SIO and SPI0 of an RP2040, a 4-to-16 decoder behind, and readers at some addresses."""

    def __init__(self, rigs: dict[int, Rig]) -> None:
        self.rigs = rigs
        self.pins = 1 << 5
        self.received: list[int] = []
        self.frames: list[bytes] = []
        self.frame = bytearray()

    def time_us(self) -> int:
        """TIMERAWL: looking at it takes a microsecond, so waiting loops end."""
        for rig in self.rigs.values():
            rig.sleep_us(1)
        return max(rig.ticks_us() for rig in self.rigs.values())

    def selected(self) -> Rig | None:
        return None if self.pins >> 5 & 1 else self.rigs[self.pins >> 6 & 15]

    def drive(self, pins: int) -> None:
        """The pins change: what that means at NSS."""
        was, before = self.selected(), self.pins
        self.pins = pins
        now = self.selected()
        assert was is None or now is None or before == pins, "address changed under a low /E"
        if was is not now:
            (now or was).select(now is not None)  # type: ignore[union-attr]
            if now is None:
                self.frames.append(bytes(self.frame))
                self.frame = bytearray()

    def exchange(self, byte: int) -> None:
        rig = self.selected()
        assert rig is not None, "clocks a byte with nobody selected"
        assert len(self.received) < 8, "the receive FIFO overflows"
        self.frame.append(byte)
        self.received.append(rig.transfer(bytes([byte]))[0])


class Words:
    """ptr32 to one of the two blocks."""

    def __init__(self, pico: Pico, base: int) -> None:
        assert base in (SIO, SPI0, TIMER)
        self.pico, self.base = pico, base

    def __getitem__(self, index: int) -> int:
        if self.base == TIMER:
            assert index == 10
            return self.pico.time_us()
        assert self.base == SPI0
        if index == 2:
            return self.pico.received.pop(0)
        assert index == 3
        return 0b011 | (4 if self.pico.received else 0)  # TFE, TNF, RNE; never busy

    def __setitem__(self, index: int, value: int) -> None:
        if self.base == SPI0:
            assert index == 2
            self.pico.exchange(value & 255)
        elif index == 5:
            self.pico.drive(self.pico.pins | value)
        else:
            assert index == 6
            self.pico.drive(self.pico.pins & ~value)


def fast_module(pico: Pico) -> dict[str, Any]:
    """The driver's sources, run with the models in place of what viper knows."""
    stub = types.ModuleType("micropython")
    stub.viper = lambda function: function  # type: ignore[attr-defined]
    stub.native = stub.viper  # type: ignore[attr-defined]
    stub.const = lambda value: value  # type: ignore[attr-defined]

    def words(what: Any) -> Any:
        return Words(pico, what) if isinstance(what, int) else what

    names: dict[str, Any] = {"ptr8": lambda buffer: buffer, "ptr32": words}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "micropython", stub)
        viper = types.ModuleType("boards.pico.fast.viper")
        viper.__dict__.update(names)
        patch.setitem(__import__("sys").modules, "boards.pico.fast.viper", viper)
        exec(CODE[0], viper.__dict__)
        exec(CODE[1], names)
    return names


def fast_readers(pico: Pico) -> dict[int, Any]:
    """{address: fast reader} of a board."""
    fast = fast_module(pico)
    lines = fast["Lines"](object())
    return {n: fast["FastMFRC522"](lines, n, rig) for n, rig in pico.rigs.items()}


def fast_reader(rig: Rig, address: int) -> tuple[Any, Pico]:
    pico = Pico({address: rig})
    return fast_readers(pico)[address], pico


def story(rig: Rig, reader: Any) -> list[object]:
    """Start, walk, verification, proof, strengths; everything that came out."""
    out: list[object] = []
    reader.init(38)
    reader.antenna(True)
    rig.sleep_us(1000)
    found, second, known = UidSet(8), UidSet(8), UidSet(8)
    out.append(visit(reader, known, found, second, 400_000, False))
    known.copy(found)
    for proof in (False, True):
        reader.antenna(False)
        reader.antenna(True)
        rig.sleep_us(1000)
        out.append(visit(reader, known, found, second, 400_000, proof))
    strength = bytearray(8)
    out += [reader.strengths(known, (18, 33), strength), bytes(strength)]
    out += [
        sorted(known.uid(i) for i in range(known.count)),
        reader.healthy(True),
        reader.version(),
    ]
    return out


class Recorder(Rig):
    """A rig that keeps the frames of the plain driver too."""

    def __init__(self, tags: list[Tag]) -> None:
        super().__init__(tags)
        self.frames: list[bytes] = []

    def transfer(self, data: bytes) -> bytes:
        if len(data) > 1:
            self.frames.append(data)
        return super().transfer(data)


def once(frames: list[bytes]) -> list[bytes]:
    """Frames without polls that repeat: how many there are is a matter of microseconds."""
    poll = bytes.fromhex("888c94989c00")
    return [f for i, f in enumerate(frames) if f != poll or frames[i - 1] != poll]


def test_same_bytes_in_the_same_frames_as_the_plain_driver() -> None:
    """No tags share level 1 here: if they do, the fast driver asks again, step by step."""
    apart = [UIDS[0], UIDS[2], UIDS[3]]
    plain = Recorder([Tag(uid) for uid in apart])
    expected = story(plain, plain.reader)
    assert expected[0] == iso.COMPLETE and expected[1:3] == [iso.SAME, iso.SAME]
    rig = Rig([Tag(uid) for uid in apart])
    reader, pico = fast_reader(rig, 11)
    assert story(rig, reader) == expected
    assert once(pico.frames) == once(plain.frames)
    assert len(pico.frames) > 500


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize("more", [[], [bytes.fromhex("04a1b2c3d4e5f6a7b8c9")]])
def test_same_result_as_the_plain_driver(stays: bool, more: list[bytes]) -> None:
    """Two tags share level 1, one has 10 bytes, READY tags fall to IDLE: the detours."""
    plain = Recorder([Tag(uid, stays_ready=stays) for uid in UIDS + more])
    expected = story(plain, plain.reader)
    assert expected[0] == iso.COMPLETE
    rig = Rig([Tag(uid, stays_ready=stays) for uid in UIDS + more])
    reader, _ = fast_reader(rig, 11)
    assert story(rig, reader) == expected


@pytest.mark.parametrize("proof", [False, True])
@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_whoever_comes_and_goes_the_visit_finds_who_is_there(turn: int, proof: bool) -> None:
    """Few known tags are verified by a walk, which then is the first reading; more by a plan.

    Tags of either kind by turns; the slow half has each case with the other kind.
    """
    uids = [bytes([4, 37 * n + 5, 3 * n, n, 7, 8, 9]) for n in range(5)] + [UIDS[2]]
    for there in range(1 << len(uids)):
        known = there * 29 + 7 & (1 << len(uids)) - 1
        stays = bool((there * 29 >> 3) + turn & 1)
        rig = Rig([Tag(uid, stays_ready=stays) for n, uid in enumerate(uids) if there >> n & 1])
        reader, _ = fast_reader(rig, 4)
        reader.init()
        reader.antenna(True)
        rig.sleep_us(1000)
        before, found = UidSet(8), UidSet(8)
        for n, uid in enumerate(uids):
            if known >> n & 1:
                before.add(uid)
        reason = visit(reader, before, found, UidSet(8), 400_000, proof)
        assert reason == (iso.SAME if there == known else iso.COMPLETE)
        expected = [uid for n, uid in enumerate(uids) if there >> n & 1]
        assert sorted(found.uid(i) for i in range(found.count)) == sorted(expected)


def test_a_landing_beside_a_known_tag_costs_twelve_frames() -> None:
    """REQA and a walk of two, SELECT of the new one and HLTA; WUPA and each by its name; then
    REQA, so that nobody lies hidden in IDLE."""
    rig = Recorder([Tag(UIDS[0]), Tag(UIDS[3])])
    reader, pico = fast_reader(rig, 4)
    reader.init()
    reader.antenna(True)
    known, found = UidSet(4), UidSet(4)
    known.add(UIDS[0])
    assert reader.verify(known, 400_000) == iso.DIFFERENT
    assert reader.update(known, found, 23, 400_000, False) == iso.COMPLETE
    assert found.count == 2
    sent = [frame for frame in pico.frames if frame[0] == 0x1A and frame[1] & 0x80]  # StartSend
    assert len(sent) == 12


def test_the_next_field_goes_on_where_the_same_tags_answer() -> None:
    """At a difference, or without the wish, fields stay as they are."""
    for known, there, wish in (
        (1, 1, True),
        (0, 0, True),
        (3, 3, True),
        (1, 2, True),
        (1, 1, False),
    ):
        rigs = {n: Rig([Tag(uid) for uid in UIDS[1 : 1 + there]]) for n in (3, 5)}
        readers = fast_readers(Pico(rigs))
        for reader in readers.values():
            reader.init()
        readers[3].antenna(True)
        before = UidSet(8)
        for uid in UIDS[1 : 1 + known]:
            before.add(uid)
        got = readers[3].verify(before, 400_000, readers[5] if wish else None)
        handed = known == there and wish
        same = iso.HANDED if wish else iso.SAME
        assert got == (same if known == there else iso.DIFFERENT)
        on = {n: rigs[n].chip.reg[0x14] & 3 == 3 for n in rigs}
        assert on == {3: not handed, 5: handed}


def test_a_walk_ends_when_its_time_is_over() -> None:
    """Sixteen tags take 80 ms or more: the bus looks at the clock before each."""
    rig = Rig([Tag(bytes([4, 37 * n + 5 & 127, 3 * n, n, 7, 8, 9])) for n in range(16)])
    reader, _ = fast_reader(rig, 4)
    reader.init()
    reader.antenna(True)
    found = UidSet(16)
    begun = rig.ticks_us()
    assert reader.inventory(found, 50_000) == iso.TIMEOUT
    assert 0 < found.count < 16
    assert rig.ticks_us() - begun < 60_000


def test_who_finds_no_room_is_told() -> None:
    rig = Rig([Tag(uid) for uid in (UIDS[0], UIDS[2], UIDS[3])])
    reader, _ = fast_reader(rig, 4)
    reader.init()
    reader.antenna(True)
    found = UidSet(2)
    assert reader.inventory(found, 400_000) == iso.CROWDED
    assert found.count == 2


def test_each_address_is_its_own_reader() -> None:
    rigs = {address: Rig([Tag(uid)]) for address, uid in zip((0, 5, 12), UIDS, strict=False)}
    readers = fast_readers(Pico(rigs))
    found = UidSet(4)
    for address, uid in zip(rigs, UIDS, strict=False):
        reader = readers[address]
        reader.init()
        reader.antenna(True)
        rigs[address].sleep_us(1000)
        assert reader.inventory(found, 100_000) == iso.COMPLETE
        assert found.count == 1 and found.uid(0) == uid


def test_a_deaf_reader_ends_the_polling() -> None:
    rig = Rig([Tag(UIDS[0])])
    reader, _ = fast_reader(rig, 3)
    reader.init()
    reader.antenna(True)
    rig.chip.deaf = True
    start = rig.ticks_us()
    assert reader.inventory(UidSet(4), 100_000) == iso.DEAD
    assert rig.ticks_us() - start < 10_000


def test_the_fast_reader_keeps_the_contract() -> None:
    """Three readers on one bus, as hand-over and two fields need them."""
    rigs = {n: Rig([]) for n in (3, 5, 12)}
    readers = fast_readers(Pico(rigs))
    turn = [0]

    def make(uids: list[bytes]) -> tuple[Any, Any]:
        turn[0] += 1
        address = (3, 5, 12)[turn[0] % 3]
        rig = rigs[address]

        def lay(uids: list[bytes]) -> None:
            rig.field.tags[:] = [Tag(uid) for uid in uids]

        if readers[address].version():
            readers[address].init()
        lay(uids)
        return readers[address], lay

    reader_contract.check(make)


def test_the_contract_is_what_all_readers_have() -> None:
    """Every method of rfid.reader, with its parameters in their order and nothing undocumented."""
    fast = fast_module(Pico({}))["FastMFRC522"]
    for one in (mfrc522.MFRC522, fast, plain_reader.PlainReader):
        for name, method in vars(contract.Reader).items():
            if name.startswith("_"):
                continue
            wanted = list(inspect.signature(method).parameters)
            got = list(inspect.signature(getattr(one, name)).parameters)
            assert got[: len(wanted)] == wanted, (one, name, got)
    bench = {name for name in vars(contract.Bench) if not name.startswith("_")}
    for board in (mfrc522_bench.MFRC522Bench, plain_reader.PlainBench):
        assert bench == {name for name in vars(board) if not name.startswith("_")} - {"value"}


def test_nobody_asks_which_reader_it_is() -> None:
    """The application knows no register and no chip: nothing of rfid but codes and UidSet."""
    for path in (ROOT / "firmware/app").rglob("*.py"):
        names = {
            node.module
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("rfid")
        }
        assert names <= {"rfid.codes", "rfid.uidset"}, path
