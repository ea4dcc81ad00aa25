"""A day on a table: heap, clock and events at its end as at its beginning (tests/day.py).

`make soak ARGS="-s -k a_day"` takes 24 hours of virtual time, and prints a line after each game.
"""

import pytest

from day import DAY, Day
from spiceboard_sim.board.process import SimulatedBoard

HOURS = 24


@pytest.mark.slow
def test_a_game_of_the_day() -> None:
    """One of them in haste, with its mishaps: what must hold after each game."""
    with SimulatedBoard(seed=1) as board:
        day = Day(board, 1)
        day.game("ninebowls", 1, "readers", "haste")
        day.look("ninebowls")
        day.check()
        assert day.done["games"] == 1 and sum(day.mishaps.done.values()) >= 1, day.summary()


@pytest.mark.soak
def test_a_day_of_play() -> None:
    with SimulatedBoard(seed=1) as board:
        day = Day(board, 1)
        day.begin()
        day.live(HOURS, DAY)
        print(day.summary())
        day.check()
        assert not day.done["stuck"]
