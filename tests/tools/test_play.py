"""`spiceboard play` in a real terminal, on the simulated board and by --port."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from spiceboard.board.client import Client
from spiceboard.board.link import SerialLink
from spiceboard.board.simulated import VirtualBoard
from spiceboard.commands import main
from spiceboard.errors import LinkError
from spiceboard.table import evening

pytest.importorskip("numpy", reason="no numpy: pip install '.[sim]'")
PATIENCE_S = 90


class Terminal:
    """A terminal of 130 by 40 with a `spiceboard` command in it."""

    def __init__(
        self, *arguments: str, size: tuple[int, int] = (40, 130), hangs_up: bool = True
    ) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            if not hangs_up:  # as below `make`, which gets the signal and does not pass it on
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            leave = ("COLUMNS", "LINES")  # readline puts them into the process behind our back
            environment = {k: v for k, v in os.environ.items() if k not in leave}
            environment["TERM"] = "xterm-256color"
            command = [sys.executable, "-m", "spiceboard.commands.main", *arguments]
            os.execve(sys.executable, command, environment)
        self.raw = b""

    def read(self) -> None:
        """Take what the command wrote."""
        if select.select([self.fd], [], [], 0.1)[0]:
            self.raw += os.read(self.fd, 65536)

    def text(self) -> str:
        """All that was shown since the last key, without colours."""
        return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self.raw).decode("utf-8", "replace")

    def until(self, wanted: str) -> None:
        """Wait until this was shown."""
        end = time.monotonic() + PATIENCE_S
        while wanted not in self.text():
            assert time.monotonic() < end, self.text()[-6000:]
            try:
                self.read()
            except OSError as error:  # the command ended
                raise AssertionError(self.text()[-6000:]) from error

    def type(self, keys: str) -> None:
        """Press keys; what was shown before is forgotten."""
        self.raw = b""
        os.write(self.fd, keys.encode())

    def end(self) -> int:
        """The exit code."""
        end = time.monotonic() + PATIENCE_S
        while True:
            assert time.monotonic() < end, self.text()[-6000:]
            try:
                self.read()
            except OSError:
                return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("SPICEBOARD_PORT", raising=False)


@pytest.fixture
def virtual() -> Iterator[VirtualBoard]:
    with VirtualBoard(["--seed", "1"]) as board:
        yield board


def at_terminal(folder: Path, *options: str) -> list[str]:
    """The command for a terminal table whose board keeps its game in this folder."""
    return ["play", "--terminal", "--seed", "3", "--board", str(folder / "flash"), *options]


def test_a_person_throws_leaves_and_comes_back_to_the_same_game(tmp_path: Path) -> None:
    command = at_terminal(tmp_path, "--option", "chef=0")
    terminal = Terminal(*command)
    terminal.until("which chip do you throw?")
    terminal.type("3\r")
    terminal.until("at which zone?")
    terminal.type("5\r")
    terminal.until("How hard?")
    terminal.type("0\r")
    terminal.until("Blue throws a chip (3 of 8)")
    terminal.until("Blue throws into saffron")
    terminal.until("saffron 30")
    terminal.type("q")
    terminal.until("q once more leaves")
    terminal.type("q")
    terminal.until("comes back to it")
    assert terminal.end() == 0
    again = Terminal(*command)
    again.until("Blue throws a chip (3 of 8)")
    again.type("qq")
    assert again.end() == 0


def test_a_terminal_that_is_killed_comes_back_to_the_same_game(tmp_path: Path) -> None:
    command = at_terminal(tmp_path, "--game", "rathot", "--people", "2", "--option", "first=0")
    terminal = Terminal(*command)
    terminal.until("Red turns up strips")
    terminal.type("\r")
    terminal.until("Enter lays it")
    terminal.type("\r")
    terminal.until("Green turns up strips")
    boards = children(terminal.pid)
    os.kill(terminal.pid, signal.SIGKILL)
    os.waitpid(terminal.pid, 0)
    wait_for_end_of(boards)  # the simulated board goes when its table is gone
    again = Terminal(*command)
    again.until("Green turns up strips")
    again.type("\r")
    again.until("Green lays a strip (2 to lay)")
    again.type("\x03")
    assert again.end() == 130


def test_a_table_ends_with_its_terminal_though_nobody_hangs_up(tmp_path: Path) -> None:
    command = at_terminal(tmp_path, "--option", "chef=0")
    terminal = Terminal(*command, hangs_up=False)
    terminal.until("which chip do you throw?")
    boards = children(terminal.pid)
    os.close(terminal.fd)
    end = time.monotonic() + PATIENCE_S
    while os.waitpid(terminal.pid, os.WNOHANG) == (0, 0):
        assert time.monotonic() < end, "the table plays on without a terminal"
        time.sleep(0.1)
    wait_for_end_of(boards)  # and the simulated board with it
    again = Terminal(*command)
    again.until("which chip do you throw?")
    again.type("qq")
    assert again.end() == 0


def test_a_second_table_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with VirtualBoard(["--flash", str(tmp_path / "flash")]):
        terminal = Terminal("play", "--terminal", "--board", str(tmp_path / "flash"))
        terminal.until("another simulated board uses")
        assert terminal.end() == 3


def test_options_that_the_game_refuses_are_wrong_use() -> None:
    terminal = Terminal("play", "--terminal", "--game", "rathot", "--option", "first=7")
    terminal.until("first")
    assert terminal.end() == 2


def test_the_table_attaches_to_a_board_by_its_port(virtual: VirtualBoard) -> None:
    terminal = Terminal(
        "play", "--terminal", "--port", virtual.port, "--seed", "3", "--option", "chef=0"
    )
    terminal.until("throw a chip on the board. It missed?")
    hands = virtual.hands()
    hands.throw("b30", "saffron", 0.0)
    terminal.until("Red throws a chip (2 of 8)")
    assert [chip[0] for chip in hands.look()] == ["blue"]
    assert any(any(colour) for ring in hands.lights().values() for colour in ring)
    terminal.type("qq")
    terminal.until("The board keeps the game")
    assert terminal.end() == 0
    client = Client(SerialLink(virtual.port))
    client.connect()
    game = client.snapshot["game"]
    assert game["view"]["phase"] == ["throw", 1] and game["name"] == "safranito"
    client.close()
    hands.close()


@pytest.mark.slow
def test_the_terminal_lends_its_board_and_comes_back(virtual: VirtualBoard) -> None:
    terminal = Terminal(
        "play", "--terminal", "--port", virtual.port, "--new", "--seed", "3", "--option", "chef=0"
    )
    terminal.until("throw a chip on the board. It missed?")
    hands = virtual.hands()
    hands.throw("b30", "saffron", 0.0)
    terminal.until("Red throws a chip (2 of 8)")
    hands.close()
    terminal.raw = b""
    command = [sys.executable, "-m", "spiceboard.commands.main", "monitor", "--seconds", "1"]
    with subprocess.Popen(
        [*command, "--port", virtual.port], stderr=subprocess.PIPE, text=True
    ) as monitor:
        terminal.until("lent to another command")
        terminal.until("Red throws a chip (2 of 8)")  # the same game, despite --new
        assert monitor.stderr is not None and "it lends the board" in monitor.stderr.read()
    assert monitor.returncode == 0
    terminal.type("qq")
    assert terminal.end() == 0


def test_another_game_is_not_aborted_unasked(virtual: VirtualBoard) -> None:
    client = Client(SerialLink(virtual.port))
    client.connect()
    client.request("new", game="jaipur", options={"players": 2, "seed": 1, "mode": "full"})
    client.close()
    terminal = Terminal("play", "--terminal", "--port", virtual.port)
    terminal.until("a game of jaipur is on")
    assert terminal.end() == 2
    terminal = Terminal("play", "--terminal", "--port", virtual.port, "--new", "--players", "3")
    terminal.until("throws a chip (1 of 12)")
    terminal.type("qq")
    assert terminal.end() == 0


@pytest.mark.slow
def test_without_a_folder_the_game_is_kept_too_and_in_french(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    command = ["play", "--terminal", "--game", "ninebowls", "--option", "first=0", "--people", "2"]
    terminal = Terminal(*command)
    terminal.until("Bleu, dans quel bol\N{NO-BREAK SPACE}?")
    terminal.type("1\r")
    terminal.until("Bleu prend le bol de curry")
    terminal.type("qq")
    terminal.until("Le plateau garde la partie")
    assert terminal.end() == 0
    again = Terminal(*command)
    again.until("Rouge, dans quel bol\N{NO-BREAK SPACE}?")
    again.type("t")
    again.until("Red, into which bowl?")
    again.type("qq")
    assert again.end() == 0
    other = Terminal(*command, "--players", "3")
    other.until("à 2 joueurs est en cours")
    assert other.end() == 2


@pytest.mark.slow
def test_a_simulated_board_that_is_lost_is_started_again() -> None:
    terminal = Terminal("play", "--terminal", "--game", "ninebowls", "--option", "first=0")
    terminal.until("Blue, into which bowl?")
    terminal.type("1\r")
    terminal.until("Blue takes curry")
    time.sleep(evening.AT_LEAST_S)
    terminal.raw = b""
    boards = children(terminal.pid)
    assert boards
    for pid in boards:
        os.kill(pid, signal.SIGKILL)
    terminal.until("The simulated board is started again; the game is kept.")
    terminal.until("Blue, into which bowl?")
    terminal.type("qq")
    assert terminal.end() == 0


def children(pid: int) -> list[int]:
    """The processes that this one began."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def wait_for_end_of(processes: list[int]) -> None:
    """Until none of them runs; who reaps them is not asked."""
    end = time.monotonic() + PATIENCE_S
    while any(map(runs, processes)):
        assert time.monotonic() < end, f"{processes} run on"
        time.sleep(0.1)


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_referee_game_has_no_bots(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["play", "--headless", "--option", "mode=referee"]) == 2
    assert "where a bot cannot see them" in capsys.readouterr().err


@pytest.mark.slow
def test_in_a_referee_game_people_sit_in_all_seats() -> None:
    terminal = Terminal("play", "--terminal", "--people", "1", "--option", "mode=referee")
    terminal.until("where a bot cannot see them")
    assert terminal.end() == 2
    terminal = Terminal("play", "--terminal", "--new", "--option", "mode=referee")
    terminal.until("throws a chip (1 of 8)")
    terminal.type("qq")
    assert terminal.end() == 0


def test_a_small_terminal_is_told_the_size() -> None:
    terminal = Terminal("play", "--terminal", "--seed", "1", size=(20, 60))
    terminal.until("80 columns and 24 rows, this terminal has 60 and 20")
    assert terminal.end() == 2


def test_without_a_terminal_the_way_out_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with open(os.devnull) as nothing, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", nothing)
        patch.setattr(evening, "check_size", lambda console: None)
        assert main.main(["play", "--terminal"]) == 2
    assert "--headless" in capsys.readouterr().err


@pytest.mark.parametrize("people", ["-1", "3", "5"])
def test_people_are_as_many_as_play(people: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["play", "--players", "2", "--people", people]) == 2
    assert "--people is from 0 to 4" in capsys.readouterr().err


def test_an_unknown_game_is_answered_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["play", "--game", "chess"]) == 2
    assert main.main(["play", "--headless", "--game", "chess"]) == 2
    assert capsys.readouterr().err.count("there are: safranito, jaipur, rathot") == 2


def test_headless_shows_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["play", "--headless", "--terminal"]) == 2
    assert "leave --terminal away" in capsys.readouterr().err


def test_keys_of_seats_are_kept_for_their_owner_only() -> None:
    ring = evening.Keyring("abc")
    assert ring.load() == {}
    ring.save({0: "k0", 2: "k2"})
    assert evening.Keyring("abc").load() == {0: "k0", 2: "k2"}
    assert ring.path.stat().st_mode & 0o077 == 0
    ring.path.write_text("damaged")
    assert ring.load() == {}


def test_a_simulator_that_cannot_start_says_why() -> None:
    with pytest.raises(LinkError, match=r"(?s)the simulator did not start: .*usage"):
        VirtualBoard(["--no-such-option"])


def test_a_simulator_that_ends_is_noticed(virtual: VirtualBoard) -> None:
    hands = virtual.hands()
    client = Client(SerialLink(virtual.port))
    client.connect()
    virtual.close()
    with pytest.raises(LinkError):
        hands.look()
    with pytest.raises(LinkError, match="lost"):
        for _ in range(20):
            client.poll(0.1)
