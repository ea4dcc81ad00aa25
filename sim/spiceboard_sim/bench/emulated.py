"""`spiceboard bench --emulated`: the unchanged firmware's figures on the emulated RP2040.

Times are the chip's own. Cycle counts are near, not exact: no flash cache is modelled, so allow a
factor of 1.5 to 2 on the share that is code; RF, settle and SPI times are by their standards.
"""

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from spiceboard.board.client import Client
from spiceboard.commands.bench import EMULATED_PARTS, EMULATED_SETTLES_MS
from spiceboard.commands.process import run
from spiceboard_sim.bench import emulated_game, sweeps
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator import native
from spiceboard_sim.emulator.board import (
    EmulatedBoard,
    VirtualLink,
    installed,
    instead_of_main,
    roster_files,
    settings_files,
)
from spiceboard_sim.emulator.image import ImageError, find_image
from spicecore.parts import CHIPS, ZONES

Row = tuple[str, str, str, str]  # what, figure, aim, how it was taken
LANDINGS = 100
MOVING = Path(__file__).with_name("on_board") / "moving.py"
WAIT_S = 60.0  # of the board's time


class Bench:
    """One emulated board with a given settle time."""

    def __init__(self, image: Path, settle_ms: int, main: bytes | None = None) -> None:
        self.settle_ms = settle_ms
        self.world = World(1)
        settle = dict.fromkeys(ZONES, settle_ms * 1000)
        values: dict[str, object] = {"settle_us": settle, "pass_ms": 0}
        files = installed() | roster_files(self.world) | settings_files(values)
        if main is not None:
            files = instead_of_main(files, main)
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

    def sweeps(self, what: str, aim: str, ms: float = 400) -> Row:
        """Sweeps while there are no requests, counted by the fields that go on."""
        self.board.run_for(300)
        begun: list[float] = []
        order: list[str] = []
        fields = self.world.fields
        kept = {zone: field.switch for zone, field in fields.items()}

        def watch(zone: str) -> Callable[[bool, int], None]:
            def switch(on: bool, now: int) -> None:
                if on:
                    if zone == ZONES[0]:
                        begun.append(now / 1e6)
                    order.append(zone)
                kept[zone](on, now)

            return switch

        for zone, field in fields.items():
            field.switch = watch(zone)  # type: ignore[assignment,method-assign]
        self.frames.clear()
        self.board.run_for(ms)
        for zone, field in fields.items():
            field.switch = kept[zone]  # type: ignore[method-assign]
        each = [b - a for a, b in itertools.pairwise(begun)]
        return (
            what,
            f"median {statistics.median(each):.1f} ms, mean {statistics.mean(each):.1f}, "
            f"longest {max(each):.0f}",
            aim,
            f"from field to field of {ZONES[0]}, {len(each)} sweeps, nobody asks anything",
        )

    def glow(self, ms: float = 500) -> Row:
        """LED frames, decoded from the pixel pin."""
        self.board.run_for(300)
        self.frames.clear()
        self.board.run_for(ms)
        gaps = [b - a for a, b in itertools.pairwise(self.frames)]
        return (
            "LED frames while sweeping, all 13 rings changing",
            f"{len(gaps) * 1000 / sum(gaps):.0f} /s, longest gap {max(gaps):.0f} ms",
            "40 /s",
            "decoded from the pixel pin; every ring swells with each frame (bench/moving.py)",
        )

    def lay_many(self, places: dict[str, str]) -> None:
        """Lay chips and let the board see them all."""
        for chip, zone in places.items():
            self.board.lay(chip, zone)
        self.board.run_for(1500)
        self.client.poll(0.01)

    def landings(self, others: int) -> Row:
        """A chip lands in a bowl until its event has arrived at the host."""
        self.lay_many({chip: ZONES[n % len(ZONES)] for n, chip in enumerate(CHIPS[:others])})
        chip = CHIPS[others]
        times = []
        for number in range(LANDINGS):
            # spread over the phase of the sweep, which a hand does not know
            self.board.run_for(37 + 13 * number % 60)
            self.client.poll(0)
            began = self.board.now_ms
            zone = ZONES[number % 9]
            self.board.lay(chip, zone)
            while not any(
                i[0] == "board" and i[1][0] == "moved" and i[1][1][0][2] == zone
                for i in self.client.poll(0.002)
            ):
                if self.board.now_ms - began > 3000:
                    raise RuntimeError(f"{chip} was laid into {zone} and not told in 3 s")
            times.append(self.board.now_ms - began)
            self.board.lift(chip)
            self.board.run_for(400)
        times.sort()
        late = times[int(0.95 * len(times))]
        aim = {2: "p95 45 ms", 5: "p95 60 ms"}[self.settle_ms]
        return (
            f"a chip lands until its event is on the wire, {others} lying in 13 zones",
            f"median {statistics.median(times):.0f} ms, p95 {late:.0f} ms",
            aim,
            f"{LANDINGS} landings, 2 agreeing readings, setting `pass_ms` 0; by default a chip "
            "lies 150 ms before it is told, so that a hand passing by does not count",
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


def measure(image: Path, settle_ms: int, say: Callable[[str], None]) -> Iterator[Row]:
    """All figures at one settle time."""
    say(f"settle {settle_ms} ms: readers alone")
    yield from readers(settle_ms)
    say("start")
    bench = Bench(image, settle_ms)
    yield bench.start()
    say("empty sweeps")
    yield bench.sweeps("empty sweep of 13 readers", "22 ms" if settle_ms == 2 else "40 ms")
    say("landings")
    yield bench.landings(15)
    yield bench.sweeps("sweep with 15 chips lying, verified", "-")
    say("a game of four")
    options = {"players": 4, "mode": "full", "seed": 1}
    bench.client.request("new", timeout=WAIT_S, game="safranito", options=options)
    bench.board.run_for(300)
    memory = bench.memory()
    yield (f"{memory[0]} in a 4-player game", *memory[1:])
    yield bench.sweeps("sweep in a game, 15 chips", "-")
    say("LED frames")
    moving = Bench(image, settle_ms, MOVING.read_bytes())
    moving.client.connect()
    yield moving.glow()


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The options; `spiceboard bench --emulated` passes its own on to them."""
    parser = argparse.ArgumentParser(prog="spiceboard bench --emulated", description=__doc__)
    parser.add_argument("--uf2", help="an official image instead of our build")
    parser.add_argument("--rounds", type=int, default=200, help="by wire (default %(default)s)")
    parser.add_argument("--settle", type=int, action="append", help="only this settle time, ms")
    parser.add_argument("--only", choices=EMULATED_PARTS, help="only this part")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Measure and print a table a settle time."""
    arguments = parse(argv)
    err = Console(stderr=True)
    try:
        image = find_image(arguments.uf2)
    except ImageError as error:
        print(f"spiceboard: {error}", file=sys.stderr)
        return 2

    def say(text: str) -> None:
        err.print(f"[{text}]", markup=False)

    if native.WHY_WHEEL:
        say(f"the emulator runs without a compiled core, eight times slower: {native.WHY_WHEEL}")
    began = time.monotonic()
    parts: list[tuple[str, Iterator[Row]]] = []
    if arguments.only in (None, "board"):
        for settle in arguments.settle or EMULATED_SETTLES_MS:
            parts.append((f"settle {settle} ms", measure(image, settle, say)))
    if arguments.only in (None, "games"):
        parts.append(("rules", emulated_game.rules(image, say)))
    if arguments.only in (None, "wire"):
        parts.append(("events by wire", emulated_game.by_wire(image, arguments.rounds, say)))
    for title, rows in parts:
        table = Table(
            "what",
            "figure",
            "aim",
            "how it was taken",
            title=f"emulated RP2040 at 125 MHz, MicroPython 1.25, {title}",
        )
        for row in rows:
            say(f"{row[0]}: {row[1]}")
            table.add_row(*row)
        Console(width=max(120, Console().width)).print(table)
    say(f"{time.monotonic() - began:.0f} s of wall time")
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
