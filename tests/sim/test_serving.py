"""`python -m spiceboard_sim` as a table sees it: a port, and hands by the control channel."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import serial

from spiceboard_sim.board.control import Control
from spiceboard_sim.board.process import SimulatedBoard


class Child:
    """The simulator as a process."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "spiceboard_sim", "--heap", "1M", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        ready = json.loads(self.line())
        self.port, self.control = ready["port"], ready["control"]

    def line(self) -> bytes:
        assert self.process.stdout
        return self.process.stdout.readline()

    def close(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait(10)


@pytest.mark.parametrize("arguments", [["--pty"], ["--tcp", "0"]])
def test_port_and_control(arguments: list[str]) -> None:
    child = Child("--seed", "3", "--speed", "0", *arguments)
    port = serial.serial_for_url(child.port, timeout=10)
    port.write(b"\n")
    hands = socket.socket(socket.AF_UNIX)
    hands.connect(child.control)
    file = hands.makefile("rwb")

    def ask(**request: object) -> dict[str, object]:
        file.write(json.dumps(request).encode() + b"\n")
        file.flush()
        answer: dict[str, object] = json.loads(file.readline())
        return answer

    assert ask(id=1, do="lay", chip="b10", zone="curry") == {"re": 1, "ok": True}
    assert ask(do="look") == {"ok": True, "chips": [["blue", 37.0, 60.0]]}
    assert "no zone" in str(ask(do="lay", chip="b10", zone="sugar")["error"])
    assert "no verb" in str(ask(do="dance")["error"])
    got = b""
    deadline = time.monotonic() + 30
    while b'["blue",null,"curry"]' not in got and time.monotonic() < deadline:
        got += port.read(200)
    assert b'"moved",[["blue",null,"curry"]' in got
    hands.close()
    port.close()
    assert child.close() == 0


def test_hands_by_standard_input_and_end_by_signal() -> None:
    child = Child("--tcp", "0")
    assert child.process.stdin
    child.process.stdin.write(b'{"do": "lights"}\nnonsense\n')
    child.process.stdin.flush()
    lights = json.loads(child.line())["lights"]
    assert len(lights) == 13 and len(lights["curry"]) == 16 and len(lights["reserve"]) == 8
    assert json.loads(child.line()) == {"error": "this is not JSON"}
    child.process.send_signal(signal.SIGTERM)
    assert child.process.wait(10) == 0
    child.close()


@pytest.fixture(scope="module")
def control() -> Iterator[Control]:
    with SimulatedBoard(heap="1M") as board:
        yield Control(board)


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [({"do": "throw", "chip": "b99", "zone": "mint"}, "no chip 'b99'"),
     ({"do": "throw", "chip": "b10", "zone": "mint", "strength": 3}, "strength must be 0 to 1"),
     ({"do": "press", "button": "red"}, "buttons are ok, no, undo"),
     ({"do": "fault", "name": "melts"}, "no fault"),
     ({"do": "lift"}, "lift: .*chip"),
     ({"do": "lay", "chip": "b10", "x": "left", "y": 60}, "x is a number"),
     ({"do": "lay", "chip": "b10", "x": 60}, "say where b10 goes: a zone, or both x and y"),
     ({"do": "throw", "chip": "b10"}, "say where b10 goes"),
     ({"do": "lay", "chip": "b10", "x": 60, "y": 900}, "not on the board: x is 0 to 356 mm"),
     ({"do": "press", "button": "ok", "ms": -1}, "ms is a number from 0 on"),
     ({"do": "advance", "ms": True}, "ms is a number from 0 on"),
     ({}, "no verb None")],
)  # fmt: skip
def test_refusals(control: Control, request_: dict[str, object], sentence: str) -> None:
    assert re.search(sentence, control.act(request_)["error"])


@pytest.mark.parametrize("line", [b"[" * 100_000, b'{"do": "lay", "x": NaN}', b"\xff", b"{"])
def test_lines_that_are_no_json(control: Control, line: bytes) -> None:
    assert control.line(line) == {"error": "this is not JSON"}


def test_verbs(control: Control) -> None:
    control.act({"do": "throw", "chip": "b10", "x": 178, "y": 178, "strength": 0})
    control.act({"do": "advance", "ms": 1000})
    where = control.act({"do": "where"})["chips"]
    assert where["b10"][0] == "saffron"
    assert control.act({"do": "state"})["power"] == "running"
    control.act({"do": "power", "on": False})
    assert control.act({"do": "state"})["power"] == "off"
    control.act({"do": "power", "on": True})
    assert control.act({"do": "lift", "chip": "b10"}) == {"ok": True}
    assert control.act({"do": "look"})["chips"] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tcp", "99999"), "a port must be from 0 to 65535"),
        (("--tcp", "-1"), "a port must be from 0 to 65535"),
        (("--flash", "/dev/null"), "is not a folder"),
        (("--heap", "foo"), "--heap needs a size"),
        (("--heap", "1"), "--heap needs a size"),
        (("--speed", "nan"), "--speed must be 0 or more"),
        (("--speed", "-1"), "--speed must be 0 or more"),
        (("--speed", "inf"), "--speed must be 0 or more"),
    ],
)
def test_wrong_options_are_told(options: tuple[str, str], said: str) -> None:
    command = [sys.executable, "-m", "spiceboard_sim", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("spiceboard: ") and said in done.stderr


def test_a_firmware_that_dies_is_told() -> None:
    command = [sys.executable, "-m", "spiceboard_sim", "--heap", "10k"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.wait(60) == 1  # its standard input stays open: only a death ends it
        assert process.stderr
        said = process.stderr.read()
    assert said.startswith("spiceboard: the firmware ended") and "Is --heap too small?" in said


@contextlib.contextmanager
def started(stdin: IO[str] | int, group: bool = False) -> Iterator[subprocess.Popen[str]]:
    """The simulator as a shell, docker or systemd starts it; it has said that it is ready."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "spiceboard_sim", "--heap", "1M"]
    with subprocess.Popen(
        command, stdin=stdin, stdout=pipe, stderr=pipe, text=True, start_new_session=group
    ) as process:
        try:
            assert process.stdout and "port" in json.loads(process.stdout.readline())
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """(exit code, what was said on stderr)."""
    code = process.wait(20)
    assert process.stderr
    return code, process.stderr.read()


def test_it_runs_on_where_nobody_is_at_standard_input() -> None:
    with started(subprocess.DEVNULL) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1.5)
        process.terminate()
        assert ended(process) == (0, "")


def test_requests_of_a_file_are_heeded_and_its_end_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "requests").write_text(
        '{"do": "lay", "chip": "b10", "zone": "mint"}\n{"do": "look"}'
    )
    with (tmp_path / "requests").open() as file, started(file) as process:
        assert process.stdout and json.loads(process.stdout.readline()) == {"ok": True}
        assert json.loads(process.stdout.readline())["chips"][0][0] == "blue"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()
        assert ended(process) == (0, "")


def test_a_closed_standard_input_is_nobody() -> None:
    command = f"exec {sys.executable} -m spiceboard_sim --heap 1M <&-"
    with subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and "port" in json.loads(process.stdout.readline())
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.5)
        process.terminate()
        assert process.wait(20) == 0


def interpreter_of(process: subprocess.Popen[str]) -> int:
    """Process id of the MicroPython that it started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not list a process's children")
    return int(children.read_text().split()[0])


def test_a_signal_to_all_of_its_processes_ends_it_quietly() -> None:
    with started(subprocess.DEVNULL, group=True) as process:  # `timeout`: to the group
        os.killpg(process.pid, signal.SIGTERM)
        assert ended(process) == (0, "")
    with started(subprocess.DEVNULL) as process:  # systemd: to each process, in any order
        os.kill(interpreter_of(process), signal.SIGTERM)
        process.terminate()
        assert ended(process) == (0, "")


def test_an_interpreter_that_somebody_ends_is_told() -> None:
    with started(subprocess.DEVNULL) as process:
        os.kill(interpreter_of(process), signal.SIGKILL)
        code, said = ended(process)
        assert code == 1 and said.startswith("spiceboard: the firmware was ended by SIGKILL")
        assert "--heap" not in said


def test_answers_that_nobody_reads_are_no_error() -> None:
    with started(subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdout.close()
        process.stdin.write('{"do": "look"}\n')
        process.stdin.flush()
        assert ended(process) == (0, "")
