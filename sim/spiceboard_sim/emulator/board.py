"""The whole emulated board: chip, world, and the firmware in its flash; driven step by step.

Its verbs are those of `sim.process.SimulatedBoard` (the same firmware on the desktop): run_for,
run_until, write, read, world. Time is the chip's, so everything repeats exactly.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from spiceboard.flash.bundle import MPY_RP2040, build
from spiceboard.flash.sources import FIRMWARE
from spiceboard_sim.board.controller import Controller
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator.chip import Chip
from spiceboard_sim.emulator.flash import make_files
from spiceboard_sim.emulator.wiring import Wiring
from spicecore.storage.on_demand.roster import Roster
from spicecore.storage.on_demand.settings import Settings

MS = 1_000_000


def roster_files(world: World) -> dict[str, bytes]:
    """The world's tags as the board's roster stores them."""
    with TemporaryDirectory() as folder:
        Roster(f"{folder}/roster").change(
            {name: chip.tag.uid.hex() for name, chip in world.chips.items()}
        )
        return {f"data/{path.name}": path.read_bytes() for path in Path(folder).iterdir()}


def settings_files(values: dict[str, object]) -> dict[str, bytes]:
    """Settings as the board stores them."""
    with TemporaryDirectory() as folder:
        Settings(f"{folder}/settings").change(values)
        return {f"data/{path.name}": path.read_bytes() for path in Path(folder).iterdir()}


def installed(firmware: Path = FIRMWARE, slot: str = "a") -> dict[str, bytes]:
    """What `spiceboard flash` leaves on an empty board."""
    bundle = build(MPY_RP2040, firmware)
    files = {f"slot/{slot}/{path}": content for path, content in bundle.files.items()}
    files |= bundle.root
    files["slot.txt"] = f"{slot} - good 0\n".encode()
    return files


def instead_of_main(files: dict[str, bytes], script: bytes) -> dict[str, bytes]:
    """The files with a script that runs first; it imports `unchanged_main` to start the rest."""
    return files | {"main.py": script, "unchanged_main.py": files["main.py"]}


class EmulatedBoard:
    """A board under power. `files` is its file system (default: firmware and roster); without an
    image the flash is empty, and the board waits in BOOTSEL."""

    def __init__(
        self,
        image: Path | None,
        world: World | None = None,
        files: dict[str, bytes] | bytes | None = None,
        seed: int = 0,
    ) -> None:
        self.world = World(seed) if world is None else world
        if files is None:
            files = installed() | roster_files(self.world)
        flash = make_files(files) if isinstance(files, dict) else files
        self.chip = Chip(image, flash)
        self.wiring = Wiring(self.chip, self.world)
        self.chip.on_reset = self.wiring.reset

    @property
    def controller(self) -> Controller:
        """What hangs on its pins; faults are made there."""
        return self.wiring.controller

    def power_cycle(self, bootsel: bool = False) -> None:
        """Unplug and plug in, with or without a finger on BOOTSEL; only the flash stays."""
        self.chip.power_cycle(bootsel)
        self.wiring.power_on()

    def restart_from_flash(self) -> None:
        """What the boot ROM does when the last block of a file has come."""
        self.chip.power_cycle()

    # --- time ---

    @property
    def now_ms(self) -> float:
        """Milliseconds of the chip since it was made."""
        return self.chip.now_ns / MS

    def run_for(self, ms: float) -> None:
        """Let so many milliseconds of the chip pass."""
        end = self.chip.now_ns + ms * MS
        while self.chip.now_ns < end:
            self.chip.run_batch()
        self.wiring.sync()

    def run_until(self, done: Callable[[], bool], timeout_ms: float = 10_000) -> bool:
        """Let time pass until `done()`, looked at after every batch; False when it ran out."""
        end = self.chip.now_ns + timeout_ms * MS
        while not done():
            if self.chip.now_ns > end:
                return False
            self.chip.run_batch()
            self.wiring.sync()
        return True

    # --- serial ---

    def write(self, data: bytes) -> None:
        """Bytes for the board's serial port."""
        self.chip.send(data)

    def read(self) -> bytes:
        """What the board wrote since the last call."""
        return self.chip.take_output()

    def host_reads(self, reads: bool) -> None:
        """Whether somebody takes the board's output."""
        self.chip.host_reads(reads)

    # --- hands ---

    def lay(self, chip: str, zone: str) -> None:
        """Lay a chip into a zone."""
        self.wiring.sync()
        self.world.lay(chip, zone)

    def lift(self, chip: str) -> None:
        """Take a chip off the board."""
        self.wiring.sync()
        self.world.lift(chip)

    def press(self, button: str, ms: int = 150) -> None:
        """Hold a button down for `ms` milliseconds."""
        self.wiring.press(button, ms)


class VirtualLink:
    """A transport of `host.link` straight to an emulated board: waiting lets the chip run."""

    name = "emulated board"

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board

    def read(self, timeout: float) -> bytes:
        """What came within `timeout` seconds of the chip, as soon as there is any."""
        output = self.board.chip.output
        self.board.run_until(lambda: bool(output), timeout * 1000)
        return self.board.read()

    def write(self, data: bytes) -> None:
        """Send to the board."""
        self.board.write(data)

    def now(self) -> float:
        """The chip's time in seconds."""
        return self.board.chip.now_ns / 1e9

    def sleep(self, seconds: float) -> None:
        """Let the chip run."""
        self.board.run_for(seconds * 1000)

    def close(self) -> None:
        """Nothing to close."""
