"""`spiceboard diag --tags`: from what a board hears of single and stacked tags to their tuning."""

from random import Random

import pytest

from diag_bench import Bench
from spiceboard.diag import loading
from spiceboard.diag.placements import Heard
from spiceboard_sim.board.geometry import CHIP_THICKNESS, TAG_RESONANCE, ZONE
from spiceboard_sim.rf import circuit, coupling
from spiceboard_sim.rf.tag import WAKE_VOLT, TagCircuit, spread
from spiceboard_sim.throws.pose import Pose
from spicecore.storage.on_demand.settings import GAINS_DB

CURRY = ZONE["curry"]
FAR = CURRY.radius + 3 + 4  # mm from the middle: the hole is 4 mm away from the edge


def stacked(count: int, off: float = 0.0, draw: Random | None = None) -> list[Pose]:
    def by() -> float:
        return draw.gauss(0, 1.0) if draw else 0.0

    floor = 0.0 if off else -CURRY.depth
    return [
        Pose(CURRY.x + off + by(), CURRY.y + by(), floor + CHIP_THICKNESS * level)
        for level in range(count)
    ]


def heard(poses: list[Pose], tags: list[TagCircuit]) -> Heard:
    """What the model lets a reader hear at each gain."""
    solution = circuit.solve(CURRY, poses, tags)
    alone = circuit.alone(CURRY).heard[0]
    shares = {}
    for number, (volts, change) in enumerate(zip(solution.volts, solution.heard, strict=True)):
        loud = (change / alone) ** 0.5 if volts >= WAKE_VOLT else 0.0
        found = [float(loud >= coupling.heard_at(db)) for db in GAINS_DB]
        if any(found):
            shares[f"tag {number}"] = found
    return Heard(shares)


def steps(megahertz: float, draw: Random) -> dict[str, Heard]:
    tags = [spread(TagCircuit(1e6 * megahertz), draw) for _ in range(4)]
    found = {
        "middle": heard(stacked(1), tags[:1]),
        "outside": heard(stacked(1, FAR), tags[:1]),
    }
    poses = stacked(4, draw=draw)
    for key, count in loading.COUNT.items():
        found[key] = heard(poses[:count], tags[:count])
    return found


@pytest.mark.parametrize(
    ("megahertz", "kinds"),
    [
        (13.56, {"tags_near_carrier", "tags_low"}),
        (14.5, {"tags_near_carrier", "tags_low"}),
        (17.5, {"tags_high"}),
        (18.5, {"tags_high"}),
    ],
)
def test_tags_are_told_apart_by_what_the_model_lets_a_board_hear(
    megahertz: float, kinds: set[str]
) -> None:
    draw = Random(f"tags {megahertz}")
    for _ in range(8):
        (finding,) = loading.findings("curry", steps(megahertz, draw))
        assert finding.kind in kinds
        assert (finding.level == "note") == (finding.kind == "tags_high")


def test_a_weak_antenna_is_not_taken_for_a_kind_of_tag() -> None:
    found = steps(TAG_RESONANCE / 1e6, Random(1))
    found["middle"] = Heard({"tag 0": [0, 0, 0, 1.0, 1.0, 1.0]})
    (finding,) = loading.findings("curry", found)
    assert finding.kind == "loading_unknown" and "--tags ginger" in finding.step


def test_one_tag_of_another_kind_is_named_as_such() -> None:
    found = steps(TAG_RESONANCE / 1e6, Random(1))
    del found["three"].shares["tag 0"]
    (finding,) = loading.findings("curry", found)
    assert finding.kind == "tags_differ" and "stack of three" in finding.says


class Hands:
    """Lays what the command asks for, and confirms silence."""

    def __init__(self, bench: Bench, megahertz: float) -> None:
        self.world = bench.board.world
        for name in self.world.chips:
            self.world.place(name, None)
        for chip in self.names():
            self.world.chips[chip].circuit = TagCircuit(1e6 * megahertz)

    @staticmethod
    def names() -> list[str]:
        return ["b10", "r20", "g30", "o40"]

    def answer(self, key: str, choices: list[str]) -> str:
        step = key.split()[0]
        if step in ("middle", "outside"):
            poses = stacked(1, FAR if step == "outside" else 0.0)
        else:
            poses = stacked(loading.COUNT[step])
        for name, pose in zip(self.names(), poses, strict=False):
            self.world.place(name, pose)
        return "done" if "done" in choices else "yes" if "yes" in choices else "skip"


@pytest.mark.parametrize(
    ("megahertz", "code", "kind"), [(13.56, 1, "tags_near_carrier"), (17.5, 0, "tags_high")]
)
def test_the_command_on_the_board(bench: Bench, megahertz: float, code: int, kind: str) -> None:
    hands = Hands(bench, megahertz)
    words = ("diag", "--tags", "--questions", "lines", "--visits", "2", "--json")
    said, lines = bench.command(*words, answer=hands.answer)
    assert said == code, bench.words()
    assert [finding["kind"] for finding in lines[-1]["findings"]] == [kind]
    assert lines[-1]["tags"]["middle"] and len(lines[-1]["tags"]["two"]) == 2
    assert not bench.ask("status")["maintenance"]


def test_what_is_skipped_is_told_and_not_judged(bench: Bench) -> None:
    Hands(bench, 17.5)
    words = ("diag", "--tags", "mint", "--questions", "lines", "--visits", "1")
    code, _ = bench.command(*words, answer=lambda key, choices: "skip")
    assert code == 1 and "the step `middle` was skipped" in bench.words()


def test_only_bowls_and_only_with_somebody_there(bench: Bench) -> None:
    code, _ = bench.command("diag", "--tags", "reserve", "--questions", "lines")
    assert code == 2 and "bowls are curry" in bench.words()
    code, _ = bench.command("diag", "--tags", "--json")
    assert code == 2 and "needs somebody who lays chips" in bench.words()
