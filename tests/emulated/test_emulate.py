"""`spiceboard emulate` as a user has it: started, used, ended by Ctrl-C, SIGTERM or its parent."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from checkout import ROOT
from emulated.conftest import flash_files
from spiceboard.board.link import SerialLink
from spiceboard.flash import images, install
from spiceboard_sim.emulator.flash import make_files, read_files
from spiceboard_sim.emulator.image import ImageError, find_image
from spiceboard_sim.emulator.runner import Runner

pytestmark = pytest.mark.emulated
SPICEBOARD = [sys.executable, "-m", "spiceboard.commands.main", "emulate"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_with_its_command_and_keeps_the_flash(
    image: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """The signal goes to the command alone, as a supervisor sends it; no orphan stays."""
    kept = tmp_path / "board.lfs"
    command = [*SPICEBOARD, "--empty", "--json", "--flash", str(kept)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, process_group=0, stderr=subprocess.PIPE
    )
    assert process.stdout
    port = json.loads(process.stdout.readline())["port"]
    assert Path(port).exists()
    if number is not signal.SIGTERM:
        os.killpg(process.pid, number)  # a terminal sends it to both
    else:
        process.send_signal(number)
    code = process.wait(60)
    assert (code, process.communicate()[1]) == (0, "")
    assert read_files(kept.read_bytes()) == {}
    end = time.monotonic() + 30
    while time.monotonic() < end and group_lives(process.pid):
        time.sleep(0.1)
    assert not group_lives(process.pid), "the emulator outlived its command"


def test_a_full_disk_keeps_the_flash_of_the_run_before(image: Path, tmp_path: Path) -> None:
    """No file may become larger than a part of it: what was kept is as it was, and no part of
    the new one lies beside it."""
    kept = tmp_path / "board.lfs"
    before = make_files({"before.txt": b"of the run before"})
    kept.write_bytes(before)
    limit = len(before) // 2
    done = subprocess.run(
        [*SPICEBOARD, "--flash", str(kept), "--seconds", "0.5"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"spiceboard: cannot write {kept}: File too large" in done.stderr
    assert kept.read_bytes() == before and list(tmp_path.iterdir()) == [kept]


def mpremote(port: str, *words: str) -> str:
    """The real command, as a user runs it."""
    command = [sys.executable, "-m", "mpremote", "connect", port, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_mpremote_uses_it_as_a_board(image: Path, firmware, bundle_of, tmp_path: Path) -> None:
    """Run code, copy files both ways, hash, free space, restart: while an application runs."""
    bundle = bundle_of(firmware("one", filler=0), "one")
    mine = tmp_path / "mine.txt"
    mine.write_bytes(b"spice " * 500)
    with Runner(image, flash_files(bundle)) as board:
        said = mpremote(board.path, "exec", "import sys; print(sys.implementation[2])")
        assert said.strip() == "Raspberry Pi Pico with RP2040"
        mpremote(board.path, "resume", "fs", "cp", str(mine), ":mine.txt")
        said = mpremote(board.path, "resume", "fs", "sha256sum", ":mine.txt")
        assert hashlib.sha256(mine.read_bytes()).hexdigest() in said
        mpremote(board.path, "resume", "fs", "cp", ":mine.txt", str(tmp_path / "back.txt"))
        assert (tmp_path / "back.txt").read_bytes() == mine.read_bytes()
        assert "mine.txt" in mpremote(board.path, "resume", "fs", "ls")
        assert "/" in mpremote(board.path, "resume", "df")
        mpremote(board.path, "resume", "reset")
        hello = install.wait_good(lambda: SerialLink(board.path), "a", 120)
        assert hello["firmware"] == "one"
        assert read_files(board.call("files"))["mine.txt"] == mine.read_bytes()


def group_lives(number: int) -> bool:
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--uf2", "none.uf2"], "cannot read none.uf2"),
        (["--uf2", __file__], "not a complete UF2 file"),
        (["--lay", "b30:nowhere"], "nowhere"),
        (["--lay", "x99:curry"], "x99"),
        (["--drive", str(ROOT)], "is not empty"),
        (["--link", __file__], "is not a link"),
        (["--link", "/nowhere/board"], "--link /nowhere/board: there is no folder /nowhere"),
        (["--link", "/proc/board"], "/proc/board"),
        (["--flash", "/nowhere/board.lfs"], "there is no folder /nowhere"),
        (["--flash", str(ROOT)], "is a folder: name a file"),
        (["--blank", "--drive", "/proc/board"], "--drive: cannot create /proc/board"),
    ],
)
def test_what_cannot_be_is_told(image: Path, options: list[str], said: str) -> None:
    done = subprocess.run([*SPICEBOARD, *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_without_an_image_the_way_to_one_is_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("SPICEBOARD_UF2", raising=False)
    with pytest.raises(ImageError, match=r"build_image\.sh.*RPI_PICO-20250415.*--uf2 FILE"):
        find_image(build=False)


def test_another_image_in_the_cache_is_told(
    image: Path, tmp_path: Path, monkeypatch, capsys
) -> None:
    """The build script believes the checksum that lies beside it; we know the tested one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("SPICEBOARD_UF2", raising=False)
    other = tmp_path / "spiceboard" / images.KEY / images.NAME
    other.parent.mkdir(parents=True)
    other.write_bytes(image.read_bytes()[:-512] + bytes(512))
    digest = hashlib.sha256(other.read_bytes()).hexdigest()
    (other.parent / "RPI_PICO.uf2.sha256").write_text(f"{digest}  {other.name}\n")
    assert find_image() == other
    assert "not the image that this version was tested with" in capsys.readouterr().err


def test_the_build_script_says_what_to_do_elsewhere(tmp_path: Path) -> None:
    """Debian 12 only: on another system the official file is named, and how it is given."""
    system = tmp_path / "os-release"
    system.write_text('ID=fedora\nVERSION_ID=41\nPRETTY_NAME="Fedora Linux 41"\n')
    done = subprocess.run(
        [ROOT / "tools/build_image.sh"],
        env={**os.environ, "OS_RELEASE": str(system), "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and done.stdout == ""
    for words in ("Debian 12 only", "Fedora Linux 41", "micropython.org", "--uf2 FILE"):
        assert words in done.stderr
