"""What a desktop has of an emulated board: a serial port, or in BOOTSEL a drive in a folder."""

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from spiceboard.errors import UserError
from spiceboard_sim.emulator.board import EmulatedBoard
from spiceboard_sim.emulator.bootsel import Drive, Mount
from spiceboard_sim.emulator.port import Port


class Desktop:
    """Runs a board, and shows its port or its drive.

    link: a name that always leads to the port, as udev's links by serial number do; with it the
    port goes away at every restart, as USB does, and comes back under another number. Without it
    there is one pseudo-terminal, which outlives restarts. drive: the folder in which the drive of
    a board in BOOTSEL appears; without it the drive is invisible. told: called with what has
    changed.
    """

    def __init__(
        self,
        board: EmulatedBoard,
        link: Path | None = None,
        drive: Path | None = None,
        told: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.board, self.link, self.folder, self.told = board, link, drive, told
        self.port: Port | None = None
        self.mount: Mount | None = None
        self.away = False  # stays in BOOTSEL and never comes back: for a test
        self._follow()

    def step(self) -> None:
        """Let the board run for a little while, and carry what there is."""
        self._run()
        self._follow()
        if self.port:
            self.port.pump()
        if self.mount:
            self.mount.pump()
            if self.mount.drive.whole:
                self._taken()

    def _run(self) -> None:
        """A batch. A board that sleeps could be far ahead of the clock, and the half second in
        which it heeds Ctrl-C would be over in a moment: it takes as long as a real one. Only the
        flash is faster."""
        chip = self.board.chip
        began, before = time.monotonic(), chip.now_ns - chip.charged_ns
        chip.run_batch()
        ahead = (chip.now_ns - chip.charged_ns - before) / 1e9 - (time.monotonic() - began)
        if ahead > 0:
            time.sleep(ahead)

    def _taken(self) -> None:
        """The boot ROM has all blocks of a file: the drive goes, the board starts."""
        if self.away and self.mount:
            self.mount.vanish()
            self.mount = self.folder = None
            return
        self.board.restart_from_flash()
        self._follow()

    def _follow(self) -> None:
        chip = self.board.chip
        if chip.in_bootsel:
            self._unplug_port()
            if self.mount is None and self.folder:
                self._show_drive(self.folder)
                self.told(f"in BOOTSEL, its drive is {self.folder}")
            return
        if self.mount:
            self.mount.vanish()
            self.mount = None
        if self.link and not chip.connected:
            self._unplug_port()
        elif self.port is None:
            self._plug_port()

    def _show_drive(self, folder: Path) -> None:
        try:
            self.mount = Mount(Drive(self.board.chip.program, self.board.chip.erase), folder)
        except OSError as error:
            raise UserError(f"--drive: cannot create {folder}: {error.strerror}") from error

    def _plug_port(self) -> None:
        self.port = Port(self.board.chip)
        if self.link:
            lead(self.link, self.port.path)
        self.told(f"on {self.link or self.port.path}")

    def _unplug_port(self) -> None:
        if self.port is None:
            return
        if self.link:
            self.link.unlink(missing_ok=True)
        self.port.close()
        self.port = None

    @property
    def path(self) -> str | None:
        """The serial port's name while there is one."""
        if self.port is None:
            return None
        return os.fspath(self.link) if self.link else self.port.path

    def close(self) -> None:
        """Pull the cable."""
        self._unplug_port()
        if self.mount:
            with contextlib.suppress(OSError):
                self.mount.vanish()
            self.mount = None


def lead(link: Path, target: str) -> None:
    """Make a link lead to a target, whole at any moment; UserError when that cannot be."""
    aside = link.with_name(link.name + ".new")
    try:
        aside.unlink(missing_ok=True)
        aside.symlink_to(target)
        aside.replace(link)
    except OSError as error:
        raise UserError(f"--link: cannot create {link}: {error.strerror}") from error
