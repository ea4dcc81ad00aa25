"""Hands on the board, throws, and what the pins of the controller show of them."""

from functools import cache
from math import inf, nan

import pytest

from spiceboard_sim.board import controller as pins
from spiceboard_sim.board.controller import Controller
from spiceboard_sim.board.geometry import ZONE, zone_at
from spiceboard_sim.board.world import AFTER_RESET, Pose, World
from spiceboard_sim.chips.air import NotModelled
from spiceboard_sim.throws import choose
from spiceboard_sim.throws.flat import rest

S = 10**9
SEEDS = range(3, 7)  # worlds whose throws bring all that can happen


@cache
def thrown(seed: int, strength: float, again: bool = False) -> World:
    """A world after 24 throws, for looking at only; again: the same thrown a second time."""
    world = World(seed)
    for number, chip in enumerate(list(world.chips)[:24]):
        world.throw(chip, list(ZONE)[number % 9], strength)
        world.advance(world.now + 3 * S)
    return world


def poses(world: World) -> dict[str, Pose | None]:
    return {name: chip.pose for name, chip in world.chips.items()}


def test_throws_repeat_with_the_seed() -> None:
    assert poses(thrown(5, 0.6)) == poses(thrown(5, 0.6, again=True))
    assert poses(thrown(5, 0.6)) != poses(thrown(6, 0.6))


def test_throws_bring_all_that_can_happen() -> None:
    """Misses, chips on the flat, pushes, stacks, leaning ones; and most hit what was aimed at."""
    counts = dict.fromkeys(("hit", "out", "flat", "pushed", "stacked", "leaning"), 0)
    for seed in SEEDS:
        world = thrown(seed, 0.6)
        for number, course in enumerate(world.thrown):
            place = course.rest[course.chip]
            counts["out"] += place is None
            counts["pushed"] += len(course.rest) > 1
            zone = zone_at(place.x, place.y) if place else None
            counts["hit"] += zone is not None and zone.name == list(ZONE)[number % 9]
        for name, zone_name in world.lying().items():
            pose = world.chips[name].pose
            assert pose is not None
            counts["flat"] += zone_name is None
            counts["stacked"] += pose.height > 0.5
            counts["leaning"] += pose.tilt > 0
    assert counts["hit"] > 0.5 * len(SEEDS) * 24
    assert all(counts.values()), counts


@pytest.mark.slow
def test_soft_throws_push_less_than_hard_ones() -> None:
    def pushed(strength: float) -> int:
        return sum(len(t.rest) - 1 for s in range(4) for t in thrown(s, strength).thrown)

    assert 10 < pushed(0.0) < pushed(1.0)


def test_a_throw_takes_time() -> None:
    world = World(1)
    world.throw("b10", "saffron", 0.2)
    world.advance(100_000_000)
    assert world.lying() == {}
    world.advance(350_000_000)
    assert "b10" in world.lying()  # it has touched down, and slides
    way = world.chips["b10"].pose
    world.advance(3_000_000_000)
    assert world.chips["b10"].pose == world.thrown[0].rest["b10"] != way
    with pytest.raises(KeyError, match="lift it first"):
        world.throw("b10", "saffron", 0.2)


def test_stacks_rise_and_sink() -> None:
    world = World()
    for chip in ("b10", "b20", "b30"):
        world.lay(chip, x=60, y=60)
    heights = [world.chips[c].pose.height for c in ("b10", "b20", "b30")]  # type: ignore[union-attr]
    assert heights == pytest.approx([-3, 1, 5], abs=0.02)
    world.lift("b10")
    heights = [world.chips[c].pose.height for c in ("b20", "b30")]  # type: ignore[union-attr]
    assert heights == pytest.approx([-3, 1], abs=0.02)


def test_a_hand_lays_beside_what_lies_there() -> None:
    world = World()
    for chip in ("b10", "r10", "g10", "o10"):
        pose = world.lay(chip, "mint")
        assert (pose.height, pose.tilt) == (-3, 0)
    assert world.lay("b20", "mint").height > 0.5  # on others


def test_a_hand_takes_a_chip_out_of_a_throw() -> None:
    world = World(3)
    world.lay("r10", "saffron")
    world.throw("b10", "saffron", 0.9)
    world.advance(260_000_000)
    world.lift("r10")
    world.lift("b10")
    world.advance(4 * S)
    assert world.lying() == {}
    world.throw("b10", "saffron", 0.3)
    world.throw("b20", "saffron", 0.3)  # two at once: each finds what the other left
    world.advance(8 * S)
    assert all(chip.course is None for chip in world.chips.values())


def test_the_plain_model_is_the_fallback_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "find_spec", lambda name: None)
    world = World(1)
    assert "MuJoCo is missing" in world.physics.says
    world.throw("b10", "saffron", 0.2)
    world.advance(S)
    assert world.chips["b10"].pose is not None
    monkeypatch.undo()
    assert "rigid bodies" in World(1).physics.says


@pytest.mark.parametrize(
    ("x", "y", "below", "height", "tilted"),
    [(60, 60, [], -3, False), (119, 60, [], 0, False), (60, 95, [], -2.16, True),
     (60, 70, [(60, 60, -3)], 1, False), (60, 88, [(60, 60, -3)], -1, True)],
)  # fmt: skip
def test_rest(
    x: float, y: float, below: list[tuple[float, float, float]], height: float, tilted: bool
) -> None:
    """Floor, flat, the edge of a bowl, on a chip, leaning on one."""
    found = rest(x, y, below)
    assert found.height == pytest.approx(height, abs=0.01)
    assert (found.tilt > 0) == tilted


def test_eyes_see_no_values() -> None:
    world = World()
    world.lay("b60", "curry")
    assert world.look() == [("blue", 37.0, 60.0)]


class Pico:
    """The controller's pins, driven by hand."""

    def __init__(self) -> None:
        self.world = World()
        self.board = Controller(self.world)
        for pin in (pins.SELECT_ENABLE, *pins.SELECT_ADDRESS, *pins.HALL_ADDRESS):
            self.board.pin_init(pin, 1, 0, 1 if pin == pins.SELECT_ENABLE else 0)
        self.board.spi_init(4_000_000)

    def version(self, address: int) -> int:
        for bit, pin in enumerate(pins.SELECT_ADDRESS):
            self.board.pin_set(pin, address >> bit & 1)
        self.board.pin_set(pins.SELECT_ENABLE, 0)
        value = self.board.spi(bytes((0x80 | 0x37 << 1, 0)))[1]
        self.board.pin_set(pins.SELECT_ENABLE, 1)
        return value

    def hall(self, channel: int) -> float:
        for bit, pin in enumerate(pins.HALL_ADDRESS):
            self.board.pin_set(pin, channel >> bit & 1)
        return self.board.adc(pins.HALL_ADC) * 3300 / 65535


def test_decoder_selects_one_reader() -> None:
    pico = Pico()
    for number, reader in enumerate(pico.world.readers.values()):
        reader.version = number + 1
    assert [pico.version(n) for n in range(16)] == [*range(1, 14), 0, 0, 0]
    pico.board.pin_set(pins.SELECT_ADDRESS[0], 0)
    assert pico.board.spi(b"\xee\x00") == b"\0\0"  # nobody is selected


@pytest.mark.parametrize(
    ("pose", "sentence"),
    [
        (Pose(nan, 60, 0), "two finite numbers of mm"),
        (Pose(60, 500, 0), "is not on the board"),
        (Pose(60, 60, -9), "the board's surface is at -3 there"),
        (Pose(119, 60, nan), "cannot lie at nan mm"),
        (Pose(60, 60, 0, tilt=120), "tilted by 0 .flat. to 90 degrees"),
        (Pose(60, 60, inf), "finite"),
    ],
)
def test_poses_that_cannot_be_are_refused(pose: Pose, sentence: str) -> None:
    world = World(0)
    world.place("b10", Pose(60, 60, -3))
    with pytest.raises(ValueError, match=sentence):
        world.place("b10", pose)
    assert world.chips["b10"].pose == Pose(60, 60, -3), "it lies where it lay"
    world.place("b20", Pose(178, -5, 8.3))  # on the rim


def test_a_chip_is_not_laid_beside_the_board() -> None:
    world = World(0)
    with pytest.raises(ValueError, match="is not on the board"):
        world.lay("b10", x=60, y=-200)
    assert world.chips["b10"].pose is None


def test_hall_sensors_feel_the_chips() -> None:
    pico = Pico()
    rest_mv = [pico.hall(n) for n in range(13)]
    assert all(1590 < mv < 1710 for mv in rest_mv)
    pico.world.place("b10", Pose(60, 60, -3, face_up=True))
    pico.world.place("r10", Pose(296, 296, -3, face_up=False))
    assert pico.hall(0) - rest_mv[0] > 100
    assert pico.hall(8) - rest_mv[8] < -100
    assert abs(pico.hall(4) - rest_mv[4]) < 20
    pico.world.place("r20", Pose(60, 60, 1, face_up=False))  # opposite magnets cancel
    assert abs(pico.hall(0) - rest_mv[0]) < 20


def test_buttons_are_low_while_pressed() -> None:
    pico = Pico()
    assert [pico.board.pin_get(pin) for pin in (16, 17, 18)] == [1, 1, 1]
    pico.world.press("no", 100)
    assert [pico.board.pin_get(pin) for pin in (16, 17, 18)] == [1, 0, 1]
    pico.world.advance(101_000_000)
    assert pico.board.pin_get(17) == 1
    with pytest.raises(KeyError, match="ok, no, undo"):
        pico.world.press("yes")


def test_buzzer_and_supply() -> None:
    pico = Pico()
    pico.board.pwm(15, 2000, 32768)
    assert pico.world.buzzer.hz == 2000
    pico.board.pwm(15, 2000, 0)
    assert pico.world.buzzer.heard == [(0, 2000), (0, 0)]
    assert pico.board.adc(27) * 3300 / 65535 == pytest.approx(2500, abs=2)


@pytest.mark.parametrize(
    ("act", "sentence"),
    [(lambda b: b.spi_init(12_000_000), "10 MHz"),
     (lambda b: b.pin_init(4, 0, 2, 0), "pull-down"),
     (lambda b: b.pin_init(16, 1, 0, 0), "something else drives it"),
     (lambda b: b.pin_set(20, 1), "not an output"),
     (lambda b: b.pin_get(20), "nothing is connected"),
     (lambda b: b.adc(28), "nothing is connected"),
     (lambda b: b.pwm(14, 100, 100), "buzzer")],
)  # fmt: skip
def test_what_the_board_forbids(act, sentence: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotModelled, match=sentence):
        act(Pico().board)


def test_two_readers_selected_are_refused() -> None:
    pico = Pico()
    pico.world.decoder.stuck_low = 5
    with pytest.raises(NotModelled, match=r"cardamom and reader garlic"):
        pico.version(2)


def test_the_field_is_weaker_with_the_conductance_that_a_reset_leaves() -> None:
    """Registers 27h and 28h, both halves of the drivers; and writing the reset values back."""
    world = World(1)
    world.place("b10", Pose(60 + 44, 60, 0.0))
    reader, field, chip = world.readers["curry"], world.fields["curry"], world.chips["b10"]

    def volts(*writes: tuple[int, int]) -> float:
        for register, value in (*writes, (0x14, 0x83), (0x14, 0x80)):  # TxControlReg: on, off
            reader.select()
            reader.transfer(bytes((register << 1, value)))
            reader.deselect()
        return field.volts(chip)

    after_reset = volts()
    assert volts((0x28, 0x3F)) == after_reset, "one half is not enough"
    assert volts((0x27, 0xF8)) == pytest.approx(after_reset / AFTER_RESET)
    assert volts((0x27, 0x88), (0x28, 0x20)) == after_reset
    volts((0x27, 0xF8), (0x28, 0x3F))
    assert volts((0x01, 0x0F)) == after_reset, "a soft reset takes it back"
