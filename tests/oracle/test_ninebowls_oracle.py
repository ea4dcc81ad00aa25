"""Nine Bowls against an oracle that knows no lines, and against the known numbers of the game."""

import random
from functools import cache
from typing import Any

from oracle.driver import golden_game
from oracle.ninebowls_oracle import SQUARE, ended, free, games, has_line
from spiceboard.bots.ninebowls import outlook
from spicecore.games.ninebowls import rules
from spicecore.parts import ZONES

# Counts of all games of tic-tac-toe by length, with who wins them; they add up to 255,168.
LENGTHS = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
FIRST, SECOND, DRAWS = 131184, 77904, 46080

Ends = dict[tuple[int, str], int]


def numbers(state: dict[str, Any]) -> list[int]:
    """The bowls of a state as the oracle sees them, in some order of turns."""
    owners = rules.view(state, None)["bowls"]
    first = [SQUARE[bowl] for bowl in range(9) if owners[bowl] == state["first"]]
    second = [SQUARE[bowl] for bowl in range(9) if owners[bowl] == 1 - state["first"]]
    taken = []
    for turn in range(len(first) + len(second)):
        taken.append((second if turn % 2 else first)[turn // 2])
    return taken


@cache
def ends(line: str) -> Ends:
    """How many games go on from a position by the rules; every position once."""
    state = rules.parse(line)
    taken = numbers(state)
    legal = rules.legal(state, rules.seats_asked(state)[0]) if not rules.over(state) else []
    assert sorted(SQUARE[ZONES.index(event[2])] for event in legal) == sorted(free(taken))
    assert rules.over(state) == ended(taken)
    if not legal:
        winner = {state["first"]: "first", None: "draw"}.get(state["phase"][2], "second")
        assert has_line(taken[::2]) == (winner == "first")
        assert has_line(taken[1::2]) == (winner == "second")
        return {(len(taken), winner): 1}
    counts: Ends = {}
    for event in legal:
        after, effects = rules.step(state, event)
        assert effects[0] == [None, "occupied", event[1], event[2]]
        # which of their chips a player lays changes nothing: one position for all of them
        for end, n in ends(rules.text(by_bowls(after))).items():
            counts[end] = counts.get(end, 0) + n
    return counts


def by_bowls(state: dict[str, Any]) -> dict[str, Any]:
    """The same position with chips given out bowl by bowl."""
    left = {seat: iter(range(10, 70, 10)) for seat in (0, 1)}
    owners = rules.view(state, None)["bowls"]
    chips = [None if seat is None else f"{'br'[seat]}{next(left[seat])}" for seat in owners]
    return dict(state, bowls=chips)


def test_all_games_are_those_of_tic_tac_toe() -> None:
    counts = ends(rules.text(rules.new({"first": 1})))
    for length, expected in LENGTHS.items():
        assert sum(n for (turns, _), n in counts.items() if turns == length) == expected
    for winner, expected in (("first", FIRST), ("second", SECOND), ("draw", DRAWS)):
        assert sum(n for (_, who), n in counts.items() if who == winner) == expected
    assert ends.cache_info().misses == 5478  # the positions that can be


def test_the_oracle_counts_the_same_games() -> None:
    for begun in ([5, 2], [2, 5, 9], [9, 1]):
        state = rules.new({"first": 0})
        for number in begun:
            event = ["occupy", rules.seats_asked(state)[0], ZONES[SQUARE.index(number)]]
            state, _ = rules.step(state, event)
        assert ends(rules.text(by_bowls(state))) == games(begun)


def test_with_good_play_it_is_a_draw() -> None:
    assert outlook((None,) * 9, 0) == 0
    assert outlook((0, None, None, None, 1, None, None, None, None), 0) == 0
    assert outlook((0, 1, None, None, None, None, None, None, None), 0) == 1


def test_golden_game(rewrite: bool) -> None:
    def pick(state: Any, legal: list[list[Any]], chance: random.Random) -> list[Any]:
        return chance.choice(legal)

    golden_game(rules, pick, rewrite)
