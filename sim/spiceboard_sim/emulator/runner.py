"""An emulated board in a process of its own, with its port, for tools that run beside it.

The board's owner talks to it by calls (`board.call("files")`): every method of `Deck` is one.
It is a process and no thread because a running chip holds the interpreter's lock for whole
batches, and a tool that reads byte by byte would crawl beside it.
"""

import multiprocessing
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from spiceboard_sim import faults
from spiceboard_sim.board.geometry import CHIP_THICKNESS, ZONE
from spiceboard_sim.emulator.board import EmulatedBoard
from spiceboard_sim.emulator.desktop import Desktop
from spiceboard_sim.rf.tag import TagCircuit
from spiceboard_sim.throws.pose import Pose


class Deck:
    """What the owner may do with the board, between two batches."""

    def __init__(
        self,
        image: Path | None,
        files: dict[str, bytes] | bytes | None,
        seed: int,
        link: Path | None,
        drive: Path | None,
    ) -> None:
        self.board = EmulatedBoard(image, files=files, seed=seed)
        self.desktop = Desktop(self.board, link, drive)
        self.frozen = False

    def path(self) -> str | None:
        """Name of the serial port, while there is one."""
        return self.desktop.path

    def in_bootsel(self) -> bool:
        """Does it wait for a UF2 file?"""
        return self.board.chip.in_bootsel

    def become(self, unique_id: bytes) -> None:
        """Another board is plugged in its place: the next start has another number."""
        self.board.chip.unique_id = unique_id

    def stay_away(self) -> None:
        """A board that takes a UF2 file and is never seen again."""
        self.desktop.away = True

    def sectors_ignored(self) -> int | None:
        """UF2 blocks that the boot ROM passed over, while its drive is there."""
        return self.desktop.mount.drive.ignored if self.desktop.mount else None

    def files(self) -> bytes:
        """A copy of the file system."""
        return self.board.chip.files()

    def load(self, files: bytes) -> None:
        """Another file system, and a power cycle."""
        self.board.chip.load_files(files)
        self.board.power_cycle()

    def power_cycle(self, bootsel: bool = False) -> None:
        """Unplug and plug in, with or without a finger on BOOTSEL."""
        self.board.power_cycle(bootsel)

    def freeze(self, frozen: bool) -> None:
        """A board that hangs: it takes nothing and says nothing."""
        self.frozen = frozen

    def unplug(self) -> None:
        """The cable is pulled: the port is gone."""
        self.desktop.close()
        self.frozen = True

    def lay(self, chip: str, zone: str) -> None:
        """Lay a chip into a zone."""
        self.board.lay(chip, zone)

    def lift(self, chip: str) -> None:
        """Take a chip off the board."""
        self.board.lift(chip)

    def stack(self, chip: str, zone: str) -> None:
        """Lay a chip on the middle of a zone, on all that lie there."""
        self.board.wiring.sync()
        world, at = self.board.world, ZONE[zone]
        below = sum(c.pose is not None and c.pose.x == at.x for c in world.chips.values())
        world.place(chip, Pose(at.x, at.y, CHIP_THICKNESS * below - at.depth))

    def retune(self, hz: float) -> None:
        """Other tags in all chips, which resonate there."""
        for chip in self.board.world.chips.values():
            chip.circuit = TagCircuit(hz)

    def fault(self, name: str, arguments: dict[str, Any]) -> None:
        """Break something (spiceboard_sim.faults)."""
        faults.inject(self.board, name, **arguments)

    def press(self, button: str, ms: int = 150) -> None:
        """Hold a button down."""
        self.board.press(button, ms)

    def rings(self) -> dict[str, list[tuple[int, int, int]]]:
        """What the LEDs show."""
        self.board.wiring.sync()
        return self.board.world.rings()

    def figures(self) -> dict[str, float]:
        """Counts since the start."""
        chip = self.board.chip
        return {
            "ms": self.board.now_ms,
            "resets": chip.resets,
            "erases": chip.erases,
            "programs": chip.programs,
        }


def _serve(link: Connection, *arguments: Any) -> None:
    deck = Deck(*arguments)
    link.send((True, deck.path()))
    while True:
        if not deck.frozen:
            deck.desktop.step()
        if link.poll(0.05 if deck.frozen else 0):
            try:
                name, arguments = link.recv()
            except EOFError:
                return  # the owner is gone
            if name == "stop":
                return
            try:
                link.send((True, getattr(deck, name)(*arguments)))
            except Exception:
                link.send((False, traceback.format_exc()))


class Runner:
    """Starts the process. Use as a context manager; `path` is the board's serial port.

    link, drive: as `Desktop` has them; with a link `path` is its name, also before it is there.
    """

    def __init__(
        self,
        image: Path | None,
        files: dict[str, bytes] | bytes | None = None,
        seed: int = 0,
        link: Path | None = None,
        drive: Path | None = None,
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._link, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, image, files, seed, link, drive), daemon=True
        )
        self._process.start()
        theirs.close()
        path = self._answer()
        self.path: str = str(link) if link else path

    def _answer(self) -> Any:
        try:
            good, value = self._link.recv()
        except EOFError as error:
            raise RuntimeError("the emulated board's process ended; see its traceback") from error
        if not good:
            raise RuntimeError(value)
        return value

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a method of `Deck` in the board's process; its result."""
        self._link.send((name, arguments))
        return self._answer()

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def stop(self) -> None:
        """Pull the plug and end the process."""
        try:
            self._link.send(("stop", ()))
        except (BrokenPipeError, OSError):
            pass  # it has ended already
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._link.close()
