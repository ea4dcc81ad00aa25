"""The RP2040 image of MicroPython: an official UF2 that is handed in, or the one we build.

The build is `tools/build_image.sh` (Debian's sources, cached by version, pinned by checksum).
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from spiceboard.errors import UserError
from spiceboard.flash import images
from spiceboard.flash.uf2 import read_uf2

SCRIPT = Path(__file__).resolve().parents[3] / "tools/build_image.sh"


class ImageError(Exception):
    """No image can be had here; the sentence says what to do."""


def find_image(uf2: str | None = None, build: bool = True) -> Path:
    """Path of a checked UF2 for the RP2040.

    `uf2`, or else the variable SPICEBOARD_UF2, names an official image; without one it is taken
    from the cache or, if `build` and this is a checkout, built (about a minute). ImageError with
    the reason otherwise.
    """
    uf2 = uf2 or os.environ.get("SPICEBOARD_UF2")
    try:
        if uf2:
            found = read_uf2(Path(uf2))
            if "RP2040" not in found.versions:
                raise ImageError(f"{uf2} holds {found.about}, the emulator is an RP2040")
            return found.path
        return images.find()
    except images.Unreadable as error:
        raise ImageError(str(error)) from error
    except images.NoImage as error:
        if not build or not SCRIPT.exists():
            raise ImageError(str(error)) from error
    except UserError as error:
        raise ImageError(str(error)) from error
    return built()


def built() -> Path:
    """Run the script; it says itself what is the matter, on stderr."""
    try:
        images.folder().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImageError(str(images.unreadable(images.folder(), error))) from error
    try:
        done = subprocess.run([str(SCRIPT)], stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise ImageError(f"cannot run {SCRIPT}: {error}") from error
    if done.returncode < 0 or done.returncode > 128:  # by a signal, itself or what it ran
        raise ImageError("building the image was stopped; repeat the command to start again")
    if done.returncode:
        raise ImageError(f"there is no RP2040 image of MicroPython: {images.where_from('RP2040')}")
    image = Path(done.stdout.strip())
    if hashlib.sha256(image.read_bytes()).hexdigest() not in images.CHECKSUMS:
        print(
            f"{image} is not the image that this version was tested with (built by another "
            f"compiler, or replaced): delete {image.parent} to have it built again",
            file=sys.stderr,
        )
    return image
