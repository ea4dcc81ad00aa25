"""Jaipur against its oracle: random games step by step, counts of moves, and a golden game."""

import copy
import random
from typing import Any

import pytest

from oracle.driver import golden_game, sequences
from oracle.jaipur_oracle import Match, Merchant, Round, in_order
from spicecore.games.jaipur import rules as jaipur

SOAK_GAMES_A_PART = 2500
# Named positions with the number of sequences of 1, 2 and 3 turns; the deck turns as it lies.
COUNTED: dict[str, tuple[str, tuple[int, ...]]] = {
    "opening": (
        "jaipur x=346145882 options=eo round=1 starter=0 seals=0,0 phase=turn,0 "
        "market=mmmgd deck=lcplsgdmcgpslcmgcsspmldlmddppdcplppmmlcs hands=glll/gscc "
        "known=-/- herds=1,1 tokens=5,5,5,7,7,9 "
        "bonus=2.1.2.3.3.2.1/4.5.4.6.6.5/8.10.10.9.8 won=-/- bonuses=-/- laid=-",
        (8, 107, 2686),
    ),
    "camels_in_the_market": (
        "jaipur x=346145882 options=eo round=1 starter=0 seals=0,0 phase=turn,0 "
        "market=mmlmm deck=lcplsgdmcgpslcmgcsspmld hands=sscl/gpp known=sscl/ppmmm "
        "herds=0,4 tokens=1,3,5,4,4,5 bonus=2.1.2.3.3.2.1/4.5.4.6.6/8.10.10.9.8 "
        "won=l4.l3.l2.l1.g6.g6.p3.d7.d7/c5.c3.c3.p5.p3.d5.d5 bonuses=4:5/- laid=-",
        (5, 48, 1072),
    ),
    "full_hand_and_camels": (
        "jaipur x=346145882 options=eo round=1 starter=0 seals=0,0 phase=turn,1 "
        "market=gmcgc deck=lcplsgdm hands=g/dppplll known=gmmm/dppplllmmmmm "
        "herds=3,6 tokens=1,3,0,2,3,4 bonus=2.1.2.3.3.2.1/4.5.4.6.6/8.10.10.9 "
        "won=l4.l3.l2.l1.g6.g6.p3.d7.d7.l1.c2.c2.s5.s5.s5.s5.s5/c5.c3.c3.p5.p3.d5.d5.p2 "
        "bonuses=4:5.5:8/- laid=-",
        (43, 606, 9822),
    ),
    "two_piles_empty": (
        "jaipur x=346145882 options=eo round=1 starter=0 seals=0,0 phase=turn,0 "
        "market=ppmpp deck=lc hands=lll/ddscl known=lllmmmmm/ddsclmmmm herds=5,5 "
        "tokens=1,0,0,1,3,4 bonus=2.1.2.3.3.2.1/4.5.4.6.6/8.10.10.9 "
        "won=l4.l3.l2.l1.g6.g6.p3.d7.d7.l1.c2.c2.s5.s5.s5.s5.s5.c1"
        "/c5.c3.c3.p5.p3.d5.d5.p2.g5.g5.g5 "
        "bonuses=4:5.5:8/- laid=-",
        (16, 565, 9771),
    ),
    "deck_almost_out": (
        "jaipur x=467556339 options=eo round=1 starter=0 seals=0,0 phase=turn,0 "
        "market=dppcl deck=m hands=ggsl/dl known=ggslmmmmm/dlmmm herds=7,3 "
        "tokens=1,1,0,0,1,2 bonus=3.2.1.1.2.3/6.5.5.4.4.6/8.8.10.10.9 "
        "won=g6.g6.s5.s5.s5.l2.l1.l1.c2.p1.c1.l1.c1.d5.d5"
        "/p5.c5.c3.p3.p3.l4.l3.l1.c3.c2.d7.d7.p2.p2.s5.s5.g5.g5 "
        "bonuses=3:2/- laid=-",
        (139, 3612),
    ),
    "deck_out": (
        "jaipur x=467556339 options=eo round=1 starter=0 seals=0,0 phase=turn,1 "
        "market=dmpcl deck=- hands=ggspl/dl known=ggsplmmmmm/dlmmm herds=7,3 "
        "tokens=1,1,0,0,1,2 bonus=3.2.1.1.2.3/6.5.5.4.4.6/8.8.10.10.9 "
        "won=g6.g6.s5.s5.s5.l2.l1.l1.c2.p1.c1.l1.c1.d5.d5"
        "/p5.c5.c3.p3.p3.l4.l3.l1.c3.c2.d7.d7.p2.p2.s5.s5.g5.g5 "
        "bonuses=3:2/- laid=-",
        (25, 500, 5399),
    ),
}


def deal(state: dict[str, Any]) -> Round:
    """The oracle's round of what the game has just dealt."""
    dealt = []
    for seat in (0, 1):
        hand = [
            card
            for card, n in zip(jaipur.GOODS, state["hands"][seat], strict=True)
            for _ in range(n)
        ]
        dealt.append(hand + ["camel"] * state["herds"][seat])
    bonus = {size: state["bonus"][size - 3][::-1] for size in (3, 4, 5)}
    return Round(dealt, state["market"], state["deck"][::-1], bonus, state["phase"][1])


def compare(state: dict[str, Any], match: Match) -> None:
    """Everything that lies on the table, in the words of the oracle."""
    mine = match.round
    assert mine is not None
    assert sorted(state["market"]) == sorted(mine.market)
    assert state["deck"] == mine.deck[::-1]
    assert state["seals"] == match.seals
    for seat in (0, 1):
        player = mine.players[seat]
        held = [player.hand.count(good) for good in jaipur.GOODS]
        assert state["hands"][seat] == held
        assert state["herds"][seat] == player.herd
        assert [tuple(pair) for pair in state["won"][seat]] == player.goods_tokens
        assert [tuple(pair) for pair in state["bonuses"][seat]] == player.bonus_tokens
    for k, good in enumerate(jaipur.GOODS):
        assert state["tokens"][k] == len(mine.piles[good])
        assert list(jaipur.TOKENS[k][: state["tokens"][k]]) == mine.piles[good][::-1]
    for size in (3, 4, 5):
        assert state["bonus"][size - 3][::-1] == mine.bonus[size]
    if mine.ended:
        found = jaipur.view(state, None)["result"]
        assert state["phase"] == ["over" if match.over() else "scored", mine.ended, mine.winner()]
        assert found["rupees"] == [mine.rupees(0), mine.rupees(1)]
        assert found["camel_token"] == mine.camel_token()
    else:
        assert state["phase"] == ["turn", mine.turn]


def as_tuple(event: list[Any]) -> tuple[Any, ...]:
    """An event in the oracle's form."""
    return tuple(tuple(part) if isinstance(part, list) else part for part in event)


def play(seed: int, lists_every: int) -> int:
    """One random game on both; the lists of moves are compared at every n-th turn."""
    chance = random.Random(seed)
    state = jaipur.new({"seed": seed})
    match = Match()
    match.open(deal(state))
    turns = 0
    while not jaipur.over(state):
        seat = jaipur.seats_asked(state)[0]
        legal = jaipur.legal(state, seat)
        if state["phase"][0] == "scored":
            assert legal == [["next_round", match.first]]
            state, _ = jaipur.step(state, legal[0])
            match.open(deal(state))
            compare(state, match)
            continue
        assert match.round is not None
        if (turns + seed) % lists_every == 0:
            assert {as_tuple(event) for event in legal} == match.round.legal()
        # a kind first: exchanges are most of the list, and would make games three times as long
        kind = chance.choice(sorted({event[0] for event in legal}))
        event = chance.choice([event for event in legal if event[0] == kind])
        state, _ = jaipur.step(state, event)
        match.play(as_tuple(event))
        compare(state, match)
        turns += 1
    assert match.over()
    return turns


@pytest.mark.parametrize("games", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_random_games_are_equal_step_by_step(games: int) -> None:
    turns = sum(play(seed, lists_every=25) for seed in range(games))
    assert turns > 30 * games


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_soak_ten_thousand_random_games_are_equal_step_by_step(part: int) -> None:
    first = 100_000 + part * SOAK_GAMES_A_PART
    for seed in range(first, first + SOAK_GAMES_A_PART):
        play(seed, lists_every=5)


def round_over(state: dict[str, Any]) -> bool:
    """No turn is left in this round."""
    return bool(state["phase"][0] != "turn")


def oracle_sequences(mine: Round, depth: int) -> int:
    """The same by the oracle."""
    if depth == 0 or mine.ended:
        return 1
    legal = mine.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for event in legal:
        after = copy.deepcopy(mine)
        after.play(event)
        total += oracle_sequences(after, depth - 1)
    return total


@pytest.mark.parametrize("name", COUNTED)
def test_counts_of_move_sequences(name: str) -> None:
    line, counts = COUNTED[name]
    state = jaipur.parse(line)
    for depth, expected in enumerate(counts, 1):
        assert sequences(jaipur, state, depth, round_over) == expected
        assert oracle_sequences(round_of(state), depth) == expected


def test_an_event_that_the_oracle_does_not_list_is_refused() -> None:
    chance = random.Random(9)
    refused = 0
    for seed in range(20):
        state = jaipur.new({"seed": seed})
        for _ in range(12):
            seat = state["phase"][1]
            match = Match()
            match.round = round_of(state)
            listed = match.round.legal()
            for event in near(state, chance):
                after, _ = jaipur.step(state, event)
                assert (after is not state) == (as_tuple(event) in listed), event
                refused += after is state
            state, _ = jaipur.step(state, chance.choice(jaipur.legal(state, seat)))
            if state["phase"][0] != "turn":
                break
    assert refused > 1000


def round_of(state: dict[str, Any]) -> Round:
    """The oracle's round of a position in the middle of play."""
    mine = Round.__new__(Round)
    mine.ended, mine.turn = "", state["phase"][1]
    mine.market, mine.deck = list(state["market"]), state["deck"][::-1]
    mine.bonus = {size: state["bonus"][size - 3][::-1] for size in (3, 4, 5)}
    mine.discard = []
    mine.piles = {
        good: list(jaipur.TOKENS[k][: state["tokens"][k]])[::-1]
        for k, good in enumerate(jaipur.GOODS)
    }
    mine.players = []
    for seat in (0, 1):
        held = zip(jaipur.GOODS, state["hands"][seat], strict=True)
        cards = [good for good, n in held for _ in range(n)]
        player = Merchant(cards + ["camel"] * state["herds"][seat])
        player.goods_tokens = [tuple(pair) for pair in state["won"][seat]]
        player.bonus_tokens = [tuple(pair) for pair in state["bonuses"][seat]]
        mine.players.append(player)
    return mine


def near(state: dict[str, Any], chance: random.Random) -> list[list[Any]]:
    """Events that look legal and often are not: any cards of the market for any of the hand's."""
    names = [*jaipur.GOODS, "camel"]
    found: list[list[Any]] = []
    for _ in range(30):
        size = chance.choice((1, 2, 2, 2, 3, 3, 4))
        taken = in_order(tuple(chance.choices(state["market"], k=size)))
        given = in_order(tuple(chance.choices(names, k=size)))
        found.append(["exchange", state["phase"][1], list(taken), list(given)])
        found.append(["sell", state["phase"][1], chance.choice(names), chance.randint(1, 6)])
        found.append(["take", state["phase"][1], chance.choice(names)])
    return found


def test_golden_game(rewrite: bool) -> None:
    golden_game(jaipur, lambda _state, legal, chance: chance.choice(legal), rewrite)
