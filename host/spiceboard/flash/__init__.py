"""Installing MicroPython and the firmware so that the board always starts."""
