"""How many decisions a second the kernels play, compared with OpenSpiel's card games.

Figures are in processor time (`time.process_time`), because the cores of a desktop are shared. All
contestants play in turn, round by round, so that a ratio compares what ran within the same second;
of all rounds the median counts. A decision is a move of a player, drawn at random from the legal
ones: for Rat Hot a strip that is laid. Cards that OpenSpiel deals are moves of chance and are not
counted.
"""

import importlib.metadata
import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any

from spiceboard.errors import UserError
from spiceboard.extras import install

ROUNDS = 7
SECONDS = 0.5  # of processor time a contestant and round
SAMPLE = 300  # games that tell which share of their moves are decisions
PEERS = ("crazy_eights", "go_fish")  # the games of cards that OpenSpiel has in C++
Play = Callable[[int], int]  # seed -> decisions made
Rates = dict[str, list[float]]  # contestant: decisions a second, round by round


def kernels() -> dict[str, Play]:
    """Our games; UserError without numba."""
    try:
        import numpy as np

        from spiceboard.kernels import (
            jaipur,
            jaipur_places,
            rathot,
            rathot_layout,
            rathot_text,
            safranito_places,
            safranito_random,
            throws,
        )
        from spiceboard.kernels.jaipur_tables import tables
    except ModuleNotFoundError as missing:
        raise UserError(f"no {missing.name}: {install('fast')}") from None
    matches = np.zeros(jaipur_places.LENGTH, np.int32)
    table = np.zeros(rathot_layout.LENGTH, np.int32)
    state = np.zeros(safranito_places.LENGTH, np.int32)
    strips, thrown = rathot_text.strip_codes(), throws.load()
    return {
        "jaipur": lambda seed: jaipur.play_matches(matches, tables(), seed, 200),
        "rathot": lambda seed: rathot.play_games(table, strips, seed, 200),
        "safranito": lambda seed: safranito_random.play_games(state, thrown, 4, seed, 50),
    }


def peers() -> dict[str, Play]:
    """OpenSpiel's games; UserError without it."""
    try:
        import pyspiel
    except ModuleNotFoundError:
        raise UserError(f"no OpenSpiel to compare with: {install('peers')}") from None
    return {f"OpenSpiel {name}": _peer(pyspiel, name) for name in PEERS}


def _peer(pyspiel: Any, name: str) -> Play:
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]

    def played(seed: int) -> Any:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, seed)
        return state

    # To list a game's moves in Python costs as much as to play it, so their share is found before.
    sample = [move.player for seed in range(SAMPLE) for move in played(seed).full_history()]
    share = sum(player >= 0 for player in sample) / len(sample)
    return lambda seed: round(played(seed).move_number() * share)


def measured(
    contestants: dict[str, Play], rounds: int = ROUNDS, seconds: float = SECONDS
) -> Rates:
    """Let all play in turn. The first game of each is not counted: it may be compiled."""
    found: Rates = {name: [] for name in contestants}
    seeds = itertools.count(1)
    for play in contestants.values():
        play(0)
    for _ in range(rounds):
        for name, play in contestants.items():
            done, start, now = 0, time.process_time(), 0.0
            while now < seconds:
                done += play(next(seeds) * 1000)
                now = time.process_time() - start
            found[name].append(done / now)
    return found


def ratio(rates: Rates, one: str, other: str) -> tuple[float, float, float]:
    """(median, least, most) of one's rate over the other's, within each round."""
    each = [a / b for a, b in zip(rates[one], rates[other], strict=True)]
    return statistics.median(each), min(each), max(each)


def rows(with_peers: bool) -> list[tuple[str, str, str]]:
    """(what, figure, how it was taken) of the kernels, and of the peers if they are wanted."""
    ours, theirs = kernels(), peers() if with_peers else {}
    rates = measured(ours | theirs)
    how = f"one core, processor time, median of {ROUNDS} rounds"
    versions = {name: f"{how}; numba {importlib.metadata.version('numba')}" for name in ours}
    if theirs:
        found = importlib.metadata.version("open_spiel")
        versions |= dict.fromkeys(theirs, f"{how}; version {found}, random bots")
    out = [
        (f"{name}: decisions", f"{statistics.median(each) / 1e6:.2f} million/s", versions[name])
        for name, each in rates.items()
    ]
    for one, other in itertools.product(ours, theirs):
        middle, least, most = ratio(rates, one, other)
        out.append(
            (f"{one} : {other}", f"{middle:.1f} ({least:.1f} to {most:.1f})", "same rounds")
        )
    return out
