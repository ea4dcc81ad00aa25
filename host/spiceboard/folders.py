"""Where the programs keep what is theirs, in the user's home."""

import os
from pathlib import Path


def state_folder() -> Path:
    """For tables, keys of seats and who uses which port; it may not exist yet."""
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "spiceboard"
