"""The strong bot of Jaipur: what it thinks with, and that it knows nothing which it may not."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from spiceboard.bots import bot
from spiceboard.kernels import jaipur as kernel
from spiceboard.kernels import jaipur_text as text
from spiceboard.kernels.jaipur_places import LENGTH, PHASE, TURN
from spiceboard.kernels.jaipur_play import MOST_MOVES, list_moves, worths
from spiceboard.kernels.jaipur_quick import quick
from spiceboard.kernels.jaipur_search import match, search
from spiceboard.kernels.jaipur_tables import tables
from spiceboard.kernels.jaipur_view import from_view
from spiceboard.kernels.jaipur_worths import load
from spicecore.games.jaipur import rules
from spicecore.games.jaipur.goods import CAMEL, GOODS, count

PASSES = 24


def positions(seeds: range) -> list[dict[str, Any]]:
    """States of random games in which a seat is on turn."""
    found = []
    for seed in seeds:
        chance = random.Random(seed)
        state = rules.new({"seed": seed})
        while not rules.over(state):
            if state["phase"][0] == "turn" and chance.random() < 0.1:
                found.append(state)
            legal = rules.legal(state, rules.seats_asked(state)[0])
            state = rules.step(state, chance.choice(legal))[0]
    return found


def permuted(state: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same with all that the seat on turn cannot see dealt otherwise."""
    seat = state["phase"][1]
    other = 1 - seat
    kinds = [*GOODS, CAMEL]
    hand, known = state["hands"][other], state["known"][other]
    unseen = [kinds[k] for k in range(6) for _ in range(hand[k] - known[k])]
    pool = [*state["deck"], *unseen]
    while True:
        chance.shuffle(pool)
        if CAMEL not in pool[: len(unseen)]:
            break
    dealt = count(pool[: len(unseen)])
    hands = [list(each) for each in state["hands"]]
    hands[other] = [known[k] + dealt[k] for k in range(6)]
    return {**state, "deck": pool[len(unseen) :], "hands": hands, "chance": 77}


def test_decisions_do_not_depend_on_what_the_seat_cannot_see() -> None:
    chance, looked = random.Random(3), 0
    tables_of_search = tables(), worths(), load()
    for state in positions(range(2)):
        seat = state["phase"][1]
        decisions = set()
        for other in (state, permuted(state, chance), permuted(state, chance)):
            s = from_view(rules.view(other, seat))
            _, move = search(s, *tables_of_search, seat, PASSES, 5)
            # the search itself looks at no hidden card either: the true position decides alike
            _, same = search(text.from_state(other), *tables_of_search, seat, PASSES, 5)
            assert same == move
            decisions.add(str(text.event_of(s, move)))
        assert len(decisions) == 1
        assert eval(decisions.pop()) in rules.legal(state, seat)
        looked += 1
    assert looked > 5


def test_the_quick_policy_moves_legally() -> None:
    t, v, looked = tables(), load(), 0
    s, legal = np.zeros(LENGTH, np.int32), np.zeros(MOST_MOVES, np.int64)
    for seed in range(20):
        kernel.new(s, seed, -1, 1, 0)
        while s[PHASE] == TURN:
            move = quick(s, v)
            assert move in legal[: list_moves(s, t, legal)]
            kernel.apply(s, t, move)
            looked += 1
    assert looked > 400


def test_a_damaged_file_of_worths_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "worths.json"
    file.write_text(json.dumps({"numbers": {"crowd": 1.0}}))
    with pytest.raises(ValueError, match=r"worths\.json has no worths of cards: 'hold_early'"):
        load(file)


def test_strong_beats_sensible() -> None:
    """40 of 40 matches with 1000 games played out a decision; here fewer of both."""
    won = sum(
        match(tables(), worths(), load(), seed, 100, seed % 2) == seed % 2 for seed in range(12)
    )
    assert won >= 8


def test_the_bot_answers_with_a_legal_event() -> None:
    state = positions(range(1))[0]
    seat = state["phase"][1]
    legal = rules.legal(state, seat)
    assert bot.load("jaipur", "strong")(seat, 1).decide(rules.view(state, seat), legal) in legal
