"""What the strong bot of Safranito recalls of the others is true, and no more than they told."""

import pytest

from listener import Listener
from spiceboard.bots.offline import Game, rules_of
from spiceboard.bots.safranito_memory import PURSES, Memory, unknown


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_purses_are_exact_and_cards_are_held(seats: int) -> None:
    rules, drawn, known = rules_of("safranito"), 0, 0
    bots = [Listener(seat, 7) for seat in range(seats)]
    game = Game(rules, bots, 7)
    while not rules.over(game.state):
        asked = rules.seats_asked(game.state)[0]
        row = bots[asked].memory.look(rules.view(game.state, asked))
        assert row[PURSES : PURSES + seats] == game.state["money"]
        for seat, hand in enumerate(game.state["hands"]):
            cards = row[9 * seat : 9 * seat + 9]
            assert all(some <= all_ for some, all_ in zip(cards, hand, strict=True))
            drawn += sum(hand) - sum(cards)
            known += sum(cards)
        game.turn()
    assert known > 2 * drawn > 0  # only cards from the action space are not seen


def test_a_bot_that_joins_late_or_hears_of_an_undo_knows_nothing() -> None:
    rules, bots = rules_of("safranito"), [Listener(seat, 7) for seat in range(2)]
    game = Game(rules, bots, 7)
    while game.state["round"] == 1:
        asked = rules.seats_asked(game.state)[0]
        bots[asked].memory.look(rules.view(game.state, asked))
        game.turn()
    view = rules.view(game.state, 0)
    assert bots[0].memory.look(view) != unknown()
    assert Memory().look(view) == unknown()
    bots[0].hear(["undone", 12])
    assert bots[0].memory.look(view) == unknown()


def test_cards_that_the_view_denies_are_forgotten() -> None:
    rules = rules_of("safranito")
    view = rules.view(rules.new({"players": 2, "mode": "full", "seed": 1}), 0)
    memory = Memory()
    memory.look(view)
    memory.hear(["bought", 1, "saffron", 30])
    assert sum(memory.row[9:18]) == 1
    assert memory.look({**view, "round": 2}) == unknown()
