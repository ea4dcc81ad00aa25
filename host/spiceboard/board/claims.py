"""Who uses a port, and who wants it: told from program to program by locks.

A port is one program's at a time. A table keeps it for hours, and a command like `flash` needs it
for a minute. So a command claims each port that it opens until the command ends; a table that
finds its port claimed lets go of it (`lender.py`). Both are lock files in a folder of the user.
The system releases a lock when its process ends, however that happens: nothing has to be tidied
up.
"""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from spiceboard.board import timeouts
from spiceboard.errors import LinkError
from spiceboard.folders import state_folder

if TYPE_CHECKING:
    from filelock import FileLock

LOOK_S = 1.0  # longer than anybody holds a lock only to see whether it is free
LEND_S = 10.0  # a table lends between two looks at its board
LENT = "a table uses the board on {url}: it lends the board until this command ends"

_claims: dict[str, "FileLock"] = {}  # of this process, by the lock's file


class Claimed(LinkError):
    """A command uses the port, or wants it: a table lets it go first."""

    def __init__(self, url: str) -> None:
        super().__init__(f"cannot open {url}: another command uses it; wait until it has ended")
        self.url = url


def borrow(url: str, told: Callable[[str], None]) -> None:
    """Claim a port until `give_back` or the end of the process, and wait until a table that has
    it lends it; `told` hears of that.

    Whoever has the port for another reason is met when it is opened: nothing is raised here.
    """
    with suppress(TimeoutError, OSError):  # another command has it, or there is no such folder
        _claim(url)
        wait_for_table(url, told)


def _claim(url: str) -> None:
    lock = _lock(url, "wanted")
    if lock.lock_file in _claims:
        return
    lock.acquire(timeout=LOOK_S)
    _claims[lock.lock_file] = lock


def wait_for_table(url: str, told: Callable[[str], None]) -> None:
    """Wait until no table has the port; TimeoutError when a table does not lend it."""
    if not _held(url, "table"):
        return
    told(LENT.format(url=url))
    table = _lock(url, "table")
    table.acquire(timeout=LEND_S * timeouts.times(url, False))
    table.release()


def give_back() -> None:
    """This process has ended its work: tables may take their boards back."""
    while _claims:
        _claims.popitem()[1].release()


def is_claimed(url: str) -> bool:
    """Does a command use this port, or want it?"""
    return _held(url, "wanted")


def hold(url: str) -> "FileLock":
    """A table's own lock of a port, for as long as it has it open: commands wait for its release.

    Claimed if a command was quicker. Where no lock can be had, the table plays without lending.
    """
    lock = _lock(url, "table")
    with suppress(TimeoutError, OSError):
        lock.acquire(timeout=LOOK_S)
    if is_claimed(url):
        lock.release()
        raise Claimed(url)
    return lock


def _held(url: str, role: str) -> bool:
    """Has anybody this lock?"""
    lock = _lock(url, role)
    try:
        lock.acquire(timeout=0)
    except TimeoutError:
        return True
    except OSError:  # no folder, or another user's file: nobody who could lend
        return False
    lock.release()
    return False


def _lock(url: str, role: str) -> "FileLock":
    """The lock of a port for a role, not acquired. OSError where the folder cannot be made."""
    from filelock import FileLock  # here: it takes 80 ms, and most commands open no port

    folder = state_folder() / "ports"
    with suppress(OSError):  # acquiring it says so
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9]+", "-", place_of(url)).strip("-")
    return FileLock(folder / f"{name}.{role}", thread_local=False)


def place_of(url: str) -> str:
    """One name for a port, whatever link leads to it."""
    if "://" in url:
        return url
    return url.upper() if os.name == "nt" else os.path.realpath(url)
