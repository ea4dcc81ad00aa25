"""Power cuts in games of Jaipur and Rat Hot: every seat comes back to what was acknowledged.

These are full games, whose position the board never reveals. The test plays the same rules with
the same seed and compares what each seat sees.
"""

import random
from pathlib import Path

import pytest

from lab import Lab
from twin import Twin

KILLS = 30
AT_ONCE = 8  # turns between two kills, at most


def kill(twin: Twin, chance: random.Random) -> bool:
    """Ask for a turn, cut the power meanwhile; was the turn acknowledged?"""
    lab, event = twin.lab, twin.event(chance)
    number = lab.send(**twin.request(event))
    for _ in range(chance.randrange(60)):
        lab.run(1)
        if number in lab.replies:
            break
    acknowledged = "ok" in lab.replies.get(number, {})
    lab.board.kill()
    lab.take()
    lab.replies.clear()
    lab.restart()
    lab.run(550)
    game = lab.good("snapshot")["game"]
    if game is None:  # that turn was the last: a game that is over is not taken up again
        twin.did(event)
        assert twin.rules.over(twin.state)
        return acknowledged
    step = game["step"]
    assert step in (twin.step, twin.step + 1)
    assert step == twin.step + 1 or not acknowledged
    if step > twin.step:
        twin.did(event)
    twin.compare()
    assert lab.good("status")["journal"] is None
    assert lab.told("board", "resumed")[-1][1] == twin.rules.NAME
    return acknowledged


@pytest.mark.parametrize("name", ["jaipur", "rathot"])
def test_what_a_seat_was_told_survives_power_cuts(name: str, tmp_path: Path) -> None:
    chance = random.Random(name)
    kept, games, rounds = 0, 1, set()
    with Lab(seed=2, flash=tmp_path / "flash") as lab:
        lab.run(1200)
        twin = Twin(lab, name, games)
        for _ in range(KILLS):
            for _ in range(chance.randrange(AT_ONCE)):
                if twin.rules.over(twin.state):
                    break
                event = twin.event(chance)
                lab.good(**twin.request(event))
                twin.did(event)
            if twin.rules.over(twin.state):
                if lab.good("snapshot")["game"]:
                    twin.compare()
                    lab.good("abort", confirm=True)
                games += 1
                twin = Twin(lab, name, games)
            kept += kill(twin, chance)
            rounds.add((games, twin.rules.view(twin.state, None).get("round")))
        assert lab.console == b""
    print(name, "kept", kept, "games", games, "rounds", len(rounds))
    assert kept >= 5 and len(rounds) >= 2
    assert games >= (2 if name == "rathot" else 1)
