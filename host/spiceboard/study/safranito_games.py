"""A game of Safranito on the kernel, and what is counted of it.

All seats decide as the bot `sensible` does. A chip that was thrown counts once: it buys a card,
sells cards, wins an action space, or does nothing.
"""

from collections import Counter
from typing import Any

import numpy as np

from spiceboard.kernels import safranito, throws
from spiceboard.kernels import safranito_places as places
from spiceboard.kernels.safranito_policy import PLAN_SIZE, decide
from spicecore import chance
from spicecore.games.safranito.data import BLENDS as SPICES
from spicecore.parts import ZONES

Counts = Counter[str]
BLENDS = (12, 18)  # in the box, compared; 18 are ours
LONGEST = 20_000  # decisions; games end long before
LONG = 12  # rounds: longer games are counted together
SPACES = {
    places.DRAW: "spice_card",
    places.RESERVE: "reserve",
    places.TAKE: "head_chef",
}
EXTRA_THROW = "extra_throw"


def game(seed: int) -> Counts:
    """A game of two, three or four for each number of blends."""
    seats, found = 2 + seed % 3, Counter(games=1)
    for blends in BLENDS:
        s = np.zeros(places.LENGTH, np.int32)
        safranito.new(s, seats, seed, -1, 0)
        leave_out(s, len(SPICES) - blends)
        chef = int(s[places.CHEF])
        log, last = play(s, seed)
        table = f"{seats} players, {blends} blends"
        count_end(s, found, table, chef, last)
        if blends == len(SPICES):
            count_log(log, found, seats, int(s[places.P1]))
    return found


def leave_out(s: Any, blends: int) -> None:
    """Take so many blends from the bottom of the pile, where the kernel's list begins."""
    size = int(s[places.PILE_SIZE])
    at = places.PILE
    s[at : at + size - blends] = s[at + blends : at + size].copy()
    s[places.PILE_SIZE] = size - blends


def play(s: Any, seed: int) -> tuple[list[tuple[str, int]], int]:
    """Play to the end: ([(what was done, seat), ...], the kind of the last move)."""
    log: list[tuple[str, int]] = []
    work, table, x, kind = np.zeros(PLAN_SIZE), throws.load(), chance.start(seed), -1
    for _ in range(LONGEST):
        if s[places.PHASE] == places.OVER:
            break
        x, move = decide(s, work, x)
        kind = int(move) & 31
        log += deeds(s, kind, int(move) >> 5)
        x = safranito.apply(s, table, move, x)
    return log, kind


def deeds(s: Any, kind: int, item: int) -> list[tuple[str, int]]:
    """What a move does, before it is made."""
    seat = int(places.on_turn(s))
    if kind == places.THROW:
        thrown = [(f"chip {10 * ((item & 7) + 1)}: thrown", seat)]
        if s[places.PHASE] != places.EXTRA_THROW:
            return thrown
        return [*thrown, *of_space(s, EXTRA_THROW, seat)]
    if kind in SPACES:
        return of_space(s, SPACES[kind], seat)
    if kind == places.BUY:
        chip = int(places.top_chip(s, s[places.P1], seat))
        return [(f"chip {places.value(chip)}: buys a card", seat)]
    if kind == places.CLOSE:
        return [
            (f"chip {places.value(chip)}: sells cards", chip // 6)
            for chip in chips_in(s, int(s[places.P1]))
            if s[places.SALE + chip // 6] > 0
        ]
    if kind in (places.COOK_OPEN, places.COOK_RESERVED):
        return [(f"blends cooked: {', '.join(ZONES[spice] for spice in SPICES[item])}", seat)]
    return []


def of_space(s: Any, space: str, seat: int) -> list[tuple[str, int]]:
    """An action space that is used, and the chips that won it."""
    won = [chip for chip in chips_in(s, ZONES.index(space)) if chip // 6 == seat]
    return [(space, seat)] + [
        (f"chip {places.value(chip)}: wins an action space", seat) for chip in won
    ]


def chips_in(s: Any, zone: int) -> list[int]:
    """The chips in a zone."""
    bits = int(places.chips_in(s, zone))
    return [chip for chip in range(24) if bits >> chip & 1]


def count_end(s: Any, found: Counts, table: str, chef: int, last: int) -> None:
    """Who won, how, and after how many rounds."""
    rounds = int(s[places.ROUND])
    length = f"{rounds:2}" if rounds < LONG else f"{LONG} and more"
    found[f"rounds, {table}: {length}"] += 1
    if s[places.PHASE] != places.OVER:
        found[f"games end, {table}: not at all"] += 1
        return
    place = (int(s[places.P1]) - chef) % int(s[places.SEATS]) + 1
    found[f"winner, {table}: place {place} from the first head chef"] += 1
    kind = "a reserved blend" if last == places.COOK_RESERVED else "an open blend"
    found[f"games end, {table}: with {kind}"] += 1


def count_log(log: list[tuple[str, int]], found: Counts, seats: int, winner: int) -> None:
    """Chips by what they did, blends, and who used the action spaces."""
    for what, seat in log:
        group, mark, _ = what.partition(": ")
        if not mark:
            side = "winner" if seat == winner else "loser"
            found[f"{what}, {seats} players: {side}"] += 1
        elif what.endswith(": thrown"):
            found[f"{group}: does nothing"] += 1
        else:
            found[what] += 1
            if group.startswith("chip"):
                found[f"{group}: does nothing"] -= 1
