"""`spiceboard monitor`: print what a board says, without interrupting or changing anything.

If the board is unplugged, wait for it until Ctrl-C or the end of --seconds, because people often
unplug a board to see its first messages after a start. Exit code 3 only if the time ends without
it.
"""

import argparse
import json
import math
import sys
import time
from typing import TextIO

from spiceboard.board.client import Client, Item
from spiceboard.board.connection import seconds
from spiceboard.board.link import open_link, open_now, say
from spiceboard.errors import LinkError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON list on each line, nothing else"
    )
    parser.add_argument(
        "--seconds", type=seconds, help="end after this many seconds (default: until Ctrl-C)"
    )


def line_of(item: Item, as_json: bool) -> str:
    """An item as a line: `game ["thrown", 0]`, or console text as it came after a bar."""
    kind, value = item
    if as_json:
        return json.dumps([kind, value])
    if kind == "console":
        return f"| {value}"
    return f"{kind} {value if isinstance(value, str) else json.dumps(value)}"


def watch(client: Client, out: TextIO, as_json: bool, seconds: float | None) -> None:
    """Print items until the time is over; LinkError when the board is gone then."""
    end = math.inf if seconds is None else client.link.now() + seconds
    while (left := end - client.link.now()) > 0:
        client.reconnect_s = left
        for item in client.poll(min(0.5, left)):
            print(line_of(item, as_json), file=out, flush=True)


def lost(error: LinkError, seconds: float) -> None:
    """Say at once that the board is gone, and how long it is waited for."""
    end = "until Ctrl-C" if seconds == math.inf else f"up to {seconds:.0f} s"
    say(f"{error}; waiting {end} for it to come back")


def run(arguments: argparse.Namespace) -> int:
    """Attach, print, detach."""
    client = Client(open_link(arguments.port), reopen=lambda: open_now(arguments.port))
    client.on_lost = lost
    hello = client.connect()
    if not arguments.json:
        print(
            f"board {hello.get('board')}, firmware {hello.get('firmware')}, "
            f"playing {hello.get('playing') or 'nothing'} ({time.strftime('%H:%M:%S')})",
            file=sys.stderr,
        )
    try:
        watch(client, sys.stdout, arguments.json, arguments.seconds)
    finally:
        client.close()
    return 0
