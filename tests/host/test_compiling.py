"""Whoever waits because a bot's rules are compiled is told so, and nobody else is."""

import importlib.util
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

pytest.importorskip("numba", reason="no numba: tools/setup.sh fast")

import numba

from pagesbench import CalmBoard
from rulesboard import RulesBoard
from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard.bots.compiled import COMPILING, CompiledBot, is_compiled
from spiceboard.bots.offline import rules_of
from spiceboard.pages.desk import Board, Desk
from spiceboard.pages.hub import Hub, Page
from spiceboard.pages.keys import Keys
from spiceboard.pages.state import Chair
from spiceboard.table import app, panel

SOURCE = """
import numba

@numba.njit(cache=True)
def search(n):
    return n + 1
"""
SECONDS = 600  # on a busy machine


def loaded(path: Path) -> Any:
    """The kernel of a file, as a new process sees it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.search


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a kernel that nobody has compiled."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    path = tmp_path / "small_search.py"
    path.write_text(SOURCE)
    return path


class Learner(CompiledBot):
    """Occupies the first free bowl, by a kernel; `looks` is called before each decision."""

    def __init__(self, seat: int, kernel: Any, looks: Callable[[], Any] = lambda: None) -> None:
        super().__init__(seat, 1)
        self.kernel, self.looks, self.seen = kernel, looks, list[Any]()

    def decide(self, view: Any, legal: list[Any]) -> Any:
        self.seen.append(self.looks())
        return legal[self.kernel(-1)]


def test_a_kernel_is_compiled_once_for_all_processes(source: Path) -> None:
    kernel = loaded(source)
    assert not is_compiled(kernel)
    kernel(1)
    assert is_compiled(kernel)
    assert is_compiled(loaded(source))
    source.write_text(SOURCE.replace("\n@", "\n\n@"))
    assert not is_compiled(loaded(source))


def match_of(bots: dict[int, Any], board: RulesBoard) -> Match:
    """A game of Nine Bowls."""
    client = Client(board)
    client.connect()
    match = Match(client, bots, board)
    match.start("ninebowls", {"players": 2, "mode": "full", "seed": 1})
    return match


def test_a_match_says_it_once(source: Path) -> None:
    kernel, said = loaded(source), list[bool]()
    match = match_of(
        {seat: Learner(seat, kernel) for seat in range(2)}, RulesBoard(rules_of("ninebowls"))
    )
    match.on_compiling = lambda: said.append(is_compiled(kernel))
    match.play()
    assert said == [False]


def test_the_terminal_table_shows_it(source: Path) -> None:
    learner = Learner(0, loaded(source))
    match = match_of(
        {0: learner, 1: bot.load("ninebowls", "sensible")(1, 1)}, RulesBoard(rules_of("ninebowls"))
    )
    drawn: list[str] = []

    class Screen:
        def update(self, picture: Any, refresh: bool) -> None:
            console = Console(file=io.StringIO(), width=130, height=40)
            console.print(picture)
            drawn.append(" ".join(console.file.getvalue().split()))  # type: ignore[attr-defined]

    class NoKeys:
        def pressed(self, timeout: float = 0.0) -> list[str]:
            return []

    table = app.Table(match, panel.load("ninebowls"), Console(file=io.StringIO()), NoKeys())
    table._live = Screen()  # type: ignore[assignment]
    learner.looks = lambda: COMPILING in drawn[-1]
    while len(learner.seen) < 2:
        table.turn()
        table._redraw(0)
    assert learner.seen == [True, False]


def test_the_pages_show_it_until_the_bot_has_decided(source: Path) -> None:
    hub = Hub(Keys(), "http://127.0.0.1:1")
    desk = Desk(lambda: None, hub.take, pace=0)  # type: ignore[arg-type,return-value]
    board = CalmBoard(rules_of("ninebowls"), 1)
    client = Client(board)
    client.connect()
    desk.board = Board(client, board)
    desk.match = Match(client, {}, board, desk._item)
    desk.match.on_compiling = desk._compiling
    chairs = [Chair("bot", "sensible"), Chair("bot", "sensible")]
    desk.begin("ninebowls", {"players": 2, "mode": "full", "seed": 1}, chairs)

    def prompts() -> list[str]:
        frames = [hub.table_frame(Page(language)) for language in ("en", "fr")]
        return ["".join(text for text, _ in frame["prompt"]) for frame in frames]

    learner = Learner(0, loaded(source), prompts)
    desk.match.bots[0] = learner
    while len(learner.seen) < 2:
        desk._look()
    first, second = learner.seen
    assert first[0] == COMPILING and "est compilé" in first[1]
    assert COMPILING not in second


@pytest.mark.slow
def test_a_tournament_says_it_where_it_compiles(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "spiceboard.commands.entry"]
    command += "tournament --game jaipur strong beginner --games 1 --workers 1".split()
    said = []
    for _ in range(2):
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stderr.count(COMPILING))
    assert said == [1, 0]
