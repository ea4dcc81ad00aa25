"""The strong bot of Safranito: it decides legally, and knows nothing it may not."""

import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from listener import Listener
from spiceboard.bots.offline import Game, rules_of
from spiceboard.bots.safranito_memory import PURSES, UNKNOWN, unknown
from spiceboard.kernels import learn_safranito, safranito_player, safranito_search, throws
from spiceboard.kernels import safranito_places as places
from spiceboard.kernels import safranito_text as text
from spiceboard.kernels.safranito_hidden import deal_hidden
from spiceboard.kernels.safranito_value import load
from spicecore.games.safranito.data import CHIPS

PASSES = 60
pytestmark = pytest.mark.slow  # compiling the searches takes longer than all the quick tests


Decision = tuple[dict[str, Any], int, list[Any], list[int]]


def safranito_positions(seats: int) -> list[Decision]:
    """(state, seat, legal, memory) now and then in a game of sensible bots."""
    rules = rules_of("safranito")
    bots = [Listener(seat, 3) for seat in range(seats)]
    match, found = Game(rules, bots, 3), []
    while not rules.over(match.state):
        seat = rules.seats_asked(match.state)[0]
        legal = rules.legal(match.state, seat)
        memory = bots[seat].memory.look(rules.view(match.state, seat))
        if match.steps % 3 == 0 and len(legal) > 1:
            found.append((match.state, seat, legal, list(memory)))
        match.turn()
    return found


def safranito_permuted(
    state: dict[str, Any], seat: int, memory: list[int], chance: random.Random
) -> dict[str, Any]:
    """The same with all that the seat neither sees nor recalls dealt otherwise: cards, blends,
    purses and face-down chips of the others."""
    others = [other for other in range(state["n"]) if other != seat]
    cards = [int(digit) for digit in state["deck"]]
    for other in others:
        for spice in range(9):
            cards += [spice] * (state["hands"][other][spice] - memory[9 * other + spice])
    blends = [*state["pile"], *(b for other in others for b in state["reserved"][other])]
    chance.shuffle(cards)
    chance.shuffle(blends)
    hands, reserved = [list(h) for h in state["hands"]], [list(r) for r in state["reserved"]]
    money = list(state["money"])
    names = {chip: chip for chip in CHIPS}
    for other in others:
        known = memory[9 * other : 9 * other + 9]
        dealt = [cards.pop() for _ in range(sum(hands[other]) - sum(known))]
        hands[other] = [known[spice] + dealt.count(spice) for spice in range(9)]
        reserved[other] = [blends.pop() for _ in reserved[other]]
        if memory[PURSES + other] == UNKNOWN:
            money[other] = chance.randrange(40) * 10
        hidden = [c for c in CHIPS[6 * other : 6 * other + 6] if c not in state["revealed"]]
        names |= dict(zip(hidden, chance.sample(hidden, len(hidden)), strict=True))
    return {
        **state,
        "deck": "".join(map(str, cards)),
        "pile": blends,
        "hands": hands,
        "reserved": reserved,
        "money": money,
        "lying": {names[chip]: zone for chip, zone in state["lying"].items()},
        "seen": sorted((names[chip] for chip in state["seen"]), key=CHIPS.index),
        "chance": 99,
    }


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("remembers", [True, False])
def test_safranito_does_not_look_at_hidden_things(seats: int, remembers: bool) -> None:
    rules, chance, kinds = rules_of("safranito"), random.Random(1), set()
    for state, seat, legal, remembered in safranito_positions(seats):
        memory = remembered if remembers else unknown()
        told, moves = [], []
        for each in (state, safranito_permuted(state, seat, memory, chance)):
            view = rules.view(each, seat)
            assert view == rules.view(state, seat)  # else the test deals what is not hidden
            told.append(safranito_player.think(view, legal, memory, PASSES, 5))
            s = text.from_state(each)  # the search itself looks at nothing hidden either
            known = np.array(safranito_player.believed(view, memory), np.int32)
            found = safranito_search.search(s, throws.load(), load(), known, seat, PASSES, 5)
            moves.append(found[1])
        assert told[0] == told[1]
        assert moves[0] == moves[1]
        assert told[0][0] in legal
        kinds.add(told[0][0][0])
    assert {"moved", "choose"} <= kinds


@pytest.mark.parametrize("seats", [2, 4])
def test_safranito_searches_the_position_that_the_seat_sees(seats: int) -> None:
    """What is dealt from the view is what is dealt from the position itself."""
    rules = rules_of("safranito")
    unknown = {places.THROWN, places.SEEN}  # the rules do not know which chip missed
    compared = [i for i in range(places.HIDDEN) if i not in unknown]
    for state, seat, legal, memory in safranito_positions(seats):
        view = rules.view(state, seat)
        known = safranito_player.believed(view, memory)
        seen = safranito_player.from_view(view, legal, known)
        true = text.from_state(state)
        for s in (seen, true):
            deal_hidden(s, np.array(known, np.int32), seat, 77)
        assert [seen[i] for i in compared] == [true[i] for i in compared]


@pytest.mark.soak
def test_strengths() -> None:
    """Matches on the kernels; docs/bots.md has the figures of the real bots."""
    won = sum(
        safranito_search.match(
            throws.load(), load(), 2, seed, np.array([3000 * (seed % 2 == k) for k in range(4)])
        )
        == seed % 2
        for seed in range(60)
    )
    assert won >= 33


def test_games_to_learn_from_are_played_by_searches() -> None:
    rounds, winners, _ = learn_safranito.games(2, 5, 2, 40)
    assert len(rounds) == len(winners) > 8 and set(winners) <= {0, 1}
    assert rounds.any(axis=2).all()
