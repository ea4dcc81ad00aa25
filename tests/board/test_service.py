"""Looking after a board over the wire: maintenance, settings, logs, hall sensors, watchdog."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab import Lab
from spiceboard_sim.board.process import FIRMWARE
from spicecore.parts import ZONES

# As firmware/main.py loads it: one by one, so that the heap stays in one piece.
LOAD = """import gc
for part in "boards.pico.board app.sense app.talk app.glow app.play app.session".split():
    __import__(part)
    gc.collect()
"""


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with Lab(seed=5) as lab:
        lab.boot()
        yield lab


def test_settings_are_stored_and_read_back(lab: Lab) -> None:
    before = lab.good("settings")
    assert before["values"] == before["defaults"] and before["version"] == 0
    after = lab.good("settings_set", values={"agree": 3, "gain": {"mint": 4}})
    assert after["values"]["agree"] == 3 and after["values"]["gain"]["mint"] == 4
    assert after["version"] == 1
    reply = lab.refused("settings_set", "bad_value", values={"gain": {"mint": 9}})
    assert "mint" in reply["text"] and "0 to 5" in reply["text"]
    lab.refused("settings_set", "bad_value", values={"volume": 3})
    lab.refused("settings_set", "bad_argument", values=3)
    lab.good("settings_set", values={"agree": 2, "gain": {"mint": 2}})
    assert lab.good("settings")["values"] == before["values"]


def test_maintenance_stops_sweeps_and_ends_by_itself(lab: Lab) -> None:
    lab.refused("diag", "not_maintained", what="leds", first=0, count=1, rgb=[9, 9, 9])
    lab.good("maintain", on=True)
    sweeps = lab.good("status")["sweeps"]
    lab.run(1000)
    assert lab.good("status")["sweeps"] == sweeps
    lab.good("diag", what="leds", first=16, count=2, rgb=[10, 20, 30])
    lab.run(50)
    assert lab.ring("ginger")[:3] == [(10, 20, 30), (10, 20, 30), (0, 0, 0)]
    assert set(lab.ring("curry")) == {(0, 0, 0)}
    lab.run(61_000)
    assert lab.good("status")["maintenance"] is False
    lab.run(500)
    assert lab.good("status")["sweeps"] > 5
    assert set(lab.ring("ginger")) == {(0, 0, 0)}


def test_maintenance_waits_for_the_end_of_a_game(lab: Lab) -> None:
    lab.good("new", game="safranito", options={"players": 2, "mode": "referee"})
    lab.refused("maintain", "playing", on=True)
    lab.refused("maintain", "bad_argument", on=1)
    lab.good("abort", confirm=True)


def test_logs_are_read_without_erasing_and_erased_only_when_confirmed(lab: Lab) -> None:
    options = {"players": 2, "mode": "referee", "chef": 0}
    lab.good("new", game="safranito", options=options, sensing="wire")
    for chip, zone in (("b10", "curry"), ("r20", "mint")):
        lab.good("sense", moves=[[chip, zone]])
    running = lab.good("log")["logs"][-1]
    assert running[2:] == [3, False]
    lab.refused("log_erase", "playing", name=running[0], confirm=True)
    lab.good("abort", confirm=True)
    name, size, records, finished = lab.good("log")["logs"][-1]
    assert (name, records, finished) == (running[0], 4, True)
    first = lab.good("log_read", name=name)
    assert len(first["records"]) == 4 and first["next"] is None
    assert first["records"][0].startswith('["new", "safranito"')
    assert lab.good("log_read", name=name, at=3)["records"] == first["records"][3:]
    least = lab.good("log_read", name=name, room=1)
    assert least["records"] == first["records"][:1] and least["next"] == 1
    lab.refused("log_read", "bad_argument", name=name, room="much")
    assert lab.good("log")["logs"][-1][:2] == [name, size]
    lab.refused("log_read", "no_log", name="../settings.a")
    lab.refused("log_erase", "no_log", name="g9999-000.log", confirm=True)
    lab.refused("log_erase", "not_confirmed", name=name)
    assert name not in [log[0] for log in lab.good("log_erase", name=name, confirm=True)["logs"]]


def test_hall_sensors_are_a_help_and_never_needed(lab: Lab) -> None:
    assert lab.good("diag", what="hall")["mv"] is None
    lab.good("settings_set", values={"hall": True})
    assert "hall" in lab.good("hello")["can"]
    levels = lab.good("diag", what="hall")["mv"]
    assert set(levels) == set(ZONES) and all(1500 < mv < 1800 for mv in levels.values())
    lab.world.lay("b10", "garlic")
    moved = lab.until("board", "moved")
    assert moved == ["moved", [["blue", None, "garlic"]]]
    for hall in lab.world.halls:  # all broken at once: only the readers still sense
        hall.stuck_mv = 3300.0
    lab.world.lift("b10")
    assert lab.until("board", "moved") == ["moved", [["blue", "garlic", None]]]
    for hall in lab.world.halls:
        hall.stuck_mv = None
    lab.good("settings_set", values={"hall": False})


def test_supply_that_sags_dims_the_rings_and_is_counted(lab: Lab) -> None:
    lab.good("new", game="safranito", options={"players": 2, "mode": "referee"})
    lab.run(1000)
    bright = max(lab.good("status")["led_ma"] for _ in range(5) if lab.run(100) is None)
    lab.world.supply_mv = 4300.0
    lab.run(800)
    status = lab.good("status")
    assert status["brownouts"] == 1 and status["supply_mv"] < 4500
    assert lab.told("board", "supply")[-1][1] < 4500
    assert status["led_ma"] <= 200 + 176 < bright + 176
    lab.world.supply_mv = 5000.0
    lab.run(500)
    lab.good("abort", confirm=True)


def test_a_hanging_application_is_restarted_by_the_watchdog(tmp_path: Path) -> None:
    script = tmp_path / "main.py"
    script.write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(FIRMWARE)!r})\n"
        "sys.path.insert(0, sys.path[2])\n"  # the fake hardware before firmware/
        f"{LOAD}"
        "import os\nfrom app import glow, session\nfrom boards.pico.board import Board\n"
        "right = glow.Glow.draw\n"
        "def hang(self, now):\n"
        "    while now > 3000:\n"
        "        time.sleep_ms(10)\n"
        "    return right(self, now)\n"
        "if 'hung' not in os.listdir():\n"
        "    open('hung', 'w').close()\n"
        "    glow.Glow.draw = hang\n"
        "session.main(Board())\n"
    )
    with Lab(seed=1, firmware=script) as lab:
        lab.run(2500)
        assert lab.board.watchdog_resets == 0
        lab.run(13_000)
        assert lab.board.watchdog_resets == 1
        lab.run(500)
        assert lab.good("hello")["reset"] == "watchdog"


def test_a_task_that_dies_is_told_and_started_again(tmp_path: Path) -> None:
    script = tmp_path / "main.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(FIRMWARE)!r})\n"
        "sys.path.insert(0, sys.path[2])\n"
        f"{LOAD}"
        "from app import glow, session\nfrom boards.pico.board import Board\n"
        "right = glow.Glow.decide\n"
        "def once(self, now):\n"
        "    glow.Glow.decide = right\n"
        "    raise ValueError('a mistake')\n"
        "glow.Glow.decide = once\n"
        "session.main(Board())\n"
    )
    with Lab(seed=1, firmware=script) as lab:
        lab.boot()
        assert lab.told("board", "task") == [["task", "glow", "ValueError: a mistake"]]
        assert b"a mistake" in lab.console
        lab.run(600)
        assert lab.good("status")["tasks"]["glow"] == "runs"
        assert any(any(light) for light in lab.ring("head_chef"))
