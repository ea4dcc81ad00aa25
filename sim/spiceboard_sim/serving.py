"""Serving a simulated board: its serial port, its control channel, and its time."""

import argparse
import contextlib
import json
import math
import os
import re
import selectors
import signal
import socket
import stat
import sys
import tempfile
import termios
import time
import tty
from collections.abc import Callable
from pathlib import Path

from spiceboard.errors import No, UserError
from spiceboard_sim.board.control import Control
from spiceboard_sim.board.process import FirmwareDied, SimulatedBoard

STEP_MS = 5
_KEPT = 1 << 16  # bytes of output that wait for a slow reader
_SIGNAL_S = 1.0  # a signal to a group of processes reaches all of them within this time


class Terminal:
    """A pseudo-terminal in raw mode; the other end looks like a board's serial port."""

    def __init__(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave, termios.TCSANOW)
        os.set_blocking(self._master, False)
        self.url = os.ttyname(self._slave)
        self._left = bytearray()

    def register(self, selector: selectors.BaseSelector, take: Callable[[bytes], None]) -> None:
        """Have `take` called with what the other side writes."""

        def read() -> None:
            with contextlib.suppress(BlockingIOError):
                take(os.read(self._master, 4096))

        selector.register(self._master, selectors.EVENT_READ, read)

    def write(self, data: bytes) -> bool:
        """Pass output on; False while the other side does not read."""
        self._left += data
        del self._left[:-_KEPT]
        if self._left:
            with contextlib.suppress(BlockingIOError):
                del self._left[: os.write(self._master, self._left)]
        return not self._left


class Tcp:
    """A loopback socket for one client at a time; without one, output is lost as on USB."""

    def __init__(self, port: int) -> None:
        try:
            self._listener = socket.create_server(("127.0.0.1", port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or "a port must be from 0 to 65535"
            raise UserError(f"--tcp {port}: {why}") from error
        self._listener.setblocking(False)
        self.url = f"socket://127.0.0.1:{self._listener.getsockname()[1]}"
        self._client: socket.socket | None = None
        self._left = bytearray()

    def register(self, selector: selectors.BaseSelector, take: Callable[[bytes], None]) -> None:
        """Have `take` called with what the client writes."""

        def read() -> None:
            assert self._client is not None
            try:
                data = self._client.recv(4096)
            except BlockingIOError:
                return
            except ConnectionError:
                data = b""
            if data:
                take(data)
            else:
                self._drop(selector)

        def accept() -> None:
            self._drop(selector)
            self._client, _ = self._listener.accept()
            self._client.setblocking(False)
            selector.register(self._client, selectors.EVENT_READ, read)

        selector.register(self._listener, selectors.EVENT_READ, accept)

    def _drop(self, selector: selectors.BaseSelector) -> None:
        if self._client is not None:
            selector.unregister(self._client)
            self._client.close()
            self._client = None
        self._left.clear()

    def write(self, data: bytes) -> bool:
        """Pass output on; False while the client does not read."""
        if self._client is None:
            return True
        self._left += data
        del self._left[:-_KEPT]
        if self._left:
            with contextlib.suppress(BlockingIOError, ConnectionError):
                del self._left[: self._client.send(self._left)]
        return not self._left


class Lines:
    """Requests by JSON lines from one stream, each answered on it."""

    def __init__(self, control: Control, answer: Callable[[bytes], None]) -> None:
        self._control = control
        self._answer = answer
        self._begun = b""

    def feed(self, data: bytes) -> None:
        """Act on every whole line."""
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            if line.strip():
                self._answer(json.dumps(self._control.line(line)).encode() + b"\n")


class Server:
    """Runs the board step by step, and serves everything that is connected."""

    def __init__(
        self, board: SimulatedBoard, port: Terminal | Tcp, speed: float, ended: list[int]
    ) -> None:
        self._board = board
        self._port = port
        self._speed = speed
        self._ended = ended  # anything in it ends the run
        self._selector = selectors.DefaultSelector()
        self._folder = tempfile.TemporaryDirectory(prefix="spiceboard-control-")
        self.control_path = str(Path(self._folder.name) / "control")
        self._control = Control(board)
        port.register(self._selector, board.write)
        self._listen()

    def _listen(self) -> None:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self.control_path)
        listener.listen()

        def accept() -> None:
            client, _ = listener.accept()
            lines = Lines(self._control, client.sendall)

            def read() -> None:
                try:
                    data = client.recv(65536)
                    if data:
                        lines.feed(data)
                        return
                except ConnectionError:
                    pass
                self._selector.unregister(client)
                client.close()

            self._selector.register(client, selectors.EVENT_READ, read)

        self._selector.register(listener, selectors.EVENT_READ, accept)

    def _stdin(self) -> None:
        """Requests from standard input. Its end ends the board only if it is a pipe or a terminal:
        systemd, docker and a shell's `&` give /dev/null, whose end means nothing."""
        source = sys.stdin.fileno()

        def answer(data: bytes) -> None:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

        lines = Lines(self._control, answer)

        def read() -> None:
            try:
                data = os.read(source, 65536)
            except OSError:  # a terminal that another program has now
                self._selector.unregister(source)
                return
            if data:
                lines.feed(data)
            else:
                self._ended.append(0)

        try:
            self._selector.register(source, selectors.EVENT_READ, read)
        except PermissionError:
            if stat.S_ISREG(os.fstat(source).st_mode):
                lines.feed(sys.stdin.buffer.read() + b"\n")

    def run(self) -> None:
        """Serve until told to end; virtual time keeps to the wall clock where asked to."""
        board = self._board
        self._stdin()
        origin, began = time.monotonic(), board.now_ms
        while not self._ended:
            board.run_for(STEP_MS)
            flows = self._port.write(board.read())
            board.host_reads(flows)
            if not self._speed:
                self._serve(0.0)
                continue
            due = origin + (board.now_ms - began) / 1000 / self._speed
            if time.monotonic() > due + 1:  # the machine was away: do not run after it
                origin, began = time.monotonic(), board.now_ms
            while not self._ended and (left := due - time.monotonic()) > 0:
                self._serve(left)
            self._serve(0.0)

    def _serve(self, timeout: float) -> None:
        for key, _ in self._selector.select(timeout):
            key.data()


def serve(arguments: argparse.Namespace) -> int:
    """Start the board and serve it until a signal or request ends it."""
    speed = 1.0 if arguments.realtime else arguments.speed
    if not 0 <= speed < math.inf:
        raise UserError("--speed must be 0 or more")
    if not re.fullmatch(r"[1-9][0-9]{1,3}[kK]|[1-9][0-9]{0,2}[mM]", arguments.heap):
        raise UserError(f"--heap needs a size such as 384k or 1M, not {arguments.heap}")
    if arguments.flash and arguments.flash.exists() and not arguments.flash.is_dir():
        raise UserError(f"--flash {arguments.flash} is not a folder")
    ended = heed_signals()
    port = Terminal() if arguments.tcp is None else Tcp(arguments.tcp)
    try:
        made = SimulatedBoard(seed=arguments.seed, flash=arguments.flash, heap=arguments.heap)
    except OSError as error:
        raise UserError(f"--flash {arguments.flash}: {error.strerror}") from error
    with made as board:
        server = Server(board, port, speed, ended)
        print(json.dumps({"port": port.url, "control": server.control_path}), flush=True)
        try:
            server.run()
        except FirmwareDied:
            if not ends_soon(ended):
                raise
    return 0


def heed_signals() -> list[int]:
    """From now on what ends us fills the list that this returns: Ctrl-C, SIGTERM, and a terminal
    that is closed, unless `nohup` said to ignore that."""
    ended: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda *_: ended.append(1))
    signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # in a shell's background: not to be stopped
    return ended


def ends_soon(ended: list[int]) -> bool:
    """Whether the signal that ended the interpreter was meant for us all."""
    end = time.monotonic() + _SIGNAL_S
    while not ended and time.monotonic() < end:
        time.sleep(0.02)
    return bool(ended)


def served(arguments: argparse.Namespace) -> int:
    """`serve`, and a sentence for a firmware that died."""
    try:
        return serve(arguments)
    except FirmwareDied as error:
        hint = "\nIs --heap too small?" if error.code is not None and error.code > 0 else ""
        raise No(f"{error}{hint}") from error
