"""Start the application, and report how it died. Ctrl-C leads to the prompt: in the boot window,
and later with fields and LEDs off. Nothing else leaves the board there: sys.exit(1) in main.py is
a soft reset."""

import gc
import sys
import time

import slots

BOOT_WINDOW_MS = 500
# Loaded one by one, with a collection between: what a compiler or loader leaves behind would
# fragment the heap, and names (in the interpreter's tables) need large pieces of it.
BOARD = "boards.pico.board"
PARTS = (BOARD, "app.sense", "app.talk", "app.glow", "app.play", "app.session")
# Noted, because the interpreter would look for each among the files first, 8 ms each time.
BUILT_IN = ("array", "asyncio", "binascii", "io", "json", "machine", "os", "select", "time")


def main():
    time.sleep_ms(BOOT_WINDOW_MS)  # a tool that wants the prompt gets it before the watchdog runs
    sys.modules.update({name: __import__(name) for name in BUILT_IN})
    slots.choose()
    try:
        for part in PARTS:
            application = __import__(part, None, None, ("main",))
            gc.collect()
        gc.threshold(gc.mem_free() // 2)
        application.main(sys.modules[BOARD].Board())
        slots.wait(30_000)  # ended by `quiesce`: for the tool that wants the prompt
    except KeyboardInterrupt:
        return print("spiceboard: stopped by Ctrl-C")
    except Exception as error:
        print("spiceboard: the application died")
        sys.print_exception(error)
        slots.failed()
        slots.wait(1000)
    sys.exit(1)


main()
