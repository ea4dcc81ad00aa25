"""Options of a game from the command line: JSON, words, and a set of strips from a file."""

import argparse
import json
from pathlib import Path

import pytest

from spiceboard.commands.play import options_of
from spiceboard.errors import UserError
from spicecore.games.rathot import rules as rathot
from spicecore.games.rathot.strips import CODES, STANDARD


def options(*texts: str) -> dict[str, object]:
    """The options of these --option texts."""
    return options_of(argparse.Namespace(players=2, seed=4, option=list(texts)))


def test_numbers_flags_lists_and_words() -> None:
    found = options("first=1", "empty_sale=false", "bounds=[9,12]", "groups=touching")
    assert found["first"] == 1 and found["empty_sale"] is False
    assert found["bounds"] == [9, 12] and found["groups"] == "touching"


def test_a_set_of_strips_comes_from_a_file(tmp_path: Path) -> None:
    names = {letter: code for code, letter in CODES.items()}
    strips = [[names[square] for square in strip] for strip in STANDARD]
    strips[1:3] = strips[2:0:-1]
    path = tmp_path / "strips.json"
    path.write_text(json.dumps({"start": strips[0], "tiles": strips[1:]}), encoding="utf-8")
    state = rathot.new(options(f"strips=@{path}"))
    assert state["strips"][1:3] == STANDARD[2:0:-1]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*nowhere\.json"):
        options(f"strips=@{tmp_path}/nowhere.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"bad\.json is not JSON"):
        options(f"strips=@{tmp_path}/bad.json")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(UserError, match=r"deep\.json is not JSON: it is nested too deeply"):
        options(f"strips=@{tmp_path}/deep.json")
    with pytest.raises(UserError, match="NAME=VALUE"):
        options("strips")
