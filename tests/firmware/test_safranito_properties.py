"""Safranito against whatever may come: random play, garbage, text; and what a step costs."""

import copy
import json
import random
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from checkout import ROOT
from spicecore.games.safranito import rules as safranito
from spicecore.games.safranito.data import ACTIONS, BLENDS, BOWLS, CHIPS, ZONES
from spicecore.games.safranito.on_demand.options import OPTIONS

CHOICES = {name: st.sampled_from(values) for name, values in OPTIONS.items()}
GAMES = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "mode": st.sampled_from(["full", "referee"]),
        "seed": st.integers(0, (1 << 30) - 1),
        **CHOICES,
    }
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
SOMETHING = st.one_of(
    JSON,
    st.integers(-2, 8),
    st.sampled_from([*ZONES, *CHIPS, "mill"]),
    st.lists(
        st.tuples(st.sampled_from([*CHIPS, "mill"]), st.sampled_from([*ZONES, None])).map(list)
    ),
)
KINDS = [*safranito.DECISIONS, *safranito.FACTS, "fly"]
NEARLY = st.tuples(
    st.sampled_from(KINDS), st.one_of(st.integers(-1, 4), st.none(), JSON), st.lists(SOMETHING)
).map(lambda parts: [parts[0], parts[1], *parts[2][:3]])


def lawful(state: dict[str, Any], roll: int) -> list[Any]:
    """One event that the rules must take, chosen by a number; throws land anywhere."""
    if state["phase"][0] == "round_over" and state["astray"]:
        return ["moved", None, [[chip, None] for chip in state["astray"]]]
    asked = safranito.seats_asked(state)
    events = safranito.legal(state, asked[roll % len(asked)])
    event = events[roll // 4 % len(events)]
    if event[0] != "moved":
        return event  # type: ignore[no-any-return]
    moves = [[event[2][0][0], [*ZONES, None][roll % 14]]]
    moves += [
        [chip, [*ZONES, None][(roll + 3) % 14]] for chip in sorted(state["lying"])[: roll % 3]
    ]
    return ["moved", None, moves]


def walk(options: dict[str, Any], rolls: list[int]) -> list[dict[str, Any]]:
    """The states of a game that these numbers choose."""
    states = [safranito.new(options)]
    for roll in rolls:
        if safranito.over(states[-1]):
            break
        state, effects = safranito.step(states[-1], lawful(states[-1], roll))
        assert "refused" not in [effect[1] for effect in effects]
        states.append(state)
    return states


def rolls_of(length: int, seed: int) -> list[int]:
    """Numbers for a walk; long ones, that lists drawn one by one would hardly ever be."""
    chance = random.Random(seed)
    return [chance.randrange(10000) for _ in range(length)]


ROLLS = st.builds(rolls_of, st.integers(1, 250), st.integers(0, 10**6))


@given(GAMES, ROLLS)
def test_random_play_is_lawful_and_comes_back_from_text(
    options: dict[str, Any], rolls: list[int]
) -> None:
    for state in walk(options, rolls):
        line = safranito.text(state)
        assert safranito.parse(line) == state
        assert json.loads(json.dumps(state)) == state
        assert len(json.dumps(safranito.view(state, 0))) < 6000


@given(GAMES, ROLLS, st.lists(st.one_of(NEARLY, JSON), min_size=1, max_size=10))
def test_garbage_never_raises_and_a_refusal_changes_nothing(
    options: dict[str, Any], rolls: list[int], garbage: list[Any]
) -> None:
    state = walk(options, rolls)[-1]
    for event in garbage:
        before = copy.deepcopy(state)
        after, effects = safranito.step(state, event)
        assert state == before
        if any(effect[1] == "refused" for effect in effects):
            assert after is state and len(effects) == 1
        else:
            assert safranito.parse(safranito.text(after)) == after
            state = after


@given(GAMES, ROLLS)
def test_whatever_lies_on_the_board_can_be_put_right_or_accepted(
    options: dict[str, Any], rolls: list[int]
) -> None:
    """A board that differs is cured by accepting it, or by putting each chip where it belongs."""
    state = walk(options, rolls)[-1]
    if safranito.over(state):
        return
    seen: dict[str, str | None] = dict(state["lying"])
    allowed = [zone for zone in ZONES if zone not in (*ACTIONS, *state["traded"])]
    if state["phase"][0] in ("cook", "round_over"):
        allowed = []
    for chip, roll in zip(CHIPS[: 6 * state["n"]], rolls, strict=False):
        if roll % 3 == 0:
            seen[chip] = allowed[roll % len(allowed)] if allowed and roll % 2 else None
    wrong = safranito.mismatch(state, seen)
    assert len(safranito.public_mismatch(state, wrong)) == len(wrong)
    adopted, effects = safranito.step(state, ["accept", None, [[c, z] for c, z, _ in wrong]])
    assert effects[0][1] == "accepted" and safranito.mismatch(adopted, seen) == []
    righted = {**seen, **{chip: expected for chip, _, expected in wrong}}
    assert safranito.mismatch(state, righted) == []


@given(GAMES, ROLLS, st.data())
def test_a_spoilt_line_is_refused_or_means_a_position(
    options: dict[str, Any], rolls: list[int], data: st.DataObject
) -> None:
    line = safranito.text(walk(options, rolls[:40])[-1])
    at = data.draw(st.integers(0, len(line)))
    spoilt = line[:at] + data.draw(st.text(max_size=2)) + line[at + data.draw(st.integers(0, 2)) :]
    try:
        state = safranito.parse(spoilt)
    except ValueError as error:
        assert str(error)
    else:
        assert safranito.text(state) == spoilt
        for seat in range(state["n"]):
            safranito.view(state, seat)
            for event in safranito.legal(state, seat):
                safranito.step(state, event)
        safranito.show(state)
        for button in ("ok", "no"):
            safranito.press(state, button)


def test_same_seed_same_game() -> None:
    rolls = [(i * 7919) % 9973 for i in range(400)]
    first = walk({"players": 3, "seed": 11}, rolls)
    assert first == walk({"players": 3, "seed": 11}, rolls)
    assert first != walk({"players": 3, "seed": 12}, rolls)


def test_random_play_reaches_every_phase() -> None:
    names: set[str] = set()
    for seed in range(8):
        rolls = [(i * 7919 + seed) % 9973 for i in range(3000)]
        for state in walk({"players": 2 + seed % 3, "seed": seed}, rolls):
            names.add(state["phase"][0])
    assert names >= {
        "throw", "extra_throw", "spice_card", "keep", "reserve", "head_chef", "choose", "sale",
        "buy", "cook", "round_over", "over",
    }  # fmt: skip


def test_the_page_names_every_event_effect_code_and_blend() -> None:
    page = (ROOT / "docs/notation.md").read_text()
    sources = sorted((ROOT / "firmware/lib/spicecore/games/safranito").rglob("*.py"))
    code = "\n".join(path.read_text() for path in sources)
    effects = re.findall(r"append\(\[(?:None|seat), \"(\w+)\"", code)
    codes = re.findall(r"return \(\s*\"(\w+)\"", code)
    codes += re.findall(r"None, \(\"(\w+)\", ", code)
    assert len(set(effects)) > 25 and len(set(codes)) > 15
    for kind in [*safranito.DECISIONS, *safranito.FACTS]:
        assert f'`["{kind}"' in page, kind
    for kind in effects:
        assert f'"{kind}"' in page, kind
    for word in codes:
        assert f"`{word}`" in page, word
    flat = " ".join(page.split())
    for number, spices in enumerate(BLENDS):
        assert f"{number} {' '.join(BOWLS[spice] for spice in spices)}" in flat
