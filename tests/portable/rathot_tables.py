"""Positions of Rat Hot for the tests: strips and layouts made for one rule at a time."""

from spicecore import chance
from spicecore.games.rathot import rules as rathot
from spicecore.games.rathot.layout import START_LAID, cell, surface
from spicecore.games.rathot.strips import SPICES

RIGHT, DOWN, LEFT, UP = 0, 1, 2, 3
# No strip but the last ones has a rat, so that random games last to the final count.
PEACEFUL = (
    "_s_ 123 567 1_2 5_6 34_ 78_ 341 785 12_ 56_ 1_3 5_7 2_4 6_8 113 557 224 668 331 775 4_1 8_5 "
    "15_ 26_ 37_ 48_ 1_5 2_6 3_7 4_8 162 273 384 451 518 627 736 845 __1 __5 r__ g__"
).split(" ")


def table(strips: str, laid: list, held: list, turn: int = 0, left: int = 8, **options) -> dict:
    """A position: `strips` are numbered from 1, `laid` [[strip, x, y, d], ...] beside the start.

    `held` are the strips turned up by seat `turn`; `left` empty strips are left in the pile.
    """
    own = strips.split(" ")
    every = ["_s_"] + own + ["___"] * left
    kept = {"groups": "changed", "bounds": None}
    kept.update(options)
    state = rathot.start(kept, 0, every, list(range(len(own) + 1, len(every))))
    state["laid"] = [START_LAID] + [list(each) for each in laid]
    state["held"] = list(held)
    state["phase"] = ["lay", turn] if held else ["turn_up", turn]
    return state


def refused(state: dict, event: object) -> tuple:
    """(code, sentence) with which an event is refused; fails when it is accepted."""
    before = repr(state)
    after, effects = rathot.step(state, event)
    assert after is state and repr(state) == before
    assert len(effects) == 1 and effects[0][1] == "refused", effects
    assert effects[0][3].endswith("."), effects
    return effects[0][2], effects[0][3]


def done(state: dict, event: list) -> tuple:
    """(state, effects) after a legal event; the given state must stay as it was."""
    before = repr(state)
    assert event in rathot.legal(state, event[1]), event
    after, effects = rathot.step(state, event)
    assert repr(state) == before
    assert not any(effect[1] == "refused" for effect in effects), effects
    return after, effects


def scores(effects: list) -> list:
    """[seat, points, spice] of each group scored, sorted."""
    return sorted([list(effect[2:5]) for effect in effects if effect[1] == "scored"])


def face_at(state: dict, x: int, y: int) -> str:
    """The square that is seen at (x, y)."""
    return surface(state["strips"], state["laid"])[1][cell(x, y)]


def random_game(seed: int, peaceful: bool = True, **options):
    """(state, legal events) of each state of a random game; peaceful ones last to the end."""
    x = chance.start(seed)
    options["seed"] = seed
    state = rathot.new(options)
    if peaceful:
        state["strips"] = PEACEFUL
    assert "".join(SPICES) == "12345678"
    while True:
        asked = rathot.seats_asked(state)
        legal = rathot.legal(state, asked[0]) if asked else []
        yield state, legal
        if not asked:
            return
        x, k = chance.below(x, len(legal))
        state = rathot.step(state, legal[k])[0]
