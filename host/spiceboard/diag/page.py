"""A diagnosis to look at: rows of figures, the terminal's table, one page of HTML to send on."""

import html
import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from spicecore.storage.on_demand.settings import GAINS_DB

Report = dict[str, Any]
HEADS = (
    "zone version bus own gain margin/dB off still moving hall/mV errors re-inits incomplete"
).split()
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 62em; padding: 0 1em;
  color: #222; background: #fff; }
table { border-collapse: collapse; } td, th { padding: .2em .6em; text-align: right;
  border-bottom: 1px solid #ddd; } td:first-child, th:first-child { text-align: left; }
.fault { border-left: 5px solid #c33; padding: .3em 1em; margin: .8em 0; background: #fdf2f2; }
.note { border-left: 5px solid #c90; padding: .3em 1em; margin: .8em 0; background: #fdf9ee; }
.well { border-left: 5px solid #393; padding: .3em 1em; background: #f2fbf2; }
pre { background: #f6f6f6; padding: 1em; overflow: auto; max-height: 30em; }
"""


def rows(m: Report) -> list[list[str]]:
    """One row a zone, in the order of HEADS; "-" where nothing was measured (yet)."""
    return [_row(m, zone) for zone in m["zones"]]


def _row(m: Report, zone: str) -> list[str]:
    reader = m.get("readers", {}).get(zone)
    version = "-"
    if reader:
        versions = sorted(set(reader["versions"]))
        version = " ".join("none" if v in (0, 255) else f"{v:#04x}" for v in versions)
    clocks = m.get("bus", {}).get(zone, {})
    bus = " ".join(f"{n - wrong}/{n}@{int(hz) // 1_000_000}M" for hz, (wrong, n) in clocks.items())
    mark = m.get("marks", {}).get(zone)
    number = m["zones"].index(zone) + 1
    own = "-" if mark is None else "yes" if mark == [number, number ^ 63] else "no"
    step = m.get("settings", {}).get("gain", {}).get(zone)
    counters = m.get("status", {}).get("counters", {}).get(zone, ["-"] * 4)
    hall = (m.get("hall") or {}).get(zone)
    return [
        zone,
        version,
        bus or "-",
        own,
        "-" if step is None else f"{GAINS_DB[step]} dB",
        _margin(m, zone),
        *(_rate(m, zone, leds) for leds in ("off", "still", "moving")),
        str(hall["mv"]) if hall else "-",
        *(str(value) for value in counters[:3]),
    ]


def _rate(m: Report, zone: str, leds: str) -> str:
    """Share of visits that found each tag, the worst one."""
    read = m.get("reads", {}).get(zone, {}).get(leds)
    if not read:
        return "-"
    if not read["seen"]:
        return "no tag"
    return f"{min(read['seen'].values()) / read['n']:.0%}"


def _margin(m: Report, zone: str) -> str:
    """dB between the gain in use and the lowest that hears the weakest tag: LEDs off, still and
    moving where they were measured."""
    step = m.get("settings", {}).get("gain", {}).get(zone)
    reads = m.get("reads", {}).get(zone, {})
    found = [reads[leds]["lowest"] for leds in ("off", "still", "moving")
             if reads.get(leds, {}).get("lowest")]  # fmt: skip
    if not found:
        tags = m.get("tags", {}).get(zone)
        found = [{uid: low for uid, _, low in tags}] if tags else []
    if not found or step is None:
        return "-"
    return " ".join(str(GAINS_DB[step] - GAINS_DB[max(lowest.values())]) for lowest in found)


def facts(m: Report) -> list[tuple[str, str]]:
    """What is true of the board as a whole."""
    found = []
    board, status = m.get("board", {}), m.get("status", {})
    if board:
        found.append(("board", f"{board['board']}, {board['machine']}, {board['profile']}"))
        found.append(("firmware", f"{board['firmware']}, protocol {board['protocol']}"))
    if "supply" in m:
        mv, lowest = m["supply"]["mv"], m["supply"]["lowest"]
        text = "not measured" if mv is None else f"{mv} mV, lowest {lowest} mV"
        found.append(("supply", f"{text}; LEDs {status['led_ma']} of {status['led_cap_ma']} mA"))
    if "reset" in m:
        reset = m["reset"]
        found.append(("last start", f"{reset['cause']}, start {reset['starts']}, "
                      f"{reset['brownouts']} brown-outs"))  # fmt: skip
    if "memory" in m:
        memory = m["memory"]
        found.append(("heap", f"{memory['free']} bytes free, lowest {memory['lowest']}"))
    if "flash" in m:
        flash = m["flash"]
        found.append(("flash", f"{flash['free'] // 1024} of {flash['total'] // 1024} KiB free, "
                      + (f"cannot be written: {flash['write']}" if flash["write"] else
                         "can be written")))  # fmt: skip
    if "buttons" in m:
        found.append(("buttons", ", ".join(
            f"{name} {'down' if down else 'up'}" for name, down in m["buttons"]["down"].items()
        )))  # fmt: skip
    for text in m.get("left_out", []):
        found.append(("left out", text))
    return found


def zone_table(m: Report, heads: Sequence[str], framed: bool = True) -> Table:
    """These figures of the zones, a line each, whatever the width."""
    if framed:
        table = Table(title="Spiceboard diagnosis", title_justify="left")
    else:
        table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, justify="left" if head == "zone" else "right", no_wrap=True)
    for row in rows(m):
        table.add_row(*(row[HEADS.index(head)] for head in heads))
    return table


class Zones:
    """The figures of the zones as a table; where that is too wide, as a line for each zone."""

    def __init__(self, m: Report) -> None:
        self.m = m

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = zone_table(self.m, HEADS)
        wide = options.update(width=1000)
        if Measurement.get(console, wide, table).maximum <= options.max_width:
            yield table
            return
        yield Text("Spiceboard diagnosis", style="italic")
        for zone, *cells in rows(self.m):
            known = [
                f"{head} {cell}"
                for head, cell in zip(HEADS[1:], cells, strict=True)
                if cell != "-"
            ]
            yield Text(f"{zone}: {', '.join(known) or '-'}")


def screen(m: Report, findings: list[Report]) -> Group:
    """The report in a terminal: figures, then what was found."""
    parts: list[Any] = [Zones(m)]
    parts += [Text(f"{name}: {value}") for name, value in facts(m)]
    parts.append(Text())
    if not findings:
        parts.append(Text("Nothing wrong was found.", style="bold green"))
    for finding in findings:
        style = "bold red" if finding["level"] == "fault" else "yellow"
        parts.append(Text(f"{finding['level'].upper()}  {finding['says']}", style=style))
        parts.append(Text(f"       {finding['step']}"))
    return Group(*parts)


def page(report: Report) -> str:
    """One self-contained page: no file, script or address beside it."""
    m = report["measured"]
    e = html.escape
    lines = [
        "<!DOCTYPE html><html lang='en'><meta charset='utf-8'>",
        f"<title>Spiceboard {e(str(m['board']['board']))}</title><style>{STYLE}</style>",
        f"<h1>Diagnosis of a Spiceboard</h1><p>{e(report['when'])}</p><h2>Found</h2>",
    ]
    if not report["findings"]:
        lines.append("<p class='well'>Nothing wrong was found.</p>")
    for finding in report["findings"]:
        lines.append(
            f"<div class='{e(finding['level'])}'><b>{e(', '.join(finding['parts']))}</b><br>"
            f"{e(finding['says'])}<br><i>{e(finding['step'])}</i></div>"
        )
    heads = "".join(f"<th>{e(head)}</th>" for head in HEADS)
    lines.append(f"<h2>Zones</h2><table><tr>{heads}</tr>")
    for row in rows(m):
        lines.append("<tr>" + "".join(f"<td>{e(cell)}</td>" for cell in row) + "</tr>")
    lines.append("</table><p>off, still, moving: share of visits that found the tag, with the "
                 "LEDs in that state.</p><h2>Board</h2><ul>")  # fmt: skip
    lines += [f"<li><b>{e(name)}</b> {e(value)}</li>" for name, value in facts(m)]
    if m.get("answers"):
        lines.append("</ul><h2>What people saw</h2><ul>")
        lines += [f"<li>{e(key)}: {e(value)}</li>" for key, value in m["answers"].items()]
    whole = json.dumps(report, indent=1)
    lines.append(f"</ul><h2>All figures</h2><pre>{e(whole)}</pre></html>\n")
    return "\n".join(lines)
