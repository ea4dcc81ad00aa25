"""The RP2040 image of MicroPython: an official UF2 that is handed in, or the one we build.

The build is `tools/build_image.sh` (Debian's sources, cached by version, checksummed).
"""

import os
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "build_image.sh"


class ImageError(Exception):
    """No image can be had here; the sentence says what to do."""


def find_image(uf2: str | None = None, build: bool = True) -> Path:
    """Path of a checked UF2 for the RP2040.

    `uf2`, or else the variable SPICEBOARD_UF2, names an official image; without one it is taken
    from the cache or, if `build`, built (about a minute; ImageError with the reason otherwise).
    """
    uf2 = uf2 or os.environ.get("SPICEBOARD_UF2")
    if uf2:
        command = [str(SCRIPT), "--uf2", uf2]
    else:
        command = [str(SCRIPT)] if build else [str(SCRIPT), "--find"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise ImageError(f"cannot run {SCRIPT}: {error}") from error
    if done.returncode:
        raise ImageError(
            "there is no RP2040 image of MicroPython: run tools/build_image.sh on Debian 12, "
            "or name an official one with --uf2 FILE"
        )
    return Path(done.stdout.strip())
