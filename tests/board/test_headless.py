"""Whole games by bots over the real firmware: the same each time, with all that throws bring."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from spiceboard.commands import main

pytest.importorskip("numpy", reason="no numpy: pip install '.[sim]'")


def played(seed: int, players: int, game: str = "safranito") -> str:
    """The output of a headless game."""
    command = [sys.executable, "-m", "spiceboard.commands.main", "play", "--headless"]
    command += ["--seed", str(seed), "--players", str(players), "--game", game]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    assert done.stderr == ""
    return done.stdout


def counts_of(output: str) -> dict[str, int]:
    """The summary: {"throws": 40, ...}."""
    summary = output.splitlines()[-1]
    assert summary.startswith("summary ")
    return {name: int(number) for number, name in re.findall(r"(\d+) (\w+)", summary)}


def test_a_game_is_played_and_told_line_by_line() -> None:
    told(played(7, 2, "ninebowls"))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["ninebowls", "jaipur", "safranito"])
def test_the_same_seed_gives_the_same_output(game: str) -> None:
    """For a board alone make test has it in tests/sim/test_process.py."""
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(played, [7, 7], [2, 2], [game, game])
    assert first == second
    told(first)


def told(output: str) -> None:
    """A game's output is lines of a word and JSON."""
    lines = output.splitlines()
    assert len(lines) > 20
    for line in lines[:-1]:
        kind, _, rest = line.partition(" ")
        assert kind in ("game", "board", "standing"), line
        json.loads(rest)


@pytest.mark.slow
def test_ten_games_of_four_have_winners_misses_pushes_and_doubts() -> None:
    """Half a minute of a desktop's core for each game."""
    totals: dict[str, int] = {}
    with ThreadPoolExecutor(2) as pool:
        outputs = list(pool.map(played, range(1, 11), [4] * 10))
    assert len(set(outputs)) == 10
    for output in outputs:
        assert re.search(r'^game \["winner", [0-3]\]$', output, re.M)
        best = json.loads(re.findall(r"^standing (.*)$", output, re.M)[0])
        assert best[1] == 1 and best[2]["blends"] == 3
        for name, number in counts_of(output).items():
            totals[name] = totals.get(name, 0) + number
    for name in ("misses", "flat", "pushes", "doubts"):
        assert totals[name] > 0, totals


def test_a_wrong_number_of_players_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert main.main(["play", "--headless", "--players", "5", "--seed", "1"]) == 2
    assert "2 to 4" in capfd.readouterr().err


def test_options_reach_the_game(capfd: pytest.CaptureFixture[str]) -> None:
    code = main.main(["play", "--headless", "--seed", "1", "--option", "purses=ajar"])
    assert code == 2
    assert "purses" in capfd.readouterr().err
    assert main.main(["play", "--headless", "--option", "purses"]) == 2
    assert "NAME=VALUE" in capfd.readouterr().err


def test_a_port_makes_no_sense_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["play", "--headless", "--port", "/dev/null"]) == 2
    assert "leave --port away" in capsys.readouterr().err
    assert main.main(["play", "--headless", "--board", "kept"]) == 2
    assert "leave --board away" in capsys.readouterr().err
