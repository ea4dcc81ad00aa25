"""Antennas and tags: detuned, weak, noisy, foreign, swapped."""

from spiceboard_sim.board.world import Chip
from spiceboard_sim.chips.ntag213 import Tag
from spiceboard_sim.faults.registry import Target, fault, reader_of


def retag(board: Target, chip: Chip, tag: Tag) -> None:
    """Give a chip another tag; one in a field wakes with it."""
    chip.tag = tag
    for field in board.world.fields.values():
        field.powered = [(c, s) for c, s in field.powered if c is not chip]
        if field.on:
            field.power(board.world.now)


@fault("zone")
def weak_antenna(board: Target, zone: str, gain: float = 0.55) -> None:
    """A zone's answers come weakly: a bad joint or a wrong capacitor on the way to RX."""
    reader_of(board, zone)
    board.world.fields[zone].gain = gain


@fault("zone")
def antenna_open(board: Target, zone: str) -> None:
    """An antenna is not connected: the reader works and sees nothing."""
    reader_of(board, zone)
    board.world.fields[zone].gain = board.world.fields[zone].drive = 0.0


@fault("zones")
def neighbour_detunes(board: Target, zone: str, other: str, gain: float = 0.6) -> None:
    """Two neighbours' loops pull each other off tune: both couple less."""
    weak_antenna(board, zone, gain)
    weak_antenna(board, other, gain)


@fault("zone")
def noise_at(board: Target, zone: str, chance: float = 0.3) -> None:
    """Noise near an antenna (LED supply, a switching regulator) garbles answers."""
    reader_of(board, zone)
    board.world.fields[zone].noise = chance


@fault("zone")
def noise_of_leds(board: Target, zone: str, chance: float = 0.5) -> None:
    """Answers are garbled in one zone while any LED is lit."""
    reader_of(board, zone)
    board.world.fields[zone].led_noise = chance


@fault("chip")
def tag_flickers(board: Target, chip: str, chance: float = 0.5) -> None:
    """A tag misses frames by chance."""
    board.world.chip(chip).mute = chance


@fault("chip")
def tag_dead(board: Target, chip: str) -> None:
    """A tag is broken and never answers."""
    board.world.chip(chip).mute = 1.0


@fault("chip")
def tag_slow(board: Target, chip: str, wake_ms: float = 8.0) -> None:
    """A tag takes long to wake up in the field."""
    found = board.world.chip(chip)
    found.tag.wake_ns = round(wake_ms * 1_000_000)


@fault("chip")
def wrong_bcc(board: Target, chip: str, level: int = 1) -> None:
    """A tag sends a wrong check byte at one cascade level."""
    found = board.world.chip(chip)
    retag(board, found, Tag(found.tag.uid, bad_bcc=level))


@fault("chips")
def duplicate_uid(board: Target, chip: str, other: str) -> None:
    """A chip's tag has the UID of another's: a copied card."""
    found = board.world.chip(chip)
    retag(board, found, Tag(board.world.chip(other).tag.uid))


@fault("chip")
def stranger_tag(board: Target, chip: str, uid: str = "04c0ffee123456") -> None:
    """A chip carries a tag that is on no roster."""
    retag(board, board.world.chip(chip), Tag(bytes.fromhex(uid)))
