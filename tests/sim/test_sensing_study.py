"""Studies: a small run that would catch a regression, their files, tables and fits."""

import json
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("mujoco", reason="studies throw rigid bodies: tools/setup.sh sim")

from spiceboard.errors import UserError
from spiceboard_sim.board.geometry import ZONE
from spiceboard_sim.board.world import World
from spiceboard_sim.study import __main__ as command
from spiceboard_sim.study import fit, layouts, sensing, tables, verdict, verdict_table
from spiceboard_sim.study.evidence import SILENT
from spiceboard_sim.throws.constants import Constants
from spiceboard_sim.throws.pose import Pose


def snapshot(**zones: dict[str, int]) -> dict[str, object]:
    return {"chips": zones, "doubts": [], "readers": dict.fromkeys(ZONE, "ok")}


def board() -> World:
    """b10 in curry, b20 beyond doubt outside, r10 in mint."""
    world = World(1)
    world.place("b10", Pose(60, 60, -3))
    world.place("b20", Pose(119, 60, 0))
    world.place("r10", Pose(ZONE["mint"].x, ZONE["mint"].y, -3))
    return world


def said(world: World, told: dict[str, object]) -> dict[str, str]:
    return {row.chip: row.said for row in verdict.rows(world, told)}


def test_every_way_to_be_wrong_has_its_name() -> None:
    world = board()
    good = {"curry": {"blue": 1}, "mint": {"red": 1}}
    assert set(said(world, snapshot(**good)).values()) == {"right"}
    assert said(world, snapshot(curry={"blue": 1}))["r10"] == "missing"
    assert said(world, snapshot(curry={"blue": 2}, mint={"red": 1}))["b20"] == "ghost"
    told = snapshot(curry={"blue": 1})
    told["readers"] = {**dict.fromkeys(ZONE, "ok"), "mint": "incomplete"}
    assert said(world, told)["r10"] == "told"
    doubt = snapshot(mint={"red": 1})
    doubt["doubts"] = [[1, "blue", "curry"]]
    assert said(world, doubt)["b10"] == "doubt"


def test_how_chips_lie_is_told_by_their_poses() -> None:
    flat = Pose(60, 60, -3)
    assert verdict.how(flat, []) == "flat" and verdict.place_of(flat, []) == 1
    above = Pose(62, 60, 1)
    assert verdict.how(above, [flat]) == "stacked" and verdict.place_of(above, [flat]) == 2
    assert verdict.how(Pose(60, 60 + 44, 0), []) == "edge"
    assert verdict.how(Pose(60, 92, -1, 7.0, 270), []) == "leaning"
    assert verdict.how(Pose(119, 178, 14, 90.0), []) == "on edge"


def test_intervals_and_tables() -> None:
    assert tables.wilson(0, 10)[1] == pytest.approx(0.278, abs=0.001)  # Wilson, by hand
    assert tables.wilson(50, 100) == pytest.approx((0.404, 0.596), abs=0.001)
    rows = [row.line() for row in verdict.rows(board(), snapshot(curry={"blue": 1}))]
    text = tables.table(rows)
    assert "| all | 3 | 66.7 %" in text and "1 (33.3 %)" in text
    assert "| bowl | 1 | 0 | 0 | 0 | 1 | 0 |" in tables.confusion(rows)
    assert tables.picture(rows).startswith("<svg") and "#c03030" in tables.picture(rows)
    assert "| tag tuned: " in text
    assert "| make of tag: " in text


def test_a_picture_with_intervals_is_a_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")  # in the extra `study`
    rows = [row.line() for row in verdict.rows(board(), snapshot(curry={"blue": 1}))]
    command.picture(rows, tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UserError, match="cannot write"):
        command.picture(rows, tmp_path / "none" / "p.svg")


def test_a_missing_chip_is_asked_about_where_the_board_has_counted() -> None:
    asked = snapshot(curry={"blue": 1})
    asked["doubts"] = [[1, "red", None]]
    assert said(board(), asked) == {"b10": "right", "b20": "right", "r10": "asked"}
    rows = [row.line() for row in verdict.rows(board(), asked)]
    assert tables.right(rows) == (2, 2)


def test_a_missing_chip_is_awaited_where_the_board_has_not_counted_its_throw() -> None:
    waits = snapshot(curry={"blue": 1})
    view = {"throws": {"made": 11, "of": 12}, "asked": [1]}
    waits["game"] = {"view": view}
    assert said(board(), waits)["r10"] == "asked"
    view["asked"] = [0]  # of blue, so red is silent
    assert said(board(), waits)["r10"] == "missing"
    view.update(throws={"made": 12, "of": 12}, asked=[1])  # the head chef's turn
    assert said(board(), waits)["r10"] == "missing"


def test_a_round_is_thrown_in_turn() -> None:
    acts = layouts.turns(Random(5))
    assert [act.chip[0] for act in acts] == list("brgo" * 3)
    assert len({act.chip for act in acts}) == 12


@pytest.mark.slow
def test_a_round_in_a_game_has_nothing_wrong_in_silence() -> None:
    result = sensing.layout(sensing.Job("round", 3))
    assert result["throws"] == 12 and {"questions", "needless", "decided"} <= set(result)
    silent = [row for row in result["rows"] if row["said"] in ("missing", "ghost")]
    assert not silent and len(result["rows"]) > 8


def test_layouts_are_what_they_say() -> None:
    for seed in range(10):
        acts = layouts.game(Random(seed))
        assert len({act.chip for act in acts}) == 24 and all(act.zone in ZONE for act in acts)
        acts = layouts.pile(Random(seed))
        laid = [act for act in acts if act.strength is None]
        assert 2 <= len(laid) <= 6 and len({act.zone for act in acts}) == 2
        acts = layouts.packed(Random(seed))
        assert [act.chip[0] for act in acts] == list("brgo" * 3)  # in turn, as a game wants them
        laid = [act for act in acts if act.strength is None]
        assert 2 <= len(laid) <= 6 and acts[: len(laid)] == laid
        assert len({act.zone for act in acts}) == 2 and len({act.zone for act in laid}) == 1


def test_a_run_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked = []

    def work(job: sensing.Job) -> dict[str, object]:
        worked.append(job)
        return {**job._asdict(), "throws": 1, "rows": []}

    monkeypatch.setattr(sensing, "layout", work)
    path = tmp_path / "results"
    jobs = [sensing.Job("game", 1), sensing.Job("game", 2), sensing.Job("game", 2, hall=True)]
    list(sensing.run(jobs[:2], path, 1))
    list(sensing.run(jobs, path, 1))
    assert worked == jobs
    path.write_text(path.read_text() + "no result\n")
    with pytest.raises(ValueError, match="line 4"):
        sensing.done(path)


def test_a_pile_on_the_whole_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stacks and throws, mixed makes, unchanged firmware: what is said outside doubts is right,
    but for one chip at most."""
    words = ["sensing", "--kind", "pile", "--layouts", "1", "--workers", "1", "--seed", "3"]
    path = tmp_path / "results"
    assert command.main([*words, "--file", str(path), "--picture", str(tmp_path / "p.svg")]) == 0
    told = capsys.readouterr().out
    assert "8 throws in 1 layouts (pile)" in told
    rows = [row for result in sensing.done(path) for row in result["rows"]]
    assert len(rows) >= 9 and sum(row["said"] in ("missing", "ghost") for row in rows) <= 1
    assert sum(row["said"] == "right" for row in rows) > 0.6 * len(rows)
    assert (tmp_path / "p.svg").read_text().startswith("<svg")


def test_chips_laid_by_hand_are_judged_with_their_evidence() -> None:
    result = sensing.layout(sensing.Job("lay", 2, hall=True, evidence=True))
    assert result["throws"] == 0 and len(result["told_ms"]) > 8
    assert all(100 < ms < sensing.REST_MS for ms in result["told_ms"])
    for row in result["rows"]:
        heard = row["heard"]
        assert (heard["step"] == SILENT) == (heard["times"] == 0)
        if row["zone"] and row["margin"] > 2:
            assert heard["in"] == row["zone"] and heard["step"] <= 2 and row["said"] == "right"


def recorded(seed: int, step: int, zone: str, said: str, times: int = 3) -> dict[str, object]:
    heard = {"step": step, "in": "mint", "next": SILENT, "times": times, "before": True,
             "newcomers": 0}  # fmt: skip
    rows = [{"zone": zone, "said": said, "heard": heard} for _ in range(40)]
    return {"seed": seed, "rows": rows}


def test_a_table_is_learned_from_some_layouts_and_tried_on_others() -> None:
    """Strong chips lie there, chips at 33 dB do in half of the cases, at 48 dB never."""
    results = [
        *(recorded(seed, 1, "mint", "right") for seed in (1, 2, 9)),
        *(recorded(seed, 2, zone, "missing") for seed in (1, 9) for zone in ("mint", "")),
        *(recorded(seed, 5, "", "ghost") for seed in (1, 9)),
    ]
    found = verdict_table.compared(results, 2)
    assert "| 23 dB | always | one zone | bowl | 80 | 100 % | lies there |" in found.table
    assert "| 33 dB | always | one zone | bowl | 80 | 50 % | in doubt |" in found.table
    assert "| 48 dB | always | one zone | bowl | 40 | 0 % | nowhere |" in found.table
    assert "| the firmware's rules | 160 | 25.0 %" in found.figures
    assert "| the learned table | 160 | 100.0 % (95.4 to 100.0) | 80 (50.0 %) | 0 | 0 |" in (
        found.figures
    )
    with pytest.raises(ValueError, match="learn from 1 to 2 of them"):
        verdict_table.compared(results, 3)
    del results[0]["rows"][0]["heard"]  # type: ignore[index]
    with pytest.raises(ValueError, match="have no evidence"):
        verdict_table.compared(results, 1)


def test_what_no_reader_has_heard_is_left_to_counting() -> None:
    heard = {"step": SILENT, "in": None, "next": SILENT, "times": 0, "before": False,
             "newcomers": 0}  # fmt: skip
    table = verdict_table.Table([])
    assert table.says(heard) == verdict_table.NOWHERE


@pytest.mark.soak
def test_ten_thousand_throws(tmp_path: Path) -> None:
    """`make soak`: half in whole rounds, half in piles, on all cores."""
    for kind, count, least in (("game", 210, 0.995), ("pile", 625, 0.97)):
        path = tmp_path / kind
        jobs = [sensing.Job(kind, seed) for seed in range(1000, 1000 + count)]
        for _ in sensing.run(jobs, path, 2):
            pass
        rows = [row for result in sensing.done(path) for row in result["rows"]]
        clear = [row for row in rows if row["said"] != "doubt"]
        assert sum(row["said"] == "right" for row in clear) > least * len(clear)


def filmed() -> dict[str, object]:
    """Ten throws, as a camera would measure them, of known constants."""
    chance = Random(2)
    throws = []
    for _ in range(10):
        x, z = 178 + chance.gauss(0, 20), chance.uniform(70, 120)
        throws.append(
            {"aim": [178, 178], "release": [x, 380.0, z], "touch": [178 + chance.gauss(0, 8), 210],
             "elevation": 12 + chance.gauss(0, 4), "tilt": chance.gauss(0, 9)}
        )  # fmt: skip
    return {
        "slides": [[500, 42.5], [300, 15.3]],
        "drops": [[50, 4.5], [80, 7.2]],
        "throws": throws,
    }


def test_a_fit_finds_what_was_filmed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "filmed.json", tmp_path / "constants.json"
    source.write_text(json.dumps(filmed()))
    words = ["throws", "--fit", str(source), "--out", str(out), "--throws", "20"]
    assert command.main(words) == 0
    assert "20 throws: intended zone" in capsys.readouterr().out
    found = json.loads(out.read_text())["constants"]
    assert found["friction"] == pytest.approx(0.30, abs=0.005)  # v^2 / (2 g s)
    assert found["restitution"] == pytest.approx(0.30, abs=0.005)  # sqrt(4.5 / 50)
    assert found["release_aside"] == pytest.approx(20, rel=0.5)
    assert found["elevation_sigma"] == pytest.approx(4, rel=0.6)
    assert "rolling" not in found  # what was not measured stays as it is


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("{", "no measurements"), ("{}", "no slide"), ('{"slides": [[1]]}', "two numbers"),
     ('{"jumps": []}', "slides, drops and throws"), ('{"throws": [{"aim": [1]}]}', "aim is 2"),
     ('{"throws": [{"touch": [1, 2]}]}', "needs aim"), ('{"slides": [[-1, 2]]}', "above 0")],
)  # fmt: skip
def test_bad_measurements_are_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "filmed.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=sentence):
        fit.read(path)


def test_constants_in_use_are_told_apart() -> None:
    assert fit.changes(Constants()) == {}
    assert fit.changes(fit.fitted({"slides": [[500, 42.5]]})).keys() == {"friction"}
