"""The command `spiceboard` as it is installed: imports nothing before it minds Ctrl-C.

Python answers Ctrl-C with a traceback; while the command still imports what it needs, Ctrl-C ends
it without a word. `process.run` heeds it afterwards. Ignored (in a script's background), it stays
so. Nobody else imports this.
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
