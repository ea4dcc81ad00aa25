"""Find the worths of Jaipur's quick policy by self-play; see `jaipur_worths`.

    python -m spiceboard.kernels.tune_jaipur --steps 600

changes a few numbers at random, plays rounds against the numbers so far, and keeps what wins more
(a (1+1) evolution strategy; changes that look bad after a few rounds are given up early).
"""

import argparse
import json
import math
from typing import Any

import numpy as np

from spiceboard.kernels import jaipur as rules
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_places import LENGTH, PHASE, TURN, WHO
from spiceboard.kernels.jaipur_quick import quick
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.jaipur_worths import FILE, NAMES, array

BEGIN = (
    0.85, 0.55, 0.55, 0.85, 0.28, 0.28, 0.5, 1.0, 1.0, 1.5, 0.3, 0.25,
    0.0, 0.0, 6.0, 0.0, 0.4, 1.2, 2.8, 5.4, 8.0, 8.0,
)  # fmt: skip
TEMPOS, DECKS = ("sell_tempo", "swap_tempo"), ("late_deck", "last_deck")
CHANGED = 3  # numbers at once
DEALS = (300, 900, 2000)  # a change that does not lead by `HOPE` errors is given up after each
HOPE, PROOF = 0.3, 1.0  # standard errors
CHECKED = 5000  # deals of the comparison at the end


@kernel
def rounds_won(t: Any, one: Any, two: Any, seed: int, deals: int) -> float:
    """Rounds that policy `one` wins of 2 * deals: it plays both seats of each; a draw is half."""
    s = np.zeros(LENGTH, np.int32)
    won = 0.0
    for i in range(deals):
        for seat in range(2):
            rules.new(s, seed + i, 0, 1, 0)
            while s[PHASE] == TURN:
                rules.apply(s, t, quick(s, one if s[WHO] == seat else two))
            won += 0.5 if s[WHO] < 0 else 1.0 if s[WHO] == seat else 0.0
    return won


def changed(numbers: dict[str, float], chance: Any) -> dict[str, float]:
    """The numbers with a few of them changed at random."""
    found = dict(numbers)
    for name in chance.choice(NAMES, CHANGED, replace=False):
        if name in TEMPOS:
            found[name] += 0.4 * chance.normal()
        elif name in DECKS:
            found[name] = max(0.0, found[name] + chance.integers(-2, 3))
        else:
            grown = found[name] * math.exp(0.25 * chance.normal()) + 0.03 * chance.normal()
            found[name] = max(0.0, grown)
    return {name: round(float(found[name]), 3) for name in NAMES}


def tune(steps: int, seed: int) -> dict[str, float]:
    """The numbers after so many changes were tried."""
    chance, table = np.random.default_rng(seed), tables()
    numbers = dict(zip(NAMES, BEGIN, strict=True))
    for step in range(steps):
        new = changed(numbers, chance)
        won, played, sure = 0.0, 0, 0.0
        for deals in DEALS:
            won += rounds_won(table, array(new), array(numbers), seed, deals)
            seed, played = seed + deals, played + 2 * deals
            sure = (2.0 * won / played - 1.0) * math.sqrt(played)
            if sure < HOPE:
                break
        if played == 2 * sum(DEALS) and sure >= PROOF:
            numbers = new
            print(f"{step}: wins {won / played:.3f} of the rounds against the numbers before")
    return numbers


def main() -> None:
    """Tune and write the file."""
    parser = argparse.ArgumentParser(description="Tune the quick policy of Jaipur.")
    parser.add_argument("--steps", type=int, default=600, help="changes that are tried")
    parser.add_argument("--seed", type=int, default=1_000_000)
    arguments = parser.parse_args()
    numbers = tune(arguments.steps, arguments.seed)
    begin = array(dict(zip(NAMES, BEGIN, strict=True)))
    won = rounds_won(tables(), array(numbers), begin, 1, CHECKED) / (2 * CHECKED)
    made = {
        "made_by": "python -m spiceboard.kernels.tune_jaipur "
        f"--steps {arguments.steps} --seed {arguments.seed}",
        "rounds_won_against_the_first_numbers": round(won, 4),
        "numbers": numbers,
    }
    FILE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
