"""The boards and the case of the Spiceboard: described once in Python, made and checked by script.

`circuit` says what is connected, `layout` where it stands, `calc` does the sums, `generate` drives
KiCad, `enclosure` makes the case. Modules are started from the checkout's folder, as in
`.venv/bin/python -m hardware.generate.check`.
"""

import json
from pathlib import Path
from typing import Any

HARDWARE = Path(__file__).resolve().parent
ROOT = HARDWARE.parent
KICAD = HARDWARE / "kicad"
OUT = ROOT / "build" / "hardware"
REVISION, DATE = "B", "2026-11-28"  # of the boards: on schematics, silk and releases
PICTURES = ROOT / "docs" / "pictures"
SIDES = ("top", "bottom")  # of each board, as docs and releases show it; of a panel the first
# dimensions in mm, the same table that the simulator reads
GEOMETRY: dict[str, Any] = json.loads(
    (ROOT / "sim/spiceboard_sim/board/geometry.json").read_text(encoding="utf-8")
)
