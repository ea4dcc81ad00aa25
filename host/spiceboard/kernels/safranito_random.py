"""Play random games on Safranito's kernel, to measure it."""

from typing import Any

from spiceboard.kernels.chance import start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.safranito import apply, new
from spiceboard.kernels.safranito_moves import sample_move
from spiceboard.kernels.safranito_places import OVER, PHASE


@kernel
def play_out(s: Any, t: Any, x: int) -> tuple[int, int]:
    """Play random moves to the end of the game: (x', decisions made)."""
    n = 0
    while s[PHASE] != OVER and n < 100_000:
        x, move = sample_move(s, x)
        x = apply(s, t, move, x)
        n += 1
    return x, n


@kernel
def play_games(s: Any, t: Any, seats: int, seed: int, games: int) -> int:
    """Play random games with seeds from `seed` on; the number of decisions."""
    n = 0
    for i in range(games):
        new(s, seats, seed + i, -1, 0)
        _, more = play_out(s, t, start(seed + i + 1))
        n += more
    return n
