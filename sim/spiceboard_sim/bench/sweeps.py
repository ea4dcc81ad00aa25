"""What sweeps of thirteen readers cost on the emulated RP2040, by the chip's own microseconds.

    python -m spiceboard_sim.bench.sweeps --settle 2000 [--plain] [CASE ...]

One JSON line a case. `us` is measured on the board from before the first field to after the last;
`settle_us` of it is waiting for tags to wake, `air_us` frames and answers by the standard's times.
What remains is the driver: SPI bytes, registers, bytecode. Flash cache misses are not modelled.
"""

import argparse
import json
from typing import Any

from spiceboard.flash.bundle import MPY_RP2040, build
from spiceboard_sim.bench.board import Air
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator.board import EmulatedBoard
from spiceboard_sim.emulator.image import find_image
from spicecore.parts import CHIPS, ZONES

DRIVERS = ("rfid/", "boards/pico/fast/")

# Runs on the board: thirteen readers by one of the drivers.
SET_UP = """
import gc, json, sys, time
import micropython
from machine import Pin, SPI
from rfid import codes as iso
from rfid.uidset import UidSet
from rfid.visit import visit

spi = SPI(0, 8_000_000, sck=Pin(2), mosi=Pin(3), miso=Pin(4))
enable = Pin(5, Pin.OUT, value=1)
address = [Pin(6 + bit, Pin.OUT, value=0) for bit in range(4)]

def selector(number):
    def select(on):
        if on:
            for bit in range(4):
                address[bit](number >> bit & 1)
        enable(not on)
    return select

if FAST:
    from boards.pico.fast.mfrc522 import FastMFRC522, Lines
    lines = Lines(spi)
    readers = [FastMFRC522(lines, number) for number in range(13)]
else:
    from rfid.mfrc522 import MFRC522, Bus
    bus = Bus(spi)
    readers = [MFRC522(bus, selector(number)) for number in range(13)]
known = [UidSet() for _ in readers]
found = [UidSet() for _ in readers]
first = UidSet()
second = UidSet()
"""

# Follows it; waits for a byte before each sweep, so that the counters start there.
MAIN = """
def cold(i):
    return visit(readers[i], first, found[i], second, 250_000, False)

def walk(i):
    return readers[i].inventory(found[i], 250_000)

def walk_confirm(i):
    reason = readers[i].inventory(found[i], 250_000)
    if reason == iso.COMPLETE:
        if readers[i].confirm(found[i], 250_000) != iso.SAME:
            return iso.GARBLED
    return reason

def verify(i):
    return visit(readers[i], known[i], found[i], second, 250_000, False)

def prove(i):
    return visit(readers[i], known[i], found[i], second, 250_000, True)

def sweep(one):
    worst = 0
    for i in range(ZONES):
        reader = readers[i]
        reader.antenna(True)  # what is called then waits for settle_us
        reason = one(i)
        reader.antenna(False)
        if reason > worst:
            worst = reason
    return worst

for reader in readers:
    reader.init(33)
    reader.settle_us = SETTLE
one = reason = before = start = us = used = 0  # names made now, so that no dict grows later
print("ready")
while True:
    one = globals()[sys.stdin.readline().strip()]
    gc.collect()
    gc.disable()
    print("begin")
    sys.stdin.readline()
    before = gc.mem_alloc()
    start = time.ticks_us()
    reason = sweep(one)
    us = time.ticks_diff(time.ticks_us(), start)
    used = gc.mem_alloc() - before
    gc.enable()
    for i in range(ZONES):
        known[i].copy(found[i])
    print(json.dumps({"reason": iso.REASONS[reason], "us": us, "allocated": used,
                      "found": sum([k.count for k in known])}))
"""


def layouts() -> dict[str, dict[str, str]]:
    """{name: {chip: zone}} of the places that are measured."""
    chips = [chip for chip in CHIPS if chip != "mill"]
    return {
        "empty": {},
        "eight in one": dict.fromkeys(chips[:8], "curry"),
        "sixteen in one": dict.fromkeys(chips[:16], "curry"),
        "sixteen spread": {chip: ZONES[n % len(ZONES)] for n, chip in enumerate(chips[:16])},
    }


CASES = {
    "empty verify": ("empty", "verify"),
    "eight walk": ("eight in one", "walk"),
    "eight walk+confirm": ("eight in one", "walk_confirm"),
    "eight visit": ("eight in one", "cold"),
    "sixteen walk": ("sixteen in one", "walk"),
    "sixteen walk+confirm": ("sixteen in one", "walk_confirm"),
    "sixteen visit": ("sixteen in one", "cold"),
    "spread walk": ("sixteen spread", "walk"),
    "spread walk+confirm": ("sixteen spread", "walk_confirm"),
    "spread visit": ("sixteen spread", "cold"),
    "spread verify": ("sixteen spread", "verify"),
    "spread prove": ("sixteen spread", "prove"),
}
"""{name: (layout, function of MAIN)}; `verify` and `prove` follow a walk of the same layout."""


def files(script: str, fast: bool) -> dict[str, bytes]:
    """The drivers, and a main.py of SET_UP and the script."""
    built = build(MPY_RP2040).files
    found = {path: content for path, content in built.items() if path.startswith(DRIVERS)}
    found["main.py"] = (SET_UP.replace("FAST", str(fast)) + script).encode()
    return found


def looked_at(places: dict[str, str]) -> int:
    """How many readers a case sweeps: one where all chips lie in the first, else all."""
    return 1 if set(places.values()) == {ZONES[0]} else len(ZONES)


class Rig:
    """An emulated board that runs MAIN in a world."""

    def __init__(self, places: dict[str, str], settle_us: int, fast: bool) -> None:
        world = World(1)
        for chip, zone in places.items():
            world.lay(chip, zone)
        self.air = Air()
        for field in world.fields.values():
            self.air.listen(field)
        text = MAIN.replace("SETTLE", str(settle_us))
        text = text.replace("ZONES", str(looked_at(places)))
        self.board = EmulatedBoard(find_image(), world, files(text, fast))
        self.text = ""
        self._until("ready")

    def _until(self, word: str) -> str:
        def done() -> bool:
            self.text += self.board.read().decode()
            return word in self.text or "Error" in self.text

        if not self.board.run_until(done, 30_000) or word not in self.text:
            raise RuntimeError(f"the board did not say {word!r}: {self.text}")
        said, self.text = self.text, ""
        return said

    def sweep(self, function: str) -> dict[str, Any]:
        """One sweep by a function of MAIN."""
        self.board.write(function.encode() + b"\n")
        self._until("begin")
        wiring = self.board.wiring
        before = self.air.ns, self.air.frames, wiring.spi_bytes
        self.board.write(b"\n")
        said = self._until("found")
        while "}" not in said:
            said += self._until("}")
        figures: dict[str, Any] = json.loads(said[said.index("{") : said.index("}") + 1])
        figures["air_us"] = (self.air.ns - before[0]) // 1000
        figures["frames"] = self.air.frames - before[1]
        figures["spi_bytes"] = wiring.spi_bytes - before[2]
        return figures


def measure(names: list[str], settle_us: int, fast: bool = True) -> list[dict[str, Any]]:
    """The cases' figures; boards are shared by cases of one layout."""
    rigs: dict[str, Rig] = {}
    rows = []
    for name in names:
        layout, function = CASES[name]
        rig = rigs.get(layout)
        if rig is None:
            rig = rigs[layout] = Rig(layouts()[layout], settle_us, fast)
        if function in ("verify", "prove"):
            rig.sweep("walk")
        figures = rig.sweep(function)
        settle = settle_us * looked_at(layouts()[layout])
        rows.append(
            {"case": name, **figures, "settle_us": settle}
            | {"driver_us": figures["us"] - figures["air_us"] - settle}
        )
    return rows


def main() -> None:
    """Print the cases asked for, all without a name."""
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n", 1)[0])
    parser.add_argument("--settle", type=int, default=2000, help="microseconds (default 2000)")
    parser.add_argument("--plain", action="store_true", help="machine.SPI instead of registers")
    parser.add_argument("cases", nargs="*", help=", ".join(CASES))
    arguments = parser.parse_args()
    for row in measure(arguments.cases or list(CASES), arguments.settle, not arguments.plain):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
