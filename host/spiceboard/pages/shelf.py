"""Games put aside at a simulated board: for each its flash, and who played, in a folder."""

import json
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spiceboard.errors import UserError
from spiceboard.words import N_

Frame = dict[str, Any]
FLASH = "flash"


class Shelf:
    """The games of one table; `folder` is the table's, whose `flash` the board is on now."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.aside = folder / "aside"

    def rows(self) -> list[Frame]:
        """All that lie there, the newest first; what is damaged is left out."""
        found = []
        for path in sorted(self.aside.glob("*/about.json"), reverse=True):
            with suppress(OSError, ValueError):
                found.append({**json.loads(path.read_text("utf-8")), "name": path.parent.name})
        return found

    def put(self, about: Frame) -> None:
        """Put the board's flash aside; UserError where the disk refuses, then all is as it was."""
        now = datetime.now(UTC)
        place = self.aside / now.strftime("%Y-%m-%d-%H%M%S-%f")
        about = {**about, "when": now.strftime("%Y-%m-%d %H:%M")}
        try:
            place.mkdir(parents=True)
            (place / "about.json").write_text(json.dumps(about), encoding="utf-8")
            (self.folder / FLASH).rename(place / FLASH)
        except OSError as error:
            shutil.rmtree(place, ignore_errors=True)
            raise UserError(f"the game could not be put aside: {error.strerror}") from error

    def take(self, name: str) -> Frame:
        """The board is on the flash of that game from now on; what is told of it."""
        about = self.find(name)
        place = self.aside / name
        try:
            if (self.folder / FLASH).exists():
                shutil.rmtree(self.folder / FLASH)
            (place / FLASH).rename(self.folder / FLASH)
            shutil.rmtree(place, ignore_errors=True)
        except OSError as error:
            raise UserError(f"the game could not be taken up: {error.strerror}") from error
        return about

    def find(self, name: str) -> Frame:
        """What is told of that game; UserError when there is none."""
        for row in self.rows():
            if row["name"] == name:
                return row
        raise UserError(N_("this game is not there any more"))
