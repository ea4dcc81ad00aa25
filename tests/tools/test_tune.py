"""`spiceboard tune`: what it reads back from the model's currents, and what no loop explains."""

import pytest

from spiceboard.commands import main
from spiceboard.errors import No
from spiceboard.tuning import advice
from spiceboard.tuning.advice import best, by_analyser, by_currents, choices, modelled
from spiceboard.tuning.matching import FITTED, LOOPS, Coil, W, driver_load, match

KINDS = ("bowl", "action")
LOADS = {"bowl": (51, 29), "action": (54, 17)}  # docs/hardware.md, loop 2 % below the formula


def built(kind: str, share: float) -> Coil:
    loop = LOOPS[kind]
    return Coil(loop.inductance * share, loop.copper, loop.own)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("share", [0.94, 0.965, 0.98, 1.0, 1.015])
@pytest.mark.parametrize("reader", [0.0, 9.0])
def test_the_steps_tell_the_loop_whatever_the_reader_draws(
    kind: str, share: float, reader: float
) -> None:
    measured = [value + reader for value in modelled(kind, share, 3)]
    loop = by_currents(kind, measured)
    assert loop.share == pytest.approx(share, abs=0.002)
    assert loop.reader == pytest.approx(reader, abs=0.3)
    assert loop.least <= share <= loop.most


@pytest.mark.parametrize("kind", KINDS)
def test_whole_milliamperes_are_enough(kind: str) -> None:
    """A laboratory supply shows no fractions; the true loop lies within what is named."""
    for share in (0.95, 0.98, 1.0):
        loop = by_currents(kind, [float(round(v + 4)) for v in modelled(kind, share, 3)])
        assert loop.least <= share <= loop.most


@pytest.mark.parametrize("kind", KINDS)
def test_the_analyser_sees_the_own_capacitance_and_it_counts_once(kind: str) -> None:
    coil = built(kind, 0.98)
    seen = 2 * coil.half()
    loop = by_analyser(kind, seen.imag / W * 1e6, seen.real)
    assert loop.share == pytest.approx(0.98, abs=1e-6)
    assert loop.coil.copper == pytest.approx(coil.copper)
    load = driver_load(loop.coil, match(FITTED[kind]))
    assert (load.real, load.imag) == pytest.approx(LOADS[kind], abs=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_loop_as_planned_stays_as_it_is_and_others_become_good(kind: str) -> None:
    fitted = choices(kind, built(kind, 0.98))[0]
    assert fitted.c2 == FITTED[kind]["C2"] and fitted.pair == ""
    assert best(kind, built(kind, 0.98)) == fitted
    low, high = best(kind, built(kind, 0.95)), best(kind, built(kind, 1.03))
    assert low.good() and high.good() and low.c2 == fitted.c2
    # an action space's loop is damped so much (Q 8) that both may stay as they are
    assert bool(low.pair) == (high.c2 != fitted.c2) == (kind == "bowl")


@pytest.mark.parametrize(
    ("measured", "why"),
    [
        ([120.0, 60.0, 60.0], "switch off"),
        ([1.0, 1.0, 1.5], "drivers do not run"),
        ([70.0, 75.0, 80.0], "C10 to C13"),
        ([20.0, 20.0, 9.0], "no loop explains"),
        ([59.0, 67.0, 78.0], "reader itself would draw"),
    ],
)
def test_what_no_loop_explains_is_said_with_what_to_check(measured: list[float], why: str) -> None:
    with pytest.raises(No, match=why):
        by_currents("bowl", measured)


def test_a_torn_loop_and_one_out_of_reach_are_refused() -> None:
    with pytest.raises(No, match="torn or shorted"):
        by_analyser("bowl", 1.9, 2.0)
    with pytest.raises(No, match="JP1 bridged"):
        by_analyser("action", 2.27, 20.0)
    with pytest.raises(No, match="no value of the shopping list"):
        best("bowl", built("bowl", 0.80))


def test_the_answer_at_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["tune", "action", "--currents", "42", "44", "46"]) == 0
    told = capsys.readouterr().out
    assert "leave C18 and C19 empty" in told and "reader itself adds about 4 mA" in told
    assert main.main(["tune", "bowl", "--currents", "47", "35"]) == 0
    told = capsys.readouterr().out
    assert "C18, C19 of 4.7 pF" in told and "measure again" in told
    assert main.main(["tune", "bowl", "--currents", "20", "20", "9"]) == 1
    assert "no loop explains" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["bowl"],
        ["cup", "--currents", "1", "2"],
        ["bowl", "--currents", "27"],
        ["bowl", "--currents", "27", "35", "46", "50"],
        ["bowl", "--currents", "27", "-35"],
        ["bowl", "--currents", "27", "nan"],
        ["bowl", "--analyser", "2.79"],
        ["bowl", "--analyser", "2.79", "0"],
        ["bowl", "--analyser", "2.79", "2", "--currents", "1", "2"],
    ],
)
def test_wrong_usage_ends_with_two(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main.main(["tune", *words])
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    assert code == 2 and capsys.readouterr().err


def test_values_are_told_in_picofarad() -> None:
    assert advice.picofarad("4p7") == "4.7 pF" and advice.picofarad("75p") == "75 pF"
