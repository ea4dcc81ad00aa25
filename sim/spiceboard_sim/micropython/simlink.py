"""The wire from the interpreter to the world: what the fake hardware modules share.

Bus bytes, pin levels and pixel words go out, time and levels come back. Nothing here knows what
is connected. Operations that need no answer are gathered in a buffer and sent with the next one
that does, so that only reads cost a round trip. Nothing in the hot path allocates: the firmware
may sweep with its heap locked. `spiceboard_sim.board.protocol` has the format
of a message.
"""

import sys

try:
    from simlink_native import *  # noqa: F403
except SyntaxError:  # no machine code on this interpreter: the same text as bytecode
    with open(__file__.rsplit(".", 1)[0] + "_native.py") as _file:
        exec(_file.read().replace("@micropython.native", ""), globals())

link = Link()  # noqa: F405
# What was posted last (LEDs off, fields off) reaches the world although the program ends.
sys.atexit(lambda: link.request(SYNC))  # noqa: F405
