"""Teach Jaipur's network by self-play how likely a round is won; see `jaipur_value`.

    python -m spiceboard.kernels.learn_jaipur --rounds 2000000

plays rounds with the network's best moves, some at random, and after each of them moves the
weights a little towards who won and what the network thought of later positions: TD(lambda)
(R. S. Sutton, "Learning to predict by the methods of temporal differences", 1988). A move at
random says nothing about the position before it, so learning looks only as far as that. At the
end the file is written. It says how well rounds are foretold that were not learned from.
"""

import math
from typing import Any

import numpy as np

from spiceboard.kernels import jaipur as rules
from spiceboard.kernels import jaipur_value as value
from spiceboard.kernels import learned
from spiceboard.kernels.chance import pick, rand, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.jaipur_greedy import SUMS, greedy
from spiceboard.kernels.jaipur_moves import sample_move
from spiceboard.kernels.jaipur_places import LENGTH, PHASE, TURN
from spiceboard.kernels.jaipur_tables import tables

MOST_TURNS = 160  # longer rounds are left out: exchanges may go round in circles
TRACE = 0.8  # lambda: of how much the later thoughts count
EXPLORED = 0.03  # share of the moves that are made at random
FIRST_STEP, LAST_STEP = 0.02, 0.0005  # of the weights, falling from one to the other
PARTS = 100  # in which the step stays the same
TESTED = 5000  # rounds that are played at the end and not learned from


@kernel
def play(s: Any, t: Any, net: Any, sums: Any, x: int, rows: Any, notes: Any) -> tuple[int, int]:
    """(x', turns) of a round from s on; the rows of each turn's position to `rows`.

    notes, by turn: the number of rows (-1: the round ended), the chance that the best move gave
    the seat, and 1.0 if another move was made.
    """
    n = 0
    while s[PHASE] == TURN and n < MOST_TURNS:
        move, odds = greedy(s, t, net, sums, rows[n])
        x = rand(x)
        explored = pick(x, 1 << 16) < EXPLORED * (1 << 16)
        if explored:
            x, move = sample_move(s, t, x)
        notes[n, 0] = value.after(s, move, rows[n])
        notes[n, 1], notes[n, 2] = value.chance(odds), explored
        rules.apply(s, t, move)
        n += 1
    return x, n


@kernel
def adjust(net: Any, sums: Any, rows: Any, n: int, step: float, aim: float) -> float:
    """Move the weights towards a chance to win of `aim`; the chance that they gave before."""
    value.add_up(sums, 0, net, rows, n)
    found = value.chance(value.output(sums, 0, net))
    slope = np.float32(step * (found - aim))
    for h in range(net.shape[1]):
        each = sums[0, h]
        sums[1, h] = slope * net[value.OUT, h] if each > 0 else np.float32(0.0)
        net[value.OUT, h] -= slope * (each if each > 0 else np.float32(0.0))
    for j in range(n):
        for h in range(net.shape[1]):
            net[rows[j], h] -= sums[1, h]
    return found


@kernel
def look_back(
    net: Any, sums: Any, rows: Any, notes: Any, turns: int, won: float, step: float
) -> tuple[float, int]:
    """Learn from a round, the last turn first; won: by the seat of the first turn, 0.0 to 1.0.

    Returns the loss, the sum of -log(chance given to what happened), and the number of positions.
    """
    loss, count, aim = 0.0, 0, 0.0
    for i in range(turns - 1, -1, -1):
        result = won if i & 1 == 0 else 1.0 - won
        if i == turns - 1:
            aim = result
        elif notes[i + 1, 2]:
            aim = 1.0 - notes[i + 1, 1]
        else:
            aim = 1.0 - TRACE * aim - (1.0 - TRACE) * notes[i + 1, 1]
        if notes[i, 0] > 0:
            found = adjust(net, sums, rows[i], int(notes[i, 0]), step, aim)
            found = min(0.9999, max(0.0001, found))
            loss -= result * math.log(found) + (1.0 - result) * math.log(1.0 - found)
            count += 1
    return loss, count


@kernel
def learn_rounds(t: Any, net: Any, seed: int, rounds: int, step: float) -> tuple[float, int]:
    """(loss, positions) of rounds with seeds from `seed` on; step 0.0: nothing is learned."""
    s, sums = np.zeros(LENGTH, np.int32), np.zeros((SUMS, net.shape[1]), np.float32)
    rows, notes = np.zeros((MOST_TURNS, value.ACTIVE), np.int32), np.zeros((MOST_TURNS, 3))
    x, loss, count = start(seed), 0.0, 0
    for i in range(rounds):
        rules.new(s, seed + i, 0, 1, 0)
        x, turns = play(s, t, net, sums, x, rows, notes)
        if s[PHASE] != TURN:
            won = value.result(s, 0)
            more, positions = look_back(net, sums, rows, notes, turns, won, step)
            loss, count = loss + more, count + positions
    return loss, count


def fresh(seed: int) -> Any:
    """A network that knows nothing, `ROWS` x `UNITS` of float32."""
    chance = np.random.default_rng(seed)
    net = chance.uniform(-0.1, 0.1, (value.ROWS, value.UNITS))
    net[value.OUT] = chance.uniform(-0.5, 0.5, value.UNITS)
    return net.astype(np.float32)


def learn(rounds: int, seed: int) -> Any:
    """A network that has learned from so many rounds."""
    net, table = fresh(seed), tables()
    for part in range(PARTS):
        step = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** (part / PARTS)
        each = rounds // PARTS
        loss, count = learn_rounds(table, net, seed + part * each, each, step)
        print(f"{part + 1} of {PARTS}: loss {loss / max(1, count):.4f}", flush=True)
    return net


def main() -> None:
    """Learn and write the file."""
    parser = learned.parser("Jaipur", value.FILE, " (five minutes)")
    parser.add_argument("--rounds", type=int, default=2_000_000, help="of self-play")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first round")
    arguments = parser.parse_args()
    net = learn(arguments.rounds, arguments.seed)
    loss, count = learn_rounds(tables(), net, 1, TESTED, 0.0)
    found = {
        "loss": round(loss / count, 4),
        "loss_of_a_guess": round(math.log(2), 4),
        "weights": value.packed(net),
    }
    learned.write(value.FILE, "learn_jaipur", arguments, found)
    print("loss", found["loss"], "in", TESTED, "rounds that were not learned from")


if __name__ == "__main__":
    main()
