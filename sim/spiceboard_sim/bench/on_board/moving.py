"""Runs on the emulated RP2040 instead of main.py, and starts that: all rings changing always.

`pulse` swells in steps of 100 ms; here each LED frame shows another step, on every ring.
"""

import slots

choose = slots.choose


def choose_and_stir():
    """The slot is on the path after it: then what it holds can be changed."""
    name = choose()
    from app.glow import Glow
    from spicecore.lights import rings
    from spicecore.parts import ZONES

    rings.PULSE_MS = 20
    Glow._menu = lambda self: {ZONES[i]: ["pulse", i % 4] for i in range(len(ZONES))}
    return name


slots.choose = choose_and_stir
import unchanged_main  # noqa: E402, F401  it runs when it is imported
