"""Learn by self-play how likely a position of Safranito is to be won; see `safranito_value`.

    python -m spiceboard.kernels.learn_safranito --games 10000

plays games by policy (or with --passes by the search, with the weights that are there), and fits
the weights to who won (logistic regression). The file says the command's numbers and how well
games that were not learned from are foretold.
"""

from typing import Any

import numpy as np

from spiceboard.bots.safranito_memory import LENGTH as MEMORY
from spiceboard.bots.safranito_memory import PURSES
from spiceboard.kernels import learned, throws
from spiceboard.kernels import safranito_value as value
from spiceboard.kernels.chance import start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito import apply, new
from spiceboard.kernels.safranito_hidden import of_others, recall
from spiceboard.kernels.safranito_places import LENGTH, OVER, P1, PHASE, ROUND_OVER, on_turn
from spiceboard.kernels.safranito_policy import PLAN_SIZE, decide
from spiceboard.kernels.safranito_search import search
from spicecore.games.safranito.data import START_MONEY

MOST_ROUNDS = 200
STEPS, DECAY = 10, 1e-4
TESTED = 5  # every fifth game is kept for the test


@kernel
def record(t: Any, weights: Any, seats: int, seed: int, passes: int, out: Any) -> tuple[int, int]:
    """(rounds, winner) of a game; the features of each seat at the end of each round to `out`."""
    s, work = np.zeros(LENGTH, np.int32), np.zeros(PLAN_SIZE)
    known, others = np.zeros(MEMORY, np.int32), np.zeros(MEMORY, np.int32)
    known[PURSES:] = START_MONEY
    new(s, seats, seed, -1, 0)
    x, n = start(seed + 1), 0
    while s[PHASE] != OVER and n < MOST_ROUNDS:
        if s[PHASE] == ROUND_OVER:
            for seat in range(seats):
                value.features(s, seat, out[n, seat])
            n += 1
        if passes and s[PHASE] != ROUND_OVER:
            seat = on_turn(s)
            of_others(known, seat, others)
            x, move = search(s, t, weights, others, seat, passes, x)
        else:
            x, move = decide(s, work, x)
        recall(s, known, move)
        x = apply(s, t, move, x)
    return n, s[P1] if s[PHASE] == OVER else -1


def games(seats: int, seed: int, count: int, passes: int) -> tuple[Any, Any, Any]:
    """(positions x seats x features, winners, games) of games that ended."""
    table, weights = throws.load(), value.load() if passes else np.zeros(1)
    room = np.zeros((MOST_ROUNDS, seats, value.FEATURES))
    found, winners, numbers = [], [], []
    for i in range(count):
        n, winner = record(table, weights, seats, seed + i, passes, room)
        if winner >= 0 and n:
            found.append(room[:n].astype(np.float32))
            winners += [winner] * n
            numbers += [i] * n
    return np.concatenate(found), np.array(winners), np.array(numbers)


def chances(features: Any, weights: Any) -> Any:
    """The chance of each seat to win, positions x seats."""
    strengths = features @ weights
    grown = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


def loss(features: Any, winners: Any, weights: Any) -> float:
    """Mean of the negative logarithm of the winner's chance, in nats."""
    right = chances(features, weights)[np.arange(len(winners)), winners]
    return float(-np.log(right).mean())


def fit(features: Any, winners: Any) -> Any:
    """The weights that foretell the winners best (Newton's method)."""
    count, weights = len(winners), np.zeros(value.FEATURES)
    hit = np.zeros(features.shape[:2])
    hit[np.arange(count), winners] = 1.0
    for _ in range(STEPS):
        likely = chances(features, weights)
        slope = np.einsum("ns,nsf->f", likely - hit, features) / count + DECAY * weights
        means = np.einsum("ns,nsf->nf", likely, features)
        spread = (features * np.sqrt(likely)[:, :, None]).reshape(-1, value.FEATURES)
        curve = (spread.T @ spread - means.T @ means) / count + DECAY * np.eye(value.FEATURES)
        weights -= np.linalg.solve(curve, slope)
    return weights


def learn(seats: int, seed: int, count: int, passes: int) -> dict[str, Any]:
    """The entry of the file for a number of players."""
    features, winners, numbers = games(seats, seed, count, passes)
    kept = numbers % TESTED == 0
    weights = fit(features[~kept], winners[~kept])
    return {
        "games": len(set(numbers.tolist())),
        "positions": len(winners),
        "loss": round(loss(features[kept], winners[kept], weights), 4),
        "loss_of_a_guess": round(float(np.log(seats)), 4),
        "weights": [round(float(each), 3) for each in weights],
    }


def main() -> None:
    """Learn and write the file."""
    parser = learned.parser("Safranito", value.FILE)
    parser.add_argument("--games", type=int, default=10000, help="for each number of players")
    parser.add_argument("--passes", type=int, default=0, help="of the search; 0: by policy alone")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first game")
    arguments = parser.parse_args()
    players = {}
    for seats in (2, 3, 4):
        entry = learn(seats, arguments.seed, arguments.games, arguments.passes)
        players[str(seats)] = entry
        print(seats, "players:", {name: entry[name] for name in entry if name != "weights"})
    learned.write(value.FILE, "learn_safranito", arguments, {"players": players})


if __name__ == "__main__":
    main()
