"""Runs on the emulated RP2040 instead of main.py, and starts that (as `unchanged_main`).

For rounds that are fed by wire: tasks that have nothing to do while the host holds readers and
rings look less often, and the heap is collected when it is full, not at every quarter. What lies
in it after a collection is the same; events take a third of the time.
"""

import asyncio
import gc

TICKS_MS = (5, 15, 20)  # of the tasks sense, hands and glow
sleep_ms = asyncio.sleep_ms


def seldom(ms):
    gc.threshold(-1)  # main.py sets it once it has loaded everything
    return sleep_ms(100 if ms in TICKS_MS else ms)


asyncio.sleep_ms = seldom
import unchanged_main  # noqa: E402, F401  it runs when it is imported
