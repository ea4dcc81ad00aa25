"""Draw the pictures of the docs again: the table as the product draws it, as SVG.

Usage: python tools/pictures.py [--seed 7]
The picture is of a game on the simulated board: bots play until a sale is on and chips lie in
several zones, then the table is drawn once with the lights as decoded from the pixel bytes.
"""

import argparse
import io
from pathlib import Path
from typing import Any

from rich.console import Console

from spiceboard.host.bots import bot
from spiceboard.host.client import Client
from spiceboard.host.link import open_link
from spiceboard.host.match import Match
from spiceboard.host.table import panel, svg
from spiceboard.host.table.app import Table
from spiceboard.host.virtual import VirtualBoard

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
WIDTH, HEIGHT = 132, 40
FROM_ROUND, CROWDED = 2, 4  # worth a picture: a later round, chips in so many zones


class NoKeys:
    """Nobody types."""

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


def main() -> None:
    """Play, then write docs/pictures/table.svg."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7, help="of the game (default 7)")
    seed = parser.parse_args().seed
    FOLDER.mkdir(parents=True, exist_ok=True)
    with VirtualBoard(["--seed", str(seed), "--speed", "0"]) as virtual:
        client = Client(open_link(virtual.port))
        client.connect()
        bots = {seat: bot.load("safranito", "sensible")(seat, seed) for seat in range(4)}
        match = Match(client, bots, virtual.hands())
        match.start("safranito", {"players": 4, "mode": "full", "seed": seed})
        table = table_of(match, "safranito")
        while not worth_a_picture(match.game["view"]):
            match.settle_doubts()
            if not match.tidy() and not match.bot_turn():
                match.listen_for(1)
        (FOLDER / "table.svg").write_text(
            svg.export(table.draw(), WIDTH, HEIGHT), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
