"""A machine without numba plays all the same, and says what it lacks where it matters."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SECONDS = 300  # on a busy machine
HIDE = 'import sys; sys.modules["numba"] = None\n'  # as if it were not installed
SCRIPT = """
import json, sys
from spiceboard.commands import main
print(json.dumps([main.main(words) for words in json.loads(sys.argv[1])]))
"""


def run(folder: Path, *commands: str) -> tuple[list[Any], str, str]:
    """(exit codes, what was printed, errors) of commands; they and their processes lack numba."""
    (folder / "sitecustomize.py").write_text(HIDE)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps([command.split() for command in commands])],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stdout, done.stderr


def test_every_game_is_played_without_it(tmp_path: Path) -> None:
    games = {
        "safranito": "sensible",
        "jaipur": "sensible",
        "rathot": "sensible",
        "ninebowls": "strong",
    }
    codes, out, _ = run(
        tmp_path,
        *(
            f"tournament --game {game} {level} beginner --games 1 --workers 1"
            for game, level in games.items()
        ),
    )
    assert codes == [0] * 4
    for game in games:
        assert f"of 1 games of {game}" in out


def test_what_needs_it_says_so_and_how_to_get_it(tmp_path: Path) -> None:
    commands = [
        f"tournament --game {game} strong sensible --games 1 --workers 1"
        for game in ("safranito", "jaipur", "rathot")
    ]
    codes, _, errors = run(
        tmp_path, *commands, "study balance --game jaipur --games 1 --workers 1", "bench --kernels"
    )
    assert codes == [2] * 5
    assert errors.count("tools/setup.sh fast") == 5
    assert "Traceback" not in errors
