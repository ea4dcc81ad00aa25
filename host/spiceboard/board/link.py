"""A byte stream to a board: the same code for a pseudo-terminal, a socket and a serial port.

Everything goes through pyserial's URLs. Nothing here knows a message, and nothing here ever sends
a byte by itself: opening a link does not interrupt what runs on the board.
"""

import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import serial
from serial.tools import list_ports

from spiceboard.board import claims
from spiceboard.board.timeouts import BACK_S, LOOK_S
from spiceboard.errors import LinkError
from spicecore.wire import messages

BAUD = 115200  # without meaning over USB; a debug cable on UART0 uses it
USB_IDS = {  # (vendor, product) of boards that can run the firmware
    (0x2E8A, 0x0005): "MicroPython on RP2040 or RP2350",
    (0x2E8A, 0x000A): "Pico SDK serial",
}

NAMES = "a port is /dev/ttyACM0, COM3, socket://HOST:PORT, rfc2217://HOST:PORT or id:SERIAL"
NO_HOST = ("Name or service not known", "nodename nor servname", "getaddrinfo failed", "name reso")

LOOK_STEP_S = 0.25
ANSWER_S = 1.0  # a board answers hello within 50 ms
Found = TypeVar("Found")


class Absent(LinkError):
    """No such board at this moment; one that is just restarting has no port for a while."""


class Misnamed(LinkError):
    """What was given can be no port: wrong use, and no wait helps."""

    exit_code = 2


class Transport(Protocol):
    """What a client needs of a connection; `now` is the time that its timeouts are counted in."""

    name: str

    def read(self, timeout: float) -> bytes: ...
    def write(self, data: bytes) -> None: ...
    def now(self) -> float: ...
    def sleep(self, seconds: float) -> None: ...
    def close(self) -> None: ...


class SerialLink:
    """A connection by pyserial: device path, pseudo-terminal, `socket://` or `rfc2217://`."""

    def __init__(self, url: str) -> None:
        self.name = url
        check_url(url)
        options: dict[str, Any] = {} if "://" in url else {"exclusive": True}
        try:
            self._port = serial.serial_for_url(
                url, baudrate=BAUD, timeout=0, write_timeout=5, **options
            )
        except ValueError as error:
            raise Misnamed(f"cannot open {url}: {error}; {NAMES}") from error
        except OSError as error:
            kind = Absent if absent(error) else LinkError
            raise kind(f"cannot open {url}: {reason(error)}") from error

    def read(self, timeout: float) -> bytes:
        """What came within `timeout` seconds, as soon as there is any; b"" if nothing came."""
        try:
            self._port.timeout = timeout
            first: bytes = self._port.read(1)
            if not first:
                return b""
            self._port.timeout = 0
            rest: bytes = self._port.read(4096)
        except (
            OSError,
            TypeError,
        ) as error:  # TypeError: pyserial's way to say "closed meanwhile"
            raise LinkError(f"connection to {self.name} lost: {reason(error)}") from error
        return first + rest

    def write(self, data: bytes) -> None:
        """Send all of `data`, or raise LinkError when the board is gone."""
        try:
            self._port.write(data)
        except (OSError, TypeError) as error:
            raise LinkError(f"connection to {self.name} lost: {reason(error)}") from error

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait, in the time of `now`."""
        time.sleep(seconds)

    def close(self) -> None:
        """Close the port."""
        self._port.close()


def check_url(url: str) -> None:
    """Misnamed for an address on the network without a host or a port from 1 to 65535."""
    if not url.startswith(("socket://", "rfc2217://")):
        return
    try:
        parts = urlsplit(url)
        whole = bool(parts.hostname and parts.port)
    except ValueError:
        whole = False
    if not whole:
        raise Misnamed(f"cannot open {url}: it needs a host and a port from 1 to 65535; {NAMES}")


def absent(error: BaseException) -> bool:
    """Did opening fail because there is no such port?"""
    return isinstance(error, FileNotFoundError) or "No such file" in str(error)


def reason(error: BaseException) -> str:
    """The cause of a failed opening or transfer, in words a person can act on."""
    text = str(error)
    if "exclusively lock" in text or "Resource temporarily unavailable" in text:
        return "another program uses this port; close it first"
    if absent(error):
        return "there is no such port; check that the board is plugged in"
    if isinstance(error, PermissionError) or "Permission denied" in text:
        return "no permission; add yourself to the group `dialout` and log in again"
    if "refused" in text:
        return "nothing listens there; check that the program of the board is running"
    if "Inappropriate ioctl" in text:
        return f"it is not a serial port; {NAMES}"
    if isinstance(error, IsADirectoryError) or "Is a directory" in text:
        return f"it is a folder, not a port; {NAMES}"
    if any(words in text for words in NO_HOST):
        return "no host has this name; check the spelling and the network"
    if "readiness to read but returned no data" in text or "disconnected" in text:
        return "the other side closed it or was unplugged"
    if "Input/output error" in text:
        return "the other side is gone"
    return text or type(error).__name__


def boards(ports: Iterable[Any] | None = None) -> list[Any]:
    """The plugged-in ports that can be our board; Bluetooth and foreign ports are left out."""
    found = list_ports.comports() if ports is None else ports
    return [port for port in found if (port.vid, port.pid) in USB_IDS]


def describe(port: Any) -> str:
    """One line about a port: device, serial number and what it calls itself."""
    what = USB_IDS.get((port.vid, port.pid), port.description or "unknown")
    return f"{port.device}  id:{port.serial_number or '?'}  {what}"


def configured(environment: Mapping[str, str]) -> str | None:
    """The port that the environment or the configuration file names, if any. A home that may not
    be looked into (`sudo -u OTHER` keeps HOME) is one without a file."""
    if environment.get("SPICEBOARD_PORT"):
        return environment["SPICEBOARD_PORT"]
    home = environment.get("XDG_CONFIG_HOME") or str(
        Path(environment.get("HOME", "~")) / ".config"
    )
    try:
        path = Path(home).expanduser() / "spiceboard" / "config.toml"
        path.stat()
    except (OSError, RuntimeError):  # RuntimeError: there is no home at all
        return None
    try:
        if not path.is_file():
            raise Misnamed(f"cannot read {path}: it is not a file")
        port = tomllib.loads(path.read_text(encoding="utf-8")).get("port")
    except RecursionError:
        raise Misnamed(f"cannot read {path}: it is nested too deeply") from None
    except (OSError, ValueError) as error:
        raise Misnamed(f"cannot read {path}: {error}") from error
    if port is not None and not isinstance(port, str):
        raise Misnamed(f"{path}: `port` must be a string like 'id:E6614' or '/dev/ttyACM0'")
    return port


def find(
    wanted: str | None,
    ports: Iterable[Any] | None = None,
    environment: Mapping[str, str] | None = None,
    speaks: Callable[[str], bool] | None = None,
) -> str:
    """The URL to open: `wanted`, else the configured one, else the only board there is.

    `wanted` may be `id:SERIAL`. None or several candidates: LinkError that lists what there is,
    never simply the first one. `speaks` tells which port of one board a Spiceboard answers on.
    """
    wanted = wanted or configured(os.environ if environment is None else environment)
    if wanted and not wanted.startswith("id:"):
        return wanted
    candidates = boards(ports)
    listed = "".join("\n  " + describe(port) for port in candidates)
    check_id(wanted, listed)
    if wanted:
        candidates = [port for port in candidates if same(port.serial_number, wanted[3:])]
    if not candidates and wanted:
        raise Absent(
            f"no board has the serial number {wanted[3:]}; plugged in:{listed or ' none'}"
        )
    if not candidates:
        raise Absent(
            "no board is plugged in; plug one in, name its port with --port, or play on a "
            "simulated board"
        )
    if not one_board(candidates):
        raise LinkError(f"several boards are plugged in; choose one with --port:{listed}")
    return port_of(candidates, speaks or answers)


def same(serial: str | None, other: str | None) -> bool:
    """Is that one serial number? Systems write its letters large or small."""
    return bool(serial and other) and str(serial).casefold() == str(other).casefold()


def one_board(ports: list[Any]) -> bool:
    """Do these ports belong to one board? One with a data port beside its console has two."""
    return len(ports) == 1 or all(
        same(port.serial_number, ports[0].serial_number) for port in ports
    )


def port_of(ports: list[Any], speaks: Callable[[str], bool]) -> str:
    """The port of one board: the only one, or the one that answers; LinkError when that does not
    tell."""
    if len(ports) == 1:
        return str(ports[0].device)
    answering = [str(port.device) for port in ports if speaks(str(port.device))]
    if len(answering) == 1:
        return answering[0]
    listed = "".join("\n  " + describe(port) for port in ports)
    which = "both answer" if answering else "neither answers as a Spiceboard"
    raise LinkError(f"one board, {len(ports)} ports, and {which}: name one with --port:{listed}")


def answers(url: str, connect: Callable[[str], SerialLink] | None = None) -> bool:
    """Does a Spiceboard answer on that port? Says hello and waits a second."""
    try:
        link = (connect or borrowed)(url)
    except LinkError:
        return False
    try:
        link.write(messages.encode({"id": "which", "do": "hello"}))
        decoder, end = messages.Decoder(), link.now() + ANSWER_S
        while (left := end - link.now()) > 0:
            for kind, value in decoder.feed(link.read(left)):
                if (
                    kind == messages.MESSAGE
                    and isinstance(value, dict)
                    and value.get("re") == "which"
                ):
                    return True
    except LinkError:
        return False
    finally:
        link.close()
    return False


def check_id(wanted: str | None, listed: str) -> None:
    """Misnamed for `id:` without a serial number."""
    if wanted == "id:":
        raise Misnamed(f"id: needs a serial number after it; plugged in:{listed or ' none'}")


def say(text: str) -> None:
    """To the user, beside the output of the command."""
    print(f"spiceboard: {text}", file=sys.stderr, flush=True)


def once_there(
    look: Callable[[], Found],
    wanted: str | None,
    told: Callable[[str], None] = say,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Found:
    """What `look` finds, as soon as it does not raise Absent: a board that another command has
    just restarted has no port for a moment. `told` hears of the wait once; the last Absent is
    raised when it was in vain."""
    seconds = BACK_S if wanted or configured(os.environ) else LOOK_S
    end, said = now() + seconds, False
    while True:
        try:
            return look()
        except Absent as error:
            if now() >= end:
                raise
            if not said:
                told(f"{error} (waiting up to {seconds:g} s, the board may be restarting)")
                said = True
        sleep(LOOK_STEP_S)


def borrowed(url: str) -> SerialLink:
    """Open a port for a command: a table that has it lends it until the command ends."""
    claims.borrow(url, say)
    return SerialLink(url)


def open_now(wanted: str | None) -> SerialLink:
    """Find a board and connect to it; Absent when it is not there at this moment."""
    return borrowed(find(wanted))


def open_link(wanted: str | None) -> SerialLink:
    """The same, waiting some seconds for a board that is just restarting."""
    return once_there(lambda: open_now(wanted), wanted)
