"""Where the parts stand on the boards, in mm: x to the right, y down, seen from the parts' side.

Tiles: origin in the middle of the loop, 12 o'clock (where loop and data come in) at y < 0.
Controller: origin at the top left corner. A place is (x, y, rotation in degrees as KiCad counts),
and "B" as fourth item puts the part on the back. `copper` lists tracks laid by hand: the supplies
of the ring as an open comb (+5 V on the front, ground right under it on the back) and wide feeds.
"""

from functools import cache

from hardware.layout import controller, tile
from hardware.layout.plan import Layout, Place, Track

__all__ = ["Layout", "Place", "Track", "layout_of", "layouts"]


def layouts() -> dict[str, Layout]:
    """All boards' layouts, by name; new objects, so a caller may change them."""
    return {
        "bowl": tile.build("bowl"),
        "action": tile.build("action"),
        "controller": controller.build(),
    }


@cache
def layout_of(name: str) -> Layout:
    """One board's layout, made once, for callers who only read it: 20 ms of work each time, else,
    and the ribbons alone ask some thousand times."""
    return layouts()[name]
