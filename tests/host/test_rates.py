"""The rates of the compiled games: whole games are played, and the clock is the processor's."""

import pytest

from spiceboard.commands import main
from spiceboard.errors import UserError
from spiceboard.study import rates

pytest.importorskip("numba")


def test_every_kernel_plays_whole_games() -> None:
    found = rates.measured(rates.kernels(), rounds=2, seconds=0.001)
    assert set(found) == {"jaipur", "rathot", "safranito"}
    assert all(len(each) == 2 and min(each) > 0 for each in found.values())


def test_a_ratio_compares_within_each_round() -> None:
    found = {"ours": [4.0, 9.0, 8.0], "theirs": [2.0, 3.0, 8.0]}
    assert rates.ratio(found, "ours", "theirs") == (2.0, 1.0, 3.0)


def test_without_the_peer_the_way_to_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    with pytest.raises(UserError, match="peers"):
        rates.peers()
    assert main.main(["bench", "--peers"]) == 2
    assert "no OpenSpiel to compare with" in capsys.readouterr().err
