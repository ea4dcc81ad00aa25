"""Nothing of a game leaks into what all games share: it is known by the common contract only."""

import ast
import re
from pathlib import Path

import pytest

from checkout import ROOT
from spicecore import games
from spicecore.games import GAMES

CORE = ROOT / "firmware/lib/spicecore"
HOST = ROOT / "host/spiceboard"
OF_A_GAME = {f"{game}.py" for game in GAMES}
SHARED = [
    path
    for folder in (
        ROOT / "firmware/app",
        *(CORE / name for name in ("sensing", "lights", "wire", "storage")),
        HOST / "board",
        HOST / "table",
    )
    for path in sorted(folder.rglob("*.py"))
    if path.name not in {*OF_A_GAME, "__init__.py"} and path.stem.split("_")[0] not in GAMES
] + [
    CORE / "facts.py",
    HOST / "commands/play.py",
    HOST / "commands/log.py",
    ROOT / "sim/spiceboard_sim/headless.py",
]
# What the board, the wire and the terminal say themselves, whatever the game.
OF_ALL = set(
    "moved judged accept abort refused over missed aborted phase round back accepted turn".split()
    + "dark arcs whole blink doubt count pulse".split()  # shapes of rings
)


def strings(source: str) -> set[str]:
    """Every string of a source that is no docstring, and every name."""
    tree = ast.parse(source)
    said = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value not in said:
                found.add(node.value)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found


def words_of(game: str) -> set[str]:
    """The kinds of a game's events and effects, and its phases: its own words."""
    found: set[str] = set()
    for path in (CORE / "games" / game).rglob("*.py"):
        source = path.read_text()
        found |= set(re.findall(r'\[(?:None|seat|state\[[^]]*\]), "([a-z_]+)"', source))
        found |= set(re.findall(r'\["([a-z_]+)", (?:seat|s\[|next_)', source))
    found |= set(getattr(games.load(game), "DECISIONS", {}))
    return found - OF_ALL


def test_each_game_has_words_of_its_own() -> None:
    assert {"reveal", "sell", "cook_open", "bought"} <= words_of("safranito")
    assert {"exchange", "camels", "took"} <= words_of("jaipur")
    assert {"turn_up", "lay", "scored"} <= words_of("rathot")


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.name)
def test_shared_parts_name_no_game(path: Path) -> None:
    found = {game for game in GAMES for text in strings(path.read_text()) if game in text.lower()}
    assert found == set()


# Words that are a game's, and an English one of the shared part as well.
ALSO = {
    "lay": "the verb of hands",
    "throw": "the verb of hands",
    "take": "a method of buffers",
    "draw": "the method of all that can be drawn",
    "keep": "a word of settings",
    "pass": "a word of Python",
    "close": "the method of files and links",
    "done": "a word of waiting",
    "won": "the tune of the buzzer",
    "home": "the folder of a user",
    "hand": "what a panel shows of a seat",
}


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.name)
def test_shared_parts_know_no_word_of_a_game(path: Path) -> None:
    own = set.union(*map(words_of, GAMES)) - set(ALSO)
    assert strings(path.read_text()) & own == set()
