"""Starts the application, and reports how it died.

Ctrl-C stops it at any time and leads to the prompt: in the boot window, before anything was
started, and later, with fields and LEDs off and the watchdog stopped.
"""

import gc
import sys
import time

import slots

BOOT_WINDOW_MS = 500
# Loaded one by one, with a collection between: what a compiler or loader leaves behind would
# fragment the heap, and names (in the interpreter's tables) need large pieces of it.
PARTS = "board session_sense session_talk session_glow session_play session".split()


def main():
    time.sleep_ms(BOOT_WINDOW_MS)  # a tool that wants the prompt gets it before the watchdog runs
    slots.choose()
    try:
        for part in PARTS:
            application = __import__(part)
            gc.collect()
        gc.threshold(gc.mem_free() // 4)
        application.main()
    except KeyboardInterrupt:
        print("spiceboard: stopped by Ctrl-C")
    except Exception as error:
        print("spiceboard: the application died")
        sys.print_exception(error)
        slots.failed()
        time.sleep_ms(1000)
        sys.exit(1)  # in main.py that is a soft reset: it starts anew


main()
