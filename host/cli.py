"""The command `spiceboard`: one table of commands, each in a module loaded only when asked for.

A module offers `add_arguments(parser)` and `run(arguments) -> exit code`. A module of the
simulator is not imported but started as a process: the host tools never import the simulator.
"""

import argparse
import contextlib
import errno
import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from spiceboard import __version__
from spiceboard.host.errors import EXIT_CODES, OF_ALL, STOPPED, WRONG_USE, UserError, epilog
from spiceboard.host.virtual import need

# name: (module, one line of help)
COMMANDS = {
    "play": ("spiceboard.host.play", "play a game, on the simulated board or on a real one"),
    "monitor": ("spiceboard.host.monitor", "print what a board says, and change nothing"),
    "simulate": ("spiceboard.sim", "run a simulated board that offers a serial port"),
    "emulate": ("spiceboard.sim.emulator", "run the firmware on an emulated RP2040, with a port"),
    "flash": ("spiceboard.host.flash", "install MicroPython and the application on a board"),
    "diag": ("spiceboard.host.diag", "find what is broken, by part"),
    "roster": ("spiceboard.host.roster", "pair tags with chips, find a chip"),
    "calibrate": ("spiceboard.host.calibrate", "find the best gain of each reader, and store it"),
    "log": ("spiceboard.host.logs", "list, copy and replay the games a board has kept"),
    "tournament": ("spiceboard.host.tournament", "let bots play each other, on the rules alone"),
    "bench": ("spiceboard.host.bench", "measure, and say how each figure was taken"),
}

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

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


def run_process(module: str, arguments: Sequence[str]) -> int:
    """Run a module of the simulator as a process of its own; its exit code. Ctrl-C reaches it by
    the terminal; SIGTERM and SIGHUP are passed on, so that it ends with us."""
    emulated = module.endswith("emulator")
    if not (emulated and {"-h", "--help"} & set(arguments)):  # its help needs nothing installed
        need("emulator" if emulated else "sim")
    process = subprocess.Popen([sys.executable, "-m", module, *arguments])
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) != signal.SIG_IGN:  # as `nohup` has it
            signal.signal(number, lambda *_: process.terminate())
    while True:
        try:
            code = process.wait()
            return code if code >= 0 else 128 - code  # as a shell tells a signal
        except KeyboardInterrupt:
            continue  # the child got the same Ctrl-C and ends by itself


def dispatch(argv: Sequence[str]) -> int:
    """Run the command that `argv` names and return its exit code."""
    name = argv[0] if argv and argv[0] in COMMANDS else None
    if name and COMMANDS[name][0].startswith("spiceboard.sim"):
        return run_process(COMMANDS[name][0], argv[1:])
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
    """Entry point: a sentence on stderr and an exit code for everything a person can mend."""
    open_streams()
    try:
        code = dispatch(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return code
    except UserError as error:
        print(f"spiceboard: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("spiceboard: stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        give_up_output()
        return 0  # the reader of our output, `head` for instance, has what it wanted
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        give_up_output()
        print(f"spiceboard: what was to be said is not written: {error.strerror}", file=sys.stderr)
        return WRONG_USE


def open_streams() -> None:
    """A stream that the shell closed (`<&-`) is as one to which nobody is there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def give_up_output() -> None:
    """What is left in the buffer goes nowhere: Python tries again at its end, and complains."""
    with contextlib.suppress(OSError, ValueError):  # a captured stdout has no descriptor
        number = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


if __name__ == "__main__":
    sys.exit(main())
