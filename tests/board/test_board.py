"""The board as it is built and when things go wrong: wiring, bad input, faults, restarts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from boards.pico.pins import PINS, check
from lab import Lab
from spiceboard_sim.faults import inject
from spicecore.parts import CHIPS, ZONES
from spicecore.wire import messages


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with Lab(seed=3) as lab:
        lab.boot()
        yield lab


@pytest.fixture
def idle(lab: Lab) -> Lab:
    """The board without a game."""
    lab.ask("abort", confirm=True)
    lab.ask("maintain", on=False)
    return lab


def test_a_wrong_table_of_pins_is_refused_by_name() -> None:
    assert check(PINS) == ""
    assert check({**PINS, "BUZZER": 2}) == "GP2 is BUZZER and SCK"
    assert "not led out" in check({**PINS, "BTN_OK": 23})
    assert "no ADC input" in check({**PINS, "HALL_ADC": 22})


def test_hello_names_everything(lab: Lab) -> None:
    hello = lab.good("hello")
    assert hello["protocol"] == 1 and hello["zones"] == list(ZONES)
    assert re.fullmatch("[0-9a-f]{16}", hello["board"])
    assert hello["games"]["safranito"] == [2, 4] and hello["reset"] == "power"
    assert {"full", "referee", "journal", "mill"} <= set(hello["can"])


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"AT+GMM\r\n", "not_ours"),
        (b"hello\n", "not_ours"),
        (b'${"id":1,"do":"hello"}*0000\n', "bad_crc"),
        (b'${"id":1,"do":"hello"}\n', "bad_crc"),
        (b'${"a"*%04x\n' % messages.crc16(b'{"a"'), "bad_json"),
        (b"$" + b"x" * 3000 + b"\n", "too_long"),
        (messages.encode({"do": "hello"}), "no_id"),
        (messages.encode({"id": 5}), "no_id"),
        (messages.encode({"id": [5], "do": "hello"}), "no_id"),
    ],
)
def test_lines_that_hold_no_request_are_answered_with_the_reason(
    lab: Lab, line: bytes, code: str
) -> None:
    lab.replies.clear()
    lab.board.write(line)
    lab.run(400)
    answer = lab.replies.pop(None)  # type: ignore[call-overload]
    assert answer["error"] == code and len(answer["text"]) > 10
    assert lab.good("ping", data=[1, "a$b"])["data"] == [1, "a$b"]


def test_requests_that_cannot_be_done_say_why(idle: Lab) -> None:
    lab = idle
    lab.refused("fly", "unknown_command")
    for do in ("view", "act", "undo", "accept", "fix", "abort", "text", "claim", "sense"):
        lab.refused(do, "no_game")
    lab.refused("new", "unknown_game", game="chess", options={"players": 2})
    lab.refused("new", "bad_argument", game=7)
    for players in (0, 1, 5, "2", None):
        lab.refused("new", "bad_options", game="safranito", options={"players": players})
    lab.refused("new", "bad_options", game="safranito", options={"players": 2, "mode": "x"})
    lab.refused("new", "bad_position", game="safranito", position="safranito full 9 nonsense")
    lab.refused("new", "bad_options", game="safranito", options={"players": 2}, sensing="eyes")
    lab.good("new", game="safranito", options={"players": 2, "seed": 1, "chef": 0}, sensing="wire")
    lab.refused("new", "game_on", game="safranito", options={"players": 2})
    lab.refused("claim", "wrong_seat", seat=2)
    key = lab.good("claim", seat=0)["key"]
    lab.refused("claim", "claimed", seat=0)
    lab.refused("view", "wrong_key", seat=0, key="0")
    lab.refused("view", "wrong_key", seat=1, key=key)
    lab.refused("view", "wrong_seat", seat=-1, key=key)
    step = lab.good("view", seat=0, key=key)["step"]
    lab.refused("act", "wrong_key", seat=0, key="0", event=["missed", 0])
    lab.refused("act", "wrong_seat", seat=0, key=key, event=["missed", 1])
    lab.refused("act", "bad_argument", seat=0, key=key, event="missed")
    lab.refused("act", "stale", seat=0, key=key, event=["missed", 0], step=step + 1)
    assert lab.refused("act", "illegal", seat=0, key=key, event=["buy", 0])["why"] == "not_now"
    lab.refused("act", "illegal", seat=0, key=key, event=["moved", 0, [["b10", "curry"]]])
    lab.refused("decide", "no_doubt", seat=0, key=key, doubt=99, counts=True)
    lab.refused("accept", "no_mismatch", seat=0, key=key)
    lab.refused("undo", "not_undoable", seat=0, key=key)
    lab.refused("abort", "not_confirmed")
    lab.refused("sense", "unknown_chip", moves=[["x10", "curry"]])
    assert lab.good("view", seat=0, key=key)["step"] == step  # and nothing of it did anything
    lab.good("act", seat=0, key=key, event=["missed", 0], step=step)
    lab.good("undo", seat=0, key=key)
    assert lab.good("snapshot")["game"]["view"]["throws"]["made"] == 0


def test_a_chip_of_a_player_who_is_not_in_the_game(idle: Lab) -> None:
    lab = idle
    lab.good("new", game="safranito", options={"players": 2, "mode": "referee", "chef": 0})
    lab.world.lay("o40", "curry")
    lab.run(600)
    assert lab.told("board", "refused")[-1][1] == "unknown_chip"
    assert lab.told("board", "mismatch")[-1][1] == [["unknown", "curry", None]] or lab.told(
        "board", "mismatch"
    )[-1][1] == [["orange", "curry", None]]
    lab.world.lift("o40")
    lab.run(600)
    assert lab.told("board", "mismatch")[-1][1] == []
    lab.world.lay("b40", "curry")
    lab.run(500)
    assert lab.told("game", "thrown")[-1] == ["thrown", 0, "curry"]
    lab.world.lift("b40")
    lab.run(500)


def test_sequence_numbers_have_no_gap_while_the_host_reads(lab: Lab) -> None:
    numbers = [event["seq"] for event in lab.events]
    assert numbers == list(range(1, len(numbers) + 1))
    assert b"\x03" not in lab.raw
    assert lab.console == b""


def test_a_host_that_does_not_read_stops_nothing(tmp_path: Path) -> None:
    with Lab(seed=1, flash=tmp_path) as lab:
        lab.boot()
        lab.good("new", game="safranito", options={"players": 2, "mode": "referee", "chef": 0})
        lab.board.host_reads(False)
        before = lab.board.now_ms
        for turn in range(60):
            lab.world.lay("b10", "curry" if turn % 2 else "mint")
            lab.run(400)
        lab.board.host_reads(True)
        lab.run(1500)
        status = lab.good("status")
        assert status["dropped"] > 20 and status["sweep_ms"] < 100
        assert status["sweeps"] > (lab.board.now_ms - before) / 100  # sweeping all the time
        dropped = lab.told("board", "dropped")
        assert dropped and dropped[-1][1] == status["dropped"]
        # what was counted is what is missing, and a snapshot brings the host up to date
        numbers = [event["seq"] for event in lab.events]
        assert numbers == sorted(numbers)
        lost = numbers[-1] - len(numbers)
        assert lost == status["dropped"]
        assert lab.good("snapshot")["chips"] == {"curry": {"blue": 1}}


def test_a_dead_reader_darkens_one_bowl_and_comes_back(idle: Lab) -> None:
    lab = idle
    inject(lab.board, "reader_dies", zone="cumin")
    lab.run(1500)
    assert lab.told("board", "reader")[-1] == ["reader", "cumin", "dead"]
    states = lab.good("status")["readers"]
    assert [zone for zone in ZONES if states[zone] != "ok"] == ["cumin"]
    assert set(lab.ring("cumin")) == {(0, 0, 0)}
    lab.world.lay("g10", "mint")  # its neighbours work
    lab.run(500)
    assert lab.told("board", "moved")[-1] == ["moved", [["green", None, "mint"]]]
    lab.world.lift("g10")
    lab.world.readers["cumin"].dead = False
    lab.run(2500)
    assert lab.told("board", "reader")[-1] == ["reader", "cumin", "ok"]


def test_a_silent_reset_of_a_reader_is_found_within_a_second(idle: Lab) -> None:
    lab = idle
    before = lab.good("status")["counters"]["mint"][1]
    lab.world.lay("g20", "mint")
    lab.run(500)
    inject(lab.board, "reader_forgets", zone="mint")
    lab.run(1000)
    assert lab.good("status")["counters"]["mint"][1] == before + 1
    assert lab.good("snapshot")["chips"] == {"mint": {"green": 1}}  # the chip never left
    lab.world.lift("g20")
    lab.run(500)


def test_an_unknown_tag_is_told_and_named_a_stranger(idle: Lab) -> None:
    lab = idle
    uid = lab.good("roster")["chips"]["g30"]
    lab.good("roster_set", chips={"g30": None})
    lab.world.lay("g30", "garlic")
    lab.run(800)
    assert lab.told("board", "reader")[-1] == ["reader", "garlic", "stranger"]
    assert lab.good("tags", zone="garlic")["tags"]["garlic"][0][:2] == [uid, None]
    lab.refused("roster_set", "duplicate", chips={"g30": lab.good("roster")["chips"]["b10"]})
    lab.refused("roster_set", "unknown_chip", chips={"x30": uid})
    lab.refused("roster_set", "bad_argument", chips={"g30": "12"})
    assert lab.good("roster_set", chips={"g30": uid})["chips"]["g30"] == uid
    lab.run(800)
    assert lab.told("board", "moved")[-1] == ["moved", [["green", None, "garlic"]]]
    lab.world.lift("g30")
    lab.run(600)


def test_two_tags_with_one_uid_are_named_and_disturb_nothing_else() -> None:
    with Lab(seed=1) as lab:
        inject(lab.board, "duplicate_uid", chip="b40", other="b10")
        lab.boot()
        lab.good("new", game="safranito", options={"players": 2, "mode": "referee", "chef": 0})
        lab.world.lay("b10", "curry")
        lab.run(500)
        lab.world.lay("b40", "cumin")
        lab.run(1500)
        states = lab.good("snapshot")["readers"]
        twins = {zone for zone in ZONES if states[zone] == "duplicate"}
        assert twins == {"curry", "cumin"}
        assert (
            len([e for e in lab.told("board", "reader") if e[2] == "duplicate"]) == 2
        )  # once each
        assert lab.told("board", "doubt") == []
        lab.world.lay("r20", "mint")
        lab.run(500)
        assert lab.told("game", "thrown")[-1] == ["thrown", 1, "mint"]
        lab.world.lift("b40")
        lab.run(1500)
        assert set(lab.good("snapshot")["readers"].values()) == {"ok"}


def test_what_fell_while_the_power_was_off_is_shown_first(tmp_path: Path) -> None:
    with Lab(seed=1, flash=tmp_path) as lab:
        lab.boot()
        lab.good("new", game="safranito", options={"players": 2, "mode": "full", "chef": 0})
        for chip, zone in (("b10", "curry"), ("r20", "mint")):
            lab.world.lay(chip, zone)
            lab.run(400)
        key = lab.good("claim", seat=0)["key"]
        text = lab.good("view", seat=0, key=key)["view"]
        lab.board.kill()
        lab.take()
        lab.world.lift("b10")
        lab.world.lay("r30", "saffron")
        lab.events.clear()
        lab.restart()
        lab.boot()
        assert lab.told("board", "resumed") == [["resumed", "safranito", "full", 2]]
        assert lab.told("game", "thrown") == []
        wanted = [["blue", None, "curry"], ["red", "saffron", None]]
        assert lab.told("board", "mismatch")[-1][1] == wanted
        assert lab.good("view", seat=0, key=key)["view"] == text  # same state, same key
        # put right by hand; the other by consent; and the next throw is delivered
        lab.world.lay("b10", "curry")
        lab.run(500)
        assert lab.good("fix")["mismatch"] == [["red", "saffron", None]]
        lab.good("accept", seat=0, key=key)
        assert lab.good("snapshot")["mismatch"] == []


def test_flash_full_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    with Lab(seed=1, flash=tmp_path) as lab:
        lab.boot()
        options = {"players": 2, "mode": "referee", "chef": 0}
        lab.good("new", game="safranito", options=options, sensing="wire")
        lab.board.limit_flash(20)
        for chip, zone in (("b10", "curry"), ("r20", "mint"), ("b30", "chili")):
            lab.good("sense", moves=[[chip, zone]])
        assert len(lab.told("board", "journal")) == 1
        assert "not recorded" in lab.good("status")["journal"]
        assert lab.good("snapshot")["game"]["step"] == 3
        lab.board.limit_flash(None)
        lab.good("sense", moves=[["r40", "chili"]])  # room again: the whole position is stored
        assert lab.good("status")["journal"] is None
        text = lab.good("text")["text"]
        lab.board.kill()
        lab.restart()
        lab.boot()
        assert lab.good("text")["text"] == text


def test_ctrl_c_leads_to_a_safe_prompt(tmp_path: Path) -> None:
    for when in (100, 3000):  # in the boot window, and later
        with Lab(seed=1, flash=tmp_path) as lab:
            lab.run(when)
            lab.board.write(b"\x03")
            lab.run(300)
            assert lab.board.state == "prompt"
            assert not any(field.on for field in lab.world.fields.values())
            lab.run(10_000)
            assert lab.board.watchdog_resets == 0 and lab.board.state == "prompt"


def test_quiesce_ends_in_the_prompt_with_all_off_and_the_game_kept(tmp_path: Path) -> None:
    with Lab(seed=1, flash=tmp_path) as lab:
        lab.boot()
        lab.good("new", game="safranito", options={"players": 2, "mode": "referee", "chef": 0})
        lab.good("quiesce")
        lab.run(20_000)
        lab.board.write(b"\x03")  # a tool takes the prompt in time
        lab.run(700)
        assert lab.board.state == "prompt"
        assert not any(field.on for field in lab.world.fields.values())
        assert {light for ring in lab.world.rings().values() for light in ring} == {(0, 0, 0)}
        lab.run(10_000)
        assert lab.board.watchdog_resets == 0
        lab.restart()
        lab.boot()
        assert lab.good("hello")["playing"] == "safranito" and lab.good("hello")["boot"] == 2
        lab.good("reboot")
        lab.run(2000)
        assert lab.good("hello")["boot"] == 3


def test_a_board_that_was_quiesced_for_nobody_goes_on(tmp_path: Path) -> None:
    """The tool was killed before it took the prompt: no cable needs to be pulled."""
    with Lab(seed=1, flash=tmp_path) as lab:
        lab.boot()
        lab.good("new", game="safranito", options={"players": 2, "mode": "referee", "chef": 0})
        lab.good("quiesce")
        lab.run(700)
        assert not any(field.on for field in lab.world.fields.values())
        lab.run(33_000)
        hello = lab.good("hello")
        assert hello["playing"] == "safranito" and hello["boot"] == 2


def test_the_lowest_heap_is_no_higher_than_what_is_free(lab: Lab) -> None:
    lab.good("new", game="safranito", options={"players": 4, "mode": "full", "seed": 3})
    for seat in range(4):
        lab.good("view", seat=seat, key=lab.good("claim", seat=seat)["key"])
        status, memory = lab.good("status"), lab.good("diag", what="memory")
        assert status["lowest_free"] <= status["free"]
        assert memory["lowest"] <= min(memory["free"], status["lowest_free"])


def test_led_current_stays_below_the_cap(idle: Lab) -> None:
    lab = idle
    lab.good("settings_set", values={"brightness": 100, "led_cap_ma": 500})
    lab.good("maintain", on=True)
    lab.good("diag", what="leds", first=0, count=176, rgb=[255, 255, 255])
    lab.run(200)
    drawn = (
        176 + sum(sum(light) for ring in lab.world.rings().values() for light in ring) * 20 / 255
    )
    assert 400 < drawn <= 500
    assert 400 < lab.good("status")["led_ma"] <= 500
    lab.good("maintain", on=False)
    lab.good("settings_set", values={"brightness": 40, "led_cap_ma": 400})


def test_heap_and_files_of_a_start(lab: Lab) -> None:
    memory = lab.good("diag", what="memory")
    assert memory["free"] > 60_000
    files = {name for name, _ in lab.good("diag", what="flash")["files"]}
    assert any(name.startswith("data/roster.") for name in files)
    assert json.dumps(sorted(CHIPS))  # names are plain data
