"""Two hundred rounds of a game leave in the board's heap what the first ones left there."""

import pytest

from spiceboard.board.client import Client
from spiceboard_sim.bench.wire_rounds import WireGame
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.headless import BoardLink

NOISE = 2048  # bytes: how long the lines happen to be that are still at hand


@pytest.mark.parametrize("rounds", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_the_heap_is_as_free_at_the_end_as_after_20_rounds(rounds: int) -> None:
    with SimulatedBoard(seed=1) as board:
        client = Client(BoardLink(board))
        client.connect()
        game = WireGame(client)
        game.play(rounds)
        assert client.request("status")["journal"] is None, "all of it was recorded"
    print([(number, free // 1024) for number, free in game.free])
    free = dict(game.free[1:-1])
    assert set(free) == set(range(20, rounds + 1, 20))
    assert free[rounds] > free[20] - NOISE, game.free
