"""A whole round of throws in a game that is on: what a person at the board says while it goes on.

People are honest and see well: they decide doubts by the geometry, and say of a chip that fell
into no zone that it missed. Of a chip that lies in a zone they say nothing: the board should know.
What it then asks because it has counted is what is measured.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from spiceboard.board.client import Client, Refused
from spiceboard_sim.board.geometry import zone_at
from spicecore.parts import colour

if TYPE_CHECKING:  # the world needs numpy, and `study --help` does not
    from spiceboard_sim.board.world import World

PLAYERS, THROWS = 4, 3  # of each player (docs/notation.md)


class Round:
    """A game of four that has begun; blue throws first."""

    def __init__(self, client: Client, world: "World") -> None:
        self.client, self.world = client, world
        self.doubts = 0  # that were decided
        options = {"players": PLAYERS, "mode": "full", "seed": 1, "chef": 0}
        client.request("new", game="safranito", options=options)
        self._keys = [client.claim(seat) for seat in range(PLAYERS)]
        self._throws = 0

    def lying(self, name: str, zone: str | None) -> int:
        """How many chips of a colour count in a zone; None: in all zones."""
        found = 0
        for chip in self.world.chips.values():
            there = chip.pose and colour(chip.name) == name and zone_at(chip.pose.x, chip.pose.y)
            found += bool(there and zone in (None, there.name))
        return found

    def after(self, chip: str) -> None:
        """A chip has come to rest: decide doubts, and say that it missed where it did."""
        seat = self._throws % PLAYERS
        self._throws += 1
        snapshot = self.client.request("snapshot")
        for number, name, zone in snapshot["doubts"]:
            if zone is not None:
                listed = snapshot["chips"].get(zone, {}).get(name, 0)
                self._ask("decide", 0, doubt=number, counts=self.lying(name, zone) > listed)
                self.doubts += 1
        pose = self.world.chips[chip].pose
        view = self.client.request("snapshot")["game"]["view"]
        if view["throws"]["made"] < self._throws and not (pose and zone_at(pose.x, pose.y)):
            self._ask("act", seat, event=["missed", seat])

    def _ask(self, do: str, seat: int, **parts: Any) -> None:
        with suppress(Refused):  # the board saw something meanwhile
            self.client.request(do, seat=seat, key=self._keys[seat], **parts)

    def needless(self, snapshot: dict[str, Any]) -> int:
        """How many open questions ask about a colour of which every chip in a zone is listed."""
        return sum(
            self.lying(name, zone) <= self._listed(snapshot, name, zone)
            for _, name, zone in snapshot["doubts"]
        )

    @staticmethod
    def _listed(snapshot: dict[str, Any], name: str, zone: str | None) -> int:
        zones = snapshot["chips"] if zone is None else {zone: snapshot["chips"].get(zone, {})}
        return sum(chips.get(name, 0) for chips in zones.values())
