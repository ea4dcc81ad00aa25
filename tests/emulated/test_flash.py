"""`spiceboard flash` against real MicroPython on an emulated RP2040, through its serial port."""

import json
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from checkout import ROOT
from emulated.conftest import flash_files
from spiceboard.board.link import SerialLink
from spiceboard.board.repl import AWAY_MS, HELPERS, Repl
from spiceboard.flash import install
from spiceboard_sim.emulator.chip import Chip
from spiceboard_sim.emulator.flash import make_files, read_files
from spiceboard_sim.emulator.runner import Runner
from spicecore.version import VERSION
from spicecore.wire import messages

pytestmark = pytest.mark.emulated
KEPT = {"data/settings.a": b"settings", "data/roster.a": b"roster", "data/log/g1": b"journal"}


def flash(port: str, firmware: Path, *options: str) -> tuple[int, dict]:
    """Run the command as a user would; its exit code and its report."""
    command = [sys.executable, "-m", "spiceboard.commands.main", "flash", "--port", port, "--json"]
    done = subprocess.run(
        [*command, "--firmware", str(firmware), *options],
        capture_output=True,
        text=True,
        timeout=900,  # a busy machine is slow, and the emulated board 25 times slower
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr, done.stderr
    report = json.loads(done.stdout)
    assert report["exit_code"] == done.returncode
    return done.returncode, report


def data_of(image: bytes) -> dict[str, bytes]:
    """What an update must never touch."""
    return {
        path: content for path, content in read_files(image).items() if path.startswith("data/")
    }


def answer(chip: Chip, seconds: float = 2.0) -> dict | None:
    """What the board says to `hello`; None when it does not answer in its own time."""
    chip.send(messages.encode({"id": 1, "do": "hello"}))
    decoder = messages.Decoder()
    found: list = []

    def heard() -> bool:
        found.extend(v for kind, v in decoder.feed(chip.take_output()) if kind == messages.MESSAGE)
        return bool(found)

    try:
        chip.run_until(heard, seconds)
    except TimeoutError:
        return None
    return found[0]


def test_a_new_pico_becomes_a_board_and_is_kept_up_to_date(image: Path, firmware) -> None:
    one, two = firmware("one"), firmware("two")
    with Runner(image, dict(KEPT)) as board:
        code, report = flash(board.path, one)
        assert code == 2 and "--yes" in report["error"], "nobody can be asked here"
        assert data_of(board.call("files")) == KEPT and not read_files(board.call("files")).get(
            "slot.txt"
        )
        code, report = flash(board.path, one, "--yes")
        assert code == 0 and report["result"]["slot"] == "a"
        code, report = flash(board.path, one, "--verify")
        assert (code, report["differ"]) == (0, [])

        before = board.call("files")
        code, report = flash(board.path, two, "--dry-run")
        assert code == 0 and report["plan"]["target"] == "b"
        assert set(report["plan"]["upload"]) == {
            "filler0.mpy", "filler1.mpy", "filler2.mpy", "manifest.json", "words.mpy",
        }  # fmt: skip
        assert read_files(board.call("files")) == read_files(before), "a dry run writes nothing"
        code, report = flash(board.path, two, "--yes")
        assert code == 0 and report["result"]["slot"] == "b"
        assert data_of(board.call("files")) == KEPT


@pytest.mark.slow
def test_a_board_goes_back_to_its_other_slot_and_is_copied(
    image: Path, firmware, bundle_of, tmp_path
) -> None:
    one, two = bundle_of(firmware("one"), "one"), firmware("two")
    files = flash_files(one) | KEPT
    files |= {f"slot/b/{path}": content for path, content in bundle_of(two, "two").files.items()}
    with Runner(image, files | {"slot.txt": b"b a good 0\n"}) as board:
        code, report = flash(board.path, two, "--rollback", "--yes")
        assert code == 0 and report["result"]["slot"] == "a"
        code, report = flash(board.path, two, "--backup", str(tmp_path / "all.zip"))
        assert code == 0
        copied = zipfile.ZipFile(tmp_path / "all.zip")
        files = read_files(board.call("files"))
        assert {name: copied.read(name) for name in copied.namelist()} == files
        assert data_of(board.call("files")) == KEPT


@pytest.mark.slow
def test_an_application_that_fails_goes_back_by_itself(image: Path, firmware, bundle_of) -> None:
    """Three kinds of bad application: dies at once, hangs with a watchdog, never says good."""
    good = bundle_of(firmware("good"), "good")
    for name, app in (
        ("dies", "def main():\n    raise OSError('no board')\n"),
        (
            "hangs",
            "import machine\n\ndef main():\n    machine.WDT(timeout=100)\n"
            "    while True:\n        pass\n",
        ),
    ):
        bad = bundle_of(firmware(name, app), name)
        files = flash_files(good, "a") | {f"slot/b/{k}": v for k, v in bad.files.items()}
        files["slot.txt"] = b"b a trial 0\n"
        chip = Chip(image, make_files(files))
        chip.run_until(lambda chip=chip: chip.resets == 3, 3.0)
        chip.run_until(lambda chip=chip: chip.connected, 1.0)
        hello = answer(chip)
        assert hello and hello["firmware"] == "good", name
        assert hello["slot"] == {"name": "a", "state": "good", "failed": 0, "previous": "b"}


@pytest.mark.slow
def test_flash_reports_the_fallback(image: Path, firmware, bundle_of) -> None:
    good = bundle_of(firmware("good"), "good")
    bad = firmware("bad", "def main():\n    raise OSError('no board')\n")
    with Runner(image, flash_files(good)) as board:
        code, report = flash(board.path, bad, "--yes")
        assert code == 7 and "went back to slot a" in report["error"]
        assert read_files(board.call("files"))["slot.txt"] == b"a b good 0\n"


def corrupt(content: bytes) -> bytes:
    """The same with a bit changed in its middle."""
    changed = bytearray(content)
    changed[len(changed) // 2] ^= 0x10
    return bytes(changed)


@pytest.mark.slow
def test_what_is_refused_leaves_the_board_as_it_was(
    image: Path, firmware, bundle_of, tmp_path: Path
) -> None:
    """Corrupt files, nothing to go back to, sources that do not compile, a backup in the way."""
    old = firmware("old", filler=1)
    good, other = bundle_of(old, "old"), bundle_of(firmware("other", filler=0), "other")
    files = flash_files(good) | KEPT
    with Runner(image, files) as board:

        def refused(code: int, said: str, *options: str, folder: Path = old) -> None:
            before = read_files(board.call("files"))
            got, report = flash(board.path, folder, *options)
            assert got == code and said in report["error"], report
            assert read_files(board.call("files")) == before

        refused(1, "no other application on this board", "--rollback", "--yes")
        taken = tmp_path / "taken.zip"
        taken.write_bytes(b"mine")
        refused(2, "already exists and is not overwritten", "--backup", str(taken))
        assert taken.read_bytes() == b"mine"
        broken = firmware("broken", "def main(:\n", filler=0)
        refused(5, "cannot compile", "--yes", folder=broken)

        slot_b = {f"slot/b/{path}": content for path, content in other.files.items()}
        slot_b["slot/b/words.mpy"] = corrupt(slot_b["slot/b/words.mpy"])
        damaged = files | slot_b | {"slot.txt": b"a b good 0\n"}
        board.call("load", make_files(damaged))
        refused(6, "slot b is damaged: words.mpy", "--rollback", "--yes")
        damaged["slot/a/filler0.mpy"] = corrupt(damaged["slot/a/filler0.mpy"])
        board.call("load", make_files(damaged))
        code, report = flash(board.path, old, "--verify")
        assert code == 1 and "filler0.mpy" in report["differ"]
        code, report = flash(board.path, old, "--yes")  # and an update mends it
        assert code == 0 and report["result"]["slot"] == "b"
        assert data_of(board.call("files")) == KEPT


@pytest.mark.slow
def test_a_full_flash_is_told_and_the_games_stay(image: Path, firmware, bundle_of) -> None:
    games = {f"data/log/g{n:04}-000.log": bytes(60_000) for n in range(22)}
    files = flash_files(bundle_of(firmware("old", filler=0), "old")) | games
    with Runner(image, files) as board:
        code, report = flash(board.path, firmware("new", filler=3), "--yes")
        assert code == 6 and "erase old games" in report["error"], report
        assert read_files(board.call("files")) == files
        chip = Chip(image, board.call("files"))
    chip.run_until(lambda: chip.connected, 2.0)
    hello = answer(chip)
    assert hello and hello["firmware"] == "old"


def test_unplugged_in_the_middle_of_an_upload(image: Path, firmware, bundle_of) -> None:
    """A clear word, exit code 3, and a board that starts what it had."""
    import argparse

    from spiceboard.commands import flash as command
    from spiceboard.errors import LinkError

    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    with Runner(image, flash_files(bundle_of(firmware("old", filler=1), "old"))) as board:
        arguments = parser.parse_args(
            ["--port", board.path, "--firmware", str(firmware("new", filler=1)), "--yes"]
        )
        flasher = command.Flasher(arguments)
        flasher.on_chunk = lambda _count: board.call("unplug")
        with pytest.raises(LinkError, match=r"lost|stopped answering") as error:
            flasher.run()
        assert error.value.exit_code == 3
        chip = Chip(image, board.call("files"))
    chip.run_until(lambda: chip.connected, 2.0)
    hello = answer(chip)
    assert hello and hello["firmware"] == "old"


@pytest.mark.slow
def test_a_tool_that_is_stopped_or_killed_leaves_no_board_at_the_prompt(
    image: Path, firmware, bundle_of, monkeypatch
) -> None:
    """SIGTERM: the board starts again at once. SIGKILL: by itself, after a while."""
    monkeypatch.setattr("spiceboard.board.repl.HELPERS", HELPERS.replace(str(AWAY_MS), "3000"))
    new = firmware("new", filler=3)
    with Runner(image, flash_files(bundle_of(firmware("old", filler=1), "old"))) as board:
        command = [
            sys.executable,
            "-m",
            "spiceboard.commands.main",
            "flash",
            "--port",
            board.path,
            "--yes",
        ]
        with subprocess.Popen(
            [*command, "--firmware", str(new)], stderr=subprocess.PIPE, text=True
        ) as tool:
            for line in tool.stderr:
                if "% sent" in line:
                    break
            tool.terminate()
            said = tool.stderr.read()
        assert tool.returncode == 143 and "Traceback" not in said, said
        assert install.wait_good(lambda: SerialLink(board.path), "a", 120)["firmware"] == "old"

        killed = Repl(board.path)
        killed.__enter__()
        killed.close()  # as the system does it for a process that is killed
        assert install.wait_good(lambda: SerialLink(board.path), "a", 120)["firmware"] == "old"


@pytest.mark.slow
def test_a_board_that_dies_at_each_start_can_be_reached(image: Path, firmware) -> None:
    """Tools have sent hello for a while: unread input may not hide a Ctrl-C."""
    loader = {name: (ROOT / "firmware" / name).read_bytes() for name in ("main.py", "slots.py")}
    with Runner(image, loader) as board:  # and no application
        link = SerialLink(board.path)
        heard = b""
        for number in range(2000):
            if heard.count(b"application died") > 2:
                break
            link.write(4 * messages.encode({"id": number, "do": "hello"}))
            heard += link.read(0.2)
        link.close()
        assert number > 10, "more than the board's buffer of 512 bytes holds"
        code, report = flash(board.path, firmware("new", filler=0), "--yes")
        assert code == 0, report


def test_a_pointer_that_no_loader_wrote_starts_what_there_is(
    image: Path, firmware, bundle_of
) -> None:
    files = flash_files(bundle_of(firmware("old", filler=0), "old"))
    for slot, pointer in (("a", b"garbage"), ("b", b"\xff\xfe\n")):
        there = {path.replace("slot/a", f"slot/{slot}"): files[path] for path in files}
        chip = Chip(image, make_files(there | {"slot.txt": pointer}))
        hello = None
        for _ in range(20):  # a start that fails forgets what was sent
            hello = hello or answer(chip, 1.0)
        assert hello and hello["slot"]["name"] == slot and hello["firmware"] == "old"


@pytest.mark.slow
def test_a_board_that_hangs_in_the_middle_of_an_upload(
    image: Path, firmware, bundle_of, monkeypatch
) -> None:
    """Silent for ever: the ladder, then the hint to BOOTSEL, exit code 4, the old application.
    Silent for a while: the ladder wakes it, the file is sent again, the update succeeds."""
    import argparse

    from spiceboard.board.repl import NoRepl
    from spiceboard.commands import flash as command

    monkeypatch.setattr("spiceboard.board.repl.READ_S", 1.0)  # 12 s at this port
    monkeypatch.setattr("spiceboard.board.repl.LADDER_S", 1.0)  # and three times 3 s
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    new = firmware("new", filler=1)
    with Runner(image, flash_files(bundle_of(firmware("old", filler=1), "old"))) as board:
        arguments = parser.parse_args(["--port", board.path, "--firmware", str(new), "--yes"])
        flasher = command.Flasher(arguments)
        hung: list[float] = []

        def hang(_count: int) -> None:
            if not hung:
                hung.append(time.monotonic())
                board.call("freeze", True)

        flasher.on_chunk = hang
        with pytest.raises(NoRepl, match=r"hold BOOTSEL.*the old application") as error:
            flasher.run()
        assert error.value.exit_code == 4 and time.monotonic() - hung[0] > 12
        board.call("freeze", False)
        install.wait_good(lambda: SerialLink(board.path), "a", 120)

        hung.clear()
        waking = threading.Timer(15, board.call, ("freeze", False))

        def nap(count: int) -> None:
            if not hung:
                hang(count)
                waking.start()

        flasher = command.Flasher(arguments)
        flasher.on_chunk = nap
        assert flasher.run() == 0 and flasher.report["result"]["slot"] == "b"
        waking.join()
        assert read_files(board.call("files"))["slot.txt"] == b"b a good 0\n"


def copies_of_one_upload(image: Path, files: dict[str, bytes], new: Path) -> list[bytes]:
    """The flash after each chunk of one upload, after the switch, and at each step between."""
    import argparse

    from spiceboard.commands import flash as command

    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    copies: list[bytes] = []
    with Runner(image, files) as board:
        arguments = parser.parse_args(
            ["--port", board.path, "--firmware", str(new), "--yes", "--json"]
        )
        flasher = command.Flasher(arguments)
        flasher.on_chunk = lambda _count: copies.append(board.call("files"))
        real = install.Repl.run

        def run(repl, code: str) -> str:
            printed = real(repl, code)
            if not code.startswith("append("):  # chunks are counted by on_chunk
                copies.append(board.call("files"))
            return printed

        install.Repl.run = run
        try:
            assert flasher.run() == 0
        finally:
            install.Repl.run = real
        copies.append(board.call("files"))
    return copies


@pytest.mark.slow
def test_cut_at_every_chunk_the_board_starts_old_or_new(image: Path, firmware, bundle_of) -> None:
    """One upload; the flash is copied after each chunk and each command, and each copy started.
    The loader in the root is another one too, and is renewed.

    Every distinct copy is checked on the desktop (it mounts, kept data are whole, the slot that
    the pointer names is byte for byte the old or the new application) and started on an emulated
    board, which must answer with the one version or the other.
    """
    old, new = bundle_of(firmware("old", filler=1), "old"), firmware("new", filler=1)
    for name in old.root:
        with open(new / name, "a") as file:
            file.write("# a loader that was changed\n")
    fresh = bundle_of(new, VERSION)  # the version that the command writes into the manifest
    copies = copies_of_one_upload(image, flash_files(old) | KEPT, new)
    versions, roots = [], []
    distinct = list(dict.fromkeys(copies))
    assert len(distinct) > 15, "the upload had fewer chunks than this test is about"
    for copy in distinct:
        files = read_files(copy)
        assert data_of(copy) == KEPT
        slot = files["slot.txt"].decode().split()[0]
        there = {p[len("slot/a/") :]: c for p, c in files.items() if p.startswith(f"slot/{slot}/")}
        assert there in (old.files, fresh.files), "a mixture"
        chip = Chip(image, copy)
        chip.run_until(lambda chip=chip: chip.connected, 2.0)
        hello = answer(chip)
        assert hello, "the board does not start"
        versions.append(hello["firmware"])
        assert hello["firmware"] == ("old" if there == old.files else "new")
        roots.append(tuple(files[name] == old.root[name] for name in ("slots.py", "main.py")))
    assert versions[0] == "old" and versions[-1] == "new"
    assert versions == sorted(versions, key=("old", "new").index), "old, then new, never back"
    assert list(dict.fromkeys(roots)) == [(True, True), (False, True), (False, False)]
    assert versions[roots.index((False, True))] == "new", "the loader follows a good application"


@pytest.mark.slow
def test_cut_at_every_step_of_a_first_installation(image: Path, firmware, bundle_of) -> None:
    """Over another program: it starts until ours is whole, or the board waits at its prompt."""
    old = {"main.py": b"print('another program')\n"} | KEPT
    new = firmware("new", filler=0)
    copies = copies_of_one_upload(image, old, new)
    loader = (new / "main.py").read_bytes()
    mains = []
    for copy in dict.fromkeys(copies):
        files = read_files(copy)
        assert data_of(copy) == KEPT
        mains.append(files["main.py"])
        if files["main.py"] == loader:
            assert files["main.old"] == old["main.py"]
            chip = Chip(image, copy)
            chip.run_until(lambda chip=chip: chip.connected, 2.0)
            assert (answer(chip) or {}).get("firmware") == "new"
    assert list(dict.fromkeys(mains)) == [old["main.py"], loader]


def test_cut_at_every_write_of_the_flash(image: Path, firmware, bundle_of: Callable) -> None:
    """Finer than chunks: a copy after each erase and each page program of the switch itself."""
    old, new = (
        bundle_of(firmware("old", filler=0), "old"),
        bundle_of(firmware("new", filler=0), "new"),
    )
    files = flash_files(old) | KEPT | {f"slot/b/{k}": v for k, v in new.files.items()}
    chip = Chip(image, make_files({**files, "main.py": b""}))
    chip.run_until(lambda: chip.connected, 1.0)
    copies = [chip.files()]
    chip.on_flash = lambda: copies.append(chip.files())
    chip.send(
        b"\r\x01import os\nf=open('/slot.new','w')\nf.write('b a trial 0\\n')\nf.close()\n"
        b"os.rename('/slot.new','/slot.txt')\nprint('done')\n\x04"
    )
    chip.run_until(lambda: b"done\r\n" in chip.output, 3.0)
    lines = [read_files(copy)["slot.txt"] for copy in copies]
    assert len(copies) > 4 and lines[0] == b"a - good 0\n" and lines[-1] == b"b a trial 0\n"
    assert set(lines) == {lines[0], lines[-1]}, "the pointer is the old line or the new one"
