"""What a game costs on the emulated RP2040: steps of the rules alone, and whole rounds by wire."""

import json
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spiceboard.board.client import Client
from spiceboard.commands.bench import players_of, recorded
from spiceboard_sim.bench.wire_rounds import LOOK_EVERY, WireGame
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator.board import EmulatedBoard, VirtualLink, installed
from spicecore.games import GAMES

Row = tuple[str, str, str, str]  # what, figure, aim, how it was taken
SCRIPTS = Path(__file__).with_name("on_board")
HOUR_MS = 3_600_000


def on_chip(image: Path, game: str) -> dict[str, Any]:
    """What the script on the chip found: a recorded game of the most players."""
    record = recorded(game, 1)
    files = installed() | {"main.py": (SCRIPTS / "rp2040.py").read_bytes()}
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


def wire_game(image: Path) -> WireGame:
    """On the emulated board, with the whole unchanged firmware."""
    client = Client(VirtualLink(EmulatedBoard(image, World(1))))
    client.connect()
    return WireGame(client)


def by_wire(image: Path, rounds: int, say: Callable[[str], None]) -> Iterator[Row]:
    """Free heap of the whole firmware after rounds that are fed by wire, and what events cost."""
    say(f"{rounds} rounds by wire")
    game = wire_game(image)
    game.play(rounds, say)
    began, *looks, drawn = [free / 1024 for _, free in game.free]
    yield from (
        (
            f"free heap after {rounds} rounds of four players",
            f"{looks[-1]:.1f} KiB, {drawn:.1f} with the rings drawn; {began:.1f} as the game "
            f"began, {min(looks):.1f} to {max(looks):.1f} at all looks between; lowest before a "
            f"collection {game.lowest / 1024:.1f}",
            "90 KB",
            "whole unchanged firmware, scripted rounds fed by wire, gc.mem_free() after "
            f"gc.collect() every {LOOK_EVERY} rounds; the rings are the host's, but for one more "
            "round at the end",
        ),
        (
            "a request by wire until its reply",
            f"median {statistics.median(game.ms):.0f} ms, at most {max(game.ms):.0f} ms",
            "-",
            f"{len(game.ms)} of them: read, stepped, compared, on flash in the journal, answered",
        ),
    )
