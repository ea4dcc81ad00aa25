"""Jaipur and Rat Hot: hidden cards change nothing that is public.

Whole recorded games are played again on the board, piece by piece, from two positions that differ
only in hidden cards: the order of the deck or pile behind what the piece turns up, and in Jaipur
a card in a hand exchanged for one of the deck. Every public byte, each with its time, every pixel
and the buzzer are equal. (Safranito's chips: test_trust_permutation.py.)
"""

import random
from typing import Any

import pytest

from lab import Lab
from spiceboard.commands.bench import recorded
from spicecore import games

PIECE = 14  # events of a piece, at most
STEP_MS = 25
SHORT = 1  # pieces of each game in make test

State = dict[str, Any]


def pieces(name: str, seed: int) -> list[tuple[State, list[Any]]]:
    """(position, what then happens) of all pieces of a game; none reaches into another round."""
    record = recorded(name, seed)
    rules: Any = games.load(name)
    state = rules.new(record["options"])
    found: list[tuple[State, list[Any]]] = [(state, [])]
    for event in record["events"]:
        found[-1][1].append(event)
        state, _ = rules.step(state, event)
        if len(found[-1][1]) == PIECE or event[0] == "next_round":
            found.append((state, []))
    return [piece for piece in found if len(piece[1]) > 1]


def exchanged(name: str, state: State, events: list[Any], chance: random.Random) -> State:
    """Another position that looks the same while these events happen."""
    rules: Any = games.load(name)
    hidden = "deck" if name == "jaipur" else "pile"
    after = end_of(rules, state, events)
    turned = len(state[hidden]) - len(after[hidden])
    if turned < 0:  # cards were dealt again on the way
        turned = len(state[hidden])
    stays = state[hidden][: len(state[hidden]) - turned]
    other = list(stays)
    while other == stays and len(set(map(str, stays))) > 1:
        chance.shuffle(other)
    changed = dict(state)
    changed[hidden] = other + state[hidden][len(stays) :]
    if name == "jaipur":
        changed = other_hand(rules, changed, len(stays), events) or changed
    return changed


def other_hand(rules: Any, state: State, stays: int, events: list[Any]) -> State | None:
    """A card that was drawn unseen into a hand and one deep in the deck change places, if the same
    turns stay legal."""
    from spicecore.games.jaipur.goods import KINDS

    for seat in (0, 1):
        for kind in range(6):
            for at in range(stays):
                other = state["deck"][at]
                unseen = state["hands"][seat][kind] - state["known"][seat][kind]
                if unseen < 1 or other in (KINDS[kind], "camel"):
                    continue
                hand = list(state["hands"][seat])
                hand[kind] -= 1
                hand[KINDS.index(other)] += 1
                changed = dict(state, hands=list(state["hands"]), deck=list(state["deck"]))
                changed["hands"][seat], changed["deck"][at] = hand, KINDS[kind]
                if end_of(rules, changed, events) is not None:
                    return changed
    return None


def end_of(rules: Any, state: State, events: list[Any]) -> Any:
    """The position after the events; None where the rules refuse one."""
    for event in events:
        after, _ = rules.step(state, event)
        if after is state:
            return None
        state = after
    return state


def public(name: str, state: State, events: list[Any]) -> list[Any]:
    """Everything that can be heard and seen while the events happen."""
    rules: Any = games.load(name)
    seen: list[Any] = []
    with Lab(seed=1) as lab:
        lab.boot()
        lab.good("new", game=name, options={}, position=rules.text(state))
        keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
        lab.run(-lab.board.now_ms % 1000)
        lab.events.clear()
        for event in [None, *events]:
            if event:
                lab.good("act", seat=event[1], key=keys[event[1]], event=event)
            for _ in range(6):
                lab.run(STEP_MS)
                told = [{k: v for k, v in e.items() if k != "seq"} for e in lab.events]
                lab.events.clear()
                seen.append([lab.board.now_ms, told, lab.world.rings(), lab.world.buzzer.hz])
            snapshot = lab.good("snapshot")
            seen.append([snapshot["game"]["view"], snapshot["show"]])
    return seen


def compared(name: str, most: int | None) -> None:
    chance = random.Random(name)
    found = pieces(name, 3)
    differing = 0
    for state, events in found[:most]:
        other = exchanged(name, state, events, chance)
        differing += other != state
        for a, b in zip(public(name, state, events), public(name, other, events), strict=True):
            assert a == b
    assert differing >= (1 if most else len(found) // 2), (differing, len(found))


@pytest.mark.parametrize("name", ["jaipur", "rathot"])
def test_hidden_cards_change_nothing_that_is_public(name: str) -> None:
    compared(name, SHORT)


@pytest.mark.soak
@pytest.mark.parametrize("name", ["jaipur", "rathot"])
def test_hidden_cards_change_nothing_in_whole_games(name: str) -> None:
    compared(name, None)
