"""Faults in each phase of each game: what is reported, when, and the way back.

`make soak ARGS="-k all_faults --rewrite"` writes docs/faults.md from what it has seen.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from checkout import ROOT
from diag_matrix import TRIALS
from fault_matrix import ALL, KINDS, Phase, Seen, Table, page, phases
from lab import Lab
from spicecore.games import GAMES
from spicecore.storage.on_demand.settings import Settings

SHORT = ("reader_dies", "tag_dead")  # in make test
PHASES = {
    "safranito": ["throw", "extra_throw", "spice_card", "keep", "reserve", "head_chef",
                  "choose", "sale", "buy", "cook", "round_over"],
    "jaipur": ["turn", "scored"],
    "rathot": ["turn_up", "lay"],
    "ninebowls": ["occupy"],
}  # fmt: skip

EVERY = [phase for game in GAMES for phase in phases(game)]
FOUND = ROOT / "build/faults"  # what each phase's test has seen


def suffered(
    phase: Phase, names: Iterable[str], tmp_path: Path, seed: int
) -> tuple[dict[str, Seen], list[str]]:
    """All these faults in one phase, one after the other on one board; and what failed."""
    seen, failed = {}, []
    flash = tmp_path / f"{phase.game}-{phase.name}-{seed}"
    (flash / "data").mkdir(parents=True)
    stored = Settings(str(flash / "data/settings"))
    stored.change({"hall": True})
    stored.change({"agree": 2})  # a second copy: one of them may break
    with Lab(seed=seed, flash=flash) as lab:
        lab.boot()
        table = Table(lab, phase, flash / "spare")
        for name in names:
            try:
                seen[name] = table.suffer(name)
            except AssertionError as error:
                failed.append(f"{name} in {phase.game} {phase.name}: {str(error)[:400]}")
                lab.restart()
                lab.boot()
    return seen, failed


def test_all_phases_are_there() -> None:
    assert {game: [phase.name for phase in phases(game)] for game in GAMES} == PHASES


def test_every_kind_that_the_diagnosis_knows_is_thrown() -> None:
    """One name may stand for two of its kinds, which differ in how many chips lie there."""
    known = {trial.name.split(", ")[0] for trial in TRIALS}
    assert known - {"button_stuck"} <= set(KINDS)


def test_faults_in_phases_of_safranito(tmp_path: Path) -> None:
    """One of a reader and one of a tag; all others under `make soak`."""
    told = {}
    for phase in phases("safranito"):
        if phase.name in ("throw", "sale", "cook"):
            seen, failed = suffered(phase, SHORT, tmp_path, 1)
            assert not failed, failed
            told[phase.name] = [list(seen[name].told) for name in SHORT]
    assert all(dead == ["reader dead"] for dead, _ in told.values()), told
    assert told["sale"][1] == ["moved", "mismatch"], told


@pytest.mark.soak
@pytest.mark.parametrize("phase", EVERY, ids=lambda phase: f"{phase.game}-{phase.name}")
def test_all_faults_in_a_phase(phase: Phase, tmp_path: Path, rewrite: bool) -> None:
    """About two minutes each."""
    seen, failed = suffered(phase, ALL, tmp_path, 1)
    assert not failed, "\n".join(failed)
    if rewrite:
        FOUND.mkdir(parents=True, exist_ok=True)
        found = {name: [each.told, each.back] for name, each in seen.items()}
        (FOUND / f"{phase.game}-{phase.name}.json").write_text(json.dumps(found))


@pytest.mark.soak
def test_all_faults_make_the_page(rewrite: bool) -> None:
    """docs/faults.md has a row for each fault, and what the tests above have seen when asked."""
    path = ROOT / "docs/faults.md"
    head, _, rows = path.read_text().partition("<!-- matrix -->\n")
    if rewrite:
        found = {p: json.loads((FOUND / f"{p.game}-{p.name}.json").read_text()) for p in EVERY}
        rows = "\n".join(page(found)) + "\n"
        path.write_text(f"{head}<!-- matrix -->\n{rows}")
    assert [line.split(" | ")[0].lstrip("| ") for line in rows.splitlines()[2:]] == list(ALL)
