"""How a command runs: its streams, its signals, and a sentence and an exit code at its end.

Commands of the simulator are processes of their own (the host tools never import it), which run
the same way.
"""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from spiceboard.board import claims
from spiceboard.errors import DONE, STOPPED, WRONG_USE, UserError

ENDS = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}  # besides Ctrl-C
PARENT_S = 0.5  # between two looks whether the parent lives
ALONE = threading.Event()  # set: this process is one command, and ends with it
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def run(command: Callable[[], int]) -> int:
    """Run a command: a sentence on stderr and an exit code for what a person can put right."""
    open_streams()
    try:
        with orderly():
            code = command()
            sys.stdout.flush()
        return code
    except UserError as error:
        from spiceboard.words.refusals import said_by_board  # here: most commands end well

        say(f"spiceboard: {said_by_board(str(error))}")
        return error.exit_code
    except KeyboardInterrupt:
        say("spiceboard: stopped")
        return STOPPED
    except BrokenPipeError:
        give_up_output()
        return DONE  # the reader of our output, `head` for instance, has what it wanted
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # so rich's consoles tell it
            return DONE
        raise
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        give_up_output()
        say(f"spiceboard: cannot write the output: {error.strerror}")
        return WRONG_USE
    finally:
        claims.give_back()


def say(text: str) -> None:
    """A line on stderr, if anybody hears it."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def orderly() -> Iterator[None]:
    """Ctrl-C, SIGTERM and a closed terminal end a command by an exception: terminals, boards and
    files are left in order. What is ignored (by `nohup`, or in a script's background) stays so."""
    wanted: dict[int, Any] = {signal.SIGINT: signal.default_int_handler}
    wanted |= dict.fromkeys(ENDS, _terminated)
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number, handler in wanted.items():
            if signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for known, old in before.items():
            # What a parent passes on may come when the command has already ended in order.
            late = ALONE.is_set() and known in ENDS
            signal.signal(known, signal.SIG_IGN if late else old)


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Ctrl-C and what else ends a command wait until the end of this. Processes that are forked
    meanwhile ignore them: the process that began them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (signal.SIGINT, *ENDS)
        if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for known, old in before.items():
            signal.signal(known, old)
        for number in came[:1]:
            signal.raise_signal(number)


def _terminated(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_DFL)  # a second one ends it at once
    sys.exit(128 + number)


def run_module(extra: str, module: str, arguments: Sequence[str]) -> int:
    """Run a module of the simulator as a process of its own; its exit code. Ctrl-C reaches it by
    the terminal; SIGTERM and SIGHUP are passed on, so that it ends with us."""
    from spiceboard.board.simulated import need  # here, for `spiceboard` starts sooner without it

    if os.name == "nt":
        raise UserError(
            "the simulated and the emulated board run on Linux and macOS, and in WSL on "
            "Windows. To use a real board, name its port with --port"
        )

    if not {"-h", "--help"} & set(arguments):  # that needs nothing
        need(extra)
    process: subprocess.Popen[bytes] | None = None
    told = []

    def pass_on(number: int, _frame: object) -> None:
        told.append(number)
        if process and number != signal.SIGINT:
            process.terminate()

    before: dict[int, Any] = {}
    for number in (signal.SIGINT, *ENDS):
        if signal.getsignal(number) != signal.SIG_IGN:
            before[number] = signal.signal(number, pass_on)
    try:
        start = "spiceboard.commands.start"
        command = [sys.executable, "-m", start, str(os.getpid()), module, *arguments]
        # held until the child's `start` lets it through: an interpreter that begins would show it
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        try:
            process = subprocess.Popen(command)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if set(told) - {signal.SIGINT}:
            process.terminate()
        code = process.wait()
    finally:
        for known, old in before.items():
            signal.signal(known, old)
    if code == -signal.SIGINT:
        raise KeyboardInterrupt
    return code if code >= 0 else 128 - code  # as a shell tells a signal


def end_with(parent: int) -> None:
    """Let this process get SIGTERM when its parent has ended, for example because it was killed:
    otherwise nothing would end this process."""
    ALONE.set()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_S)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()


def open_streams() -> None:
    """Treat a stream that the shell closed (`<&-`) like one without a reader or writer."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def give_up_output() -> None:
    """What is left in the buffer goes nowhere: Python tries again at its end, and complains."""
    with contextlib.suppress(OSError, ValueError):  # a captured stdout has no descriptor
        number = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
