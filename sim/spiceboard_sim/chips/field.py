"""The simplest field: every tag in it couples perfectly. For tests of readers and drivers."""

from spiceboard_sim.chips.air import Reception, superpose
from spiceboard_sim.chips.ntag213 import Tag


class PlainField:
    """One antenna with tags that all wake and are all heard, whatever the gain."""

    def __init__(self, tags: list[Tag] | None = None) -> None:
        self.tags = list(tags or [])
        self.on = False
        self.air_ns = 0  # time of all frames and answers, for statistics

    def conduct(self, full: bool) -> None:
        """See `air.Field`; perfect coupling needs no more."""

    def switch(self, on: bool, now: int) -> None:
        """See `air.Field`."""
        if on != self.on:
            for tag in self.tags:
                if on:
                    tag.power(now)
                else:
                    tag.lose()
        self.on = on

    def send(self, value: int, bits: int, start: int, end: int, gain_db: int) -> Reception | None:
        """See `air.Field`."""
        answers = [tag.receive(value, bits, start, end) for tag in self.tags]
        return superpose([answer for answer in answers if answer is not None])
