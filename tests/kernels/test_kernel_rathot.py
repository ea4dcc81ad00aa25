"""Rat Hot's kernel against the rules core, move for move."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from rathot_tables import PEACEFUL

from spiceboard.kernels import rathot as kernel
from spiceboard.kernels import rathot_layout as layout
from spiceboard.kernels import rathot_moves as moves
from spiceboard.kernels import rathot_text as text
from spicecore import chance
from spicecore.games.rathot import rules

SOAK_GAMES = 10_000
LISTS_EVERY = 25  # the whole list of moves is compared at every n-th decision
TABLE = np.zeros(layout.LENGTH, np.int32)  # used again for every game, as a study does


def start(seed: int) -> dict[str, Any]:
    """A game on both, the kernel's in TABLE; options and strips change with the seed."""
    options: dict[str, Any] = {"seed": seed}
    if seed % 3 == 1:
        options["groups"] = "touching"
    if seed % 5 == 1:
        options["bounds"] = [3 + seed % 7, 3 + seed % 8]
    if seed % 7 == 3:
        options["first"] = seed % 2
    width, height = options.get("bounds", (0, 0))
    state = rules.new(options)
    if seed % 2:
        state["strips"] = PEACEFUL  # nearly no rats: the game lasts to the last strip
    codes = text.strip_codes(state["strips"])
    first = options.get("first", -1)
    layout.new(TABLE, codes, seed, first, "groups" in options, width, height)
    return state


def play(seed: int) -> int:
    """One random game on both, compared at every decision."""
    state, s = start(seed), TABLE
    x, n = chance.start(seed), 0
    while not rules.over(state):
        if (n + seed) % LISTS_EVERY == 0:
            compare_moves(state, s)
        x, move = moves.sample_move(s, x)
        event = text.event_of(s, move)
        assert text.move_of(event) == move
        after, effects = rules.step(state, event)
        assert after is not state, (event, effects)
        state = after
        kernel.apply(s, move)
        assert text.to_state(s) == state
        n += 1
    assert moves.count_moves(s) == 0
    return n


def compare_moves(state: dict[str, Any], s: Any) -> None:
    """Both list the same moves, each once; a position that was read, too; undo takes back."""
    listed = [moves.nth_move(s, i) for i in range(moves.count_moves(s))]
    mine = sorted(text.event_of(s, move) for move in listed)
    assert mine == sorted(rules.legal(state, rules.seats_asked(state)[0]))
    read = text.from_text(rules.text(state))
    assert moves.count_moves(read) == len(listed)
    if state["phase"][0] == "lay":
        for move in listed[:: max(1, len(listed) // 5)]:
            kernel.apply(s, move)
            kernel.undo(s)
            assert text.to_state(s) == state
        kernel.apply(read, listed[0])
        kernel.undo(read)
        assert (read[layout.GRID :] == s[layout.GRID :]).all()


@pytest.mark.parametrize("games", [60, pytest.param(300, marks=pytest.mark.slow)])
def test_random_games_are_equal_move_for_move(games: int) -> None:
    assert sum(play(seed) for seed in range(games)) > 25 * games


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_soak_ten_thousand_random_games(part: int) -> None:
    for seed in range(part, SOAK_GAMES, 4):
        play(1_000_000 + seed)
