"""`spiceboard play`: the terminal table, on a simulated board or on any board.

Without --port the simulator is started as a child process, with hands for what people would do at
a real table. With --port the same table shows a real or emulated board.
"""

import argparse
import contextlib
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from spiceboard.board.client import Client, Refused
from spiceboard.board.connection import json_of, seed, whole
from spiceboard.board.link import open_link, open_now
from spiceboard.board.match import Match
from spiceboard.board.simulated import VirtualBoard
from spiceboard.board.virtual_hands import Hands
from spiceboard.bots import bot
from spiceboard.bots.offline import rules_of
from spiceboard.commands.process import run_module
from spiceboard.errors import UserError
from spiceboard.table import panel, screen
from spiceboard.table.app import Leave, Table
from spiceboard.table.keys import raw_keys
from spicecore.games import BY_BUTTONS, GAMES

HTTP_PORT = 8017


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", help="a board (see `spiceboard --help`); else one is simulated")
    parser.add_argument(
        "--game", default=BY_BUTTONS, help=f"{', '.join(GAMES)} (default %(default)s)"
    )
    parser.add_argument("--players", type=int, default=2, help="how many in all (default 2)")
    parser.add_argument(
        "--people",
        type=int,
        default=1,
        help="how many of them at this terminal, 0 to 4 (default 1)",
    )
    parser.add_argument("--bot", default="sensible", help="which bot the others are (sensible)")
    parser.add_argument("--seed", type=seed, help="of all chance (default: another one each time)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as purses=open, bounds=[12,12] or strips=@FILE "
        "(may be given several times)",
    )
    parser.add_argument(
        "--new", action="store_true", help="abort the game that is on, instead of joining it"
    )
    parser.add_argument(
        "--board",
        metavar="FOLDER",
        help="keep the simulated board's flash there: a game can be left and taken up again",
    )
    parser.add_argument(
        "--terminal", action="store_true", help="the table in this terminal, without a browser"
    )
    parser.add_argument(
        "--lan",
        action="store_true",
        help="let phones in your local network reach the pages, each seat by a code of its own",
    )
    parser.add_argument(
        "--http",
        type=whole(0, 65535),
        default=HTTP_PORT,
        metavar="PORT",
        help=f"where the pages are served (default {HTTP_PORT}; 0: any free port)",
    )
    parser.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="print the address of the table page, and open no browser",
    )
    parser.add_argument(
        "--archive",
        metavar="FILE",
        help="where finished games are kept (see `spiceboard games`)",
    )
    parser.add_argument(
        "--headless",
        action="store_true",
        help="bots only, one event a line, the same output for the same seed",
    )


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The game's options from the command line; UserError for anything else."""
    options: dict[str, Any] = {
        "players": arguments.players,
        "mode": "full",
        "seed": arguments.seed,
    }
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UserError(f"--option wants NAME=VALUE, not {text!r}")
        options[name] = option_value(name, value)
    return options


def option_value(name: str, value: str) -> Any:
    """A value from the command line: JSON (5, false, [9,9]), @FILE with JSON in it, or a word."""
    if not value.startswith("@"):
        try:
            return json_of(value)
        except ValueError:
            return value
    try:
        with open(value[1:], encoding="utf-8") as file:
            return json_of(file.read())
    except OSError as error:
        raise UserError(f"--option {name}: cannot read {value[1:]}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"--option {name}: {value[1:]} is not JSON: {error}") from error


class Keyring:
    """The seats' keys of a board, kept in a file so that the table can be left and come back."""

    def __init__(self, board: str) -> None:
        home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
        self.path = Path(home) / "spiceboard" / f"keys-{board}.json"

    def load(self) -> dict[int, str]:
        """Keys by seat; none when there is no file or it is damaged."""
        try:
            return {int(seat): str(key) for seat, key in json.loads(self.path.read_text()).items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def save(self, keys: dict[int, str]) -> None:
        """Keep the keys, readable by their owner only."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch(mode=0o600)
        self.path.write_text(json.dumps(keys))


def begin(match: Match, arguments: argparse.Namespace, options: dict[str, Any]) -> None:
    """Join the game that is on, or start a new one."""
    match.refresh()
    game = match.snapshot.get("game")
    if game and not game["over"] and not arguments.new:
        if game["name"] != arguments.game:
            raise UserError(
                f"a game of {game['name']} is on; join it with --game {game['name']}, or abort it "
                "with --new"
            )
        return
    if game:
        match.client.request("abort", confirm=True)
    match.client.keys.clear()
    try:
        match.start(arguments.game, options)
    except Refused as refused:
        if refused.code == "bad_options":
            raise UserError(str(refused)) from refused  # wrong use, and not the board's no
        raise


def claim_all(match: Match) -> None:
    """Get the keys of all seats that no other table has."""
    for seat in range(int(match.game["players"])):
        with contextlib.suppress(Refused):
            match.client.claim(seat)


@contextlib.contextmanager
def board_and_hands(arguments: argparse.Namespace) -> Iterator[tuple[str, Hands | None]]:
    """The port to open, and hands where the board is virtual."""
    if arguments.port or os.environ.get("SPICEBOARD_PORT"):
        yield arguments.port or os.environ["SPICEBOARD_PORT"], None
        return
    options = ["--seed", str(arguments.seed)]
    if arguments.board:
        options += ["--flash", arguments.board]
    with VirtualBoard(options) as virtual:
        hands = virtual.hands()
        try:
            yield virtual.port, hands
        finally:
            hands.close()


def run(arguments: argparse.Namespace) -> int:
    """Play; the exit code is 0 also when the table is left."""
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(1 << 30)
    options = options_of(arguments)
    rules_of(arguments.game)
    if arguments.headless:
        return headless(arguments)
    if not 0 <= arguments.people <= min(4, arguments.players):
        raise UserError("--people is from 0 to 4, and not more than --players")
    if not arguments.terminal:
        from spiceboard.pages.serve import serve  # here: the terminal needs no server

        return serve(arguments, options)
    game_panel = panel.load(arguments.game)
    make_bot = bot.load(arguments.game, arguments.bot)
    console = Console()
    check_size(console)
    with raw_keys() as keys, board_and_hands(arguments) as (port, hands):
        # a simulated board that has ended does not come back; a cable may be plugged in again
        reopen = None if hands else lambda: open_now(arguments.port)
        client = Client(open_link(port), reopen)
        ring = Keyring(str(client.connect().get("board")))
        client.keys.update(ring.load())
        match = Match(client, {}, hands)
        begin(match, arguments, options)
        claim_all(match)
        ring.save(client.keys)  # at once: a terminal may be closed without a word
        for seat in range(arguments.people, int(match.game["players"])):
            match.bots[seat] = make_bot(seat, arguments.seed)
        table = Table(match, game_panel, console, keys)
        try:
            standing = table.run()
        except Leave:
            console.print(left(arguments, hands))
            return 0
        finally:
            ring.save(client.keys)
            client.close()
    for seat, rank, score in standing:
        points = ", ".join(f"{value} {what}" for what, value in score.items())
        console.print(f"{rank}. {game_panel.name(seat)}: {points}")
    return 0


def left(arguments: argparse.Namespace, hands: Hands | None) -> str:
    """What becomes of a game that was left."""
    if hands is None or arguments.board:
        return "The board keeps the game; the same command comes back to it."
    return "The simulated board is gone; with --board FOLDER it would have kept the game."


def check_size(console: Console) -> None:
    """Refuse a terminal in which the table cannot be drawn."""
    if console.width < screen.SMALLEST[0] or console.height < screen.SMALLEST[1]:
        raise UserError(screen.too_small(console.width, console.height).plain)


def headless(arguments: argparse.Namespace) -> int:
    """Bots only: world, client and bots are one process of the simulator, in virtual time."""
    if arguments.port:
        raise UserError("--headless plays on a simulated board; leave --port away")
    if arguments.board:
        raise UserError("--headless keeps nothing; leave --board away")
    words: list[str] = []
    for name in ("game", "players", "bot", "seed"):
        words += [f"--{name}", str(getattr(arguments, name))]
    for option in arguments.option:
        words += ["--option", option]
    return run_module("sim", "spiceboard_sim.headless", words)
