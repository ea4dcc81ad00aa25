"""Single keys from a terminal, by name, without waiting and without echo."""

import contextlib
import os
import select
import sys
from collections.abc import Iterator
from typing import IO

from spiceboard.errors import UserError
from spiceboard.words import _

ESCAPES = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
    b"\x1b[5~": "pageup",
    b"\x1b[6~": "pagedown",
}
try:
    import termios
    import tty
except ImportError:  # Windows
    POSIX = False
else:
    POSIX = True

PLAIN = {"\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace"}


def split(data: bytes) -> tuple[list[str], bytes]:
    """Names of the keys in `data`, and the rest that may be the start of a longer sequence.

    An escape sequence that is not known is swallowed whole; a lone escape is "escape".
    """
    keys: list[str] = []
    while data:
        if data[0] != 0x1B:
            length = character_length(data[0])
            if len(data) < length:
                break
            char = data[:length].decode("utf-8", "replace")
            data = data[length:]
            if char in PLAIN:
                keys.append(PLAIN[char])
            elif char.isprintable() and char != "\ufffd":
                keys.append(char)
            continue
        end = sequence_end(data)
        if end is None:
            break
        name = "escape" if end == 1 else ESCAPES.get(data[:end])
        if name:
            keys.append(name)
        data = data[end:]
    return keys, data


LEADS = (0xC0, 0xE0, 0xF0)  # first bytes of UTF-8 characters of two, three and four bytes
NO_LEAD = 0xF8  # from here on no character starts


def character_length(first: int) -> int:
    """Bytes of the UTF-8 character that starts with this one; 1 for a byte that starts none."""
    return 1 if first >= NO_LEAD else 1 + sum(first >= lead for lead in LEADS)


def sequence_end(data: bytes) -> int | None:
    """Length of the escape sequence at the start of `data`; None while it is not complete."""
    if len(data) == 1:
        return None
    if data[1:2] == b"O":
        return 3 if len(data) > 2 else None
    if data[1:2] != b"[":
        return 1
    for index in range(2, len(data)):
        if 0x40 <= data[index] <= 0x7E:
            return index + 1
    return None


class Keys:
    """The keys that were pressed since the last look."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._rest = b""

    def pressed(self, timeout: float = 0.0) -> list[str]:
        """Key names, waiting up to `timeout` seconds for the first; UserError on end of input."""
        ready = select.select([self._descriptor], [], [], timeout)[0]
        if ready:
            data = os.read(self._descriptor, 1024)
            if not data:
                raise UserError(_("the terminal was closed"))
            keys, self._rest = split(self._rest + data)
            return keys
        if self._rest == b"\x1b":  # nothing followed it: the key itself
            self._rest = b""
            return ["escape"]
        return []


@contextlib.contextmanager
def raw_keys(stream: IO[str] = sys.stdin) -> Iterator[Keys]:
    """Keys one by one while the context lasts; the terminal is put back as it was."""
    if not stream.isatty():
        raise UserError(
            _("the table needs a terminal with a keyboard; `--headless` plays without one")
        )
    descriptor = stream.fileno()
    if not POSIX:
        raise UserError(
            _("the terminal table needs a terminal of Linux or macOS: use the pages, or WSL")
        )
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)  # Ctrl-C stays what it is
    try:
        yield Keys(descriptor)
    finally:
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
