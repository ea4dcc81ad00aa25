"""`python -m spiceboard_sim`: a simulated board that offers its serial port to any program.

Prints one line of JSON when it is ready, {"port": URL, "control": path}; then hands act by JSON
lines over the control socket or standard input (docs/simulator.md). Ends by Ctrl-C or SIGTERM, and
with standard input where that is a pipe or a terminal; with a file or /dev/null there, as in the
background, it runs on.
"""

import argparse
import sys
from pathlib import Path

from spiceboard.commands.process import run


def arguments_of(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="spiceboard simulate", description=__doc__)
    port = parser.add_mutually_exclusive_group()
    port.add_argument("--pty", action="store_true", help="a pseudo-terminal (default)")
    port.add_argument("--tcp", type=int, metavar="PORT", help="loopback TCP (0: any free port)")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed for all random numbers of the world"
    )
    parser.add_argument(
        "--flash", "--board", type=Path, metavar="DIR", help="folder to use as the board's flash"
    )
    parser.add_argument("--heap", default="384k", help="of the interpreter")
    parser.add_argument("--realtime", action="store_true", help="the same as --speed 1 (default)")
    parser.add_argument(
        "--speed",
        type=float,
        default=1.0,
        help="virtual seconds for each second; 0: as fast as possible",
    )
    parser.add_argument("--hands", action="store_true", help="kept for scripts: always on")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Start the board and serve it."""
    arguments = arguments_of(argv)
    from spiceboard_sim import serving  # not before: --help works without what it needs

    return serving.served(arguments)


if __name__ == "__main__":
    sys.exit(run(main))
