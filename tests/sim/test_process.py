"""The interpreter's process and its world: time, serial port, flash, resets, peripherals."""

import shutil
import time
from pathlib import Path

import pytest

from spiceboard.errors import LinkError
from spiceboard_sim.board import process
from spiceboard_sim.board.process import FirmwareDied, SimulatedBoard
from spiceboard_sim.board.world import World
from spiceboard_sim.chips.air import NotModelled

SCRIPTS = Path(__file__).parent / "firmware"


def board(script: str, **options: object) -> SimulatedBoard:
    return SimulatedBoard(firmware=SCRIPTS / script, **options)  # type: ignore[arg-type]


def script(tmp_path: Path, text: str) -> SimulatedBoard:
    path = tmp_path / "script.py"
    path.write_text(text)
    return SimulatedBoard(firmware=path)


def test_versions_sleep_and_echo() -> None:
    with board("versions.py") as pico:
        pico.run_for(200)
        assert pico.read() == b"versions " + str([146] * 13 + [0]).encode() + b"\n"
        pico.run_for(100)
        assert pico.read() == b"slept 250\n"
        pico.write(b"hello\n")
        pico.run_to_output(1000)
        assert pico.now_ms < 310
        assert pico.read().startswith(b"echo b'hello' 30")


def test_asyncio_in_virtual_time() -> None:
    with board("tasks.py") as pico:
        began = time.monotonic()
        pico.run_for(60_000)
        assert time.monotonic() - began < 60  # the clock is not the desktop's
        assert pico.read().decode().splitlines() == [
            "a b ['a', 'a', 'b', 'a', 'b', 'b'] 75",
            "late cancelled c 225",
            "['d', 'e']",
            "woken 241",
            "done cancelled f True 243",
            "raised no",
            "locked",
        ]


def test_every_peripheral() -> None:
    with board("parts.py") as pico:
        pico.world.press("no", 1000)
        pico.run_for(1000)
        said = pico.read().decode().splitlines()
        assert said[:2] == ["cause 1 id 8", "buttons [1, 0, 1]"]
        hall, supply = int(said[2].split()[1]), int(said[2].split()[3])
        assert 1590 < hall < 1710 and abs(supply - 5000) < 5
        # 176 LEDs of 30 us; the last eight words still wait in the FIFO when the loop ends.
        assert abs(int(said[3].split()[2]) - 168 * 30) < 60
        assert said[4] == "locked 146"
        assert 20 < int(said[5].split()[2]) < 40
        assert all(line.startswith("refused") for line in said[6:]) and len(said) == 8
        assert [hz for _, hz in pico.world.buzzer.heard] == [1000, 0]
        assert pico.world.rings()["curry"][3] == (7, 3, 5)
        assert pico.world.rings()["head_chef"][7] == (7, 175, 5)
        assert pico.world.chain.frames == 1


def test_the_link_without_machine_code_does_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On an interpreter that makes none, as on ARM's 64-bit cores."""

    def ran() -> tuple[bytes, int]:
        with board("parts.py") as pico:
            pico.run_for(1000)
            return pico.read(), pico.round_trips

    compiled = ran()
    modules = tmp_path / "modules"
    shutil.copytree(process._MODULES, modules)
    link = modules / "simlink.py"
    text = link.read_text().replace("from simlink_native import *", "raise SyntaxError")
    link.write_text(text + "print('bytecode')\n")
    (modules / "simlink_viper.py").write_text("@micropython.none\ndef copy(): pass\n")
    monkeypatch.setattr(process, "_MODULES", modules)
    monkeypatch.setattr(process, "_HARDWARE", process.Bytecode(dict))
    said, trips = ran()
    assert (said, trips) == (b"bytecode\n" + compiled[0], compiled[1])


def test_pulses_out_of_the_sheet_are_refused(tmp_path: Path) -> None:
    text = (SCRIPTS / "parts.py").read_text().replace("freq=8_000_000", "freq=4_000_000")
    with script(tmp_path, text) as pico, pytest.raises(NotModelled, match=r"WS2812B takes"):
        pico.run_for(1000)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("machine.SPI(0, baudrate=20_000_000)", "10 MHz"),
     ("machine.Pin(16, machine.Pin.OUT)", "something else drives it"),
     ("machine.Pin(4, machine.Pin.IN, machine.Pin.PULL_DOWN)", "pull-down")],
)  # fmt: skip
def test_what_hardware_forbids_ends_the_run(tmp_path: Path, line: str, sentence: str) -> None:
    text = f"import machine, time\n{line}\ntime.sleep(1)\n"
    with script(tmp_path, text) as pico, pytest.raises(NotModelled, match=sentence):
        pico.run_for(500)


def test_power_loss_keeps_flash() -> None:
    with board("keeps.py") as pico:
        pico.run_for(50)
        assert pico.read() == b"start 1 cause 1\n"
        pico.kill()
        assert (pico.state, pico.pid) == ("off", 0)
        pico.run_for(1000)
        pico.restart()
        pico.run_for(50)
        assert pico.read() == b"start 2 cause 1\n"
        flash = pico.flash
        assert (flash / "starts").read_text() == "2"
    assert not flash.exists()


def test_resets() -> None:
    with board("keeps.py") as pico:
        pico.run_for(150)
        pico.write(b"r")
        pico.run_for(100)
        assert pico.read().endswith(b"start 2 cause 3\n")  # machine.reset works by the watchdog
        pico.write(b"x")
        pico.run_for(200)
        assert pico.read() == b"start 3 cause 3\n"  # sys.exit(1) in main.py: a soft reset
        pico.write(b"\x03")
        pico.run_for(50)
        assert b"KeyboardInterrupt" in pico.read()
        assert pico.state == "prompt"
        pico.write(b"\x04")
        pico.run_for(50)
        assert pico.read().startswith(b"start 4")
        pico.write(b"b")
        pico.run_for(50)
        assert pico.state == "bootsel"


def test_watchdog_bites_only_who_does_not_feed_it() -> None:
    with board("keeps.py") as pico:
        pico.write(b"w")
        pico.run_for(5000)
        assert pico.watchdog_resets == 0
        pico.write(b"h")
        pico.run_for(1000)
        assert pico.watchdog_resets == 1
        assert pico.read().endswith(b"start 2 cause 3\n")


def test_a_flash_keeps_the_number_of_its_board(tmp_path: Path) -> None:
    numbers = []
    for folder in ("a", "b", "a"):
        with SimulatedBoard(flash=tmp_path / folder) as board:
            numbers.append(board.unique_id)
    assert numbers[0] == numbers[2] != numbers[1] and len(numbers[0]) == 8
    (tmp_path / "a" / "board-id").write_text("damaged")
    with SimulatedBoard(flash=tmp_path / "a") as board:
        assert len(board.unique_id) == 8


def test_a_flash_is_one_boards_at_a_time(tmp_path: Path) -> None:
    with SimulatedBoard(flash=tmp_path):
        with pytest.raises(LinkError, match="another simulated board uses"):
            SimulatedBoard(flash=tmp_path)
    SimulatedBoard(flash=tmp_path).close()


def test_full_flash_is_an_error() -> None:
    with board("keeps.py") as pico:
        pico.run_for(50)
        pico.limit_flash(40)
        pico.write(b"ff")
        pico.run_for(100)
        said = pico.read().decode()
        assert "full" in said or "wrote 40" in said
        assert (pico.flash / "big").stat().st_size <= 40
        pico.limit_flash(None)
        pico.write(b"f")
        pico.run_for(50)
        assert pico.read().endswith(b"wrote 100\n")


def test_power_fails_inside_a_write() -> None:
    with board("keeps.py", full="cut") as pico:
        pico.run_for(50)
        pico.limit_flash(40)
        pico.write(b"ff")
        pico.run_for(100)
        assert pico.state == "off"
        assert (pico.flash / "big").stat().st_size == 40


def test_a_fault_of_the_firmware_is_told_with_its_last_words(tmp_path: Path) -> None:
    with script(tmp_path, "print('so far')\nraise RuntimeError('no idea')\n") as pico:
        with pytest.raises(FirmwareDied, match=r"(?s)so far.*no idea"):
            pico.run_for(10)


def test_planned_events_happen_in_time() -> None:
    world = World()
    with board("keeps.py", world=world) as pico:
        seen: list[float] = []
        for ms in (30, 10, 20):
            world.at(ms * 1_000_000, lambda: seen.append(world.now / 1e6))
        pico.run_for(25)
        assert seen == [10, 20]
        pico.run_for(25)
        assert seen == [10, 20, 30]


def test_the_same_seed_gives_the_same_run() -> None:
    """Of hands, places and every byte on the bus; another seed throws otherwise."""

    def run(seed: int) -> tuple[object, ...]:
        with SimulatedBoard(seed=seed, heap="1M") as pico:
            for number, chip in enumerate(("b10", "r20", "g30", "o40")):
                pico.world.throw(chip, "saffron", 0.5 + number / 10)
                pico.run_for(800)
            pico.write(b"\n")
            pico.run_for(500)
            controller = pico.controller
            counts = (controller.bytes_sent, controller.accesses, pico.round_trips)
            places = [chip.pose for chip in pico.world.chips.values()]
            return places, pico.read(), counts

    first = run(4)
    assert first == run(4)
    assert first[0] != run(5)[0]


def test_output_waits_for_a_host_that_reads(tmp_path: Path) -> None:
    text = (
        "import select, sys, time\n"
        "p = select.poll()\n"
        "p.register(sys.stdout, select.POLLOUT)\n"
        "print('ready', len(p.poll(0)), time.ticks_ms())\n"
        "time.sleep_ms(50)\n"
        "print('after', len(p.poll(200)), time.ticks_ms())\n"
        "print('then', len(p.poll(-1)), time.ticks_ms())\n"
        "time.sleep_ms(100)\n"
    )
    with script(tmp_path, text) as pico:
        pico.run_for(20)
        assert pico.read() == b"ready 1 0\n"
        pico.host_reads(False)
        pico.run_for(300)
        assert pico.read() == b"after 0 250\n"
        pico.host_reads(True)
        pico.run_for(50)
        assert pico.read() == b"then 1 320\n"


def test_more_input_than_a_pipe_holds_arrives_in_time(tmp_path: Path) -> None:
    """It waits here, and goes on while the firmware only looks whether there is any."""
    size = 70_000
    text = f"""
import select, sys, time
poll, one, count = select.poll(), bytearray(1), 0
poll.register(sys.stdin.buffer, select.POLLIN)
while count < {size}:
    time.sleep_ms(1)
    while count < {size} and any(True for _ in poll.ipoll(0)):
        count += sys.stdin.buffer.readinto(one)
print("all of them")
"""
    with script(tmp_path, text) as pico:
        pico.write(b"x" * size)
        pico.run_for(size / 10)
        assert pico.read() == b"all of them\n"


def test_an_endless_loop_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spiceboard_sim.board.process._HUNG_S", 0.5)
    with script(tmp_path, "import time\ntime.sleep_ms(5)\nwhile True:\n    pass\n") as pico:
        with pytest.raises(FirmwareDied, match="endless loop"):
            pico.run_for(100)
        assert pico.pid == 0


def test_without_the_simulator_the_fake_modules_say_so() -> None:
    import os
    import subprocess

    modules = Path(__file__).parents[2] / "sim/spiceboard_sim/micropython"
    with board("versions.py") as pico:
        command = pico._interpreter()
    done = subprocess.run(
        [*command, str(SCRIPTS / "versions.py")],
        env={**os.environ, "MICROPYPATH": f"{modules}:.frozen"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "python -m spiceboard_sim" in done.stdout + done.stderr
