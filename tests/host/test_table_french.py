"""A whole game of each kind at the terminal, in French: no English is left anywhere."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from rulesboard import RulesBoard
from spiceboard import words
from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard.bots.offline import rules_of
from spiceboard.table import app, panel, story
from spiceboard.table.app import Table

MOST = 4000  # looks
SAME = re.compile(r"[^a-z]+")


class Fingers:
    """Presses Enter wherever the table waits for it, and chooses as a bot would."""

    def __init__(self) -> None:
        self.table: Table | None = None

    def pressed(self, timeout: float = 0.0) -> list[str]:
        return ["enter"] if self.table is not None and self.table.waiting else []


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("BOT_PAUSE_S", "UNDO_S", "TICK_S"):
        monkeypatch.setattr(app, name, 0.0)
    monkeypatch.setattr(story, "SLOW_S", 0.0)
    with words.using("fr"):
        yield


def english() -> dict[str, str]:
    """Texts of two words and more that French says otherwise, without what stands in braces."""
    found = {}
    for text, told in words.pages_catalog("fr").items():
        longest = max(re.split(r"\{\w+\}|\[[^]]*\]|\n", text), key=len).strip(" .:;,()")
        if len(SAME.split(longest.lower())) > 1 and longest not in told:
            found[longest] = told
    return found


def frame(table: Table) -> str:
    """The screen of 80 by 24 as one line of words."""
    console = Console(file=io.StringIO(), width=80, height=24, color_system=None)
    table.console = console
    console.print(table.draw())
    assert isinstance(console.file, io.StringIO)
    return " ".join(console.file.getvalue().split())


def play(game: str, seed: int) -> Iterator[Table]:
    """A table at which somebody plays as well as a bot, look by look, to the end of the game."""
    board = RulesBoard(rules_of(game), seed)
    client = Client(board)
    client.connect()
    kinds = [bot.load(game, "sensible")(seat, seed) for seat in (0, 1)]
    match = Match(client, {1: kinds[1]}, board)
    match.start(game, {"players": 2, "seed": seed})
    fingers = Fingers()
    console = Console(file=io.StringIO(), width=80, height=24)
    table = fingers.table = Table(match, panel.load(game), console, fingers)
    for _ in range(MOST):
        table.turn()
        yield table
        if match.game["over"]:
            break
        if table.chooser is not None and table.seat == 0:
            table._told(lambda: decided(table, kinds[0]))
            table.chooser = None
    assert match.game["over"]
    table._look_at_hands()
    yield table


def decided(table: Table, mind: Any) -> bool:
    """Do what the bot would."""
    page = table.match.page(0)
    event = mind.decide(page["view"], page["legal"])
    table._do(0, mind.aim(page["view"], page["legal"]) if event[0] == "moved" else event)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("game", ["safranito", "jaipur", "rathot", "ninebowls"])
def test_a_whole_game_says_nothing_in_english(game: str) -> None:
    texts = re.compile("|".join(rf"\b{re.escape(text)}\b" for text in english()))
    frames = 0
    for number, table in enumerate(play(game, 3)):
        if number % 3 and not table.hands:
            continue
        shown = frame(table)
        frames += 1
        assert not texts.findall(shown), shown
        assert "None" not in shown and "{" not in shown
    assert frames > 3
    assert not texts.findall(" ".join(table.log))
