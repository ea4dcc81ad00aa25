"""Both reader drivers on the emulated RP2040: what a sweep finds, costs and allocates.

The microseconds are the emulated chip's own: near, not exact (no flash cache is modelled).
"""

import json
from pathlib import Path

import pytest

from rfid.codes import SAME
from spiceboard_sim.bench import sweeps
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator.board import EmulatedBoard

# Runs on the board after the set-up of `sweeps`: some sweeps, and one line of JSON.
SCRIPT = """
def sweep(proof):
    worst = 0
    for i in range(13):
        reader = readers[i]
        reader.antenna(True)
        reason = visit(reader, known[i], first, second, 250_000, proof)
        reader.antenna(False)
        if reason != iso.SAME:
            known[i].copy(first)
        worst = max(worst, reason)
    return worst

versions = set()
for reader in readers:
    reader.init(33)
    reader.settle_us = 1000
    versions.add(reader.version())
out = {"versions": sorted(versions)}
for name, proof in (("first", False), ("verify", False), ("prove", True)):
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    start = time.ticks_us()
    reason = sweep(proof)
    us = time.ticks_diff(time.ticks_us(), start)
    out[name] = [iso.REASONS[reason], us, gc.mem_alloc() - before]
    gc.enable()
one, two, three = readers[5], readers[3], readers[8]  # may be on together, one after the other
for reader in (one, two, three):
    reader.settle_us = 5000
one.antenna(True)
time.sleep_us(4000)
two.antenna(True)
start = time.ticks_us()
out["together"] = [one.verify(known[5], 250_000)]
out["waited"] = [time.ticks_diff(time.ticks_us(), start)]
one.antenna(False)
three.antenna(True)
later = time.ticks_us()
out["together"].append(two.verify(known[3], 250_000))
out["waited"].append(time.ticks_diff(time.ticks_us(), start))
two.antenna(False)
out["together"].append(three.verify(known[8], 250_000))
out["waited"].append(time.ticks_diff(time.ticks_us(), later))
three.antenna(False)
for reader in (one, two, three):
    reader.settle_us = 1000
micropython.heap_lock()
reason = sweep(False)
micropython.heap_unlock()
out["locked"] = iso.REASONS[reason]
out["found"] = [[known[i].uid(j).hex() for j in range(known[i].count)] for i in range(13)]
print(json.dumps(out))
"""


def measure(image: Path, world: World, fast: bool) -> dict:  # type: ignore[type-arg]
    """The line that SCRIPT prints on a board in that world."""
    board = EmulatedBoard(image, world, sweeps.files(SCRIPT, fast))
    text = bytearray()

    def done() -> bool:
        text.extend(board.read())
        return b"}" in text or b"Error" in text

    board.run_until(done, 20_000)
    board.run_for(20)
    text.extend(board.read())
    lines = [line for line in text.decode().splitlines() if line.startswith("{")]
    assert lines, text.decode()
    return json.loads(lines[0])  # type: ignore[no-any-return]


@pytest.mark.emulated
@pytest.mark.parametrize(
    "fast",
    [
        pytest.param(True, id="registers"),
        pytest.param(False, id="machine.SPI", marks=pytest.mark.soak),
    ],
)
def test_a_sweep_of_thirteen_readers(image: Path, fast: bool) -> None:
    """Eight tags spread over the board are found, verified and proven; nothing is allocated."""
    world = World(1)
    names = [name for name in sorted(world.chips) if name != "mill"][:8]
    zones = ("curry", "curry", "curry", "chili", "mint", "garlic", "cinnamon", "head_chef")
    for name, zone in zip(names, zones, strict=True):
        world.lay(name, zone)
    got = measure(image, world, fast)
    print(json.dumps({"driver": "registers" if fast else "machine.SPI", **got}))
    assert got["versions"] == [0x92]
    assert sum(len(uids) for uids in got["found"]) == 8
    assert {uid for uids in got["found"] for uid in uids} == {
        world.chips[name].tag.uid.hex() for name in names
    }
    assert got["first"][0] in ("complete", "same"), got  # the worst of all zones
    for name in ("verify", "prove"):
        assert got[name][0] == "same" and got[name][2] == 0, got
    assert got["locked"] == "same"
    assert got["together"] == [SAME] * 3, "each before its own tags"
    first, second, third = got["waited"]  # since the field went on: 4 ms later for the first
    assert first < 5_000, "its tags had been awake for 4 ms"
    assert 5_000 < second < 8_000 and 5_000 < third < 8_000, got["waited"]
    assert got["verify"][1] < 100_000, "an empty sweep and eight tags within 100 ms"
