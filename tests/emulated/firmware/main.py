"""The loader of the test application: as the real one, in little."""

import machine

import slots

slots.choose()
try:
    import app

    app.main()
except Exception as error:
    import sys

    sys.print_exception(error)
    slots.failed()
    machine.reset()
