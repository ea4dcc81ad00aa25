"""Safranito's kernel against the rules core, move for move."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from spiceboard.kernels import safranito as kernel
from spiceboard.kernels import safranito_moves as moves
from spiceboard.kernels import safranito_places as places
from spiceboard.kernels import safranito_text as text
from spiceboard.kernels import throws
from spicecore import chance
from spicecore.games.safranito import rules
from spicecore.games.safranito.data import CHIPS
from spicecore.games.safranito.on_demand.options import OPTIONS

SOAK_GAMES = 10_000
LONGEST = 250  # decisions of a game that are compared: random players hardly ever cook
LISTS_EVERY = 9  # the whole list of moves is compared at every n-th decision


def start(seed: int) -> tuple[dict[str, Any], Any]:
    """A game on both; players and options change with the seed."""
    options: dict[str, Any] = {"seed": seed, "players": 2 + seed % 3}
    for i, (name, values) in enumerate(OPTIONS.items()):
        if seed >> i & 1:
            options[name] = values[1]
    if seed % 5 == 3:
        options["chef"] = seed % 2
    s = np.zeros(places.LENGTH, np.int32)
    chef = options.get("chef", -1)
    kernel.new(s, options["players"], seed, chef, text.option_bits(options))
    return rules.new(options), s


def stepped(state: dict[str, Any], event: list[Any]) -> dict[str, Any]:
    """The state after an event and after what it sends home was lifted."""
    after, effects = rules.step(state, event)
    assert after is not state, (event, effects)
    if after["astray"]:
        home = [[chip, None] for chip in after["astray"]]
        after, _ = rules.step(after, ["moved", None, home])
    assert not after["astray"]
    return dict(after)


def play(seed: int) -> int:
    """One game on both, compared at every decision."""
    state, s = start(seed)
    assert text.to_state(s) == state
    x, n, table = chance.start(seed), 0, throws.load()
    while not rules.over(state) and n < LONGEST:
        if (n + seed) % LISTS_EVERY == 0:
            compare_moves(state, s)
        x, move = sensible_move(s, x)
        event = text.event_of(s, move)
        x = kernel.apply(s, table, move, x)
        for each in text.thrown_events(state, s, move) if event[0] == "moved" else [event]:
            state = stepped(state, each)
        assert text.to_state(s) == state, (event, move)
        n += 1
    if rules.over(state):
        assert moves.count_moves(s) == 0 and places.on_turn(s) == -1
        assert places.OVER == s[places.PHASE] and s[places.P1] == state["phase"][1]
    return n


def sensible_move(s: Any, x: int) -> tuple[int, int]:
    """A random move, but cooked whenever one can, so that games come to their end."""
    for i in range(moves.count_moves(s) if s[places.PHASE] == places.COOK_PHASE else 0):
        move = moves.nth_move(s, i)
        if move & 31 in (places.COOK_OPEN, places.COOK_RESERVED):
            return x, move
    return moves.sample_move(s, x)


def compare_moves(state: dict[str, Any], s: Any) -> None:
    """Both list the same moves; each throw stands for every zone and strength."""
    listed = [moves.nth_move(s, i) for i in range(moves.count_moves(s))]
    assert len(set(listed)) == len(listed)
    seat = rules.seats_asked(state)[0]
    assert places.on_turn(s) == seat
    mine: dict[str, int] = {}
    for move in listed:
        event = str(text.event_of(s, move))
        mine[event] = mine.get(event, 0) + 1
    thrown = {chip for i, chip in enumerate(CHIPS) if s[places.THROWN] >> i & 1}
    for event in rules.legal(state, seat):
        if event[0] == "moved":
            if event[2][0][0] not in thrown:
                assert mine.pop(str(event)) == places.AIMS
        else:
            assert mine.pop(str(event)) == 1
    assert not mine
    if state["seen"] == sorted(thrown, key=CHIPS.index):
        read = text.from_text(rules.text(state))
        assert moves.count_moves(read) == len(listed)
        assert text.to_state(read) == state


@pytest.mark.parametrize("games", [60, pytest.param(300, marks=pytest.mark.slow)])
def test_random_games_are_equal_move_for_move(games: int) -> None:
    assert sum(play(seed) for seed in range(games)) > 100 * games


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_soak_ten_thousand_games(part: int) -> None:
    for seed in range(part, SOAK_GAMES, 4):
        play(1_000_000 + seed)
