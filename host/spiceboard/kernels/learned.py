"""What the learners share: their help, and the files that say how they were made."""

import argparse
import json
from pathlib import Path
from typing import Any


def parser(game: str, file: Path, time: str = "") -> argparse.ArgumentParser:
    """The parser of a learner; the options of one run become `made_by` in its file."""
    return argparse.ArgumentParser(
        description=f"Learn the values of {game}'s positions, and write them{time} to {file.name} "
        "beside this module.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )


def write(file: Path, learner: str, arguments: argparse.Namespace, found: dict[str, Any]) -> None:
    """Write what a learner (its module's name) has found, and the command that finds it again."""
    options = " ".join(f"--{name} {value}" for name, value in vars(arguments).items())
    made = {"made_by": f"python -m spiceboard.kernels.{learner} {options}", **found}
    file.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
