"""The link: which port is taken, and one code for pseudo-terminal, socket and device."""

import contextlib
import os
import pty
import socket
import threading
import tty
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from spiceboard.board.link import Absent, Misnamed, SerialLink, find, once_there
from spiceboard.board.ports import choose
from spiceboard.errors import LinkError
from spicecore.wire import messages


def port(device: str, vid: int | None = 0x2E8A, pid: int | None = 5, serial: str = "E1") -> Any:
    """A row of pyserial's port list, as recorded on Linux, macOS and Windows."""
    return SimpleNamespace(
        device=device, vid=vid, pid=pid, serial_number=serial, description="port"
    )


PICO = port("/dev/ttyACM0")
OTHER = port("/dev/ttyACM1", serial="E2")
BLUETOOTH = port("/dev/cu.Bluetooth-Incoming-Port", vid=None, pid=None)
FOREIGN = port("/dev/ttyUSB0", vid=0x0403, pid=0x6001)
NOTHING: dict[str, str] = {"HOME": "/nowhere"}


def test_the_only_board_is_taken_and_foreign_ports_are_not() -> None:
    assert find(None, [BLUETOOTH, FOREIGN, PICO], NOTHING) == "/dev/ttyACM0"


def test_none_is_refused() -> None:
    with pytest.raises(LinkError, match="no board is plugged in"):
        find(None, [BLUETOOTH, FOREIGN], NOTHING)


def test_two_are_refused_and_listed() -> None:
    with pytest.raises(LinkError) as caught:
        find(None, [PICO, OTHER], NOTHING)
    assert "/dev/ttyACM0  id:E1" in str(caught.value)
    assert "/dev/ttyACM1  id:E2" in str(caught.value)


class Clock:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.mark.parametrize("wanted", ["/dev/ttyACM0", "id:E2"])
def test_a_board_that_is_restarting_is_waited_for(wanted: str) -> None:
    """Its port is gone for two seconds; the user hears of it once."""
    clock, said = Clock(), []

    def look() -> str:
        if clock.now() < 2:
            raise Absent("no board has the serial number E2")
        return "/dev/ttyACM1"

    assert once_there(look, wanted, said.append, clock.now, clock.sleep) == "/dev/ttyACM1"
    assert 2 <= clock.now() < 3
    [line] = said
    assert line.endswith("number E2 (waiting up to 5 s, the board may be restarting)")


def test_the_wait_for_a_board_ends_and_other_errors_do_not_wait(monkeypatch) -> None:
    monkeypatch.setattr("spiceboard.board.link.configured", lambda _environment: None)

    def never() -> str:
        raise Absent("no board is plugged in")

    def busy() -> str:
        raise LinkError("another program uses this port")

    for look, wanted, seconds in ((never, "id:E2", 5), (never, None, 3), (busy, "id:E2", 0)):
        clock = Clock()
        with pytest.raises(LinkError):
            once_there(look, wanted, lambda text: None, clock.now, clock.sleep)
        assert seconds <= clock.now() < seconds + 1


def test_a_port_that_is_not_there_is_absent_and_a_busy_one_is_not(tmp_path: Path) -> None:
    with pytest.raises(Absent, match="that the board is plugged in"):
        SerialLink(str(tmp_path / "board"))
    ours, theirs = pty.openpty()
    link = SerialLink(os.ttyname(theirs))
    with pytest.raises(LinkError) as caught:
        SerialLink(link.name)
    assert not isinstance(caught.value, Absent)
    link.close()
    os.close(ours)
    os.close(theirs)


def test_a_serial_number_chooses() -> None:
    assert find("id:E2", [PICO, OTHER], NOTHING) == "/dev/ttyACM1"
    with pytest.raises(LinkError, match="no board has the serial number E9"):
        find("id:E9", [PICO, OTHER], NOTHING)


def test_the_port_that_says_hello_is_the_boards() -> None:
    """Of two ports of one board: a console that echoes what it is sent, and a Spiceboard."""

    def board(data: bytes) -> bytes:
        return messages.encode({"re": "which", "ok": True}) if b"hello" in data else b""

    ends = [pty.openpty() for _ in range(2)]
    for (ours, theirs), answer in zip(ends, (lambda data: data, board), strict=True):
        tty.setraw(theirs)

        def serve(ours: int = ours, answer: Any = answer) -> None:
            with contextlib.suppress(OSError):  # the test is over
                while data := os.read(ours, 4096):
                    os.write(ours, answer(data))

        threading.Thread(target=serve, daemon=True).start()
    ports = [port(os.ttyname(theirs)) for _, theirs in ends]
    assert find("id:e1", ports, NOTHING) == ports[1].device
    for end in ends:
        for fd in end:
            os.close(fd)


def test_a_path_is_taken_as_it_is() -> None:
    assert find("socket://h:1", [PICO, OTHER], NOTHING) == "socket://h:1"


def test_environment_before_file_before_guess(tmp_path: Path) -> None:
    folder = tmp_path / "spiceboard"
    folder.mkdir()
    (folder / "config.toml").write_text('port = "id:E2"\n')
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert find(None, [PICO, OTHER], environment) == "/dev/ttyACM1"
    environment["SPICEBOARD_PORT"] = "id:E1"
    assert find(None, [PICO, OTHER], environment) == "/dev/ttyACM0"


@pytest.mark.parametrize("content", [b"port = 3\n", b"port = \n", b"port = '\xff'\n"])
def test_a_wrong_file_is_named(tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "spiceboard"
    folder.mkdir()
    (folder / "config.toml").write_bytes(content)
    with pytest.raises(LinkError, match=r"config\.toml") as caught:
        find(None, [PICO], {"XDG_CONFIG_HOME": str(tmp_path)})
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["HOME", "XDG_CONFIG_HOME"])
def test_a_home_that_may_not_be_looked_into_has_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As with `sudo -u other`, which keeps HOME=/root; refused here for root too."""
    stat = os.stat

    def refuse(path: Any, *args: Any, **options: Any) -> os.stat_result:
        if isinstance(path, (str, Path)) and str(path).startswith(str(tmp_path)):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *args, **options)

    monkeypatch.setattr(os, "stat", refuse)
    assert find(None, [PICO], {name: str(tmp_path)}) == "/dev/ttyACM0"
    assert find(None, [PICO], {"XDG_CONFIG_HOME": "~nobody-of-this-name"}) == "/dev/ttyACM0"


def test_no_such_port() -> None:
    with pytest.raises(LinkError, match="that the board is plugged in"):
        SerialLink("/dev/spiceboard-is-not-here")


@pytest.mark.parametrize(
    "url",
    ["carrier-pigeon://coop", "socket://", "socket://here", "socket://:4000", "rfc2217://h:99999"],
)
def test_what_can_be_no_port_is_wrong_use(url: str) -> None:
    with pytest.raises(Misnamed, match=f"cannot open {url}: .*a port is .*id:SERIAL") as caught:
        SerialLink(url)
    assert caught.value.exit_code == 2


def test_what_is_no_serial_port_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path, word in (
        (tmp_path, "it is a folder"),
        (tmp_path / "file", "it is not a serial port"),
    ):
        with pytest.raises(LinkError, match=f"{word}.*; a port is ") as caught:
            SerialLink(str(path))
        assert caught.value.exit_code == 3


def test_an_id_without_a_number_is_wrong_use() -> None:
    with pytest.raises(Misnamed, match="needs a serial number after it; plugged in:\n  /dev/tty"):
        find("id:", [PICO], NOTHING)
    with pytest.raises(Misnamed, match="needs a serial number after it"):
        choose("id:", ports=[PICO], volumes=[])


def test_pseudo_terminal_both_ways_and_gone() -> None:
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    link = SerialLink(os.ttyname(theirs))
    os.close(theirs)
    link.write(b"ping\n")
    assert os.read(ours, 100) == b"ping\n"
    os.write(ours, b"pong\n")
    assert link.read(5) == b"pong\n"
    assert link.read(0.01) == b""
    with pytest.raises(LinkError, match="another program uses this port"):
        SerialLink(link.name)
    os.close(ours)
    with pytest.raises(LinkError, match="lost"):
        link.read(1)
    link.close()


def test_socket_both_ways_and_gone() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    link = SerialLink(f"socket://127.0.0.1:{server.getsockname()[1]}")
    peer, _ = server.accept()
    link.write(b"ping\n")
    assert peer.recv(100) == b"ping\n"
    peer.sendall(b"pong\n" * 100)
    received = b""
    while len(received) < 500:
        received += link.read(5)
    assert received == b"pong\n" * 100
    peer.close()
    with pytest.raises(LinkError, match="the other side closed it"):
        link.read(1)
    server.close()
    with pytest.raises(LinkError, match="nothing listens there"):
        SerialLink(link.name)
