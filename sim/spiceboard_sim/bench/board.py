"""Figures of the simulated board for `spiceboard bench`: one JSON row a line.

Counted, not timed: bus accesses and bytes at the controller's pins, RF time by the standard's
timing of each frame. The same every time. The heap is the firmware's own word in a whole game.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.board.world import World, ZoneField
from spiceboard_sim.chips import air
from spiceboard_sim.headless import BoardLink, WorldHands
from spicecore.parts import CHIPS

SCRIPT = Path(__file__).with_name("on_board") / "sweep.py"
HOW = "Unix port, simulated board, counted; 2 ms settle, cold walk of 13 readers"
PLAYERS = 4


@dataclass
class Air:
    """Time that frames and answers are on the air, ns."""

    ns: int = 0
    frames: int = 0

    def listen(self, field: ZoneField) -> None:
        """Count what this field sends and hears from now on."""
        send = field.send

        def counted(
            value: int, bits: int, start: int, end: int, gain_db: int
        ) -> air.Reception | None:
            reception = send(value, bits, start, end, gain_db)
            self.frames += 1
            self.ns += end - start
            if reception is not None:
                self.ns += reception.fdt_ns + air.response_ns(reception.bits, 0)
            return reception

        field.send = counted  # type: ignore[method-assign]


def sweep(places: dict[str, str]) -> dict[str, Any]:
    """One cold inventory of the chips laid into these zones."""
    world = World(1)
    for chip, zone in places.items():
        world.lay(chip, zone)
    counter = Air()
    for field in world.fields.values():
        counter.listen(field)
    with SimulatedBoard(world, firmware=SCRIPT) as board:
        said = b""
        while b"start\n" not in said.replace(b"\r", b""):
            board.run_to_output(10_000)
            said += board.read()
        controller = board.controller
        before = controller.accesses, controller.bytes_sent, counter.ns, counter.frames
        said = b""
        while b"}" not in said:
            board.run_to_output(10_000)
            said += board.read()
        after = controller.accesses, controller.bytes_sent, counter.ns, counter.frames
    figures: dict[str, Any] = json.loads(said[said.index(b"{") :])
    names = ("accesses", "bytes", "air_ns", "frames")
    return figures | {n: b - a for n, a, b in zip(names, before, after, strict=True)}


def row(what: str, figures: dict[str, Any]) -> dict[str, str]:
    """The figures of a sweep as one row."""
    text = (
        f"{figures['found']} tags, {figures['accesses']} bus accesses, {figures['bytes']} bytes, "
        f"{figures['frames']} frames, RF {figures['air_ns'] / 1e6:.1f} ms, "
        f"in all {figures['us'] / 1000:.1f} ms of model time"
    )
    return {"what": what, "figure": text, "how": HOW}


def sweeps() -> list[dict[str, str]]:
    """Empty, 16 chips spread over the zones, 8 in one bowl."""
    zones = list(ZONE)
    chips = [chip for chip in CHIPS if chip != "mill"]
    spread = {chip: zones[index % len(zones)] for index, chip in enumerate(chips[:16])}
    heap = dict.fromkeys(chips[:8], "saffron")
    return [
        row("empty sweep", sweep({})),
        row("16 chips spread, full inventory", sweep(spread)),
        row("8 chips in one bowl, full inventory", sweep(heap)),
    ]


def whole_game(seed: int) -> list[dict[str, str]]:
    """The firmware's heap after a whole game, by its own diagnosis."""
    with SimulatedBoard(seed=seed) as board:
        client = Client(BoardLink(board))
        client.connect()
        bots = {seat: bot.load("safranito", "sensible")(seat, seed) for seat in range(PLAYERS)}
        match = Match(client, bots, WorldHands(board.world))
        match.start("safranito", {"players": PLAYERS, "mode": "full", "seed": seed})
        match.play()
        memory = client.request("diag", what="memory")
        status = client.request("status")
    how = f"Unix port, heap 384 kB (its objects are twice the RP2040's), {PLAYERS} players"
    return [
        {
            "what": "firmware: heap high water",
            "figure": f"{memory['used'] + memory['free'] - memory['lowest']} bytes of "
            f"{memory['used'] + memory['free']}",
            "how": how,
        },
        {
            "what": "firmware: last sweep in it",
            "figure": f"{status['sweep_ms']} ms of model time",
            "how": f"13 readers, known chips verified; {status['sweeps']} sweeps in the game",
        },
    ]


def main(argv: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m spiceboard_sim.bench.board", description=__doc__
    )
    parser.add_argument("--seed", type=int, default=1, help="of the game (default 1)")
    seed = parser.parse_args(argv).seed
    for line in [*sweeps(), *whole_game(seed)]:
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
