"""How likely a game of Rat Hot is won when strips are about to be turned up: points, and rats.

Most games end by three rats, so what decides is who can still cover his own. The strips that a
seat will turn up are unknown, but which are left is not: how many rats they bring has a known
distribution, and how many rats two strips can cover is seen from the layout.
"""

import math
from functools import cache
from typing import TYPE_CHECKING

from spiceboard.spicecore.rathot_layout import STEPS
from spiceboard.spicecore.rathot_strips import RATS, SQUARES

if TYPE_CHECKING:
    from spiceboard.host.bots.rathot_model import Layout

LOSING = 3  # visible rats of the own colour that lose at the end of a turn
# Log-odds to win of the seat that is to turn up strips: always, for its own and the other's danger
# (0 to 1), and for a lead of as many points as strips are left, and two more. Fitted to 1500
# games of the model against itself (logistic regression).
ODDS, MINE, OTHERS, LEAD = -0.12, -2.61, 1.67, 0.44


@cache
def at_least(counts: tuple[int, ...], draws: int, least: int) -> float:
    """How likely `draws` strips bring `least` rats or more; counts[r] strips have r rats each."""
    if least <= 0:
        return 1.0
    left = sum(counts)
    draws = min(draws, left)
    ways = {(0, 0): 1}  # (strips drawn, rats on them): in how many ways
    for rats, n in enumerate(counts):
        more: dict[tuple[int, int], int] = {}
        for (drawn, found), many in ways.items():
            for k in range(min(n, draws - drawn) + 1):
                key = (drawn + k, found + k * rats)
                more[key] = more.get(key, 0) + many * math.comb(n, k)
        ways = more
    bad = sum(many for (drawn, found), many in ways.items() if drawn == draws and found >= least)
    return bad / math.comb(left, draws)


def coverable(layout: "Layout", seat: int) -> int:
    """How many visible rats of a seat two strips can cover, beside each other as it lies now."""
    top = layout.top
    rats = {at for at, square in layout.face.items() if square == RATS[seat]}
    spots: dict[tuple[int, int, int], int] = {}
    for at in rats:
        for step in STEPS[:2]:
            for back in range(SQUARES):
                first = at - back * step
                where = (first, first + step, first + 2 * step)
                a, b, c = (top.get(each, 0) for each in where)
                if a and a // 64 == b // 64 == c // 64 and not a == b == c:
                    spots[where] = sum(each in rats for each in where)
    best_first = sorted(spots.items(), key=lambda item: -item[1])
    most = best_first[0][1] if best_first else 0
    for i, (where, n) in enumerate(best_first):
        for other, m in best_first[i + 1 :]:
            if n + m <= most:
                break
            if not set(where) & set(other):
                most = n + m
    return most


def danger(layout: "Layout", seat: int, left: list[int], draws: int) -> float:
    """How likely a seat cannot get rid of its rats when `draws` more of these strips are laid."""
    counts = [0] * (SQUARES + 1)
    for strip in left:
        counts[layout.strips[strip].count(RATS[seat])] += 1
    need = LOSING - layout.rats[seat] + coverable(layout, seat)
    return at_least(tuple(counts), draws, need)


def outlook(layout: "Layout") -> float:
    """How likely seat 0 wins, between two turns; the strips held now are treated as unknown."""
    if layout.loser is not None:
        return float(layout.loser)
    lead = layout.points[0] - layout.points[1] + layout.in_sight()
    if layout.over:
        return 0.5 if lead == 0 else float(lead > 0)
    me = layout.turn
    left = layout.held + layout.pile
    odds = ODDS + MINE * danger(layout, me, left, 2)
    if len(left) > 2:
        odds += OTHERS * danger(layout, 1 - me, left, 4)
    odds += LEAD * (lead if me == 0 else -lead) / (2 + len(left))
    won = 1 / (1 + math.exp(-odds))
    return won if me == 0 else 1 - won
