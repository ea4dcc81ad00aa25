"""Balance of a game, counted over games that the kernels play: who wins, how games end, what pays.

Players are those of the kernels: Jaipur by the opinion of the sensible bot, Rat Hot by the best of
`kernel_games.TRIED` places for each strip, Safranito by chance.
"""

from collections import Counter
from typing import Any

from spiceboard.errors import UserError
from spiceboard.extras import install

COMPILED = ("jaipur", "rathot", "safranito")  # that have a kernel


def play(game: str, first: int, count: int) -> dict[str, int]:
    """Counters over the games of some seeds. UserError where the kernels cannot be compiled."""
    try:
        from spiceboard.study import kernel_games
    except ModuleNotFoundError as error:
        raise UserError(f"a study needs the kernels: {install('fast')}") from error
    total: Counter[str] = Counter()
    for seed in range(first, first + count):
        total.update(kernel_games.PLAY[game](seed))
    return {name: int(n) for name, n in total.items()}


def shares(counts: dict[str, int], name: str) -> Any:
    """{what: (n, of how many)} of the counters called `name: what`."""
    rows = {key.split(": ", 1)[1]: n for key, n in counts.items() if key.startswith(name + ": ")}
    whole = sum(rows.values())
    return {what: (n, whole) for what, n in rows.items()}
