"""What another program at the port, another player with a modified client and a spectator get."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lab import Lab
from spicecore import games
from spicecore.games import GAMES


@pytest.fixture(params=GAMES)
def table(request: pytest.FixtureRequest) -> Iterator[tuple[Lab, str, list[str]]]:
    """A full game, and the keys of both seats."""
    with Lab(seed=1) as lab:
        lab.boot()
        lab.good("new", game=request.param, options={"players": 2, "mode": "full", "seed": 4})
        yield lab, request.param, [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]


def state_of(lab: Lab, keys: list[str]) -> list[Any]:
    pages = [lab.good("view", seat=seat, key=key) for seat, key in enumerate(keys)]
    return [lab.good("snapshot")["game"], [[page["view"], page["step"]] for page in pages]]


def test_a_modified_client_does_nothing_in_anothers_name(
    table: tuple[Lab, str, list[str]],
) -> None:
    """Every legal event of a seat, sent by everybody else in every way."""
    lab, name, keys = table
    rules: Any = games.load(name)
    state = rules.new({"players": 2, "mode": "full", "seed": 4})
    before = state_of(lab, keys)
    for seat in (0, 1):
        for event in rules.legal(state, seat)[:12]:
            if event[1] is None:
                lab.refused("act", "illegal", seat=seat, key=keys[seat], event=event)
                continue
            lab.refused("act", "wrong_key", seat=seat, key=keys[1 - seat], event=event)
            lab.refused("act", "wrong_key", seat=seat, event=event)
            lab.refused("act", "wrong_seat", seat=1 - seat, key=keys[1 - seat], event=event)
            lab.refused("act", "wrong_seat", event=event)
            for key in ("", "0", None, True, [keys[seat]], keys[seat].upper() + " "):
                lab.refused("act", "wrong_key", seat=seat, key=key, event=event)
    for event in (["moved", 0, [["b10", "curry"]]], ["judged", 0, "b10", "mint"], ["abort", 0]):
        lab.refused("act", "illegal", seat=0, key=keys[0], event=event)
    lab.refused("sense", "not_wire", moves=[["b10", "curry"]])
    for do in ("undo", "accept", "decide"):
        lab.ask(do, seat=0, key=keys[1], doubt=1, counts=True)
    assert state_of(lab, keys) == before


def test_secrets_are_refused_while_a_full_game_is_on(table: tuple[Lab, str, list[str]]) -> None:
    lab, _, keys = table
    for do in ("text", "roster", "tags"):
        lab.refused(do, "secret")
    lab.refused("roster_set", "secret", chips={"b10": None})
    lab.refused("log_read", "secret", name=lab.good("log")["logs"][-1][0])
    lab.refused("diag", "playing", what="read", zone="curry")
    lab.refused("maintain", "playing", on=True)
    lab.refused("claim", "claimed", seat=0)
    lab.refused("new", "game_on", game="jaipur", options={"players": 2})
    for key in keys:
        assert key not in json.dumps([lab.good("snapshot"), lab.good("status"), lab.events])


def test_a_spectator_is_told_the_public_view_alone(table: tuple[Lab, str, list[str]]) -> None:
    lab, name, _ = table
    rules: Any = games.load(name)
    state = rules.new({"players": 2, "mode": "full", "seed": 4})
    page = lab.good("view")
    assert page["view"] == rules.view(state, None) and page["legal"] == []
    assert "you" not in page["view"]
    assert lab.good("snapshot")["game"]["view"] == page["view"]


def test_without_a_seed_the_board_draws_one() -> None:
    """With a known seed, the person who starts the game would know all cards. The game comes back
    after a power cut."""
    seen = set()
    with Lab(seed=1) as lab:
        lab.boot()
        for _ in range(3):
            lab.good("new", game="jaipur", options={"players": 2, "mode": "full"})
            seen.add(json.dumps(lab.good("view", seat=0, key=lab.good("claim", seat=0)["key"])))
            lab.good("abort", confirm=True)
        assert len(seen) == 3
        lab.good("new", game="rathot", options={"players": 2, "mode": "full"})
        key = lab.good("claim", seat=0)["key"]
        before = lab.good("view", seat=0, key=key)["view"]
        lab.board.kill()
        lab.restart()
        lab.boot()
        assert lab.good("view", seat=0, key=key)["view"] == before
