"""`spiceboard study sensing`: the board's verdict against geometry, over many throws.

The unchanged firmware runs on the simulated board; chips are thrown by the world's physics; the
verdict is what a snapshot says over the wire. Each layout is a seed: results are lines of a file
that grows, so that a run can be stopped, resumed, and shared among cores.
"""

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from spiceboard.board.client import Client
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.board.world import World
from spiceboard_sim.headless import BoardLink
from spiceboard_sim.rf.tag import TagCircuit, spread
from spiceboard_sim.study import layouts, verdict
from spiceboard_sim.study.rounds import Round

REST_MS = 700  # of the board's time after a throw has come to rest
LOOK_MS = 2500  # and at the end, before it is asked
BOOT_MS = 3000
Result = dict[str, Any]
Job = tuple[str, int, float]  # kind, seed, megahertz


def layout(kind: str, seed: int, megahertz: float = 0.0) -> Result:
    """One layout, judged. Half of the tags fall to IDLE where others stay READY; megahertz: what
    they are tuned to, 0 as geometry.json says."""
    acts = layouts.KINDS[kind](Random(f"{kind} {seed}"))
    world = World(seed)
    chance = Random(f"makes {seed}")
    for chip in world.chips.values():
        chip.tag.stays_ready = chance.random() < 0.5
        if megahertz:
            chip.circuit = spread(TagCircuit(1e6 * megahertz), chance)
    with SimulatedBoard(world) as board:
        client = Client(BoardLink(board))
        client.connect()
        board.run_for(BOOT_MS)
        played = Round(client, world) if kind == "round" else None
        for act in acts:
            if act.strength is None:
                world.lay(act.chip, x=act.x, y=act.y)
                board.run_for(REST_MS)
            else:
                world.throw(act.chip, act.zone, act.strength)
                board.run_for(1000 * world.thrown[-1].seconds + REST_MS)
            if played:
                played.after(act.chip)
        board.run_for(LOOK_MS)
        snapshot = client.request("snapshot")
        rows = [row.line() for row in verdict.rows(world, snapshot)]
    throws = sum(act.strength is not None for act in acts)
    result = {"kind": kind, "seed": seed, "tags": megahertz, "throws": throws, "rows": rows}
    if played:
        result["questions"] = len(snapshot["doubts"])
        result["needless"] = played.needless(snapshot)
        result["decided"] = played.doubts
    return result


def _work(job: Job) -> Result:
    return layout(*job)


def job_of(result: Result) -> Job:
    """What a result is of."""
    return result["kind"], result["seed"], result.get("tags", 0.0)


def done(path: Path) -> list[Result]:
    """The results in a file; ValueError names a line that is not a result."""
    found = []
    if path.exists():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                found.append(dict(json.loads(line)))
            except ValueError:
                raise ValueError(f"{path}, line {number} is not a result of a study") from None
    return found


def run(jobs: Iterable[Job], path: Path, workers: int) -> Iterator[Result]:
    """Compute what the file does not contain yet; every result is in the file before it is
    reported."""
    have = {job_of(result) for result in done(path)}
    todo = [job for job in jobs if job not in have]
    with path.open("a", encoding="utf-8") as file:
        if workers <= 1:
            results: Iterable[Result] = map(_work, todo)
            yield from _kept(results, file)
            return
        with ProcessPoolExecutor(workers) as pool:
            yield from _kept(pool.map(_work, todo), file)


def _kept(results: Iterable[Result], file: Any) -> Iterator[Result]:
    for result in results:
        file.write(json.dumps(result) + "\n")
        file.flush()
        os.fsync(file.fileno())
        yield result
