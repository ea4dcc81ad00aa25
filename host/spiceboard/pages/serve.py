"""Start the pages: find or simulate a board, bind the address, open the browser, serve."""

import argparse
import asyncio
import contextlib
import json
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import segno
import uvicorn
from filelock import FileLock, Timeout

from spiceboard.archive.store import Archive
from spiceboard.board.client import Client, Refused
from spiceboard.board.lender import Lender, client_of
from spiceboard.board.link import SerialLink
from spiceboard.board.simulated import VirtualBoard
from spiceboard.errors import LinkError, UserError
from spiceboard.folders import state_folder
from spiceboard.pages import eyes, guard
from spiceboard.pages.desk import Board, Chair, Desk
from spiceboard.pages.games import SHOWN
from spiceboard.pages.keys import Keys
from spiceboard.pages.server import Server
from spiceboard.pages.shelf import Shelf
from spiceboard.table.evening import check_number
from spiceboard.words import N_
from spicecore import games

Frame = dict[str, Any]
LAN = """\
Everybody in your local network can now open this table's page and watch. Seats and the table
itself need a key: each seat has a code of its own, shown on the table page. What is sent is not
encrypted: do this at home, not in a cafe."""


class Keep:
    """A table's file: keys of the pages, and who plays which seat."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "table.json"
        self._lock = FileLock(self._made(folder) / "table.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise UserError(
                f"another `spiceboard play` keeps its table in {folder}: use its pages, end it, "
                "or give this one a folder of its own (--board FOLDER)"
            ) from None

    def _made(self, folder: Path) -> Path:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder} cannot be made: {error.strerror}") from error
        return folder

    def close(self) -> None:
        """Another table may use the folder."""
        self._lock.release()

    def load(self) -> Frame:
        """What was kept; nothing when it is absent or damaged."""
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def save(self, kept: Frame) -> None:
        """Keep it, readable by its owner only; on a full disk the game goes on without."""
        other = self.path.with_suffix(".new")
        with contextlib.suppress(OSError):
            descriptor = os.open(other, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump(kept, file)
            other.replace(self.path)


def simulated(
    seed: int, folder: Path, tell: Callable[[str, Any], None], keys: dict[int, str]
) -> Any:
    """How to open the simulated board, again and again on the same flash."""

    @contextlib.contextmanager
    def opened() -> Iterator[Board]:
        with VirtualBoard(["--seed", str(seed), "--flash", str(folder / "flash")]) as virtual:
            client = Client(SerialLink(virtual.port))
            client.keys = keys
            client.connect()
            looking = eyes.Eyes(eyes.at_control(virtual.control), tell)
            hands = eyes.ShownHands(virtual.control, tell, looking)
            looking.start()
            try:
                yield Board(client, hands)
            finally:
                looking.end()
                hands.close()
                client.close()

    return opened


def real(port: str, tell: Callable[[str, Any], None], keys: dict[int, str]) -> Any:
    """How to open a board by its port: the first time it must be there, later it is waited for."""
    lender = Lender(port)

    @contextlib.contextmanager
    def opened() -> Iterator[Board]:
        client = client_of(lender)
        client.keys = keys
        client.connect()
        looking = eyes.Eyes(eyes.at_snapshot(lambda: client.snapshot), tell)
        looking.start()
        try:
            yield Board(client, claimed=lender.claimed)
        finally:
            looking.end()
            client.close()

    return opened


def bound(port: int, lan: bool) -> socket.socket:
    """The listening socket; UserError with the way out where the port is taken."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("0.0.0.0" if lan else "127.0.0.1", port))
        listener.listen(128)  # a page that is quicker than the server waits for it
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or "a port is 0 to 65535"
        raise UserError(
            f"the pages cannot be served on port {port}: {why}. Another table may be open there; "
            "choose a port by --http PORT (0: any free one)"
        ) from error
    return listener


def own_address() -> str:
    """The machine's address in its network, as far as it can be told without asking anybody."""
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; routes only
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def chairs_of(arguments: argparse.Namespace) -> list[Chair]:
    """People first, bots after them."""
    people = [Chair()] * arguments.people
    return people + [Chair("bot", arguments.bot)] * (arguments.players - arguments.people)


class Table:
    """A server, its desk and its file, for one run of `spiceboard play`."""

    def __init__(
        self, folder: Path, address: str, hosts: set[str], archive: Archive | None = None
    ) -> None:
        self.keep = Keep(folder)
        self.keys = Keys()
        kept = self.keep.load()
        self.keys.take_up(kept)
        self.server = Server(self.keys, address, hosts, archive)
        self.server.changed = self.save
        self._chairs = [
            Chair(str(c.get("who")), str(c.get("level")))
            for c in kept.get("chairs", [])
            if isinstance(c, dict)
        ]
        self._seed = kept.get("seed")
        self.board_keys = seat_keys(kept.get("board_keys"))  # the board gave them to this table

    def open(self, how: Callable[[], AbstractContextManager[Board]], pace: float) -> Desk:
        """Begin to talk to the board."""
        desk = Desk(how, self.server.tell, pace, self.server.archive)
        desk.game.chairs = self._chairs
        desk.game.seed = self._seed if isinstance(self._seed, int) else 0
        desk.watched = self.server.hub.watched
        desk.reading = self.server.hub.reading
        desk.keyed = lambda: self.server.soon(self.save)
        self.server.desk = desk
        return desk

    def save(self) -> None:
        """Keep keys and chairs."""
        desk = self.server.desk
        chairs = [vars(chair) for chair in desk.game.chairs] if desk else []
        seed = desk.game.seed if desk else 0
        board_keys = {str(seat): key for seat, key in self.board_keys.items()}
        self.keep.save(
            {**self.keys.kept(), "chairs": chairs, "seed": seed, "board_keys": board_keys}
        )


def seat_keys(kept: Any) -> dict[int, str]:
    """Keys by seat; what is damaged is as good as absent."""
    if not isinstance(kept, dict):
        return {}
    return {int(seat): str(key) for seat, key in kept.items() if str(seat).isdigit()}


def first_game(table: Table, arguments: argparse.Namespace, options: Frame) -> None:
    """Join the game that is on, or start the one that the command line names."""
    desk = table.server.desk
    assert desk is not None

    def begin() -> None:
        assert desk.match is not None
        game = desk.match.snapshot.get("game")
        if game and not game["over"] and not arguments.new:
            check_number(game["players"], arguments)
            if len(desk.game.chairs) != game["players"]:
                desk.game.chairs = chairs_of(arguments)[: game["players"]]
                desk._seat_bots()
            return
        chairs = chairs_of(arguments)
        desk.begin(arguments.game, options, chairs)
        table.keys.begin(seat for seat, chair in enumerate(chairs) if chair.who == "person")

    try:
        desk.ask(begin).result()
    except Refused as refused:
        if refused.code == "bad_options":
            raise UserError(str(refused)) from refused  # wrong use, and not the board's no
        raise
    table.save()


def unknown(game: str) -> str:
    """Why the pages cannot show a game, and what to do."""
    if game in games.GAMES:
        return (
            f"the pages do not show the game {game!r}: play it with --terminal or --headless, "
            "or add it as docs/extending.md says"
        )
    return f"no game is called {game!r}; there are: {', '.join(SHOWN)}"


def serve(arguments: argparse.Namespace, options: Frame) -> int:
    """Serve the pages until Ctrl-C; the exit code."""
    if arguments.game not in SHOWN:
        raise UserError(unknown(arguments.game))
    folder = Path(arguments.board) if arguments.board else state_folder() / "simulated"
    if arguments.port:
        folder = (
            state_folder() / "boards" / "".join(c if c.isalnum() else "-" for c in arguments.port)
        )
    listener = bound(arguments.http, arguments.lan)
    port = listener.getsockname()[1]
    name = own_address() if arguments.lan else "127.0.0.1"
    address = f"http://{name}:{port}"
    hosts = guard.known_hosts(
        {"127.0.0.1", "localhost", "[::1]", name, socket.gethostname()}, port
    )
    archive = Archive(Path(arguments.archive) if arguments.archive else None)
    archive.rows()  # one that cannot be used is told now, not when a game has ended
    table = Table(folder, address, hosts, archive)
    how = (
        real(arguments.port, table.server.tell, table.board_keys)
        if arguments.port
        else simulated(arguments.seed, folder, table.server.tell, table.board_keys)
    )
    try:
        asyncio.run(run(table, how, listener, address, arguments, options))
    finally:
        listener.close()
        table.save()
        table.keep.close()
    return 0


async def run(
    table: Table,
    how: Callable[[], AbstractContextManager[Board]],
    listener: socket.socket,
    address: str,
    arguments: argparse.Namespace,
    options: Frame,
) -> None:
    """Open the board, begin or join a game, and serve until somebody ends it."""
    table.server.loop = asyncio.get_running_loop()
    desk = table.open(how, pace=1.0)
    if not arguments.port:
        desk.shelf = Shelf(table.keep.path.parent)
    desk.start()
    try:
        await asyncio.to_thread(wait_for_board, desk)
        await asyncio.to_thread(first_game, table, arguments, options)
        announce(table, address, arguments)
        config = uvicorn.Config(
            table.server.app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            ws="websockets-sansio",
            ws_max_size=guard.MESSAGE_MAX,
            server_header=False,
            timeout_graceful_shutdown=2,
        )
        await uvicorn.Server(config).serve(sockets=[listener])
    finally:
        await asyncio.to_thread(desk.end)


def wait_for_board(desk: Desk) -> None:
    """The board must answer once; later it may go and come."""
    try:
        desk.first.result(120)
    except TimeoutError:
        raise LinkError(N_("the board did not answer within two minutes")) from None


def announce(table: Table, address: str, arguments: argparse.Namespace) -> None:
    """Print where the table is, and open it where there is a desktop."""
    own = f"{address}/#key={table.keys.table}"
    if arguments.lan:
        print(LAN)
        for seat, code in sorted(table.keys.invitations.items()):
            url = f"{address}/seat#join={code}"
            print(f"\nseat {seat + 1}: {url}")
            if sys.stdout.isatty():
                segno.make(url, error="m").terminal(compact=True)
    print(f"The table is open: {own}", flush=True)
    print("Ctrl-C closes it; the game is kept.", flush=True)
    if arguments.browser and has_desktop():
        webbrowser.open(own)


def has_desktop() -> bool:
    """Is there somebody to whom a browser can be shown?"""
    if sys.platform == "darwin" or os.name == "nt":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
