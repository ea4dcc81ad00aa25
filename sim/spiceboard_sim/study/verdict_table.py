"""A verdict learned from records: a table from evidence to what to say of a chip.

Learned from some layouts, compared with the firmware's rules on others. The evidence of a chip is
what `evidence.py` notes. For each kind of evidence the table holds how often such a chip lay in
the zone that heard it best; kinds that are rare lean towards coarser ones. What it says costs
least if a mistake that nobody is told of costs as much as MISTAKE doubts.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from spiceboard_sim.study import tables
from spiceboard_sim.study.evidence import LOOKS, SILENT
from spicecore.parts import BOWLS, ZONES
from spicecore.storage.on_demand.settings import GAINS_DB

MISTAKE = 20.0  # doubts
LEAN = 2.0  # chips that the coarser kind counts for
MARGIN_DB = 10  # between two zones, as in the firmware
Row = dict[str, Any]
Key = tuple[str, ...]
THERE, NOWHERE, DOUBT = "lies there", "nowhere", "in doubt"


def key_of(heard: Row) -> Key:
    """The kind of evidence, from coarse to fine: how strong, how often, rivals and newcomers, and
    the kind of zone."""
    step, times = heard["step"], heard["times"]
    if step == SILENT:
        return ("silent", "heard before", "newcomer" if heard["newcomers"] else "no newcomer", "")
    rival = heard["next"] < SILENT and GAINS_DB[heard["next"]] - GAINS_DB[step] < MARGIN_DB
    place = "bowl" if ZONES.index(heard["in"]) < BOWLS else "action space"
    often = "always" if times == LOOKS else "sometimes"
    return (f"{GAINS_DB[step]} dB", often, "two zones" if rival else "one zone", place)


def cheapest(chance: float) -> str:
    """What costs least of a chip that lies in the zone with this chance."""
    if chance > 1 - 1 / MISTAKE:
        return THERE
    return NOWHERE if chance < 1 / MISTAKE else DOUBT


class Table:
    """{kind of evidence: [chips that lay there, all chips]}, by every length of the key."""

    def __init__(self, rows: list[Row]) -> None:
        self.there: Counter[Key] = Counter()
        self.all: Counter[Key] = Counter()
        for row in rows:
            if row["heard"]["in"] is None:
                continue
            key = key_of(row["heard"])
            for length in range(len(key) + 1):
                self.all[key[:length]] += 1
                self.there[key[:length]] += row["zone"] == row["heard"]["in"]

    def chance(self, key: Key) -> float:
        """That a chip with this evidence lies in the zone."""
        found = 0.5
        for length in range(len(key) + 1):
            part = key[:length]
            found = (self.there[part] + LEAN * found) / (self.all[part] + LEAN)
        return found

    def says(self, heard: Row) -> str:
        """What costs least."""
        if heard["in"] is None:
            return NOWHERE  # nobody has heard it: only counting can tell
        return cheapest(self.chance(key_of(heard)))

    def markdown(self) -> str:
        """The table, to be read."""
        lines = ["| heard at | how often | beside | zone | chips | lay there | verdict |"]
        lines.append("| --- |" + " --- |" * 6)
        whole = max((len(key) for key in self.all), default=0)
        for key in sorted(key for key in self.all if len(key) == whole):
            share = f"{100 * self.there[key] / self.all[key]:.0f} %"
            cells = [*key, str(self.all[key]), share, cheapest(self.chance(key))]
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join(lines)


def judged(table: Table, row: Row) -> str:
    """What a verdict of the table is called in a study."""
    said = table.says(row["heard"])
    if said == DOUBT:
        return "doubt"
    claimed = row["heard"]["in"] if said == THERE else ""
    if claimed == row["zone"]:
        return "right"
    return "ghost" if not row["zone"] else "missing"


@dataclass(frozen=True)
class Compared:
    """table: what was learned, in Markdown. figures: rules and table on the other layouts."""

    table: str
    figures: str


def compared(results: list[Row], train: int) -> Compared:
    """Learn from the layouts of the `train` lowest seeds, compare on the rest. ValueError: too few
    of them, or without evidence."""
    seeds = sorted({result["seed"] for result in results})
    if not 0 < train < len(seeds):
        raise ValueError(
            f"the file has {len(seeds)} seeds: learn from 1 to {len(seeds) - 1} of them, so that "
            "some are left to test"
        )
    if any("heard" not in row for result in results for row in result["rows"]):
        raise ValueError("some layouts have no evidence: run `study sensing` with --evidence")
    known = set(seeds[:train])
    learn = [row for result in results if result["seed"] in known for row in result["rows"]]
    test = [row for result in results if result["seed"] not in known for row in result["rows"]]
    table = Table(learn)
    lines = [f"learned from {len(learn)} chips of {train} seeds, compared on {len(test)} others\n"]
    lines += [
        "| | n | right, if not in doubt (95 % interval) | in doubt | missing, not reported | "
        "counted though invalid |",
        "| --- |" + " --- |" * 5,
        _line("the firmware's rules", [row["said"] for row in test]),
        _line("the learned table", [judged(table, row) for row in test]),
        _line("the table on what it learned from", [judged(table, row) for row in learn]),
    ]
    return Compared(table.markdown(), "\n".join(lines))


def _line(name: str, said: list[str]) -> str:
    counts = Counter("doubt" if word == "asked" else word for word in said)
    clear = len(said) - counts["doubt"]
    low, high = tables.wilson(counts["right"], clear)
    share = 100 * counts["right"] / clear if clear else 0.0
    return (
        f"| {name} | {len(said)} | {share:.1f} % ({100 * low:.1f} to {100 * high:.1f}) | "
        f"{counts['doubt']} ({100 * counts['doubt'] / max(1, len(said)):.1f} %) | "
        f"{counts['missing'] + counts['told']} | {counts['ghost']} |"
    )
