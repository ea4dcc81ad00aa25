"""An hour of the day on the emulated RP2040 (tests/day.py), and a host that does not read it.

`make soak ARGS="-s -k an_hour"` takes more than an hour, and prints a line after each game.
"""

import itertools
from pathlib import Path

import pytest

from day import DAY, Day
from lab import Lab
from on_chip import OnChip

pytestmark = pytest.mark.emulated


@pytest.mark.slow
def test_a_host_that_does_not_read_is_told_what_it_missed(image: Path) -> None:
    with Lab(board=OnChip(image)) as lab:
        lab.boot(15_000)
        lab.good("new", game="ninebowls", options={"players": 2}, sensing="wire")
        last = lab.events[-1]["seq"]
        lab.forget_what_was_well()
        lab.board.host_reads(False)
        for _ in range(50):  # replies that fill the queue
            lab.send(do="snapshot")
            lab.run(50)
        for _ in range(4):
            lab.board.press("undo")
            lab.run(400)
        assert lab.raw == b""
        lab.board.host_reads(True)
        lab.run(1000)
        dropped = lab.good("status")["dropped"]
        numbers = [event["seq"] for event in lab.events]
        missing = sum(b - a - 1 for a, b in itertools.pairwise([last, *numbers]))
        assert missing == dropped > 0, (numbers, dropped)


@pytest.mark.soak
def test_an_hour_of_play(image: Path) -> None:
    board = OnChip(image, seed=1)
    day = Day(board, 1)
    day.begin()
    day.live(1, DAY)
    print(day.summary())
    day.check()
    assert not day.done["stuck"]
