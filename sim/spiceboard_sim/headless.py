"""A whole game by bots: world, client and bots in one process, the firmware in its own.

All time is virtual, so the same seed gives the same output, byte by byte. Printed is what came
over the wire and nothing else; the summary at the end counts what eyes saw of the throws.
"""

import argparse
import json
import sys
from typing import Any, TextIO

from spiceboard.board.client import Client, Item, Refused
from spiceboard.board.match import Match
from spiceboard.board.virtual_hands import Lights
from spiceboard.bots import bot
from spiceboard.bots.compiled import COMPILING
from spiceboard.bots.offline import DEFAULT_GAME
from spiceboard.commands.play import options_of
from spiceboard.commands.process import run, say
from spiceboard.errors import LinkError, UserError
from spiceboard.words import _
from spiceboard_sim.board.process import FirmwareDied, SimulatedBoard
from spiceboard_sim.board.world import World

LEAST_S = 1e-6  # less would be no time at all, and a loop that waits for it would not end
SLICE_S = 0.01  # of virtual time between looks at what the firmware wrote


class BoardLink:
    """A transport straight into a simulated board; its time is the board's virtual time."""

    name = "simulated"

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board

    def read(self, timeout: float) -> bytes:
        """What the firmware writes within so much virtual time, as soon as there is any."""
        data = self.board.read()
        end = self.now() + timeout
        while not data and (left := end - self.now()) > 0:
            self.sleep(min(left, SLICE_S))
            data = self.board.read()
        return data

    def write(self, data: bytes) -> None:
        self.board.write(data)

    def now(self) -> float:
        return self.board.now_ms / 1000

    def sleep(self, seconds: float) -> None:
        try:
            self.board.run_for(max(seconds, LEAST_S) * 1000)
        except FirmwareDied as error:
            raise LinkError(str(error)) from error

    def close(self) -> None:
        self.board.close()


class WorldHands:
    """Hands and eyes at the world itself."""

    def __init__(self, world: World) -> None:
        self.world = world

    def throw(self, chip: str, zone: str, strength: float) -> None:
        self.world.throw(chip, zone, strength)

    def throw_to(self, chip: str, x: float, y: float, strength: float) -> None:
        self.world.throw(chip, None, strength, x, y)

    def lift(self, chip: str) -> None:
        self.world.lift(chip)

    def lay(self, chip: str, zone: str) -> None:
        self.world.lay(chip, zone)

    def press(self, button: str, ms: int = 150) -> None:
        self.world.press(button, ms)

    def lights(self) -> Lights:
        return self.world.rings()

    def now(self) -> float:
        return self.world.now / 1e9

    def look(self) -> list[tuple[str, float, float]]:
        chips = [self.world.chips[name] for name in self.world.order()]
        return [(c.colour, c.pose.x, c.pose.y) for c in chips if c.pose is not None]


def play(game: str, bot_name: str, options: dict[str, Any], out: TextIO) -> dict[str, int]:
    """Play one game, print its events to `out`; what the throws came to."""
    seed = int(options["seed"])
    make = bot.load(game, bot_name)
    bots = {seat: make(seat, seed) for seat in range(int(options["players"]))}

    def tell(item: Item) -> None:
        kind, value = item
        if kind in ("game", "board") and value[0] != "show":
            print(kind, json.dumps(value), file=out)
        elif kind != "board":
            print(kind, value, file=out)

    with SimulatedBoard(seed=seed) as board:
        client = Client(BoardLink(board))
        client.connect()
        match = Match(client, bots, WorldHands(board.world), tell)
        match.on_compiling = lambda: say(_(COMPILING))
        try:
            match.start(game, options)
            standing = match.play()
            match.listen_for(0.2)
        except UserError:
            for item in client.poll():  # such as the traceback of a mistake in the rules
                tell(item)
            raise
    for seat, rank, score in standing:
        print("standing", json.dumps([seat, rank, score]), file=out)
    return match.counts


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="spiceboard play --headless", description=__doc__)
    parser.add_argument("--game", default=DEFAULT_GAME)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bot", default="sensible")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Play, print, count."""
    arguments = arguments_of(argv)
    try:
        counts = play(arguments.game, arguments.bot, options_of(arguments), sys.stdout)
    except Refused as refused:
        if refused.code == "bad_options":
            raise UserError(str(refused)) from refused  # wrong use, and not the board's no
        raise
    print("summary " + ", ".join(f"{number} {name}" for name, number in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
