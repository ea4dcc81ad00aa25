"""Two faults at once: both are named, or the one that hides the other; a wrong part never is.

Faults, places and what is due for each alone are those of the matrix (diag_matrix.py).
"""

from dataclasses import dataclass

import pytest

from diag_bench import Bench
from diag_matrix import CHIP_IN, SECOND, TRIALS, Place, Trial

BY_NAME = {trial.name: trial for trial in TRIALS}


@dataclass(frozen=True)
class Pair:
    """Two faults (name, place). hidden: of which of them (0 or 1) nothing can be measured while
    the other is there."""

    one: tuple[str, Place]
    other: tuple[str, Place]
    hidden: tuple[int, ...] = ()

    @property
    def trials(self) -> tuple[Trial, Trial]:
        return BY_NAME[self.one[0]], BY_NAME[self.other[0]]

    def due(self) -> list[tuple[str, tuple[str, ...]]]:
        """What the report must hold, in any order."""
        both = zip(self.trials, (self.one[1], self.other[1]), strict=True)
        return sorted(
            (trial.finding, tuple(trial.parts(place)))
            for number, (trial, place) in enumerate(both)
            if number not in self.hidden
        )


def swapped(zone: str, other: str) -> Place:
    return {"zone": zone, "other": other}


# Apart from each other: both are named.
APART = (
    Pair(("reader_dies", "cumin"), ("led_breaks", {"zone": "mint", "led": 2})),
    Pair(("reader_dies", "curry"), ("select_open", "ginger")),
    Pair(("selects_swapped", swapped("chili", "cinnamon")), ("weak_antenna, two chips", "curry")),
    Pair(("selects_swapped", swapped("mint", "head_chef")), ("reader_dies", "chili")),
    Pair(("stuck_reset", "cumin"), ("tag_dead", SECOND["saffron"])),
    Pair(("antenna_open, one chip", "ginger"), ("hall_stuck (high)", "mint")),
    Pair(("bits_flip", "mint"), ("wrong_bcc", CHIP_IN["chili"])),
    Pair(("weak_antenna, two chips", "curry"), ("weak_antenna, two chips", "cumin")),
    Pair(
        ("duplicate_uid", {"chip": CHIP_IN["ginger"], "other": CHIP_IN["chili"]}),
        ("tag_flickers, two chips", SECOND["cumin"]),
    ),
    Pair(("long_wire", {"zone": "ginger", "hz": 2_000_000}), ("stranger_tag", SECOND["cumin"])),
    Pair(("noise_of_leds", "reserve"), ("reader_hangs", "garlic")),
    Pair(("supply_sags", 4400.0), ("file_corrupt (settings)", {"file": "data/settings.a"})),
    Pair(("buzzer_dead", "1"), ("button_stuck", "ok")),
    Pair(("hall_drifts", "chili"), ("tag_slow", CHIP_IN["mint"])),
)
# One beside or in front of the other.
NEAR = (
    # two in one zone
    Pair(("clone_version", "curry"), ("weak_antenna, two chips", "curry")),
    Pair(("reader_dies", "saffron"), ("antenna_open, two chips", "saffron"), hidden=(1,)),
    Pair(("antenna_open, two chips", "cumin"), ("tag_dead", SECOND["cumin"]), hidden=(1,)),
    Pair(("hall_stuck (low)", "saffron"), ("noise_at, two chips", "saffron")),
    # a fault in something that all readers share hides other faults
    Pair(("miso_stuck (high)", "1"), ("reader_dies", "curry"), hidden=(1,)),
    Pair(("miso_jammed", "chili"), ("weak_antenna, two chips", "saffron"), hidden=(1,)),
    Pair(("address_stuck", {"bit": 0, "level": 0}), ("reader_dies", "saffron"), hidden=(1,)),
    Pair(("hall_address_stuck", 0), ("hall_stuck (high)", "garlic"), hidden=(1,)),
)


@pytest.fixture(scope="module")
def bench():
    made = Bench()
    yield made
    made.close()


def name_of(pair: Pair) -> str:
    return f"{pair.one[0]} + {pair.other[0]}".replace(", ", "-").replace(" ", "_")


@pytest.mark.parametrize("pair", NEAR, ids=name_of)
def test_two_faults_near_each_other(bench: Bench, pair: Pair) -> None:
    both_are_named(bench, pair)


@pytest.mark.slow
@pytest.mark.parametrize("pair", APART, ids=name_of)
def test_two_faults_apart(bench: Bench, pair: Pair) -> None:
    both_are_named(bench, pair)


def both_are_named(bench: Bench, pair: Pair) -> None:
    """Or the one of them that hides the other."""
    bench.heal()
    # what is done to the flash restarts the board: first
    for trial, place in sorted(
        zip(pair.trials, (pair.one[1], pair.other[1]), strict=True),
        key=lambda one: not one[0].name.startswith("file"),
    ):
        trial.inject(bench, place)
    chosen = ["--no-reads"]
    if any(trial.reads for trial in pair.trials):
        chosen = ["--laid", "--quick", "--visits", "6"]
    if any(trial.person for trial in pair.trials):
        chosen += ["--questions", "lines", "--press-seconds", "0.5"]
    report = bench.diag(*chosen)
    found = sorted((f["kind"], tuple(f["parts"])) for f in report["findings"])
    assert found == pair.due(), report["findings"]


def test_swapped_lines_and_one_of_their_readers_dead(bench: Bench) -> None:
    """The hardest: what answers under one name is another tile. No tag may be blamed for it."""
    from spiceboard_sim import faults

    bench.heal()
    faults.inject(bench.board, "selects_swapped", zone="chili", other="cinnamon")
    faults.inject(bench.board, "reader_dies", zone="chili")
    bench.board.run_for(300)
    report = bench.diag("--laid", "--quick", "--visits", "6")
    named = {part for finding in report["findings"] for part in finding["parts"]}
    assert not {part for part in named if part.startswith(("tag", "antenna"))}, report["findings"]
    assert named <= {
        "select line chili", "select line cinnamon", "reader chili", "reader cinnamon",
    }  # fmt: skip
    assert {"select line chili", "select line cinnamon"} <= named
