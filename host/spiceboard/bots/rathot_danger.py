"""How likely a game of Rat Hot is won when strips are about to be turned up: points, and rats.

Most games end by three rats, so what decides is who can still cover their own. The strips that a
seat will turn up are unknown, but which are left is not: how many rats they bring has a known
distribution, and how many rats two strips can cover is seen from the layout.
"""

import math
from functools import cache
from typing import TYPE_CHECKING

from spicecore.games.rathot.layout import STEPS
from spicecore.games.rathot.strips import RATS, SQUARES

if TYPE_CHECKING:
    from spiceboard.bots.rathot_model import Layout

LOSING = 3  # visible rats of the own colour that lose at the end of a turn
# Log-odds to win of the seat that is to turn up strips. Fitted to 30,000 positions of 2,500 games
# of these bots, some of their turns drawn by lot (logistic regression).
ALWAYS = 0.17
DANGER = (-1.78, 1.01)  # for its own danger (0 to 1), and for the other's
STUCK = (-0.30, 0.33)  # for each visible rat that no strip can cover as they lie
TO_COME = (-0.35, 0.34)  # for each rat on the strips not seen yet
LEAD = 0.14  # for a lead of as many points as strips are left, and two more
LATE_LEAD, LATE = 0.25, 8.0  # for each point of a lead, falling off with so many strips left


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


def coverable(layout: "Layout", seat: int) -> tuple[int, int]:
    """Visible rats of a seat: how many two strips can cover as they lie, and how many none can."""
    if not layout.rats[seat]:
        return 0, 0
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
    return most, len(rats.difference(*spots))


def outlook(layout: "Layout") -> float:
    """How likely seat 0 wins, between two turns; the strips held now are treated as unknown."""
    if layout.loser is not None:
        return float(layout.loser)
    lead = layout.points[0] - layout.points[1] + layout.in_sight()
    if layout.over:
        return 0.5 if lead == 0 else float(lead > 0)
    me = layout.turn
    left = layout.held + layout.pile
    if me == 1:
        lead = -lead
    odds = ALWAYS + LEAD * lead / (2 + len(left)) + LATE_LEAD * lead * math.exp(-len(left) / LATE)
    for who, seat in enumerate((me, 1 - me)):
        found = [layout.strips[strip].count(RATS[seat]) for strip in left]
        most, stuck = coverable(layout, seat)
        odds += STUCK[who] * stuck + TO_COME[who] * sum(found)
        if who == 0 or len(left) > 2:  # else the other has no turn any more
            counts = tuple(found.count(n) for n in range(SQUARES + 1))
            need = LOSING - layout.rats[seat] + most
            odds += DANGER[who] * at_least(counts, 2 + 2 * who, need)
    won = 1 / (1 + math.exp(-odds))
    return won if me == 0 else 1 - won
