"""Learn by self-play how likely a position of Rat Hot is to be won; see `rathot_value`.

    python -m spiceboard.kernels.learn_rathot --games 5000 --rounds 3

plays games in which each turn is the best by the values so far, or now and then another good one,
and fits a small network to who won; then again with better values. The first round starts with
values set by hand. The file says the command's numbers and how well games that were not learned
from are foretold.
"""

from typing import Any

import numpy as np

from spiceboard.kernels import learned
from spiceboard.kernels import rathot_value as value
from spiceboard.kernels.chance import pick, rand, start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot import apply
from spiceboard.kernels.rathot_layout import LAID_SIZE, LENGTH, OVER, PHASE, TURN_UP, WHO, new
from spiceboard.kernels.rathot_text import strip_codes
from spiceboard.kernels.rathot_turns import Desk, Found, desk, found, lay, look_for_turns

TURNS = 22  # in the longest game
FIRSTS, SECONDS, VARIED = 8, 6, 8  # for `look_for_turns`
WIDTH, OFTEN, BEHIND = 12, 25, 0.3  # per cent of the turns that are drawn from so many good ones
TESTED = 10  # every tenth game is kept for the test
EPOCHS, BATCH, RATE, DECAY = 16, 256, 2e-3, 1e-3


@kernel
def record(s: Any, strips: Any, seed: int, desk: Desk, found: Found, out: Any, who: Any) -> int:
    """Play a game; the features before each turn but the first go to `out`, the seats to `who`.

    Returns how many there are. The winner is s[WHO].
    """
    new(s, strips, seed, -1, 0, 0, 0)
    known, x, n = np.zeros(value.KNOWN), start(seed + 1), 0
    while s[PHASE] != OVER:
        if s[LAID_SIZE] > 1:
            value.prepare(s, s[WHO], known)
            value.features(s, known, out[n], desk.counts)
            who[n] = s[WHO]
            n += 1
        apply(s, TURN_UP)
        value.prepare(s, 1 - s[WHO], known)
        look_for_turns(s, desk, known, found, True, FIRSTS, SECONDS, VARIED)
        x = rand(x)
        turn = found.turns[0]
        if pick(x, 100) < OFTEN:
            x = rand(x)
            at = pick(x, found.size[0])
            if found.values[at] > found.values[0] - BEHIND:
                turn = found.turns[at]
        lay(s, turn)
    return n


def games(weights: Any, seed: int, count: int) -> tuple[Any, Any, Any]:
    """(positions x features, 1.0 if the seat on turn won, numbers of the games)."""
    s, strips = np.zeros(LENGTH, np.int32), strip_codes()
    work, best = desk(weights), found(WIDTH)
    rooms, who = np.zeros((TURNS, value.FEATURES)), np.zeros(TURNS, np.int64)
    positions, won, numbers = [], [], []
    for i in range(count):
        n = record(s, strips, seed + i, work, best, rooms, who)
        positions.append(rooms[:n].astype(np.float32))
        won.append(np.full(n, 0.5) if s[WHO] < 0 else who[:n] == s[WHO])
        numbers.append(np.full(n, seed + i))
    return np.concatenate(positions), np.concatenate(won).astype(float), np.concatenate(numbers)


def by_hand() -> Any:
    """Weights to begin with: rats that stay or cannot be covered, rats to come, and the lead."""
    weights = np.zeros(value.WEIGHTS)
    table = weights[: value.BIAS].reshape(value.FEATURES, value.HIDDEN)
    for base, sign in ((0, -1.0), (value.OF_SEAT, 0.8)):
        table[base : base + 3, 0] = 0.3 * sign
        table[base + value.TOO_MANY + 1, 0] = 1.5 * sign
        table[base + value.TO_COME, 0] = sign
    table[value.LATE_LEAD, 0] = 0.25
    weights[value.BIAS], weights[value.OUT], weights[-1] = 10.0, 1.0, -10.0  # above 0: linear
    return weights


def split(weights: Any) -> list[Any]:
    """The network's parts: features x hidden, biases, weights of the hidden units, a bias."""
    parts = np.split(weights, [value.BIAS, value.OUT, value.OUT + value.HIDDEN])
    return [parts[0].reshape(value.FEATURES, value.HIDDEN), *parts[1:]]


def chances(positions: Any, parts: list[Any]) -> tuple[Any, Any]:
    """(chance to win, hidden units) of each position."""
    hidden = np.maximum(0.0, positions @ parts[0] + parts[1])
    return 1.0 / (1.0 + np.exp(-(hidden @ parts[2] + parts[3]))), hidden


def loss(positions: Any, won: Any, weights: Any) -> float:
    """Mean of the negative logarithm of the chance of what happened, in nats."""
    chance = chances(positions, split(weights))[0].clip(1e-6, 1.0 - 1e-6)
    return float(-(won * np.log(chance) + (1.0 - won) * np.log(1.0 - chance)).mean())


def slopes(positions: Any, won: Any, parts: list[Any]) -> list[Any]:
    """How the loss grows with each weight."""
    chance, hidden = chances(positions, parts)
    off = (chance - won) / len(won)
    back = np.outer(off, parts[2]) * (hidden > 0.0)
    return [
        positions.T @ back + DECAY * parts[0],
        back.sum(axis=0),
        hidden.T @ off + DECAY * parts[2],
        off.sum(keepdims=True),
    ]


def fit(positions: Any, won: Any, seed: int) -> Any:
    """The weights that foretell well who won (Adam, with a falling rate)."""
    chance = np.random.default_rng(seed)
    parts = split(np.zeros(value.WEIGHTS))
    parts[0] = chance.normal(0.0, 0.35, parts[0].shape)
    parts[1] = parts[1] + 0.1
    parts[2] = chance.normal(0.0, 0.3, parts[2].shape)
    means, squares = [0.0 * part for part in parts], [0.0 * part for part in parts]
    step = 0
    for epoch in range(EPOCHS):
        order = chance.permutation(len(won))
        for at in range(0, len(won) - BATCH + 1, BATCH):
            batch, step = order[at : at + BATCH], step + 1
            for i, slope in enumerate(slopes(positions[batch], won[batch], parts)):
                means[i] = 0.9 * means[i] + 0.1 * slope
                squares[i] = 0.999 * squares[i] + 0.001 * slope**2
                mean, square = means[i] / (1 - 0.9**step), squares[i] / (1 - 0.999**step)
                parts[i] = parts[i] - RATE * (1 - epoch / EPOCHS) * mean / (np.sqrt(square) + 1e-8)
    return np.concatenate([part.ravel() for part in parts])


def learn(seed: int, count: int, rounds: int) -> dict[str, Any]:
    """The contents of the file."""
    weights, seen = by_hand(), []
    for i in range(rounds):
        seen.append(games(weights, seed + i * count, count))
        positions, won, numbers = (np.concatenate(each) for each in zip(*seen, strict=True))
        kept = numbers % TESTED == 0
        weights = fit(positions[~kept], won[~kept], seed)
        print("round", i + 1, "loss", loss(positions[kept], won[kept], weights))
    return {
        "positions": len(won),
        "loss": round(loss(positions[kept], won[kept], weights), 4),
        "loss_of_a_guess": round(float(np.log(2.0)), 4),
        "weights": [round(float(each), 4) for each in weights],
    }


def main() -> None:
    """Learn and write the file."""
    parser = learned.parser("Rat Hot", value.FILE, " (six minutes)")
    parser.add_argument("--games", type=int, default=5000, help="in each round")
    parser.add_argument("--rounds", type=int, default=3, help="of self-play and learning")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first game")
    arguments = parser.parse_args()
    found = learn(arguments.seed, arguments.games, arguments.rounds)
    learned.write(value.FILE, "learn_rathot", arguments, found)


if __name__ == "__main__":
    main()
