"""How to install what only some parts need: the extras of pyproject.toml."""

import os
from pathlib import Path

SETUP = Path(__file__).parents[2] / "tools" / "setup.sh"  # in a checkout


def install(extra: str) -> str:
    """The command that installs an extra: in a checkout the one that knows `.venv`, else pip."""
    if SETUP.is_file() and os.name == "posix":
        return f"tools/setup.sh {extra}"
    return f"pip install 'spiceboard[{extra}]'"
