"""Signals and pipes: no command shows a traceback, and each leaves things in order."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from spiceboard.board import simulated
from spiceboard.commands import process as running

NO_SIMULATOR = "no numpy: pip install '.[sim]'"
SPICEBOARD = [sys.executable, "-m", "spiceboard.commands.main"]


def begun(*words: str, ready: Callable[[subprocess.Popen[str]], None]) -> subprocess.Popen[str]:
    """A command in a group of its own, as a terminal has it, when it is `ready`."""
    if words[0] in ("play", "simulate"):
        pytest.importorskip("numpy", reason=NO_SIMULATOR)
    process = subprocess.Popen(
        [*SPICEBOARD, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    ready(process)
    return process


def a_line(process: subprocess.Popen[str]) -> None:
    assert process.stdout and process.stdout.readline()


def has_workers(process: subprocess.Popen[str]) -> None:
    """Until it has begun a process; where that cannot be seen, for a while."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    end = time.monotonic() + (20 if children.exists() else 1)
    while time.monotonic() < end and not (children.exists() and children.read_text()):
        time.sleep(0.002)


@pytest.mark.parametrize(
    ("words", "ready", "number", "code", "said"),
    [
        (("play", "--headless", "--seed", "3"), a_line, signal.SIGINT, 130, "stopped"),
        (("play", "--headless", "--seed", "3"), a_line, signal.SIGTERM, 143, ""),
        (("play", "--headless", "--seed", "3"), has_workers, signal.SIGINT, 130, "stopped"),
        (("simulate",), a_line, signal.SIGINT, 0, ""),
        (("simulate",), has_workers, signal.SIGINT, 130, "stopped"),
        (("tournament", "--games", "9999"), has_workers, signal.SIGINT, 130, "stopped"),
        (("tournament", "--games", "9999"), has_workers, signal.SIGTERM, 143, ""),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_signal_to_the_group_ends_a_command_without_a_traceback(
    words: tuple[str, ...],
    ready: Callable[[subprocess.Popen[str]], None],
    number: signal.Signals,
    code: int,
    said: str,
) -> None:
    with begun(*words, ready=ready) as process:
        try:
            os.killpg(process.pid, number)
            _, words_said = process.communicate(timeout=30)
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing of it is left, as it should be
                os.killpg(process.pid, signal.SIGKILL)
    assert "Traceback" not in words_said and said in words_said, words_said
    assert process.returncode == code


def group(number: int) -> list[int]:
    """The processes of a session."""
    listed = subprocess.run(
        ["ps", "-o", "pid=", "-s", str(number)], capture_output=True, text=True
    )
    return [int(word) for word in listed.stdout.split()]


@pytest.mark.skipif(not shutil.which("ps"), reason="needs ps")
@pytest.mark.parametrize(
    ("words", "ready"),
    [
        (("simulate",), a_line),
        (("tournament", "--games", "9999"), has_workers),
        (("play", "--headless", "--seed", "3"), has_workers),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_nothing_stays_when_a_command_is_killed(
    words: tuple[str, ...], ready: Callable[[subprocess.Popen[str]], None]
) -> None:
    process = begun(*words, ready=ready)
    try:
        process.kill()  # of itself alone, as the system does where memory is short
        process.wait()
        end = time.monotonic() + 30
        while group(process.pid) and time.monotonic() < end:
            time.sleep(0.1)
        assert group(process.pid) == []
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("after_ms", [50, 70, 90, 120, 160, 220])
@pytest.mark.parametrize("words", ["tournament --games 9999", "play --headless", "log --help"])
def test_ctrl_c_at_once_shows_no_traceback(words: str, after_ms: int) -> None:
    """From the first line of ours on; before it Python itself begins, for 20 ms or so."""
    process = subprocess.Popen(
        [sys.executable, "-m", "spiceboard.commands.entry", *words.split()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        time.sleep(after_ms / 1000)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert "spiceboard/commands" not in said and "spicecore/" not in said, said


@pytest.mark.parametrize(
    ("number", "ignored", "code"),
    [
        (signal.SIGTERM, False, 143),
        (signal.SIGHUP, False, 129),
        (signal.SIGINT, False, 130),
        (signal.SIGHUP, True, 0),
    ],
)
def test_what_was_begun_is_put_in_order(number: signal.Signals, ignored: bool, code: int) -> None:
    lines = f"""\
import os, signal
from spiceboard.commands import process as running
signal.signal({int(number)}, signal.SIG_IGN if {ignored} else signal.getsignal({int(number)}))
def command():
    try:
        os.kill(os.getpid(), {int(number)})
        return 0
    finally:
        print("the lamp is off")
raise SystemExit(running.run(command))
"""
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (code, "the lamp is off\n"), done.stderr
    assert "Traceback" not in done.stderr


def test_a_pipe_that_nobody_reads_is_no_error() -> None:
    """What `| true` does to a command; rich's consoles make an exit of it, with code 1."""

    def by_rich() -> int:
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            raise SystemExit(1)  # noqa: B904 - as rich does

    assert running.run(by_rich) == 0
    with pytest.raises(SystemExit):
        running.run(lambda: sys.exit(2))


@pytest.mark.parametrize("words", ["play --headless --seed 2", "tournament --games 3", "--help"])
def test_a_reader_that_leaves_early(words: str) -> None:
    if words.startswith("play"):
        pytest.importorskip("numpy", reason=NO_SIMULATOR)
    shell = f"set -o pipefail; {' '.join(SPICEBOARD)} {words} 2>&1 | head -n 1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 1, done
    assert "Traceback" not in done.stdout and done.stderr == ""


def test_a_process_that_a_signal_ended_has_a_shells_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "dies.py").write_text("import os\nos.kill(os.getpid(), 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(simulated, "need", lambda extra: None)
    assert running.run_module("sim", "dies", []) == 137


@pytest.mark.parametrize("number", running.ENDS)
def test_a_signal_that_comes_too_late_changes_nothing(number: int) -> None:
    """A closed terminal reaches a command and its parent, which passes it on: by then the command
    may have ended well."""
    ends = (
        "import os, sys\n"
        "from spiceboard.commands import process\n"
        "process.end_with(os.getppid())\n"
        "code = process.run(lambda: 0)\n"
        f"os.kill(os.getpid(), {int(number)})\n"
        "sys.exit(code)\n"
    )
    assert subprocess.run([sys.executable, "-c", ends], timeout=60).returncode == 0
