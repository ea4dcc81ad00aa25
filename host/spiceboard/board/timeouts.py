"""How long to wait for a board: one rule for chips, simulated boards and emulated ones.

Without a compiled core an emulated RP2040 is 20 to 25 times slower than a chip while it computes,
and about as fast while it sleeps or waits for radio and flash. At most half of an answer is
computing, so a board that has answered before gets twelve times as long. As long as nothing has
answered, a person may be waiting at the wrong port, and the tools repeat their question: three
times as long is enough.

Only a pseudo-terminal can be an emulated board's port. A simulated board (its machine is not an
RP2) is as fast as a chip.
"""

import os

ANSWERED = 12
UNHEARD = 3
BACK_S = 5.0  # a board that restarts has no port for about 2 s; an emulated one for longer
LOOK_S = 3.0  # the same if no board was named: perhaps there is none


def behind_pty(url: str) -> bool:
    """Is this port a pseudo-terminal? Then the board is simulated or emulated."""
    return os.path.realpath(url).startswith("/dev/pts/")


def times(url: str, answered: bool, machine: str = "RP2") -> int:
    """How much slower than a real chip the board on that port may be.

    answered: something on it has answered already; machine: what it said it is, if it did.
    """
    if not behind_pty(url) or "RP2" not in machine:
        return 1
    return ANSWERED if answered else UNHEARD
