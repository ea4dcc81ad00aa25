"""Safranito's kernel against the rules core: legal moves, state and score equal at every step."""

from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from spiceboard.bots.safranito_memory import Memory, opening
from spiceboard.kernels import safranito as kernel
from spiceboard.kernels import safranito_moves as moves
from spiceboard.kernels import safranito_places as places
from spiceboard.kernels import safranito_text as text
from spiceboard.kernels import throws
from spiceboard.kernels.compiled import kernel as compiled
from spiceboard.kernels.safranito_hidden import recall
from spicecore import chance
from spicecore.games.safranito import rules
from spicecore.games.safranito.data import BOWLS, CHIPS
from spicecore.games.safranito.on_demand.options import OPTIONS

GAMES, SOAK_GAMES, PARTS = 300, 10_000, 4  # in parts, for a worker must not be alone at the end
LONGEST = 250  # decisions of a game that are compared: random players hardly ever cook
READ_EVERY = 50  # a position is read from its text at every n-th decision
MOVES = np.zeros(1_000, np.int64)


def start(seed: int) -> tuple[dict[str, Any], Any]:
    """A game on both; players and options change with the seed."""
    options: dict[str, Any] = {"seed": seed, "players": 2 + seed % 3}
    for i, (name, values) in enumerate(OPTIONS.items()):
        if seed >> i & 1:
            options[name] = values[1]
    if seed % 5 == 3:
        options["chef"] = seed % 2
    s = np.zeros(places.LENGTH, np.int32)
    chef = options.get("chef", -1)
    kernel.new(s, options["players"], seed, chef, text.option_bits(options))
    return rules.new(options), s


def stepped(state: dict[str, Any], event: list[Any]) -> dict[str, Any]:
    """The state after an event and after what it sends home was lifted."""
    after, effects = rules.step(state, event)
    assert after is not state, (event, effects)
    if after["astray"]:
        home = [[chip, None] for chip in after["astray"]]
        after, _ = rules.step(after, ["moved", None, home])
    assert not after["astray"]
    return dict(after)


@compiled
def write_moves(s: Any, out: Any) -> int:
    """Write all moves to `out`; their number. Compiled, for there are hundreds."""
    n = moves.count_moves(s)
    for i in range(n):
        out[i] = moves.nth_move(s, i)
    return n


def play(seed: int) -> int:
    """One game on both, compared at every decision."""
    state, s = start(seed)
    x, n, table = chance.start(seed), 0, throws.load()
    while not rules.over(state) and n < LONGEST:
        compare(state, s)
        if (n + seed) % READ_EVERY == 0:
            compare_read(state, s)
        x, move = sensible_move(s, x)
        event = text.event_of(s, move)
        x = kernel.apply(s, table, move, x)
        for each in text.thrown_events(state, s, move) if event[0] == "moved" else [event]:
            state = stepped(state, each)
        n += 1
    compare(state, s)
    return n


def sensible_move(s: Any, x: int) -> tuple[int, int]:
    """A random move, but cooked whenever one can, so that games come to their end."""
    for i in range(moves.count_moves(s) if s[places.PHASE] == places.COOK_PHASE else 0):
        move = moves.nth_move(s, i)
        if move & 31 in (places.COOK_OPEN, places.COOK_RESERVED):
            return x, move
    return moves.sample_move(s, x)


def compare(state: dict[str, Any], s: Any) -> None:
    """State, legal moves (each once) and score are the same.

    A throw in the rules' list stands for every zone and strength. They list a chip that was thrown
    and lies nowhere, too, for the board does not know which one it was.
    """
    assert text.to_state(s) == state
    seats = rules.seats_asked(state)
    seat = seats[0] if seats else -1
    assert places.on_turn(s) == seat
    found = MOVES[: write_moves(s, MOVES)].tolist()
    chips, others = [], []
    for event in rules.legal(state, seat) if seats else []:
        if event[0] != "moved":
            others.append(number(event))
        elif not s[places.THROWN] >> CHIPS.index(event[2][0][0]) & 1:
            chips.append(event[2][0][0])
    assert len(set(found)) == len(found)
    assert sorted(found) == sorted(others + throws_of(tuple(chips)))
    for who, rank, row in rules.standing(state):
        cooked = s[places.COOKED_SIZE : places.COOKED_SIZE + state["n"]]
        assert row["blends"] == cooked[who]
        assert rank == 1 + sum(cooked > cooked[who])


@cache
def throws_of(chips: tuple[str, ...]) -> list[int]:
    """The numbers of all throws of these chips."""
    at = [places.THROW | CHIPS.index(chip) % 6 << 5 for chip in chips]
    ways = [zone << 8 | strength << 12 for zone in range(13) for strength in range(3)]
    return [chip | way for chip in at for way in ways]


def number(event: list[Any]) -> int:
    """The kernel's number of an event that is no throw."""
    kind = text.KINDS.index(event[0])
    if len(event) == 2:
        return kind
    return kind | (BOWLS.index(event[2]) if isinstance(event[2], str) else event[2]) << 5


def compare_read(state: dict[str, Any], s: Any) -> None:
    """A position that was read from its text is the same.

    But for a chip that was thrown and lies nowhere: it may be thrown again.
    """
    read = text.from_text(rules.text(state))
    assert text.to_state(read) == state
    if s[places.THROWN] == s[places.SEEN]:
        assert moves.count_moves(read) == moves.count_moves(s)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_are_equal_at_every_decision(part: int) -> None:
    seeds = range(GAMES * part // PARTS, GAMES * (part + 1) // PARTS)
    assert sum(play(seed) for seed in seeds) > 100 * len(seeds)


def test_the_kernel_recalls_what_everybody_is_told() -> None:
    """As the bot's memory of the messages: purses, and cards that were taken openly."""
    table, bought = throws.load(), 0
    for seed in range(6):
        state, s = start(seed)
        known, x = np.array(opening(), np.int32), chance.start(seed)
        memory = Memory()
        memory.row = known.tolist()
        for _ in range(LONGEST):
            x, move = sensible_move(s, x)
            event = text.event_of(s, move)
            recall(s, known, move)
            x = kernel.apply(s, table, move, x)
            for each in text.thrown_events(state, s, move) if event[0] == "moved" else [event]:
                for to, *told in rules.step(state, each)[1]:
                    if to is None:
                        memory.hear(told)
                state = stepped(state, each)
            assert memory.row == known.tolist()
            bought += event[0] == "buy"
            if rules.over(state):
                break
    assert bought > 30


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_soak_ten_thousand_games(part: int) -> None:
    for seed in range(part, SOAK_GAMES, PARTS):
        play(1_000_000 + seed)
