"""Runs on the emulated RP2040 instead of main.py: the firmware, with all rings changing always.

`pulse` swells in steps of 100 ms; here each LED frame shows another step, on every ring.
"""

import gc

import slots

slots.choose()


def main():
    for part in "board session_sense session_talk session_glow session_play session".split():
        application = __import__(part)
        gc.collect()
    gc.threshold(gc.mem_free() // 2)
    from session_glow import Glow
    from spicecore import rings
    from spicecore.parts import ZONES

    rings.PULSE_MS = 20
    Glow._menu = lambda self: {ZONES[i]: ["pulse", i % 4] for i in range(len(ZONES))}
    application.main()


main()
