"""The installed command `spiceboard`: it handles Ctrl-C before it imports anything else.

Python answers Ctrl-C with a traceback; while the command still imports what it needs, Ctrl-C ends
it silently. Afterwards `process.run` handles it. If it is ignored (in the background of a script),
it stays ignored. No other module imports this one.
"""

import importlib

try:  # built in: `signal` itself imports for some milliseconds
    signal = importlib.import_module("_signal")
except ImportError:
    signal = importlib.import_module("signal")

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> int:
    """Run the command that the process was given; its exit code."""
    from spiceboard.commands.main import main as command

    return command()


if __name__ == "__main__":
    raise SystemExit(main())
