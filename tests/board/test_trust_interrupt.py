"""Ctrl-C once and twice, at every step of start, run and stop: a safe prompt, always.

Tools send it more than once: mpremote and rshell two together, Thonny again and again until a
prompt comes. One that falls into the cleanup must not leave a field, a ring or the watchdog on.
"""

import pytest

from lab import Lab

GAPS_MS = (0.2, 0.5, 1, 2, 5, 10, 20, 50)
# ms since the start: in the boot window, while modules load, at the first sweep, in full run
PHASES_MS = (100, 499, 510, 600, 900, 1200, 3000, 3007)
SHORT = {(3000, gap) for gap in GAPS_MS} | {(510, 1), (900, 5), (1200, 0.5), (3007, 2)}


def safe(lab: Lab) -> None:
    """The prompt, everything off, and no watchdog that bites while a file is copied."""
    assert lab.board.state == "prompt"
    assert not any(field.on for field in lab.world.fields.values())
    assert {light for ring in lab.world.rings().values() for light in ring} == {(0, 0, 0)}
    resets = lab.board.watchdog_resets
    lab.run(10_000)
    assert lab.board.watchdog_resets == resets and lab.board.state == "prompt"


def interrupt(when: float, gap: float, times: int = 2) -> None:
    with Lab(seed=1) as lab:
        lab.run(when)
        for _ in range(times):
            lab.board.write(b"\r\x03")
            lab.run(gap)
        lab.run(500)
        safe(lab)


@pytest.mark.parametrize(("when", "gap"), sorted(SHORT))
def test_ctrl_c_twice_ends_in_a_safe_prompt(when: float, gap: float) -> None:
    interrupt(when, gap)


@pytest.mark.soak
@pytest.mark.parametrize("when", PHASES_MS)
@pytest.mark.parametrize("gap", GAPS_MS)
def test_ctrl_c_twice_at_every_step(when: float, gap: float) -> None:
    interrupt(when, gap)


@pytest.mark.parametrize("gap", [0.3, 3])
def test_ctrl_c_again_and_again(gap: float) -> None:
    """As Thonny does until a prompt answers, and as a child does who leans on the keys."""
    interrupt(3000, gap, 40)


@pytest.mark.parametrize("gap", [0.2, 2, 12, 40])
def test_ctrl_c_into_the_end_that_quiesce_began(gap: float) -> None:
    with Lab(seed=1) as lab:
        lab.boot()
        lab.send(do="quiesce")
        for _ in range(3):
            lab.run(gap)
            lab.board.write(b"\x03")
        lab.run(700)
        safe(lab)


def test_the_simulator_counts_a_watchdog_at_the_prompt() -> None:
    """As the chip does: a firmware that leaves it on is reset in the middle of a file copy."""
    with Lab(seed=1) as lab:
        lab.boot()
        due = lab.board._operations.watchdog_due
        lab.board.write(b"\x03")
        lab.run(500)
        assert lab.board.state == "prompt"
        lab.board._operations.watchdog_due = due  # as if it had not been stopped
        lab.run(10_000)
        assert lab.board.watchdog_resets == 1 and lab.board.state == "running"
