"""Fill the table of throws from the physics: `python -m spiceboard_sim.study.throw_table`.

Rounds are thrown (`throw_rounds`) and counted; the board and the hands are symmetrical, so each
throw counts for its mirror image, too. A row with few throws leans on the rows that differ from it
only in the crowd, then on those that differ in the strength, too. Rounds that were not counted
tell how far rounds drawn from the table are from the physics, and the physics from itself (total
variation of aim and place after the round: 0 alike, 1 nothing in common).
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from spiceboard.commands.process import run
from spiceboard.errors import UserError
from spiceboard.kernels import throws
from spiceboard_sim.board.geometry import WIDTH, ZONE, zone_at
from spiceboard_sim.study import throw_rounds
from spiceboard_sim.study.throw_rounds import NOWHERE, STRENGTHS, Throw
from spiceboard_sim.throws import scene
from spiceboard_sim.throws.constants import Constants
from spicecore.parts import ZONES
from spicecore.version import VERSION

LEAN = 8.0  # throws that the coarser rows count for
Shares = list[float]
Key = tuple[int, ...]


def mirrored() -> list[int]:
    """For each zone the number of the one at the other side; NOWHERE and STAYS are themselves."""
    found = []
    for name in ZONES:
        other = zone_at(WIDTH - ZONE[name].x, ZONE[name].y)
        assert other, "the board is symmetrical"
        found.append(ZONES.index(other.name))
    return [*found, throws.NOWHERE, throws.STAYS]


def both_sides(rounds: Iterable[list[Throw]]) -> Iterable[Throw]:
    """Every throw and its mirror image."""
    swap = mirrored()
    for throw in (throw for each in rounds for throw in each):
        yield throw
        others = tuple((swap[was], swap[now]) for was, now in throw.others)
        yield Throw(swap[throw.aim], throw.strength, swap[throw.end], others)


def counted(thrown: Iterable[Throw]) -> tuple[dict[Key, Counter[int]], dict[Key, Counter[int]]]:
    """Where chips landed by (aim, strength), and where chips that lay there were pushed.

    The latter by (missed, zone, strength, crowd), and by the first two and three of these.
    """
    landed: dict[Key, Counter[int]] = {}
    pushed: dict[Key, Counter[int]] = {}
    for throw in thrown:
        landed.setdefault((throw.aim, throw.strength), Counter())[throw.end] += 1
        missed = throw.end == NOWHERE
        here = throw.aim if missed else throw.end
        lay = [now for was, now in throw.others if was == here]
        key = (int(missed), here, throw.strength, min(len(lay), throws.CROWD) - 1)
        for now in lay:
            for size in (2, 3, 4):
                what = throws.STAYS if now == here else now
                pushed.setdefault(key[:size], Counter())[what] += 1
    return landed, pushed


def leaning(counts: Counter[int], coarse: Shares) -> Shares:
    """Shares of the outcomes 0..STAYS, drawn towards coarser ones where there are few counts."""
    whole = sum(counts.values()) + LEAN
    return [(counts[k] + LEAN * share) / whole for k, share in enumerate(coarse)]


def whole_shares(exact: Shares) -> list[int]:
    """Shares as whole numbers that add up to `throws.SHARES`, by largest remainder."""
    parts = [share * throws.SHARES for share in exact]
    rounded = [int(part) for part in parts]
    rest = sorted(range(len(parts)), key=lambda k: (rounded[k] - parts[k], k))
    for k in rest[: throws.SHARES - sum(rounded)]:
        rounded[k] += 1
    return rounded


def table(rounds: Iterable[list[Throw]]) -> dict[str, list[list[int]]]:
    """The rows in the order in which `throws` looks them up. ValueError: too few rounds."""
    landed, pushed = counted(both_sides(rounds))
    stays = [0.0] * throws.STAYS + [1.0]
    out: dict[str, list[list[int]]] = {"landed": [], "pushed": []}
    for aim in range(throws.ZONES):
        for strength in range(len(STRENGTHS)):
            here = landed.get((aim, strength))
            if not here:
                raise ValueError(f"no round has a throw at {ZONES[aim]} with each strength")
            n = here.total()
            out["landed"].append(whole_shares([here[k] / n for k in range(throws.STAYS + 1)]))
    for missed in (0, 1):
        for zone in range(throws.ZONES):
            for strength in range(len(STRENGTHS)):
                for crowd in range(throws.CROWD):
                    key, shares = (missed, zone, strength, crowd), stays
                    for size in (2, 3, 4):
                        shares = leaning(pushed.get(key[:size], Counter()), shares)
                    out["pushed"].append(whole_shares(shares))
    return out


# --- rounds on the table and on the physics ---


def drawn(rows: dict[str, list[list[int]]], thrown: list[Throw], chance: Random) -> list[int]:
    """The zones in which the chips of a round lie in the end when it is drawn from the table."""
    lying: list[int] = []
    outcomes = range(throws.STAYS + 1)
    for throw in thrown:
        row = rows["landed"][throw.aim * len(STRENGTHS) + throw.strength]
        end = chance.choices(outcomes, row)[0]
        here = throw.aim if end == NOWHERE else end
        crowd = min(lying.count(here), throws.CROWD)
        number = ((end == NOWHERE) * throws.ZONES + here) * len(STRENGTHS) + throw.strength
        for i, zone in enumerate(lying):
            if zone == here:
                pushes = rows["pushed"][number * throws.CROWD + crowd - 1]
                to = chance.choices(outcomes, pushes)[0]
                lying[i] = here if to == throws.STAYS else to
        lying.append(end)
    return lying


def after(thrown: list[Throw]) -> list[int]:
    """The zones in which the chips of a thrown round lie in the end; NOWHERE: taken away."""
    places: list[int] = []
    for throw in thrown:
        moved = iter(throw.others)
        places = [next(moved)[1] if place != NOWHERE else NOWHERE for place in places]
        places.append(throw.end)
    return places


def ends(rounds: Iterable[tuple[list[Throw], list[int]]]) -> Counter[Key]:
    """How many chips were aimed at a zone and lie in one in the end, both sides taken as one."""
    swap = mirrored()
    found: Counter[Key] = Counter()
    for thrown, places in rounds:
        for throw, place in zip(thrown, places, strict=True):
            here = (throw.aim, place)
            found[min(here, (swap[throw.aim], swap[place]))] += 1
    return found


def distance(one: Counter[Key], other: Counter[Key]) -> float:
    """The total variation between two counts, 0..1."""
    n, m = one.total(), other.total()
    return round(sum(abs(one[k] / n - other[k] / m) for k in {*one, *other}) / 2, 4)


def compared(rows: dict[str, list[list[int]]], fresh: list[list[Throw]]) -> dict[str, float]:
    """Distances between fresh rounds and drawn ones, and between the halves of the fresh ones."""
    chance = Random("compared")
    halves = fresh[::2], fresh[1::2]
    physics = [ends((each, after(each)) for each in half) for half in halves]
    table_ends = [ends((each, drawn(rows, each, chance)) for each in half) for half in halves]
    passed = [was != now for each in fresh for throw in each for was, now in elsewhere(throw)]
    return {
        "table_to_physics": distance(physics[0] + physics[1], table_ends[0] + table_ends[1]),
        "half_table_to_half_physics": distance(physics[0], table_ends[1]),
        "half_physics_to_other_half": distance(physics[0], physics[1]),
        "moved_by_the_way": round(sum(passed) / max(len(passed), 1), 4),
    }


def elsewhere(throw: Throw) -> list[tuple[int, int]]:
    """Chips that lay neither where a throw ended nor, if it missed, where it was aimed."""
    here = throw.aim if throw.end == NOWHERE else throw.end
    return [each for each in throw.others if each[0] != here]


def constants_hash(constants: Constants) -> str:
    """SHA-256 of the constants that throws were made with."""
    return hashlib.sha256(json.dumps(asdict(constants), sort_keys=True).encode()).hexdigest()


def save(path: Path, made_by: dict[str, Any], rows: dict[str, list[list[int]]]) -> None:
    """Write the table, one row a line."""
    parts = [f'"made_by": {json.dumps(made_by)}']
    for name, each in rows.items():
        parts.append(f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in each) + "\n]")
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def main(argv: list[str] | None = None) -> int:
    """Make the table and write it."""
    parser = argparse.ArgumentParser(prog="python -m spiceboard_sim.study.throw_table")
    parser.add_argument("--rounds", type=int, default=300, help="for the table (default 300)")
    parser.add_argument("--fresh", type=int, default=140, help="to compare with (default 140)")
    parser.add_argument(
        "--records", type=Path, required=True, help="file for the rounds; it can be continued"
    )
    parser.add_argument("--output", type=Path, default=throws.FILE)
    chosen = parser.parse_args(argv)
    seeds = range(chosen.rounds + chosen.fresh)
    constants = Constants()
    try:
        thrown = throw_rounds.thrown(chosen.records, seeds, constants)
        rows = table(thrown[seed] for seed in range(chosen.rounds))
    except (OSError, ValueError) as error:
        raise UserError(str(error)) from error
    made_by = {
        "physics": f"MuJoCo {scene.VERSION}, constants of spiceboard_sim.throws",
        "spiceboard": VERSION,
        "constants_sha256": constants_hash(constants),
        "seeds": [0, chosen.rounds],
        "throws": sum(len(thrown[seed]) for seed in range(chosen.rounds)),
        "strengths": list(STRENGTHS),
        "fresh_seeds": [chosen.rounds, chosen.rounds + chosen.fresh],
        "distance": compared(rows, [thrown[seed] for seed in seeds[chosen.rounds :]]),
    }
    save(chosen.output, made_by, rows)
    print(f"{chosen.output}: {json.dumps(made_by, indent=1)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
