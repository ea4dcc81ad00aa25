"""Readers that die, hang or forget, and what breaks on their bus."""

from spiceboard_sim.board.controller import SELECT_ENABLE
from spiceboard_sim.chips.mfrc522_registers import RF_CFG, T_PRESCALER, VERSION
from spiceboard_sim.faults.registry import INDEX, Target, fault, reader_of


@fault("zone")
def reader_dies(board: Target, zone: str) -> None:
    """A reader does not answer on the bus: MISO stays low."""
    reader_of(board, zone).dead = True
    board.world.fields[zone].switch(False, board.world.now)


@fault("zone")
def select_open(board: Target, zone: str) -> None:
    """A reader's select line is broken: the chip lives and is never selected."""
    reader_of(board, zone)
    board.world.decoder.open_lines.add(INDEX[zone])


@fault("zone")
def select_stuck(board: Target, zone: str, reading: bool = False) -> None:
    """A reader's select line is shorted to ground: it stays for ever in one frame.

    reading: that frame is a read, so that it talks while others are read."""
    reader = reader_of(board, zone)
    board.world.decoder.stuck_low = INDEX[zone]
    board.controller.pin_set(SELECT_ENABLE, board.controller.levels[SELECT_ENABLE])
    reader.transfer(bytes((0x80 | VERSION << 1 if reading else T_PRESCALER << 1,)))


@fault("zones")
def selects_swapped(board: Target, zone: str, other: str) -> None:
    """Two select lines are exchanged: two readers sit under each other's zone."""
    reader_of(board, zone), reader_of(board, other)
    board.world.decoder.swap = (INDEX[zone], INDEX[other])


@fault("bit")
def address_stuck(board: Target, bit: int, level: int = 0) -> None:
    """An address line of the decoder is stuck: half of the readers answer for others."""
    board.world.decoder.stuck_bit = (bit, level)


@fault("zone")
def miso_jammed(board: Target, zone: str) -> None:
    """A clone drives MISO while it is not selected: every other reader reads as ones."""
    reader_of(board, zone)
    board.world.jamming.add(zone)


@fault("level")
def miso_stuck(board: Target, level: int = 1) -> None:
    """MISO is shorted to supply or ground: every reader reads as ones or zeros."""
    board.world.miso_stuck = level


@fault("n")
def wire_drops_byte(board: Target, n: int = 1) -> None:
    """The n-th byte from now on the bus is lost: a loose contact, once."""
    board.controller.drop_byte(n)


@fault("zone")
def long_wire(board: Target, zone: str, hz: int = 2_000_000) -> None:
    """A reader's wire is too long: bits are misread above that clock."""
    reader_of(board, zone)
    board.world.slow_wires[zone] = hz


@fault("zone")
def stuck_reset(board: Target, zone: str) -> None:
    """A reader never comes out of reset."""
    reader = reader_of(board, zone)
    reader.stuck = True
    reader.hold_reset()


@fault("zone")
def reader_hangs(board: Target, zone: str) -> None:
    """A reader's registers answer, its transceiver no longer does (until power returns)."""
    reader_of(board, zone).deaf = True


@fault("zone")
def reader_forgets(board: Target, zone: str) -> None:
    """A dip of its supply resets one reader behind the firmware's back."""
    reader_of(board, zone).power_on()


@fault("zone")
def clone_version(board: Target, zone: str, version: int = 0x82) -> None:
    """A clone with an unknown version number that works all the same."""
    reader_of(board, zone).version = version


@fault("zone")
def register_sticks(board: Target, zone: str, register: int = RF_CFG, bits: int = 0x30) -> None:
    """A register does not take what is written: some bits read back as zero."""
    reader_of(board, zone).sticky[register] = bits
