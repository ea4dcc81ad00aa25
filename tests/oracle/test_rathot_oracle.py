"""Rat Hot against its oracle: random games step by step, counts of moves, and a golden game."""

import random
from typing import Any

import pytest
from rathot_tables import PEACEFUL

from oracle.driver import golden_game, sequences
from oracle.rathot_oracle import Game
from spicecore.games.rathot import rules as rathot
from spicecore.games.rathot.strips import CODES

SOAK_GAMES_A_PART = 2500
NAMES = {letter: code for code, letter in CODES.items()}
# Named positions: the strips in the order in which they are turned up, and how they were laid.
# With them the number of sequences of 1, 2, 3 events; each turning up of strips is one event.
COUNTED: dict[str, tuple[str, tuple[int, ...]]] = {
    "opening": (
        "rathot options=c- first=0 strips=standard laid=- held=- pile=14,9,10,25,32,34,42,13,2"
        ",41,6,38,31,12,21,11,17,27,7,16,15,26,29,24,30,28,1,39,40,35,36,20,4,23,33,3,8,5,22,3"
        "7,19,18 points=0,0 phase=turn_up,0",
        (
            1,
            48,
            48,
            6272,
        ),
    ),
    "first_strip_turned_up": (
        "rathot options=c- first=0 strips=standard laid=- held=17 pile=8,9,16,32,30,38,39,26,3"
        "5,5,23,27,3,37,19,31,40,2,4,15,42,10,34,13,36,24,20,41,6,25,21,28,1,29,22,11,12,18,33"
        ",7,14 points=0,0 phase=lay,0",
        (
            48,
            48,
            6272,
        ),
    ),
    "second_turn": (
        "rathot options=c- first=0 strips=standard laid=17:-1,1s held=14,7 pile=8,9,16,32,30,3"
        "8,39,26,35,5,23,27,3,37,19,31,40,2,4,15,42,10,34,13,36,24,20,41,6,25,21,28,1,29,22,11"
        ",12,18,33 points=0,0 phase=lay,1",
        (
            140,
            11864,
            11864,
        ),
    ),
    "nine_strips_laid": (
        "rathot options=c- first=0 strips=standard laid=37:2,-1w/28:2,-2w/15:-2,0w/30:-1,1w/9:"
        "-5,1n/18:-5,0e/12:0,-3e/31:-1,-2n held=6 pile=14,42,20,8,32,27,3,22,29,23,13,4,16,21,"
        "38,41,5,40,39,25,7,35,33,1,34,19,36,24,26,11,17,10,2 points=0,0 phase=lay,0",
        (
            134,
            134,
        ),
    ),
    "within_nine_by_nine": (
        "rathot options=c9x9 first=0 strips=standard laid=37:2,-1w/28:2,-2w/15:-2,0w/30:-1,1w/"
        "9:1,-3w/12:2,0s/18:2,1n/31:0,-6s held=6 pile=14,42,20,8,32,27,3,22,29,23,13,4,16,21,3"
        "8,41,5,40,39,25,7,35,33,1,34,19,36,24,26,11,17,10,2 points=0,0 phase=lay,0",
        (
            86,
            86,
        ),
    ),
    "last_strip": (
        "rathot options=c- first=0 strips=_s_.123.567.1_2.5_6.34_.78_.341.785.12_.56_.1_3.5_7."
        "2_4.6_8.113.557.224.668.331.775.4_1.8_5.15_.26_.37_.48_.1_5.2_6.3_7.4_8.162.273.384.4"
        "51.518.627.736.845.__1.__5.r__.g__ laid=29:4,0w/25:3,-3s/7:2,1w/15:0,-1e/6:-3,1e/34:3"
        ",1s/35:2,-4s/27:3,4e/42:2,-1s/31:3,0n/2:2,4w/26:0,-2w/18:0,-5e/28:3,-4e/33:2,5w/36:0,"
        "3w/20:4,1e/5:5,0n/13:6,0e/3:5,3e/8:-2,-3w/14:-1,-4w/11:-3,3s/16:8,2w/4:-4,4w/37:0,8n/"
        "32:6,6n/19:0,2e/38:-3,0n/23:-4,7n/12:-5,3w/21:5,-3e/41:2,9w/24:9,0e/17:3,8s/22:3,9w/3"
        "0:-7,6e/9:9,-3s/1:-8,5s/10:1,4e/40:2,8n held=39 pile=- points=5,4 phase=lay,1",
        (
            400,
            400,
        ),
    ),
    "late_game": (
        "rathot options=c- first=0 strips=_s_.123.567.1_2.5_6.34_.78_.341.785.12_.56_.1_3.5_7."
        "2_4.6_8.113.557.224.668.331.775.4_1.8_5.15_.26_.37_.48_.1_5.2_6.3_7.4_8.162.273.384.4"
        "51.518.627.736.845.__1.__5.r__.g__ laid=6:-4,0e/39:-1,-1w/7:-3,1w/16:3,1w/41:-3,4n/37"
        ":-3,7n/14:-3,6n/30:-4,-3s/2:-5,-3n/29:-6,2n/21:-6,-6e/11:-1,3n/12:-6,4e/4:0,-2w/9:-1,"
        "0n/13:-7,0n/10:-6,-4s/28:-3,-5n/5:-10,0e/34:-6,5s/32:-7,6w/25:-5,-4n/35:-12,6e/23:-6,"
        "6n/27:-2,3n/38:-2,-6e/19:-6,8w/20:-11,3s/24:-12,3n/8:0,2e/31:-2,-2s/22:0,-3w/33:-8,3s"
        " held=- pile=36,42,3,18,40,26,17,1,15 points=3,4 phase=turn_up,1",
        (1, 676),
    ),
}


def mirror(state: dict[str, Any]) -> Game:
    """The oracle's game of a state, laid again strip by strip."""
    strips = [[NAMES[square] for square in strip] for strip in state["strips"]]
    laid = state["laid"][1:]
    order = [each[0] for each in laid] + state["held"] + state["pile"][::-1]
    options = state["options"]
    bounds = tuple(options["bounds"]) if options["bounds"] else None
    game = Game(strips, order, state["first"], options["groups"] == "touching", bounds)
    for each in laid:
        if not game.held:
            game.turn_up()
        assert game.may_lie(*each[1:])
        game.lay(*each)
    if state["held"] and not game.held:
        game.turn_up()
    return game


def compare(state: dict[str, Any], mine: Game) -> None:
    """Everything that both know of the game."""
    assert state["held"] == mine.held
    assert state["pile"] == mine.order[::-1]
    view = rathot.view(state, None)
    seen = mine.seen()
    assert view["rats"] == [list(seen.values()).count(code) for code in ("RR", "GR")]
    groups = sorted((code, len(group)) for code, group in mine.all_groups())
    spices = ("R1", "R2", "R3", "R4", "G1", "G2", "G3", "G4")
    sizes = zip(spices, view["groups"], strict=True)
    assert sorted((code, n) for code, found in sizes for n in found) == groups
    if mine.end:
        assert state["phase"] == ["over", *mine.end]
        points = {seat: score["points"] for seat, _, score in rathot.standing(state)}
        assert [points[0], points[1]] == mine.points
    else:
        assert state["phase"] == ["lay" if mine.held else "turn_up", mine.turn]
        assert [rathot.points(state, seat) for seat in (0, 1)] == mine.points


def play(seed: int, lists_every: int) -> int:
    """One random game on both; the lists of moves are compared at every n-th event."""
    chance = random.Random(seed)
    options: dict[str, Any] = {"seed": seed}
    if seed % 3 == 1:
        options["groups"] = "touching"
    if seed % 5 == 1:
        least = 9 if seed % 10 == 1 else 3  # small tables fill up before the strips run out
        options["bounds"] = [chance.randint(least, least + 6), chance.randint(least, least + 6)]
    state = rathot.new(options)
    if seed % 2:
        state["strips"] = PEACEFUL  # nearly no rats: the game lasts to the last strip
    mine = mirror(state)
    events = 0
    while not rathot.over(state):
        seat = rathot.seats_asked(state)[0]
        legal = rathot.legal(state, seat)
        if (events + seed) % lists_every == 0:
            assert {tuple(event) for event in legal} == mine.legal()
        event = choose(state, legal, chance)
        state, effects = rathot.step(state, event)
        if event[0] == "turn_up":
            mine.turn_up()
        else:
            assert mine.may_lie(*event[3:])
            scored = mine.lay(*event[2:])
            assert sorted((e[2], e[3]) for e in effects if e[1] == "scored") == scored
        compare(state, mine)
        events += 1
    assert mine.end
    return events


def choose(state: dict[str, Any], legal: list[list[Any]], chance: random.Random) -> list[Any]:
    """Any legal event; half of the time one near the start, so that strips get stacked."""
    if chance.random() < 0.5:
        some = chance.sample(legal, min(12, len(legal)))
        return min(some, key=lambda event: abs(event[3]) + abs(event[4]) if len(event) > 2 else 0)
    return chance.choice(legal)


@pytest.mark.parametrize("games", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_random_games_are_equal_step_by_step(games: int) -> None:
    events = sum(play(seed, lists_every=20) for seed in range(games))
    assert events > 25 * games


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_soak_ten_thousand_random_games_are_equal_step_by_step(part: int) -> None:
    first = 100_000 + part * SOAK_GAMES_A_PART
    for seed in range(first, first + SOAK_GAMES_A_PART):
        play(seed, lists_every=4)


def oracle_sequences(state: dict[str, Any], depth: int) -> int:
    """The same by the oracle; the game's step only names the position that follows."""
    mine = mirror(state)
    if depth == 0 or mine.end:
        return 1
    legal = mine.legal()
    if depth == 1:
        return len(legal)
    return sum(oracle_sequences(rathot.step(state, [*e])[0], depth - 1) for e in sorted(legal))


@pytest.mark.parametrize("name", COUNTED)
def test_counts_of_move_sequences(name: str) -> None:
    line, counts = COUNTED[name]
    state = rathot.parse(line)
    for depth, expected in enumerate(counts, 1):
        assert sequences(rathot, state, depth, rathot.over) == expected
        if depth < 3:
            assert oracle_sequences(state, depth) == expected


def test_golden_game(rewrite: bool) -> None:
    golden_game(rathot, gentle, rewrite)


def gentle(state: dict[str, Any], legal: list[list[Any]], chance: random.Random) -> list[Any]:
    """Of some random events the one that leaves the fewest rats of a colour to be seen."""
    some = chance.sample(legal, min(40, len(legal)))

    def rats(event: list[Any]) -> int:
        red, green = rathot.view(rathot.step(state, event)[0], None)["rats"]
        return int(max(red, green) * 10 + red + green)

    return min(some, key=rats)
