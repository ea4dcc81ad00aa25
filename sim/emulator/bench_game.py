"""What a game costs on the emulated RP2040: steps of the rules alone, and whole rounds by wire."""

import json
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spiceboard.host.bench import players_of, recorded
from spiceboard.host.bots.offline import GAMES
from spiceboard.host.client import Client
from spiceboard.sim.emulator.board import EmulatedBoard, VirtualLink, installed
from spiceboard.sim.world import World

Row = tuple[str, str, str, str]  # what, figure, aim, how it was taken
SCRIPT = Path(__file__).resolve().parents[1] / "micropython" / "bench" / "rp2040.py"
WAIT_S = 60.0  # of the board's time
HOUR_MS = 3_600_000


def on_chip(image: Path, game: str) -> dict[str, Any]:
    """What the script on the chip found: a recorded game of the most players."""
    record = recorded(game, 1)
    files = installed() | {"main.py": SCRIPT.read_bytes()}
    files["bench.json"] = json.dumps({"game": game}).encode()
    lines = [record["options"], *record["events"]]
    files["bench.txt"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    board = EmulatedBoard(image, World(1), files)
    said = bytearray()

    def done() -> bool:
        said.extend(board.read())
        return b"}" in said or b"Error" in said

    board.run_until(lambda: board.chip.connected, 2000)
    if not board.run_until(done, HOUR_MS) or b"}" not in said:
        raise RuntimeError(f"the script on the chip failed: {said.decode()}")
    found: dict[str, Any] = json.loads(said[said.index(b"{") : said.index(b"}") + 1])
    return found


def rules(image: Path, say: Callable[[str], None]) -> Iterator[Row]:
    """What `step` and `legal` cost, and the heap, by a script on the chip."""
    for game in GAMES:
        say(f"rules of {game}")
        found = on_chip(image, game)
        how = f"{found['steps']} events of a recorded game of {players_of(game)}, rules alone"
        for what, aim in (("step", "-"), ("legal", "0.5 s" if game == "rathot" else "-")):
            yield (
                f"{game}: {what}",
                f"median {found[what + '_median_us'] / 1000:.1f} ms, "
                f"at most {found[what + '_max_us'] / 1000:.1f} ms",
                aim,
                how
                + (
                    " (all legal events of a seat that is asked, as the board sends them)"
                    if what == "legal"
                    else ""
                ),
            )
        yield (
            f"{game}: lowest free heap",
            f"{found['free_lowest'] / 1024:.0f} KiB",
            "-",
            how + ", gc.mem_free() after gc.collect(), each 16 events",
        )


class WireGame:
    """The whole firmware in games of four whose chips are told by wire (`sensing` wire)."""

    def __init__(self, image: Path) -> None:
        self.board = EmulatedBoard(image, World(1))
        self.client = Client(VirtualLink(self.board))
        self.client.connect()
        self.free: list[int] = []  # bytes after each round, collected
        self.ms: list[float] = []  # request until reply, per event

    def memory(self) -> int:
        """Free bytes after a collection."""
        return int(self.client.request("diag", what="memory", timeout=WAIT_S)["free"])

    def play(self, rounds: int) -> None:
        """Replay recorded games until so many rounds were played."""
        seed = 1
        while len(self.free) < rounds:
            self._game(recorded("safranito", seed), rounds)
            seed += 1

    def _game(self, record: dict[str, Any], rounds: int) -> None:
        keys: dict[int, str] = {}
        options = record["options"]
        self.client.request(
            "new", timeout=WAIT_S, game="safranito", options=options, sensing="wire"
        )
        for seat in range(options["players"]):
            keys[seat] = self.client.request("claim", timeout=WAIT_S, seat=seat)["key"]
        for event in record["events"]:
            began = self.board.now_ms
            if event[0] == "moved":
                self.client.request("sense", timeout=WAIT_S, moves=event[2])
            else:
                key = keys[event[1]]
                self.client.request("act", timeout=WAIT_S, seat=event[1], key=key, event=event)
            self.ms.append(self.board.now_ms - began)
            heard = [item for item in self.client.poll(0) if item[0] == "game"]
            if any(item[1][0] in ("round", "over") for item in heard):
                self.free.append(self.memory())
                if len(self.free) >= rounds:
                    break
        snapshot = self.client.request("snapshot", timeout=WAIT_S)
        if not snapshot["game"]["over"]:
            self.client.request("abort", timeout=WAIT_S, confirm=True)


def by_wire(image: Path, rounds: int, say: Callable[[str], None]) -> Iterator[Row]:
    """Free heap of the whole firmware after rounds that are fed by wire, and what events cost."""
    say(f"{rounds} rounds by wire")
    game = WireGame(image)
    game.play(rounds)
    kib = [free / 1024 for free in game.free]
    yield from (
        (
            f"free heap after {len(kib)} rounds of four players",
            f"{kib[-1]:.0f} KiB, lowest {min(kib):.0f}, after the first round {kib[0]:.0f}",
            "90 KB",
            "whole firmware, recorded games fed by wire, gc.mem_free() after gc.collect()",
        ),
        (
            "an event by wire until its reply",
            f"median {statistics.median(game.ms):.0f} ms, at most {max(game.ms):.0f} ms",
            "-",
            f"{len(game.ms)} of them: parsed, stepped, compared, in the journal, answered",
        ),
    )
