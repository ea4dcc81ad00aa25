"""What the rows of a study come to: shares with intervals, a table of confusion, a picture."""

from collections.abc import Callable
from math import sqrt
from typing import Any

from spiceboard_sim.rf.tag import SPREAD_F

Row = dict[str, Any]
SAID = ("right", "doubt", "asked", "told", "missing", "ghost")
WORDS = {
    "right": "right",
    "doubt": "in doubt",
    "asked": "asked or awaited, by counting",
    "told": "reader says incomplete",
    "missing": "missing, not reported",
    "ghost": "counted though invalid",
}


def wilson(part: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """95 % interval of a share."""
    if whole == 0:
        return 0.0, 1.0
    share = part / whole
    middle = share + z * z / (2 * whole)
    half = z * sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    scale = 1 + z * z / whole
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def kind_of_zone(row: Row) -> str:
    if not row["zone"]:
        return "nowhere"
    spaces = ("extra_throw", "spice_card", "reserve", "head_chef")
    return "action space" if row["zone"] in spaces else "bowl"


def tuning(off: float | None) -> str:
    """By how much a tag is tuned off the nominal one; SPREAD_F is the sigma."""
    if off is None:
        return "-"
    sigma = 100 * SPREAD_F
    return "low" if off < -sigma else "high" if off > sigma else "within a sigma"


GROUPS: dict[str, Callable[[Row], str]] = {
    "all": lambda row: "all",
    "zone": kind_of_zone,
    "how it lies": lambda row: row["how"],
    "tag tuned": lambda row: tuning(row.get("off")),
    "make of tag": lambda row: row.get("make") or "-",
    "place in the stack": lambda row: str(min(row["place"], 6)) if row["zone"] else "-",
}


def table(rows: list[Row]) -> str:
    """A table in Markdown: shares by group, outside doubts with Wilson's interval."""
    lines = [
        "| | n | right, if not in doubt (95 % interval) | "
        + " | ".join(WORDS[s] for s in SAID[1:])
        + " |",
        "| --- |" + " --- |" * (len(SAID) + 1),
    ]
    for name, group in GROUPS.items():
        for key in sorted({group(row) for row in rows}):
            lines.append(_line(name, key, [row for row in rows if group(row) == key]))
    return "\n".join(lines)


def _line(name: str, key: str, rows: list[Row]) -> str:
    counts = {said: sum(row["said"] == said for row in rows) for said in SAID}
    part, clear = right(rows)
    low, high = wilson(part, clear)
    share = 100 * part / clear if clear else 0.0
    title = key if name == "all" else f"{name}: {key}"
    cells = [f"{title}", str(len(rows)), f"{share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"]
    cells += [f"{counts[s]} ({100 * counts[s] / len(rows):.1f} %)" for s in SAID[1:]]
    return "| " + " | ".join(cells) + " |"


def right(rows: list[Row]) -> tuple[int, int]:
    """(chips of which the board is right, chips about which it does not ask)."""
    clear = [row for row in rows if row["said"] not in ("doubt", "asked")]
    return sum(row["said"] == "right" for row in clear), len(clear)


def confusion(rows: list[Row]) -> str:
    """Where chips lie against what was said, as a table in Markdown."""
    lies = ("bowl", "action space", "nowhere")
    lines = ["| lies \\ said | " + " | ".join(WORDS[s] for s in SAID) + " |"]
    lines.append("| --- |" + " --- |" * len(SAID))
    for place in lies:
        mine = [row for row in rows if kind_of_zone(row) == place]
        counts = [sum(row["said"] == said for row in mine) for said in SAID]
        lines.append(f"| {place} | " + " | ".join(str(count) for count in counts) + " |")
    return "\n".join(lines)


def picture(rows: list[Row]) -> str:
    """Shares by how far inside its limit a chip lies, as SVG: bars of 2 mm."""
    shades = dict(
        zip(SAID, ("#3a7d44", "#e0a030", "#e0d060", "#8888cc", "#c03030", "#602060"), strict=True)
    )
    bins = list(range(-20, 44, 2))
    wide, tall, left = 12, 180, 40
    parts = []
    for n, low in enumerate(bins):
        mine = [row for row in rows if low <= row["margin"] < low + 2]
        y = 20.0 + tall
        for said in SAID:
            part = sum(row["said"] == said for row in mine) / len(mine) if mine else 0
            y -= part * tall
            if part:
                parts.append(
                    f'<rect x="{left + n * wide}" y="{y:.1f}" width="{wide - 1}" '
                    f'height="{part * tall:.1f}" fill="{shades[said]}"/>'
                )
        if low % 10 == 0:
            parts.append(f'<text x="{left + n * wide}" y="{tall + 34}">{low}</text>')
    for n, said in enumerate(SAID):
        x, y = left + 150 * (n % 3), tall + 50 + 16 * (n // 3)
        parts.append(f'<rect x="{x}" y="{y}" width="9" height="9" fill="{shades[said]}"/>')
        parts.append(f'<text x="{x + 12}" y="{y + 8}">{WORDS[said]}</text>')
    title = "what the board says of a chip, by mm inside the limit (left: outside)"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + len(bins) * wide + 90} '
        f'{tall + 82}" font-family="sans-serif" font-size="9">'
        f'<text x="{left}" y="12">{title}</text>{"".join(parts)}</svg>\n'
    )
