"""Draw the pictures of the docs again: the table as the product draws it, as SVG.

Usage: python tools/pictures.py [--steps 60]
The picture is of a game on the simulated board: bots play until so many events were accepted, then
the table is drawn once with the lights as decoded from the pixel bytes.
"""

import argparse
import io
from pathlib import Path

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
SEED = 7


class NoKeys:
    """Nobody types."""

    def pressed(self, timeout: float = 0.0) -> list[str]:
        """No key."""
        return []


def table_of(match: Match, game: str) -> Table:
    """A table that only draws."""
    console = Console(file=io.StringIO(), width=WIDTH, height=HEIGHT)
    return Table(match, panel.load(game), console, NoKeys())


def main() -> None:
    """Play, then write docs/pictures/table.svg."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30, help="accepted events before the picture")
    steps = parser.parse_args().steps
    FOLDER.mkdir(parents=True, exist_ok=True)
    with VirtualBoard(["--seed", str(SEED), "--speed", "0"]) as virtual:
        client = Client(open_link(virtual.port))
        client.connect()
        bots = {seat: bot.load("safranito", "sensible")(seat, SEED) for seat in range(4)}
        match = Match(client, bots, virtual.hands())
        match.start("safranito", {"players": 4, "mode": "full", "seed": SEED})
        table = table_of(match, "safranito")
        while int(match.game["step"]) < steps and not match.game["over"]:
            match.settle_doubts()
            if not match.tidy() and not match.bot_turn():
                match.listen_for(1)
        (FOLDER / "table.svg").write_text(
            svg.export(table.draw(), WIDTH, HEIGHT), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
