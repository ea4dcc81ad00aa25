"""`spiceboard monitor`: print what a board says; it never interrupts and changes nothing."""

import argparse
import json
import sys
import time
from typing import TextIO

from spiceboard.host.client import Client, Item
from spiceboard.host.link import find, open_link


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    parser.add_argument("--json", action="store_true", help="one JSON list a line, nothing else")
    parser.add_argument(
        "--seconds", type=float, help="end after so many seconds (else: Ctrl-C, or the board goes)"
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
    """Print items until the time is over or the link is lost for good."""
    end = None if seconds is None else client.link.now() + seconds
    while end is None or client.link.now() < end:
        left = 0.5 if end is None else max(0.0, min(0.5, end - client.link.now()))
        for item in client.poll(left):
            print(line_of(item, as_json), file=out, flush=True)


def run(arguments: argparse.Namespace) -> int:
    """Attach, print, detach."""
    port = find(arguments.port)
    client = Client(open_link(port), reopen=lambda: open_link(port))
    client.on_lost = lambda error, seconds: print(
        f"{error}; waiting up to {seconds:g} s for it to come back", file=sys.stderr, flush=True
    )
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
