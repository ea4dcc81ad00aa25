"""Rat Hot's search and its values: fair, repeatable, and not blind to what is plain to see."""

import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from spiceboard.bots import bot
from spiceboard.bots.offline import Game, rules_of
from spiceboard.kernels import learn_rathot, rathot_player, rathot_rats, rathot_search
from spiceboard.kernels import rathot_layout as layout
from spiceboard.kernels import rathot_turns as turns
from spiceboard.kernels.chance import start
from spiceboard.kernels.compiled import kernel
from spiceboard.kernels.rathot import apply, undo
from spiceboard.kernels.rathot_moves import sample_move
from spiceboard.kernels.rathot_text import from_state, move_of, strip_codes, to_state
from spiceboard.kernels.rathot_value import FEATURES, load
from spicecore.games.rathot import rules

PASSES = 60
pytestmark = pytest.mark.slow  # compiling the search takes longer than all the quick tests


def played_positions() -> list[tuple[dict[str, Any], int, list[Any]]]:
    """(state, seat, legal) now and then in a game of sensible bots."""
    core = rules_of("rathot")
    bots = [bot.load("rathot", "sensible")(seat, 3) for seat in range(2)]
    match, found = Game(core, bots, 3), []
    while not core.over(match.state):
        seat = core.seats_asked(match.state)[0]
        legal = core.legal(match.state, seat)
        if match.steps % 6 == 0 and len(legal) > 1:
            found.append((match.state, seat, legal))
        match.turn()
    return found


def test_it_does_not_look_at_the_pile_and_decides_the_same_again() -> None:
    chance, looked = random.Random(2), 0
    for state, seat, legal in played_positions():
        pile = chance.sample(state["pile"], len(state["pile"]))
        views = [rules.view(each, seat) for each in (state, {**state, "pile": pile}, state)]
        decided = [rathot_player.think(view, 40, 5) for view in views]
        assert decided[0] == decided[1] == decided[2]
        assert decided[0][0] in legal
        looked += 1
    assert looked > 2


def test_the_bot_lays_the_turn_that_it_has_thought_of() -> None:
    core = rules_of("rathot")
    state, seat, legal = next(each for each in played_positions() if len(each[0]["held"]) == 2)
    thinker = bot.load("rathot", "strong")(seat, 3)
    for _ in range(2):
        event = thinker.decide(rules.view(state, seat), legal)
        assert event in legal
        state, _ = core.step(state, event)
        legal = core.legal(state, seat)


def test_the_search_leaves_the_position_as_it_was() -> None:
    state, seat, _ = played_positions()[1]
    s = rathot_player.from_view(rules.view(state, seat))
    before = s.copy()
    rathot_search.search(s, 6, 5, turns.desk(load()), turns.found(12), turns.found(4))
    grid = slice(layout.GRID, layout.LENGTH)
    assert (s[grid] == before[grid]).all()
    header = slice(0, layout.HEADER)
    assert (s[header] == before[header]).all()


def test_it_beats_a_player_who_looks_at_one_strip() -> None:
    s, room = np.zeros(layout.LENGTH, np.int32), turns.desk(load())
    best, answer = turns.found(12), turns.found(4)
    won = sum(
        rathot_search.match(s, strip_codes(), seed, room, best, answer) == seed & 1
        for seed in range(40)
    )
    assert won >= 30


def test_values_are_learned_from_games() -> None:
    positions, won, numbers = learn_rathot.games(learn_rathot.by_hand(), 5, 10)
    assert len(positions) == len(won) == len(numbers) > 50
    assert set(numbers) == set(range(5, 15))


def test_the_fit_finds_what_decides() -> None:
    chance = np.random.default_rng(2)
    positions = chance.integers(0, 2, (30_000, FEATURES)).astype(np.float32)
    won = (positions[:, 3] > positions[:, 7]).astype(float)
    weights = learn_rathot.fit(positions, won, 1)
    assert learn_rathot.loss(positions, won, weights) < 0.3


@kernel
def random_position(s: Any, strips: Any, seed: int, rats: int, whose: int) -> bool:
    """Play at random until the seat on turn (whose 0) or the other sees so many own rats.

    False: the game ended before. Strips are turned up in the position.
    """
    layout.new(s, strips, seed, -1, 0, 0, 0)
    x = start(seed)
    while s[layout.PHASE] != layout.OVER:
        if s[layout.PHASE] == layout.TURN_UP_PHASE:
            apply(s, layout.TURN_UP)
            seat = s[layout.WHO] if whose == 0 else 1 - s[layout.WHO]
            if s[layout.RATS + seat] >= rats and s[layout.PILE_SIZE] > 4:
                return True
        x, move = sample_move(s, x)
        apply(s, move)
    return False


@kernel
def count_turns(s: Any, desk: turns.Desk, saving: bool) -> tuple[int, int]:
    """(turns, those that leave fewer than three own rats; or so many of the other's that two
    strips cannot cover them as they lie, without losing)."""
    seat, n, good = s[layout.WHO], 0, 0
    m = turns.placements(s, desk.moves[0], desk.scores[0], True)
    for i in range(m):
        apply(s, desk.moves[0][i])
        k = turns.placements(s, desk.moves[1], desk.scores[1], True)
        for j in range(k):
            apply(s, desk.moves[1][j])
            n += 1
            good += is_good(s, desk, seat, saving)
            undo(s)
        undo(s)
    return n, good


@kernel
def is_good(s: Any, desk: turns.Desk, seat: int, saving: bool) -> bool:
    """Whether a turn of a seat that has just ended was good, see `count_turns`."""
    if s[layout.RATS + seat] >= 3:
        return False
    rathot_rats.look(s, 1 - seat, desk.counts)
    return saving or s[layout.RATS + 1 - seat] - desk.counts[rathot_rats.BY_TWO] >= 3


def positions(rats: int, whose: int) -> list[Any]:
    """Positions of random games in which a seat has so many visible rats."""
    found = []
    for seed in range(400):
        s = np.zeros(layout.LENGTH, np.int32)
        if random_position(s, strip_codes(), seed, rats, whose):
            found.append(from_state(to_state(s)))
    return found[:40]


def chosen(s: Any) -> list[Any]:
    """The events that the bot chooses in a position."""
    state, seat = to_state(s), int(s[layout.WHO])
    return rathot_player.think(rules.view(state, seat), PASSES, 5)


@pytest.mark.parametrize("saving", [True, False], ids=["saves itself", "sets a trap"])
def test_what_is_plain_to_see(saving: bool) -> None:
    desk, looked, right = turns.desk(load()), 0, 0
    for s in positions(3, 0) if saving else positions(2, 1):
        n, good = count_turns(s, desk, saving)
        if not 0 < good < n / 4:
            continue
        seat = int(s[layout.WHO])
        for event in chosen(s):
            apply(s, move_of(event))
        looked += 1
        right += is_good(s, desk, seat, saving)
    assert looked > 5
    # A trap may be worth less than something else; and it has learned from other positions.
    assert right == looked if saving else right > 0.8 * looked
