"""What `spiceboard flash` says when things go wrong: a sentence, an exit code, nothing written."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from checkout import ROOT
from spiceboard.board.repl import BoardFull, NoRepl, Repl, _board_error
from spiceboard.commands import main
from spiceboard.errors import LinkError
from spiceboard.flash import bundle, install
from spicecore.wire import messages


def flash(*options: str, **environment: str) -> subprocess.CompletedProcess:
    """The command as a user runs it."""
    return subprocess.run(
        [sys.executable, str(ROOT / "host/flash.py"), *options],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "SPICEBOARD_VOLUMES": "", **environment},
    )


@pytest.fixture
def port() -> Iterator[Callable[[Callable[[bytes], bytes]], tuple[str, list[bytes]]]]:
    """A pseudo-terminal whose far end answers by a function, and says `chatter` fifty times a
    second; what it was sent is kept."""
    over = threading.Event()
    opened: list[int] = []
    threads: list[threading.Thread] = []

    def make(answer: Callable[[bytes], bytes], chatter: bytes = b"") -> tuple[str, list[bytes]]:
        master, slave = pty.openpty()
        tty.setraw(slave)
        opened.extend((master, slave))
        sent: list[bytes] = []

        def serve() -> None:
            while not over.is_set():
                if select.select([master], [], [], 0.02)[0]:
                    data = os.read(master, 4096)
                    sent.append(data)
                    os.write(master, answer(data))
                if select.select([], [master], [], 0)[1]:  # else nobody reads, and it is full
                    os.write(master, chatter)

        threads.append(threading.Thread(target=serve, daemon=True))
        threads[-1].start()
        return os.ttyname(slave), sent

    yield make
    over.set()
    for thread in threads:  # one that still read would take what the next test's port is sent
        thread.join(10)
    for fd in opened:
        os.close(fd)


def quick(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """No long silences in these tests, though the port is a pseudo-terminal."""
    monkeypatch.setattr("spiceboard.board.timeouts.ANSWERED", 1)
    monkeypatch.setattr("spiceboard.board.timeouts.UNHEARD", 1)
    monkeypatch.setattr("spiceboard.board.repl.READ_S", seconds)
    monkeypatch.setattr("spiceboard.board.repl.LADDER_S", seconds)


def heard(sent: list[bytes]) -> bytes:
    """All that was sent, once the last word has come through."""
    until(lambda: b"".join(sent).endswith(b"\x04"))
    return b"".join(sent)


def until(true: Callable[[], bool]) -> None:
    """Wait for it, at most ten seconds."""
    end = time.monotonic() + 10
    while not true() and time.monotonic() < end:
        time.sleep(0.01)


def test_no_such_port() -> None:
    done = flash("--port", "/dev/ttyNONE", "--yes")
    assert done.returncode == 3 and "there is no such port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_busy_port_is_named(port) -> None:
    path, _sent = port(lambda _data: b"")
    import serial

    holder = serial.Serial(path, exclusive=True)
    done = flash("--port", path, "--yes")
    holder.close()
    assert done.returncode == 3 and "another program uses this port" in done.stderr


def test_a_board_that_hangs_gets_the_ladder_and_the_hint(port, monkeypatch) -> None:
    """Three attempts, each with a double Ctrl-C; then BOOTSEL is named. Nothing else is sent,
    except the request to restart."""
    quick(monkeypatch, 0.1)
    path, sent = port(lambda _data: b"")
    with pytest.raises(NoRepl, match="hold BOOTSEL") as error, Repl(path, sleep=lambda _s: None):
        pass
    assert error.value.exit_code == 4
    said, last = heard(sent).split(b"\r\x03\x03\r\x01import machine\n")
    assert said.count(b"\r\x03\x03") == 3 and not said.replace(b"\r", b"").strip(b"\x01\x03")
    assert last == b"machine.reset()\n\x04"


def test_ctrl_c_while_the_prompt_is_asked_for_starts_the_board_again(port) -> None:
    """It may have stopped by then, also in a dry run."""
    path, sent = port(lambda _data: b"")

    naps: list[float] = []

    def stop(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 1:  # of the ladder; the last word has naps of its own
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Repl(path, sleep=stop):
        pass
    assert heard(sent).endswith(b"machine.reset()\n\x04")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_that_is_stopped_reports_too(port, number, code) -> None:
    path, sent = port(lambda _data: b"")
    command = [sys.executable, str(ROOT / "host/flash.py"), "--port", path, "--json", "--yes"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    until(lambda: bool(sent))
    process.send_signal(number)
    report = json.loads(process.communicate(timeout=60)[0])
    assert report["exit_code"] == process.returncode == code


def test_brackets_in_a_path_are_no_markup() -> None:
    done = flash("--port", "/tmp/no[/x][red]", "--dry-run")
    assert done.returncode == 3 and "/tmp/no[/x][red]" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_talks_but_is_no_interpreter(port, monkeypatch) -> None:
    quick(monkeypatch, 0.1)
    path, _sent = port(lambda _data: b"AT command not recognised\r\n")
    with pytest.raises(NoRepl, match="does not answer"), Repl(path, sleep=lambda _s: None):
        pass


def test_a_board_that_never_ends_to_talk(port, monkeypatch) -> None:
    """One that dies at each start prints for ever: the ladder ends all the same."""
    quick(monkeypatch, 0.3)
    path, sent = port(lambda _data: b"", chatter=b"application died\r\n")
    with pytest.raises(NoRepl, match=r"It says .*application died"), Repl(path, sleep=time.sleep):
        pass
    assert heard(sent).count(b"\r\x03\x03") == 4, "three attempts, and the last word"


def test_a_board_that_stops_in_the_middle(port, monkeypatch) -> None:
    """It enters the raw REPL and dies: told as such, with what to do."""
    quick(monkeypatch, 0.3)

    def answer(data: bytes) -> bytes:
        return b"raw REPL; CTRL-B to exit\r\n>" if b"\x01" in data and b"A" not in data else b""

    path, _sent = port(answer)
    with pytest.raises(LinkError, match="stopped answering"), Repl(path, sleep=lambda _s: None):
        pass


def answers_hello(**told: object) -> Callable[[bytes], bytes]:
    """A board that says so of itself, and answers nothing else."""
    decoder = messages.Decoder(messages.REQUEST_MAX)

    def hello(data: bytes) -> bytes:
        replies = [
            {"re": value["id"], "ok": True, "machine": "Pico with RP2040", **told}
            for kind, value in decoder.feed(data)
            if kind == messages.MESSAGE
        ]
        return b"".join(map(messages.encode, replies))

    return hello


def test_a_game_is_not_stopped_where_nobody_can_be_asked(port) -> None:
    path, sent = port(answers_hello(playing="safranito"))
    done = flash("--port", path)
    assert done.returncode == 2 and "There is no terminal to ask you" in done.stderr, done.stderr
    assert b"quiesce" not in b"".join(sent) and b"\x03" not in b"".join(sent), "it plays on"


def test_a_board_that_is_wired_otherwise_is_not_touched(port, tmp_path: Path) -> None:
    """`hello` reports its profile: exit code 5, and nothing else is sent."""
    hello = answers_hello(profile="other-9")
    path, sent = port(hello)
    done = flash("--port", path, "--yes")
    assert done.returncode == 5 and "hardware profile other-9" in done.stderr, done.stderr
    assert "Nothing was changed" in done.stderr
    assert b"\x03" not in b"".join(sent) and b"quiesce" not in b"".join(sent)


def test_several_boards_are_listed_by_the_command(monkeypatch, capsys) -> None:
    """Recorded ports: two Picos, a Bluetooth port and a foreign one; exit code 3."""
    found = [
        SimpleNamespace(device=device, vid=vid, pid=pid, serial_number=serial, description="")
        for device, vid, pid, serial in (
            ("/dev/ttyACM0", 0x2E8A, 0x0005, "e661a"),
            ("/dev/ttyACM1", 0x2E8A, 0x0005, "e661b"),
            ("/dev/cu.Bluetooth-Incoming-Port", None, None, None),
            ("/dev/ttyUSB0", 0x10C4, 0xEA60, "0001"),
        )
    ]
    monkeypatch.setattr("spiceboard.board.link.list_ports.comports", lambda: found)
    monkeypatch.setattr("spiceboard.board.ports.configured", lambda _environment: None)
    monkeypatch.setenv("SPICEBOARD_VOLUMES", "")
    assert main.main(["flash", "--yes"]) == 3
    said = capsys.readouterr().err
    assert "e661a" in said and "e661b" in said and "Bluetooth" not in said and "USB0" not in said
    found[:] = found[2:]
    assert main.main(["flash", "--yes"]) == 3
    assert "hold BOOTSEL" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "code", "word"),
    [
        ("Traceback\r\nOSError: 28", 6, "flash is full"),
        ("Traceback\r\nOSError: [Errno 28] ENOSPC", 6, "flash is full"),
        ("Traceback\r\nMemoryError: memory allocation failed", 6, "MemoryError"),
        ("", 6, "an error"),
    ],
)
def test_what_the_board_says(text: str, code: int, word: str) -> None:
    error = _board_error(text)
    assert error.exit_code == code and word in str(error)


# --- planning


def probe(files: dict[str, tuple[int, str]], pointer: str | None, free: int = 900_000):
    return install.Probe(
        "Raspberry Pi Pico with RP2040", "RP2040", "1.25.0", bundle.MPY_RP2040, "e661", pointer,
        files, free, 1_441_792,
    )  # fmt: skip


def some_bundle(**files: bytes) -> bundle.Bundle:
    named = {f"{name}.mpy": content for name, content in files.items()}
    return bundle.Bundle(
        named, {}, "1", {name: install._sha256(content) for name, content in named.items()}
    )


def test_only_what_differs_is_sent() -> None:
    made = some_bundle(same=b"1", new=b"2", there=b"3")
    found = probe(
        {
            "/slot/a/same.mpy": (1, install._sha256(b"1")),
            "/slot/a/new.mpy": (1, install._sha256(b"old")),
            "/slot/b/there.mpy": (1, install._sha256(b"3")),
            "/slot/b/gone.mpy": (1, "00"),
        },
        "a b good 0",
    )
    plan = install.make_plan(found, made)
    assert (plan.target, plan.upload, plan.copy) == ("b", ["new.mpy"], ["same.mpy"])
    assert (plan.keep, plan.remove) == (["there.mpy"], ["gone.mpy"])


def test_a_full_flash_is_found_before_a_byte_is_written() -> None:
    with pytest.raises(BoardFull, match=r"erase old games.*Nothing was changed"):
        install.make_plan(probe({}, None, free=40_000), some_bundle(big=bytes(10_000)))


def test_a_pointer_that_cannot_be_read_is_no_slot() -> None:
    for pointer in (None, "", "garbage", "c - good 0"):
        assert probe({}, pointer).slot is None


def test_bytecode_of_another_version_is_refused_with_the_way_out() -> None:
    with pytest.raises(bundle.BundleError, match=r"6\.2.*1\.23 or later"):
        bundle.check_board(0x1206)
    assert bundle.check_board(bundle.MPY_RP2040) == "armv6m"


def test_firmware_that_does_not_compile_is_named(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("def main(:\n")
    with pytest.raises(bundle.BundleError, match=r"app\.py"):
        bundle.build(bundle.MPY_RP2040, tmp_path)


def test_the_same_sources_give_the_same_bytes() -> None:
    first, second = (bundle.build(bundle.MPY_RP2040) for _ in range(2))
    assert first.files == second.files and first.root.keys() == {"main.py", "slots.py"}
    assert first.size < 400_000, "two slots and a journal must fit into 1.4 MB"
