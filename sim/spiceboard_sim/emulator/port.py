"""The emulated board's USB serial as a pseudo-terminal that any tool can open."""

import os
import pty
import select
import tty

from spiceboard_sim.emulator.chip import Chip


class Port:
    """Carries bytes between a chip and the far end of a pseudo-terminal (`path`).

    Both ends stay open for the port's whole life, so a tool may open and close its end at will,
    as with a board that stays plugged in.
    """

    def __init__(self, chip: Chip) -> None:
        self._chip = chip
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._waiting = b""  # what the tool has not read yet
        chip.on_output = self._from_board

    def pump(self) -> None:
        """Carry what is there, without waiting."""
        if select.select([self._master], [], [], 0)[0]:
            self._chip.send(os.read(self._master, 4096))
        self._flush()

    def _from_board(self, data: bytes) -> None:
        self._waiting += data
        self._flush()

    def _flush(self) -> None:
        while self._waiting:
            try:
                written = os.write(self._master, self._waiting)
            except BlockingIOError:
                return
            self._waiting = self._waiting[written:]

    def close(self) -> None:
        """Unplug: both ends are closed, and a program that has the port open gets an error."""
        self._chip.on_output = None
        os.close(self._master)
        os.close(self._slave)
