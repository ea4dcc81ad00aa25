"""Interpreter images: families, broken files, and copying to a FAT volume in BOOTSEL."""

import hashlib
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT

from spiceboard.host import bootsel, cli, pinned
from spiceboard.host.errors import LinkError, UserError
from spiceboard.host.ports import Bootsel, choose, in_bootsel
from spiceboard.host.uf2 import BadUf2, read_uf2

RP2040, RP2350_ARM, RP2350_RISCV, ABSOLUTE = 0xE48BFF56, 0xE48BFF59, 0xE48BFF5A, 0xE48BFF57
INFO_RP2040 = "UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n"
INFO_RP2350 = "UF2 Bootloader v1.0\r\nModel: Raspberry Pi RP2350\r\nBoard-ID: RP2350\r\n"


def uf2(
    family: int, blocks: int = 8, flags: int = 0x2000, text: bytes = b"v1.25.0 on 2025-04-15"
) -> bytes:
    """A UF2 file of so many blocks, with MicroPython's banner in its first."""
    data = b""
    for number in range(blocks):
        payload = (text if number == 0 else b"").ljust(256, b"\x55")
        head = struct.pack(
            "<8I",
            0x0A324655,
            0x9E5D5157,
            flags,
            0x10000000 + 256 * number,
            256,
            number,
            blocks,
            family,
        )
        data += head + payload + bytes(220) + struct.pack("<I", 0x0AB16F30)
    return data


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
    assert (found.chip, found.blocks, found.version) == (chip, 8, "1.25.0")
    assert found.sha256 == hashlib.sha256(uf2(family)).hexdigest()


def test_an_rp2350_file_may_begin_with_an_absolute_block(write) -> None:
    """Official RP2350 images carry one block of the absolute family for erratum E10."""
    assert read_uf2(write(uf2(ABSOLUTE, 1) + uf2(RP2350_ARM))).chip == "RP2350"


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "no whole"),
        (uf2(RP2040)[:-100], "no whole"),
        (uf2(RP2040)[:-512], "cut short"),
        (uf2(RP2040)[512:], "cut short"),
        (b"PK\x03\x04".ljust(1024, b"\0"), "no UF2"),
        (uf2(RP2040, flags=0), "which chip"),
        (uf2(0x12345678), "unknown family"),
        (uf2(RP2040) + uf2(RP2350_ARM), "RP2040 and RP2350"),
    ],
)
def test_broken_files_are_named(write, data: bytes, word: str) -> None:
    if word == "unknown family":
        word = "none of"
    with pytest.raises(BadUf2, match=word):
        read_uf2(write(data))


def test_a_checksum_is_compared(write) -> None:
    path = write(uf2(RP2040))
    read_uf2(path, hashlib.sha256(path.read_bytes()).hexdigest().upper())
    with pytest.raises(BadUf2, match="checksum"):
        read_uf2(path, "0" * 64)


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
    assert cli.main(words) == 2
    assert f"does not go with {keep[0]}" in capsys.readouterr().err
    assert [path.name for path in volume.iterdir()] == ["INFO_UF2.TXT"]


def test_another_program_is_never_copied(write, volume: Path, capsys) -> None:
    path = write(uf2(RP2040, text=b"another program"))
    words = ["flash", "--volume", str(volume), "--uf2", str(path), "--yes"]
    assert cli.main(words) == 5
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
    assert cli.main(words) == 6
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


def test_a_board_in_bootsel_is_seen(volume: Path) -> None:
    found = choose(None, ports=FOREIGN, volumes=[volume, volume / "missing"])
    assert isinstance(found, Bootsel) and found.chip == "RP2040"


def test_a_volume_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no board in BOOTSEL"):
        choose(None, volume=tmp_path)


def test_the_tested_image_is_pinned_by_its_checksum(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(UserError, match=r"build_image\.sh.*RPI_PICO-20250415-v1\.25\.0\.uf2"):
        pinned.find(tmp_path)
    folder = tmp_path / pinned.KEY
    folder.mkdir()
    (folder / pinned.NAME).write_bytes(uf2(RP2040))
    with pytest.raises(UserError, match="not the pinned"):
        pinned.find(tmp_path)
    monkeypatch.setattr(pinned, "SHA256", hashlib.sha256(uf2(RP2040)).hexdigest())
    assert pinned.find(tmp_path) == folder / pinned.NAME


def test_the_pin_is_for_what_the_script_builds() -> None:
    done = subprocess.run(
        [ROOT / "tools/build_image.sh", "--key"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == pinned.KEY


def test_without_a_file_the_right_one_is_named(
    volume: Path, tmp_path: Path, capsys, monkeypatch
) -> None:
    """A board in BOOTSEL and no --uf2: which file for its chip, and how it is checked."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = ["flash", "--volume", str(volume), "--yes"]
    for info, name in ((INFO_RP2040, "RPI_PICO-2"), (INFO_RP2350, "RPI_PICO2-2")):
        (volume / "INFO_UF2.TXT").write_text(info)
        assert cli.main(words) == 2
        said = capsys.readouterr().err
        assert name in said and "--sha256" in said and "micropython.org" in said
        assert "--uf2 pinned" not in said
    image = pinned.folder() / pinned.KEY / pinned.NAME  # the tested one: it is for the RP2040
    image.parent.mkdir(parents=True)
    image.write_bytes(uf2(RP2040))
    monkeypatch.setattr(pinned, "SHA256", hashlib.sha256(uf2(RP2040)).hexdigest())
    for info, named in ((INFO_RP2040, True), (INFO_RP2350, False)):
        (volume / "INFO_UF2.TXT").write_text(info)
        assert cli.main(words) == 2
        assert ("--uf2 pinned" in capsys.readouterr().err) is named


def test_an_empty_checksum_is_none(write, volume: Path, capsys) -> None:
    """As a script gives it whose variable is not set."""
    with pytest.raises(SystemExit) as ended:
        cli.main(
            ["flash", "--volume", str(volume), "--uf2", str(write(uf2(RP2040))), "--sha256", ""]
        )
    assert ended.value.code == 2 and "64 hexadecimal digits" in capsys.readouterr().err
