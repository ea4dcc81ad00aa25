"""The board's raw REPL, on mpremote's transport: the only place that ever sends a Ctrl-C.

Every failure becomes a sentence with the way out. Chunks are written as base64, so that what a
cut leaves on flash is a shorter file and never a changed one.
"""

import base64
import contextlib
import io
import json
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import serial
from mpremote.transport import TransportError  # type: ignore[import-untyped]
from mpremote.transport_serial import SerialTransport  # type: ignore[import-untyped]

from spiceboard.board import timeouts
from spiceboard.board.link import borrowed, reason
from spiceboard.board.scripts import script
from spiceboard.errors import HUNG, NOT_WRITTEN, LinkError, UserError

CHUNK = 1024
READ_S = 10.0  # the longest silence within an answer; hashing a file takes a second at most
LADDER_S = 5.0  # for each attempt to get the prompt
LOOK_S = 0.1  # between two looks at the clock while nothing comes
NOTHING = "Nothing was changed"
# What mpremote raises when an answer does not come, or comes short
SILENT = (TransportError, IndexError, ValueError, struct.error)
LADDER = (0.0, 0.5, 1.5)  # seconds of patience before each attempt to interrupt

AWAY_MS = 300_000  # how long a person may think about a question

# What the board does for us; `keep_alive` says that we are still there.
HELPERS = f"AWAY_MS={AWAY_MS}\n" + script("files")


class Transport(SerialTransport):  # type: ignore[misc]
    """mpremote's, but as patient as the board is slow, and no more than that."""

    silence = READ_S

    def read_until(
        self,
        _least: int,
        ending: bytes,
        timeout: float | None = None,
        data_consumer: Callable[[bytes], object] | None = None,
        timeout_overall: float | None = None,
    ) -> bytes:
        """Read until `ending`; less when nothing came for as long as the board may be silent, or
        when `timeout_overall` (seconds) is over. mpremote's own forgets that as long as something
        comes, and a board that dies at each start never ends to talk."""
        silence = max(timeout or 0, self.silence)
        patience, self.serial.timeout = self.serial.timeout, LOOK_S
        data, began = b"", time.monotonic()
        heard = now = began
        try:
            while not data.endswith(ending) and now - heard < silence:
                if timeout_overall is not None and now - began >= timeout_overall:
                    break
                fresh = self.serial.read(1)
                now = time.monotonic()
                if fresh:
                    heard, data = now, data + fresh
                    if data_consumer:
                        data_consumer(fresh)
        finally:
            self.serial.timeout = patience
        return data


class NoRepl(UserError):
    """The board is there but its interpreter does not answer."""

    exit_code = HUNG


class Stalled(LinkError):
    """The board fell silent in the middle of something, and answers again."""


class BoardFull(UserError):
    """No room on the board's flash."""

    exit_code = NOT_WRITTEN


class BoardError(UserError):
    """The interpreter answered with an exception that we did not expect."""

    exit_code = NOT_WRITTEN


class Repl:
    """The interpreter of one board, stopped and listening. Use as a context manager."""

    def __init__(self, url: str, sleep: Callable[[float], None] = time.sleep) -> None:
        borrowed(url).close()  # says in good words why a port cannot be had
        self.url = url
        self._entered = False  # from then on something may have been changed
        self._sleep = sleep
        silence = self._silence = READ_S * timeouts.times(url, True)
        try:
            self._transport = Transport(url, timeout=silence, exclusive="://" not in url)
            self._transport.silence = silence
            self._transport.serial.write_timeout = silence  # of a board that takes nothing
        except (TransportError, OSError, ValueError) as error:
            raise LinkError(f"cannot open {url}: {reason(error)}") from error

    def __enter__(self) -> "Repl":
        try:
            self._interrupt()
            self._run(HELPERS)
            self._entered = True
        except BaseException:  # Ctrl-C too: the board may have stopped, so it starts again
            self.reset()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _interrupt(self) -> None:
        """The ladder: ask twice, more patiently each time; then name what a hand must do."""
        heard = ""
        seconds = LADDER_S * timeouts.times(self.url, False)
        self._transport.silence = seconds
        for wait in LADDER:
            self._sleep(wait)
            with self._lost(), contextlib.redirect_stdout(io.StringIO()) as printed:
                try:
                    self._transport.serial.write(b"\r\x03\x03")
                    self._transport.enter_raw_repl(soft_reset=False, timeout_overall=seconds)
                    self._transport.silence = self._silence
                    return
                except TransportError:
                    heard = printed.getvalue().strip()
        raise self._no_repl(heard)

    def _no_repl(self, heard: str = "") -> NoRepl:
        said = f" It says {heard[-80:]}." if heard not in ("", "b''") else ""
        return NoRepl(
            f"the interpreter of the board on {self.url} does not answer.{said} Unplug the "
            "board and plug it in again. If that does not help, hold BOOTSEL while you plug it "
            "in, and reinstall the interpreter: spiceboard flash --uf2 FILE. "
            + ("It still starts the old application" if self._entered else NOTHING)
        )

    @contextlib.contextmanager
    def _lost(self) -> Iterator[None]:
        """Report a connection that breaks as such; a board that accepts no data hangs."""
        try:
            yield
        except serial.SerialTimeoutException as error:
            raise self._no_repl() from error
        except (serial.SerialException, OSError, TypeError) as error:
            raise LinkError(f"connection to {self.url} lost: {reason(error)}") from error

    def _wake(self) -> None:
        """A board that fell silent: the ladder again; NoRepl if that does not help."""
        entered = self._entered
        self._interrupt()
        if entered:  # a file that it was writing must not be closed later, over another
            with contextlib.suppress(*SILENT):  # the next command will say so
                self._transport.exec_raw("drop_file()\n" + HELPERS)

    def run(self, code: str) -> str:
        """Execute code; what it prints. BoardFull, BoardError or LinkError with a sentence."""
        return self._run("keep_alive()\n" + code)

    def _run(self, code: str) -> str:
        with self._lost():
            try:
                printed, failure = self._transport.exec_raw(code)
            except SILENT as error:
                self._wake()
                raise Stalled(
                    f"the board on {self.url} stopped answering for {self._silence:g} s, and "
                    "answers again. Repeat the command: the board still starts the old "
                    "application"
                ) from error
        if failure:
            raise _board_error(failure.decode("utf-8", "replace"))
        return str(printed.decode("utf-8", "replace"))

    def ask(self, expression: str) -> Any:
        """The value of an expression, by way of JSON."""
        printed = self.run(f"print(json.dumps({expression}))")
        try:
            return json.loads(printed.strip().splitlines()[-1])
        except (ValueError, IndexError) as error:
            raise BoardError(f"cannot read the answer of the board: {printed[:80]!r}") from error

    def tree(self, folder: str) -> dict[str, tuple[int, str]]:
        """{path: (size, sha256)} of all files below a folder ("": all of the board); told file by
        file, so that no silence is long. {} when there is no such folder."""
        found = {}
        for line in self.run(
            f"print_tree_if_any({folder!r})" if folder else "print_tree('')"
        ).splitlines():
            try:
                path, size, digest = json.loads(line)
            except ValueError as error:
                raise BoardError(f"cannot read the answer of the board: {line[:80]!r}") from error
            found[path] = (size, digest)
        return found

    def write_file(
        self, path: str, content: bytes, written: Callable[[int], None] | None = None
    ) -> None:
        """Write a file in chunks; `written` is called with the number of bytes after each. If the
        board falls silent in the middle of a file, the file is sent again, once."""
        told = 0

        def write() -> None:
            nonlocal told
            self.run(f"begin_file({path!r})")
            for at in range(0, len(content), CHUNK):
                part = content[at : at + CHUNK]
                self.run(f"append({base64.b64encode(part).decode()!r})")
                if written and at >= told:
                    told = at + len(part)
                    written(len(part))
            self.run("end_file()")

        try:
            write()
        except Stalled:
            write()

    def read_file(self, path: str) -> bytes:
        """The content of a file."""
        self.run("")
        with self._lost():
            try:
                content: bytes = bytes(self._transport.fs_readfile(path, chunk_size=512))
            except (TransportError, OSError) as error:
                raise BoardError(f"cannot read {path} on the board: {error}") from error
        return content

    def reset(self) -> None:
        """Restart the board, and close the port."""
        self._leave("machine.reset()")

    def bootloader(self) -> None:
        """Send the board to BOOTSEL, and close the port."""
        self._leave("machine.bootloader()")

    def _leave(self, call: str) -> None:
        """A last word, said without listening: whatever state the prompt is in, a board that
        works at all takes it; one that stalled or is gone must not hide why we leave."""
        code = f"import machine\n{call}\n".encode()
        with contextlib.suppress(OSError, serial.SerialException, TypeError):
            port = self._transport.serial
            port.write(b"\r\x03\x03")
            self._sleep(0.1)
            port.write(b"\r\x01" + code + b"\x04")
            self._sleep(0.1)  # no flush: it would wait for ever for a board that takes nothing
        self.close()

    def close(self) -> None:
        """Close the port; the board stays as it is."""
        with contextlib.suppress(OSError, serial.SerialException):
            self._transport.close()


def _board_error(traceback: str) -> UserError:
    last = traceback.strip().splitlines()[-1] if traceback.strip() else "an error"
    if "ENOSPC" in last or "Errno 28" in last or last.endswith("OSError: 28"):
        return BoardFull(
            "the board's flash is full: copy and erase old games (spiceboard log), then repeat "
            "the command. The board still starts the old application"
        )
    return BoardError(f"the board says: {last}")
