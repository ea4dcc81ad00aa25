"""A sample of the faults of docs/faults.md, and nonsense on the line, on the emulated RP2040.

The same tables and the same judgement as on the simulated board (tests/fault_matrix.py); what
needs another flash or buttons than the emulator's is left to that one. Some ten seconds each.
"""

import random
from pathlib import Path
from typing import Any

import pytest
from nonsense import Nonsense

from fault_matrix import ALL, Phase, Table, phases
from lab import Lab
from on_chip import OnChip
from spicecore.games import GAMES

pytestmark = [pytest.mark.emulated, pytest.mark.soak]
SAMPLE = 50
ELSEWHERE = ("file", "flash", "watchdog", "button", "hall", "drink")
LINES = 100_000


def sample() -> list[tuple[Phase, str]]:
    """Phases and faults, drawn once."""
    names = [name for name in ALL if not any(word in name for word in ELSEWHERE)]
    every = [(phase, name) for game in GAMES for phase in phases(game) for name in names]
    return random.Random(50).sample(every, SAMPLE)


def test_fifty_faults(image: Path) -> None:
    passed, failed = 0, []
    with Lab(board=OnChip(image)) as lab:
        lab.boot(15_000)
        for phase, name in sample():
            try:
                seen = Table(lab, phase, None).suffer(name)
            except AssertionError as error:
                failed.append(f"{name} in {phase.game} {phase.name}: {str(error)[:300]}")
                print("FAILED", failed[-1], flush=True)
                lab.restart()
                lab.boot(15_000)
                continue
            passed += 1
            print(passed, phase.game, phase.name, name, seen.told, seen.back, flush=True)
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("lines", [LINES])
def test_nonsense_on_the_line(image: Path, lines: int) -> None:
    """In a full game: no task dies, nothing `failed`, the game is as before."""
    with Lab(board=OnChip(image)) as lab:
        lab.boot(15_000)
        lab.good("new", game="safranito", options={"players": 2, "mode": "full", "seed": 7})
        keys = tuple(lab.good("claim", seat=seat)["key"] for seat in (0, 1))
        source = Nonsense(13, keys, ("quiesce", "reboot", "maintain"))
        before = state(lab, keys)
        free = lab.good("diag", what="memory")["free"]
        board = lab.board
        for number in range(0, lines, 20):
            board.write(b"".join(source.line().replace(b"\x03", b"") for _ in range(20)))
            while board.chip._input:
                lab.run(10)
            lab.forget_what_was_well()
            if number % 1000 == 0:
                print(number, round(board.now_ms / 1000), "s of the chip", flush=True)
        board.write(b"\n")
        lab.run(3000)
        lab.forget_what_was_well()
        assert set(lab.good("status")["tasks"].values()) == {"runs"}
        assert state(lab, keys) == before and board.chip.resets == 0
        assert lab.good("diag", what="memory")["free"] > free - 6000


def state(lab: Lab, keys: tuple[str, ...]) -> list[Any]:
    pages = [lab.good("view", seat=seat, key=key)["view"] for seat, key in enumerate(keys)]
    return [lab.good("snapshot")["game"], pages]
