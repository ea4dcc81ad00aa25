"""The archive: whole games there and back, as text, in the file, and by the command."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from finishedgames import played
from spiceboard.archive import counts
from spiceboard.archive.records import finished
from spiceboard.archive.score import Score, from_records, read
from spiceboard.archive.store import Archive
from spiceboard.commands import main
from spiceboard.errors import No, UserError
from spicecore import games


@pytest.mark.parametrize("game", sorted(games.GAMES))
def test_a_game_goes_out_and_comes_back_the_same(game: str, tmp_path: Path) -> None:
    score = played(game)
    archive = Archive(tmp_path / "games.sqlite")
    assert archive.add(score) == archive.add(score)
    again = archive.get(score.number[:6])
    assert again.text() == score.text() == read(score.text()).text()
    assert games.load(game).over(again.end())
    assert [row.number for row in archive.rows()] == [score.number]


@pytest.mark.parametrize("game", sorted(games.GAMES))
def test_the_course_has_a_value_for_every_moment(game: str) -> None:
    score = played(game)
    course = counts.course(score)
    assert course
    assert {len(line) for lines in course.values() for line in lines} == {len(score.events) + 1}


def test_statistics_count_wins_and_misses() -> None:
    scores = [played("safranito", seed) for seed in range(3)]
    found = counts.together(scores)
    assert found["games"] == 3 and sum(found["wins"].values()) >= 3
    assert 0 < found["misses"] < found["throws"]
    assert found["throws"] == found["misses"] + sum(found["landed"].values())
    assert found["won_with"]["blends"] == {"least": 3, "middle": 3, "most": 3}
    assert found["doubts"] == {}


def test_statistics_count_what_was_judged_by_zone() -> None:
    """A chip at the edge of mint that counts, and one that does not."""
    score = played("safranito", 1)
    events = [event for event in score.events if event[0] == "moved"]
    chef = games.load("safranito").parse(score.start)["chef"]
    for zone, said in (("mint", "mint"), (None, "outside")):
        doubt = ["judged", chef, events[0][2][0][0], zone]
        found = counts.together([Score("safranito", score.start, [doubt], {})])
        assert found["doubts"] == {said: 1}


@pytest.mark.parametrize(
    "spoil,why",
    [
        (lambda lines: [], "fewer than two lines"),
        (lambda lines: ["{}", *lines[1:]], "not an exported game"),
        (lambda lines: [lines[0], "nonsense", *lines[2:]], "position"),
        (lambda lines: [*lines, "nonsense"], "is damaged"),
        (lambda lines: [*lines, "{}"], "not an event"),
        (lambda lines: [*lines[:2], '["undo"]', *lines[2:]], "takes back"),
        (lambda lines: [*lines[:2], '["buy", 0]', *lines[2:]], "refuse"),
        (lambda lines: [lines[0].replace("safranito", "chess"), *lines[1:]], "chess"),
    ],
)
def test_a_damaged_game_is_refused_with_the_reason(spoil: Any, why: str) -> None:
    lines = played("safranito").text().splitlines()
    with pytest.raises(UserError, match=why):
        read("\n".join(spoil(lines)))


def test_a_full_or_wrong_disk_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "games.sqlite"
    wrong.write_text("no archive at all, and longer than a header of one hundred bytes" * 3)
    with pytest.raises(UserError, match="cannot use the archive"):
        Archive(wrong).rows()
    if os.geteuid() == 0:
        with pytest.raises(UserError, match="cannot use the archive"):
            Archive(Path("/proc/nowhere/games.sqlite")).rows()
    with pytest.raises(No, match="no game has"):
        Archive(tmp_path / "other.sqlite").get("abc")


def test_records_without_a_beginning_are_refused() -> None:
    with pytest.raises(UserError, match="beginning"):
        from_records([["e", ["missed", 0]]], {})


def test_games_of_a_board_are_fetched_once() -> None:
    score = played("rathot")
    rules = games.load("rathot")
    records = [["new", "rathot", {}, score.start, 0], *(["e", event] for event in score.events)]

    class Board:
        hello = {"board": "abc"}

        def request(self, do: str, **arguments: Any) -> dict[str, Any]:
            if do == "log":
                return {"logs": [["g0001-000.log", 1, len(records), True],
                                 ["g0002-000.log", 1, 1, False]]}  # fmt: skip
            at = arguments["at"]
            more = at + 7 if at + 7 < len(records) else None
            return {"records": [json.dumps(r) for r in records[at : at + 7]], "next": more}

    fetched: set[str] = set()
    (found,) = finished(Board(), fetched, "a,b")  # type: ignore[arg-type]
    assert found.number == score.number and rules.over(found.end())
    assert list(finished(Board(), fetched, "")) == []  # type: ignore[arg-type]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["games", "--archive", str(tmp_path / "games.sqlite")]
    assert main.main([*where]) == 0
    assert "No game" in capsys.readouterr().out
    out = tmp_path / "game.txt"
    score = played("jaipur")
    out.write_text(score.text())
    assert main.main([*where, "import", str(out)]) == 0
    assert main.main([*where, "list"]) == 0
    assert score.number in capsys.readouterr().out
    assert main.main([*where, "show", score.number[:5]]) == 0
    assert "seals" in capsys.readouterr().out
    assert main.main([*where, "export", score.number, "--to", str(tmp_path / "again.txt")]) == 0
    assert (tmp_path / "again.txt").read_text() == score.text()
    capsys.readouterr()
    assert main.main([*where, "replay", score.number]) == 0
    told = capsys.readouterr().out
    assert "Blue takes " in told and "gets a seal of excellence (2)" in told and "[" not in told
    assert main.main([*where, "replay", score.number, "--json"]) == 0
    assert '["take", ' in capsys.readouterr().out
    assert main.main([*where, "stats"]) == 0
    assert "jaipur: 1 game of" in capsys.readouterr().out
    assert main.main([*where, "show", "zz"]) == 1
    assert main.main([*where, "import", str(tmp_path / "nowhere")]) == 2
