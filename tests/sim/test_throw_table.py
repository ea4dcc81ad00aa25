"""The table of throws: rounds of the physics counted, and the table that is shipped."""

import json
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("mujoco", reason="rounds throw rigid bodies: tools/setup.sh sim")
pytest.importorskip("numba", reason="the table is a kernel's: tools/setup.sh fast")

from spiceboard.kernels import throws
from spiceboard_sim.study import throw_rounds, throw_table
from spiceboard_sim.study.throw_rounds import NOWHERE, Throw
from spiceboard_sim.throws.constants import Constants
from spicecore.parts import ZONES

CURRY, CARDAMOM = ZONES.index("curry"), ZONES.index("cardamom")


def test_the_shipped_table_is_of_the_constants_in_use() -> None:
    made_by = json.loads(throws.FILE.read_text("utf-8"))["made_by"]
    assert made_by["constants_sha256"] == throw_table.constants_hash(Constants()), (
        "constants of throws have changed: python -m spiceboard_sim.study.throw_table"
    )
    assert made_by["distance"]["table_to_physics"] < 0.1


def test_a_round_repeats_and_a_file_of_rounds_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    first = throw_rounds.thrown(path, range(1), Constants())
    kept = path.read_bytes()
    again = throw_rounds.thrown(path, range(1), Constants())
    assert first == again
    assert path.read_bytes() == kept
    assert first[0] == throw_rounds.round_of(0, Constants(), throw_rounds.aimed_in(0))
    assert len(throw_table.after(first[0])) == throw_rounds.THROWS


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    path.write_text('{"seed": 1}\n')
    with pytest.raises(ValueError, match="no file of rounds, or it is damaged"):
        throw_rounds.thrown(path, range(1), Constants())


def test_each_throw_counts_for_its_mirror_image() -> None:
    swap = throw_table.mirrored()
    assert [swap[at] for at in swap] == [*range(15)]
    assert swap[CURRY] == CARDAMOM
    thrown = [Throw(CURRY, 2, CURRY, ((CURRY, NOWHERE), (CURRY, CURRY)))]
    landed, pushed = throw_table.counted(throw_table.both_sides([thrown]))
    assert landed[CURRY, 2] == {CURRY: 1}
    assert landed[CARDAMOM, 2] == {CARDAMOM: 1}
    assert pushed[0, CARDAMOM, 2, 1] == {NOWHERE: 1, throws.STAYS: 1}


def test_too_few_rounds_are_told() -> None:
    with pytest.raises(ValueError, match="no round has a throw at"):
        throw_table.table([[Throw(CURRY, 0, CURRY, ())]])


def test_rows_are_whole_shares_and_lean_on_coarser_ones() -> None:
    thrown = [
        [Throw(aim, strength, aim, ((aim, NOWHERE),)) for strength in range(3)]
        for aim in range(len(ZONES))
    ]
    rows = throw_table.table(thrown)
    assert all(sum(row) == throws.SHARES for each in rows.values() for row in each)
    assert len(rows["landed"]) * throws.SHARES == throws.PUSHES
    crowd_of_four = rows["pushed"][throws.CROWD - 1]  # never seen: as all others of the zone
    assert 0 < crowd_of_four[throws.STAYS] < crowd_of_four[NOWHERE]


def test_distance() -> None:
    one = Counter({(0, 0): 3, (0, 1): 1})
    assert throw_table.distance(one, one) == 0
    assert throw_table.distance(one, Counter({(5, 5): 2})) == 1
