"""Every kind of fault, in three places each: the report names the part, and nothing else.

`make test` tries each kind in one of the places, the first, second or third by turns.
The board is the unchanged firmware at a pseudo-terminal; the diagnosis runs in a process in which
the simulator cannot be imported.
"""

import pytest

from checkout import ROOT
from diag_bench import Bench
from diag_matrix import TRIALS, Place, Trial, place_text, table
from spiceboard_sim import faults
from spicecore.parts import ZONES

CASES = [
    pytest.param(
        trial,
        place,
        id=f"{trial.name}-{place_text(trial, place)}-{turn}",
        marks=() if turn == number % 3 else pytest.mark.slow,
    )
    for number, trial in enumerate(TRIALS)
    for turn, place in enumerate(trial.places)
]


@pytest.fixture(scope="module")
def bench():
    made = Bench()
    yield made
    made.close()


def options(trial: Trial) -> list[str]:
    """A whole measurement where tags matter, else without reads; a person where one is needed."""
    chosen = ["--laid", "--quick", "--visits", "4"] if trial.reads else ["--no-reads"]
    if trial.person:
        chosen += ["--questions", "lines", "--press-seconds", "0.5"]
    return chosen


@pytest.mark.parametrize(("trial", "place"), CASES)
def test_fault_is_named(bench: Bench, trial: Trial, place: Place) -> None:
    bench.heal()
    trial.inject(bench, place)
    report = bench.diag(*options(trial))
    found = [(finding["kind"], finding["parts"]) for finding in report["findings"]]
    assert found == [(trial.finding, trial.parts(place))], report["findings"]
    finding = report["findings"][0]
    assert len(finding["says"]) > 20 and len(finding["step"]) > 20
    if len(finding["parts"]) > 1:
        assert trial.decides, "a group needs the one human step that decides"


def test_there_are_enough_kinds() -> None:
    verbs = {trial.name.split(" ")[0].rstrip(",") for trial in TRIALS} & set(faults.FAULTS)
    assert len(verbs) >= 25
    assert all(len(trial.places) == 3 for trial in TRIALS)


@pytest.mark.parametrize(
    "seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_a_noisy_healthy_board_reports_nothing(bench: Bench, seed: int) -> None:
    bench.heal()
    world = bench.board.world
    world.random.seed(seed)
    world.hall_noise_mv = 6.0
    world.supply_mv = 4750.0
    for index, zone in enumerate(ZONES):
        world.fields[zone].noise = 0.01
        world.fields[zone].led_noise = 0.01
        world.fields[zone].gain = 0.9 + 0.2 * world.chance()
        world.halls[index].offset_mv += world.random.uniform(-30, 30)
    for chip in world.chips.values():
        chip.mute = 0.01
    bench.board.run_for(1500)
    report = bench.diag(
        "--laid", "--visits", "8", "--quick", "--questions", "lines", "--press-seconds", "0.5"
    )
    assert report["findings"] == []
    assert report["measured"]["left_out"] == []


def test_the_page_has_the_table(rewrite: bool) -> None:
    path = ROOT / "docs/diagnosis.md"
    text = path.read_text()
    before, rest = text.split("<!-- table of faults -->\n")
    _, after = rest.split("<!-- end of the table -->\n")
    wanted = f"{before}<!-- table of faults -->\n{table()}<!-- end of the table -->\n{after}"
    if rewrite:
        path.write_text(wanted)
    assert text == wanted or rewrite, "run: pytest tests/tools/test_diag_matrix.py --rewrite"
