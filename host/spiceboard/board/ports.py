"""Which boards are plugged in: with a running interpreter (USB serial) or in BOOTSEL (a volume).

Choosing never guesses: none, or more than one, is an error that lists what there is. Bluetooth
ports and foreign USB devices are not candidates; a pseudo-terminal is used when it is named.
"""

import os
import string
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spiceboard.board.link import (
    Absent,
    answers,
    boards,
    check_id,
    configured,
    describe,
    one_board,
    port_of,
    same,
)
from spiceboard.errors import LinkError

INFO = "INFO_UF2.TXT"  # every UF2 bootloader puts it into the root of its volume
CHIPS = {"RP2040": "RPI-RP2", "RP2350": "RP2350"}  # chip: word of its Board-ID line


@dataclass(frozen=True)
class Bootsel:
    """A board that waits for a UF2 file: its volume and what it says of itself."""

    volume: Path
    chip: str | None  # "RP2040", "RP2350" or None for another bootloader
    board_id: str

    def __str__(self) -> str:
        return f"{self.volume}  BOOTSEL, {self.chip or 'unknown chip'} ({self.board_id})"


def candidates_for_volumes() -> list[Path]:
    """Where this system shows volumes; SPICEBOARD_VOLUMES (paths with `:`) replaces them."""
    named = os.environ.get("SPICEBOARD_VOLUMES")
    if named is not None:
        return [Path(part) for part in named.split(os.pathsep) if part]
    if sys.platform == "win32":
        return [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    found: list[Path] = []
    for folder, depth in (("/media", 2), ("/run/media", 2), ("/Volumes", 1), ("/mnt", 1)):
        for level in range(1, depth + 1):
            found += Path(folder).glob("/".join("*" * level))
    return found


def in_bootsel(volumes: Iterable[Path] | None = None) -> list[Bootsel]:
    """The boards in BOOTSEL among the volumes."""
    found = []
    for volume in candidates_for_volumes() if volumes is None else volumes:
        try:
            text = (volume / INFO).read_text(encoding="ascii", errors="replace")
        except OSError:
            continue  # not a volume of a bootloader, or none that we may read
        words = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        board_id = words.get("Board-ID", "").strip()
        chip = next((name for name, word in CHIPS.items() if board_id.startswith(word)), None)
        found.append(Bootsel(volume, chip, board_id))
    return found


def listing(serial_ports: Iterable[Any], bootsel: Iterable[Bootsel]) -> str:
    """All boards, one indented line each."""
    lines = [describe(port) for port in serial_ports] + [str(board) for board in bootsel]
    return "".join(f"\n  {line}" for line in lines)


def choose(
    wanted: str | None,
    volume: Path | None = None,
    ports: Iterable[Any] | None = None,
    volumes: Iterable[Path] | None = None,
    speaks: Callable[[str], bool] = answers,
) -> str | Bootsel:
    """The one board to work on: a port's URL, or a board in BOOTSEL.

    `wanted` is a port, `id:SERIAL`, or None for the configured or the only one; `volume` names a
    BOOTSEL volume. LinkError if there is none or more than one; it lists them.
    """
    if volume is not None:
        found = in_bootsel([volume])
        if not found:
            raise LinkError(f"{volume} is not a board in BOOTSEL: it has no {INFO}")
        return found[0]
    wanted = wanted or configured(os.environ)
    if wanted and not wanted.startswith("id:"):
        return wanted
    serial_ports = boards(ports)
    bootsel = in_bootsel(volumes)
    listed = listing(serial_ports, bootsel)
    check_id(wanted, listed)
    if wanted:
        named = [port for port in serial_ports if same(port.serial_number, wanted[3:])]
        if named:
            return port_of(named, speaks)
        raise Absent(f"no board has the serial number {wanted[3:]}; found:{listed or ' none'}")
    if not serial_ports and not bootsel:
        raise Absent(
            "no board is plugged in. If one is: unplug it, hold BOOTSEL while you plug it in "
            "again, and repeat the command"
        )
    running = 0 if not serial_ports else 1 if one_board(serial_ports) else len(serial_ports)
    if running + len(bootsel) > 1:
        raise LinkError(
            f"several boards are plugged in; choose one with --port or --volume:{listed}"
        )
    return port_of(serial_ports, speaks) if serial_ports else bootsel[0]


def serial_of(url: str, ports: Iterable[Any] | None = None) -> str | None:
    """USB serial number of the board on a port, to find it again; None if it has none."""
    for port in boards(ports):
        if port.device == url:
            return str(port.serial_number) if port.serial_number else None
    return None
