"""Loose contacts, lost supplies, stuck lines, lost files."""

from pathlib import Path

from spiceboard_sim.faults.registry import Target, fault, reader_of

_MS = 1_000_000


@fault("zone")
def bits_flip(board: Target, zone: str, chance: float = 0.02) -> None:
    """A loose contact in a reader's cable: bytes that it answers are wrong by chance."""
    reader_of(board, zone)
    board.world.bit_flips[zone] = chance


@fault("")
def readers_unpowered(board: Target) -> None:
    """The readers' 3.3 V is missing: none of them answers."""
    for reader in board.world.readers.values():
        reader.dead = True
    for field in board.world.fields.values():
        field.switch(False, board.world.now)


@fault("bit")
def hall_address_stuck(board: Target, bit: int, level: int = 0) -> None:
    """An address line of the hall multiplexer is stuck: half of the sensors are read as others."""
    board.world.hall_bit = (bit, level)


@fault("")
def supply_dips(board: Target, millivolts: float = 4200.0, ms: float = 600.0) -> None:
    """The 5 V supply breaks down for a moment, and the board survives it."""
    world = board.world
    world.supply_mv = millivolts
    world.at(world.now + round(ms * _MS), lambda: setattr(world, "supply_mv", 5000.0))


@fault("file")
def file_lost(board: Target, file: str) -> None:
    """Both copies of a stored table (data/roster, data/settings) are gone from flash."""
    flash = Path(getattr(board, "flash", "."))
    for suffix in (".a", ".b"):
        (flash / (file + suffix)).unlink(missing_ok=True)
