"""The board as a process: the unchanged firmware in the real MicroPython, and its world.

`SimulatedBoard` starts the interpreter with the fake hardware modules first on its path, answers
what they ask, and lets virtual time pass only while the caller asks for it. The firmware's flash
is a folder; its serial console is read and written here.
"""

import array
import contextlib
import fcntl
import importlib.util
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from spiceboard.errors import LinkError
from spiceboard.extras import install
from spiceboard.flash.sources import FIRMWARE, modules, search_path
from spiceboard_sim.board import protocol as p
from spiceboard_sim.board.bytecode import Bytecode
from spiceboard_sim.board.controller import Controller
from spiceboard_sim.board.pin_operations import NEVER, Operations, Request
from spiceboard_sim.board.world import World
from spicecore.storage.on_demand.roster import Roster

UNIQUE_ID = bytes.fromhex("e66138d5a2b0c351")  # of a board whose flash is gone with it
MS = 1_000_000  # ns
POWER_ON, WATCHDOG_RESET = 1, 3  # machine.PWRON_RESET, machine.WDT_RESET
_HUNG_S = 60.0  # wall-clock seconds without a word from the interpreter
_SLICE_NS = 5 * MS  # how often output is looked for where the caller waits for it
_PACKET = 1 << 18
_MESSAGE = 4096  # most bytes of a message (`_SIZE` in simlink_native.py); room for more costs time

_MODULES = Path(__file__).resolve().parents[1] / "micropython"  # the fake hardware
_HARDWARE = Bytecode(lambda: {path.stem: path for path in _MODULES.glob("*.py")})
_FIRMWARE = Bytecode(modules)

# What the interpreter is started with: it is an extension module of CPython, whose signal
# settings it would inherit (a full disk is an error or an end, as the caller chooses).
_START = """\
import signal, sys
sys.path.append(sys.argv.pop(1))
signal.signal(signal.SIGXFSZ, getattr(signal, sys.argv.pop(1)))
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
from micropython_run import run_main
sys.exit(run_main(sys.argv))
"""


class FirmwareDied(RuntimeError):
    """The interpreter ended, or hangs, in a way that no board recovers from. `code`: how a
    process ended (subprocess.Popen.returncode), None where it did not."""

    code: int | None = None


def id_of(path: Path) -> bytes:
    """The eight bytes of a board's own number, which stays with its flash; drawn when new."""
    try:
        number = bytes.fromhex(path.read_text().strip())
    except (OSError, ValueError):
        number = b""
    if len(number) != len(UNIQUE_ID):
        number = UNIQUE_ID[:3] + os.urandom(5)
        path.write_text(number.hex() + "\n")
    return number


def how(code: int) -> str:
    """How a process ended: with a code, or by a signal."""
    if code >= 0:
        return f"ended with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


class SimulatedBoard:
    """A board under power, with everything around it.

    flash: folder that is the board's flash (default: one of its own, removed by `close`).
    firmware: the script that runs at boot. heap: the interpreter's. roster: write the world's
    UIDs as the board's roster where it has none. full: what a write past the limit of
    `limit_flash` does, "error" (OSError in the firmware) or "cut" (the power fails in it).

        with SimulatedBoard(seed=1) as board:
            board.run_for(2000)
            board.world.lay("b30", "curry")
            print(board.read())
    """

    def __init__(
        self,
        world: World | None = None,
        *,
        flash: Path | str | None = None,
        firmware: Path | str = FIRMWARE / "main.py",
        heap: str = "384k",
        seed: int = 0,
        roster: bool = True,
        full: str = "error",
        path: tuple[Path | str, ...] = (),
    ) -> None:
        self.world = World(seed) if world is None else world
        self.controller = Controller(self.world)
        self._own_flash = flash is None
        self.flash = Path(tempfile.mkdtemp(prefix="spiceboard-") if flash is None else flash)
        self.flash.mkdir(parents=True, exist_ok=True)
        self._lock: int | None = os.open(self.flash, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise LinkError(
                f"another simulated board uses {self.flash}: end it, or choose another folder"
            ) from None
        self._firmware = Path(firmware).resolve()
        self._heap = heap
        self._full = {"error": "SIG_IGN", "cut": "SIG_DFL"}[full]
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None
        self._console = bytearray()
        self._typed = bytearray()  # input that found no room in the pipe yet
        self._interrupt = False
        self._request: Request | None = None
        self._host_reads = True
        self.state = "off"  # one of:
        #   off      no power
        #   running  the interpreter runs the firmware
        #   prompt   main.py has ended; the interpreter waits for input
        #   bootsel  the boot ROM waits for a UF2 file
        self.starts = 0
        self.watchdog_resets = 0
        self.round_trips = 0
        self.unique_id = UNIQUE_ID if self._own_flash else id_of(self.flash / "board-id")
        if roster:
            self.write_roster()
        self.start()

    # --- power ---

    def start(self, cause: int = POWER_ON) -> None:
        """Power on, or reset: the interpreter starts again with the same flash."""
        self._end()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _PACKET)
        timeout = struct.pack("ll", 0, 200_000)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, timeout)
        self._link = ours
        in_read, self._in = os.pipe()
        self._out, out_write = os.pipe()
        for end_ in (self._in, self._out):
            os.set_blocking(end_, False)
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._out, 1031, 1 << 20)  # F_SETPIPE_SZ
        self._process = subprocess.Popen(
            self._command(),
            stdin=in_read,
            stdout=out_write,
            stderr=out_write,
            cwd=self.flash,
            env={
                **os.environ,
                "SPICEBOARD_LINK": str(theirs.fileno()),
                "MICROPYPATH": self._paths(),
            },
            pass_fds=(theirs.fileno(),),
            process_group=0,  # a signal to our group, such as Ctrl-C, is for us alone
        )
        for fd in (in_read, out_write):
            os.close(fd)
        theirs.close()
        self._boot = self.world.now
        self._cause = cause
        self._operations = Operations(self.controller)
        self._request = None
        self._typed.clear()
        self._interrupt = False
        self.controller.reset()
        self.state = "running"
        self.starts += 1

    def _command(self) -> list[str]:
        """Import the firmware as __main__: a script's folder would come before the search path."""
        start = f"__import__({self._firmware.stem!r}, None, None, False)"
        return [*self._interpreter(), "-X", f"heapsize={self._heap}", "-c", start]

    def _interpreter(self) -> list[str]:
        spec = importlib.util.find_spec("micropython_run")
        if spec is None or spec.origin is None:
            command = shutil.which("micropython")
            if command is None:
                raise FirmwareDied(f"no MicroPython on this machine: run {install('sim')}")
            return [command]
        library = str(Path(spec.origin).parent)
        return [sys.executable, "-I", "-S", "-c", _START, library, self._full]

    def _paths(self) -> str:
        interpreter = self._interpreter()
        hardware, firmware = (code.folders(interpreter) for code in (_HARDWARE, _FIRMWARE))
        home = self._firmware.parent
        own = [] if home == FIRMWARE else [home]
        parts = [*hardware, _MODULES, *self._path, *own, *firmware, *search_path(), ".frozen"]
        return ":".join(str(part) for part in parts)

    def _end(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        self._drain()
        self._link.close()
        os.close(self._in)
        os.close(self._out)
        self._process = None
        self.state = "off"
        world = self.world
        for reader in world.readers.values():
            reader.power_on()

    def _soft_reset(self) -> None:
        """The interpreter starts again; this does not stop a watchdog that was left on."""
        before = self._operations
        self.start(self._cause)
        self._operations.keep_watchdog(before)

    def kill(self) -> None:
        """The power fails (SIGKILL); flash stays as it is."""
        self._end()

    def restart(self) -> None:
        """Power returns on the same flash."""
        self.start()

    def close(self) -> None:
        """End the process and remove the flash folder if it is its own."""
        self._end()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._own_flash:
            shutil.rmtree(self.flash, ignore_errors=True)

    def __enter__(self) -> "SimulatedBoard":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Process id of the interpreter; 0 when it is off."""
        return self._process.pid if self._process else 0

    def limit_flash(self, size: int | None) -> None:
        """Fault: no file may grow beyond so many bytes from now on (None: no limit)."""
        limit = resource.RLIM_INFINITY if size is None else size
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def write_roster(self) -> None:
        """Tell the board which tag is which chip, unless its flash knows already."""
        folder = self.flash / "data"
        folder.mkdir(exist_ok=True)
        roster = Roster(str(folder / "roster"))
        if not roster.uids:
            roster.change({name: chip.tag.uid.hex() for name, chip in self.world.chips.items()})

    # --- time ---

    @property
    def now_ms(self) -> float:
        """Virtual milliseconds since the world began."""
        return self.world.now / MS

    def run_for(self, ms: float) -> None:
        """Let so many virtual milliseconds pass."""
        self._run(self.world.now + round(ms * MS))

    def run_until(
        self, done: Callable[[], bool], timeout_ms: float = 10_000, step_ms: float = 1
    ) -> bool:
        """Let time pass until `done()`, looked at every `step_ms`; False when it ran out."""
        end = self.world.now + round(timeout_ms * MS)
        while not done():
            if self.world.now >= end:
                return False
            self._run(min(end, self.world.now + round(step_ms * MS)))
        return True

    def run_to_output(self, timeout_ms: float) -> None:
        """Let time pass until the firmware has written something, or time is up; it is noticed
        within 5 ms."""
        end = self.world.now + round(timeout_ms * MS)
        while not self._console and self.world.now < end and self.state != "off":
            self._run(min(end, self.world.now + _SLICE_NS))

    def _run(self, until: int) -> None:
        world = self.world
        while world.now < until or (self._request is None and self.state == "running"):
            if self.state != "running":
                if self._bites(until):
                    continue
                world.advance(until)
                break
            try:
                if self._request is None:
                    self._request = self._hear()
                    if self._request is None:
                        continue
                if world.now >= self._operations.watchdog_due:
                    self.watchdog_resets += 1
                    self.start(WATCHDOG_RESET)
                    continue
                if world.now >= until:
                    break
                self._serve(until)
            except Exception:
                self._end()
                raise
        if self.state == "running":
            self._drain()

    def _bites(self, until: int) -> bool:
        """At the prompt nothing feeds a watchdog that was left on: does it bite before then?"""
        due = self._operations.watchdog_due
        if self.state != "prompt" or due > until:
            return False
        self.world.advance(max(due, self.world.now))
        self.watchdog_resets += 1
        self.start(WATCHDOG_RESET)
        return True

    # --- the serial console ---

    def write(self, data: bytes) -> None:
        """Bytes arrive at the board's serial port now; 0x03 interrupts the program."""
        if self.state == "prompt" and b"\x04" in data:
            self._soft_reset()
        if self.state != "running":
            return
        if b"\x03" in data:
            self._interrupt = True
            data = data.replace(b"\x03", b"")
        self._typed += data
        self._push()

    def _push(self) -> None:
        if self._typed:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                sent = os.write(self._in, self._typed)
                del self._typed[:sent]

    def _input_waits(self) -> bool:
        self._push()
        waiting = array.array("i", [0])
        fcntl.ioctl(self._in, termios.FIONREAD, waiting)
        return waiting[0] > 0

    def read(self) -> bytes:
        """What the firmware has written since the last call."""
        if self.state == "running":
            self._drain()
        data = bytes(self._console)
        self._console.clear()
        return data

    def host_reads(self, reads: bool) -> None:
        """Whether somebody takes the board's output: if not, the port is never writable."""
        self._host_reads = reads

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._out, 1 << 16):
                self._console += data

    # --- the other side of the link ---

    def _hear(self) -> Request | None:
        """Take the next message, do what is posted in it; what it asks, or None at an end."""
        waited = 0.0
        while True:
            try:
                message = self._link.recv(_MESSAGE)
                break
            except (BlockingIOError, InterruptedError):
                waited += 0.2
                self._drain()
                if waited > _HUNG_S:
                    raise FirmwareDied(
                        "the firmware has made no request for a minute: it is in an endless "
                        "loop, or reads the serial port although select.poll reports no input"
                    ) from None
            except ConnectionResetError:
                message = b""
                break
        if not message:
            self._ended()
            return None
        return self._operations.posted(message)

    def _ended(self) -> None:
        """The interpreter is gone: to the prompt, to a soft reset, or by a fault of its own."""
        assert self._process is not None
        code = self._process.wait()
        if code == -signal.SIGXFSZ:
            self._end()
        elif code in (0, 130):  # it ended, or a KeyboardInterrupt went through
            self._end()
            self.state = "prompt"
        elif code == 1 and self.world.now - self._boot > 20 * MS:
            self._soft_reset()
        else:
            self._drain()
            text = self._console.decode("utf-8", "replace")[-2000:]
            self._end()
            died = FirmwareDied(f"the firmware {how(code)}; it wrote last:\n{text}")
            died.code = code
            raise died

    def _serve(self, until: int) -> None:
        """Answer the request that waits, if its time comes before `until`."""
        assert self._request is not None
        self._push()
        code, a, b, data = self._request
        world = self.world
        if code == p.SPI_READ:
            answer = self.controller.spi(data)
            world.now += p.COST_SPI + a * self._operations.byte_ns
            self._answer(until, 0, answer)
        elif code == p.WAIT:
            self._wait(until, a, b)
        elif code == p.PIN_GET:
            self._answer(until, self.controller.pin_get(a))
        elif code == p.ADC_READ:
            self._answer(until, self.controller.adc(a))
        elif code == p.SYNC:
            self._answer(until, 0)
        elif code == p.HELLO:
            costs = " ".join(str(cost) for cost in p.COSTS).encode()
            told = b"\n".join((costs, self.unique_id.hex().encode(), b"%d" % self._cause))
            self._answer(until, len(told), told.ljust(96, b"\0"))
        elif code == p.PIO_PROGRAM:
            self._answer(until, self._operations.program(data))
        elif code == p.RESET:
            if a == 2:
                self._end()
                self.state = "bootsel"
            else:
                self.start(WATCHDOG_RESET if a else self._cause)
        else:
            raise ValueError(f"link: unknown request {code}")

    def _wait(self, until: int, flags: int, board_time: int) -> None:
        """The firmware sleeps: until its time, until input, or until the caller's time."""
        world = self.world
        target = min(NEVER, board_time + self._boot)
        while True:
            ready = 0
            if flags & 1 and self._input_waits():
                ready = 1
            if flags & 4 and self._host_reads:
                ready |= 4
            if ready or self._interrupt or world.now >= target:
                self._answer(until, ready)
                return
            if world.now >= until or world.now >= self._operations.watchdog_due:
                return
            event = world.next_event()
            step = min(target, until, self._operations.watchdog_due)
            world.advance(step if event is None else min(step, max(event, world.now)))

    def _answer(self, until: int, value: int, data: bytes = b"") -> None:
        world = self.world
        event = world.next_event()
        if event is not None and event <= world.now:
            world.advance(world.now)
            event = world.next_event()
        horizon = min(until, self._operations.watchdog_due, NEVER if event is None else event)
        if self._typed:  # there may soon be room for more of it
            horizon = min(horizon, world.now + MS)
        boot = self._boot
        flag = 1 if self._interrupt else 0
        self._interrupt = False
        self._request = None
        self.round_trips += 1
        head = _HEAD.pack(world.now - boot, max(0, horizon - boot), value, flag)
        try:
            self._link.send(head + data)
        except BrokenPipeError:
            self._ended()


_HEAD = struct.Struct("<QQQQ")
