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
ATTACK = 0.8  # how often the other lays a rat of ours so that it shows
PRESSURE = 1.5  # points that one rat more in sight is worth, beyond the next turns
SPREAD = (2.0, 0.2)  # points of a lead that make 73 %: at the end, and more for each strip left


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
    mine = danger(layout, me, left, 2)
    others = ATTACK * danger(layout, 1 - me, left, 4) if len(left) > 2 else 0.0
    if me == 1:
        lead = -lead
    lead += PRESSURE * min(1.0, len(left) / 8) * (layout.rats[1 - me] - layout.rats[me])
    ahead = 1 / (1 + math.exp(-lead / (SPREAD[0] + SPREAD[1] * len(left))))
    won = (1 - mine) * (others + (1 - others) * ahead)
    return won if me == 0 else 1 - won
