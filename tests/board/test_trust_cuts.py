"""Power cuts in the middle of a flash operation: nothing acknowledged is lost, and no help is
needed.

`make soak` takes a thousand cuts in games of each kind; the figures are those of the line that
`micropython tests/board/power_cuts.py GAME CUTS SEED` prints.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from checkout import ROOT
from lab import Lab
from spiceboard.commands.bench import recorded
from spicecore.games import GAMES
from test_portable import micropython
from twin import Twin

CUTS, SOAK_CUTS = 60, 1000


def script(name: str, *arguments: str) -> str:
    """What a script of this folder prints under MicroPython."""
    folders = ("firmware", "firmware/lib", "tests/portable", "tests/board")
    path = [*(f"{ROOT}/{folder}" for folder in folders), ".frozen"]
    done = subprocess.run(
        [micropython(), "-X", "heapsize=96M", f"{ROOT}/tests/board/{name}", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "MICROPYPATH": ":".join(path)},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    print(done.stdout)
    return done.stdout


def cuts(game: str, number: int, seed: int) -> str:
    """The line of figures."""
    return script("power_cuts.py", game, str(number), str(seed))


@pytest.mark.parametrize("game", [pytest.param("safranito", marks=pytest.mark.slow), "rathot",
                                  pytest.param("jaipur", marks=pytest.mark.slow)])  # fmt: skip
def test_what_games_cost_the_flash(game: str, tmp_path: Path) -> None:
    """`-s` prints it: docs/trust.md has the figures."""
    path = tmp_path / "games"
    path.write_text("".join(json.dumps(recorded(game, seed)) + "\n" for seed in range(1, 6)))
    said = script("wear.py", str(path))
    events, erases = re.search(r"(\d+) events, (\d+) erases", said).groups()  # type: ignore[union-attr]
    assert int(erases) < 0.5 * int(events), said


@pytest.mark.parametrize("game", GAMES)
def test_cuts_in_games_settings_and_updates(game: str) -> None:
    said = cuts(game, CUTS, 1)
    events, erases = re.search(r"(\d+) events.* (\d+) erases", said).groups()  # type: ignore[union-attr]
    assert int(events) > CUTS and int(erases) > CUTS


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [2, 3])
def test_a_thousand_cuts(game: str, seed: int) -> None:
    cuts(game, SOAK_CUTS, seed)


@pytest.mark.parametrize("closed", [True, False], ids=["after", "before"])
def test_a_result_is_known_when_the_power_fails_at_the_end(tmp_path: Path, closed: bool) -> None:
    """After the record of the game was closed, and between its last event and that."""
    with Lab(seed=1, flash=tmp_path / "flash") as lab:
        lab.boot()
        twin = Twin(lab, "ninebowls", 3)
        while not twin.rules.over(twin.state):
            seat = twin.rules.seats_asked(twin.state)[0]
            event = twin.rules.legal(twin.state, seat)[0]
            lab.good(**twin.request(event))
            twin.did(event)
        standing = twin.rules.standing(twin.state)
        assert lab.good("snapshot")["last"] is None  # it is still shown itself
        lab.board.kill()
        log = tmp_path / "flash/data/log/g0001-000.log"
        lines = log.read_bytes().splitlines(keepends=True)
        assert b'"over"' in lines[-1]
        if not closed:
            log.write_bytes(b"".join(lines[:-1]))
        lab.restart()
        lab.boot()
        snapshot = lab.good("snapshot")
        if closed:
            assert snapshot["game"] is None and snapshot["last"] == ["ninebowls", standing]
        else:
            assert snapshot["game"]["over"] and snapshot["game"]["standing"] == standing
        assert log.read_bytes().splitlines(keepends=True)[-1] == lines[-1]
        options = {"players": 2, "mode": "full", "seed": 4}
        assert lab.good("new", game="ninebowls", options=options)["last"] is None
