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
from spiceboard.kernels import jaipur_value as value
from spiceboard.kernels import learn_jaipur
from spiceboard.kernels.jaipur_greedy import SUMS, greedy
from spiceboard.kernels.jaipur_places import (
    EMPTY_PILES,
    EXCHANGE,
    HANDS,
    HERDS,
    KNOWN,
    LENGTH,
    RUPEES,
    SELL,
    SIZES,
    TOKENS,
)
from spiceboard.kernels.jaipur_play import MOST_MOVES, list_moves, worths
from spiceboard.kernels.jaipur_search import MOST_SWAPS, at_once, match, outlook, search
from spiceboard.kernels.jaipur_tables import packed, tables
from spiceboard.kernels.jaipur_view import from_view
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
    tables_of_search = tables(), value.load()
    for state in positions(range(2)):
        seat = state["phase"][1]
        decisions = set()
        for other in (state, permuted(state, chance), permuted(state, chance)):
            s = from_view(rules.view(other, seat))
            _, move = search(s, *tables_of_search, 0, PASSES, 5)
            # the search itself looks at no hidden card either: the true position decides alike
            _, same = search(text.from_state(other), *tables_of_search, 0, PASSES, 5)
            assert same == move
            decisions.add(str(text.event_of(s, move)))
        assert len(decisions) == 1
        assert eval(decisions.pop()) in rules.legal(state, seat)
        looked += 1
    assert looked > 5


def room() -> tuple[Any, Any]:
    """Arrays that the network works with."""
    return np.zeros((SUMS, value.UNITS), np.float32), np.zeros(value.ACTIVE, np.int32)


def test_the_best_move_of_the_network_is_the_best_of_all_moves_rated_one_by_one() -> None:
    t, net, (sums, rows) = tables(), value.load(), room()
    ended, legal = np.zeros(LENGTH, np.int32), np.zeros(MOST_MOVES, np.int64)
    looked = 0
    for state in positions(range(30)):
        s = text.from_state(state)
        move, odds = greedy(s, t, net, sums, rows)
        every = [int(each) for each in legal[: list_moves(s, t, legal)]]
        assert move in every
        if any(value.after(s, each, rows) < 0 for each in every):
            continue  # the mean of a bonus token does not say who has won
        chances = {each: at_once(s, t, net, each, sums, rows, ended) for each in every}
        assert chances[int(move)] == pytest.approx(max(chances.values()), abs=1e-4)
        assert value.chance(odds) == pytest.approx(chances[int(move)], abs=1e-4)
        looked += 1
    assert looked > 50


def test_chances_lie_between_zero_and_one() -> None:
    t, net, (sums, rows) = tables(), value.load(), room()
    for state in positions(range(10)):
        s = text.from_state(state)
        assert 0.0 <= outlook(s, t, net, state["phase"][1], sums, rows) <= 1.0


def decisive() -> Any:
    """A position in which selling the last leather wins; afterwards the other's cloths win."""
    s = np.zeros(LENGTH, np.int32)
    kernel.new(s, 4, 0, 1, 0)
    s[TOKENS], s[TOKENS + 1], s[TOKENS + 5], s[EMPTY_PILES] = 0, 0, 1, 2
    s[HANDS], s[HANDS + 1] = packed([0, 0, 0, 0, 0, 1]), packed([0, 0, 0, 5, 0, 0])
    s[SIZES], s[SIZES + 1], s[HERDS], s[HERDS + 1] = 1, 5, 2, 2
    s[KNOWN + 1] = 5 << 12
    s[RUPEES], s[RUPEES + 1] = 30, 28
    return s


def test_the_search_ends_a_round_that_it_wins_now() -> None:
    s = decisive()
    for seed in range(1, 6):
        _, move = search(s, tables(), value.load(), 0, 200, seed)
        assert move == SELL | 5 << 3 | 1 << 6


def test_a_seat_that_exchanges_again_and_again_does_something_else() -> None:
    exchanged = 0
    for state in positions(range(6)):
        s = text.from_state(state)
        _, move = search(s, tables(), value.load(), 0, PASSES, 5)
        exchanged += move & 7 == EXCHANGE
        _, move = search(s, tables(), value.load(), MOST_SWAPS, PASSES, 5)
        assert move & 7 != EXCHANGE
    assert exchanged > 0


def test_a_seed_decides_what_the_search_finds() -> None:
    for state in positions(range(1)):
        s, found = text.from_state(state), set()
        for _ in range(3):
            found.add(search(s, tables(), value.load(), 0, PASSES, 9))
        assert len(found) == 1


def test_a_network_learns_from_its_own_games() -> None:
    net, t = learn_jaipur.fresh(1), tables()
    learn_jaipur.learn_rounds(t, net, 1, 5000, 0.02)
    loss, count = learn_jaipur.learn_rounds(t, net, 5001, 500, 0.0)
    assert loss / count < 0.62  # a guess has 0.69


def test_a_network_is_kept_in_its_file(tmp_path: Path) -> None:
    file, net = tmp_path / "values.json", value.load()
    file.write_text(json.dumps({"weights": value.packed(net)}))
    assert (value.load(file) == net).all()


def test_a_damaged_file_of_values_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "values.json"
    for content in ({}, {"weights": "AAAA"}, {"weights": value.packed(np.zeros((3, 3)))}):
        file.write_text(json.dumps(content))
        value.load.cache_clear()
        with pytest.raises(ValueError, match=r"values\.json has no network"):
            value.load(file)


def test_strong_beats_sensible() -> None:
    """192 of 200 matches with 1,000 answers a decision; here fewer of both."""
    won = sum(
        match(tables(), worths(), value.load(), seed, 100, seed % 2) == seed % 2
        for seed in range(12)
    )
    assert won >= 8


def test_the_bot_answers_with_a_legal_event() -> None:
    state = positions(range(1))[0]
    seat = state["phase"][1]
    legal = rules.legal(state, seat)
    assert bot.load("jaipur", "strong")(seat, 1).decide(rules.view(state, seat), legal) in legal
