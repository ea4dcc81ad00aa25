"""Chips that no reader hears: people say where they lie, and none is left out in silence."""

from collections.abc import Iterator

import pytest

from lab import Hands

ASKED = 1900  # ms after which a question has come, if one comes


class Table(Hands):
    """A full game of two, blue first."""

    def start(self) -> None:
        if self.good("snapshot")["game"]:
            self.good("abort", confirm=True)
        for chip in self.world.chips:
            self.world.lift(chip)
        self.run(600)
        self.events.clear()
        options = {"players": 2, "mode": "full", "seed": 9, "chef": 0}
        self.good("new", game="safranito", options=options)
        self.keys = [self.good("claim", seat=seat)["key"] for seat in (0, 1)]

    def ask_of(self, seat: int, do: str, **parts: object) -> dict[str, object]:
        return self.good(do, seat=seat, key=self.keys[seat], **parts)

    def throws(self, *chips: str, zone: str = "curry") -> None:
        for number, chip in enumerate(chips):
            self.world.lay(chip, zone if number < 5 else "mint")
            self.run(300)

    def open_doubts(self) -> list[list[object]]:
        return [row[1:] for row in self.good("snapshot")["doubts"]]

    def chips(self) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = self.good("snapshot")["chips"]
        return found


@pytest.fixture(scope="module")
def board() -> Iterator[Table]:
    with Table(seed=1) as board:
        board.boot()
        yield board


@pytest.fixture
def table(board: Table) -> Table:
    board.start()
    return board


def all_but_one(table: Table) -> None:
    """Seven of eight throws; the miss of red, its second throw, is told only by blue's next."""
    table.throws("b10", "r10", "b20", "b30", "r30", "b40", "r40")


def test_a_chip_that_nobody_heard_is_asked_about(table: Table) -> None:
    all_but_one(table)
    assert table.told("game", "missed") == [["missed", 1]]
    table.run(ASKED)
    assert table.open_doubts() == [["red", None]]
    refusal = table.refused("act", "doubt", seat=0, key=table.keys[0], event=["reveal", 0])
    assert refusal["text"] == "decide first where a chip of red lies that no reader hears"
    number = table.good("snapshot")["doubts"][0][0]
    table.refused("decide", "bad_argument", seat=0, key=table.keys[0], doubt=number, counts=True)
    table.press("ok")  # the button is told the same
    assert table.told("board", "refused")[-1][1] == "bad_argument"
    table.press("no")  # one press: it lies nowhere
    assert table.open_doubts() == []
    table.run(ASKED)
    assert table.open_doubts() == []
    table.ask_of(0, "act", event=["reveal", 0])


def test_a_decision_does_not_outrun_the_question(table: Table) -> None:
    all_but_one(table)
    table.refused("act", "doubt", seat=0, key=table.keys[0], event=["reveal", 0])


def test_a_miss_that_was_told_is_not_asked_about(table: Table) -> None:
    table.throws("b10", "r10", "b20")
    table.press("no")
    table.throws("b30", "r30", "b40", "r40")
    table.run(ASKED)
    assert table.open_doubts() == []
    table.ask_of(0, "act", event=["reveal", 0])


def test_my_chip_lies_here_and_the_head_chef_decides(table: Table) -> None:
    all_but_one(table)
    table.run(ASKED)
    said = table.ask_of(1, "lies", chip="r60", zone="garlic")
    table.run(100)
    assert [said["doubt"], "red", "garlic"] in table.good("snapshot")["doubts"]
    table.refused(
        "decide", "wrong_seat", seat=1, key=table.keys[1], doubt=said["doubt"], counts=True
    )
    table.ask_of(0, "decide", doubt=said["doubt"], counts=True)
    table.run(ASKED)
    assert table.open_doubts() == []  # now all are known
    assert table.told("game", "back") == [["back", 1, "garlic"]]
    assert table.chips()["garlic"] == {"red": 1}
    assert table.good("snapshot")["mismatch"] == []
    table.refused("lies", "illegal", seat=0, key=table.keys[0], chip="b60", zone="mint")
    table.ask_of(0, "act", event=["reveal", 0])
    table.world.lay("r60", "garlic")  # a reader hears it after all: nothing to do
    table.run(1500)
    assert table.good("snapshot")["mismatch"] == []


def test_what_was_said_outlives_a_power_cut_and_goes_home(table: Table) -> None:
    all_but_one(table)
    said = table.ask_of(1, "lies", chip="r60", zone="garlic")
    table.ask_of(0, "decide", doubt=said["doubt"], counts=True)
    table.restart()
    table.boot()
    assert table.chips()["garlic"] == {"red": 1}
    assert table.open_doubts() == []
    table.ask_of(0, "act", event=["reveal", 0])
    table.ask_of(0, "act", event=["choose", 0, "garlic"])
    for seat in (0, 1):
        table.ask_of(seat, "act", event=["sell", seat, 0])
    table.ask_of(0, "act", event=["close", 0])
    table.ask_of(1, "act", event=["decline", 1])
    table.run(500)
    snapshot = table.good("snapshot")
    assert "garlic" not in snapshot["chips"] and snapshot["mismatch"] == []


def test_a_chip_that_fell_silent_is_asked_about_where_it_lay(table: Table) -> None:
    table.throws("b10", "r10", "b20", "r20", "b30", "r30", "b40", "r40")
    table.run(600)
    table.world.lift("b40")  # from mint; nobody saw it go
    table.run(ASKED + 900)
    assert table.open_doubts() == [["blue", "mint"]]
    table.press("ok")  # it lies there, says the head chef
    table.run(ASKED)
    assert table.open_doubts() == [] and table.chips()["mint"] == {"blue": 1, "red": 2}
    table.ask_of(0, "lies", chip="b40", zone=None)  # no: its owner has it
    table.run(ASKED)
    assert table.open_doubts() == [["blue", "mint"]]
    table.press("no")
    table.run(ASKED)
    assert table.open_doubts() == [] and table.chips()["mint"] == {"red": 2}
    table.ask_of(0, "act", event=["reveal", 0])


def test_a_question_ends_when_the_chip_is_heard(table: Table) -> None:
    all_but_one(table)
    table.run(ASKED)
    assert table.open_doubts() == [["red", None]]
    table.world.lay("r60", "garlic")
    table.run(1000)
    assert table.open_doubts() == [] and table.told("game", "back") == [["back", 1, "garlic"]]


def test_a_word_against_a_reader_or_the_rules_is_refused(table: Table) -> None:
    key = table.keys[0]
    table.throws("b10")
    text = table.refused("lies", "heard", seat=0, key=key, chip="b10", zone="mint")["text"]
    assert text == "the reader of curry hears that chip well: lift it if it does not lie there"
    table.refused("lies", "wrong_seat", seat=0, key=key, chip="r10", zone="mint")
    table.refused("lies", "wrong_key", seat=0, key="no", chip="b20", zone="mint")
    table.refused("lies", "unknown_chip", seat=0, key=key, chip="mill", zone="mint")
    table.refused("lies", "unknown_chip", seat=0, key=key, chip="b20", zone="attic")
    table.refused("lies", "no_doubt", seat=0, key=key, chip="b20", zone=None)
    table.throws("r10", "r20")  # blue missed between them
    refusal = table.refused("lies", "illegal", seat=0, key=key, chip="b20", zone="mint")
    assert refusal["why"] == "throw_first"
    assert table.open_doubts() == []


def test_a_covered_chip_can_be_said_to_be_lifted(table: Table) -> None:
    """The reader of curry cannot hear the first chip under the second one."""
    table.world.lay("b10", "curry")
    table.run(600)
    table.world.lay("r10", "curry")
    table.world.lift("b10")
    table.run(900)
    assert table.open_doubts() == [["blue", "curry"]]
    table.press("ok")
    table.run(600)
    assert table.chips() == {"curry": {"blue": 1, "red": 1}}
    table.ask_of(0, "lies", chip="b10", zone=None)
    table.run(600)
    assert table.chips() == {"curry": {"red": 1}}
