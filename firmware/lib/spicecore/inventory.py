"""Reads of the zones -> chips settled in a zone, changes, doubts. Pure: time is an argument.

A chip is an index 0..chips-1 (the roster maps UIDs to it), a zone an index 0..zones-1, NOWHERE -1.
Skeleton: signatures are fixed, bodies follow.
"""

NOWHERE = -1


class Inventory:
    """zones, chips: how many there are. k: agreeing visits to settle. settle_ms: a chip must lie
    still that long (0 allowed). weak_db: a gain above it is a weak read. margin_db: of two zones
    that see a chip, one wins when it needs at least that much less gain; else it is a doubt."""

    def __init__(
        self,
        zones: int = 13,
        chips: int = 25,
        k: int = 2,
        settle_ms: int = 0,
        weak_db: int = 38,
        margin_db: int = 10,
    ) -> None:
        self.seen = bytearray(chips)  # fill for report(): gain in dB at which chip i answered, 0 no

    def report(self, zone: int, complete: bool, now_ms: int) -> None:
        """One visit's result: `self.seen` (which is cleared again). Does not allocate.

        Not complete: what was seen counts as seen, what was not counts as nothing."""

    def changes(self, now_ms: int) -> list:
        """Settled changes since the last call, one atomic list in order of time:
        [[chip, zone or None], ...]; [] while anything is still settling."""
        return []

    def place(self, chip: int) -> int:
        """Settled zone of the chip, or NOWHERE."""
        return NOWHERE

    def doubts(self) -> list:
        """[[chip, [zone, ...], "weak" | "between" | "flicker"], ...]: the head chef decides."""
        return []

    def decide(self, chip: int, zone: int, now_ms: int) -> None:
        """The head chef's word on a doubt (zone or NOWHERE): comes out of changes(); holds until
        the chip is seen to leave or to lie elsewhere."""

    def known(self, zone: int, chip: int) -> bool:
        """Is the chip expected to answer in this zone (what verify() of the next visit checks)?"""
        return False

    def stranger(self, zone: int, uid: bytes, kind: str) -> bool:
        """A tag that is not on the roster ("unknown") or a second one with the UID ("duplicate"):
        True the first time, to be reported once; forgotten when `clear_strangers(zone)`."""
        return False

    def order(self, hint: int, out: bytearray) -> None:
        """Order of visiting for the next sweep: zones with a bit set in `hint` (hall sensors)
        first, then those where something is settling, then the rest."""
