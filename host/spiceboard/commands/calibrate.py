"""`spiceboard calibrate`: the best gain of each zone, and the hall sensors' levels at rest.

The best gain is that with the best read rate, not the highest; of equal ones the nearest to the
default, so that there is room on both sides. `--thresholds` learns from chips that a person lays
at which gain a chip lies inside each zone. Stored on the board, versioned, and read back.
"""

import argparse
import json
import statistics
import sys
from typing import Any

from spiceboard.board.client import Client
from spiceboard.board.connection import connected, json_of, maintenance, whole
from spiceboard.diag import placements, thresholds
from spiceboard.diag.people import AtTerminal, ByLines
from spiceboard.diag.thresholds import EQUAL
from spiceboard.errors import No, UserError
from spicecore.parts import ZONES
from spicecore.storage.on_demand.settings import GAINS_DB

HALL_SAMPLES = 10
HALL_RANGE_MV = (1300, 2000)  # a sensor at rest elsewhere is broken, not off
Shares = dict[str, list[float]]
ENOUGH = 0.5  # a tag that no gain reads so often does not lie there


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    parser.add_argument(
        "--visits", type=whole(1, 100), default=20, help="reads at each gain (default 20)"
    )
    parser.add_argument(
        "--zones",
        metavar="ZONES",
        help="calibrate the gains of these zones only, such as mint,curry (default: all)",
    )
    parser.add_argument(
        "--thresholds",
        action="store_true",
        help="learn what lies inside each zone from chips that you lay when asked: in the "
        "middle, at the edge, just outside, and a stack of three",
    )
    parser.add_argument(
        "--questions",
        choices=("terminal", "lines"),
        default="terminal",
        help="who answers for --thresholds: a person here, or a program with JSON lines",
    )
    parser.add_argument("--only", choices=("gain", "hall"), help="calibrate only one of the two")
    parser.add_argument(
        "--yes",
        action="store_true",
        help="ask no questions: the board is ready for the calibration",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="store a setting instead of measuring: hall=true (sensors are fitted), "
        "led_cap_ma=1000, brightness=60, buzzer=false ... (may be repeated)",
    )
    parser.add_argument("--show", action="store_true", help="print what is stored and exit")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print only what is stored on stdout, as JSON; messages go to stderr",
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure, store, read back, print."""
    zones = zones_of(arguments.zones)
    if arguments.thresholds and (arguments.yes or arguments.only or arguments.set):
        raise UserError(
            "--thresholds needs somebody who lays chips: use it without --yes, --only and --set"
        )
    with connected(arguments.port) as client:
        if arguments.thresholds and not arguments.show:
            with maintenance(client):
                guided(client, arguments, zones)
        elif arguments.set:
            store_named(client, arguments.set)
        elif not arguments.show:
            values: dict[str, Any] = {}
            with maintenance(client):
                if arguments.only != "gain":
                    values.update(hall(client, arguments))
                if arguments.only != "hall":
                    values.update(gains(client, arguments, zones))
            store(client, values)
        show(client)
    return 0


def zones_of(text: str | None) -> list[str]:
    """The zones of a list such as `mint, curry`; all where none is given."""
    if text is None:
        return list(ZONES)
    zones = [name.strip() for name in text.split(",")]
    for zone in zones:
        if zone not in ZONES:
            raise UserError(
                f"there is no zone {zone or '(an empty name)'}: zones are {', '.join(ZONES)}"
            )
    return zones


def ask(client: Client, arguments: argparse.Namespace, text: str) -> None:
    """Wait until a person has done something; maintenance may have ended meanwhile."""
    if arguments.yes:
        return
    print(f"{text} Then press Enter. ", end="", file=sys.stderr, flush=True)
    if not sys.stdin.readline():
        raise UserError("there is no terminal to press Enter: use --yes")
    client.request("maintain", timeout=20, on=True)


def hall(client: Client, arguments: argparse.Namespace) -> dict[str, Any]:
    """{"hall_rest": {zone: mV}} of the empty board, or {} where no sensors are fitted."""
    if client.request("diag", what="hall")["mv"] is None:
        if arguments.only == "hall":
            raise No("the board's setting `hall` says that no hall sensors are fitted")
        return {}
    ask(client, arguments, "Take every chip off the board.")
    tags = client.request("tags", timeout=30)["tags"]
    full = [zone for zone in ZONES if tags.get(zone)]
    if full:
        raise No(f"take all chips off the board: some lie in {', '.join(full)}")
    samples = [client.request("diag", what="hall")["mv"] for _ in range(HALL_SAMPLES)]
    rest = {zone: round(statistics.fmean(s[zone] for s in samples)) for zone in ZONES}
    low, high = HALL_RANGE_MV
    bad = [f"{zone} ({mv} mV)" for zone, mv in rest.items() if not low <= mv <= high]
    if bad:
        raise No(
            f"hall sensors are far from their level at rest, 1650 mV: {', '.join(bad)}. Nothing "
            "was stored; `spiceboard diag` tells you more"
        )
    return {"hall_rest": rest}


def gains(client: Client, arguments: argparse.Namespace, wanted: list[str]) -> dict[str, Any]:
    """{"gain": {zone: step}} of the zones in which a tag lies; the others keep theirs."""
    ask(client, arguments, "Lay at least one chip flat into every zone.")
    words = sys.stderr if arguments.json else sys.stdout
    settings = client.request("settings")
    best: dict[str, int] = {}
    heard, left_out = read(client, wanted, arguments.visits)
    for zone, shares in heard.items():
        rates = [min(found[step] for found in shares.values()) for step in range(len(GAINS_DB))]
        best[zone] = choose(rates, settings["defaults"]["gain"][zone])
        figures = "  ".join(
            f"{db} dB {rate:4.0%}" for db, rate in zip(GAINS_DB, rates, strict=True)
        )
        print(f"{zone:12} {figures}  -> {GAINS_DB[best[zone]]} dB", file=words, flush=True)
    for zone, why in left_out.items():
        print(f"left out: {zone}: {why}", file=words)
    if not best:
        raise No("no tag was read in any zone, or none is sure: nothing was stored")
    return {"gain": best}


def read(
    client: Client, wanted: list[str], visits: int
) -> tuple[dict[str, Shares], dict[str, str]]:
    """What zones hear of the tags that lie there, {zone: {uid: share of the visits at each gain
    step}}; and {zone: why it is left out}."""
    heard: dict[str, Shares] = {}
    left_out: dict[str, str] = {}
    for zone in wanted:
        found = placements.measure(client, zone, visits)
        if found is None:
            left_out[zone] = "its reader does not answer"
            continue
        heard[zone] = {
            uid: shares for uid, shares in found.shares.items() if max(shares) >= ENOUGH
        }
    tags = {zone: set(shares) for zone, shares in heard.items()}
    for zone in heard:
        if twin := placements.in_two(zone, tags):
            left_out[zone] = twin
        elif not heard[zone]:
            left_out[zone] = "there is no tag, or none can be read"
    return {zone: shares for zone, shares in heard.items() if zone not in left_out}, left_out


def guided(client: Client, arguments: argparse.Namespace, zones: list[str]) -> None:
    """Learn gain and margin of zones from guided placements; each zone is stored when it is
    whole."""
    words = sys.stderr if arguments.json or arguments.questions == "lines" else sys.stdout
    person = ByLines() if arguments.questions == "lines" else AtTerminal()
    guide = placements.Guide(client, person, zones, arguments.visits)
    stored = 0
    for done in thresholds.ask(guide):
        found, lines = thresholds.report(guide, done)
        if found:
            store(client, thresholds.settings(found))
        stored += len(found)
        for text in lines:
            print(text, file=words, flush=True)
    for zone, why in guide.left_out.items():
        print(f"left out: {zone}: {why}. It keeps what is stored", file=words)
    if not stored:
        raise No("no zone was measured completely: nothing was stored")


def choose(rates: list[float], default: int) -> int:
    """The step with the best rate; of equal ones the nearest to the default, then the lower."""
    good = [step for step, rate in enumerate(rates) if rate >= max(rates) - EQUAL]
    return min(good, key=lambda step: (abs(step - default), step))


def store(client: Client, values: dict[str, Any]) -> None:
    """Store what was measured and compare what the board has then."""
    reply = client.request("settings_set", values=values)
    for name, zones in values.items():
        wrong = [zone for zone, value in zones.items() if reply["values"][name][zone] != value]
        if wrong:
            raise No(f"`{name}` of {', '.join(wrong)} was not stored as sent: try again")


def store_named(client: Client, texts: list[str]) -> None:
    """Store settings of the whole board that are given as NAME=VALUE; the board checks ranges."""
    stored = client.request("settings")["values"]
    one = sorted(name for name, value in stored.items() if not isinstance(value, dict))
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in one:
            raise UserError(f"--set needs NAME=VALUE, with one of {', '.join(one)}; not {text}")
        try:
            values[name] = json_of(value)
        except ValueError:
            values[name] = None
        if not isinstance(values[name], int):
            raise UserError(f"{text[:60]}: a value must be an integer, true or false")
    reply = client.request("settings_set", values=values)["values"]
    wrong = [name for name, value in values.items() if reply[name] != value]
    if wrong:
        raise No(f"{', '.join(wrong)}: not stored as sent; try again")


def show(client: Client) -> None:
    """What is stored."""
    settings = client.request("settings")
    values = settings["values"]
    gain = {zone: GAINS_DB[values["gain"][zone]] for zone in ZONES}
    print(
        json.dumps(
            {
                "version": settings["version"],
                "gain_db": gain,
                "margin_db": values["margin_db"],
                "hall_rest": values["hall_rest"],
                "board": {k: v for k, v in values.items() if not isinstance(v, dict)},
            }
        )
    )
