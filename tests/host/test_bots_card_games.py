"""Bots of the games for two without throws: legal, from the view alone; sensible ones win."""

import random
from typing import Any

import pytest

from spiceboard.bots import bot, offline
from spiceboard.bots.jaipur_model import Trade, guess, hidden
from spiceboard.bots.search import search
from spiceboard.study import jobs
from spicecore.games import GAMES
from spicecore.games.jaipur import rules as jaipur
from spicecore.games.jaipur.goods import CARDS

BOTS = [game for game in GAMES if "searcher" in bot.names(game)]


@pytest.mark.parametrize("game", BOTS)
def test_sensible_bots_beat_random_ones(game: str) -> None:
    job = jobs.Job("tournament", game, ("sensible", "random"), 1, 20)
    won, lost = jobs.wins(jobs.run_piece(job, 1, 20), 2)
    assert won >= 17 and won + lost == 20


@pytest.mark.parametrize("game", BOTS)
def test_the_same_seed_plays_the_same_game(game: str) -> None:
    lines = []
    for _ in range(2):
        rules = offline.rules_of(game)
        bots = [bot.load(game, name)(seat, 3) for seat, name in enumerate(("sensible", "random"))]
        match = offline.Game(rules, bots, 3)
        match.play()
        lines.append(rules.text(match.state))
    assert lines[0] == lines[1]


@pytest.mark.parametrize("game", BOTS)
def test_searcher_decides_legally(game: str) -> None:
    rules = offline.rules_of(game)
    state = rules.new({"seed": 2})
    bots = [bot.load(game, "searcher")(seat, 2) for seat in (0, 1)]
    for _ in range(6):
        if rules.over(state):
            break
        seat = rules.seats_asked(state)[0]
        legal = rules.legal(state, seat)
        event = bots[seat].decide(rules.view(state, seat), legal)
        assert event in legal
        state, _ = rules.step(state, event)


def test_a_guess_of_jaipur_agrees_with_all_that_is_open() -> None:
    chance = random.Random(1)
    state = jaipur.new({"seed": 8})
    for _ in range(60):
        if state["phase"][0] != "turn":
            break
        seat = state["phase"][1]
        view = jaipur.view(state, seat)
        cards, herd = hidden(view)
        assert herd == state["herds"][1 - seat]  # it follows from what is open
        trade = guess(view, chance, Trade)
        assert trade.hands[seat] == state["hands"][seat] and len(trade.deck) == len(state["deck"])
        assert sum(trade.hands[1 - seat]) == sum(state["hands"][1 - seat])
        assert len(cards) < sum(CARDS)
        state, _ = jaipur.step(state, chance.choice(jaipur.legal(state, seat)))


class Nim:
    """Take one to three of a heap; who takes the last one wins. Nothing is hidden."""

    def __init__(self, heap: int) -> None:
        self.heap, self.turn, self.over = heap, 0, False

    def moves(self) -> list[tuple[float, Any]]:
        return [(0.0, n) for n in (1, 2, 3) if n <= self.heap]

    def play(self, move: int) -> None:
        self.heap -= move
        self.over = self.heap == 0
        self.turn = 1 - self.turn

    def value(self) -> float:
        chance = random.Random(self.heap)
        while not self.over:
            self.play(chance.choice(self.moves())[1])
        return float(self.turn == 1)


@pytest.mark.parametrize("heap", [5, 6, 7, 9])
def test_search_finds_the_only_winning_move_of_a_known_game(heap: int) -> None:
    assert search(lambda: Nim(heap), 1500) == heap % 4
