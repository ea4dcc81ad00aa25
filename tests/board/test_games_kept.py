"""Which games of a board the archive takes."""

import pytest

from spiceboard.archive.records import finished
from spiceboard.board.client import Client
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.board.world import World
from spiceboard_sim.headless import BoardLink


@pytest.mark.parametrize("game,players", [("safranito", 4), ("jaipur", 2)])
def test_a_game_that_was_aborted_is_none_that_somebody_won(game: str, players: int) -> None:
    world = World(1)
    with SimulatedBoard(world) as board:
        client = Client(BoardLink(board))
        client.connect()
        options = {"players": players, "mode": "full", "seed": 1, "first": 0}
        if game == "safranito":
            options["chef"] = options.pop("first")
        client.request("new", game=game, options=options)
        board.run_for(3000)
        world.lay("b10", "saffron")
        board.run_for(2000)
        assert client.request("snapshot")["chips"], "something has happened in it"
        client.request("abort", confirm=True)
        ((_, _, count, over),) = client.request("log")["logs"]
        assert over and count > 2, "its beginning, an event, its end"
        assert list(finished(client, set(), "person")) == []
