"""An evening at the terminal table: find a board, begin or join a game, play, and play again.

A simulated board is kept in a folder, so that nothing is lost where it, or the terminal, ends in
the middle of a game; one that is lost is started again by itself.
"""

import argparse
import contextlib
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from spiceboard.archive.records import finished
from spiceboard.archive.store import Archive
from spiceboard.board.claims import Claimed, is_claimed
from spiceboard.board.client import Client, Refused
from spiceboard.board.lender import Lender, client_of
from spiceboard.board.link import SerialLink
from spiceboard.board.match import Match
from spiceboard.board.simulated import VirtualBoard
from spiceboard.board.virtual_hands import Hands
from spiceboard.bots import bot
from spiceboard.errors import LinkError, UserError
from spiceboard.folders import state_folder
from spiceboard.table import panel, screen
from spiceboard.table.announcements import score_text
from spiceboard.table.app import Leave, Table
from spiceboard.table.keys import Keys, raw_keys
from spiceboard.words import _
from spiceboard.words.refusals import said_by_board

SLOWER = 12  # times as long as a real board a simulated one may take: its machine may be busy
LOOK_S = 0.5  # between looks whether a lent board is free again
AT_LEAST_S = 20.0  # a simulated board that ends sooner after its start is not started again


class Keyring:
    """The seats' keys of a board, kept in a file so that the table can be left and come back."""

    def __init__(self, board: str) -> None:
        self.path = state_folder() / f"keys-{board}.json"

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
        join(game, arguments)
        return
    if game:
        match.client.request("abort", confirm=True)
    match.client.keys.clear()
    try:
        match.start(arguments.game, options)
    except Refused as refused:
        if refused.code == "bad_options":
            raise UserError(said_by_board(str(refused))) from refused  # wrong use, no board's no
        raise


def join(game: dict[str, Any], arguments: argparse.Namespace) -> None:
    """Is the game that is on the one that was asked for? UserError with the way out if not."""
    name = game["name"]
    if name != arguments.game:
        text = _("a game of {game} is on; join it with --game {game}, or abort it with --new")
        raise UserError(text.format(game=name))
    check_number(game["players"], arguments)


def check_number(players: int, arguments: argparse.Namespace) -> None:
    """A game that is on has its players: UserError where others were asked for."""
    if arguments.asked not in (None, players):
        text = _(
            "a game of {n} players is on; leave --players away to join it, or abort it with --new"
        )
        raise UserError(text.format(n=players))


def seat_bots(match: Match, arguments: argparse.Namespace) -> None:
    """People sit in the first seats, bots in the others; in a referee game there are none."""
    players = int(match.game["players"])
    referee = match.game["mode"] == "referee"
    people = arguments.people if arguments.people is not None else players if referee else 1
    if referee and people < players:
        raise UserError(_(bot.NO_BOTS))
    make = bot.load(arguments.game, arguments.bot)
    match.bots = {seat: make(seat, arguments.seed) for seat in range(people, players)}


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
    folder = arguments.board or state_folder() / "terminal"
    with VirtualBoard(["--seed", str(arguments.seed), "--flash", str(folder)]) as virtual:
        hands = virtual.hands()
        try:
            yield virtual.port, hands
        finally:
            hands.close()


@contextlib.contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[tuple[Client, Hands | None]]:
    """A client at the board, with the seats' keys that this table has had before."""
    with board_and_hands(arguments) as (port, hands):
        # a simulated board that has ended does not come back; a cable may be plugged in again
        client = Client(SerialLink(port)) if hands else client_of(Lender(port))
        ring = Keyring(str(client.connect().get("board")))
        client.slower *= SLOWER if hands else 1
        client.keys.update(ring.load())
        try:
            yield client, hands
        finally:
            ring.save(client.keys)
            client.close()


def at_terminal(arguments: argparse.Namespace, options: dict[str, Any]) -> int:
    """Play until somebody leaves; the exit code."""
    panel.load(arguments.game)
    bot.load(arguments.game, arguments.bot)
    console = Console()
    check_size(console)
    with raw_keys() as keys:
        while True:
            started = time.monotonic()
            try:
                return play(arguments, options, console, keys)
            except Claimed as claimed:
                console.print(_("The board is lent to another command; the table comes back."))
                while is_claimed(claimed.url):
                    time.sleep(LOOK_S)
            except LinkError as error:
                if arguments.port or time.monotonic() - started < AT_LEAST_S:
                    raise
                console.print(said_by_board(str(error)), markup=False)
                console.print(_("The simulated board is started again; the game is kept."))


def play(
    arguments: argparse.Namespace, options: dict[str, Any], console: Console, keys: Keys
) -> int:
    """Games at one board, one after another."""
    with connected(arguments) as (client, hands):
        while True:
            match = Match(client, {}, hands)
            begin(match, arguments, options)
            arguments.new = False  # whatever happens, this game goes on
            seat_bots(match, arguments)
            claim_all(match)
            Keyring(str(client.hello.get("board"))).save(client.keys)  # at once: a terminal
            # may be closed without a word
            table = Table(match, panel.load(arguments.game), console, keys)
            try:
                standing = table.run()
            except Leave:
                console.print(_("The board keeps the game; the same command comes back to it."))
                return 0
            tell_standing(console, table.panel, standing)
            keep(client, match, arguments, console)
            if not table.again:
                return 0
            options["seed"] = random.SystemRandom().randrange(1 << 30)


def tell_standing(console: Console, game_panel: Any, standing: list[Any]) -> None:
    """Who won, a line for each."""
    for seat, rank, score in standing:
        points = ", ".join(score_text(what, value) for what, value in score.items())
        console.print(f"{rank}. {game_panel.name(seat)}{_(': ')}{points}", highlight=False)


def keep(client: Client, match: Match, arguments: argparse.Namespace, console: Console) -> None:
    """Put the finished game into the archive; where that fails it is said, and nothing else."""
    archive = Archive(Path(arguments.archive) if arguments.archive else None)
    seats = range(int(match.game["players"]))
    players = ",".join(arguments.bot if seat in match.bots else "person" for seat in seats)
    try:
        for score in finished(client, set(), players):
            archive.add(score)
    except UserError as error:
        console.print(said_by_board(str(error)), markup=False)


def check_size(console: Console) -> None:
    """Refuse a terminal in which the table cannot be drawn."""
    if console.width < screen.SMALLEST[0] or console.height < screen.SMALLEST[1]:
        raise UserError(screen.too_small(console.width, console.height).plain)
