"""The live table with a person at the keyboard: keys in, pictures out, the game goes on."""

import io
from typing import Any

import pytest
from rich.console import Console

from rulesboard import RulesBoard
from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot, targets
from spiceboard.bots.offline import rules_of
from spiceboard.errors import LinkError
from spiceboard.table import app, panel, story
from spiceboard.table.app import Leave, Table


class Typist:
    """Types the next key whenever the table looks."""

    def __init__(self) -> None:
        self.todo: list[str] = []
        self.at_the_end: list[str] = []  # typed when the table waits for a key

    def pressed(self, timeout: float = 0.0) -> list[str]:
        if timeout:
            return self.at_the_end
        return [self.todo.pop(0)] if self.todo else []


class Desk:
    """A table with people in the first seats and bots in the others."""

    def __init__(self, people: int = 1, players: int = 2, hands: bool = True) -> None:
        self.board = RulesBoard(rules_of("safranito"), 1)
        client = Client(self.board)
        client.connect()
        bots = {
            seat: bot.load("safranito", "sensible")(seat, 1) for seat in range(people, players)
        }
        self.match = Match(client, bots, self.board if hands else None)
        self.match.start("safranito", {"players": players, "seed": 1, "chef": 0})
        self.typist = Typist()
        console = Console(file=io.StringIO(), width=130, height=40, force_terminal=True)
        self.table = Table(self.match, panel.load("safranito"), console, self.typist)
        self.table.turn()

    def type(self, keys: str) -> None:
        self.typist.todo += keys.split()
        while self.typist.todo:
            self.table.turn()

    def shown(self) -> str:
        console = Console(file=io.StringIO(), width=130, height=40)
        console.print(self.table.draw())
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    def narrow(self) -> str:
        """As on the console that the table has now."""
        console = self.table.console
        console.file = io.StringIO()
        console.print(self.table.draw())
        return console.file.getvalue()


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(app, "BOT_PAUSE_S", 0.0)
    return Desk()


def test_the_screen_has_board_prompt_and_question(desk: Desk) -> None:
    shown = desk.shown()
    assert "cardamom" in shown and "Blue throws a chip (1 of 8)" in shown
    assert "Blue, which chip do you throw?" in shown and "open blends" in shown
    assert len(shown.splitlines()) <= 40


def test_a_person_throws_and_the_bot_answers(desk: Desk) -> None:
    desk.type("3 enter 5 enter 0 enter")
    for _ in range(3):
        desk.table.turn()
    state = desk.board.state
    assert state["phase"] == ["throw", 2]
    assert "Blue" in " ".join(desk.table.log)
    assert any("throws into" in line or "misses" in line for line in desk.table.log)


def test_bad_input_gets_a_sentence_and_changes_nothing(desk: Desk) -> None:
    desk.type("9")
    assert "there is no number 9: 1 to 6" in desk.shown()
    desk.type("x")
    assert "`x` means nothing here" in desk.shown()
    desk.type("1")
    assert "`x` means" not in desk.shown()
    assert desk.board.steps == 0


def test_who_sits_alone_sees_his_hand_and_may_cover_it(desk: Desk) -> None:
    assert "200 rupees" in desk.shown()
    desk.type("h")
    assert "200 rupees" not in desk.shown()
    desk.type("x h")
    assert "200 rupees" in desk.shown()


def test_of_several_people_a_hand_is_shown_on_demand_and_covered_by_any_key() -> None:
    desk = Desk(people=2)
    assert "200 rupees" not in desk.shown()
    desk.type("h")
    assert "Blue: 200 rupees" in desk.shown() and "Red: 200" not in desk.shown()
    desk.type("x")
    assert "200 rupees" not in desk.shown()


def test_a_question_that_tells_a_secret_is_covered_from_the_others() -> None:
    desk = Desk(people=2)
    shown = " ".join(desk.shown().split())
    assert "Blue, you are asked." in shown and "which chip" not in shown
    desk.type("3")
    assert "which chip" not in desk.shown()
    desk.type("enter")
    assert "Blue, which chip do you throw?" in desk.shown()
    desk.type("3 enter 5 enter 0 enter")
    desk.table.turn()
    shown = " ".join(desk.shown().split())
    assert "Red, you are asked." in shown and "which chip" not in shown
    assert desk.board.steps == 1


def test_a_question_that_tells_nothing_is_not_covered() -> None:
    desk = Desk(people=2)
    for seat in (0, 1) * 4:
        desk.board.accepted(["missed", seat])
    for _ in range(3):
        desk.table.turn()
    shown = " ".join(desk.shown().split())
    assert "Blue, all have thrown" in shown and "you are asked" not in shown


def test_what_is_typed_while_a_chip_flies_answers_no_question(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fly = desk.match.throw

    def slow(*arguments: Any) -> None:
        fly(*arguments)
        if arguments[0] == 0:
            desk.typist.todo.append("9")  # an impatient key, typed during the throw

    monkeypatch.setattr(desk.match, "throw", slow)
    desk.type("3 enter 5 enter 0 enter")
    assert desk.typist.todo == [] and "no number 9" not in desk.shown()


def test_a_question_that_has_changed_is_asked_anew() -> None:
    desk = Desk(people=2)
    desk.type("enter 3")
    desk.board.accepted(["missed", 0])
    for seat in (1, 0, 1, 0, 1, 0, 1):
        desk.board.accepted(["missed", seat])
    desk.table.turn()  # Blue was asked to throw, and is asked to turn up now
    desk.table.turn()
    assert "Blue, all have thrown" in desk.shown()


def test_a_terminal_that_is_made_too_small_says_so_and_the_game_waits(desk: Desk) -> None:
    for width, height in ((79, 40), (130, 23)):
        desk.table.console.size = (width, height)  # type: ignore[assignment]
        console = Console(file=io.StringIO(), width=60, height=20)
        console.print(desk.table.draw())
        assert "needs 80 columns and 24 rows" in console.file.getvalue()  # type: ignore[attr-defined]


SIZES = [(80, 24), (99, 30), (100, 24), (120, 30), (140, 42), (200, 60)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_answer_has_room_at_every_size(desk: Desk, width: int, height: int) -> None:
    """Thirteen zones are offered: each is seen when it is marked, and the hint below it too."""
    for _ in range(30):
        desk.table.story.add(lambda: "a line of the log")
    desk.type("1 enter")
    for number in range(1, 14):
        desk.typist.todo.append("down") if number > 1 else None
        desk.table.turn()
        console = Console(file=io.StringIO(), width=width, height=height)
        desk.table.console = console
        console.print(desk.table.draw())
        shown = console.file.getvalue()  # type: ignore[attr-defined]
        lines = shown.splitlines()
        assert len(lines) < height and max(map(len, lines)) <= width
        assert f"{number:3} {targets.ZONES[number - 1].replace('_', ' ')}" in shown
        assert "then Enter" in shown and "q leave" in shown
        assert ("\u256d" in shown) or width < 100  # the board's corner


def test_a_narrow_terminal_shows_the_board_by_a_key(desk: Desk) -> None:
    desk.table.console = Console(file=io.StringIO(), width=80, height=24)
    desk.board.lay("b10", "mint")
    for _ in range(3):
        desk.table.turn()
    assert "mint 1 blue" in desk.narrow() and "open blends" in desk.narrow()
    desk.type("b")
    assert "curry" in desk.narrow() and "\u25cf" in desk.narrow()
    assert "on the board:" not in desk.narrow()


def test_without_colours_chips_have_letters_and_lights_shapes(desk: Desk) -> None:
    desk.table.console = Console(file=io.StringIO(), width=130, height=40, no_color=True)
    desk.board.lay("b10", "mint")
    desk.match.refresh()
    desk.board.lights = lambda: {  # type: ignore[method-assign]
        "curry": [(0, 0, 80)] * 8 + [(0, 0, 10)] * 4 + [(0, 0, 0)] * 4
    }
    shown = desk.narrow()
    assert any("B" == cell for line in shown.splitlines() for cell in line.split())
    assert (shown.count("\u25cf"), shown.count("\u25cb")) == (8, 4)


def test_a_lost_board_is_told_at_once(desk: Desk) -> None:
    drawn: list[str] = []

    class Screen:
        def update(self, picture: Any, refresh: bool) -> None:
            console = Console(file=io.StringIO(), width=130, height=40)
            console.print(picture)
            drawn.append(console.file.getvalue())  # type: ignore[attr-defined]

    desk.table._live = Screen()  # type: ignore[assignment]
    desk.match.client.on_lost(LinkError("connection to /dev/ttyACM0 lost"), 10.0)
    text = " ".join(drawn[-1].split())
    assert "connection to /dev/ttyACM0 lost. Waiting 10 s" in text


def test_a_hand_is_covered_when_the_turn_passes_to_another_person() -> None:
    desk = Desk(people=2)
    desk.type("enter 3 enter 5 enter 0 enter")
    desk.table.turn()
    assert desk.table.seat == 1
    desk.type("h")
    assert "Red: 200 rupees" in desk.shown() and "Blue: 200" not in desk.shown()
    desk.board.throw("r10", "mint", 0.0)  # meanwhile Red's throw is made on the board
    if desk.board.state["phase"] == ["throw", 1]:
        desk.board.accepted(["missed", 1])
    desk.table.turn()
    assert desk.table.seat == 0
    assert "rupees" not in desk.shown().replace("rupees  cards", "")


def test_help_console_and_leaving(desk: Desk) -> None:
    desk.type("?")
    assert "takes the board as it lies" in " ".join(desk.shown().split())
    desk.board._out += b"Traceback of the firmware\n"
    desk.type("x c")
    assert "Traceback of the firmware" in desk.shown()
    desk.type("x q")
    assert "q once more leaves" in desk.shown()
    desk.type("x q")
    with pytest.raises(Leave):
        desk.type("q")


def test_refusals_and_trouble_are_said(desk: Desk) -> None:
    desk.type("a a")
    assert "board and game agree" in desk.shown()
    desk.type("u")
    assert "told a secret" in desk.shown()
    desk.type("y")
    assert "nothing is in doubt" in desk.shown()


def test_on_a_real_board_differences_and_doubts_are_shown_with_the_way_out() -> None:
    desk = Desk(hands=False)
    assert "Blue, throw a chip on the board. It missed?" in desk.shown()
    desk.board.flat.places["r60"] = (60.0, 60.0)
    desk.board.doubts = [[4, "blue", "mint"]]
    desk.match.refresh()
    shown = " ".join(desk.shown().split())
    assert "red: please lift a chip from curry" in shown and "press a to take it as it" in shown
    assert "Blue decides: does the blue chip count in mint? y or n" in shown
    desk.type("n")
    assert desk.board.log[-2]["do"] == "decide" and desk.board.log[-2]["counts"] is False


def test_on_a_real_board_a_bot_asks_for_its_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "BOT_PAUSE_S", 0.0)
    desk = Desk(people=0, hands=False)
    desk.table.turn()
    wish = desk.match.wish
    assert wish is not None and wish["seat"] == 0
    shown = " ".join(desk.shown().split())
    assert f"A bot asks you to throw for it: chip {wish['chip']}" in shown
    desk.table.turn()
    assert desk.board.steps == 0
    desk.board.lay(wish["chip"], wish["zone"])
    desk.table.turn()
    desk.table.turn()
    assert desk.match.wish is not None and desk.match.wish["seat"] == 1
    desk.type("m")
    assert desk.board.state["missed"] == [0, 1]
    desk.table.turn()
    assert desk.match.wish is not None and desk.match.wish["seat"] == 0


def test_nothing_missed_when_nobody_asked(desk: Desk) -> None:
    desk.type("m")
    assert "nobody has asked for a throw" in desk.shown()


def test_bots_alone_play_to_the_end_before_the_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "BOT_PAUSE_S", 0.0)
    monkeypatch.setattr(app, "TICK_S", 0.0)
    monkeypatch.setattr(story, "SLOW_S", 0.0)
    desk = Desk(people=0)
    desk.typist.at_the_end = ["q"]
    standing: list[Any] = desk.table.run()
    assert standing[0][2]["blends"] == 3
    shown = " ".join(desk.shown().split())
    assert "wins the game!" in shown and "Enter plays another one" in shown
    assert not desk.table.again


def test_a_seat_that_another_table_plays_can_be_taken_over(desk: Desk) -> None:
    desk.table.console = Console(file=io.StringIO(), width=80, height=24)
    desk.match.client.keys.clear()  # this table's keys are lost
    desk.table.chooser = None
    desk.table.turn()
    shown = " ".join(desk.narrow().split())
    assert "was given out already. Another table plays this seat." in shown and "k (new" in shown
    desk.type("q")
    desk.table.turn()
    assert "q once more leaves" in desk.narrow() and "k (new" in desk.narrow()
    with pytest.raises(Leave):
        desk.type("q")
    desk.board.press = lambda button, ms=100: (  # type: ignore[method-assign]
        desk.board._keys.clear() if (button, ms > 3000) == ("no", True) else None
    )
    desk.type("k k")
    desk.table.turn()
    assert "which chip do you throw?" in desk.shown()


def test_on_a_real_board_the_way_to_new_keys_is_named() -> None:
    desk = Desk(hands=False)
    desk.table.console = Console(file=io.StringIO(), width=80, height=24)
    desk.type("k")
    assert "hold the button `no` on the board" in " ".join(desk.narrow().split())


def test_a_reader_is_told_of_when_it_is_bad_and_when_it_is_good_again(desk: Desk) -> None:
    for state in ("incomplete", "ok", "dead", "ok", "ok", "stranger"):
        desk.table.item(("board", ["reader", "mint", state]))
    told = [line for line in desk.table.log if "reader mint" in line]
    assert [line.split("mint: ")[1].split("[")[0] for line in told] == [
        "it does not answer",
        "it answers again",
        "a tag lies there that no chip has",
    ]
