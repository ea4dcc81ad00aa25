"""What cards are worth to Jaipur's quick policy: a few numbers, found by self-play, as one array.

`python -m spiceboard.kernels.tune_jaipur` finds the numbers and writes `jaipur_worths.json`, which
says how it was made. All worths are in rupees.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spiceboard.bots.jaipur_model import CAMELS, FULL_HAND
from spicecore.games.jaipur.goods import TOKENS

FILE = Path(__file__).with_name("jaipur_worths.json")
# The array: [stage][good][tokens left][cards of it in hand], ten by ten, then the rest.
STAGE = 600
CROWD, HERD = 1800, 1810  # a full hand's cost, by its goods; a herd's worth, by its camels
LEAD, OFFERED, TURNED_UP = 1822, 1823, 1824  # as in `spiceboard.bots.jaipur_model`
SELL_TEMPO, SWAP_TEMPO = 1825, 1826  # that a sale and an exchange are worth by themselves
LATE_DECK, LAST_DECK = 1827, 1828  # the stages begin with fewer cards in the deck
SIZE = 1829
NAMES = (
    "hold_early", "hold_late", "hold_last",  # of a token that is not won yet
    "set_early", "set_late", "set_last",  # of what a set of cards promises of a bonus
    "single",  # of a card that must not be sold alone
    "crowd", "camels", "lead", "offered", "turned_up", "sell_tempo", "swap_tempo",
    "late_deck", "last_deck", "set_1", "set_2", "set_3", "set_4", "set_5", "set_6",
)  # fmt: skip


def array(numbers: dict[str, float]) -> Any:
    """The array for the numbers of `NAMES`."""
    w = np.zeros(SIZE)
    for stage, name in enumerate(("early", "late", "last")):
        for k, pile in enumerate(TOKENS):
            for left in range(len(pile) + 1):
                row = STAGE * stage + 100 * k + 10 * left
                for n in range(1, 10):
                    w[row + n] = _worth(numbers, name, k, pile[max(0, left - n) : left], n)
    w[CROWD : CROWD + len(FULL_HAND)] = numbers["crowd"] * np.array(FULL_HAND)
    w[HERD : HERD + len(CAMELS)] = numbers["camels"] * np.array(CAMELS)
    w[LEAD:SIZE] = [numbers[name] for name in NAMES[9:16]]
    return w


def _worth(numbers: dict[str, float], stage: str, k: int, tokens: Any, n: int) -> float:
    """What n cards of good k promise, with the tokens that they would bring."""
    hold = numbers[f"hold_{stage}"] * sum(tokens)
    if n == 1 and k < 3:
        return hold * numbers["single"]
    return hold + numbers[f"set_{stage}"] * numbers[f"set_{min(n, 6)}"]


@cache
def load(path: Path = FILE) -> Any:
    """The array for the numbers in the file; ValueError says what is wrong with it."""
    try:
        numbers = json.loads(path.read_text(encoding="utf-8"))["numbers"]
        return array({name: float(numbers[name]) for name in NAMES})
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path.name} has no worths of cards: {error}") from error
