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
from spiceboard.sim.emulator import sweeps
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


def rules(image: Path, turns: int) -> list[Row]:
    """What `step` costs, and whether the heap holds, by a script on the chip."""
    world = World(1)
    record = recorded("safranito", 1)
    files = installed() | {"main.py": SCRIPT.read_bytes()}
    files["bench.json"] = json.dumps({"turns": turns}).encode()
    lines = [record["options"], *record["events"]]
    files["bench.txt"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    board = EmulatedBoard(image, world, files)
    said = bytearray()

    def done() -> bool:
        said.extend(board.read())
        return b"}" in said or b"Error" in said

    board.run_until(lambda: board.chip.connected, 2000)
    if not board.run_until(done, 3_600_000) or b"}" not in said:
        raise RuntimeError(f"the script on the chip failed: {said.decode()}")
    found = json.loads(said[said.index(b"{") : said.index(b"}") + 1])
    kept = found["free_first"] - found["free_last"]
    return [
        (
            "step of Safranito",
            f"median {found['median_us'] / 1000:.1f} ms, at most {found['max_us'] / 1000:.1f} ms",
            "-",
            f"{found['steps']} events of a recorded game of 4, rules alone on the chip",
        ),
        (
            f"heap after {found['rounds']} rounds of it",
            f"{found['free_last'] / 1024:.0f} KiB free, {kept} bytes less than after the first",
            "-",
            "rules alone, events read from the flash; 200 rounds: --turns 40",
        ),
    ]


CASES = {  # of sweeps.py: what it is, and the aim at 2 ms
    "empty verify": ("empty sweep of 13 readers, drivers alone", 45),
    "eight walk": ("full inventory of 8 chips in one bowl", 60),
    "sixteen walk": ("full inventory of 16 chips in one bowl", 110),
    "spread walk": ("full inventory of 16 chips spread over 13 readers", 125),
    "spread verify": ("16 known chips verified", 0),
}


def readers(settle_ms: int) -> list[Row]:
    """Sweeps by the drivers alone, and what each spends its time on."""
    rows: list[Row] = []
    for found in sweeps.measure(list(CASES), settle_ms * 1000):
        what, aim = CASES[found["case"]]
        rows.append(
            (
                what,
                f"{found['us'] / 1000:.1f} ms",
                f"{aim} ms" if aim and settle_ms == 2 else "-",
                f"settle {found['settle_us'] / 1000:.0f}, air {found['air_us'] / 1000:.1f} "
                f"({found['frames']} frames), driver {found['driver_us'] / 1000:.1f} ms; "
                f"{found['allocated']} bytes allocated",
            )
        )
    return rows


def measure(image: Path, settle_ms: int, say: Callable[[str], None]) -> list[Row]:
    """All figures at one settle time."""
    bench = Bench(image, settle_ms, say)
    say(f"settle {settle_ms} ms: starting")
    rows = [*readers(settle_ms), bench.start()]
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
    parser.add_argument("--turns", type=int, default=1, help="of the recorded game (%(default)s)")
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
        for row in rows + (rules(image, arguments.turns) if settle == SETTLES_MS[0] else []):
            table.add_row(*row)
        Console(width=max(120, Console().width)).print(table)
        err.print(f"[{time.monotonic() - began:.0f} s of wall time]", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
