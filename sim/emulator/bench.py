"""`spiceboard bench --emulated`: the unchanged firmware's figures on the emulated RP2040.

Times are the chip's own. Cycle counts are near, not exact: no flash cache is modelled, so allow a
factor of 1.5 to 2 on the share that is code; RF, settle and SPI times are by their standards.
"""

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from spiceboard.host.bench import recorded
from spiceboard.host.client import Client
from spiceboard.sim.emulator.board import (
    EmulatedBoard,
    VirtualLink,
    installed,
    roster_files,
    settings_files,
)
from spiceboard.sim.emulator.image import ImageError, find_image
from spiceboard.sim.world import World
from spiceboard.spicecore.parts import CHIPS, ZONES

Row = tuple[str, str, str, str]  # what, figure, aim, how it was taken
SETTLES_MS = (2, 5)
LANDINGS = 12
SCRIPT = Path(__file__).resolve().parents[1] / "micropython" / "bench" / "rp2040.py"
WAIT_S = 60.0  # of the board's time


class Bench:
    """One emulated board with a given settle time."""

    def __init__(self, image: Path, settle_ms: int, say: Callable[[str], None]) -> None:
        self.settle_ms, self.say = settle_ms, say
        self.world = World(1)
        values: dict[str, object] = {"settle_us": dict.fromkeys(ZONES, settle_ms * 1000)}
        files = installed() | roster_files(self.world) | settings_files(values)
        self.board = EmulatedBoard(image, self.world, files)
        self.client = Client(VirtualLink(self.board))
        self.frames: list[float] = []
        self._watch_frames()

    def _watch_frames(self) -> None:
        take = self.world.chain.pulses_seen

        def seen(data: bytes, now: int) -> None:
            self.frames.append(now / 1e6)
            take(data, now)

        self.world.chain.pulses_seen = seen  # type: ignore[method-assign]

    def status(self) -> dict[str, Any]:
        """The board's own counters."""
        return self.client.request("status", timeout=WAIT_S)

    def start(self) -> Row:
        """Power-on to the first `hello` that is answered."""
        self.client.connect()
        return (
            "power-on to hello",
            f"{self.board.now_ms / 1000:.2f} s",
            "2 s",
            "first answered hello; one is asked each second, 0.5 s of it is the boot window",
        )

    def sweeps(self, what: str, aim: str, ms: float = 600) -> list[Row]:
        """Mean sweep while nobody asks anything, and LED frames in it."""
        self.board.run_for(300)
        before = self.status()
        at = self.board.now_ms
        self.frames.clear()
        self.board.run_for(ms)
        span = self.board.now_ms - at
        frames = list(self.frames)
        after = self.status()
        whole = self.board.now_ms - at
        mean = whole / max(1, after["sweeps"] - before["sweeps"])
        gaps = [b - a for a, b in itertools.pairwise(frames)]
        rows = [
            (what, f"{mean:.0f} ms", aim, f"mean of {after['sweeps'] - before['sweeps']} sweeps"),
        ]
        if len(frames) > 2:
            rows.append(
                (
                    "LED frames while sweeping",
                    f"{len(frames) * 1000 / span:.0f} /s, longest gap {max(gaps):.0f} ms",
                    "40 /s",
                    "decoded from the pixel pin while a ring blinks",
                )
            )
        return rows

    def lay_many(self, places: dict[str, str]) -> None:
        """Lay chips and let the board see them all."""
        for chip, zone in places.items():
            self.board.lay(chip, zone)
        self.board.run_for(1500)
        self.client.poll(0.01)

    def landings(self, others: int) -> Row:
        """A chip lands until its event has arrived at the host."""
        self.lay_many({chip: ZONES[n % 9] for n, chip in enumerate(CHIPS[:others])})
        chip = CHIPS[others]
        times = []
        for number in range(LANDINGS):
            # spread over the phase of the sweep, which a hand does not know
            self.board.run_for(37 + 13 * number % 60)
            self.client.poll(0)
            began = self.board.now_ms
            self.board.lay(chip, ZONES[number % 9])
            while not any(i[0] == "board" and i[1][0] == "moved" for i in self.client.poll(0.002)):
                if self.board.now_ms - began > 3000:
                    break
            times.append(self.board.now_ms - began)
            self.board.lift(chip)
            self.board.run_for(400)
        times.sort()
        late = times[int(0.95 * len(times))]
        aim = {2: "p95 75 ms", 5: "p95 110 ms"}[self.settle_ms]
        return (
            f"a chip lands until its event is on the wire, {others} lying",
            f"median {statistics.median(times):.0f} ms, p95 {late:.0f} ms",
            aim,
            f"{LANDINGS} landings, 2 agreeing visits (setting `agree`)",
        )

    def memory(self) -> Row:
        """Free heap after a collection."""
        memory = self.client.request("diag", what="memory", timeout=WAIT_S)
        return (
            "free heap",
            f"{memory['free'] / 1024:.0f} KiB, lowest {memory['lowest'] / 1024:.0f}",
            "90 KB",
            "gc.mem_free() after gc.collect(); lowest since the start",
        )


def drivers(image: Path, settle_ms: int) -> list[Row]:
    """What drivers and rules cost by themselves: a script on the chip, no tasks beside it."""
    world = World(1)
    files = installed() | roster_files(world)
    files["main.py"] = SCRIPT.read_bytes()
    files["bench.json"] = json.dumps({"settle_us": settle_ms * 1000}).encode()
    record = recorded("safranito", 1)
    lines = [{"game": record["game"], "options": record["options"]}, *record["events"]]
    files["bench.txt"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    board = EmulatedBoard(image, world, files)
    board.run_until(lambda: board.chip.connected, 2000)
    board.write(b"\n")
    chips = [chip for chip in CHIPS if chip != "mill"]
    places = {
        "spread": {chip: ZONES[n % len(ZONES)] for n, chip in enumerate(chips[:16])},
        "eight": dict.fromkeys(chips[:8], "saffron"),
        "sixteen": dict.fromkeys(chips[:16], "saffron"),
    }
    said = b""
    figures: dict[str, dict[str, int]] = {}
    while b"done" not in said:
        if not board.run_until(lambda: b"\n" in board.chip.output, 120_000):
            raise TimeoutError("the script on the chip does not go on")
        said = board.read()
        for line in said.decode().splitlines():
            if line.startswith("{"):
                figure = json.loads(line)
                figures[figure.pop("what")] = figure
            elif line.startswith("lay "):
                for chip in list(world.order()):
                    board.lift(chip)
                for chip, zone in places[line.split()[1]].items():
                    board.lay(chip, zone)
                board.write(b"\n")
    return driver_rows(figures, settle_ms)


def driver_rows(figures: dict[str, dict[str, int]], settle_ms: int) -> list[Row]:
    """The script's figures in words."""
    aims = {
        "empty": ("empty sweep, drivers alone", 45),
        "inventory spread": ("full inventory, 16 chips spread", 125),
        "inventory eight": ("full inventory, 8 chips in one bowl and 12 empty readers", None),
        "inventory sixteen": ("full inventory, 16 chips in one bowl and 12 empty readers", None),
        "verify spread": ("16 known chips verified", None),
    }
    rows: list[Row] = []
    for name, (what, aim) in aims.items():
        found = figures[name]
        rows.append(
            (
                what,
                f"{found['us'] / 1000:.1f} ms, {found['tags']} tags, {found['bytes']} bytes",
                f"{aim} ms" if aim and settle_ms == 2 else "-",
                "13 readers one after the other, best of 5; bytes: allocated by one sweep",
            )
        )
    empty = figures["empty"]["us"]
    for name, aim in (("eight", 60), ("sixteen", 110)):
        spent = (figures[f"inventory {name}"]["us"] - empty * 12 / 13) / 1000
        rows.append(
            (
                f"of it the one bowl with {name} chips",
                f"{spent:.1f} ms",
                f"{aim} ms" if settle_ms == 2 else "-",
                "the sweep less twelve thirteenths of an empty one",
            )
        )
    step = figures["step"]
    rows.append(
        (
            "step of Safranito",
            f"median {step['median'] / 1000:.1f} ms, at most {step['max'] / 1000:.1f} ms",
            "-",
            f"{step['n']} events of a recorded 4-player game",
        )
    )
    return rows


def measure(image: Path, settle_ms: int, say: Callable[[str], None]) -> list[Row]:
    """All figures at one settle time."""
    bench = Bench(image, settle_ms, say)
    say(f"settle {settle_ms} ms: starting")
    rows = [*drivers(image, settle_ms), bench.start()]
    say("empty sweeps")
    rows += bench.sweeps("empty sweep of 13 readers", "45 ms" if settle_ms == 2 else "-")
    say("landings")
    rows.append(bench.landings(15))
    rows += bench.sweeps("sweep with 15 chips lying, verified", "-")[:1]
    say("a game of four")
    bench.client.request(
        "new", timeout=WAIT_S, game="safranito", options={"players": 4, "mode": "full", "seed": 1}
    )
    bench.board.run_for(300)
    memory = bench.memory()
    rows.append((f"{memory[0]} in a 4-player game", *memory[1:]))
    rows += bench.sweeps("sweep in a game, 15 chips", "-")
    return rows


def main(argv: list[str] | None = None) -> int:
    """Measure and print a table a settle time."""
    parser = argparse.ArgumentParser(prog="spiceboard bench --emulated", description=__doc__)
    parser.add_argument("--uf2", help="an official image instead of our build")
    parser.add_argument("--settle", type=int, action="append", help="only this settle time, ms")
    arguments = parser.parse_args(argv)
    err = Console(stderr=True)
    try:
        image = find_image(arguments.uf2)
    except ImageError as error:
        print(f"spiceboard: {error}", file=sys.stderr)
        return 2
    for settle in arguments.settle or SETTLES_MS:
        began = time.monotonic()
        rows = measure(image, settle, lambda text: err.print(f"[{text}]", markup=False))
        table = Table(
            "what",
            "figure",
            "aim",
            "how it was taken",
            title=f"emulated RP2040 at 125 MHz, MicroPython 1.25, settle {settle} ms",
        )
        for row in rows:
            table.add_row(*row)
        Console(width=max(120, Console().width)).print(table)
        err.print(f"[{time.monotonic() - began:.0f} s of wall time]", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
