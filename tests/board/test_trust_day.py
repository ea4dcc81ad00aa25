"""A day on a table: heap, clock and events at its end as at its beginning (tests/day.py).

`make soak ARGS="-s -k a_day"` takes 24 hours of virtual time, and prints a line after each game.
"""

import pytest

from day import Day
from spiceboard_sim.board.process import SimulatedBoard


@pytest.mark.parametrize(
    "hours",
    [pytest.param(0.01, marks=pytest.mark.slow), pytest.param(24, marks=pytest.mark.soak)],
)
def test_a_day_of_play(hours: float) -> None:
    with SimulatedBoard(seed=1) as board:
        day = Day(board, 1)
        day.live(hours)
        print(day.summary())
        day.check()
        assert day.done["games"] >= 1 and not day.done["stuck"]
