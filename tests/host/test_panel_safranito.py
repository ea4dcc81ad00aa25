"""Safranito's panel against whole games: every view is drawn, every event and effect has words."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from spiceboard.bots import bot, targets
from spiceboard.bots.offline import Game, rules_of
from spiceboard.errors import UserError
from spiceboard.table import panel
from spiceboard.table import safranito as words
from spiceboard.table.throw import ThrowChooser

SILENT = {"phase", "home", "traded", "no_open", "done", "opened", "laid", "lay", "refused"}


def text_of(thing: object) -> str:
    console = Console(file=io.StringIO(), width=100)
    console.print(thing)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


class Recorded(Game):
    """A game that remembers its public effects."""

    def __init__(self, seed: int) -> None:
        bots = [bot.load("safranito", "sensible")(seat, seed) for seat in range(3)]
        super().__init__(rules_of("safranito"), bots, seed)
        self.effects: list[tuple[list[Any], dict[str, Any]]] = []

    def _step(self, event: list[Any]) -> None:
        view = self.rules.view(self.state, None)
        _, effects = self.rules.step(self.state, event)
        self.effects += [(effect, view) for effect in effects if effect[0] is None]
        super()._step(event)


def positions(seed: int) -> Iterator[Recorded]:
    game = Recorded(seed)
    while not game.rules.over(game.state):
        yield game
        game.turn()
    yield game


@pytest.fixture(scope="module")
def played() -> Recorded:
    return list(positions(1))[-1]


def test_every_position_of_a_game_is_drawn() -> None:
    prompts = set()
    for game in positions(1):
        public = game.rules.view(game.state, None)
        labels = words.labels(public)
        assert set(labels) == set(targets.ZONES)
        assert all(
            Text.from_markup(line).cell_len <= 14 for lines in labels.values() for line in lines
        )
        assert "open blends" in text_of(words.public(public))
        prompts.add(Text.from_markup(words.prompt(public)).plain)
        own = text_of(words.hand(game.rules.view(game.state, 0), 0))
        assert f"{game.state['money'][0]} rupees" in own
    assert any("wins the game!" in prompt for prompt in prompts)
    assert any("may buy" in prompt for prompt in prompts)


def test_every_legal_event_has_words() -> None:
    for game in positions(2):
        for seat in game.rules.seats_asked(game.state):
            view = game.rules.view(game.state, seat)
            for event in game.rules.legal(game.state, seat):
                described = words.describe(event, view)
                assert event[0] == "done" or described != " ".join(map(str, event)), event
            if game.rules.legal(game.state, seat):
                menu = words.chooser(view, game.rules.legal(game.state, seat), seat)
                assert menu.key("enter") in game.rules.legal(game.state, seat)


def test_every_public_effect_is_told_or_silent_on_purpose(played: Recorded) -> None:
    for effect, view in played.effects:
        line = words.tell(effect, view)
        if line is None:
            assert effect[1] in SILENT | {"moved"}, effect
        else:
            assert Text.from_markup(line).plain
    told = [words.tell(effect, view) for effect, view in played.effects]
    assert any(line and "wins the game" in line for line in told)


def test_no_words_of_the_public_side_tell_a_secret(played: Recorded) -> None:
    """The public drawing is the same whatever the others hold."""
    for game in positions(3):
        view = game.rules.view(game.state, None)
        changed = dict(game.state, hands=[[0] * 9 for _ in range(3)])
        other = game.rules.view(changed, None)
        other["cards"] = view["cards"]
        assert text_of(words.public(view)) == text_of(words.public(other))
        assert words.labels(view) == words.labels(other)


def test_without_a_game_something_is_drawn() -> None:
    assert set(words.labels({})) == set(targets.ZONES)
    assert words.prompt({}) == "no game is on"
    assert "no game" in text_of(words.public({}))


def test_the_panel_is_loaded_by_the_games_name() -> None:
    assert panel.load("safranito") is words
    with pytest.raises(UserError, match="the table does not know the game 'chess'"):
        panel.load("chess")

    def broken(name: str) -> Any:
        raise ModuleNotFoundError("No module named 'spicecore.nothing'", name="spicecore.nothing")

    with pytest.raises(ModuleNotFoundError, match=r"spicecore\.nothing"):
        panel.load("chess", broken)


def press(chooser: ThrowChooser, keys: str) -> Any:
    result = None
    for key in keys.split():
        assert result is None
        result = chooser.key(key)
    return result


def test_a_throw_is_a_chip_a_zone_and_a_strength() -> None:
    chooser = ThrowChooser("Blue", ["b10", "b30"])
    assert press(chooser, "2 enter 5 enter 7 enter") == {
        "chip": "b30",
        "zone": "saffron",
        "strength": 0.7,
    }


def test_a_throw_can_be_begun_again_and_declined() -> None:
    chooser = ThrowChooser("Blue", ["b10", "b30"], [("decline", ["pass", 0])])
    assert press(chooser, "1 enter 5 enter escape 3 enter") == ["pass", 0]
    with pytest.raises(ValueError, match="there is no number 4: 1 to 3"):
        ThrowChooser("Blue", ["b10", "b30"], [("decline", ["pass", 0])]).key("4")
    assert "How hard" in text_of(draw_after("1 enter 1 enter"))


def draw_after(keys: str) -> object:
    chooser = ThrowChooser("Blue", ["b10"])
    press(chooser, keys)
    return chooser.draw()
