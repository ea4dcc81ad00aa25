"""What the readers hear of each chip, over time: the evidence from which a verdict is made.

Taken over the wire with the request `tags`, after each throw: for each chip the lowest gain step
in the zone that hears it best. Nothing here knows where the chip lies.
"""

from typing import Any

from spiceboard.board.client import Client

SILENT = 6  # the step of a chip that no reader hears
LOOKS = 3  # at the end, for the history
Look = dict[str, list[tuple[int, str]]]  # chip: [(step, zone), ...], the strongest first


class Evidence:
    """Looks at all zones, one after each act."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.looks: list[Look] = []

    def look(self) -> None:
        """Note what is heard now."""
        heard: Look = {}
        tags = self.client.request("tags", timeout=30)["tags"]
        for zone, found in tags.items():
            for _uid, chip, step in found:
                heard.setdefault(chip, []).append((step, zone))
        self.looks.append({chip: sorted(places) for chip, places in heard.items()})

    def add_to(self, rows: list[dict[str, Any]]) -> None:
        """Add `heard` to rows of a verdict: what LOOKS more looks tell of each chip."""
        for _ in range(LOOKS):
            self.look()
        for row in rows:
            row["heard"] = self._of(row["chip"])

    def _of(self, chip: str) -> dict[str, Any]:
        """step: of the zone that hears it best (SILENT: none); in: that zone, or where it was
        heard last; next: step of the next best zone; times: at how many of the last looks it was
        heard; before: was it heard earlier; newcomers: chips that another look heard first in
        that zone after it fell silent."""
        last = [look.get(chip, []) for look in self.looks]
        best = min((places[0] for places in last[-LOOKS:] if places), default=None)
        earlier = [places[0][1] for places in last[:-LOOKS] if places]
        zone = best[1] if best else earlier[-1] if earlier else None
        nexts = [places[1][0] for places in last[-LOOKS:] if len(places) > 1]
        return {
            "step": best[0] if best else SILENT,
            "in": zone,
            "next": min(nexts, default=SILENT),
            "times": sum(bool(places) for places in last[-LOOKS:]),
            "before": bool(earlier),
            "newcomers": self._newcomers(chip, zone),
        }

    def _newcomers(self, chip: str, zone: str | None) -> int:
        """Chips that came to the zone since the look that heard this chip there last."""
        here = [
            {name for name, places in look.items() if places[0][1] == zone} for look in self.looks
        ]
        when = max((n for n, names in enumerate(here) if chip in names), default=-1)
        if zone is None or when < 0:
            return 0
        return len(set().union(*here[when + 1 :]) - here[when])
