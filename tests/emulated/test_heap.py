"""A game by wire on the emulated board leaves the heap as it was, and everything recorded.

`spiceboard bench --emulated --only wire` does the same for 200 rounds.
"""

from pathlib import Path

import pytest

from spiceboard_sim.bench.emulated_game import wire_game

ROUNDS = 2
NOISE = 3072  # bytes: lines that are still at hand, names that were seen for the first time
# 90 KB are the aim, 82,256 bytes were seen; the table of names doubles at 1,260 names: 7.7 KB.
LEAST = 82_000


@pytest.mark.slow
def test_rounds_leave_the_heap_as_it_was(image: Path) -> None:
    game = wire_game(image)
    game.play(ROUNDS)
    began, after, drawn = [free for _, free in game.free]
    assert after > began - NOISE, game.free
    assert drawn > LEAST, game.free
    status = game.ask("status")
    assert status["journal"] is None, "all of it was recorded"
    assert status["dropped"] == 0, "all of it was told"
