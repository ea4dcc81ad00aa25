"""Jaipur's panel of the terminal table: all states drawn, all turns chosen by keys, no secret."""

import io
import random
import re
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from spiceboard.table import jaipur as panel
from spiceboard.table.jaipur_turn import Exchange
from spicecore.games.jaipur import rules as jaipur
from spicecore.games.jaipur.goods import GOODS
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
    for seed in range(2):
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


def keys_of(event: list[Any], legal: list[Any], view: dict[str, Any]) -> list[str]:
    """The keys that a person presses for an event."""
    number = {"take": "1", "exchange": "2", "camels": "3", "sell": "4"}[event[0]]
    keys = [number, "enter"]
    if event[0] in ("take", "sell"):
        events = [each for each in legal if each[0] == event[0]]
        if event[0] == "take":
            events.sort(key=lambda each: view["market"].index(each[2]))
        place = events.index(event) + 1
        keys += [*str(place), *(["enter"] if len(events) > 1 else [])]
    elif event[0] == "exchange":
        for taken, card, _most in Exchange(view, 0).rows:
            keys += ["right"] * event[2 if taken else 3].count(card) + ["down"]
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
            assert press(chooser, *keys_of(event, legal, view)) == event
            assert panel.describe(event, view)
            chosen += 1
    assert chosen > 50


def turn(hand: list[int], **changes: Any) -> tuple[dict[str, Any], list[Any], Any]:
    """State, legal turns and chooser of blue with this hand."""
    state = jaipur.new({"seed": 3, "first": 0, "empty_sale": changes.pop("empty_sale", True)})
    state["hands"][0] = hand
    state.update(changes)
    view, legal = jaipur.view(state, 0), jaipur.legal(state, 0)
    return state, legal, panel.chooser(view, legal, 0)


def test_only_what_is_in_the_hand_is_offered_with_what_it_brings() -> None:
    _state, _legal, chooser = turn([1, 0, 0, 2, 0, 0])
    chooser.key("4")
    chooser.key("enter")
    text = shown(chooser.draw())
    assert "sell 1 cloth for 5" in text and "sell 2 cloth for 8" in text
    assert "diamond" not in text and "3 cloth" not in text  # one diamond is not sold alone
    assert press(chooser, "2", "enter") == ["sell", 0, "cloth", 2]


def reason(state: dict[str, Any], event: list[Any]) -> str:
    """What the rules say to it."""
    after, effects = jaipur.step(state, event)
    assert after is state
    return str(effects[0][3])


def test_what_cannot_be_done_is_asked_of_the_rules() -> None:
    """Five camels in the market, an empty hand, a full one, a pile that is used up."""
    camels = ["camel"] * 5
    state, _, chooser = turn([1, 0, 0, 0, 0, 0], market=camels, herds=[3, 3])
    assert shown(chooser.draw()).count("(not now)") == 3
    for key, said in (
        ("1", "There is no diamond in the market."),
        ("2", "The market has 0 of diamond, not 2."),
        ("4", "at least two at a time"),
    ):
        assert said in reason(state, press(chooser, key, "enter"))
    state, _, chooser = turn([0, 0, 0, 0, 7, 0])
    assert "7 goods already" in reason(state, press(chooser, "1", "enter"))
    state, _, chooser = turn([0, 0, 0, 0, 1, 0], empty_sale=False, tokens=[5, 5, 5, 7, 0, 9])
    assert "tokens of spice are used up" in reason(state, press(chooser, "4", "enter"))
    state, _, chooser = turn([0] * 6)
    assert "You hold 0 of diamond" in reason(state, press(chooser, "4", "enter"))


def test_an_exchange_shows_what_is_taken_and_owed_in_the_order_of_the_market() -> None:
    market = ["gold", "camel", "cloth", "gold", "diamond"]
    state, legal, chooser = turn([0, 0, 2, 0, 0, 1], market=market, herds=[1, 0])
    press(chooser, "2", "enter")
    text = shown(chooser.draw())
    rows = [line.strip() for line in text.splitlines()]
    assert rows[1].startswith("0 of 2 gold") and rows[2].startswith("0 of 1 cloth")
    assert "0 of 2 silver" in rows[1] and "0 of 1 camel" in rows[3]
    assert "you would have 3 of 7" in text
    refused = press(chooser, "enter")
    assert "at least two cards for two" in reason(state, refused)
    press(chooser, "2", "down", "1")
    assert "2 gold, 1 cloth for nothing; you still owe 3 cards" in shown(chooser.draw())
    assert "as many cards as it takes" in reason(state, press(chooser, "enter"))
    with pytest.raises(ValueError, match="there is only 1 of it"):
        chooser.key("2")
    event = press(chooser, "0", "down", "down", "1", "down", "1", "enter")
    assert event == ["exchange", 0, ["gold", "gold"], ["silver", "leather"]] and event in legal


def test_the_end_of_a_round_is_told_item_by_item() -> None:
    for state, effects in states(2):
        for effect in effects:
            if effect[1] == "round_over":
                line = panel.tell(effect, jaipur.view(state, None))
                assert line is not None and panel.slow(effect)
                lines = [Text.from_markup(each).plain for each in line.split("\n")]
                assert "piles are empty" in lines[0] or "cannot be filled" in lines[0]
                for seat, name in enumerate(("Blue", "Red")):
                    parts = [each for each in lines if each.startswith(name)]
                    sums = [int(re.findall(r": (\d+)", each)[0]) for each in parts]
                    assert sums[-1] == sum(sums[:-1]) == effect[3]["rupees"][seat]
                return
    raise AssertionError("no round ended")


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
