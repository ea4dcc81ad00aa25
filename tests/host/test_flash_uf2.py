"""Interpreter images: families, broken files, and copying to a FAT volume in BOOTSEL."""

import argparse
import contextlib
import hashlib
import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkout import ROOT
from spiceboard.board.link import Absent, find
from spiceboard.board.ports import Bootsel, choose, in_bootsel
from spiceboard.commands import main
from spiceboard.errors import LinkError, UserError
from spiceboard.flash import bootsel, images, interpreter
from spiceboard.flash.uf2 import BadUf2, read_uf2
from spiceboard_sim.emulator import image
from uf2_files import ABSOLUTE, BANNER, IGNORE, RP2040, RP2350_ARM, RP2350_RISCV, block, e10, uf2

INFO_RP2040 = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
INFO_RP2350 = "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n"


@pytest.fixture
def write(tmp_path: Path) -> Iterator:
    """Writes a file and gives its path."""

    def make(data: bytes, name: str = "image.uf2") -> Path:
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return make


@pytest.mark.parametrize(
    ("family", "chip"), [(RP2040, "RP2040"), (RP2350_ARM, "RP2350"), (RP2350_RISCV, "RP2350")]
)
def test_a_file_says_its_chip_and_version(write, family: int, chip: str) -> None:
    found = read_uf2(write(uf2(family)))
    assert (found.versions, found.blocks) == ({chip: "1.25.0"}, 8)
    assert found.sha256 == hashlib.sha256(uf2(family)).hexdigest()


NEWER = b"v1.26.1 on 2025-09-11"
UNIVERSAL = e10() + uf2(RP2040) + uf2(RP2350_ARM, text=NEWER) + uf2(RP2350_RISCV, text=NEWER)
SPREAD = block(RP2040, 0, 2, address=0x10000000, payload=b"x" * 246 + BANNER[:10]) + block(
    RP2040, 1, 2, address=0x10000100, payload=BANNER[10:]
)


@pytest.mark.parametrize(
    ("data", "versions"),
    [
        (e10(0x2000) + uf2(RP2350_ARM), {"RP2350": "1.25.0"}),
        (e10(0xA000) + uf2(RP2350_ARM), {"RP2350": "1.25.0"}),
        (uf2(RP2350_ARM) + e10(0x2000), {"RP2350": "1.25.0"}),
        (uf2(ABSOLUTE), {"RP2350": "1.25.0"}),  # made with `--family absolute`
        (UNIVERSAL, {"RP2040": "1.25.0", "RP2350": "1.26.1"}),
        (uf2(0x12345678, 3) + uf2(RP2040), {"RP2040": "1.25.0"}),
        (block(RP2040, 0, 1, flags=0x2001) + uf2(RP2040), {"RP2040": "1.25.0"}),
        (block(0, 0, 1, flags=0x1000) + uf2(RP2040), {"RP2040": "1.25.0"}),
        (block(RP2040, 7, 9, flags=0xA000, tags=IGNORE) + uf2(RP2040), {"RP2040": "1.25.0"}),
        (
            block(RP2040, 7, 9, flags=0xA000, tags=b"\x07abcdef\0" + IGNORE) + uf2(RP2040),
            {"RP2040": "1.25.0"},  # behind another tag of seven bytes, padded to eight
        ),
        (SPREAD[512:] + SPREAD[:512], {"RP2040": "1.25.0"}),  # in any order, across a seam
        (uf2(RP2040) + uf2(RP2040)[1024:1536], {"RP2040": "1.25.0"}),  # one block twice
        (
            b"".join(  # a gap between code and file system
                block(RP2040, n, 4, address=0x10000000 + 0x40000 * n, payload=BANNER)
                for n in range(4)
            ),
            {"RP2040": "1.25.0"},
        ),
    ],
)
def test_a_file_as_the_pico_tools_may_write_it(write, data: bytes, versions: dict) -> None:
    found = read_uf2(write(data))
    assert found.versions == versions and found.blocks == len(data) // 512


def test_a_file_for_both_chips_fits_either(write, volume: Path) -> None:
    both = read_uf2(write(UNIVERSAL))
    assert both.about == "1.25.0 for the RP2040 and 1.26.1 for the RP2350"
    for chip in ("RP2040", "RP2350"):
        bootsel.check_family(both, chip, "the board")


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "not a complete"),
        (uf2(RP2040)[:-100], "not a complete"),
        (uf2(RP2040)[:-512], "incomplete"),
        (uf2(RP2040)[512:], "incomplete"),
        (b"PK\x03\x04".ljust(1024, b"\0"), "not a UF2"),
        (uf2(RP2040, flags=0), "which chip"),
        (uf2(0x12345678), "not for RP2040 or RP2350.*unknown family 0x12345678"),
        (e10(), "not for"),
        (e10() + uf2(RP2350_ARM)[:-512], "incomplete: it has 7 of 8 blocks for RP2350"),
        (uf2(RP2040) + uf2(RP2350_ARM)[512:], "incomplete: it has 7 of 8 blocks for RP2350"),
        (block(ABSOLUTE, 0, 2) + uf2(RP2350_ARM), "incomplete: it has 1 of 2 blocks"),
        (block(RP2040, 0, 0xFFFFFFFF, payload=BANNER), "incomplete: it has 1 of 4294967295"),
        (block(RP2040, 0, 0, payload=BANNER), "incomplete: it has 1 of 0"),
        (block(RP2040, 5, 1, payload=BANNER), "incomplete"),
        (uf2(RP2040) + block(RP2040, 3, 8, payload=b"other"), "contradict"),
        (uf2(RP2040) + block(RP2040, 8, 9), "contradict"),
        (
            block(RP2040, 0, 2) + block(RP2040, 1, 2, address=0x10000000),
            "address 0x10000000 twice",
        ),
        (block(RP2040, 0, 1, address=0x20000000), "not for the flash"),
        (block(RP2040, 0, 1, size=476), "not for the flash"),
        (block(RP2040, 0, 1, size=477), "not a UF2"),
        (block(RP2040, 0, 1, size=0xFFFFFFFF), "not a UF2"),
    ],
)
def test_broken_files_are_named(write, data: bytes, word: str) -> None:
    with pytest.raises(BadUf2, match=word):
        read_uf2(write(data))


def test_a_checksum_is_compared(write) -> None:
    path = write(uf2(RP2040))
    read_uf2(path, hashlib.sha256(path.read_bytes()).hexdigest().upper())
    with pytest.raises(BadUf2, match="checksum"):
        read_uf2(path, "0" * 64)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(UserError, match="it is not a file"):
            read_uf2(path)
    with pytest.raises(UserError, match="cannot read"):
        read_uf2(Path("a\0b.uf2"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read") as caught:
        read_uf2(tmp_path / "none.uf2")
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("keep", [("--verify",), ("--rollback",), ("--backup", "kept.zip")])
def test_a_board_that_is_to_be_kept_gets_no_interpreter(
    write, volume: Path, capsys, keep: tuple[str, ...]
) -> None:
    path = write(uf2(RP2040))
    words = ["flash", "--volume", str(volume), "--uf2", str(path), "--yes", *keep]
    assert main.main(words) == 2
    assert f"cannot be combined with {keep[0]}" in capsys.readouterr().err
    assert [path.name for path in volume.iterdir()] == ["INFO_UF2.TXT"]


def test_another_program_is_never_copied(write, volume: Path, capsys) -> None:
    path = write(uf2(RP2040, text=b"another program"))
    words = ["flash", "--volume", str(volume), "--uf2", str(path), "--yes"]
    assert main.main(words) == 5
    assert "no version of MicroPython" in capsys.readouterr().err
    assert [path.name for path in volume.iterdir()] == ["INFO_UF2.TXT"]


# --- the volume: a FAT16 image where the kernel mounts one, else a folder


def fat16(size: int = 16 * 1024 * 1024) -> bytes:
    """An empty FAT16 volume, laid out as the boot ROM's (Microsoft's FAT specification 1.03)."""
    image = bytearray(size)
    image[0:11] = b"\xeb\x3c\x90MSDOS5.0"
    struct.pack_into(
        "<HBHBHHBHHHII", image, 11, 512, 4, 1, 2, 512, size // 512, 0xF8, 64, 1, 1, 0, 0
    )
    struct.pack_into("<BBBI", image, 36, 0x80, 0, 0x29, 0x12345678)
    image[43:62] = b"RPI-RP2    FAT16   "
    image[510:512] = b"\x55\xaa"
    for table in (1, 65):
        image[table * 512 : table * 512 + 4] = b"\xf8\xff\xff\xff"
    return bytes(image)


@pytest.fixture
def volume(tmp_path: Path) -> Iterator[Path]:
    """What a board in BOOTSEL shows."""
    folder = tmp_path / "RPI-RP2"
    folder.mkdir()
    image = tmp_path / "fat.img"
    image.write_bytes(fat16())
    mount = ["mount", "-o", "loop", "-t", "vfat", str(image), str(folder)]
    mounted = shutil.which("mount") and not subprocess.run(mount, capture_output=True).returncode
    (folder / "INFO_UF2.TXT").write_text(INFO_RP2040)
    yield folder
    if mounted:
        subprocess.run(["umount", folder], check=True)


def test_the_file_arrives_whole_and_flushed(write, volume: Path, monkeypatch) -> None:
    flushed = []
    real = bootsel.os.fsync
    monkeypatch.setattr(bootsel.os, "fsync", lambda fd: (flushed.append(fd), real(fd)))
    image = read_uf2(write(uf2(RP2040, 600)))
    steps: list[tuple[int, int]] = []
    bootsel.copy(image, in_bootsel([volume])[0], lambda done, all_: steps.append((done, all_)))
    assert (volume / "image.uf2").read_bytes() == image.path.read_bytes()
    assert flushed and steps[-1] == (600 * 512, 600 * 512)


@pytest.mark.parametrize(
    ("info", "family", "chip"),
    [(INFO_RP2040, RP2350_ARM, "RP2350"), (INFO_RP2350, RP2040, "RP2040")],
)
def test_a_file_for_the_other_chip_is_never_copied(
    write, volume: Path, info, family, chip
) -> None:
    (volume / "INFO_UF2.TXT").write_text(info)
    board = in_bootsel([volume])[0]
    with pytest.raises(bootsel.WrongChip, match=f"is for the {chip}"):
        bootsel.copy(read_uf2(write(uf2(family))), board)
    assert [path.name for path in volume.iterdir()] == ["INFO_UF2.TXT"]


def test_a_foreign_bootloader_gets_nothing(write, volume: Path) -> None:
    (volume / "INFO_UF2.TXT").write_text("Board-ID: SAMD21G18A-Feather-v0\n")
    with pytest.raises(bootsel.WrongChip, match="does not say which chip"):
        bootsel.copy(read_uf2(write(uf2(RP2040))), in_bootsel([volume])[0])


def test_a_full_volume_is_told(write, volume: Path, capsys) -> None:
    """The system itself says that there is no room (/dev/full); through the whole command."""
    path = write(uf2(RP2040), "full.uf2")
    try:
        (volume / "full.uf2").symlink_to("/dev/full")
    except OSError:  # a mounted FAT has no links: fill it instead
        (volume / "filler").write_bytes(bytes(15 * 1024 * 1024))
        path = write(uf2(RP2040, 8000), "full.uf2")
    words = ["flash", "--volume", str(volume), "--uf2", str(path), "--yes"]
    assert main.main(words) == 6
    said = capsys.readouterr().err
    assert "No space left" in said and "hold BOOTSEL" in said


def test_a_board_that_does_not_come_back_is_told() -> None:
    clock = [0.0]
    with pytest.raises(LinkError, match="did not come back within 20 s"):
        bootsel.wait_for_port(
            lambda: None, now=lambda: clock[0], sleep=lambda s: clock.__setitem__(0, clock[0] + s)
        )


def test_a_board_that_comes_back_is_found_again() -> None:
    answers = iter([None, None, "/dev/ttyACM1"])
    assert bootsel.wait_for_port(lambda: next(answers), sleep=lambda _s: None) == "/dev/ttyACM1"


class Leaving:
    """A volume that goes `gone` s after the copy, and a board that is back after `back` s (None:
    never)."""

    def __init__(self, gone: float, back: float | None) -> None:
        self.gone, self.back, self.clock = gone, back, 0.0

    def now(self) -> float:
        return self.clock

    def sleep(self, seconds: float) -> None:
        self.clock += seconds

    def find(self) -> str | None:
        return "/dev/ttyACM0" if self.back is not None and self.clock >= self.back else None

    def there(self) -> bool:
        return self.clock < self.gone


@pytest.mark.parametrize("error", [5, 6, 19, 22, 30])  # as Linux, macOS and Windows name it
def test_an_error_of_the_last_flush_is_no_verdict(
    write, volume: Path, monkeypatch, error: int
) -> None:
    def fsync(_fd: int) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(bootsel.os, "fsync", fsync)
    with pytest.raises(bootsel.Unclear):
        bootsel.copy(read_uf2(write(uf2(RP2040))), in_bootsel([volume])[0])


@pytest.mark.parametrize("gone", [0, 0.3, 2, 4.9, 60])
@pytest.mark.parametrize("back", [0, 0.2, 1, 4.9, 12, None])
def test_the_returning_port_decides(gone: float, back: float | None) -> None:
    """All orders of error, unmount and return: the port decides; silence is told as a failure."""
    board = Leaving(gone, back)
    words = {"now": board.now, "sleep": board.sleep, "there": board.there}
    words["trouble"] = bootsel.Unclear("it may be half written")
    if back is None or (back > 5 and gone > 5):
        with pytest.raises(bootsel.CopyFailed, match="may be half written") as failed:
            bootsel.wait_for_port(board.find, **words)
        assert failed.value.exit_code == 6
        assert board.clock == (5 if gone > 5 else 20)
    else:
        assert bootsel.wait_for_port(board.find, **words) == "/dev/ttyACM0"
        assert board.clock <= back + 0.25


@pytest.mark.parametrize(("comes_back", "code"), [(True, 0), (False, 6)])
def test_a_volume_that_lingers_after_the_copy(
    write, volume: Path, monkeypatch, capsys, comes_back: bool, code: int
) -> None:
    """Through the whole of the installer: EIO at the flush, the mount still visible."""

    def fsync(_fd: int) -> None:
        raise OSError(5, os.strerror(5))

    class Talk:
        report: dict = {}
        arguments = argparse.Namespace(
            uf2=str(write(uf2(RP2040))), sha256=None, dry_run=False, port=None
        )

        def say(self, text: str) -> None: ...
        def confirm(self, text: str) -> None: ...
        def progress(self, total: int) -> contextlib.AbstractContextManager:
            return contextlib.nullcontext(lambda done: None)

    monkeypatch.setattr(bootsel.os, "fsync", fsync)
    monkeypatch.setattr(bootsel, "GONE_S", 0.3)
    left: list[bool] = []

    def boards() -> list:
        left.append(True)
        return [PICO] if comes_back and len(left) > 2 else []

    monkeypatch.setattr(interpreter, "boards", boards)
    checked: list[str] = []
    monkeypatch.setattr(
        interpreter.Installer, "check", lambda self, port, uf2: checked.append(port)
    )
    installer = interpreter.Installer(Talk(), lambda port: None)
    if comes_back:
        assert installer.run(in_bootsel([volume])[0]) == checked[0] == PICO.device
    else:
        with pytest.raises(UserError) as failed:
            installer.run(in_bootsel([volume])[0])
        assert failed.value.exit_code == code


# --- choosing


class Port:
    """A recorded entry of pyserial's port list."""

    def __init__(self, device, vid=None, pid=None, serial=None, description="") -> None:
        self.device, self.vid, self.pid = device, vid, pid
        self.serial_number, self.description = serial, description


PICO = Port("/dev/ttyACM0", 0x2E8A, 0x0005, "e6614103e7000001")
OTHER = Port("/dev/ttyACM1", 0x2E8A, 0x0005, "e6614103e7000002")
FOREIGN = [
    Port("/dev/cu.Bluetooth-Incoming-Port"),
    Port("/dev/ttyUSB0", 0x10C4, 0xEA60, "0001", "CP2102"),
    Port("/dev/ttyS0"),
    Port("/dev/ttyACM9", 0x2341, 0x0043, "75833", "Arduino Uno"),
]


def test_the_only_board_is_taken() -> None:
    assert choose(None, ports=[*FOREIGN, PICO], volumes=[]) == "/dev/ttyACM0"


def test_none_is_refused_with_the_way_out() -> None:
    with pytest.raises(LinkError, match="hold BOOTSEL"):
        choose(None, ports=FOREIGN, volumes=[])


def test_two_are_listed_and_refused(volume: Path) -> None:
    with pytest.raises(LinkError) as error:
        choose(None, ports=[PICO, OTHER, *FOREIGN], volumes=[])
    assert "e6614103e7000001" in str(error.value) and "e6614103e7000002" in str(error.value)
    with pytest.raises(LinkError, match="BOOTSEL, RP2040"):
        choose(None, ports=[PICO], volumes=[volume])


def test_a_serial_number_chooses() -> None:
    assert choose("id:e6614103e7000002", ports=[PICO, OTHER], volumes=[]) == "/dev/ttyACM1"
    with pytest.raises(LinkError, match="no board has the serial number 42"):
        choose("id:42", ports=[PICO, OTHER], volumes=[])


DATA = Port("/dev/ttyACM2", 0x2E8A, 0x0005, "E6614103E7000001")  # of the same board as PICO


@pytest.mark.parametrize(
    "look",
    [
        lambda wanted, speaks: choose(wanted, ports=[PICO, DATA], volumes=[], speaks=speaks),
        lambda wanted, speaks: find(wanted, [PICO, DATA], {"HOME": "/nowhere"}, speaks),
    ],
    ids=["choose", "find"],
)
@pytest.mark.parametrize("wanted", [None, "id:E6614103E7000001", "id:e6614103e7000001"])
def test_one_board_with_two_ports(look, wanted: str | None) -> None:
    """A serial number has no case, and a console beside the data port is no second board."""
    assert look(wanted, lambda url: url == DATA.device) == DATA.device
    for answering, word in ((True, "both answer"), (False, "neither answers")):
        with pytest.raises(LinkError, match=f"one board, 2 ports, and {word}.*--port") as told:
            look(wanted, lambda url, yes=answering: yes)
        assert not isinstance(told.value, Absent)  # waiting would not help
        assert PICO.device in str(told.value) and DATA.device in str(told.value)


def test_two_boards_and_three_ports_are_several() -> None:
    with pytest.raises(LinkError, match="several boards"):
        choose(None, ports=[PICO, DATA, OTHER], volumes=[], speaks=lambda url: True)


def test_a_board_in_bootsel_is_seen(volume: Path) -> None:
    found = choose(None, ports=FOREIGN, volumes=[volume, volume / "missing"])
    assert isinstance(found, Bootsel) and found.chip == "RP2040"


def test_a_volume_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a board in BOOTSEL"):
        choose(None, volume=tmp_path)


def test_the_tested_image_is_pinned_by_its_checksum(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(UserError, match=r"build_image\.sh.*RPI_PICO-20250415-v1\.25\.0\.uf2"):
        images.find(tmp_path)
    folder = tmp_path / images.KEY
    folder.mkdir()
    (folder / images.NAME).write_bytes(uf2(RP2040))
    with pytest.raises(UserError, match="not one of the tested ones"):
        images.find(tmp_path)
    monkeypatch.setattr(images, "CHECKSUMS", (hashlib.sha256(uf2(RP2040)).hexdigest(),))
    assert images.find(tmp_path) == folder / images.NAME


def test_the_pin_is_for_what_the_script_builds() -> None:
    done = subprocess.run(
        [ROOT / "tools/build_image.sh", "--key"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == images.KEY


def test_without_a_file_the_right_one_is_named(
    volume: Path, tmp_path: Path, capsys, monkeypatch
) -> None:
    """A board in BOOTSEL and no --uf2: which file for its chip, and how it is checked."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = ["flash", "--volume", str(volume), "--yes"]
    for info, name in ((INFO_RP2040, "RPI_PICO-2"), (INFO_RP2350, "RPI_PICO2-2")):
        (volume / "INFO_UF2.TXT").write_text(info)
        assert main.main(words) == 2
        said = capsys.readouterr().err
        assert name in said and "--sha256" in said and "micropython.org" in said
        assert "--uf2 pinned" not in said
    image = images.folder() / images.KEY / images.NAME  # the tested one: it is for the RP2040
    image.parent.mkdir(parents=True)
    image.write_bytes(uf2(RP2040))
    monkeypatch.setattr(images, "CHECKSUMS", (hashlib.sha256(uf2(RP2040)).hexdigest(),))
    for info, named in ((INFO_RP2040, True), (INFO_RP2350, False)):
        (volume / "INFO_UF2.TXT").write_text(info)
        assert main.main(words) == 2
        assert ("--uf2 pinned" in capsys.readouterr().err) is named


def test_an_empty_checksum_is_none(write, volume: Path, capsys) -> None:
    """As a script gives it whose variable is not set."""
    with pytest.raises(SystemExit) as ended:
        main.main(
            ["flash", "--volume", str(volume), "--uf2", str(write(uf2(RP2040))), "--sha256", ""]
        )
    assert ended.value.code == 2 and "64 hexadecimal digits" in capsys.readouterr().err


def test_a_cache_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch) -> None:
    """`emulate` named the official image instead of the folder."""
    (tmp_path / "cache").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SPICEBOARD_UF2", raising=False)
    for look in (images.find, lambda: image.find_image(build=False), image.built):
        with pytest.raises((UserError, image.ImageError)) as told:
            look()
        assert f"{tmp_path / 'cache'}" in str(told.value) and "Not a directory" in str(told.value)
        assert "XDG_CACHE_HOME" in str(told.value) and "micropython.org" not in str(told.value)
