"""Puts the package `hardware` on the path and says plainly when KiCad is missing."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the package `hardware`


@pytest.fixture(scope="session")
def kicad_here() -> None:
    """Skips where KiCad 9 is missing; fails where SPICEBOARD_REQUIRE=all asks for everything."""
    from hardware.generate import kicad

    try:
        kicad.find_root()
    except kicad.KicadMissing as missing:
        if os.environ.get("SPICEBOARD_REQUIRE") == "all":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
