"""A server of pages for tests: real server, desk and rules, on a board that is made of the rules.

What it needs of the firmware is tested with the firmware; here whole games must take seconds.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import connect

from rulesboard import RulesBoard
from spiceboard.archive.store import Archive
from spiceboard.board.client import Client
from spiceboard.pages import eyes, guard, serve
from spiceboard.pages.desk import Board, Chair
from spiceboard.pages.serve import Table, bound
from spicecore import games

PATIENCE_S = 240.0  # of tests on a loaded machine, with an emulated board too


class CalmBoard(RulesBoard):
    """The rules as a board that does not burn the processor while nothing happens."""

    def read(self, timeout: float) -> bytes:
        data = super().read(timeout)
        if not data:
            time.sleep(min(timeout, 0.002))
        return data

    def do_new(self, message: dict[str, Any]) -> dict[str, Any]:
        """Another game may begin on it."""
        self.rules = games.load(message["game"])
        self.flat.places.clear()
        return super().do_new(message)


class Bench:
    """A server in a thread; `url` is its address, `table_url` with the table's key. Without chairs
    it goes on with the game that the board has."""

    pace = 0.0

    def __init__(self, folder: Path, game: str, chairs: list[Chair], **options: Any) -> None:
        rules = games.load(game)
        self.board = CalmBoard(rules, seed=options.get("seed", 1))
        listener = bound(0, False)
        port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        archive = Archive(folder / "games.sqlite")
        hosts = guard.known_hosts({"127.0.0.1"}, port)
        self.table = Table(folder, self.url, hosts, archive)
        self.table_url = f"{self.url}/#key={self.table.keys.table}"
        self._ready = threading.Event()
        self._server: uvicorn.Server | None = None
        self._thread = threading.Thread(target=self._run, args=(listener,), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        while not (self._server and self._server.started):
            time.sleep(0.01)
        if chairs:
            self.new(game, chairs, **options)

    def _opener(self) -> Callable[[], AbstractContextManager[Board]]:
        return self._open

    @contextmanager
    def _open(self) -> Iterator[Board]:
        client = Client(self.board)
        client.connect()
        looking = eyes.Eyes(self._look, self.table.server.tell)
        looking.start()
        try:
            yield Board(client, self.board)
        finally:
            looking.end()

    def _look(self) -> dict[str, Any]:
        with_lock = [list(place) for place in self.board.look()]
        return eyes.seen({"chips": with_lock, "lights": self.board.lights()})

    def _run(self, listener: Any) -> None:
        asyncio.run(self._serve(listener))

    async def _serve(self, listener: Any) -> None:
        self.loop = self.table.server.loop = asyncio.get_running_loop()
        desk = self.table.open(self._opener(), pace=self.pace)
        desk.start()
        config = uvicorn.Config(
            self.table.server.app, log_level="error", access_log=False, lifespan="off",
            ws="websockets-sansio", ws_max_size=guard.MESSAGE_MAX,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        self._ready.set()
        await self._server.serve(sockets=[listener])
        await asyncio.to_thread(desk.end)

    def new(self, game: str, chairs: list[Chair], **options: Any) -> None:
        """Begin a game, and wait until the table was told of it."""
        desk = self.table.server.desk
        assert desk is not None
        desk.first.result(PATIENCE_S)  # the error where the board could not be opened
        wanted = {"players": len(chairs), "mode": "full", "seed": 1, **options}
        desk.ask(lambda: desk.begin(game, wanted, chairs)).result(PATIENCE_S)
        end = time.monotonic() + PATIENCE_S
        while not self._told_of(game):  # the desk answers first and tells the table then
            assert time.monotonic() < end, f"the table was told of no game of {game}"
            time.sleep(0.01)
        self.in_loop(
            lambda: self.table.keys.begin(s for s, c in enumerate(chairs) if c.who == "person")
        )

    def _told_of(self, name: str) -> bool:
        """Was the table told of a game of this name? (Bots may have ended it by then.)"""
        game = self.table.server.hub.table.get("snapshot", {}).get("game")
        return bool(game) and game["name"] == name

    def in_loop(self, do: Callable[[], Any]) -> Any:
        """Do something in the server's thread."""

        async def run() -> Any:
            return do()

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(PATIENCE_S)

    def at_board(self, do: Callable[[], Any]) -> Any:
        """Do something to the board in the desk's thread, which owns it."""
        desk = self.table.server.desk
        assert desk is not None
        return desk.ask(do).result(PATIENCE_S)

    @property
    def game(self) -> dict[str, Any]:
        """What the table was told of the game."""
        found: dict[str, Any] = self.table.server.hub.table["snapshot"]["game"]
        return found

    def close(self) -> None:
        """End the server."""
        assert self._server is not None
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        self.table.keep.close()


class PortBench(Bench):
    """The same at a board behind a port, as `spiceboard play --port` opens it."""

    pace = 0.2

    def __init__(
        self, folder: Path, port: str, game: str, chairs: list[Chair], **options: Any
    ) -> None:
        self.port = port
        super().__init__(folder, game, chairs, **options)

    def _opener(self) -> Callable[[], AbstractContextManager[Board]]:
        how: Callable[[], AbstractContextManager[Board]] = serve.real(
            self.port, self.table.server.tell, self.table.board_keys
        )
        return how


def people(n: int, bots: int = 0, level: str = "sensible") -> list[Chair]:
    """So many people, and bots after them."""
    return [Chair() for _ in range(n)] + [Chair("bot", level) for _ in range(bots)]


def to_a_sale(bench: Bench) -> None:
    """Throw the chips of two people at Safranito into bowls, give both seats cards of curry (two
    and one), and turn up the chips in its bowl: both are asked what they sell."""
    desk = bench.table.server.desk
    assert desk is not None

    def until(true: Callable[[dict[str, Any]], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not true(bench.game["view"]):
            assert time.monotonic() < end, bench.game["view"]["phase"]
            time.sleep(0.01)

    for made in range(8):
        seat, aim = made % 2, {"zone": ("curry", "mint", "cumin", "garlic")[made // 2]}
        chip = f"{'br'[seat]}{10 * (1 + made // 2)}"
        bench.at_board(partial(desk.throw, seat, chip, {**aim, "strength": 0.1}))
        until(lambda view: view["throws"]["made"] == made + 1)  # noqa: B023
    bench.at_board(partial(desk.act, 0, ["reveal", 0]))
    hands = [[2, *[0] * 8], [1, *[0] * 8]]
    bench.at_board(lambda: setattr(bench.board, "state", {**bench.board.state, "hands": hands}))
    bench.at_board(partial(desk.act, 0, ["choose", 0, "curry"]))
    until(lambda view: view["phase"][0] == "sale")


def dumped(frame: Any) -> str:
    """A frame as it goes over the socket."""
    return json.dumps(frame)


class Talker:
    """A page without a browser: what it was sent, and what it asks."""

    def __init__(self, bench: Bench, key: str = "", **headers: str) -> None:
        self._context = connect(
            bench.url.replace("http", "ws") + "/socket",
            additional_headers=headers or {"Origin": bench.url},
            max_size=None,
            max_queue=None,
            ping_interval=None,
        )
        self.socket = self._context.__enter__()
        self.frames: list[dict[str, Any]] = []
        self._number = 0
        self.greeting = self.ask("hello", key=key, lang="en")

    def ask(self, do: str, **parts: Any) -> dict[str, Any]:
        """Ask for something; the `done` or `refused` frame."""
        self._number += 1
        self.socket.send(json.dumps({"id": self._number, "do": do, **parts}))
        return self.until(lambda frame: frame.get("re") == self._number)

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read until such a frame comes."""
        while True:
            frame: dict[str, Any] = json.loads(self.socket.recv(PATIENCE_S))
            self.frames.append(frame)
            if wanted(frame):
                return frame

    def see(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Such a frame, if it came already or comes yet."""
        found = [frame for frame in self.frames if wanted(frame)]
        return found[-1] if found else self.until(wanted)

    def table(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The newest frame of the table, if its snapshot is as wanted; else wait for such a one.
        (It may come before the answer to what led to it, or after.)"""
        newest = [frame for frame in self.frames if frame["is"] == "table"][-1:]
        if newest and wanted(newest[0]["snapshot"]):
            return newest[0]
        return self.until(lambda frame: frame["is"] == "table" and wanted(frame["snapshot"]))

    def last(self, kind: str) -> dict[str, Any]:
        """The newest frame of a kind."""
        return next(frame for frame in reversed(self.frames) if frame["is"] == kind)

    def close(self) -> None:
        """Go away."""
        self._context.__exit__(None, None, None)
