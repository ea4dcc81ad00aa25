"""From an empty chip to a board that plays: BOOTSEL, UF2, firmware, hello, monitor, diagnosis.

The real command line, as a user has it, at an emulated RP2040 whose flash is blank. The boot ROM's
drive is a FAT16 image (emulator/bootsel.py); the port goes away at each restart, as USB does.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import ROOT
from spiceboard.board.client import Client
from spiceboard.board.link import SerialLink
from spiceboard.flash import install
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator.board import installed, roster_files, settings_files
from spiceboard_sim.emulator.chip import UNIQUE_ID, bootable
from spiceboard_sim.emulator.flash import read_files
from spiceboard_sim.emulator.runner import Runner
from spicecore.storage.on_demand.settings import GAINS_DB
from spicecore.version import VERSION

pytestmark = pytest.mark.emulated
PATIENCE_S = 1800
NEWER = VERSION + ".1"


class Desk:
    """One emulated board, its link and its drive, and the command line beside it."""

    def __init__(self, folder: Path, image: Path | None, files: bytes | dict | None) -> None:
        self.drive, self.link = folder / "RPI-RP2", folder / "board"
        self.drive.mkdir()
        self.board = Runner(image, files, link=self.link, drive=self.drive)

    def spiceboard(self, *words: str) -> subprocess.CompletedProcess:
        """Run a command; what it prints and how it ends."""
        done = subprocess.run(
            [sys.executable, "-m", "spiceboard.commands.main", *words],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "SPICEBOARD_VOLUMES": str(self.drive)},
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def flash(self, *options: str) -> tuple[int, dict]:
        """`spiceboard flash` by the link's name: exit code and report."""
        done = self.spiceboard("flash", "--port", str(self.link), "--json", "--yes", *options)
        report = json.loads(done.stdout)
        assert report["exit_code"] == done.returncode
        return done.returncode, report

    def until(self, found, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not found():
            assert time.monotonic() < end, "it did not come"
            time.sleep(0.05)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator:
    made: list[Desk] = []

    def make(image: Path | None, files: bytes | dict | None = None) -> Desk:
        made.append(Desk(tmp_path, image, files or {}))
        return made[-1]

    yield make
    for one in made:
        one.board.stop()


@pytest.mark.slow
def test_an_empty_chip_becomes_a_board(image: Path, desk, tmp_path: Path) -> None:
    """Blank flash -> the tested image by BOOTSEL -> the whole firmware -> hello -> the tools."""
    at = desk(None)
    at.until(lambda: (at.drive / "INFO_UF2.TXT").exists())
    assert not at.link.exists(), "a blank chip has no serial port"
    done = at.spiceboard("flash", "--volume", str(at.drive), "--yes")
    assert done.returncode == 2 and "RPI_PICO-20250415-v1.25.0.uf2" in done.stderr

    code, report = at.flash("--volume", str(at.drive), "--uf2", str(image), "--wait", "900")
    assert code == 0, report
    assert report["board"]["python"] == "1.25.0" and report["board"]["board"] == UNIQUE_ID.hex()
    assert report["result"] == {"before": "nothing", "after": VERSION, "slot": "a"}
    assert list(at.drive.iterdir()) == [], "the drive has gone"
    files = read_files(at.board.call("files"))
    assert files["main.py"] == (ROOT / "firmware/main.py").read_bytes()
    assert files["slot.txt"] == b"a - good 0\n"
    hello = install.wait_good(lambda: SerialLink(str(at.link)), "a", 900)
    assert hello["firmware"] == VERSION and hello["slot"]["failed"] == 0


@pytest.mark.slow
def test_tools_work_at_a_board_that_runs(image: Path, desk, tmp_path: Path) -> None:
    """The whole firmware: monitor, diagnosis, an update of one file, a comparison, and back to the
    version before; each command follows the last one at once, as a person types."""
    kept = roster_files(World(0)) | settings_files({"brightness": 40})
    at = desk(image, installed() | kept)
    assert install.wait_good(lambda: SerialLink(str(at.link)), "a", 900)
    said = at.spiceboard("monitor", "--port", str(at.link), "--seconds", "2")
    assert said.returncode == 0, said.stderr
    assert f"board {UNIQUE_ID.hex()}, firmware {VERSION}" in said.stderr
    said = at.spiceboard("diag", "--port", str(at.link), "--json", "--no-reads")
    report = json.loads(said.stdout)
    assert said.returncode == 0 and report["findings"] == [], report["findings"]
    assert set(report["measured"]["readers"]) == set(report["measured"]["zones"])
    assert report["measured"]["board"]["machine"] == "Raspberry Pi Pico with RP2040"

    newer = one_file_changed(tmp_path)
    code, report = at.flash("--firmware", str(newer), "--wait", "900")
    assert code == 0 and report["result"]["slot"] == "b", report
    assert set(report["plan"]["upload"]) == {"spicecore/version.mpy", "manifest.json"}
    assert len(report["plan"]["copy"]) > 40, "what did not change is copied on the board"
    code, report = at.flash("--verify")
    assert code == 1 and report["differ"] == ["manifest.json", "spicecore/version.mpy"]

    code, report = at.flash("--rollback", "--wait", "900")  # the board is restarting just now
    assert code == 0, report
    assert report["result"] == {"slot": "a", "after": VERSION}
    hello = install.wait_good(lambda: SerialLink(str(at.link)), "a", 900)
    assert hello["firmware"] == VERSION and hello["slot"]["previous"] == "b"
    files = read_files(at.board.call("files"))
    assert {path: files[path] for path in kept} == kept, "data are never touched"


@pytest.mark.slow
def test_a_board_learns_its_chips_and_is_diagnosed_and_calibrated(image: Path, desk) -> None:
    """Pairing by hand, all reads of a diagnosis with a chip in every zone, gain by read rate."""
    roster = roster_files(World(0))
    at = desk(image, installed() | roster)
    assert install.wait_good(lambda: SerialLink(str(at.link)), "a", 900)
    port = ("--port", str(at.link))
    at.board.call("lay", "b20", "saffron")  # another chip than is asked for
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "spiceboard.commands.main",
            "roster",
            "pair",
            "--only",
            "b10",
            *port,
        ],
        stdout=subprocess.PIPE,
        text=True,
    ) as pairing:
        for line in pairing.stdout:
            if "lift it" in line:
                at.board.call("lift", line.split("`")[1])
            elif "Lay Blue 10" in line:
                at.board.call("lay", "b10", "saffron")
    assert pairing.returncode == 0

    said = at.spiceboard("diag", *port, "--layout", "--json")
    for chip, zone in json.loads(said.stdout)["layout"].items():
        at.board.call("lay", chip, zone)
    said = at.spiceboard("diag", *port, "--json", "--laid", "--quick")
    report = json.loads(said.stdout)
    assert said.returncode == 0 and report["findings"] == [], report["findings"]

    said = at.spiceboard("roster", "find", "r30", *port)
    assert said.returncode == 0 and "Red 30 is in `cinnamon`" in said.stdout
    said = at.spiceboard("calibrate", *port, "--only", "gain", "--zones", "curry", "--yes")
    assert said.returncode == 0 and "curry" in said.stdout, said.stdout + said.stderr
    stored = json.loads(at.spiceboard("calibrate", *port, "--show").stdout)
    assert stored["version"] >= 1 and stored["gain_db"]["curry"] in GAINS_DB


def one_file_changed(folder: Path) -> Path:
    """The firmware's sources, of which one module says another version."""
    import shutil

    copy = folder / "newer"
    shutil.copytree(ROOT / "firmware", copy, ignore=shutil.ignore_patterns("__pycache__"))
    path = copy / "lib/spicecore/version.py"
    path.write_text(path.read_text().replace(f'"{VERSION}"', f'"{NEWER}"'))
    return copy


def test_a_board_is_sent_to_bootsel_and_the_same_one_comes_back(
    image: Path, desk, firmware, bundle_of
) -> None:
    """It runs an application: `machine.bootloader()`, drive, copy, and it is found again."""
    from emulated.conftest import flash_files

    files = flash_files(bundle_of(firmware("old", filler=0), "old")) | {"data/kept": b"kept"}
    at = desk(image, files)
    at.until(at.link.exists)
    code, report = at.flash("--uf2", str(image), "--firmware", str(firmware("new", filler=0)))
    assert code == 0 and report["running"]["firmware"] == "old"
    assert report["uf2"]["versions"] == {"RP2040": "1.25.0"}
    assert report["result"]["slot"] == "b"
    assert read_files(at.board.call("files"))["data/kept"] == b"kept"
    client = Client(SerialLink(str(at.link)))
    assert client.request("hello", timeout=30)["firmware"] == "new"
    client.close()


@pytest.mark.slow
def test_another_board_in_its_place_is_refused(image: Path, desk) -> None:
    at = desk(image)
    at.until(at.link.exists)
    # a board learns its number when it starts: this one keeps the old one until it is flashed
    at.board.call("become", bytes.fromhex("e6614103e7000002"))
    before = at.board.call("files")
    code, report = at.flash("--uf2", str(image))
    assert code == 3 and "(e6614103e7000002) is not the one" in report["error"]
    assert UNIQUE_ID.hex() in report["error"] and "nothing was written to it" in report["error"]
    assert read_files(at.board.call("files")) == read_files(before)


@pytest.mark.slow
def test_a_file_for_the_other_chip_stays_on_the_desktop(image: Path, desk, tmp_path) -> None:
    """Neither a board that runs nor one in BOOTSEL is touched; exit code 5."""
    wrong = tmp_path / "pico2.uf2"
    blocks = bytearray(image.read_bytes())
    for at_byte in range(28, len(blocks), 512):
        blocks[at_byte : at_byte + 4] = (0xE48BFF59).to_bytes(4, "little")
    wrong.write_bytes(blocks)
    at = desk(image)
    at.until(at.link.exists)
    before = at.board.call("files")
    code, report = at.flash("--uf2", str(wrong))
    assert code == 5 and "is for the RP2350" in report["error"]
    assert not at.board.call("in_bootsel") and at.board.call("files") == before
    at.board.call("power_cycle", True)
    at.until(lambda: (at.drive / "INFO_UF2.TXT").exists())
    code, report = at.flash("--volume", str(at.drive), "--uf2", str(wrong))
    assert code == 5 and "is for the RP2350" in report["error"]
    assert sorted(path.name for path in at.drive.iterdir()) == ["INDEX.HTM", "INFO_UF2.TXT"]
    # What the tool prevents: the boot ROM passes such a file over without a word.
    (at.drive / "pico2.uf2").write_bytes(wrong.read_bytes()[: 512 * 20])
    at.until(lambda: at.board.call("sectors_ignored") == 20)
    assert at.board.call("in_bootsel")


@pytest.mark.slow
def test_a_board_that_never_comes_back_is_told(image: Path, desk) -> None:
    at = desk(None)
    at.until(lambda: (at.drive / "INFO_UF2.TXT").exists())
    at.board.call("stay_away")
    code, report = at.flash("--volume", str(at.drive), "--uf2", str(image))
    assert code == 3 and "did not come back within 20 s" in report["error"]
    assert "unplug it and plug it in again" in report["error"]
    at.board.call("power_cycle", False)  # which is what the sentence asks for
    at.until(at.link.exists)


def test_the_boot_rom_checks_the_second_stage(image: Path) -> None:
    first = image.read_bytes()[32 : 32 + 256]
    assert bootable(first) and not bootable(b"\xff" * 256)
    assert not bootable(first[:100] + bytes([first[100] ^ 1]) + first[101:])
