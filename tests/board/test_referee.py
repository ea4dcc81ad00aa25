"""A whole referee game without any computer: hands and three buttons, rings and buzzer."""

from collections.abc import Iterator

import pytest

from lab import Lab
from spicecore.lights import rings
from spicecore.parts import COLOURS
from spicecore.storage.on_demand.settings import Settings

PAINTER = rings.Painter(25, "RGB")  # so dim that the current cap weakens nothing


class Table(Lab):
    """Hands that wait until the board has taken note.

    The moment when the finger leaves the button decides who is the first head chef. Chips and
    seats are therefore named by the order of play: "c30" is the head chef's, "o30" the other's.
    """

    chef = 0

    def chip(self, name: str) -> str:
        seat = self.chef if name[0] == "c" else 1 - self.chef
        return name if name == "mill" else "br"[seat] + name[1:]

    def press(self, button: str, ms: int = 100) -> None:
        self.world.press(button, ms)
        self.run(ms + 200)

    def lay(self, chip: str, zone: str) -> None:
        self.world.lay(self.chip(chip), zone)
        self.run(400)

    def lift(self, *chips: str) -> None:
        for chip in chips:
            self.world.lift(self.chip(chip))
        self.run(450)

    def pictures(self, zone: str, ms: int) -> list[bytes]:
        """All pictures that a ring shows in that time."""
        found: list[bytes] = []
        for _ in range(ms // 25):
            self.run(25)
            picture = b"".join(bytes(light) for light in self.ring(zone))
            if picture not in found:
                found.append(picture)
        return found

    def shows(self, zone: str, *shape: object) -> bool:
        """Does the ring, decoded from the pixel bytes, show that shape in all its pictures?"""
        count = len(self.ring(zone))
        wanted = set()
        for number in range(16 if shape[0] == "pulse" else 2):
            out = bytearray(3 * count)
            PAINTER.render(out, 0, count, list(shape), number)
            wanted.add(bytes(out))
        seen = set(self.pictures(zone, 1700 if shape[0] == "pulse" else 900))  # a whole period
        if shape[0] == "pulse":  # a step is as short as two frames: most of them are caught
            return len(seen & wanted) >= 5 and len(seen - wanted) <= 2
        return seen == wanted


@pytest.fixture
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """One board for the whole game. Its rings are dim, for pictures are compared by colour."""
    flash = tmp_path_factory.mktemp("flash")
    (flash / "data").mkdir()
    Settings(str(flash / "data/settings")).change({"led_cap_ma": 1500, "brightness": 25})
    with Table(seed=1, flash=flash) as table:
        table.boot()
        yield table


def start_by_buttons_alone(table: Table) -> None:
    assert table.shows("head_chef", "count", "white", 2, 4)
    table.press("no")
    assert table.shows("head_chef", "count", "white", 3, 4)
    table.press("no")
    table.press("no")
    table.press("ok")
    name, mode, players = table.told("board", "started")[-1][1:]
    assert (name, mode, players) == ("safranito", "referee", 2)
    table.run(100)
    # the rings wait for the first throw of him who was drawn as head chef
    table.chef = 0 if table.shows("curry", "pulse", 0) else 1
    assert table.shows("curry", "pulse", table.chef)


def throws_missed_and_in_doubt(table: Table) -> None:
    chef, other = table.chef, 1 - table.chef
    table.lay("c30", "curry")
    assert table.shows("curry", "arcs", [[chef, 1]])
    assert table.shows("mint", "pulse", other)  # the other's turn
    table.lay("o40", "curry")
    table.press("no")  # the head chef says himself that he missed
    assert table.told("game", "missed") == [["missed", chef]]
    # the other's chip ends on the edge of chili: amber until the head chef decides
    table.world.lay(table.chip("o60"), x=60 + 45.5, y=178)
    table.run(1200)
    assert [doubt[2:] for doubt in table.told("board", "doubt")] == [[COLOURS[other], "chili"]]
    assert table.shows("chili", "doubt")
    assert table.told("game", "thrown")[-1] == ["thrown", other, "curry"]  # not taken yet
    table.press("ok")
    table.run(300)
    assert table.told("board", "decided")[-1][2] is True
    assert table.told("game", "thrown")[-1] == ["thrown", other, "chili"]
    assert table.shows("chili", "arcs", [[other, 1]])


def decided_against_and_inferred_miss(table: Table) -> None:
    chef = table.chef
    # a throw beside mint: in doubt, and decided against. Then the other's chip tells the miss.
    table.world.lay(table.chip("c60"), x=60 + 45.5, y=296)
    table.run(1200)
    assert table.shows("mint", "doubt")
    table.press("no")
    table.run(300)
    assert table.told("board", "decided")[-1][2] is False
    table.world.lift(table.chip("c60"))
    table.lay("o30", "spice_card")
    assert table.told("game", "missed")[-1] == ["missed", chef]
    table.lay("c40", "curry")
    table.lay("o10", "mint")
    # all eight throws are made: 30 and 40 of the head chef, 40 of the other lie in curry
    assert table.shows("curry", "arcs", [[seat, 1 + (seat == chef)] for seat in (0, 1)])
    assert table.shows("head_chef", "blink", chef)


def action_space_by_buttons(table: Table) -> None:
    other = 1 - table.chef
    table.press("ok")  # reveal
    assert table.told("game", "won")[-1] == ["won", "spice_card", other, 30]
    assert table.shows("spice_card", "blink", other)
    table.press("no")  # he declines
    assert table.told("game", "passed")[-1] == ["passed", other, "spice_card"]
    # his chip is to be lifted: its colour swells where it lies
    table.run(2200)
    assert table.shows("spice_card", "pulse", other)
    table.lift("o30")
    assert table.told("board", "mismatch")[-1][1] == []


def the_mill_chooses_the_bowl_and_shares_are_seen(table: Table) -> None:
    chef, other = table.chef, 1 - table.chef
    table.lay("mill", "curry")
    assert table.told("game", "price")[-1] == ["price", "curry", 110]
    # totals 70 and 40: the leader of the bowl is seen at a glance
    assert table.shows("curry", "arcs", [[seat, (40, 70)[seat == chef]] for seat in (0, 1)])
    red = [light for light in table.ring("curry") if light[0] and not light[2]]
    blue = [light for light in table.ring("curry") if light[2] and not light[0]]
    assert (len(blue), len(red))[chef] == 10 and (len(blue), len(red))[other] == 6
    table.lift("mill")


def sale_by_lifting_and_purchase_by_lifting(table: Table) -> None:
    chef, other = table.chef, 1 - table.chef
    table.lift("o40")  # the other sells: he lifts his chip
    assert table.told("game", "offers")[-1] == ["offers", other, 1]
    table.press("ok")  # the head chef closes the sale
    assert table.told("game", "sold")[-1][1:3] == [other, "curry"]
    assert table.shows("curry", "blink", chef)  # he may buy, for 70
    table.lift("c40")
    assert table.told("game", "bought")[-1] == ["bought", chef, "curry", 70]


def undo_of_the_last_decision(table: Table) -> None:
    chef = table.chef
    steps = table.told("board", "step")[-1][1]
    table.press("undo")
    assert table.told("board", "undone")[-1] == ["undone", steps + 1]
    # the game has that chip in the bowl again, the board has not: said, and mended by hand
    assert table.told("board", "mismatch")[-1][1] == [[COLOURS[chef], None, "curry"]]
    table.run(2200)
    assert table.shows("curry", "pulse", chef)
    table.lay("c40", "curry")
    assert table.told("board", "mismatch")[-1][1] == []
    assert table.shows("curry", "blink", chef)


def decline_sends_his_chips_home_and_the_next_bowl_comes(table: Table) -> None:
    chef, other = table.chef, 1 - table.chef
    table.press("no")
    assert table.told("game", "declined")[-1] == ["declined", chef, "curry"]
    assert table.told("game", "traded")[-1] == ["traded", "curry"]
    table.lift("c30", "c40")
    assert table.shows("head_chef", "blink", chef)
    table.press("ok")  # without the mill: the next bowl in order
    assert table.told("game", "price")[-1] == ["price", "chili", 60]
    table.press("ok")
    table.lift("o60")
    assert table.told("game", "bought")[-1] == ["bought", other, "chili", 60]
    for _ in range(2):
        table.press("ok")  # mint: chosen, nobody sells
    table.press("no")  # no card of it is displayed, so its only buyer declines
    assert table.told("game", "declined")[-1] == ["declined", other, "mint"]
    table.lift("o10")


def cooking_and_the_next_round(table: Table) -> None:
    chef, other = table.chef, 1 - table.chef
    assert table.shows("saffron", "count", chef, 0, 3)
    table.press("ok")  # he cooks an open blend
    assert table.told("game", "cooked")[-1] == ["cooked", chef, -1, "open"]
    table.press("no")  # the other does not
    assert table.told("game", "no_open")[-1] == ["no_open", other]
    assert table.told("game", "phase")[-1] == ["phase", "round_over"]
    table.press("ok")
    assert table.told("game", "chef")[-1] == ["chef", other]
    assert table.shows("ginger", "pulse", other)


def mismatch_can_be_accepted_by_a_long_press(table: Table) -> None:
    chef, other = table.chef, 1 - table.chef
    table.lay("o20", "garlic")
    for chip in ("c10", "c20"):  # two at once: nothing that the rules allow
        table.world.lay(table.chip(chip), "cumin")
    table.run(500)
    assert table.told("board", "refused")[-1][1] == "two_throws"
    assert table.told("board", "mismatch")[-1][1] == [[COLOURS[chef], "cumin", None]] * 2
    table.press("ok", 3300)
    assert table.told("board", "mismatch")[-1][1] == []
    table.lay("o50", "cumin")
    assert table.told("game", "thrown")[-1] == ["thrown", other, "cumin"]


def abort_by_a_long_press_ends_in_the_menu(table: Table) -> None:
    table.press("undo", 3300)
    assert table.told("board", "aborted") == [["aborted"]]
    table.run(200)
    assert table.shows("head_chef", "count", "white", 2, 4)
    assert table.console == b""  # and nothing went wrong on the way
    assert table.told("board", "task") == []


def the_buzzer_said_good_bad_and_doubt(table: Table) -> None:
    assert {1760, 220, 880} <= {hz for _, hz in table.world.buzzer.heard}


@pytest.mark.slow
def test_a_whole_referee_game_by_chips_and_buttons(table: Table) -> None:
    """One test, for each step begins where the one before it ended."""
    for step in (
        start_by_buttons_alone,
        throws_missed_and_in_doubt,
        decided_against_and_inferred_miss,
        action_space_by_buttons,
        the_mill_chooses_the_bowl_and_shares_are_seen,
        sale_by_lifting_and_purchase_by_lifting,
        undo_of_the_last_decision,
        decline_sends_his_chips_home_and_the_next_bowl_comes,
        cooking_and_the_next_round,
        mismatch_can_be_accepted_by_a_long_press,
        abort_by_a_long_press_ends_in_the_menu,
        the_buzzer_said_good_bad_and_doubt,
    ):
        step(table)
