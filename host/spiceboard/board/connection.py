"""What the commands that look after a board share: a connection, and maintenance that ends."""

import argparse
import contextlib
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from spiceboard.board.client import Client
from spiceboard.board.link import open_link
from spiceboard.errors import LinkError, UserError
from spicecore import chance
from spicecore.parts import LEDS, ZONES

DEEPEST = 50  # lists within lists; no file of ours needs ten


@contextlib.contextmanager
def connected(port: str | None) -> Iterator[Client]:
    """A client that has said hello; the link is closed afterwards."""
    client = Client(open_link(port))
    try:
        client.connect()
        yield client
    finally:
        client.close()


@contextlib.contextmanager
def maintenance(client: Client) -> Iterator[None]:
    """Sweeps stop and rings are ours as long as this lasts; Refused while a game is on."""
    client.request("maintain", timeout=20, on=True)
    try:
        yield
    finally:
        with contextlib.suppress(LinkError):  # the board ends it by itself after 60 s
            client.request("maintain", timeout=20, on=False)


def light(client: Client, zone: str | None, rgb: tuple[int, int, int]) -> None:
    """One ring in a colour, all others dark; None: all dark."""
    index = ZONES.index(zone) if zone else 0
    first, count = sum(LEDS[:index]), LEDS[index]
    colour = list(rgb) if zone else [0, 0, 0]
    client.request("diag", what="leds", first=first, count=count, rgb=colour)


def seconds(text: str) -> float:
    """An argument that is a time: 0 or more, and it ends."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text} must be 0 or more seconds")
    return value


def whole(low: int, high: int) -> Callable[[str], int]:
    """An argument that is a whole number from `low` to `high`."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} must be an integer from {low} to {high}")
        return value

    return number


seed = whole(0, chance.MASK)  # what the rules take


def json_of(text: str) -> Any:
    """JSON that a person gave; ValueError also for NaN, Infinity and what is nested too deeply."""
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    level = [value]
    for _ in range(DEEPEST):
        nested = [item for item in level if isinstance(item, (dict, list))]
        level = [x for item in nested for x in (item.values() if isinstance(item, dict) else item)]
    if level:
        raise ValueError("it is nested too deeply")
    return value


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")


def _finite(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else _no_number(text)


def file_for(path: Path) -> Path:
    """Where a file can be written whole, behind links; UserError for a folder, a device, a pipe
    and our own output, none of which a new file may replace."""
    try:
        if path.is_dir():
            raise UserError(f"{path} is a folder: name a file")
        if path.exists():
            if not path.is_file():
                raise UserError(f"{path} is a device or a pipe, not a file: name a file")
            if _is_our_output(path):
                raise UserError(
                    f"{path} already receives the output of this command: name another file"
                )
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise UserError(f"cannot write {path}: there is no folder {target.parent}")
        return target
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from error


def _is_our_output(path: Path) -> bool:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # none, or none of a system
            if os.path.samestat(path.stat(), os.fstat(stream.fileno())):
                return True
    return False


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file whole or not at all; UserError says why not. A link stays a link."""
    target = file_for(path)
    aside = target.with_name(target.name + ".new")
    try:
        aside.write_bytes(content.encode() if isinstance(content, str) else content)
        aside.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise UserError(f"cannot write {path}: {error.strerror}") from error


def read_text(path: Path) -> str:
    """A file's text; UserError says why not."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise UserError(f"cannot read {path}: {why}") from error
