"""What `spiceboard module` concludes from what it heard (tests/emulated runs it whole)."""

import pytest

from checkout import ROOT
from spiceboard.commands import main
from spiceboard.diag.module import Heard, Stack, meaning, wires
from spicecore.storage.on_demand.settings import GAINS_DB


def stack(tags: int, *usual: int, readings: int = 10) -> Stack:
    """As many tags as usually answer at each gain; the last number goes for the rest."""
    counts = [*usual, *[usual[-1]] * (len(GAINS_DB) - len(usual))]
    uids = [f"04{n:012x}" for n in range(max(counts))]
    heard = {
        db: Heard([count] * readings, readings, uids[:count])
        for db, count in zip(GAINS_DB, counts, strict=True)
    }
    return Stack(tags, heard)


def said(*stacks: Stack, tuned: bool = False) -> str:
    return " ".join(meaning(list(stacks), tuned))


def test_the_lowest_gain_at_which_all_answer_counts() -> None:
    assert stack(2, 0, 1, 2).gain == 33
    assert stack(2, 0, 1).gain is None
    assert stack(1, 1).gain == 18


def test_nine_readings_of_ten_are_enough_and_eight_are_not() -> None:
    heard = Heard([2] * 9 + [1], 10, ["a", "b"])
    assert Stack(2, {33: heard}).gain == 33
    assert Stack(2, {33: Heard([2] * 8 + [1] * 2, 10, ["a", "b"])}).gain is None


def test_who_sleeps_at_every_gain_lacks_voltage() -> None:
    told = said(stack(1, 1), stack(2, 0, 2), stack(3, 0, 1, 2))
    assert "stacks of 2, at 23 dB" in told and "too little voltage" in told
    assert "expects of ordinary tags" in told and "--tuned" in told


def test_better_or_worse_than_the_model_is_said() -> None:
    stacks = [stack(n, n) for n in range(1, 6)]
    assert "more than docs/sensing.md expects" in said(*stacks)
    assert "Go on with --tags 6" in said(*stacks[:4])
    assert "as docs/sensing.md expects" in said(stack(1, 1), stack(2, 2), tuned=True)
    assert "please report" in said(stack(1, 1), stack(2, 1), tuned=True)


def test_flicker_is_told_from_silence() -> None:
    flicker = Stack(2, {33: Heard([2, 1] * 5, 10, ["a", "b"])})
    assert "now and then" in said(stack(1, 1), flicker)
    turns = Stack(2, {33: Heard([1] * 10, 10, ["a", "b"])})
    assert "never all at once" in said(stack(1, 1), turns)


def test_no_tag_at_all_is_no_verdict_on_stacks() -> None:
    assert said(stack(1, 0), stack(2, 0)).startswith("Not even one tag is read")


def test_the_guide_and_the_command_have_the_same_wiring() -> None:
    guide = (ROOT / "docs/build.md").read_text()
    board = (ROOT / "docs/hardware.md").read_text()
    for module, pico, number in wires():
        assert f"| {module} | {pico} | {number} |" in guide
        assert not pico.startswith("GP") or f"| {pico} | {number} |" in board


def test_a_wrong_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["module", "--port", "/dev/no-such-port"]) == 3
    assert "/dev/no-such-port" in capsys.readouterr().err
