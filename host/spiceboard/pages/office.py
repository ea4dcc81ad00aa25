"""What a server has at hand: desk, hub, archive; and how its pages reach the desk."""

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from spiceboard.archive.store import Archive
from spiceboard.errors import UserError
from spiceboard.pages.desk import Desk
from spiceboard.pages.hub import Hub
from spiceboard.pages.keys import Keys
from spiceboard.pages.reels import Reels
from spiceboard.words import N_

Frame = dict[str, Any]


class Refusal(UserError):
    """What a page asked for cannot be."""


def number(message: Frame, name: str, low: float, high: float) -> float:
    """A number of a message, within its range."""
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal(N_("this page is out of date: load it again"))
    if not math.isfinite(value) or not low <= value <= high:
        raise Refusal(N_("a number is out of its range"))
    return float(value)


class Office:
    """One desk, its hub, and the archive."""

    def __init__(self, keys: Keys, address: str, archive: Archive | None = None) -> None:
        self.hub = Hub(keys, address)
        self.desk: Desk | None = None
        self.changed: Callable[[], None] = lambda: None  # told when keys or chairs changed
        self.loop: asyncio.AbstractEventLoop | None = None
        self.archive = archive or Archive()
        self.reels = Reels(self.archive)

    def tell(self, kind: str, value: Any) -> None:
        """Called by the desk's thread."""
        self.soon(self.hub.take, kind, value)

    def soon(self, do: Callable[..., Any], *arguments: Any) -> None:
        """Have something done in the server's thread."""
        if self.loop is not None and not self.loop.is_closed():
            with suppress(RuntimeError):  # it closed meanwhile
                self.loop.call_soon_threadsafe(do, *arguments)

    async def at_desk(self, do: Callable[[Desk], Any]) -> Any:
        """Have the desk do something, and wait for it."""
        desk = self.desk
        if desk is None:
            raise Refusal(N_("the table is just being set up: try again"))
        return await asyncio.wrap_future(desk.ask(lambda: do(desk)))
