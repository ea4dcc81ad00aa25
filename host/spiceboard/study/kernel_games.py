"""One game each on the kernels, and what is counted of it."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from spiceboard.kernels import (
    jaipur,
    jaipur_places,
    jaipur_play,
    rathot_layout,
    rathot_play,
)
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.rathot_text import strip_codes
from spiceboard.study import safranito_games
from spicecore.games.jaipur.goods import GOODS, TOKENS
from spicecore.games.rathot.strips import STANDARD

TRIED = 48  # places that a placement of Rat Hot looks at
RATS = (6, 8, 10)  # of a colour, in the sets of strips that are compared
STANDARD_RATS = 8

Counts = Counter[str]


def jaipur_game(seed: int) -> Counts:
    """A match by the opinion of the sensible bot."""
    s = np.zeros(jaipur_places.LENGTH, np.int32)
    moves = np.zeros(jaipur_play.MOST_MOVES, np.int64)
    jaipur.new(s, seed, -1, 1, 0)
    starter, found = int(s[jaipur_places.STARTER]), Counter(games=1)
    while s[jaipur_places.PHASE] != jaipur_places.OVER:
        n = jaipur_play.round_by_opinion(s, tables(), jaipur_play.worths(), moves)
        found["decisions"] += int(n)
        found["rounds"] += 1
        count_round(s, found)
        if s[jaipur_places.PHASE] == jaipur_places.SCORED:
            jaipur.apply(s, tables(), jaipur_places.NEXT_ROUND)
    winner = int(s[jaipur_places.WHO])
    found["winner: " + ("starts the match" if winner == starter else "is second")] += 1
    return found


def count_round(s: Any, found: Counts) -> None:
    """How a round ended, and which tokens its winner and its loser have."""
    winner = int(s[jaipur_places.WHO])
    reason = ("three piles", "no card left")[int(s[jaipur_places.REASON])]
    found["rounds end: " + reason] += 1
    if winner < 0:
        found["round: tied"] += 1
        return
    starter = int(s[jaipur_places.STARTER])
    found["round: " + ("starter wins" if winner == starter else "second wins")] += 1
    size = int(s[jaipur_places.LOG_SIZE])
    left = [len(pile) for pile in TOKENS]
    for entry in s[jaipur_places.LOG : jaipur_places.LOG + size].tolist():
        side, k = "winner" if entry >> 3 & 1 == winner else "loser", entry & 7
        for _ in range(entry >> 4):
            left[k] -= 1
            found[f"{GOODS[k]} token worth {TOKENS[k][left[k]]}: {side}"] += 1
            found[f"{GOODS[k]} tokens: {side}"] += 1
    for seat in (0, 1):
        side = "winner" if seat == winner else "loser"
        at = jaipur_places.BONUS_LOG + 18 * seat
        for token in s[at : at + int(s[jaipur_places.BONUSES_WON + seat])].tolist():
            found[f"bonus of {token >> 4} cards worth {token & 15}: {side}"] += 1
    camels = int(jaipur.camel_winner(s))
    if camels >= 0:
        found["camel tokens: " + ("winner" if camels == winner else "loser")] += 1


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
    found = Counter(games=1)
    s = np.zeros(rathot_layout.LENGTH, np.int32)
    for rats in RATS:
        n = int(rathot_play.game(s, strips_with(rats), seed, TRIED))
        first = int(s[rathot_layout.FIRST])
        winner, reason = int(s[rathot_layout.WHO]), int(s[rathot_layout.REASON])
        who = "nobody" if winner < 0 else "first player" if winner == first else "second player"
        found[f"winner, {rats} rats: {who}"] += 1
        end = "by rats" if reason == rathot_layout.RATS_OUT else "by count"
        found[f"games end, {rats} rats: {end}"] += 1
        found[f"strips laid, {rats} rats"] += n
        if rats == STANDARD_RATS and winner >= 0:
            count_strips(s, found, winner)
    return found


def count_strips(s: Any, found: Counts, winner: int) -> None:
    """Who laid each strip: one in the first turn, then two a turn."""
    size = int(s[rathot_layout.LAID_SIZE])
    laid = s[rathot_layout.LAID + 1 : rathot_layout.LAID + size].tolist()
    for i, move in enumerate(laid):
        seat = int(s[rathot_layout.FIRST]) ^ ((i + 1) // 2 & 1)
        found[f"strip {STANDARD[move & 63]}: {'winner' if seat == winner else 'loser'}"] += 1


PLAY = {"jaipur": jaipur_game, "rathot": rathot_game, "safranito": safranito_games.game}
