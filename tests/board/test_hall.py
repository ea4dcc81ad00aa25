"""Hall sensors on the whole board: they say which zone comes first, and are never needed."""

from pathlib import Path

import pytest

from lab import Lab
from spiceboard_sim import faults
from spiceboard_sim.board.geometry import ZONE
from spicecore.storage.on_demand.settings import Settings

# A sweep in which nothing moves: each zone's field may be on beside the next one's, but the last.
SWEEP = ["curry", "garlic", "mint", "extra_throw", "reserve", "ginger", "cumin", "cardamom",
         "chili", "cinnamon", "spice_card", "head_chef", "saffron"]  # fmt: skip
CHIPS = ("b10", "b20", "b30", "r10", "r20")


class Watched(Lab):
    """A board whose fields are noted in the order in which they are switched on."""

    def __init__(self, folder: Path, hall: bool) -> None:
        (folder / "data").mkdir(parents=True)
        Settings(str(folder / "data/settings")).change({"hall": hall})
        super().__init__(seed=1, flash=folder)
        self.visits: list[str] = []
        for field in self.world.fields.values():
            field.switch = self._noting(field.zone.name, field.switch)

    def _noting(self, zone, switch):  # type: ignore[no-untyped-def]
        def noted(on: bool, now: int) -> None:
            if on:
                self.visits.append(zone)
            switch(on, now)

        return noted

    def first_after(self, chip: str, zone: str) -> int:
        """How many other zones are visited between the landing of a chip and the first look at
        its zone, when it lands before the last zone of a sweep, with which the next begins."""
        while not self.visits or self.visits[-1] != SWEEP[-2]:
            self.run(1)
        self.visits.clear()
        self.world.lay(chip, zone)
        while zone not in self.visits:
            self.run(1)
        return self.visits.index(zone)


@pytest.mark.parametrize("hall", [False, True])
def test_what_a_sensor_feels_is_looked_at_first(tmp_path: Path, hall: bool) -> None:
    with Watched(tmp_path, hall) as lab:
        lab.boot()
        lab.run(1000)
        waited = lab.first_after("b10", "cinnamon")
        assert waited == (1 if hall else 1 + SWEEP.index("cinnamon"))


@pytest.mark.parametrize("stuck", [None, 3300.0, 0.0])
def test_no_chip_is_lost_or_invented_by_what_a_sensor_says(
    tmp_path: Path, stuck: float | None
) -> None:
    """Fitted and right, or stuck at either rail, or fitted by the settings only: the same game."""
    told = []
    for hall in (False, True):
        with Watched(tmp_path / str(hall), hall) as lab:
            if stuck is not None:
                for zone in ZONE:
                    faults.parts.hall_stuck(lab.board, zone, stuck)
            lab.boot()
            for chip, zone in zip(CHIPS, ZONE, strict=False):
                lab.world.lay(chip, zone)
                lab.run(600)
            lab.world.lift(CHIPS[0])
            lab.run(600)
            told.append((lab.told("board", "moved"), lab.good("snapshot")["chips"]))
            assert lab.console == b""
    assert told[0] == told[1] and len(told[0][0]) == len(CHIPS) + 1
