"""One game each on the kernels, and what is counted of it."""

from functools import cache
from typing import Any

import numpy as np

from spiceboard.kernels import (
    jaipur,
    jaipur_places,
    jaipur_play,
    rathot_layout,
    rathot_play,
    safranito,
    safranito_moves,
    safranito_places,
    throws,
)
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.rathot_text import strip_codes
from spicecore import chance
from spicecore.games.jaipur.goods import GOODS
from spicecore.games.rathot.strips import STANDARD
from spicecore.parts import ZONES

TRIED = 48  # places that a placement of Rat Hot looks at
RATS = (6, 8, 10)  # of a colour, in the sets of strips that are compared

Counts = dict[str, int]
LONGEST = 20_000  # decisions; a game of Safranito that chance plays ends long before


def jaipur_game(seed: int) -> Counts:
    """A match by the opinion of the sensible bot."""
    s = np.zeros(jaipur_places.LENGTH, np.int32)
    moves = np.zeros(jaipur_play.MOST_MOVES, np.int64)
    jaipur.new(s, seed, -1, 1, 0)
    starter, found = int(s[jaipur_places.STARTER]), {"games": 1}
    while s[jaipur_places.PHASE] != jaipur_places.OVER:
        n = jaipur_play.round_by_opinion(s, tables(), jaipur_play.worths(), moves)
        add(found, "decisions", int(n))
        add(found, "rounds", 1)
        count_round(s, found)
        if s[jaipur_places.PHASE] == jaipur_places.SCORED:
            jaipur.apply(s, tables(), jaipur_places.NEXT_ROUND)
    winner = int(s[jaipur_places.WHO])
    add(found, "winner: " + ("starts the match" if winner == starter else "is second"), 1)
    return found


def count_round(s: Any, found: Counts) -> None:
    """How a round ended, and which tokens its winner and its loser have."""
    winner = int(s[jaipur_places.WHO])
    reason = ("three piles", "no card left")[int(s[jaipur_places.REASON])]
    add(found, "rounds end: " + reason, 1)
    if winner < 0:
        add(found, "round: tied", 1)
        return
    starter = int(s[jaipur_places.STARTER])
    add(found, "round: " + ("starter wins" if winner == starter else "second wins"), 1)
    size = int(s[jaipur_places.LOG_SIZE])
    for entry in s[jaipur_places.LOG : jaipur_places.LOG + size].tolist():
        side = "winner" if entry >> 3 == winner else "loser"
        add(found, f"{GOODS[entry & 7]} tokens: {side}", 1)
    for seat in (0, 1):
        side = "winner" if seat == winner else "loser"
        at = jaipur_places.BONUS_LOG + 18 * seat
        for token in s[at : at + int(s[jaipur_places.BONUSES_WON + seat])].tolist():
            add(found, f"bonus of {token >> 4} tokens: {side}", 1)
    camels = int(jaipur.camel_winner(s))
    if camels >= 0:
        add(found, "camel tokens: " + ("winner" if camels == winner else "loser"), 1)


@cache
def strips_with(rats: int) -> Any:
    """The standard set with another number of rats a colour, as codes of the kernel."""
    strips = list(STANDARD)
    for n, letter in ((rats, "r"), (rats, "g")):
        have = sum(strip.count(letter) for strip in strips)
        for i, strip in enumerate(strips):
            while have > n and letter in strips[i]:
                strips[i] = strips[i].replace(letter, "_", 1)
                have -= 1
            if have < n and i and "_" in strip and letter not in strip:
                strips[i] = strip.replace("_", letter, 1)
                have += 1
    return strip_codes(strips)


def rathot_game(seed: int) -> Counts:
    """A game for each number of rats, each strip laid at the best of some places."""
    found = {"games": 1}
    s = np.zeros(rathot_layout.LENGTH, np.int32)
    for rats in RATS:
        n = int(rathot_play.game(s, strips_with(rats), seed, TRIED))
        first = int(s[rathot_layout.FIRST])
        winner, reason = int(s[rathot_layout.WHO]), int(s[rathot_layout.REASON])
        who = "nobody" if winner < 0 else "first player" if winner == first else "second player"
        add(found, f"winner, {rats} rats: {who}", 1)
        end = "by rats" if reason == rathot_layout.RATS_OUT else "by count"
        add(found, f"games end, {rats} rats: {end}", 1)
        add(found, f"strips laid, {rats} rats", n)
    return found


def safranito_game(seed: int) -> Counts:
    """A game of two to four players who decide by chance, but cook when they can."""
    seats = 2 + seed % 3
    s = np.zeros(safranito_places.LENGTH, np.int32)
    safranito.new(s, seats, seed, -1, 0)
    chef, x, table = int(s[safranito_places.CHEF]), chance.start(seed), throws.load()
    found = {"games": 1, f"games of {seats}": 1}
    n = 0
    while s[safranito_places.PHASE] != safranito_places.OVER and n < LONGEST:
        x, move = safranito_moves.sample_move(s, x)
        kind = int(move) & 31
        if kind == safranito_places.MISS:
            continue
        x = safranito.apply(s, table, move, x)
        n += 1
        if kind == safranito_places.THROW:
            aim = int(move) >> 8 & 15
            ends = {int(e) & 15 for e in s[294 : 294 + s[293]]}
            add(found, f"throws at {ZONES[aim]}: " + ("hit" if aim in ends else "missed"), 1)
    add(found, f"rounds of games of {seats}", int(s[safranito_places.ROUND]))
    winner = int(s[safranito_places.P1])
    place = (winner - chef) % seats
    add(found, f"winner of {seats}: place {place + 1} from the first head chef", 1)
    return found


def add(found: Counts, name: str, n: int) -> None:
    """Count."""
    found[name] = found.get(name, 0) + n


PLAY = {"jaipur": jaipur_game, "rathot": rathot_game, "safranito": safranito_game}
