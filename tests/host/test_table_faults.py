"""What was found at the terminal table by people who tried it, one test for each fault."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from rulesboard import RulesBoard
from spiceboard import words
from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard.bots.offline import rules_of
from spiceboard.errors import UserError
from spiceboard.table import app, board, evening, panel, story
from spiceboard.table.app import Table
from spiceboard.table.menu import Menu


class Keys:
    """The keys that were typed, one a look."""

    def __init__(self) -> None:
        self.todo: list[str] = []

    def pressed(self, timeout: float = 0.0) -> list[str]:
        return [self.todo.pop(0)] if self.todo else []


class Seat:
    """A table of 80 by 24 with people in the first seats."""

    def __init__(self, game: str, people: int = 1, **options: Any) -> None:
        self.board = RulesBoard(rules_of(game), 1)
        client = Client(self.board)
        client.connect()
        bots = {seat: bot.load(game, "sensible")(seat, 1) for seat in range(people, 2)}
        self.match = Match(client, bots, self.board)
        self.match.start(game, {"players": 2, "seed": 1, **options})
        self.keys = Keys()
        self.table = Table(self.match, panel.load(game), console(), self.keys)
        self.table.turn()

    def type(self, keys: str) -> None:
        self.keys.todo += keys.split()
        while self.keys.todo:
            self.table.turn()

    def shown(self) -> str:
        out = console()
        out.print(self.table.draw())
        assert isinstance(out.file, io.StringIO)
        return out.file.getvalue()

    def words(self) -> str:
        return " ".join(self.shown().split())

    def state(self, **changes: Any) -> None:
        """Another position; the table is told that something happened."""
        self.board.state = dict(self.board.state, **changes)
        self.board.event(board=["step", self.board.steps])
        self.table.chooser = None
        self.table.turn()


def console() -> Console:
    return Console(file=io.StringIO(), width=80, height=24, color_system=None)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module, name in ((app, "BOT_PAUSE_S"), (app, "UNDO_S"), (app, "TICK_S")):
        monkeypatch.setattr(module, name, 0.0)
    monkeypatch.setattr(story, "SLOW_S", 0.0)
    before = words.language()
    yield
    words.speak(before)


# -- 2: undo


def test_taking_back_reaches_ones_own_decision_over_those_of_bots() -> None:
    seat = Seat("ninebowls", first=0)
    seat.type("1 enter")
    seat.table.turn()
    assert seat.board.steps == 2 and seat.board.state["phase"] == ["occupy", 0]
    assert "u take back" in seat.words()
    seat.type("u")
    asked = seat.words()
    assert "This goes back: Blue takes curry; Red takes" in asked and "u once more" in asked
    assert seat.board.steps == 2  # nothing yet
    seat.table.turn()
    assert seat.board.steps == 2  # and no bot moves while it is asked
    seat.type("u")
    assert seat.board.state["bowls"] == [None] * 9 and seat.board.state["phase"] == ["occupy", 0]


def test_another_key_than_the_second_one_takes_nothing_back() -> None:
    seat = Seat("ninebowls", first=0)
    seat.type("1 enter")
    seat.table.turn()
    seat.type("u x")
    assert "This goes back" not in seat.words() and seat.board.state["bowls"][0] is not None


def test_of_two_people_the_others_are_to_be_asked() -> None:
    seat = Seat("ninebowls", people=2, first=0)
    seat.type("1 enter u")
    assert "Ask the others first." in seat.words()
    seat.type("u")
    assert seat.board.state["bowls"] == [None] * 9


def test_a_throw_stays_thrown_and_it_is_said() -> None:
    seat = Seat("safranito", people=2, chef=0)
    seat.type("enter 3 enter 5 enter 0 enter")
    seat.type("u")
    assert "a throw stays thrown" in seat.words() and seat.board.steps == 1


def test_bots_wait_while_a_decision_may_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "UNDO_S", 1000.0)
    seat = Seat("ninebowls", first=0)
    seat.type("1 enter")
    for _ in range(5):
        seat.table.turn()
    assert seat.board.steps == 1
    seat.type("u u")
    assert seat.board.state["bowls"] == [None] * 9


# -- 3: doubts


def test_a_doubt_is_asked_of_the_head_chef_who_is_a_person() -> None:
    seat = Seat("safranito", chef=0)
    seat.board.doubts = [[4, "red", "mint"]]
    seat.board.event(board=["doubt", 4, "red", "mint"])
    for _ in range(3):
        seat.table.turn()
    assert seat.board.doubts  # the board does not let the bot decide it
    assert "Blue decides: does the red chip count in mint? y or n" in seat.words()
    seat.type("y")
    decided = [message for message in seat.board.log if message["do"] == "decide"][-1]
    assert (decided["seat"], decided["counts"]) == (0, True) and not seat.board.doubts


@pytest.mark.parametrize("game", ["safranito", "jaipur", "rathot", "ninebowls"])
def test_a_table_names_who_decides_doubts_as_the_rules_do(game: str) -> None:
    seat = Seat(game, people=0)
    rules = rules_of(game)
    for _ in range(40):
        seat.table.turn()
        assert seat.table.panel.arbiter(seat.table.view) == rules.arbiter(seat.board.state)


# -- 4: what is looked at


def test_after_a_sale_bots_wait_until_enter() -> None:
    seat = Seat("jaipur", first=0)
    seat.state(hands=[[0, 0, 0, 3, 0, 0], [0, 0, 2, 0, 2, 0]])
    seat.type("4 enter 3 enter")
    steps = seat.board.steps
    seat.table.turn()
    assert "sells 3 cloth: 5 + 3 + 3 = 11 rupees" in seat.words()
    for _ in range(3):
        seat.table.turn()
    assert seat.board.steps == steps and "Enter goes on" in seat.words()
    seat.type("enter")
    seat.table.turn()
    assert seat.board.steps > steps


def test_what_is_slow_is_told_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "SLOW_S", 1000.0)
    told = story.Story()
    told.add(lambda: "one\ntwo\nthree", slow=True)
    told.add(lambda: "four")
    told.go_on()
    assert told.lines() == ["one"] and told.telling
    monkeypatch.setattr(story.time, "monotonic", lambda: 1e9)
    told.go_on()
    assert told.lines() == ["one", "two"]


# -- 5 and 6: 80 by 24, and without colours


@pytest.mark.parametrize("game", ["safranito", "jaipur", "rathot", "ninebowls"])
@pytest.mark.parametrize("front", [False, True])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_screen_fits_into_80_by_24(game: str, front: bool, language: str) -> None:
    words.speak(language)
    seat = Seat(game, people=0)
    seat.table.board_in_front = front
    for _ in range(60):
        seat.table.turn()
        if seat.board.steps % 5:
            continue
        lines = seat.shown().splitlines()
        assert len(lines) < 24 and max(map(len, lines)) <= 80
        prompt = Text.from_markup(seat.table.panel.prompt(seat.table.view)).plain
        assert " ".join(prompt.split())[:24] in seat.words()


def test_the_main_view_says_what_is_for_sale_and_what_the_market_has() -> None:
    assert "for sale: " in Seat("safranito").words()
    jaipur = Seat("jaipur", first=0)
    jaipur.type("1 enter enter")
    text = jaipur.words()
    for part in ("market", "diamond 7 7 5 5 5", "for 3: 7", "goods tokens", "Blue takes"):
        assert part in text, part


def test_names_are_whole_or_end_with_a_full_stop() -> None:
    seat = Seat("safranito")
    seat.type("b")
    text = seat.shown()
    assert "cardam." in text and "extr" not in text.replace("1 extra throw", "")
    assert [f"{n} {name}" in text for n, name in ((1, "extra throw"), (4, "head chef"))]


def test_without_colours_totals_and_chips_have_letters_in_one_order() -> None:
    from spiceboard.table import safranito

    state = rules_of("safranito").new({"players": 2, "seed": 1, "chef": 1})
    state["lying"] = {"r50": "mint", "b60": "mint"}
    state["revealed"] = ["b60", "r50"]
    view = rules_of("safranito").view(state, None)
    label = [Text.from_markup(line).plain for line in safranito.labels(view)["mint"]]
    assert "B60 R50" in label
    assert board.chip_line({"red": 1, "blue": 1}, plain=True).plain == "BR"


def test_blue_looks_blue() -> None:
    red, green, blue = board.bright((0, 20, 64))  # as the blue of the rings, dimmed
    assert red == 0 and green / blue == pytest.approx(80 / 255, abs=0.02)


# -- 7: questions


def test_one_question_for_a_head_chef_who_sells_last() -> None:
    seat = Seat("safranito", people=2, chef=0)
    view = {"offers": [None, 0], "chef": 0, "mode": "full", "price": 50, "phase": ["sale"]}
    legal = [["sell", 0, 0], ["sell", 0, 1]]
    items = seat.table.panel.sales(view, legal, 0)
    assert [value for _, value in items] == [[event, ["close", 0]] for event in legal]
    assert items[1][0] == "sell 1 for 50, and close the sale"
    said = dict(view, offers=[1, 0])
    again = seat.table.panel.sales(said, [*legal, ["close", 0]], 0)
    assert [value for _, value in again] == [["close", 0]]


def test_events_of_one_answer_are_sent_one_after_another() -> None:
    seat = Seat("ninebowls", people=2, first=0)
    seat.table._do(0, [["occupy", 0, "curry"]])
    assert seat.board.steps == 1


def test_a_question_with_one_answer_needs_one_key() -> None:
    assert Menu("?", [("yes", 1)]).key("1") == 1
    assert Menu("?", [("yes", 1)]).key("enter") == 1


# -- 8: alarms, and keys that ask first


def test_hands_of_a_simulated_board_are_given_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = Seat("safranito")
    seat.match.snapshot["mismatch"] = [["red", "reserve", None]]
    assert "please lift" not in seat.words()
    clock = app.time.monotonic
    monkeypatch.setattr("spiceboard.table.face.time.monotonic", lambda: clock() + 9)
    assert "red: please lift a chip from reserve" in seat.words()


@pytest.mark.parametrize("key", ["a", "k"])
def test_what_changes_the_game_asks_first(key: str) -> None:
    seat = Seat("safranito")
    sent = len(seat.board.log)
    seat.type(key)
    assert "Really?" in seat.words()
    asked = {message["do"] for message in seat.board.log[sent:]}
    assert not asked & {"accept", "undo"} and seat.board.pressed == []


# -- 9: what is shown


def test_who_sits_alone_sees_their_own_money_and_at_the_end_all_hands() -> None:
    seat = Seat("safranito", chef=0)
    rows = seat.shown().splitlines()
    assert any(row.replace("♛", "").split()[:2] == ["Blue", "200"] for row in rows)
    seat.board.state = dict(seat.board.state, phase=["over", 0])
    seat.match.refresh()
    seat.table._look_at_hands()
    text = seat.words()
    assert "Blue: 200 rupees" in text and "Red: 200 rupees" in text


def test_chips_that_were_used_are_not_in_hand() -> None:
    seat = Seat("safranito", chef=0)
    seat.type("3 enter 5 enter 0 enter")
    seat.board.flat.lift("b30")
    seat.board.accepted(["accept", None, [["b30", None]]])
    for _ in range(4):
        seat.table.turn()
    line = next(line for line in seat.shown().splitlines() if line.startswith("chips:"))
    assert "used 30" in line and "in hand 10, 20, 40, 50, 60" in line


def test_the_pile_is_one_number() -> None:
    seat = Seat("rathot", first=0)
    labels = seat.table.panel.labels(seat.table.view)
    assert ["pile", "42"] in labels.values() and "42 strips in the pile" in seat.words()


# -- 10: sentences


def test_after_a_number_that_there_is_not_enter_takes_nothing() -> None:
    menu = Menu("?", [("a", 1), ("b", 2)])
    for key in ("9", "9", "enter"):
        with pytest.raises(ValueError, match="there is no number 9: 1 to 2"):
            menu.key(key)
    menu.key("2")
    assert menu.key("enter") == 2


def test_an_option_that_is_none_is_answered_without_brackets() -> None:
    rules = rules_of("safranito")
    with pytest.raises(ValueError, match="must be one of chef_first, chef_last, not no"):
        rules.new({"players": 2, "tie": "no"})
    with pytest.raises(ValueError, match=r"there are: players, mode, seed, "):
        rules.new({"players": 2, "ties": 1})
    with pytest.raises(ValueError, match="one of true, false, not 3"):
        rules_of("jaipur").new({"players": 2, "empty_sale": 3})


class Asked:
    """What the command line said."""

    game, asked, people, bot, seed, new = "ninebowls", None, None, "sensible", 1, False

    def __init__(self, **said: Any) -> None:
        vars(self).update(said)


def test_another_number_of_players_than_the_game_has_is_refused() -> None:
    game = {"name": "ninebowls", "players": 2}
    evening.join(game, Asked())  # type: ignore[arg-type]
    evening.join(game, Asked(asked=2))  # type: ignore[arg-type]
    with pytest.raises(UserError, match="a game of 2 players is on; leave --players away"):
        evening.join(game, Asked(asked=3))  # type: ignore[arg-type]


def test_after_a_game_enter_plays_another_and_l_tells_what_happened() -> None:
    seat = Seat("ninebowls", people=0)
    while not seat.match.game["over"]:
        seat.table.turn()
    seat.keys.todo = []
    typed = iter([[], ["l"], ["up"], ["x"], ["enter"]])
    seat.table.keys = type("Later", (), {"pressed": lambda self, t=0.0: next(typed, [])})()
    seat.table._end()
    assert seat.table.again


# -- 11: referee mode


def test_bots_have_no_place_in_a_referee_game() -> None:
    seat = Seat("safranito", people=2, mode="referee")
    seat.match.snapshot["game"]["mode"] = "referee"
    with pytest.raises(UserError, match="a bot cannot see them"):
        evening.seat_bots(seat.match, Asked(game="safranito", people=1))  # type: ignore[arg-type]
    evening.seat_bots(seat.match, Asked(game="safranito"))  # type: ignore[arg-type]
    assert seat.match.bots == {}
    for _ in range(3):
        seat.table.turn()
    text = seat.shown()
    assert "None" not in text and "cards: none" not in text


# -- part 9: language


def test_a_key_speaks_another_language_at_once() -> None:
    seat = Seat("safranito", chef=0)
    seat.type("3 enter 5 enter 0 enter")
    for _ in range(8):
        seat.table.turn()
    assert any("Blue" in line and "throws" in line for line in seat.table.log)
    seat.type("t")
    seat.table.turn()
    text = seat.words()
    assert "Bleu, quel jeton lancez-vous ?" in text and "à vendre" in text
    assert any("Bleu" in line and "lance" in line for line in seat.table.log)
    assert "throws" not in text and "rupees" not in text
    seat.type("t")
    seat.table.turn()
    assert "which chip do you throw?" in seat.words()


def test_a_refusal_is_told_in_french_and_what_was_entered_stays() -> None:
    words.speak("fr")
    seat = Seat("jaipur", first=0)
    seat.state(market=["camel"] * 5, herds=[3, 3])
    seat.type("1 enter")
    assert "Il n'y a aucune carte diamant au marché." in seat.words()
    seat.type("3 enter")
    assert "Bleu prend : 5 chameaux" in seat.words()
