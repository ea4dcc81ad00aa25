"""Rat Hot's kernel against the rules core: legal moves, state and score equal at every step."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from rathot_tables import PEACEFUL

from spiceboard.kernels import rathot as kernel
from spiceboard.kernels import rathot_layout as layout
from spiceboard.kernels import rathot_moves as moves
from spiceboard.kernels import rathot_text as text
from spiceboard.kernels.compiled import kernel as compiled
from spicecore import chance
from spicecore.games.rathot import rules, turn
from spicecore.games.rathot.layout import surface

GAMES, SOAK_GAMES, PARTS = 300, 10_000, 4  # in parts, for a worker must not be alone at the end
UNDO_EVERY = 25  # a position is read from its text, and lays are taken back, at every n-th step
MOVES = np.zeros(5_000, np.int64)
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


@compiled
def write_moves(s: Any, out: Any) -> int:
    """Write all moves to `out`; their number, -1 when nth_move says otherwise.

    To ask nth_move for each of hundreds would look hundreds of times at every spot.
    """
    if moves.count_moves(s) < 2:
        out[0] = moves.nth_move(s, 0)
        return moves.count_moves(s)
    n, ways = 0, 2 * s[layout.HELD_SIZE]
    for which in range(moves.spots_asked(s)):
        found = moves.spot(s, which)
        if found >= 0:
            for way in range(ways):
                out[n] = moves.move_at(s, found, way)
                n += 1
    for i in range(0, n, max(1, n // 9)):
        if moves.nth_move(s, i) != out[i]:
            return -1
    return n if n == moves.count_moves(s) else -1


def play(seed: int) -> int:
    """One random game on both, compared at every step."""
    state, s = start(seed), TABLE
    x, n = chance.start(seed), 0
    while not rules.over(state):
        found = compare(state, s)
        if (n + seed) % UNDO_EVERY == 0:
            compare_undone(state, s, found)
        x, move = moves.sample_move(s, x)
        event = text.event_of(s, move)
        assert text.move_of(event) == move
        after, effects = rules.step(state, event)
        assert after is not state, (event, effects)
        state = after
        kernel.apply(s, move)
        n += 1
    compare(state, s)
    return n


def compare(state: dict[str, Any], s: Any) -> list[int]:
    """State, legal moves (each once), points and rats are the same; the moves' numbers."""
    assert text.to_state(s) == state
    found: list[int] = MOVES[: write_moves(s, MOVES)].tolist()
    seats = rules.seats_asked(state)
    legal = rules.legal(state, seats[0]) if seats else []
    mine = set(found)
    assert len(mine) == len(found) == len(legal)
    assert mine == {text.move_of(event) for event in legal}
    _, face = surface(state["strips"], state["laid"])
    for seat in (0, 1):
        assert kernel.points(s, seat) == turn.points(state, seat)
        assert s[layout.RATS + seat] == turn.rats(face, seat)
    red, green = turn.final_count(face)
    assert kernel.in_sight(s) == red - green
    return found


def compare_undone(state: dict[str, Any], s: Any, found: list[int]) -> None:
    """A position that was read from its text is the same; undo takes back."""
    read = text.from_text(rules.text(state))
    assert moves.count_moves(read) == len(found)
    if state["phase"][0] == "lay":
        for move in found[:: max(1, len(found) // 5)]:
            kernel.apply(s, move)
            kernel.undo(s)
            assert text.to_state(s) == state
        kernel.apply(read, found[0])
        kernel.undo(read)
        assert (read[layout.GRID :] == s[layout.GRID :]).all()


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_are_equal_at_every_step(part: int) -> None:
    seeds = range(GAMES * part // PARTS, GAMES * (part + 1) // PARTS)
    assert sum(play(seed) for seed in seeds) > 25 * len(seeds)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_soak_ten_thousand_random_games(part: int) -> None:
    for seed in range(part, SOAK_GAMES, PARTS):
        play(1_000_000 + seed)
