"""Undo over the wire: only the seat that decided takes a decision back, in every game."""

import random
from pathlib import Path
from typing import Any

import pytest

from lab import Lab
from spicecore.games import GAMES
from twin import Twin


def with_a_decision(twin: Twin, chance: random.Random) -> int:
    """Play until the last decision may be taken back; the seat that decided it."""
    for _ in range(200):
        event = twin.event(chance)
        if event[1] is None:
            continue
        undoable = twin.rules.undoable(twin.state, event)
        twin.lab.good(**twin.request(event))
        twin.did(event)
        if undoable:
            return int(event[1])
    raise AssertionError("nothing that may be taken back in 200 decisions")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("cut", [False, True], ids=["", "after a cut"])
def test_only_the_seat_that_decided_takes_it_back(name: str, cut: bool, tmp_path: Path) -> None:
    chance = random.Random(name)
    with Lab(seed=2, flash=tmp_path / "flash") as lab:
        lab.run(1200)
        twin = Twin(lab, name, 1)
        before: Any = None
        seat = with_a_decision(twin, chance)
        before = lab.good("snapshot")["game"]["step"]
        if cut:
            lab.board.kill()
            lab.restart()
            lab.run(600)
        other = 1 - seat
        lab.refused("undo", "wrong_seat", seat=other, key=twin.keys[other])
        lab.refused("undo", "wrong_key", seat=seat, key=twin.keys[other])
        lab.refused("undo", "wrong_seat")
        assert lab.good("snapshot")["game"]["step"] == before
        lab.good("undo", seat=seat, key=twin.keys[seat])
        assert lab.good("snapshot")["game"]["step"] == before + 1
