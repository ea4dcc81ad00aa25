"""Every game offers what the table in `spicecore/games/__init__.py` lists, and no code uses more.

The table is read from the docstring, so that people and tests have the same one.
"""

import ast
import importlib
import inspect
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checkout import ROOT
from spiceboard.bots import bot
from spiceboard.bots.offline import Game
from spiceboard.pages import games as pages
from spiceboard.table import panel
from spicecore import games
from spicecore.games import GAMES
from spicecore.games.on_demand import options as shared_options
from spicecore.parts import COLOURS, ZONES

ROWS = re.findall(r"^    ([A-Za-z_]+)(?:\((.*?)\))?  +\S", str(games.__doc__), re.M)
CONTRACT = {name: tuple(arguments.split(", ")) if arguments else None for name, arguments in ROWS}
TOGETHER = {"packed", "unpacked"}
THROWN = {"absent"}  # where chips are thrown
# Files that use a game through the contract; those of one game may know its insides.
USERS = [
    path
    for folder in ("firmware/app", "host", "sim", "tests", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if not any(game in path.name for game in GAMES)
]


@cache
def aliases(source: str) -> set[str]:
    """Names under which a source holds the rules of some game."""
    found = {"rules", "game"}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("spicecore.games."):
            found |= {each.asname or each.name for each in node.names if each.name == "rules"}
    return found


def used(source: str) -> set[str]:
    """Attributes that a source takes of the rules of a game, by name or by getattr."""
    tree, own, found = ast.parse(source), aliases(source), set()

    def is_rules(node: ast.expr) -> bool:
        text = ast.unparse(node)
        return text in own or text.endswith((".rules", "play.game", "self.game"))

    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_rules(node.value):
            found.add(node.attr)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr"):
            if is_rules(node.args[0]) and isinstance(node.args[1], ast.Constant):
                found.add(node.args[1].value)
    return found


def loads_a_game(path: Path) -> bool:
    """Does this file ever hold the rules of a game?"""
    in_app = path.is_relative_to(ROOT / "firmware/app")
    return in_app or bool(re.search(r"games\.load|rules_of|import rules\b", path.read_text()))


class Strict:
    """The rules of a game, of which only what the contract lists can be taken."""

    def __init__(self, game: str) -> None:
        self._rules = games.load(game)

    def __getattr__(self, name: str) -> Any:
        assert name in CONTRACT, f"{name} is not in the contract"
        return getattr(self._rules, name)


def test_the_table_is_read_whole() -> None:
    assert len(CONTRACT) == 22 and TOGETHER <= set(CONTRACT)
    assert CONTRACT["step"] == ("state", "event") and CONTRACT["SEATS"] is None


@pytest.mark.parametrize("game", GAMES)
def test_a_game_offers_the_contract(game: str) -> None:
    rules = games.load(game)
    missing = set(CONTRACT) - set(vars(rules))
    assert not missing - TOGETHER - THROWN, f"the rules of {game} lack these names"
    assert missing - THROWN in (set(), TOGETHER), "packed and unpacked: offer both or neither"
    for name in set(CONTRACT) - missing:
        arguments = CONTRACT[name]
        if arguments is None:
            assert not callable(getattr(rules, name))
        else:
            assert tuple(inspect.signature(getattr(rules, name)).parameters) == arguments, name
    assert rules.NAME == game
    assert set(rules.SEATS) <= set(COLOURS) and len(rules.SEATS) == GAMES[game][1]


@pytest.mark.parametrize("path", [*filter(loads_a_game, USERS)], ids=lambda path: path.stem)
def test_nobody_takes_of_a_game_what_the_contract_does_not_list(path: Path) -> None:
    assert used(path.read_text()) <= set(CONTRACT)


def test_the_search_for_uses_bites() -> None:
    assert used("self.session.play.game.secret(1)") == {"secret"}
    assert used("getattr(rules, 'hidden', None)") == {"hidden"}
    source = "from spicecore.games.jaipur import rules as jaipur\njaipur.GOODS"
    assert used(source) == {"GOODS"}
    assert {"play.py", "keep.py", "offline.py", "twin.py"} <= {
        path.name for path in USERS if loads_a_game(path)
    }


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_a_game_by_the_contract_alone(game: str) -> None:
    bots = [bot.load(game, "random")(seat, 5) for seat in range(GAMES[game][0])]
    played = Game(Strict(game), bots, 5)
    for _ in range(60):
        if played.rules.over(played.state):
            break
        played.turn()
    assert played.steps > 4
    view = played.rules.view(played.state, None)
    assert view["game"] == game and isinstance(view["phase"][0], str)
    assert set(played.rules.show(played.state)) == set(ZONES)
    rank = [row[1] for row in played.rules.standing(played.state)]
    assert rank[0] == 1 and rank == sorted(rank)


@pytest.mark.parametrize("game", GAMES)
def test_refusals_have_one_form(game: str) -> None:
    rules, dice = games.load(game), random.Random(3)
    state = rules.new({"players": 2, "seed": 3})
    asked = rules.seats_asked(state)[0]
    nonsense = [
        None, 7, "x", {}, [], [[]], ["x"], ["x", 0], ["x", 9], [None, 0], ["abort"],
        ["moved", None],
        ["moved", None, [["b15", None]]], ["moved", None, [["b10", "attic"]]], ["abort", 0, 0],
        ["judged", 9, "b10", None], ["accept", True, []], ["accept", 1 - asked],
    ]  # fmt: skip
    foreign = [event for other in GAMES if other != game for event in legal_of(other)]
    foreign = [event for event in foreign if event[0] not in ("moved", "missed")]
    for event in [*nonsense, *dice.sample(foreign, min(len(foreign), 20))]:
        after, effects = rules.step(state, event)
        assert after is state, event
        [[audience, kind, code, sentence]] = effects
        assert kind == "refused" and re.fullmatch("[a-z_]+", code)
        assert sentence[0].isupper() and sentence.endswith((".", "]."))
        seat = event[1] if isinstance(event, list) and len(event) > 1 else None
        assert audience == (seat if type(seat) is int and seat in (0, 1) else None), event


def legal_of(game: str) -> list[Any]:
    """What is legal at the start of a game."""
    rules = games.load(game)
    state = rules.new({"players": 2, "seed": 3})
    legal: list[Any] = rules.legal(state, rules.seats_asked(state)[0])
    return legal


@pytest.mark.parametrize("game", GAMES)
def test_options_have_one_form(game: str) -> None:
    rules = games.load(game)
    choices = importlib.import_module(f"{games.package(game)}.on_demand.options").CHOICES
    assert not {"players", "seed"} & set(choices)
    for name, allowed in choices.items():
        if isinstance(allowed, tuple):
            for value in allowed:
                rules.new({"players": GAMES[game][1], name: value})
            with pytest.raises(ValueError, match=f"option {name} must be one of"):
                rules.new({"players": GAMES[game][1], name: "nonsense"})
        else:
            allowed(None)  # a default
            with pytest.raises(ValueError):
                allowed("nonsense")
    for wrong in (
        {"players": 9},
        {"players": True},
        {"seed": -1},
        {"seed": 1 << 30},
        {"cards": 1},
    ):
        with pytest.raises(ValueError):
            rules.new(wrong)
    assert rules.text(rules.new({})) == rules.text(
        rules.new({"players": GAMES[game][0], "seed": 0, "mode": "full", "game": game})
    )


def test_options_that_a_function_reads_get_their_default() -> None:
    def even(value: object) -> object:
        if value is not None and value != 2:
            raise ValueError("it is odd")
        return value or 4

    check = shared_options.checked
    assert check("X", (2, 3), {}, {"n": even}) == {"players": 2, "seed": 0, "mode": "full", "n": 4}
    assert check("X", (2, 3), {"players": 3, "n": 2}, {"n": even})["n"] == 2
    with pytest.raises(ValueError, match="X is played by 2 to 3, not by 4"):
        check("X", (2, 3), {"players": 4}, {})


@pytest.mark.parametrize("game", GAMES)
def test_the_host_finds_the_parts_of_a_game_by_its_name(game: str) -> None:
    assert {"random", *bot.LEVELS} <= set(importlib.import_module(f"spiceboard.bots.{game}").BOTS)
    found = panel.load(game)
    names = {name for name in vars(panel.Panel) if not name.startswith("_")}
    assert names - set(vars(found)) == set(), f"table/{game}.py lacks these names of Panel"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_its_pages_and_its_document(game: str) -> None:
    static = ROOT / "host/spiceboard/pages/static"
    assert set(pages.SHOWN) <= set(GAMES), "pages/games.py shows a game that does not exist"
    assert game in pages.SHOWN, f"add an entry for {game} to SHOWN in pages/games.py"
    assert (static / f"games/{game}.js").exists(), f"pages/static/games/{game}.js is missing"
    texts = re.search(r"const TEXTS = \{(.*?)\}", (static / "rules.js").read_text(), re.S)
    assert texts and f"{game}:" in texts[1], f"pages/static/rules.js has no rules of {game}"
    document = "notation" if game == "safranito" else game
    for page in ("README.md", "docs/play.md"):
        assert f"{document}.md)" in (ROOT / page).read_text(), f"link {document}.md from {page}"


@pytest.mark.parametrize("name", games.GAMES)
def test_games_refuse_for_the_same_reason_by_the_same_word(name: str) -> None:
    """What programs and tables tell apart without knowing the game."""
    rules = games.load(name)
    state = rules.new({"players": 2, "seed": 1})
    (asked,) = rules.seats_asked(state)
    decision = next(event for event in rules.legal(state, asked) if event[1] == asked)
    over, _ = rules.step(state, ["abort", None])
    for position, event, code in (
        (state, [], "malformed"),
        (state, [decision[0], 7, *decision[2:]], "malformed"),
        (state, ["dance", asked], "unknown_event"),
        (state, [decision[0], 1 - asked, *decision[2:]], "not_you"),
        (state, ["moved", None, [["b10", "kitchen"]]], "unknown_zone"),
        (over, decision, "over"),
    ):
        after, effects = rules.step(position, event)
        assert after is position and [effect[1:3] for effect in effects] == [["refused", code]]
