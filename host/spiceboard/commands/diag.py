"""`spiceboard diag`: measure a board, and name what is broken by part, with cause and way out."""

import argparse
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from spiceboard.board.client import Client
from spiceboard.board.connection import (
    connected,
    file_for,
    maintenance,
    seconds,
    whole,
    write_whole,
)
from spiceboard.board.link import boards, configured, open_link
from spiceboard.diag import loading
from spiceboard.diag.findings import Finding
from spiceboard.diag.live import Progress
from spiceboard.diag.measure import Measured, Measurer, layout, paired
from spiceboard.diag.page import page, screen
from spiceboard.diag.people import AtTerminal, ByLines, Person, Questions
from spiceboard.diag.placements import Guide
from spiceboard.diag.rules import findings
from spiceboard.errors import No, UserError
from spicecore.parts import BOWLS, CHIPS, ZONES

ASK_S = 20.0  # maintenance ends by itself 60 s after the last request

LEAVES = (
    "Afterwards the board is as it was before. During a game, only what does not disturb "
    "it is\nmeasured.\n\n"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = LEAVES + (parser.epilog or "")
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    parser.add_argument("--json", action="store_true", help="print the report as one line of JSON")
    parser.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="write the report as a page that you can send to a helper",
    )
    parser.add_argument(
        "--layout", action="store_true", help="print where to lay which chip, and exit"
    )
    parser.add_argument(
        "--laid", action="store_true", help="the chips already lie as --layout says; do not ask"
    )
    parser.add_argument(
        "--questions",
        choices=("terminal", "lines", "no"),
        help="who answers questions about LEDs, buzzer and buttons: a person here, a program "
        "with JSON lines, or nobody (default: a person, if this is a terminal and --json "
        "is not given)",
    )
    parser.add_argument(
        "--visits", type=whole(1, 40), default=10, help="reads of each zone (default 10)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="fewer reads; measure the gain margin only once"
    )
    parser.add_argument(
        "--field",
        metavar="ZONE",
        help="only keep this zone's field on for a meter, until you press Enter",
    )
    parser.add_argument(
        "--tags",
        nargs="?",
        const="curry",
        metavar="BOWL",
        help="measure in a bowl (default curry) how tags load each other, from chips that you "
        "lay when asked, and say how they are tuned",
    )
    parser.add_argument(
        "--no-reads", action="store_true", help="leave out everything that needs chips"
    )
    parser.add_argument(
        "--press-seconds", type=seconds, default=8.0, help="time for each button (default 8)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure, ask, judge, show."""
    if arguments.layout:
        show_layout(arguments.port, arguments.json)
        return 0
    if arguments.html is not None:
        file_for(arguments.html)  # what was measured and answered must not be lost
    if arguments.field:
        with connected(arguments.port) as client:
            hold_field(client, arguments.field)
        return 0
    if arguments.tags:
        with connected(arguments.port) as client:
            return tags(client, arguments)
    client = Client(open_link(arguments.port))
    try:
        client.connect()
        report = diagnose(client, arguments)
    finally:
        client.close()
    if arguments.json:
        print(json.dumps(report), flush=True)
    else:
        Console().print(screen(report["measured"], report["findings"]))
    if arguments.html is not None:
        write_whole(arguments.html, page(report))
    return 1 if any(finding["level"] == "fault" for finding in report["findings"]) else 0


def hold_field(client: Client, zone: str) -> None:
    """One field on until Enter or Ctrl-C, the LEDs as they are; the board is asked now and then,
    else its maintenance would end."""
    if zone not in ZONES:
        raise UserError(f"there is no zone {zone}: zones are {', '.join(ZONES)}")
    with maintenance(client):
        client.request("diag", what="field", zone=zone, on=True)
        print(
            f"The field of `{zone}` is on. Press Enter to switch it off.",
            file=sys.stderr,
            flush=True,
        )
        waiting = threading.Thread(target=sys.stdin.readline, daemon=True)
        waiting.start()
        try:
            while waiting.is_alive():
                client.request("ping")
                waiting.join(ASK_S)
        finally:
            client.request("diag", what="field", zone=zone, on=False)


def tags(client: Client, arguments: argparse.Namespace) -> int:
    """How tags load each other, from guided placements; 1 if they are not as they should be."""
    zone = arguments.tags
    if zone not in ZONES[:BOWLS]:
        raise UserError(f"--tags needs a bowl, not {zone}: bowls are {', '.join(ZONES[:BOWLS])}")
    who = person(arguments)
    if who is None:
        raise UserError("--tags needs somebody who lays chips: a terminal, or --questions lines")
    with maintenance(client):
        guide = Guide(client, who, [zone], 2 * arguments.visits)
        loading.ask(guide)
    if guide.left_out:
        raise No(f"the tags were not judged: {guide.left_out[zone]}")
    heard = loading.gains(guide.heard[zone])
    found = list(loading.findings(zone, guide.heard[zone]))
    if arguments.json:
        report = {"tags": heard, "findings": [finding.plain() for finding in found]}
        print(json.dumps(report), flush=True)
        return _code(found)
    for step, gains in heard.items():
        print(f"{step:8} {', '.join(f'{db} dB' for db in gains) or 'silent'}")
    for finding in found:
        print(f"{finding.level.upper()}  {finding.says}\n       -> {finding.step}")
    return _code(found)


def _code(found: list[Finding]) -> int:
    return 1 if any(finding.level == "fault" for finding in found) else 0


def person(arguments: argparse.Namespace) -> Person | None:
    """Who answers questions, or nobody."""
    who = arguments.questions
    if who is None:
        here = sys.stdin.isatty() and sys.stderr.isatty() and not arguments.json
        who = "terminal" if here else "no"
    if who == "no":
        return None
    return AtTerminal() if who == "terminal" else ByLines()


def diagnose(client: Client, arguments: argparse.Namespace) -> dict[str, Any]:
    """The report: what was measured, answered and found."""
    who = person(arguments)
    laid = None
    if not arguments.no_reads:
        laid = where_chips_lie(client, arguments, who)
    live = None if arguments.json or not sys.stdout.isatty() else Live(auto_refresh=False)

    def progress(step: str, so_far: Measured) -> None:
        if live:
            live.update(Progress(so_far, step), refresh=True)

    measurer = Measurer(
        client,
        visits=arguments.visits,
        quick=arguments.quick,
        reads=not arguments.no_reads,
        laid=laid,
        progress=progress,
    )
    if live:
        with live:
            measured = measurer.run()
            live.update("")
    else:
        measured = measurer.run()
    measured["answers"] = {}
    if who and not measured["playing"]:
        stuck = [name for name, down in measured["buttons"]["down"].items() if down]
        with measurer.maintenance():
            measured["answers"] = Questions(client, who, arguments.press_seconds).all(stuck)
    return {
        "report": 1,
        "when": time.strftime("%Y-%m-%d %H:%M:%S"),
        "findings": [finding.plain() for finding in findings(measured)],
        "measured": measured,
    }


def wanted_layout(client: Client) -> dict[str, str]:
    """{chip: zone} for this board's chips; {} while they are secret or not paired."""
    if client.snapshot.get("game"):
        return {}
    roster = client.request("roster")["chips"]
    return layout(paired(roster))


def where_chips_lie(
    client: Client, arguments: argparse.Namespace, who: Person | None
) -> dict[str, str] | None:
    """The layout when it was laid; None: whatever lies on the board."""
    wanted = wanted_layout(client)
    if arguments.laid:
        return wanted or None
    if not isinstance(who, AtTerminal) or not wanted:
        return None
    Console(stderr=True).print(layout_table(wanted))
    text = "Lay the chips flat, as shown, then continue; answer `any` if other chips lie there."
    return wanted if who.ask("chips", text, ["laid", "any"]) == "laid" else None


def layout_table(wanted: dict[str, str]) -> Table:
    """Which chip goes where."""
    table = Table("zone", "chip", title="Where to lay the chips", title_justify="left")
    for zone in dict.fromkeys(wanted.values()):
        table.add_row(zone, ", ".join(chip for chip, place in wanted.items() if place == zone))
    return table


def show_layout(port: str | None, as_json: bool) -> None:
    """For people who lay the chips before they call; without a board, for all chips."""
    if port is None and configured(os.environ) is None and not boards():
        wanted = layout(list(CHIPS))
    else:
        with connected(port) as client:
            wanted = wanted_layout(client)
    if not wanted:
        raise No("a game is being played: finish or abort it before you lay out chips")
    if as_json:
        print(json.dumps({"layout": wanted}))
    else:
        Console().print(layout_table(wanted))
