"""Every fault of the list does on pins and air what its sentence says, in three places."""

import pytest

from simbench import VisitedBoard
from spiceboard_sim import faults
from spiceboard_sim.board.geometry import ZONE

PLACES = ("curry", "saffron", "head_chef")


@pytest.fixture
def board() -> VisitedBoard:
    return VisitedBoard()


def test_the_list_is_long_and_described() -> None:
    assert len(faults.FAULTS) >= 25
    assert all(fault.meaning.endswith(".") for fault in faults.FAULTS.values())


def test_an_unknown_fault_names_the_list(board: VisitedBoard) -> None:
    with pytest.raises(KeyError, match="reader_dies"):
        faults.inject(board, "bowl_melts")
    with pytest.raises(KeyError, match="zones are curry"):
        faults.inject(board, "reader_dies", zone="sugar")


def test_a_healthy_board(board: VisitedBoard) -> None:
    assert board.versions() == dict.fromkeys(ZONE, 0x92)
    for zone in ZONE:
        board.world.lay("b10", zone)
        assert board.uids(zone) == [board.world.chips["b10"].tag.uid]


@pytest.mark.parametrize("zone", PLACES)
class TestReaders:
    """Faults of one reader and its select line."""

    @pytest.mark.parametrize("name", ["reader_dies", "select_open"])
    def test_no_answer(self, board: VisitedBoard, zone: str, name: str) -> None:
        faults.inject(board, name, zone=zone)
        assert board.versions() == {z: 0 if z == zone else 0x92 for z in ZONE}

    def test_clone(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "clone_version", zone=zone, version=0x15)
        assert board.versions()[zone] == 0x15
        board.world.lay("r10", zone)
        assert len(board.uids(zone)) == 1

    def test_jam(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "miso_jammed", zone=zone)
        assert board.versions() == {z: 0x92 if z == zone else 0xFF for z in ZONE}

    def test_stuck_select(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "clone_version", zone=zone, version=0x0D)
        faults.inject(board, "select_stuck", zone=zone, reading=True)
        other = "mint"
        assert board.read(other, 0x37) == 0x92 | 0x0D

    def test_swapped_selects(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "selects_swapped", zone=zone, other="mint")
        board.world.lay("b20", zone)
        assert board.uids(zone) == []
        assert board.uids("mint") == [board.world.chips["b20"].tag.uid]

    def test_long_wire(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "long_wire", zone=zone, hz=1_000_000)
        assert board.versions()[zone] != 0x92
        board.controller.spi_init(1_000_000)
        assert board.versions()[zone] == 0x92

    def test_stuck_reset(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "stuck_reset", zone=zone)
        board.world.now += 10**9
        assert board.read(zone, 0x01) & 0x10
        board.write(zone, 0x2D, 0x55)
        assert board.read(zone, 0x2D) == 0

    def test_hangs(self, board: VisitedBoard, zone: str) -> None:
        board.world.lay("b20", zone)
        faults.inject(board, "reader_hangs", zone=zone)
        assert board.versions()[zone] == 0x92
        assert board.uids(zone) == []

    def test_forgets(self, board: VisitedBoard, zone: str) -> None:
        board.write(zone, 0x2D, 0x55)
        faults.inject(board, "reader_forgets", zone=zone)
        assert board.read(zone, 0x2D) == 0

    def test_register_sticks(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "register_sticks", zone=zone)
        board.write(zone, 0x26, 0x78)
        assert board.read(zone, 0x26) == 0x48

    @pytest.mark.parametrize("name", ["antenna_open", "weak_antenna"])
    def test_antenna(self, board: VisitedBoard, zone: str, name: str) -> None:
        board.world.lay("g10", x=ZONE[zone].x, y=ZONE[zone].y)
        faults.inject(board, name, zone=zone)
        if name == "weak_antenna":
            faults.inject(board, name, zone=zone, gain=0.4)
        assert board.uids(zone) == []
        assert len(board.uids(zone, gain=0x78)) == (1 if name == "weak_antenna" else 0)

    def test_neighbours(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "neighbour_detunes", zone=zone, other="ginger", gain=0.3)
        board.world.lay("g10", x=ZONE["ginger"].x, y=ZONE["ginger"].y)
        assert board.uids("ginger") == []

    @pytest.mark.parametrize("name", ["noise_at", "noise_of_leds"])
    def test_noise(self, board: VisitedBoard, zone: str, name: str) -> None:
        board.world.lay("g10", zone)
        faults.inject(board, name, zone=zone, chance=1.0)
        if name == "noise_of_leds":
            assert len(board.uids(zone)) == 1
            board.light()
        assert board.uids(zone) == []

    def test_hall(self, board: VisitedBoard, zone: str) -> None:
        channel = list(ZONE).index(zone)
        faults.inject(board, "hall_drifts", zone=zone, millivolts=300)
        assert board.hall(channel) > 1850
        faults.inject(board, "hall_stuck", zone=zone, millivolts=0)
        assert board.hall(channel) < 30

    def test_led(self, board: VisitedBoard, zone: str) -> None:
        faults.inject(board, "led_breaks", zone=zone, led=3)
        board.light()
        rings = board.world.rings()
        assert [bool(any(c)) for c in rings[zone]][:6] == [True, True, True, False, False, False]
        after = list(ZONE)[list(ZONE).index(zone) + 1 :]
        assert not any(any(c) for z in after for c in rings[z])


@pytest.mark.parametrize("chip", ["b10", "r60", "mill"])
class TestTags:
    """Faults of one tag."""

    def test_silent(self, board: VisitedBoard, chip: str) -> None:
        board.world.lay(chip, "mint")
        faults.inject(board, "tag_dead", chip=chip)
        assert board.uids("mint") == []

    def test_flickers(self, board: VisitedBoard, chip: str) -> None:
        board.world.lay(chip, "mint")
        faults.inject(board, "tag_flickers", chip=chip, chance=0.3)
        assert {len(board.uids("mint")) for _ in range(20)} == {0, 1}

    def test_slow(self, board: VisitedBoard, chip: str) -> None:
        board.world.lay(chip, "mint")
        faults.inject(board, "tag_slow", chip=chip, wake_ms=20)
        assert board.uids("mint") == []
        assert len(board.uids("mint", settle_ms=25)) == 1

    def test_wrong_bcc(self, board: VisitedBoard, chip: str) -> None:
        board.world.lay(chip, "mint")
        faults.inject(board, "wrong_bcc", chip=chip)
        assert board.uids("mint") == []

    def test_duplicate_and_stranger(self, board: VisitedBoard, chip: str) -> None:
        faults.inject(board, "duplicate_uid", chip=chip, other="o40")
        board.world.lay(chip, "mint")
        assert board.uids("mint") == [board.world.chips["o40"].tag.uid]
        faults.inject(board, "stranger_tag", chip=chip)
        assert board.uids("mint") == [bytes.fromhex("04c0ffee123456")]


@pytest.mark.parametrize("button", ["ok", "no", "undo"])
def test_buttons(board: VisitedBoard, button: str) -> None:
    pin = {"ok": 16, "no": 17, "undo": 18}[button]
    faults.inject(board, "button_stuck", button=button)
    board.world.advance(10**12)
    assert board.controller.pin_get(pin) == 0
    faults.inject(board, "button_dead", button=button)
    board.world.press(button)
    assert board.controller.pin_get(pin) == 1


@pytest.mark.parametrize("bit", [0, 1, 3])
def test_address_line(board: VisitedBoard, bit: int) -> None:
    for number, zone in enumerate(ZONE):
        faults.inject(board, "clone_version", zone=zone, version=number + 1)
    faults.inject(board, "address_stuck", bit=bit, level=0)
    assert list(board.versions().values()) == [(n & ~(1 << bit)) + 1 for n in range(13)]


@pytest.mark.parametrize("level", [0, 1])
def test_miso_stuck(board: VisitedBoard, level: int) -> None:
    faults.inject(board, "miso_stuck", level=level)
    assert set(board.versions().values()) == {255 * level}


@pytest.mark.parametrize("n", [1, 2, 5])
def test_dropped_byte(board: VisitedBoard, n: int) -> None:
    sent = bytes((0x2D << 1, 1))
    faults.inject(board, "wire_drops_byte", n=n)
    assert board.controller._over_the_wire(sent) == (
        bytes(0 if i == n - 1 else b for i, b in enumerate(sent))
    )


def test_the_rest(board: VisitedBoard) -> None:
    faults.inject(board, "led_order", zone="ginger")
    board.light((9, 0, 0))
    assert [board.world.rings()[z][0] for z in ("curry", "ginger")] == [(9, 0, 0), (0, 9, 0)]
    faults.inject(board, "supply_sags", millivolts=4200)
    assert board.controller.adc(27) * 3300 / 65535 == pytest.approx(2100, abs=2)
    faults.inject(board, "hall_noisy")
    levels = [board.hall(0) for _ in range(30)]
    assert max(levels) - min(levels) > 100
    faults.inject(board, "buzzer_dead")
    board.controller.pwm(15, 1000, 30000)
    assert board.world.buzzer.hz == 0


def test_repair(board: VisitedBoard) -> None:
    for zone in PLACES:
        for name in ("reader_dies", "miso_jammed", "stuck_reset", "antenna_open", "hall_stuck"):
            faults.inject(board, name, zone=zone)
    faults.inject(board, "address_stuck", bit=0)
    faults.repair(board)
    assert board.versions() == dict.fromkeys(ZONE, 0x92)
    board.world.lay("b10", "curry")
    assert len(board.uids("curry")) == 1
