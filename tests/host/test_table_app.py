"""The live table with a person at the keyboard: keys in, pictures out, the game goes on."""

import io
from typing import Any

import pytest
from rich.console import Console
from rulesboard import RulesBoard

from spiceboard.host.bots import bot
from spiceboard.host.bots.offline import rules_of
from spiceboard.host.client import Client
from spiceboard.host.match import Match
from spiceboard.host.table import app, panel
from spiceboard.host.table.app import Leave, Table


class Typist:
    """Types the next key whenever the table looks."""

    def __init__(self) -> None:
        self.todo: list[str] = []

    def pressed(self, timeout: float = 0.0) -> list[str]:
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


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(app, "BOT_PAUSE_S", 0.0)
    return Desk()


def test_the_screen_has_board_prompt_and_question(desk: Desk) -> None:
    shown = desk.shown()
    assert "cardamom" in shown and "Blue throws a chip (1 of 8)" in shown
    assert "Which chip do you throw?" in shown and "open blends" in shown
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


def test_a_hand_is_shown_on_demand_and_covered_by_any_key(desk: Desk) -> None:
    assert "200 rupees" not in desk.shown()
    desk.type("h")
    assert "200 rupees" in desk.shown()
    desk.type("x")
    assert "200 rupees" not in desk.shown()


def test_a_hand_is_covered_when_the_turn_passes_to_another_person() -> None:
    desk = Desk(people=2)
    desk.type("3 enter 5 enter 0 enter")
    desk.table.turn()
    assert desk.table.seat == 1
    desk.type("h")
    assert "Red: 200 rupees" in desk.shown()
    desk.board.throw("r10", "mint", 0.0)  # meanwhile Red's throw is made on the board
    if desk.board.state["phase"] == ["throw", 1]:
        desk.board.accepted(["missed", 1])
    desk.table.turn()
    assert desk.table.seat == 0
    assert "rupees" not in desk.shown().replace("rupees  cards", "")


def test_help_console_and_leaving(desk: Desk) -> None:
    desk.type("?")
    assert "accepts the board" in desk.shown()
    desk.board._out += b"Traceback of the firmware\n"
    desk.type("x l")
    assert "Traceback of the firmware" in desk.shown()
    with pytest.raises(Leave):
        desk.type("x q")


def test_refusals_and_trouble_are_said(desk: Desk) -> None:
    desk.type("a")
    assert "board and game agree" in desk.shown()
    desk.type("u")
    assert "told a secret" in desk.shown()
    desk.type("y")
    assert "nothing is in doubt" in desk.shown()


def test_on_a_real_board_differences_and_doubts_are_shown_with_the_way_out() -> None:
    desk = Desk(hands=False)
    assert "Throw a chip on the board. It missed?" in desk.shown()
    desk.board.flat.places["r60"] = (60.0, 60.0)
    desk.board.doubts = [[4, "blue", "mint"]]
    desk.match.refresh()
    shown = " ".join(desk.shown().split())
    assert "red: lift a chip from curry" in shown and "press a to accept" in shown
    assert "in doubt: does blue count in mint? y or n" in shown
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
    desk = Desk(people=0)
    standing: list[Any] = desk.table.run()
    assert standing[0][2]["blends"] == 3
    assert "wins the game!" in desk.shown()
