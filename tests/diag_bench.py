"""A simulated board at a pseudo-terminal and, in a process that cannot import the simulator, the
command line that diagnoses it. The test runs the board and plays the person who answers."""

import json
import mmap
import os
import selectors
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from spiceboard.board.checksum import crc16
from spiceboard.diag.measure import layout
from spiceboard_sim import faults
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.board.world import default_uids
from spiceboard_sim.chips.ntag213 import Tag
from spiceboard_sim.serving import Terminal
from spicecore.parts import CHIPS, ZONES
from spicecore.storage.on_demand.roster import Roster
from spicecore.storage.on_demand.settings import Settings
from spicecore.wire import messages

LAID = layout(list(CHIPS[:16]))
STEP_MS = 5
DEADLINE_S = 300
CLOCK_BYTES = 8  # the board's time in seconds, a double
RING = "leds ring"

BLIND = """\
import importlib.abc, json, mmap, os, struct, sys

class Blind(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "spiceboard_sim" or name.startswith("spiceboard_sim."):
            raise ImportError("this process must not know the simulator")

sys.meta_path.insert(0, Blind())
try:
    import spiceboard_sim
    sys.exit("the simulator can be imported")
except ImportError:
    pass
from spiceboard.board import link
from spiceboard.commands import main as cli

# The board's time is virtual, and the machine may be busy: timeouts are counted in that time.
CLOCK = mmap.mmap(os.open(sys.argv[1], os.O_RDONLY), 8, access=mmap.ACCESS_READ)
link.SerialLink.now = lambda self: struct.unpack("d", CLOCK)[0]
for line in sys.stdin:
    code = cli.main(json.loads(line))
    assert not [name for name in sys.modules if name.startswith("spiceboard_sim")]
    print(json.dumps({"exit": code}), flush=True)
"""


class Bench:
    """One board, its world, and a blind process with the command line."""

    def __init__(self, seed: int = 3) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="spiceboard-diag-")
        self.flash = Path(self.folder.name)
        self.board = SimulatedBoard(seed=seed, flash=self.flash, roster=False)
        self.board.kill()
        self.terminal = Terminal()
        self.selector = selectors.DefaultSelector()
        self.terminal.register(self.selector, self._request)
        self._asked = False  # has the tool asked for something that the board has not answered?
        self.errors = tempfile.TemporaryFile("w+")
        self._clock_file = tempfile.NamedTemporaryFile(prefix="spiceboard-clock-")
        self._clock_file.truncate(CLOCK_BYTES)
        self.clock = mmap.mmap(self._clock_file.fileno(), CLOCK_BYTES)
        self.tool = subprocess.Popen(
            [sys.executable, "-c", BLIND, self._clock_file.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        assert self.tool.stdin and self.tool.stdout
        os.set_blocking(self.tool.stdout.fileno(), False)
        self.selector.register(self.tool.stdout, selectors.EVENT_READ, self._hear)
        self._said = b""
        self._words_from = 0
        self.lines: list[dict[str, Any]] = []
        self.heal()

    def close(self) -> None:
        assert self.tool.stdin
        self.tool.stdin.close()
        self.tool.wait(20)
        self.board.close()
        self.clock.close()
        self._clock_file.close()
        self.folder.cleanup()

    # --- the board ---

    def heal(self) -> None:
        """A board as new: everything repaired, tags and files as they were, chips laid."""
        world = self.board.world
        self.board.kill()
        faults.repair(self.board)
        world.buzzer.heard.clear()
        for name, uid in default_uids().items():
            chip = world.chips[name]
            world.place(name, None)
            chip.tag, chip.mute = Tag(uid), 0.0
        for hall in world.halls:
            hall.stuck_mv, hall.offset_mv = None, world.random.uniform(-40, 40)
        for path in sorted(self.flash.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        (self.flash / "data" / "log").mkdir(parents=True)
        Roster(str(self.flash / "data" / "roster")).change(
            {chip: world.chips[chip].tag.uid.hex() for chip in CHIPS}
        )
        rests = {z: round(1650 + h.offset_mv) for z, h in zip(ZONES, world.halls, strict=True)}
        settings = Settings(str(self.flash / "data" / "settings"))
        settings.change({"hall": True, "hall_rest": rests})
        settings.change({"agree": 2})  # a second copy: one of them may break
        for name, zone in LAID.items():
            world.lay(name, zone)
        self.boot()

    def boot(self) -> None:
        """Power returns; wait until the readers were looked at, or would be without a fault."""
        self.board.restart()
        self.board.run_for(800)
        for _ in range(10):
            self.board.run_for(50)
            if self.ask("status").get("ready"):
                break
        self.board.read()

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """A request to the board, by hand, while no tool is there."""
        decoder = messages.Decoder(crc=crc16)
        self.board.write(
            messages.encode({"id": "hand", "do": do, **arguments}, messages.REQUEST_MAX)
        )
        for _ in range(1000):
            self.board.run_for(STEP_MS)
            for kind, value in decoder.feed(self.board.read()):
                if kind == messages.MESSAGE and isinstance(value, dict):
                    if value.get("re") == "hand":
                        return value
        raise AssertionError(f"no reply to {do}")

    # --- the tool ---

    def _hear(self, _data: bytes = b"") -> None:
        assert self.tool.stdout
        self._said += self.tool.stdout.read() or b""
        *whole, self._said = self._said.split(b"\n")
        self.lines += [self._message(line) for line in whole]

    @staticmethod
    def _message(line: bytes) -> dict[str, Any]:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        return message if isinstance(message, dict) else {"text": line.decode()}

    def command(
        self,
        *words: str,
        answer: Callable[[str, list[str]], str] | None = None,
        watch: Callable[[str], None] = lambda text: None,
    ) -> tuple[int, list[dict[str, Any]]]:
        """Run `spiceboard WORDS --port ...`: its exit code and the lines that it printed, JSON or
        {"text"}. answer: to its questions; watch: is called with each line of text."""
        assert self.tool.stdin
        self._words_from = os.fstat(self.errors.fileno()).st_size
        line = json.dumps([*words, "--port", self.terminal.url])
        self.tool.stdin.write(line.encode() + b"\n")
        self.tool.stdin.flush()
        said: list[dict[str, Any]] = []
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            self._serve()
            while self.lines:
                message = self.lines.pop(0)
                if "exit" in message:
                    return message["exit"], said
                if "ask" in message:
                    assert answer, message
                    reply = json.dumps(answer(message["ask"], message["choices"]))
                    self.tool.stdin.write(reply.encode() + b"\n")
                    self.tool.stdin.flush()
                else:
                    said.append(message)
                    watch(str(message.get("text", "")))
            assert self.tool.poll() is None, self.words()
        raise AssertionError("the tool did not end: " + self.words())

    def _request(self, data: bytes) -> None:
        self._asked = True
        self.board.write(data)

    def _serve(self) -> None:
        """Time passes while the board is asked; otherwise the tool gets the processor first."""
        for key, _ in self.selector.select(0 if self._asked else 0.03):
            key.data()
        self.board.run_for(STEP_MS)
        self.clock[:] = struct.pack("d", self.board.now_ms / 1000)
        said = self.board.read()
        if b'"re"' in said:
            self._asked = False
        self.board.host_reads(self.terminal.write(said))

    def words(self) -> str:
        """What the tool wrote to stderr in its last command."""
        return os.pread(self.errors.fileno(), 100_000, self._words_from).decode()

    def diag(self, *options: str) -> dict[str, Any]:
        """A report; its exit code must fit what it says."""
        code, said = self.command("diag", "--json", *options, answer=self.person)
        assert said, self.words()
        report = said[-1]
        faulty = any(f["level"] == "fault" for f in report["findings"])
        assert code == (1 if faulty else 0)
        return report

    # --- the person ---

    def person(self, key: str, choices: list[str]) -> str:
        """Answers by what eyes, ears and fingers of this world tell."""
        self.board.run_for(30)
        rings = self.board.world.rings()
        red = {
            zone: [c[0] > 0 and c[1] == c[2] == 0 for c in ring] for zone, ring in rings.items()
        }
        if key == "leds all":
            return "yes" if all(all(ring) for ring in red.values()) else "no"
        wrong = [zone for zone in ZONES if not all(red[zone])]
        if key == RING:
            self.zone = wrong[0]
            return self.zone
        if key == "leds colour":
            r, g, b = rings[self.zone][red[self.zone].index(False)]
            return "green" if g > r else "blue" if b > r else "dark"
        if key == "leds number":
            self.number = red[self.zone].index(False) + 1
            return str(self.number)
        if key == "leds behind":
            behind = red[self.zone][self.number :]
            for zone in ZONES[ZONES.index(self.zone) + 1 :]:
                behind += red[zone]
            return "yes" if any(behind) else "no"
        if key == "leds alone":
            return "yes" if red[self.zone][self.number - 1] else "no"
        if key == "buzzer":
            now = self.board.world.now
            heard = [hz for at, hz in self.board.world.buzzer.heard if now - at < 5_000_000_000]
            return "yes" if any(heard) else "no"
        assert key.startswith("button ")
        self.board.world.press(key.split()[1], 1000)  # unhurried, and no long press
        return "done"
