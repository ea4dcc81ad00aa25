"""What the commands that look after a board share: a connection, and maintenance that ends."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from spiceboard.host.client import Client
from spiceboard.host.errors import LinkError, UserError
from spiceboard.host.link import open_link
from spiceboard.spicecore.parts import LEDS, ZONES


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


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all; UserError says why not."""
    aside = path.with_name(path.name + ".new")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise UserError(f"{path} could not be written: {error.strerror}") from error


def read_text(path: Path) -> str:
    """A file's text; UserError says why not."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise UserError(f"{path} could not be read: {why}") from error
