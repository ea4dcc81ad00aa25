"""Jaipur's panel of the terminal table: all states drawn, all turns chosen by keys, no secret."""

import io
import random
from typing import Any

import pytest
from rich.console import Console

from spiceboard.table import jaipur as panel
from spicecore.games.jaipur import rules as jaipur
from spicecore.games.jaipur.goods import GOODS, KINDS
from spicecore.parts import ZONES


def shown(thing: Any) -> str:
    """What a terminal without colours prints."""
    out = io.StringIO()
    Console(file=out, width=100, color_system=None).print(thing)
    return out.getvalue()


def states(seed: int) -> Any:
    """States of a random game with the events and effects that led to them."""
    chance = random.Random(seed)
    state = jaipur.new({"seed": seed})
    effects: list[Any] = []
    while True:
        yield state, effects
        if jaipur.over(state):
            return
        legal = jaipur.legal(state, jaipur.seats_asked(state)[0])
        kind = chance.choice(sorted({event[0] for event in legal}))
        event = chance.choice([event for event in legal if event[0] == kind])
        state, effects = jaipur.step(state, event)


def test_every_state_of_a_game_is_drawn_and_told() -> None:
    told = set()
    for seed in range(4):
        for state, effects in states(seed):
            view = jaipur.view(state, None)
            text = shown(panel.public(view)) + shown(panel.prompt(view))
            assert "market" in text and "seals" in text
            assert set(panel.labels(view)) == set(ZONES)
            for effect in effects:
                if effect[0] is None:
                    line = panel.tell(effect, view)
                    told.add(effect[1])
                    assert line is None or shown(line).strip()
    assert told >= {"took", "camels", "exchanged", "sold", "bonus", "round_over", "seal", "over"}
    assert "no game" in shown(panel.public({})) and panel.prompt({}) == "no game is on"
    assert set(panel.labels({})) == set(ZONES)


def test_the_public_table_shows_market_tokens_seals_and_no_hand() -> None:
    state = jaipur.new({"seed": 3, "first": 0})
    text = shown(panel.public(jaipur.view(state, None)))
    for card in state["market"]:
        assert card in text
    assert "7 7 5 5 5" in text and "for 3: 7" in text and "○○" in text
    hand = shown(panel.hand(jaipur.view(state, 0), 0))
    for good, n in zip(GOODS, state["hands"][0], strict=True):
        assert (f"{n} {good}" in hand) == (n > 0)


def press(chooser: Any, *keys: str) -> Any:
    """The event after these keys."""
    event = None
    for key in keys:
        event = chooser.key(key)
    return event


def keys_of(event: list[Any], view: dict[str, Any]) -> list[str]:
    """The keys that a person presses for an event."""
    goods = [good for good in GOODS if good in view["market"]]
    if event[0] == "take":
        return ["1", "enter", str(goods.index(event[2]) + 1), "enter"]
    if event[0] == "camels":
        return ["3", "enter"]
    if event[0] == "sell":
        return ["4", "enter", str(GOODS.index(event[2]) + 1), "enter", str(event[3]), "enter"]
    keys = ["2", "enter"]
    for cards, kinds in ((event[2], goods), (event[3], KINDS)):
        for kind in kinds:
            keys += ["right"] * cards.count(kind) + ["down"]
        keys.append("enter")
    return keys


def test_every_legal_turn_can_be_chosen_by_keys() -> None:
    chosen = 0
    for n, (state, _) in enumerate(states(5)):
        if n % 7 or state["phase"][0] != "turn":
            continue
        seat = state["phase"][1]
        view, legal = jaipur.view(state, seat), jaipur.legal(state, seat)
        for event in legal:
            chooser = panel.chooser(view, legal, seat)
            assert press(chooser, *keys_of(event, view)) == event
            assert panel.describe(event, view)
            chosen += 1
    assert chosen > 50


def test_the_question_tells_nothing_about_the_hand() -> None:
    """Two hands, the same keys: the same pictures up to the last one."""
    pictures = []
    for hand in ([2, 0, 0, 3, 0, 0], [0, 0, 4, 0, 1, 0]):
        state = jaipur.new({"seed": 3, "first": 0})
        state["hands"][0] = hand
        view = jaipur.view(state, 0)
        for keys in (["4", "enter", "6", "enter", "7"], ["2", "enter", "enter", "right"]):
            chooser = panel.chooser(view, jaipur.legal(state, 0), 0)
            pictures.append([])
            for key in keys:
                pictures[-1].append(shown(chooser.draw()))
                chooser.key(key)
    assert pictures[:2] == pictures[2:]


def test_what_is_not_legal_gets_a_sentence_and_one_step_back() -> None:
    state = jaipur.new({"seed": 3, "first": 0})
    state["hands"][0] = [1, 0, 0, 2, 0, 0]
    view, legal = jaipur.view(state, 0), jaipur.legal(state, 0)
    chooser = panel.chooser(view, legal, 0)
    with pytest.raises(ValueError, match="press h"):
        press(chooser, "4", "enter", "4", "enter", "3", "enter")
    assert press(chooser, "2", "enter") == ["sell", 0, "cloth", 2]
    chooser = panel.chooser(view, legal, 0)
    with pytest.raises(ValueError, match="at least two"):
        press(chooser, "4", "enter", "1", "enter", "1", "enter")
    chooser = panel.chooser(view, legal, 0)
    with pytest.raises(ValueError, match="two to five"):
        press(chooser, "2", "enter", "right", "enter", "enter")
    press(chooser, "backspace", "backspace")
    assert press(chooser, "3", "enter") == ["camels", 0]


def test_after_a_refusal_what_was_entered_is_still_there() -> None:
    state = jaipur.new({"seed": 3, "first": 0})
    view, legal = jaipur.view(state, 0), jaipur.legal(state, 0)
    chooser = panel.chooser(view, legal, 0)
    with pytest.raises(ValueError, match="two to five"):
        press(chooser, "2", "enter", "enter", "3", "down", "2", "enter")
    drawn = shown(chooser.draw())
    assert "3 of diamond" in drawn and "2 of gold" in drawn


def test_the_next_round_is_a_menu_of_one() -> None:
    for state, _ in states(2):
        if state["phase"][0] == "scored":
            seat = jaipur.seats_asked(state)[0]
            view = jaipur.view(state, seat)
            chooser = panel.chooser(view, jaipur.legal(state, seat), seat)
            assert chooser.key("enter") == ["next_round", seat]
            assert "rupees" in shown(panel.public(view))
            return
    raise AssertionError("no round ended")
