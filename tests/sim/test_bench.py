"""The benchmark: counted figures repeat, measured ones come from the thing itself."""

import json
from functools import cache

import pytest

from spiceboard.commands import bench, main
from spiceboard.errors import UserError
from spiceboard_sim.bench import board as counted


def test_a_sweep_finds_what_was_laid_and_repeats_exactly() -> None:
    chips = {"b10": "saffron", "r10": "saffron", "g10": "mint"}
    first, second = counted.sweep(chips), counted.sweep(chips)
    assert first == second
    assert first["found"] == 3 and first["complete"]
    empty = counted.sweep({})
    assert empty["found"] == 0 and empty["complete"]
    for name in ("accesses", "bytes", "air_ns", "frames", "us"):
        assert 0 < empty[name] < first[name]
    # REQA twice (a retry) in each of thirteen empty zones at the very least, 7 bits and a guard
    assert empty["frames"] >= 13 and empty["air_ns"] >= 13 * 8 * 9439


def test_the_rules_are_measured_under_micropython() -> None:
    try:
        bench.micropython()
    except UserError as error:
        pytest.skip(str(error))
    record = bench.recorded("safranito", 1)
    record["events"] = record["events"][:40]
    figures = bench.unix_port(record)
    assert figures["steps"] == 40
    assert 0 < figures["step_median_us"] <= figures["step_max_us"]
    assert figures["state_high_water_bytes"] > 1000 and figures["text_bytes"] > 100


def test_a_record_that_does_not_replay_is_refused() -> None:
    record = bench.recorded("safranito", 1)
    record["events"] = [["next_round", 0]]
    with pytest.raises(UserError, match="was refused"):
        bench.unix_port(record)


def test_the_command_prints_every_figure_with_its_how(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "board", lambda seed: [{"what": "w", "figure": "f", "how": "h"}])
    monkeypatch.setattr(bench, "GAMES", {"safranito": (2, 4), "jaipur": (2, 2)})
    monkeypatch.setattr(bench, "SECONDS", 0.2)
    monkeypatch.setattr(bench, "rules_rows", cache(bench.rules_rows))  # measured once
    assert main.main(["bench", "--json"]) == 0
    out, err = capsys.readouterr()
    assert "measuring the rules of safranito\n" in err  # a person sees that it goes on
    rows = json.loads(out)
    assert rows[0] == {"what": "w", "figure": "f", "how": "h"}
    assert len(rows) > 16 and all(row["figure"] and row["how"] for row in rows)
    names = {row["what"] for row in rows}
    assert {"safranito: step", "jaipur: step", "jaipur: legal as the board sends it"} <= names
    assert main.main(["bench"]) == 0
    out = capsys.readouterr().out
    assert "safranito, 4 players" in out and "jaipur, 2 players" in out
    assert out.count("text export") == 1  # one row for all games, side by side


def test_options_of_the_emulated_bench_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    emulated = pytest.importorskip("spiceboard_sim.bench.emulated", reason="extra: emulator")
    asked: list[tuple[str, str, list[str]]] = []

    def started(extra: str, module: str, arguments: list[str]) -> int:
        asked.append((extra, module, arguments))
        return 0

    monkeypatch.setattr(bench, "run_module", started)
    words = ["--only", "board", "--settle", "2", "--settle", "5", "--rounds", "9", "--uf2", "x"]
    assert main.main(["bench", "--emulated", *words]) == 0
    ((extra, module, arguments),) = asked
    assert (extra, module) == ("emulator", "spiceboard_sim.bench.emulated")
    taken = emulated.parse(arguments)
    assert (taken.only, taken.settle, taken.rounds, taken.uf2) == ("board", [2, 5], 9, "x")


def test_options_of_the_emulated_bench_alone_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.main(["bench", "--only", "wire"]) == 2
    assert "--only=wire works only with --emulated" in capsys.readouterr().err
    assert main.main(["bench", "--emulated", "--json"]) == 2
