"""Puts hardware/ on the path and says plainly when KiCad is missing."""

import os
import sys
from pathlib import Path

import pytest

HARDWARE = Path(__file__).resolve().parents[2] / "hardware"
for folder in ("tools", "calc", "enclosure", ""):
    sys.path.insert(0, str(HARDWARE / folder))


@pytest.fixture(scope="session")
def kicad_here():
    """Skips where KiCad 9 is missing; fails where SPICEBOARD_REQUIRE=all asks for everything."""
    import kicad

    try:
        kicad.find_root()
    except kicad.KicadMissing as missing:
        if os.environ.get("SPICEBOARD_REQUIRE") == "all":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
