"""Jaipur's kernel against the rules core: legal moves, state and score equal at every decision."""

from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from spiceboard.kernels import jaipur as kernel
from spiceboard.kernels import jaipur_moves as moves
from spiceboard.kernels import jaipur_places as places
from spiceboard.kernels import jaipur_text as text
from spiceboard.kernels.compiled import kernel as compiled
from spiceboard.kernels.jaipur_tables import tables
from spicecore import chance
from spicecore.games.jaipur import goods, rules

GAMES, SOAK_GAMES, PARTS = 300, 10_000, 4  # in parts, for a worker must not be alone at the end
READ_EVERY = 50  # a position is read from its text at every n-th decision
MOVES = np.zeros(5_000, np.int64)


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


@compiled
def write_moves(s: Any, t: Any, out: Any) -> int:
    """Write all moves to `out`; their number. Compiled, for there are hundreds."""
    n = moves.count_moves(s, t)
    for i in range(n):
        out[i] = moves.nth_move(s, t, i)
    return n


def play(seed: int) -> int:
    """One random match on both, compared at every decision."""
    state, s = start(seed)
    x, n = chance.start(seed), 0
    while not rules.over(state):
        compare(state, s)
        if (n + seed) % READ_EVERY == 0:
            compare_read(state, s)
        x, move = moves.sample_move(s, tables(), x)
        event = text.event_of(s, move)
        assert text.move_of(event) == move
        after, effects = rules.step(state, event)
        assert after is not state, (event, effects)
        state = after
        kernel.apply(s, tables(), move)
        n += 1
    compare(state, s)
    scores = {seat: row["rupees"] for seat, _, row in rules.standing(state)}
    assert scores == {seat: kernel.rupees(s, seat) for seat in (0, 1)}
    return n


def compare(state: dict[str, Any], s: Any) -> None:
    """State, legal moves (each once) and score are the same."""
    assert text.to_state(s) == state
    found = MOVES[: write_moves(s, tables(), MOVES)].tolist()
    seats = rules.seats_asked(state)
    assert kernel.on_turn(s) == (seats[0] if seats else -1)
    legal = rules.legal(state, seats[0]) if seats else []
    mine = set(found)
    assert len(mine) == len(found) == len(legal)
    assert mine == {number(event) for event in legal}
    for seat in (0, 1):
        assert kernel.rupees(s, seat) == goods.rupees(state, seat)


def number(event: list[Any]) -> int:
    """The kernel's number of an event."""
    if event[0] == "exchange":
        return exchange(tuple(event[2]), tuple(event[3]))
    return text.move_of(event)


@cache
def exchange(taken: tuple[str, ...], given: tuple[str, ...]) -> int:
    return text.move_of(["exchange", 0, list(taken), list(given)])


def compare_read(state: dict[str, Any], s: Any) -> None:
    """A position that was read from its text is the same."""
    read = text.from_text(rules.text(state))
    assert text.to_text(read) == text.to_text(s)
    assert moves.count_moves(read, tables()) == moves.count_moves(s, tables())


@pytest.mark.parametrize("part", range(PARTS))
def test_random_matches_are_equal_at_every_decision(part: int) -> None:
    seeds = range(GAMES * part // PARTS, GAMES * (part + 1) // PARTS)
    assert sum(play(seed) for seed in seeds) > 100 * len(seeds)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_soak_ten_thousand_random_matches(part: int) -> None:
    for seed in range(part, SOAK_GAMES, PARTS):
        play(1_000_000 + seed)
