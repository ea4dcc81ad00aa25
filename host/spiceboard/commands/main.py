"""The command `spiceboard`: one table of commands, each in a module loaded only when asked for.

A module offers `add_arguments(parser)` and `run(arguments) -> exit code`. A module of the
simulator is not imported but started as a process: the host tools never import the simulator.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence

from spiceboard import __version__, words
from spiceboard.commands import process
from spiceboard.errors import EXIT_CODES, OF_ALL, epilog
from spiceboard.words import usage

# name: (module, one line of help)
COMMANDS = {
    "play": ("spiceboard.commands.play", "play a game on the simulated board or on a real one"),
    "monitor": (
        "spiceboard.commands.monitor",
        "print what a board says without changing anything",
    ),
    "simulate": ("spiceboard_sim", "run a simulated board that offers a serial port"),
    "emulate": ("spiceboard_sim.emulator", "run the firmware on an emulated RP2040, with a port"),
    "flash": ("spiceboard.commands.flash", "install MicroPython and the application on a board"),
    "diag": ("spiceboard.commands.diag", "find the parts that are broken"),
    "roster": ("spiceboard.commands.roster", "pair tags with chips, or find a chip"),
    "calibrate": (
        "spiceboard.commands.calibrate",
        "find the best gain of each reader, and store it",
    ),
    "log": ("spiceboard.commands.log", "list, copy and replay the games stored on a board"),
    "games": ("spiceboard.commands.games", "list, show, export and count finished games"),
    "tournament": (
        "spiceboard.commands.tournament",
        "let bots play against each other, without a board",
    ),
    "module": (
        "spiceboard.commands.module",
        "try stacks of tags at a ready-made RC522 module on a Pico",
    ),
    "tune": (
        "spiceboard.commands.tune",
        "say what the measured currents of a tile mean, and what to solder",
    ),
    "bench": ("spiceboard.commands.bench", "measure, and say how each figure was taken"),
    "study": (
        "spiceboard_sim.study",
        "how reliable a board's verdicts are, what throws look like, how fair games are",
    ),
}
OF_PLAYERS = ("play", "games")  # they speak the players' language

EPILOG = """\
A board is named by --port: a device (/dev/ttyACM0), a simulated board's pseudo-terminal,
socket://host:port, rfc2217://host:port, or id:SERIAL for a USB serial number. Without --port
a command takes SPICEBOARD_PORT, then `port = "..."` of the file
~/.config/spiceboard/config.toml, then the only board that is plugged in.

"""


def parser_for(name: str | None) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser | None]:
    """The whole parser, and the one of the command `name` (its arguments are the module's)."""
    parser = argparse.ArgumentParser(
        prog="spiceboard",
        description="An open electronic board for Safranito and other spice games.",
        epilog=EPILOG + epilog(EXIT_CODES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"spiceboard {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="command", title="commands")
    chosen = None
    for command, (_module, help_line) in COMMANDS.items():
        sub = subparsers.add_parser(
            command,
            help=help_line,
            description=capital(help_line),
            epilog=epilog(OF_ALL),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command == name:
            chosen = sub
    return parser, chosen


def capital(sentence: str) -> str:
    """`play a game` -> `Play a game.`"""
    return sentence[:1].upper() + sentence[1:] + "."


def dispatch(argv: Sequence[str]) -> int:
    """Run the command that `argv` names and return its exit code."""
    words.speak(words.of_machine())
    name = argv[0] if argv and argv[0] in COMMANDS else None
    if name and COMMANDS[name][0].startswith("spiceboard_sim"):
        extra = "emulator" if name == "emulate" else "sim"
        return process.run_module(extra, COMMANDS[name][0], argv[1:])
    if name in OF_PLAYERS:
        usage.translate()
    parser, chosen = parser_for(name)
    module = None
    if name and chosen:
        module = importlib.import_module(COMMANDS[name][0])
        module.add_arguments(chosen)
    arguments = parser.parse_args(argv)
    if module is None:
        parser.print_help()
        return 0
    code: int = module.run(arguments)
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point."""
    return process.run(lambda: dispatch(sys.argv[1:] if argv is None else argv))


if __name__ == "__main__":
    sys.exit(main())
