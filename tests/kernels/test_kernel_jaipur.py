"""Jaipur's kernel against the rules core, move for move."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from spiceboard.kernels import jaipur as kernel
from spiceboard.kernels import jaipur_moves as moves
from spiceboard.kernels import jaipur_places as places
from spiceboard.kernels import jaipur_text as text
from spiceboard.kernels.jaipur_tables import tables
from spicecore import chance
from spicecore.games.jaipur import rules

SOAK_GAMES = 10_000
LISTS_EVERY = 6  # the whole list of moves is compared at every n-th decision


def start(seed: int) -> tuple[dict[str, Any], Any]:
    """A game on both; options change with the seed."""
    options: dict[str, Any] = {"seed": seed}
    if seed % 3 == 1:
        options["empty_sale"] = False
    if seed % 4 == 2:
        options["replay"] = "same"
    if seed % 5 == 3:
        options["first"] = seed % 2
    s = np.zeros(places.LENGTH, np.int32)
    first = options.get("first", -1)
    kernel.new(s, seed, first, options.get("empty_sale", True), "replay" in options)
    return rules.new(options), s


def play(seed: int) -> int:
    """One random match on both, compared at every decision."""
    state, s = start(seed)
    x, n = chance.start(seed), 0
    while not rules.over(state):
        assert text.to_state(s) == state
        if (n + seed) % LISTS_EVERY == 0:
            compare_moves(state, s)
        x, move = moves.sample_move(s, tables(), x)
        event = text.event_of(s, move)
        assert text.move_of(event) == move
        state = stepped(state, event)
        kernel.apply(s, tables(), move)
        n += 1
    assert text.to_state(s) == state
    assert moves.count_moves(s, tables()) == 0 and kernel.on_turn(s) == -1
    scores = {seat: row["rupees"] for seat, _, row in rules.standing(state)}
    assert scores == {seat: kernel.rupees(s, seat) for seat in (0, 1)}
    return n


def stepped(state: dict[str, Any], event: list[Any]) -> dict[str, Any]:
    after, effects = rules.step(state, event)
    assert after is not state, (event, effects)
    return after


def compare_moves(state: dict[str, Any], s: Any) -> None:
    """Both list the same moves, each once."""
    listed = [moves.nth_move(s, tables(), i) for i in range(moves.count_moves(s, tables()))]
    mine = sorted(map(str, (text.event_of(s, move) for move in listed)))
    seat = rules.seats_asked(state)[0]
    assert kernel.on_turn(s) == seat
    assert mine == sorted(map(str, rules.legal(state, seat)))


@pytest.mark.parametrize("games", [60, pytest.param(300, marks=pytest.mark.slow)])
def test_random_matches_are_equal_move_for_move(games: int) -> None:
    assert sum(play(seed) for seed in range(games)) > 100 * games


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_soak_ten_thousand_random_matches(part: int) -> None:
    for seed in range(part, SOAK_GAMES, 4):
        play(1_000_000 + seed)
