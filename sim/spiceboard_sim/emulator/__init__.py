"""The emulated board: real MicroPython on an emulated RP2040, wired to the simulator's world.

`image` finds the interpreter, `flash` makes what lies in its flash, `chip` runs the processor,
`wiring` ties its pins to the world, `port` offers its USB serial as a pseudo-terminal.
"""
