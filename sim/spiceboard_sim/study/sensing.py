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
from typing import Any, NamedTuple

from spiceboard.board.client import Client
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.board.world import World
from spiceboard_sim.headless import BoardLink
from spiceboard_sim.rf.tag import TagCircuit, spread
from spiceboard_sim.study import layouts, verdict
from spiceboard_sim.study.evidence import Evidence
from spiceboard_sim.study.rounds import Round

REST_MS = 700  # of the board's time after a throw has come to rest
LOOK_MS = 2500  # and at the end, before it is asked
BOOT_MS = 3000
SLICE_S = 0.01  # between looks at what the board tells
Result = dict[str, Any]


class Job(NamedTuple):
    """What one layout is. tags: megahertz to which they are tuned, 0 as geometry.json says. hall:
    sensors are fitted. evidence: note what the readers hear of each chip, for `verdict_table`."""

    kind: str
    seed: int
    tags: float = 0.0
    hall: bool = False
    evidence: bool = False


def layout(job: Job) -> Result:
    """One layout, judged. Half of the tags fall to IDLE where others stay READY."""
    acts = layouts.KINDS[job.kind](Random(f"{job.kind} {job.seed}"))
    world = _world(job)
    with SimulatedBoard(world) as board:
        client = Client(BoardLink(board))
        client.connect()
        client.request("settings_set", values={"hall": job.hall})
        board.run_for(BOOT_MS)
        played = Round(client, world) if job.kind in layouts.IN_GAME else None
        seen = Evidence(client) if job.evidence else None
        told: list[float] = []
        for act in acts:
            board.run_for(_done(world, act))
            told += _watched(client)
            if played:
                played.after(act.chip)
            if seen:
                seen.look()
        board.run_for(LOOK_MS)
        snapshot = client.request("snapshot")
        rows = [row.line() for row in verdict.rows(world, snapshot)]
        if seen:
            seen.add_to(rows)
    throws = sum(act.strength is not None for act in acts)
    result = {**job._asdict(), "throws": throws, "told_ms": told, "rows": rows}
    if played:
        result["questions"] = len(snapshot["doubts"])
        result["needless"] = played.needless(snapshot)
        result["decided"] = played.doubts
    return result


def _world(job: Job) -> World:
    world = World(job.seed)
    chance = Random(f"makes {job.seed}")
    for chip in world.chips.values():
        chip.tag.stays_ready = chance.random() < 0.5
        if job.tags:
            chip.circuit = spread(TagCircuit(1e6 * job.tags), chance)
    return world


def _done(world: World, act: layouts.Act) -> float:
    """Let a hand do it; milliseconds until all lies still."""
    if act.strength is None:
        world.lay(act.chip, x=act.x, y=act.y)
        return 0.0
    world.throw(act.chip, act.zone, act.strength)
    return 1000 * world.thrown[-1].seconds


def _watched(client: Client) -> list[float]:
    """Let the board look; [ms after which it told the last change of chips], or []."""
    begun = client.link.now()
    told: list[float] = []
    while (passed := 1000 * (client.link.now() - begun)) < REST_MS:
        for kind, item in client.poll(SLICE_S):
            if kind == "board" and item[0] in ("moved", "doubt"):
                told = [round(passed, 1)]
    return told


def job_of(result: Result) -> Job:
    """What a result is of."""
    return Job(*(result.get(name, Job._field_defaults.get(name)) for name in Job._fields))  # type: ignore[arg-type]


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
            results: Iterable[Result] = map(layout, todo)
            yield from _kept(results, file)
            return
        with ProcessPoolExecutor(workers) as pool:
            yield from _kept(pool.map(layout, todo), file)


def _kept(results: Iterable[Result], file: Any) -> Iterator[Result]:
    for result in results:
        file.write(json.dumps(result) + "\n")
        file.flush()
        os.fsync(file.fileno())
        yield result
