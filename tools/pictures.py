"""Draw the pictures of the docs again: the table as the product draws it, as SVG.

Usage: python tools/pictures.py [--seed 7] [GAME ...]
Each picture is of a game on the simulated board: bots play until there is much to be seen, then
the table is drawn once with the lights as decoded from the pixel bytes.
"""

import argparse
import io
from pathlib import Path
from typing import Any

from rich.console import Console

from spiceboard.board.client import Client
from spiceboard.board.link import open_link
from spiceboard.board.match import Match
from spiceboard.board.simulated import VirtualBoard
from spiceboard.bots import bot
from spiceboard.table import panel, svg
from spiceboard.table.app import Table
from spicecore.games import GAMES

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
WIDTH, HEIGHT = 132, 40
FROM_ROUND, CROWDED = 2, 4  # worth a picture: a later round, chips in so many zones
# Steps after which there is most to be seen; a game that is not here is drawn by what is seen.
STEPS = {"jaipur": 24, "rathot": 44, "ninebowls": 6}
NAMES = {"safranito": "table"}  # of pictures that are not called like their game


class NoKeys:
    """No keys are pressed."""

    def pressed(self, timeout: float = 0.0) -> list[str]:
        """No key."""
        return []


def worth_a_picture(view: dict[str, Any]) -> bool:
    """Is a sale on, late enough, and much to be seen?"""
    crowded = view["round"] >= FROM_ROUND and len(view["zones"]) >= CROWDED
    return view["phase"][0] == "over" or (view["phase"][0] == "sale" and crowded)


def table_of(match: Match, game: str) -> Table:
    """A table that only draws."""
    console = Console(file=io.StringIO(), width=WIDTH, height=HEIGHT)
    return Table(match, panel.load(game), console, NoKeys())


def draw(game: str, seed: int) -> None:
    """Let bots play on a simulated board and write the picture of the table."""
    players, steps = GAMES[game][1], STEPS.get(game)
    with VirtualBoard(["--seed", str(seed), "--speed", "0"]) as virtual:
        client = Client(open_link(virtual.port))
        client.connect()
        bots = {seat: bot.load(game, "sensible")(seat, seed) for seat in range(players)}
        match = Match(client, bots, virtual.hands())
        match.start(game, {"players": players, "mode": "full", "seed": seed})
        table = table_of(match, game)
        turns = 0
        while turns < steps if steps else not worth_a_picture(match.game["view"]):
            match.settle_doubts()
            if match.tidy():
                continue
            if match.bot_turn():
                turns += 1
            else:
                match.listen_for(1)
        while table.story.telling:  # what is told line by line
            table.story.go_on()
        picture = svg.export(table.draw(), WIDTH, HEIGHT)
        (FOLDER / f"{NAMES.get(game, game)}.svg").write_text(picture, encoding="utf-8")


def main() -> None:
    """Draw the pictures that were asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7, help="of the games (default 7)")
    parser.add_argument("game", nargs="*", default=list(GAMES), help="which games (default all)")
    arguments = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in arguments.game:
        draw(game, arguments.seed)


if __name__ == "__main__":
    main()
