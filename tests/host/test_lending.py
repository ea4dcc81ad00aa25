"""A table that has a port lends it to a command, and has it again when the command has ended."""

import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spiceboard.board import claims, lender
from spiceboard.board.claims import Claimed
from spiceboard.board.client import Client
from spiceboard.board.lender import Lender
from spiceboard.board.link import SerialLink, borrowed
from spiceboard.errors import LinkError

PATIENCE_S = 60
COMMAND = """\
import sys
from spiceboard.board.link import borrowed
link = borrowed(sys.argv[1])
print("has it", flush=True)
sys.stdin.readline()
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(lender, "WATCH_S", 0.0)


@pytest.fixture
def port() -> Iterator[str]:
    ours, theirs = pty.openpty()
    yield os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def command(port: str) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen([sys.executable, "-c", COMMAND, port], text=True, **pipes)


def until(true: Any) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("killed", [False, True])
def test_a_table_lends_while_a_command_lives(port: str, killed: bool) -> None:
    table = Lender(port)
    link = table.open()
    table.give_way()
    other = command(port)
    try:
        until(table.claimed)
        with pytest.raises(Claimed):
            table.give_way()
        assert other.stderr is not None and "it lends the board" in other.stderr.readline()
        link.close()
        assert other.stdout is not None and other.stdout.readline() == "has it\n"
        with pytest.raises(Claimed, match="another command uses it"):
            table.open()
        if killed:
            other.send_signal(signal.SIGKILL)
        other.communicate("\n", PATIENCE_S)
        assert not table.claimed()
        table.open().close()
    finally:
        other.kill()


def test_a_client_gives_way_between_requests_and_not_as_if_the_link_were_lost(port: str) -> None:
    """It must not wait ten seconds for a board that is not gone."""
    table = Lender(port)
    link = table.open()
    client = Client(link, table.open)
    client.give_way = table.give_way
    claiming = threading.Thread(target=lambda: claims.borrow(port, lambda text: None))
    claiming.start()
    try:
        until(table.claimed)
        with pytest.raises(Claimed):
            client.poll()
        with pytest.raises(Claimed):  # nor when the cable slips just then
            client._reconnect(LinkError("the other side is gone"))
    finally:
        link.close()
        claiming.join(PATIENCE_S)


def test_a_table_that_does_not_lend_is_another_program(
    port: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(claims, "LEND_S", 0.1)
    link = Lender(port).open()
    with pytest.raises(LinkError, match="another program uses this port"):
        borrowed(port)
    assert "lends the board" in capsys.readouterr().err
    link.close()
    borrowed(port).close()


def test_a_foreign_program_is_not_waited_for(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    link = SerialLink(port)
    with pytest.raises(LinkError, match="another program uses this port"):
        borrowed(port)
    assert capsys.readouterr().err == ""
    claims.give_back()
    with pytest.raises(LinkError, match="another program uses this port"):
        Lender(port).open()
    link.close()
    Lender(port).open().close()


def test_two_tables_do_not_lend_to_each_other(port: str) -> None:
    first = Lender(port)
    link = first.open()
    with pytest.raises(LinkError, match="another program uses this port"):
        Lender(port).open()
    assert not first.claimed()
    link.close()


def test_a_link_leads_to_the_same_port(port: str, tmp_path: Path) -> None:
    named = tmp_path / "board"
    named.symlink_to(port)
    table = Lender(str(named))
    link = table.open()
    assert not table.claimed()
    claims._claim(port)
    assert table.claimed()
    claims.give_back()
    assert not table.claimed()
    link.close()


def test_a_folder_that_cannot_be_made_only_means_that_nothing_is_lent(
    port: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    table = Lender(port)
    link = table.open()
    with pytest.raises(LinkError, match="another program uses this port"):
        borrowed(port)
    assert not table.claimed()
    link.close()
    borrowed(port).close()


def test_the_folder_is_its_users_alone(port: str, tmp_path: Path) -> None:
    borrowed(port).close()
    folder = tmp_path / "state" / "spiceboard" / "ports"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path.suffix for path in folder.iterdir()].count(".wanted") == 1
