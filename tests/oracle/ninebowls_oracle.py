"""Tic-tac-toe written down a second time, by other means: no table of lines, no chips.

The bowls get the numbers of the magic square 2 7 6 / 9 5 1 / 4 3 8: three of them are a line just
when they add up to 15. A game is the list of numbers taken so far, by turns.
"""

from itertools import combinations

SQUARE = (2, 7, 6, 9, 5, 1, 4, 3, 8)


def has_line(taken: list[int]) -> bool:
    """Do three of these numbers add up to 15?"""
    return any(sum(three) == 15 for three in combinations(taken, 3))


def ended(taken: list[int]) -> bool:
    """Has one of the two a line, or is no bowl left?"""
    return has_line(taken[::2]) or has_line(taken[1::2]) or len(taken) == 9


def free(taken: list[int]) -> list[int]:
    """The numbers that may be taken now."""
    return [] if ended(taken) else [number for number in SQUARE if number not in taken]


def games(taken: list[int]) -> dict[tuple[int, str], int]:
    """How many games go on from here, by (number of turns, "first", "second" or "draw")."""
    if ended(taken):
        winner = next((w for w, own in (("first", taken[::2]), ("second", taken[1::2]))
                       if has_line(own)), "draw")  # fmt: skip
        return {(len(taken), winner): 1}
    counts: dict[tuple[int, str], int] = {}
    for number in free(taken):
        for end, n in games([*taken, number]).items():
            counts[end] = counts.get(end, 0) + n
    return counts
