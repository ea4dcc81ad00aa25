"""How sure a share is."""

import math

Z95 = 1.96  # two-sided 95 %


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of the share of wins, 0..1; (0, 1) of no games."""
    if games == 0:
        return 0.0, 1.0
    share, square = wins / games, Z95 * Z95 / games
    middle = (share + square / 2) / (1 + square)
    half = Z95 / (1 + square) * math.sqrt(share * (1 - share) / games + square / 4 / games)
    return max(0.0, middle - half), min(1.0, middle + half)
