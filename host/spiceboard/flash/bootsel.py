"""Installing the interpreter on a board in BOOTSEL: check the family, copy, flush, wait for it.

A boot ROM ignores a file for another chip without a word, and a copy that was not flushed is lost
when the cable is pulled: hence the check before a byte is copied and the fsync after it.
"""

import errno
import os
import time
from collections.abc import Callable

from spiceboard.board.ports import Bootsel
from spiceboard.errors import NOT_WRITTEN, UNFIT, LinkError, UserError
from spiceboard.flash.uf2 import Uf2

CHUNK = 64 * 1024
GONE_S = 5.0  # some systems show the volume this long after the board has left
COME_BACK_S = 20.0  # a Pico is back within two seconds
REFUSED = (errno.ENOSPC, errno.EACCES, errno.EPERM)  # said by the volume, not by its absence


class WrongChip(UserError):
    """The file is for the other chip; nothing was copied."""

    exit_code = UNFIT


class CopyFailed(UserError):
    """The file did not arrive whole."""

    exit_code = NOT_WRITTEN


class Unclear(CopyFailed):
    """The copy ended with an error, as it does where a board that has all it wanted leaves the
    bus before the last flush: whether it was taken is seen by what comes back."""


def check_family(uf2: Uf2, chip: str | None, where: str) -> None:
    """WrongChip unless the file is for that chip."""
    if chip is None:
        raise WrongChip(f"{where} does not say which chip it has; nothing was copied to it")
    if chip not in uf2.versions:
        raise WrongChip(
            f"{uf2.path} is for the {' and '.join(uf2.versions)}, but {where} has an {chip} and "
            f"would ignore it. Use the image for the {chip}"
        )


def copy(uf2: Uf2, board: Bootsel, progress: Callable[[int, int], None] | None = None) -> None:
    """Copy the file to the board's volume and flush it; the board then restarts by itself.

    CopyFailed when the volume took it not; Unclear when it may have.
    """
    check_family(uf2, board.chip, f"the board at {board.volume}")
    data = uf2.data
    target = board.volume / uf2.path.name
    try:
        with open(target, "wb", buffering=0) as file:
            for at in range(0, len(data), CHUNK):
                part = memoryview(data)[at : at + CHUNK]
                while part:
                    part = part[file.write(part) or 0 :]
                if progress:
                    progress(min(at + CHUNK, len(data)), len(data))
            os.fsync(file.fileno())
    except OSError as error:
        kind = CopyFailed if error.errno in REFUSED else Unclear
        raise kind(
            f"copying to {board.volume} failed: {error.strerror}. The interpreter may be half "
            "written: hold BOOTSEL while you plug the board in, and try again. The files on "
            "the board are untouched"
        ) from error


def wait_for_port(
    find: Callable[[], str | None],
    seconds: float = COME_BACK_S,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    trouble: Unclear | None = None,
    there: Callable[[], bool] = lambda: False,
) -> str:
    """The port on which the same board is back, found by `find`; LinkError after `seconds`.

    trouble: the error that the copy ended with, if it did: raised when no board comes back, as
    soon as the volume is still `there` after `GONE_S`.
    """
    start = now()
    while True:
        port = find()
        if port:
            return port
        waited = now() - start
        if trouble and (waited >= seconds or (waited >= GONE_S and there())):
            raise trouble
        if waited >= seconds:
            raise LinkError(
                f"the board did not come back within {seconds:g} s after the copy: unplug it "
                "and plug it in again, then repeat the command. If it stays silent, hold "
                "BOOTSEL while you plug it in"
            )
        sleep(0.25)


def wait_for_volume(
    find: Callable[[], Bootsel | None],
    seconds: float = COME_BACK_S,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Bootsel:
    """The volume of a board that was sent to BOOTSEL; LinkError after `seconds`."""
    end = now() + seconds
    while True:
        board = find()
        if board:
            return board
        if now() >= end:
            raise LinkError(
                f"no BOOTSEL volume appeared within {seconds:g} s: mount it, or name it with "
                "--volume"
            )
        sleep(0.25)
