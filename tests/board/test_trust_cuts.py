"""Power cuts in the middle of a flash operation: nothing acknowledged is lost, nobody is needed.

`make soak` takes a thousand cuts in games of each kind; the figures are those of the line that
`micropython tests/board/power_cuts.py GAME CUTS SEED` prints.
"""

import os
import re
import subprocess

import pytest

from checkout import ROOT
from spicecore.games import GAMES
from test_portable import micropython

CUTS, SOAK_CUTS = 60, 1000


def cuts(game: str, number: int, seed: int) -> str:
    """The line of figures."""
    path = [f"{ROOT}/firmware", f"{ROOT}/firmware/lib", f"{ROOT}/tests/portable", ".frozen"]
    done = subprocess.run(
        [
            *(micropython(), "-X", "heapsize=96M", f"{ROOT}/tests/board/power_cuts.py"),
            *(game, str(number), str(seed)),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "MICROPYPATH": ":".join(path)},
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    print(done.stdout)
    return done.stdout


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
