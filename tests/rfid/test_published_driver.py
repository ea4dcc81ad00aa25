"""A published MFRC522 driver reads our virtual tags: pi-rc522 (PyPI, MIT licence).

Its spidev and RPi.GPIO are replaced by the register-level chip model; nothing else of it is
touched. It walks no collisions, so it judges single tags: init, REQA, anticollision of two
levels, the CRC coprocessor, SELECT, READ.
"""

import importlib
import shutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checkout import ROOT
from register_rig import Rig
from spiceboard_sim.chips.ntag213 import Tag

REQUIREMENTS = ROOT / "tests/judges/requirements.txt"
JUDGES = Path(sys.prefix) / "judges"
CALL_NS = 20_000  # what a spidev ioctl takes on a Raspberry Pi, at the least
UIDS = [bytes.fromhex(uid) for uid in ("deadbe01", "04112233445566", "04a1b2c3d4e5f6")]


@pytest.fixture(scope="module")
def judges() -> Path:
    """Folder with the published driver, installed once beside the virtual environment's own."""
    if not (JUDGES / "pirc522").is_dir():
        with tempfile.TemporaryDirectory(dir=sys.prefix) as folder:
            fresh = Path(folder) / "judges"
            command = [
                sys.executable,
                "-m",
                "pip",
                "install",
                "-q",
                "--no-deps",
                "--require-hashes",
            ]
            command += ["--target", str(fresh), "-r", str(REQUIREMENTS)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if done.returncode:
                pytest.skip(f"pi-rc522 could not be installed: {done.stderr.strip()[-200:]}")
            shutil.rmtree(JUDGES, ignore_errors=True)
            shutil.move(fresh, JUDGES)
    return JUDGES


class SpiDev:
    """spidev's class: one chip select, on the rig's virtual time."""

    rig: Rig
    max_speed_hz = 0

    def open(self, bus: int, device: int) -> None:
        assert (bus, device) == (0, 0)

    def xfer2(self, data: list[int]) -> list[int]:
        assert self.max_speed_hz <= 10_000_000
        self.rig.ns += CALL_NS
        self.rig.select(True)
        answer = self.rig.transfer(bytes(data))
        self.rig.select(False)
        return list(answer)


@pytest.fixture
def published(judges: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """function(tags) -> (the published driver, initialised, and the rig)."""
    spidev = types.ModuleType("spidev")
    spidev.SpiDev = SpiDev  # type: ignore[attr-defined]
    gpio = types.ModuleType("RPi.GPIO")
    gpio.BOARD = 10  # type: ignore[attr-defined]
    gpio.setmode = lambda mode: None  # type: ignore[attr-defined]
    rpi = types.ModuleType("RPi")
    rpi.GPIO = gpio  # type: ignore[attr-defined]
    for module in (spidev, gpio, rpi):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.syspath_prepend(str(judges))
    driver = importlib.import_module("pirc522.rfid")

    def make(*tags: Tag) -> tuple[Any, Rig]:
        rig = Rig(tags)
        monkeypatch.setattr(SpiDev, "rig", rig, raising=False)
        rfid = driver.RFID(pin_rst=0, pin_irq=None)
        rig.sleep_us(5000)
        return rfid, rig

    yield make


@pytest.mark.parametrize("uid", UIDS, ids=bytes.hex)
def test_reads_a_single_tag(published: Any, uid: bytes) -> None:
    rfid, _ = published(Tag(uid))
    assert bytes(rfid.read_id()) == uid


def test_sees_nobody_in_an_empty_field(published: Any) -> None:
    rfid, _ = published()
    assert rfid.request() == (True, None)
    assert rfid.read_id() is None


def test_request_gets_the_atqa(published: Any) -> None:
    rfid, _ = published(Tag(UIDS[1]))
    assert rfid.request() == (False, 16)
    assert rfid.request()[0], "REQA sends a READY tag back to IDLE"
    assert rfid.request() == (False, 16)


def test_selects_with_the_crc_coprocessor_and_reads_a_page(published: Any) -> None:
    uid = UIDS[0]
    rfid, _ = published(Tag(uid))
    assert not rfid.request()[0]
    error, level = rfid.anticoll()
    assert not error and bytes(level[:4]) == uid
    assert rfid.select_tag(level) is False
    error, data = rfid.read(3)
    assert not error
    assert bytes(data[:4]) == bytes.fromhex("e1101200"), "capability container of an NTAG213"


def test_coprocessor_and_our_crc_agree(published: Any) -> None:
    from rfid.mfrc522 import crc_a

    rfid, _ = published()
    for data in ([0x50, 0x00], [0x12, 0x34], [0x93, 0x70, 0xDE, 0xAD, 0xBE, 0x01, 0xCC]):
        low, high = rfid.calculate_crc(data)
        assert crc_a(bytearray(data), len(data)) == high << 8 | low


def test_two_tags_are_beyond_it(published: Any) -> None:
    """It takes a collision as an error: here our own walk starts where the public code ends."""
    rfid, _ = published(Tag(UIDS[1]), Tag(UIDS[2]))
    assert not rfid.request()[0]
    error, _ = rfid.anticoll()
    assert error
