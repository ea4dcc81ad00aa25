"""Interpreter images: the one that this version is tested with, and the official ones by name.

The tested image is built from sources that are pinned by hash (tools/build_image.sh, Debian 12).
Builds on one state of Debian 12 give the same bytes; the checksums of those tried stand in the
board's folder (firmware/boards/pico/image.py). For the official files no checksum is there: there
was no source for one that could be trusted. They are checked by what they hold, and by --sha256.
"""

import hashlib
import os
from pathlib import Path

from spiceboard.errors import UserError
from spiceboard.flash.sources import board_data

_PICO = board_data("image")
KEY: str = _PICO["KEY"]
NAME: str = _PICO["NAME"]
CHECKSUMS: tuple[str, ...] = _PICO["CHECKSUMS"]
SITE: str = _PICO["SITE"]
OFFICIAL: dict[str, str] = _PICO["OFFICIAL"]


class NoImage(UserError):
    """There is no tested image on this computer; the sentence says how to come by one."""


class Unreadable(NoImage):
    """The folder that keeps the image cannot be used; the sentence names it."""


def where_from(chip: str | None = None) -> str:
    """Which file to fetch for a chip (None: for each), and how it is checked."""
    if chip in OFFICIAL:
        files = SITE + OFFICIAL[chip]
    else:
        files = ", ".join(f"{SITE}{name} for an {kind}" for kind, name in OFFICIAL.items())
    return (
        f"download {files} (or a later release) and use it with --uf2 FILE; the file, its chip "
        "and its version are checked, and its checksum if you give one with --sha256"
    )


def folder() -> Path:
    """Where tools/build_image.sh keeps what it has built."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "spiceboard"


def find(cache: Path | None = None) -> Path:
    """The tested image, its checksum compared; NoImage with the way to one."""
    path = (cache or folder()) / KEY / NAME
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            raise unreadable(path.parent.parent, error) from error
        raise NoImage(
            "the tested image is not on this computer. On Debian 12, tools/build_image.sh "
            f"builds it (RP2040); on any system, {where_from()}"
        ) from None
    if digest not in CHECKSUMS:
        raise NoImage(
            f"{path} has the checksum {digest}, which is not one of the tested ones: delete it "
            f"and run tools/build_image.sh again; or {where_from()}"
        )
    return path


def unreadable(folder: Path, error: OSError) -> Unreadable:
    """What to say of a folder for images that cannot be read or written."""
    return Unreadable(
        f"cannot use {folder}, the folder of the tested image: {error.strerror}. Give yourself "
        "access to it, or name another folder with XDG_CACHE_HOME"
    )
