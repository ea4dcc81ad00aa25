"""Starts the application, and reports how it died.

Ctrl-C stops it at any time and leads to the prompt: in the boot window, before anything was
started, and later, with fields and LEDs off and the watchdog stopped.
"""

import sys
import time

import slots

BOOT_WINDOW_MS = 500


def main():
    time.sleep_ms(BOOT_WINDOW_MS)  # a tool that wants the prompt gets it before the watchdog runs
    slots.choose()
    try:
        import session

        session.main()
    except KeyboardInterrupt:
        print("spiceboard: stopped by Ctrl-C")
    except Exception as error:
        print("spiceboard: the application died")
        sys.print_exception(error)
        slots.failed()
        time.sleep_ms(1000)
        sys.exit(1)  # in main.py that is a soft reset: it starts anew


main()
