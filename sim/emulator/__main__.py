"""`spiceboard emulate`: an emulated board with the firmware on it, behind a serial port.

Builds or finds the interpreter's image, puts the firmware and a roster into the flash (or takes a
flash file of an earlier run), and offers the port until Ctrl-C. Every tool can use it:
`spiceboard flash --port PATH`, `mpremote connect PATH`, `spiceboard monitor --port PATH`.
"""

import argparse
import json
import signal
import sys
import time
from pathlib import Path

from spiceboard.sim.emulator.board import EmulatedBoard, installed, roster_files
from spiceboard.sim.emulator.flash import make_files
from spiceboard.sim.emulator.image import ImageError, find_image
from spiceboard.sim.emulator.port import Port
from spiceboard.sim.world import World


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The command's arguments."""
    parser = argparse.ArgumentParser(
        prog="spiceboard emulate", description=str(__doc__).split("\n", 1)[0]
    )
    parser.add_argument("--uf2", help="an official image for the RP2040, instead of our build")
    parser.add_argument(
        "--flash", type=Path, help="file of the flash's file system, kept at the end"
    )
    parser.add_argument("--empty", action="store_true", help="nothing on the flash: a new Pico")
    parser.add_argument("--seed", type=int, default=0, help="of the world's chance")
    parser.add_argument(
        "--lay", action="append", default=[], metavar="CHIP:ZONE", help="lay a chip (repeat it)"
    )
    parser.add_argument("--json", action="store_true", help="say the port as a JSON line")
    parser.add_argument("--seconds", type=float, help="end after so many seconds of wall time")
    return parser.parse_args(argv)


def start(arguments: argparse.Namespace) -> EmulatedBoard:
    """The board under power, with what the arguments lay on it."""
    image = find_image(arguments.uf2)
    world = World(arguments.seed)
    if arguments.flash and arguments.flash.exists():
        files = arguments.flash.read_bytes()
    elif arguments.empty:
        files = make_files({})
    else:
        files = make_files(installed() | roster_files(world))
    for item in arguments.lay:
        chip, _, zone = item.partition(":")
        world.lay(chip, zone)
    return EmulatedBoard(image, world, files)


def main(argv: list[str] | None = None) -> int:
    """Run until Ctrl-C, SIGTERM or --seconds; exit code 0, or 2 with a sentence."""
    arguments = parse(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        board = start(arguments)
    except (ImageError, ValueError, KeyError, OSError) as error:
        print(f"spiceboard: {error}", file=sys.stderr)
        return 2
    port = Port(board.chip)
    if arguments.json:
        print(json.dumps({"port": port.path}), flush=True)
    else:
        print(f"emulated board on {port.path} (Ctrl-C ends it)", flush=True)
    end = time.monotonic() + arguments.seconds if arguments.seconds else None
    try:
        while end is None or time.monotonic() < end:
            board.chip.run_batch()
            port.pump()
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        port.close()
        if arguments.flash:
            arguments.flash.write_bytes(board.chip.files())
    return 0


if __name__ == "__main__":
    sys.exit(main())
