"""`spiceboard calibrate` on a simulated board: the best rate wins, not the highest gain."""

import json
import re

import pytest

from diag_bench import LAID, Bench
from spiceboard.commands.calibrate import GAINS_DB, choose
from spiceboard_sim import faults
from spiceboard_sim.board.geometry import CHIP_THICKNESS, ZONE
from spiceboard_sim.throws.pose import Pose
from spicecore.parts import ZONES


@pytest.mark.parametrize(
    ("rates", "step"),
    [
        ([0.0, 0.5, 1.0, 1.0, 1.0, 0.4], 2),  # a peak: 48 dB hears more noise than tags
        ([0.0, 0.0, 0.1, 0.6, 0.9, 0.7], 4),
        ([1.0, 1.0, 1.0, 1.0, 1.0, 1.0], 2),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.8], 5),
        ([0.9, 0.2, 0.1, 0.0, 0.0, 0.0], 0),
        ([1.0, 0.995, 0.9, 1.0, 0.9, 0.9], 1),  # equal within a percent: nearest, then lower
    ],
)
def test_choose(rates: list[float], step: int) -> None:
    assert choose(rates, 2) == step


def empty(bench: Bench) -> None:
    for chip in LAID:
        bench.board.world.place(chip, None)


def test_gain_follows_the_read_rate(bench: Bench) -> None:
    faults.inject(bench.board, "weak_antenna", zone="mint", gain=0.33)  # heard from 38 dB on
    before = bench.ask("settings")["version"]
    code, said = bench.command(
        "calibrate",
        "--only",
        "gain",
        "--yes",
        "--visits",
        "5",
        "--zones",
        "ginger, mint ,head_chef",
    )
    assert code == 0, bench.words()
    stored = bench.ask("settings")
    assert stored["version"] == before + 1
    gains = {zone: GAINS_DB[step] for zone, step in stored["values"]["gain"].items()}
    assert gains.pop("mint") in (38, 43)
    assert set(gains.values()) == {33}
    assert said[-1]["gain_db"]["mint"] == GAINS_DB[stored["values"]["gain"]["mint"]]
    assert said[-1]["version"] == stored["version"]


def test_zones_without_a_tag_keep_their_gain(bench: Bench) -> None:
    bench.ask("settings_set", values={"gain": {"curry": 4}})
    bench.board.world.place("b10", None)
    bench.board.world.place("g20", None)
    faults.inject(bench.board, "reader_dies", zone="reserve")
    bench.board.run_for(500)
    code, said = bench.command(
        "calibrate", "--only", "gain", "--yes", "--visits", "2", "--zones", "curry,mint,reserve"
    )
    text = json.dumps(said)
    assert code == 0, bench.words()
    assert "left out: curry: there is no tag" in text
    assert "left out: reserve: its reader does not answer" in text
    assert bench.ask("settings")["values"]["gain"]["curry"] == 4


def test_a_tag_in_two_zones_says_nothing_about_either(bench: Bench) -> None:
    here, there = (chip for chip, zone in LAID.items() if zone in ("mint", "garlic"))
    faults.inject(bench.board, "duplicate_uid", chip=here, other=there)
    code, said = bench.command(
        "calibrate", "--only", "gain", "--yes", "--visits", "2", "--zones", "mint,garlic,chili"
    )
    assert code == 0, bench.words()
    text = json.dumps(said)
    assert re.search(r"left out: mint: the tag \w+ is heard in `garlic` too", text)
    assert re.search(r"left out: garlic: the tag \w+ is heard in `mint` too", text)


def test_for_programs_stdout_has_json_alone(bench: Bench) -> None:
    words = ("calibrate", "--only", "gain", "--yes", "--visits", "2", "--zones", "mint")
    code, (said,) = bench.command(*words, "--json")
    assert code == 0 and said["gain_db"]["mint"] in GAINS_DB
    assert "mint " in bench.words() and "dB" in bench.words()


def test_no_tag_is_no_wrong_use(bench: Bench) -> None:
    empty(bench)
    words = ("calibrate", "--only", "gain", "--yes", "--visits", "1", "--zones", "mint")
    code, _ = bench.command(*words)
    assert code == 1 and "no tag was read in any zone" in bench.words()
    for zones in ("mint,,curry", "", "salt"):
        code, _ = bench.command(*words[:-1], zones)
        assert code == 2 and "there is no zone" in bench.words()


def test_hall_levels_at_rest(bench: Bench) -> None:
    empty(bench)
    for index, hall in enumerate(bench.board.world.halls):
        hall.offset_mv = 10.0 * index - 60
    code, said = bench.command("calibrate", "--only", "hall", "--yes")
    assert code == 0, bench.words()
    rest = bench.ask("settings")["values"]["hall_rest"]
    for index, zone in enumerate(ZONES):
        assert abs(rest[zone] - (1650 + 10 * index - 60)) <= 4
    assert said[-1]["hall_rest"] == rest


def test_hall_wants_an_empty_board_and_whole_sensors(bench: Bench) -> None:
    before = bench.ask("settings")["version"]
    code, _ = bench.command("calibrate", "--only", "hall", "--yes")
    assert code == 1 and "some lie in curry" in bench.words()
    empty(bench)
    faults.inject(bench.board, "hall_stuck", zone="chili")
    code, _ = bench.command("calibrate", "--only", "hall", "--yes")
    assert code == 1 and "chili (" in bench.words()
    after = bench.ask("settings")
    assert after["version"] == before
    assert not bench.ask("status")["maintenance"]


def test_nothing_is_stored_when_flash_is_full(bench: Bench) -> None:
    before = bench.ask("settings")
    faults.inject(bench.board, "flash_full", size=100)
    code, _ = bench.command(
        "calibrate", "--only", "gain", "--yes", "--visits", "2", "--zones", "mint"
    )
    assert code == 1 and "not stored" in bench.words()
    after = bench.ask("settings")
    assert after["values"] == before["values"] and after["version"] == before["version"]


def test_refused_while_a_game_is_on(bench: Bench) -> None:
    bench.ask("new", game="safranito", options={"players": 2, "mode": "referee", "seed": 1})
    code, _ = bench.command("calibrate", "--yes")
    assert code == 1 and "game is on" in bench.words()
    code, said = bench.command("calibrate", "--show")
    assert code == 0 and "gain_db" in said[-1]


def test_settings_of_the_whole_board_are_set_by_name(bench: Bench) -> None:
    before = bench.ask("settings")["version"]
    code, said = bench.command("calibrate", "--set", "hall=true", "--set", "led_cap_ma=1000")
    assert code == 0, bench.words()
    stored = bench.ask("settings")
    assert stored["version"] == before + 1
    assert stored["values"]["hall"] is True and stored["values"]["led_cap_ma"] == 1000
    assert said[-1]["board"]["led_cap_ma"] == 1000


@pytest.mark.parametrize(
    ("text", "exit_code", "word"),
    [
        ("led_cap_ma=9000", 1, "50 to 1500"),  # the board says it
        ("led_cap_ma=much", 2, "integer"),
        ("brightness=NaN", 2, "integer"),
        ("brightness=1e999", 2, "integer"),
        ("brightness=" + "[" * 100_000, 2, "integer"),
        ("gain=3", 2, "--set needs NAME=VALUE"),
        ("hall", 2, "--set needs NAME=VALUE"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    bench: Bench, text: str, exit_code: int, word: str
) -> None:
    before = bench.ask("settings")["version"]
    code, _ = bench.command("calibrate", "--set", text)
    assert code == exit_code and word in bench.words()
    assert bench.ask("settings")["version"] == before


class Placed:
    """Lays b20 (and two others on it) in ginger, as --thresholds asks."""

    def __init__(self, bench: Bench) -> None:
        self.world = bench.board.world
        empty(bench)

    def answer(self, key: str, choices: list[str]) -> str:
        if "done" not in choices:
            return "yes" if "yes" in choices else "skip"
        zone = ZONE["ginger"]
        off = {"edge": zone.radius + 2.0, "outside": zone.radius + 4.3}.get(key, 0.0)
        floor = 0.0 if off else -zone.depth
        self.world.place("b20", Pose(zone.x, zone.y + off, floor))
        for level, name in enumerate(("r20", "g20"), 1):
            pose = Pose(zone.x, zone.y, floor + CHIP_THICKNESS * level)
            self.world.place(name, pose if key == "stack" else None)
        return "done"


def test_thresholds_of_a_zone_are_asked_for_and_stored(bench: Bench) -> None:
    faults.inject(bench.board, "weak_antenna", zone="ginger", gain=0.55)
    words = ("calibrate", "--thresholds", "--questions", "lines", "--visits", "5")
    code, said = bench.command(*words, "--zones", "ginger", answer=Placed(bench).answer)
    assert code == 0, bench.words()
    stored = bench.ask("settings")["values"]
    assert (stored["gain"]["ginger"], stored["margin_db"]["ginger"]) == (3, 5)
    assert stored["margin_db"]["curry"] == 10
    assert said[-1]["margin_db"]["ginger"] == 5
    assert "heard at 33 dB: lies there; only at 38 dB: in doubt" in bench.words()


def test_thresholds_that_were_skipped_are_not_stored(bench: Bench) -> None:
    before = bench.ask("settings")["version"]
    words = ("calibrate", "--thresholds", "--questions", "lines", "--zones", "mint")
    code, _ = bench.command(*words, answer=lambda key, choices: "skip")
    assert code == 1 and "left out: mint: the step `middle` was skipped" in bench.words()
    assert bench.ask("settings")["version"] == before
    code, _ = bench.command("calibrate", "--thresholds", "--yes")
    assert code == 2 and "needs somebody who lays chips" in bench.words()
