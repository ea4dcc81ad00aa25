"""Chips lifted while the board was off: the game knows, and the round ends."""

from typing import Any

from lab import Lab
from spicecore import games


def test_chips_lifted_while_it_was_off_are_lifted() -> None:
    """They were to go home; it said for ever that they lie on the board."""
    rules: Any = games.load("safranito")
    state = rules.new({"players": 2, "mode": "full", "seed": 5, "chef": 0})
    state, _ = rules.step(state, ["accept", None, [["b10", "curry"], ["r30", "mint"]]])
    kinds = ("missed", "reveal", "close", "decline", "done", "no_open", "choose", "sell")
    while state["phase"][0] != "round_over":
        seat = rules.seats_asked(state)[0]
        legal = {e[0]: e for e in rules.legal(state, seat) if e[1] is not None}
        state, _ = rules.step(state, next(legal[kind] for kind in kinds if kind in legal))
    assert sorted(state["astray"]) == ["b10", "r30"]
    with Lab(seed=1) as lab:
        lab.world.lay("b10", "curry")
        lab.world.lay("r30", "mint")
        lab.boot()
        lab.good("new", game="safranito", options={}, position=rules.text(state))
        key = lab.good("claim", seat=0)["key"]
        lab.run(1000)
        lab.refused("act", "illegal", seat=0, key=key, event=["next_round", 0])
        lab.board.kill()
        lab.world.lift("b10")
        lab.world.lift("r30")
        lab.restart()
        lab.boot()
        assert lab.good("snapshot")["mismatch"] == []
        lab.good("act", seat=0, key=key, event=["next_round", 0])
        lab.board.kill()
        lab.restart()  # and it stays so
        lab.boot()
        assert lab.good("snapshot")["game"]["view"]["round"] == 2
