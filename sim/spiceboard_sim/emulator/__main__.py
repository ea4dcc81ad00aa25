"""`spiceboard emulate`: an emulated board with the firmware on it, behind a serial port.

Builds or finds the interpreter's image, puts the firmware and a roster into the flash (or takes a
flash file of an earlier run), and offers the port until Ctrl-C. Every tool can use it:
`spiceboard flash --port PATH`, `mpremote connect PATH`, `spiceboard monitor --port PATH`.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from spiceboard.board.connection import file_for, seconds, write_whole
from spiceboard.commands.process import ENDS, run

if TYPE_CHECKING:  # else only when they are needed: --help works without them
    from spiceboard_sim.emulator.board import EmulatedBoard
    from spiceboard_sim.emulator.desktop import Desktop


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command's arguments."""
    parser = argparse.ArgumentParser(
        prog="spiceboard emulate", description=str(__doc__).split("\n", 1)[0]
    )
    parser.add_argument("--uf2", help="use an official image for the RP2040 instead of our build")
    parser.add_argument(
        "--flash", type=Path, help="keep the file system of the flash in this file"
    )
    parser.add_argument(
        "--empty", action="store_true", help="start with an empty file system: a new Pico"
    )
    parser.add_argument(
        "--blank", action="store_true", help="start without an interpreter, waiting in BOOTSEL"
    )
    parser.add_argument(
        "--drive", type=Path, metavar="DIR", help="show the volume in BOOTSEL in this empty folder"
    )
    parser.add_argument(
        "--link", type=Path, help="a name that leads to the port, also after a restart"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="seed for all random numbers of the world"
    )
    parser.add_argument(
        "--lay",
        action="append",
        default=[],
        metavar="CHIP:ZONE",
        help="lay a chip (may be repeated)",
    )
    parser.add_argument("--json", action="store_true", help="print the port as a line of JSON")
    parser.add_argument("--seconds", type=seconds, help="end after this many seconds of real time")
    return parser.parse_args(argv)


def start(arguments: argparse.Namespace) -> "EmulatedBoard":
    """The board under power, with what the arguments lay on it."""
    from spiceboard_sim.board.world import World
    from spiceboard_sim.emulator.board import EmulatedBoard, installed, roster_files
    from spiceboard_sim.emulator.flash import make_files
    from spiceboard_sim.emulator.image import find_image
    from spicecore.parts import CHIPS, ZONES

    if arguments.drive and arguments.drive.exists() and any(arguments.drive.iterdir()):
        raise ValueError(f"{arguments.drive} is not empty; --drive takes an empty or a new folder")
    if arguments.link:
        check_link(arguments.link)
    if arguments.flash:
        file_for(arguments.flash)  # what will lie in the flash must not be lost
    world = World(arguments.seed)
    for item in arguments.lay:
        chip, colon, zone = item.partition(":")
        if not colon or chip not in CHIPS or zone not in ZONES:
            raise ValueError(f"--lay needs CHIP:ZONE, such as b30:curry; not {item}")
        world.lay(chip, zone)
    # building an image takes a minute: not before everything else is well
    image = None if arguments.blank else find_image(arguments.uf2)
    if arguments.flash and arguments.flash.exists():
        files = arguments.flash.read_bytes()
    elif arguments.empty or arguments.blank:
        files = make_files({})
    else:
        files = make_files(installed() | roster_files(world))
    return EmulatedBoard(image, world, files)


def check_link(link: Path) -> None:
    """ValueError where no link can be made, before anything is begun."""
    if os.path.lexists(link) and not link.is_symlink():
        raise ValueError(f"{link} already exists and is not a link")
    folder = link.absolute().parent
    if not folder.is_dir():
        raise ValueError(f"--link {link}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"--link {link}: nothing can be written into {folder}")


def main(argv: list[str] | None = None) -> int:
    """Run until Ctrl-C, SIGTERM or --seconds; exit code 0, or 2 with a sentence."""
    arguments = parse(argv)
    from spiceboard_sim.emulator import native
    from spiceboard_sim.emulator.desktop import Desktop
    from spiceboard_sim.emulator.image import ImageError

    if native.WHY_WHEEL:
        print(f"without a compiled core, eight times slower: {native.WHY_WHEEL}", file=sys.stderr)
    ended = heed_signals()
    try:
        board = start(arguments)
    except (ImageError, ValueError, KeyError, OSError) as error:
        print(f"spiceboard: {error}", file=sys.stderr)
        return 2

    def told(text: str) -> None:
        if not arguments.json:
            print(f"emulated board {text} (Ctrl-C ends it)", flush=True)

    with tempfile.TemporaryDirectory(prefix="spiceboard-bootsel-") as folder:
        desktop = Desktop(board, arguments.link, arguments.drive or Path(folder), told)
        try:
            if arguments.json:
                print(json.dumps({"port": desktop.path}), flush=True)
            step_on(desktop, arguments.seconds, ended)
        finally:  # also if nobody reads our output
            if arguments.flash:
                write_whole(arguments.flash, board.chip.files())
    return 0


def heed_signals() -> list[int]:
    """From now on Ctrl-C, SIGTERM and a closed terminal fill the list that this returns, and do
    nothing else: raised within the emulator's callbacks, an exception would be lost. What is
    ignored (by `nohup`) stays so."""
    ended: list[int] = []
    for number in (signal.SIGINT, *ENDS):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: ended.append(1))
    return ended


def step_on(desktop: "Desktop", seconds: float | None, ended: list[int]) -> None:
    """Until a signal or the end of the time; then the cable is pulled."""
    end = None if seconds is None else time.monotonic() + seconds
    try:
        while not ended and (end is None or time.monotonic() < end):
            desktop.step()
    finally:
        desktop.close()


if __name__ == "__main__":
    sys.exit(run(main))
