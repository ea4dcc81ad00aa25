"""An open doubt holds up decisions: where a chip lies is settled before anything is turned up."""

import random
from collections.abc import Iterator

import pytest

from lab import Lab
from spiceboard_sim.board.geometry import floor_at
from spiceboard_sim.board.world import Pose


def test_nothing_is_turned_up_while_a_chip_is_in_doubt() -> None:
    with Lab(seed=1) as lab:
        lab.boot()
        options = {"players": 2, "mode": "full", "seed": 9, "chef": 0}
        lab.good("new", game="safranito", options=options)
        keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
        for chip in ("b10", "r10", "b20", "r20", "b30", "r30", "b40"):
            lab.world.lay(chip, "curry")
            lab.run(500)
        lab.good("act", seat=1, key=keys[1], event=["missed", 1])
        lab.world.lay("r40", x=60 + 45.5, y=178)  # the last throw: on the edge of chili
        _, number, colour, zone = lab.until("board", "doubt")
        assert (colour, zone) == ("red", "chili")
        refusal = lab.refused("act", "doubt", seat=0, key=keys[0], event=["reveal", 0])
        assert refusal["text"] == "decide first whether the chip of red counts in chili"
        lab.refused("decide", "wrong_seat", seat=1, key=keys[1], doubt=number, counts=True)
        lab.good("decide", seat=0, key=keys[0], doubt=number, counts=True)
        assert lab.told("game", "back") == [["back", 1, "chili"]]
        lab.good("act", seat=0, key=keys[0], event=["reveal", 0])
        lab.good("act", seat=0, key=keys[0], event=["choose", 0, "chili"])
        assert lab.told("game", "price")[-1] == ["price", "chili", 40]
        assert lab.console == b""


def test_a_chip_judged_nowhere_counts_when_it_is_pushed_in() -> None:
    """Its strength is known to be good then, and must be measured all the same: more than once."""
    with Lab(seed=2) as lab:
        lab.boot()
        lab.good("new", game="safranito", options={"players": 2, "chef": 0, "seed": 9})
        key = lab.good("claim", seat=0)["key"]
        lab.world.lay("b10", x=60 + 45.5, y=178)
        _, number, *_ = lab.until("board", "doubt")
        lab.good("decide", seat=0, key=key, doubt=number, counts=False)
        lab.run(1000)
        assert lab.good("snapshot")["chips"] == {}
        lab.world.place("b10", at(60 + 30, 178))
        lab.run(3000)
        assert lab.good("snapshot")["chips"] == {"chili": {"blue": 1}}


def at(x: float, y: float) -> Pose:
    """Flat on the floor of chili, or on the flat beside it."""
    return Pose(x, y, floor_at(x, y))


@pytest.fixture(scope="module")
def board() -> Iterator[Lab]:
    with Lab(seed=4) as lab:
        lab.boot()
        yield lab


def clear(lab: Lab, *chips: str) -> None:
    for chip in chips:
        lab.world.lift(chip)
    lab.run(3000)
    assert lab.good("snapshot")["doubts"] == []


def test_a_chip_pushed_to_the_edge_is_asked_about(board: Lab) -> None:
    """It lay in the middle beyond doubt; what changes is measured again, nobody else landing."""
    board.world.place("b10", at(60, 178))
    board.run(2000)
    assert board.good("snapshot")["chips"] == {"chili": {"blue": 1}}
    board.world.place("b10", at(60 + 45.5, 178))
    board.run(4000)
    snapshot = board.good("snapshot")
    assert [row[1:] for row in snapshot["doubts"]] == [["blue", "chili"]]
    assert snapshot["chips"] == {}  # in doubt, and nowhere else
    board.world.place("b10", at(60, 178))
    board.run(5000)
    snapshot = board.good("snapshot")
    assert snapshot["doubts"] == [] and snapshot["chips"] == {"chili": {"blue": 1}}
    clear(board, "b10")


def test_a_doubtful_chip_is_not_listed_where_it_was(board: Lab) -> None:
    board.world.place("b20", at(60, 178))
    board.run(1500)
    board.world.place("b20", at(296 - 45.5, 178))  # pushed to the edge of garlic
    board.run(3000)
    snapshot = board.good("snapshot")
    assert [row[1:] for row in snapshot["doubts"]] == [["blue", "garlic"]]
    assert snapshot["chips"] == {}
    clear(board, "b20")


@pytest.mark.parametrize("part", [0.484, 0.5, 0.84])
def test_at_a_limit_one_question_is_asked(board: Lab, part: float) -> None:
    """Of hearing or of doubt: the field is weakened until the chip lies at that strength."""
    world = board.world
    world.place("b30", at(60, 178))
    field = world.fields["chili"]
    field.gain = part / field.strength(world.chips["b30"])
    before = len(board.told("board", "doubt"))
    board.run(8_000)
    field.gain = 1.0
    assert len(board.told("board", "doubt")) - before <= 2
    clear(board, "b30")


@pytest.mark.parametrize("times", [1, pytest.param(6, marks=pytest.mark.slow)])
def test_bowls_filled_at_once_with_tags_of_two_makes(board: Lab, times: int) -> None:
    """A tag that falls to IDLE while others stay READY is found all the same."""
    names = [chip for chip in board.world.chips if chip != "mill"]
    chance = random.Random(12)
    for _ in range(times):
        chips = chance.sample(names, 3)
        for chip in names:
            board.world.chips[chip].tag.stays_ready = chance.random() < 0.5
        spots = ((60, 155), (60, 201), (37, 178))
        for chip, (x, y) in zip(chips, spots, strict=True):
            board.world.place(chip, at(x, y))
        board.run(3000)
        lying = board.good("snapshot")["chips"]
        assert sum(sum(zone.values()) for zone in lying.values()) == 3, chips
        assert board.good("snapshot")["readers"]["chili"] == "ok"
        clear(board, *chips)
