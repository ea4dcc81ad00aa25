"""What the bots of Rat Hot think with: a layout kept as it grows, its dangers, and the search."""

import random
from typing import Any

import pytest

from spiceboard.bots import bot
from spiceboard.bots.rathot_danger import at_least, coverable, outlook
from spiceboard.bots.rathot_model import Layout, unseen
from spiceboard.bots.rathot_world import ranked
from spiceboard.bots.search import halve
from spicecore.games.rathot import rules as rathot

STRIPS = ["_s_", "__r", "_g_", "r__", "1_1", "_11", "r_r"] + ["___"] * 36


def layout_of(state: dict[str, Any]) -> Layout:
    """The model of a state, from what everybody may see."""
    view = rathot.view(state, None)
    return Layout(view, unseen(view))


def laid_out(*laid: list[int], turn: int = 0) -> Layout:
    """A layout of STRIPS with these strips laid as [strip, x, y, d]."""
    seen = {
        "strips": STRIPS,
        "options": {"groups": "changed", "bounds": None},
        "laid": [[0, -1, 0, 0], *laid],
        "held": [],
        "chips": [[0, 0], [0, 0]],
        "noted": [0, 0],
        "phase": ["turn_up", turn],
    }
    shown = "".join(STRIPS[each[0]] for each in laid)  # none covers another here
    return Layout({**seen, "rats": [shown.count("r"), shown.count("g")]}, [40, 41, 42])


@pytest.mark.parametrize("options", [{}, {"groups": "touching"}, {"bounds": [12, 12]}])
def test_the_layout_goes_with_the_rules_strip_by_strip(options: dict[str, Any]) -> None:
    chance = random.Random(4)
    laid = 0
    for seed in range(4):
        state = rathot.new({"seed": seed, **options})
        model = None
        while not rathot.over(state):
            seat = rathot.seats_asked(state)[0]
            if state["phase"][0] == "turn_up":
                state, _ = rathot.step(state, ["turn_up", seat])
                model = layout_of(state)
            assert model is not None
            found = model.placements()
            move = found[0][1] if chance.random() < 0.7 else chance.choice(found)[1]
            model.play(move)
            state, effects = rathot.step(state, ["lay", seat, *move])
            assert effects[0][1] == "laid", effects
            laid += 1
            assert model.points == [rathot.points(state, who) for who in (0, 1)]
            assert model.rats == rathot.view(state, None)["rats"]
            if not rathot.over(state):
                fresh = layout_of(state)
                assert model.together == fresh.together
                assert model.in_sight() == fresh.in_sight()
            else:
                assert model.over and (model.loser is None) == (state["phase"][1] == "end")
    assert laid > 40


def test_a_score_is_the_points_of_the_strip_and_its_rats() -> None:
    state = rathot.step(rathot.new({"seed": 5, "first": 0}), ["turn_up", 0])[0]
    peaceful = ["_s_"] + ["1__", "_11", "5__", "_55"] + ["___"] * 38
    state["strips"] = peaceful
    state["laid"] = [[0, -1, 0, 0], [1, -1, 1, 0]]
    state["held"], state["pile"] = [2], list(range(3, 43))
    model = layout_of(state)
    score, move = model.placements()[0]
    after, effects = rathot.step(state, ["lay", 0, *move])
    assert after is not state
    assert score == 2.0 == sum(effect[3] for effect in effects if effect[1] == "scored")


def test_at_least_is_the_share_of_the_draws() -> None:
    # 2 strips without a rat, 2 with one: of 6 pairs 5 have one or more, 1 has two
    assert at_least((2, 2, 0, 0), 2, 1) == pytest.approx(5 / 6)
    assert at_least((2, 2, 0, 0), 2, 2) == pytest.approx(1 / 6)
    assert at_least((2, 2, 0, 0), 2, 3) == 0.0
    assert at_least((0, 0, 1, 0), 2, 2) == 1.0  # fewer are left than should be drawn
    assert at_least((2, 2, 0, 0), 2, 0) == 1.0


def test_coverable_counts_what_two_strips_can_hide_and_what_none_can() -> None:
    assert coverable(laid_out(), 0) == (0, 0)
    # "__r" ends beside nothing: no strip can lie on its rat without a gap
    assert coverable(laid_out([1, -4, 0, 2]), 0) == (0, 1)
    # its rat lies beside the start strip, in line with it
    assert coverable(laid_out([1, -4, 0, 0]), 0) == (1, 0)
    # one rat on each side of the start strip: a strip each
    assert coverable(laid_out([1, -4, 0, 0], [3, 2, 0, 0]), 0) == (2, 0)


def test_the_outlook_is_worse_with_rats_that_cannot_be_covered() -> None:
    free, stuck = laid_out([2, -1, 1, 0]), laid_out([1, -4, 0, 2], [1, 4, 0, 0])
    assert 0.0 < outlook(stuck) < outlook(free) < 1.0
    stuck.loser, stuck.over = 0, True
    assert outlook(stuck) == 0.0


def test_turns_are_ranked_by_the_outlook_best_first() -> None:
    state = rathot.new({"seed": 11})
    for _ in range(2):
        state, _ = rathot.step(state, ["turn_up", state["phase"][1]])
        if len(state["held"]) == 2:
            break
        state, _ = rathot.step(state, rathot.legal(state, state["phase"][1])[0])
    found = ranked(layout_of(state), 6)
    assert len(found) == 6
    assert [value for value, _ in found] == sorted((value for value, _ in found), reverse=True)
    assert len({frozenset(turn) for _, turn in found}) == 6
    for _, turn in found:
        after = state
        for move in turn:
            seat = after["phase"][1]
            before, (after, _) = after, rathot.step(after, ["lay", seat, *move])
            assert after is not before


@pytest.mark.parametrize("name", ["sensible", "searcher"])
def test_a_bot_decides_by_what_it_may_see_whatever_lies_in_the_pile(name: str) -> None:
    state = rathot.step(rathot.new({"seed": 6, "first": 1}), ["turn_up", 1])[0]
    state = rathot.step(state, rathot.legal(state, 1)[7])[0]
    state = rathot.step(state, ["turn_up", 0])[0]
    other = {**state, "pile": state["pile"][::-1]}
    events = []
    for each in (state, other):
        player = bot.load("rathot", name)(0, 3)
        events.append(player.decide(rathot.view(each, 0), rathot.legal(each, 0)))
    assert events[0] == events[1]
    assert events[0] in rathot.legal(state, 0)


class Dice:
    """A throw of a die that a guess settles; move n wins when it shows n or more."""

    def __init__(self, shown: int) -> None:
        self.shown, self.turn, self.over, self.won = shown, 1, False, False

    def moves(self) -> list[tuple[float, int]]:
        raise AssertionError("over after one move")

    def play(self, move: int) -> None:
        self.over, self.won = True, self.shown >= move

    def value(self) -> float:
        return 0.0 if self.won else 1.0  # of seat 0; seat 1 moves


def test_halving_finds_the_likeliest_move_under_equal_guesses() -> None:
    chance = random.Random(2)
    deals = []

    def deal() -> Any:
        shown = chance.randint(1, 6)
        deals.append(shown)
        return lambda: Dice(shown)

    assert halve(deal, [(0.5, n) for n in (6, 5, 4, 2, 3)], 120) == 2
    assert len(deals) <= 120
    # a first opinion that is worth more passes than there are stands
    assert halve(deal, [(0.9, 6), (0.1, 2)], 8, trust=1000) == 6
