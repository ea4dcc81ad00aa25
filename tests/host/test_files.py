"""What the commands share: files that are written whole, and JSON that people give."""

import os
import sys
from pathlib import Path

import pytest

from spiceboard.board.connection import file_for, json_of, write_whole
from spiceboard.errors import UserError


def test_a_file_is_written_whole_and_a_link_stays_one(tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "roster.json"
    kept.parent.mkdir()
    link = tmp_path / "link.json"
    link.symlink_to(kept)  # to nothing yet
    for text in ("one", "two"):
        write_whole(link, text)
        assert link.is_symlink() and kept.read_text() == text
    assert [path.name for path in kept.parent.iterdir()] == ["roster.json"]


@pytest.mark.parametrize("name", ["", ".", "/", "/dev"])
def test_a_folder_is_no_file(name: str) -> None:
    with pytest.raises(UserError, match="is a folder: name a file"):
        write_whole(Path(name), "text")


def test_devices_and_pipes_are_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    for path in (pipe, link, Path("/dev/null")):
        with pytest.raises(UserError, match="is a device or a pipe"):
            write_whole(path, "text")
    assert pipe.is_fifo() and link.is_symlink() and Path("/dev/null").is_char_device()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]


def test_our_own_output_is_no_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        with pytest.raises(UserError, match="already receives the output"):
            file_for(tmp_path / "out")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no folder .*none"):
        file_for(tmp_path / "none" / "x.html")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ('{"a": 1e999}', "1e999 is not a JSON number"),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 51 + "]" * 51, "nested too deeply"),
        ("{", "Expecting"),
    ],
)
def test_json_that_no_board_could_take(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        json_of(text)
    assert json_of('[1.5, {"a": [null, true]}]') == [1.5, {"a": [None, True]}]
