"""The screen while a diagnosis measures: whole in any terminal from 80 by 24 on.

The step is at the top, then a line for each zone, what is found so far, and what is true of the
board as a whole. What a small terminal has no room for is in the report at the end.
"""

from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.text import Text

from spiceboard.diag.page import HEADS, Report, facts, zone_table
from spiceboard.diag.rules import so_far

SHORT = ("zone", "version", "bus", "own", "margin/dB", "off", "still", "moving", "hall/mV")
REST = "... the report at the end has the rest"
LINES_OF_FACTS = 8  # board, firmware, supply, start, heap, flash, buttons, one thing left out


class Progress:
    """What is measured up to now, and what comes next, in the lines that there are."""

    def __init__(self, m: Report, step: str) -> None:
        self.m, self.step = m, step

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.size.height - 1
        found = [_line(f"{f.level.upper()}  {f.says}", f.level) for f in so_far(self.m)]
        parts = [_line(f"measuring {self.step} ...", "step"), self._zones(console, options)]
        parts += [*found, *(_line(f"{name}: {value}") for name, value in facts(self.m))]
        lines = [line for part in parts for line in console.render_lines(part, options, pad=False)]
        if len(lines) > room:
            lines[room - 1 :] = [[Segment(REST)]]
        for line in lines:
            yield from line
            yield Segment.line()

    def _zones(self, console: Console, options: ConsoleOptions) -> Any:
        """All figures where there is room for them, else those that tell of a fault."""
        whole = zone_table(self.m, HEADS)
        wide = Measurement.get(console, options.update(width=1000), whole).maximum
        high = len(self.m["zones"]) + 5 + 1 + LINES_OF_FACTS  # title, heads and frame; the step
        if wide <= options.max_width and high < options.size.height:
            return whole
        return zone_table(self.m, SHORT, framed=False)


def _line(text: str, style: str = "") -> Text:
    """One line, cut where the terminal ends."""
    style = {"step": "bold", "fault": "bold red", "note": "yellow"}.get(style, style)
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")
