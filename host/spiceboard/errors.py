"""Errors that users see: the cause, the way out, and an exit code. All exit codes are here."""

import textwrap
from collections.abc import Iterable

DONE, NO, WRONG_USE, NO_BOARD = 0, 1, 2, 3
HUNG, UNFIT, NOT_WRITTEN, NOT_GOOD = 4, 5, 6, 7  # `flash`; two of `module` too
STOPPED = 130

EXIT_CODES = {
    DONE: "done; nothing is wrong (there may be notes)",
    NO: "the answer is no: a fault was found, files differ, the board refused, you declined, or "
    "something did not happen in time",
    WRONG_USE: "wrong usage, a file that cannot be read or written, or a question without anybody "
    "to answer it",
    NO_BOARD: "no board, several boards, another board in its place, a busy port, an old "
    "protocol, a lost connection, a board that does not answer or did not come back",
    HUNG: "`flash`, `module`: the interpreter does not answer, or the board hung during the "
    "upload and could not be woken",
    UNFIT: "`flash`, `module`: the UF2 file is damaged, is for another chip or contains no "
    "MicroPython; bytecode or hardware profile do not match; MicroPython was not installed",
    NOT_WRITTEN: "`flash`: the board's flash is full, or a file did not arrive intact",
    NOT_GOOD: "`flash`: the new application failed its self-test; the board runs the old one "
    "again",
    STOPPED: "stopped by Ctrl-C",
}
OF_ALL = (DONE, NO, WRONG_USE, NO_BOARD, STOPPED)  # these may come from every command


def epilog(codes: Iterable[int]) -> str:
    """The table of these codes for a `--help`, in lines of 80 characters at most."""
    lines = ["exit codes:"]
    for code in codes:
        lines += textwrap.wrap(
            EXIT_CODES[code], 80, initial_indent=f"  {code:<5}", subsequent_indent=" " * 7
        )
    return "\n".join(lines) + "\n"


class UserError(Exception):
    """End a command with a sentence for the user, without a traceback."""

    exit_code = WRONG_USE


class No(UserError):
    """The usage was right, but the answer is no: a person or a board can change that."""

    exit_code = NO


class LinkError(UserError):
    """No board, more than one, a port that is busy or that went away."""

    exit_code = NO_BOARD
