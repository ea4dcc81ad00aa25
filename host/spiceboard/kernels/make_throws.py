"""Fill the table of throws from the physics: `python -m spiceboard.kernels.make_throws`.

Any model of throws that has `FlatBoard`'s three methods can fill the table. This throws chips at
each zone with each strength. Then it compares rounds drawn from the table with rounds thrown by
the model, and writes the distances into the file (total variation: 0 alike, 1 nothing in common).
"""

import argparse
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from spiceboard.bots import throws as model_source
from spiceboard.bots.targets import ZONES
from spiceboard.kernels import throws

CHIPS = ("b10", "r10", "g10", "o10", "b20")  # the thrown one, and up to four that lie there
TRIES = 400  # throws that may be spent to get one that ends in the right zone


class Physics(Protocol):
    """A board that chips are thrown at."""

    def throw(self, chip: str, zone: str, strength: float) -> object:
        """Throw at a zone's middle; strength 0 soft to 1 hard."""

    def zone(self, chip: str) -> str | None:
        """The zone in which a thrown chip lies; None: in no zone."""

    def lift(self, chip: str) -> None:
        """Take a chip off the board."""


Maker = Callable[[random.Random], Physics]


def number(zone: str | None) -> int:
    """The number of a zone."""
    return throws.NOWHERE if zone is None else ZONES.index(zone)


def shares(found: "Counter[int]") -> list[int]:
    """Counts of outcomes as shares that add up to `throws.SHARES`, by largest remainder."""
    total = sum(found.values())
    exact = [found[k] * throws.SHARES / total for k in range(throws.STAYS + 1)]
    rounded = [int(part) for part in exact]
    rest = sorted(range(len(exact)), key=lambda k: (rounded[k] - exact[k], k))
    for k in rest[: throws.SHARES - sum(rounded)]:
        rounded[k] += 1
    return rounded


def landings(make: Maker, aim: str, strength: float, samples: int) -> "Counter[int]":
    """Where chips end that are thrown at a zone of an empty board."""
    chance = random.Random(f"landed {aim} {strength}")
    found: Counter[int] = Counter()
    for _ in range(samples):
        board = make(chance)
        board.throw(CHIPS[0], aim, strength)
        found[number(board.zone(CHIPS[0]))] += 1
    return found


def laid(board: Physics, zone: str, n: int) -> None:
    """Put n chips into a zone: throw each softly until it lies there."""
    for chip in CHIPS[1 : n + 1]:
        for _ in range(TRIES):
            board.throw(chip, zone, 0.0)
            if board.zone(chip) == zone:
                break
            board.lift(chip)


def pushes(make: Maker, aim: str, missed: bool, strength: float, n: int, samples: int) -> Any:
    """What happens to n chips in a zone when a throw at it hits, and when it misses."""
    chance = random.Random(f"pushed {aim} {missed} {strength} {n}")
    found: Counter[int] = Counter()
    for _ in range(samples):
        board = make(chance)
        laid(board, aim, n)
        before = [chip for chip in CHIPS[1 : n + 1] if board.zone(chip) == aim]
        board.throw(CHIPS[0], aim, strength)
        if board.zone(CHIPS[0]) != (None if missed else aim):
            continue
        for chip in before:
            now = board.zone(chip)
            found[throws.STAYS if now == aim else number(now)] += 1
    if not found:  # it never happens, so this row is never drawn
        found[throws.STAYS] = 1
    return found


def table(make: Maker, samples: int) -> dict[str, list[list[int]]]:
    """The rows of the table; samples: the number of throws for each row."""
    return {
        "landed": [
            shares(landings(make, aim, strength, 10 * samples))
            for aim in ZONES
            for strength in throws.STRENGTHS
        ],
        "pushed": [
            shares(pushes(make, aim, missed, strength, n + 1, samples))
            for missed in (False, True)
            for aim in ZONES
            for strength in throws.STRENGTHS
            for n in range(throws.CROWD)
        ],
    }


# --- rounds on the table and on the physics ---


def rounds(make: Maker, seed: int, count: int, size: int) -> "Counter[tuple[int, int]]":
    """(aim, zone at the end) of each chip in rounds of `size` throws."""
    found: Counter[tuple[int, int]] = Counter()
    for i in range(count):
        chance = random.Random(f"round {seed + i}")
        board, aims = make(chance), {}
        for k in range(size):
            aims[str(k)] = chance.choice(ZONES)
            board.throw(str(k), aims[str(k)], chance.choice(throws.STRENGTHS))
        found.update((number(aim), number(board.zone(chip))) for chip, aim in aims.items())
    return found


class TableBoard:
    """The table as a board."""

    def __init__(self, rows: Any, seed: int) -> None:
        self.rows, self.x = rows, seed + 1
        self.places: dict[str, int] = {}

    def throw(self, chip: str, zone: str, strength: float) -> None:
        """Throw at a zone's middle, as the kernel does."""
        aim, force = ZONES.index(zone), throws.STRENGTHS.index(strength)
        self.x, end = throws.landed(self.rows, self.x, aim, force)
        here = end if end != throws.NOWHERE else aim
        lying = [other for other, at in self.places.items() if at == here]
        for other in lying:
            self.x, to = throws.pushed(self.rows, self.x, aim, force, end, len(lying))
            if to >= 0:
                self.places[other] = to
        self.places[chip] = end

    def zone(self, chip: str) -> str | None:
        """The zone in which a chip lies."""
        at = self.places[chip]
        return None if at == throws.NOWHERE else ZONES[at]

    def lift(self, chip: str) -> None:
        """Take a chip off the board."""
        self.places.pop(chip, None)


def distance(one: "Counter[Any]", other: "Counter[Any]") -> float:
    """The total variation between two counts, 0..1."""
    n, m = sum(one.values()), sum(other.values())
    return sum(abs(one[k] / n - other[k] / m) for k in {*one, *other}) / 2


def compared(make: Maker, rows: Any, count: int, size: int = 12) -> dict[str, float]:
    """(distance, distance by chance alone) of (aim, end) after whole rounds."""
    physics = rounds(make, 0, count, size)
    again = rounds(make, count, count, size)
    drawn = rounds(lambda chance: TableBoard(rows, chance.randrange(1 << 29)), 0, count, size)
    return {
        "table_to_physics": round(distance(physics, drawn), 4),
        "physics_to_itself": round(distance(physics, again), 4),
    }


def flat_board(chance: random.Random) -> Physics:
    """The flat board that tournaments use."""
    return model_source.FlatBoard(chance)


def main(argv: list[str] | None = None) -> int:
    """Make the table and write it."""
    parser = argparse.ArgumentParser(prog="python -m spiceboard.kernels.make_throws")
    parser.add_argument("--samples", type=int, default=400, help="throws a row (default 400)")
    parser.add_argument("--output", type=Path, default=throws.FILE)
    chosen = parser.parse_args(argv)
    data: dict[str, Any] = table(flat_board, chosen.samples)
    source = Path(str(model_source.__file__))
    data["made_by"] = {
        "physics": "FlatBoard of spiceboard.bots.throws: flat board, scatter, one push",
        "source_sha256": hashlib.sha256(source.read_bytes()).hexdigest(),
        "samples": chosen.samples,
        "strengths": list(throws.STRENGTHS),
    }
    save(chosen.output, data)
    found = compared(flat_board, throws.load(chosen.output), 4 * chosen.samples)
    data["made_by"]["distance"] = found
    save(chosen.output, data)
    print(f"{chosen.output}: total variation over whole rounds {found}", file=sys.stderr)
    return 0


def save(path: Path, data: dict[str, Any]) -> None:
    """Write the table, one row a line."""
    rows = {
        name: "[\n" + ",\n".join(json.dumps(row) for row in data[name]) + "\n]"
        for name in ("landed", "pushed")
    }
    parts = [f'"made_by": {json.dumps(data["made_by"])}']
    parts += [f'"{name}": {text}' for name, text in rows.items()]
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
