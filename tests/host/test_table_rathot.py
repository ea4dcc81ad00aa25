"""Rat Hot's panel of the terminal table: layout, cursor, legal places, and why a place is none."""

import io
import random
from typing import Any

import pytest
from rich.console import Console

from spiceboard.table import rathot as panel
from spicecore.games.rathot import rules as rathot
from spicecore.parts import ZONES


def shown(thing: Any) -> str:
    """What a terminal without colours prints."""
    out = io.StringIO()
    Console(file=out, width=100, color_system=None).print(thing)
    return out.getvalue()


def states(seed: int) -> Any:
    """States of a random game with the effects that led to them."""
    chance = random.Random(seed)
    state = rathot.new({"seed": seed, "first": 0})
    effects: list[Any] = []
    while True:
        yield state, effects
        if rathot.over(state):
            return
        legal = rathot.legal(state, rathot.seats_asked(state)[0])
        state, effects = rathot.step(state, chance.choice(legal))


def asked(seed: int, n: int) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """State, view and cursor of the n-th question to lay a strip."""
    for state, _ in states(seed):
        if state["phase"][0] == "lay":
            n -= 1
            if n == 0:
                seat = state["phase"][1]
                view = rathot.view(state, seat)
                return state, view, panel.chooser(view, rathot.legal(state, seat), seat)
    raise AssertionError("the game is shorter")


def test_every_state_of_a_game_is_drawn_and_told() -> None:
    told = set()
    for seed in range(6):
        for state, effects in states(seed):
            view = rathot.view(state, None)
            assert "points" in shown(panel.public(view)) and shown(panel.prompt(view))
            assert set(panel.labels(view)) == set(ZONES)
            for effect in effects:
                line = panel.tell(effect, view)
                told.add(effect[1])
                assert line is None or shown(line).strip()
    assert told >= {"turned_up", "laid", "scored", "rats", "over"}
    assert "no game" in shown(panel.public({})) and set(panel.labels({})) == set(ZONES)


def test_the_layout_shows_every_visible_square() -> None:
    _state, view, _ = asked(3, 3)
    text = shown(panel.picture(view, 15))
    assert " S " in text or "S" in text
    faces = [panel.NAMES[c] for each in view["laid"] for c in view["strips"][each[0]]]
    for code in set(faces) - {"__", "RR", "GR"}:
        assert code in text, code


def test_turning_up_is_a_menu_of_one() -> None:
    state = rathot.new({"seed": 1, "first": 1})
    view = rathot.view(state, 1)
    chooser = panel.chooser(view, rathot.legal(state, 1), 1)
    assert chooser.key("enter") == ["turn_up", 1]


def test_the_cursor_begins_on_a_legal_place_and_enter_lays_there() -> None:
    for n in (1, 2, 3):
        state, _, cursor = asked(4, n)
        assert "Enter lays it" in shown(cursor.draw())
        event = cursor.key("enter")
        assert event in rathot.legal(state, state["phase"][1])


def test_arrows_turning_and_the_other_strip() -> None:
    _state, view, cursor = asked(2, 2)
    before = cursor._laid()
    cursor.key("right")
    cursor.key("down")
    assert cursor._laid() == [before[0], before[1] + 1, before[2] + 1, before[3]]
    cursor.key("r")
    assert cursor._laid()[3] == (before[3] + 1) % 4
    cursor.key("tab")
    assert cursor._laid()[0] == view["held"][1]
    for _ in range(60):
        cursor.key("left")
    assert cursor._laid()[1] == view["box"][0] - 3


def test_a_refusal_names_the_square_at_fault() -> None:
    _state, _view, cursor = asked(2, 1)
    cursor.x, cursor.y, cursor.way = 0, 0, 1  # from the start's middle down onto the table
    with pytest.raises(ValueError, match=r"Square \(0, 1\) would lie on the table"):
        cursor.key("enter")
    assert "(0, 1)" in shown(cursor.draw())
    cursor.x, cursor.y, cursor.way = -1, 0, 0
    with pytest.raises(ValueError, match="covered by one other"):
        cursor.key("enter")
    with pytest.raises(ValueError, match="means nothing"):
        cursor.key("z")


def test_legal_places_are_marked_and_g_goes_through_them() -> None:
    _state, view, cursor = asked(2, 1)
    spots = {s for s in cursor.legal if s[0] == view["held"][0] and s[3] == cursor.way}
    # all but the circle under the strip itself
    assert shown(cursor.draw()).count("\u2218") >= len(spots) - 3
    seen = set()
    for _ in range(len(spots)):
        cursor.key("g")
        assert tuple(cursor._laid()) in spots
        seen.add(tuple(cursor._laid()))
    assert seen == spots


def test_every_legal_event_can_be_reached_by_keys() -> None:
    state, _view, cursor = asked(4, 3)
    for event in rathot.legal(state, state["phase"][1])[::17]:
        while cursor._laid()[0] != event[2]:
            cursor.key("tab")
        while cursor._laid()[3] != event[5]:
            cursor.key("r")
        for axis, low, high in ((1, "left", "right"), (2, "up", "down")):
            while cursor._laid()[axis] != event[2 + axis]:
                cursor.key(low if cursor._laid()[axis] > event[2 + axis] else high)
        assert cursor.key("enter") == event


def test_nothing_is_hidden_so_there_is_no_hand() -> None:
    state, view, _ = asked(2, 1)
    assert panel.hand(view, 0) is None
    assert not panel.private(rathot.legal(state, 0))


def test_the_layout_keeps_to_its_rows_and_stands_still_while_the_strip_moves() -> None:
    _state, view, cursor = asked(4, 3)
    for rows in (4, 9, 15, 40):
        assert len(shown(panel.picture(view, rows)).rstrip("\n").split("\n")) <= rows
        assert len(shown(cursor.draw(rows)).rstrip("\n").split("\n")) <= max(rows, 4)
    before = cursor._window(30)
    cursor.key("right")
    assert cursor._window(30) == before
