"""What a command tells a person: the cause, the way out, and an exit code; all codes are here."""

import textwrap
from collections.abc import Iterable

DONE, NO, WRONG_USE, NO_BOARD = 0, 1, 2, 3
HUNG, UNFIT, NOT_WRITTEN, NOT_GOOD = 4, 5, 6, 7  # of `spiceboard flash` alone
STOPPED = 130

EXIT_CODES = {
    DONE: "done; nothing is wrong (there may be notes)",
    NO: "the answer is no: a fault was found, files differ, the board refused, you said no, or "
    "what was waited for did not come",
    WRONG_USE: "wrong use, a file that cannot be read or written, a question that nobody can "
    "answer",
    NO_BOARD: "no board, several boards, another board in its place, a busy port, an old "
    "protocol, a lost connection, a board that does not answer or did not come back",
    HUNG: "`flash`: the interpreter does not answer, or the board hung in the middle and could "
    "not be woken",
    UNFIT: "`flash`: the UF2 file is broken, for another chip or holds no MicroPython; bytecode "
    "or hardware profile do not fit; MicroPython was not taken",
    NOT_WRITTEN: "`flash`: the board's flash is full, or a file did not arrive as sent",
    NOT_GOOD: "`flash`: the new application failed its self-test; the board has the old one",
    STOPPED: "stopped by Ctrl-C",
}
OF_ALL = (DONE, NO, WRONG_USE, NO_BOARD, STOPPED)  # what every command may end with


def epilog(codes: Iterable[int]) -> str:
    """The table of these codes for a `--help`, in lines of 80 characters at most."""
    lines = ["exit codes:"]
    for code in codes:
        lines += textwrap.wrap(
            EXIT_CODES[code], 80, initial_indent=f"  {code:<5}", subsequent_indent=" " * 7
        )
    return "\n".join(lines) + "\n"


class UserError(Exception):
    """Ends a command with a sentence for its user, without a traceback."""

    exit_code = WRONG_USE


class No(UserError):
    """The use was right, and the answer is no: a person or a board can change it."""

    exit_code = NO


class LinkError(UserError):
    """No board, more than one, a port that is busy or that went away."""

    exit_code = NO_BOARD
