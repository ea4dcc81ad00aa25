"""Fifty pages watch games of bots: tools/pages_load.py [--pages N] [--minutes N] [--pace N].

Prints whether an event was lost or came out of order, how long an event is under way from the
server's learning of it to a page's having it, and the server's memory. Pages are sockets in a
process of their own; a virtual minute is one of the usual pauses of bots and settling of chips,
`--pace` times as fast (0.02: an hour in some minutes).
"""

import argparse
import asyncio
import importlib
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from spiceboard.board.match import SETTLE_S
from spiceboard.pages import games

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "firmware" / "lib")]
benches: Any = importlib.import_module("pagesbench")


async def watch(url: str, lines: list[int], delays: list[float]) -> None:
    """One page: numbers of the lines that came, and how late each was, in ms."""
    async with connect(url, max_size=None, max_queue=None, ping_interval=None) as socket:
        await socket.send(json.dumps({"id": 1, "do": "hello", "lang": "en"}))
        async for text in socket:
            frame = json.loads(text)
            if frame["is"] == "log" and not frame.get("anew"):
                now = 1000 * time.time()
                for line in frame["lines"]:
                    lines.append(line["n"])
                    delays.append(now - line["at"])


async def watch_all(url: str, pages: int, pipe: Connection) -> None:
    """All pages, until the other end says so."""
    lines: list[list[int]] = [[] for _ in range(pages)]
    delays: list[float] = []
    tasks = [asyncio.create_task(watch(url, own, delays)) for own in lines]
    await asyncio.to_thread(pipe.recv)
    for task in tasks:
        task.cancel()
    pipe.send((lines, delays))


def watchers(url: str, pages: int, pipe: Connection) -> None:
    """The process of the pages."""
    asyncio.run(watch_all(url, pages, pipe))


def memory_mb() -> float:
    """What this process holds of memory, with the server in it."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def counted(total: list[float]) -> None:
    """Add up the time that the same game takes at its usual pace."""
    usual = games.pause_s

    def pause(game: str, phase: str) -> float:
        total[0] += usual(game, phase) + (SETTLE_S if "throw" in phase else 0)
        return usual(game, phase)

    games.pause_s = pause


def play(bench: Any, minutes: float, total: list[float]) -> list[float]:
    """Games of four bots until so many virtual minutes have passed; memory after each, in MB."""
    held = []
    seed = 1
    while total[0] < 60 * minutes:
        bench.new("safranito", benches.people(0, 4), seed=seed)
        while not (bench.game or {"over": False})["over"] and total[0] < 60 * minutes:
            time.sleep(0.1)
        held.append(memory_mb())
        seed += 1
    return held


def judge(lines: list[list[int]], last: int) -> tuple[int, int]:
    """(events lost, events out of order) over all pages."""
    lost = sum(len(set(range(1, last + 1)) - set(own)) for own in lines)
    return lost, sum(later <= n for own in lines for n, later in pairwise(own))


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0, help="of virtual play")
    parser.add_argument("--pace", type=float, default=0.02, help="times the usual pauses")
    arguments = parser.parse_args()
    total = [0.0]
    counted(total)
    benches.Bench.pace = arguments.pace
    bench = benches.Bench(Path(tempfile.mkdtemp()), "safranito", [])
    here, there = multiprocessing.Pipe()
    url = bench.url.replace("http", "ws") + "/socket"
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=watchers, args=(url, arguments.pages, there))
    process.start()
    while len(bench.table.server.hub.pages) < arguments.pages:
        time.sleep(0.1)
    time.sleep(1)
    held = play(bench, arguments.minutes, total)
    last = bench.table.server.hub._next_line - 1
    time.sleep(3)
    here.send("enough")
    lines, delays = here.recv()
    process.join(30)
    bench.close()
    lost, crossed = judge(lines, last)
    print(f"{arguments.pages} pages, {total[0] / 60:.0f} virtual minutes, {len(held)} games")
    print(f"{last} events to each page: {lost} lost, {crossed} out of order")
    later = statistics.quantiles(delays, n=20)
    print(f"delay: median {statistics.median(delays):.1f} ms, 95 % below {later[-1]:.1f} ms")
    print(
        f"memory of the server: {held[0]:.0f} MB after the first game, {held[-1]:.0f} at the end"
    )


if __name__ == "__main__":
    main()
