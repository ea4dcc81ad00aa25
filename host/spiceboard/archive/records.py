"""Games that a board has kept, fetched from it."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from spiceboard.archive.score import Score, from_records
from spiceboard.board.client import Client
from spiceboard.commands.log import fetch
from spiceboard.errors import UserError


def finished(client: Client, fetched: set[str], players: str) -> Iterator[Score]:
    """Games that were played to their end and whose records the board still has; those fetched are
    left out.

    `players` is told of the newest one only: who played the others nobody knows.
    """
    logs = client.request("log")["logs"]
    games: dict[str, list[Any]] = {}
    for name, _, _, over in logs:
        games.setdefault(name.split("-")[0], []).append((name, over))
    for number, (game, files) in enumerate(games.items(), 1):
        if game in fetched or not files[-1][1]:
            continue
        fetched.add(game)
        records = [record for name, _ in files for record in fetch(client, name)]
        if ["abort"] in records:
            continue
        facts = {"board": str(client.hello.get("board"))}
        if number == len(games):
            facts["players"] = players
        with suppress(UserError):  # its beginning was erased, or it was recorded by other rules
            yield from_records(records, facts)
