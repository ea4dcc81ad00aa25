"""What games cost the flash: whole recorded games, stored by the unchanged journal on littlefs.

    micropython tests/board/wear.py FILE

FILE holds a line of JSON for each game: {"game", "options", "events"}. The flash is the model of
power_cuts.py, of a Pico's size. Prints for all of them together: events, sector erases, page
programs, and how many such games a flash of 100,000 erases a sector lasts (W25Q16JV data sheet),
which littlefs spreads over all sectors.
"""

import json
import os
import sys

from power_cuts import PAGE, SECTORS, Dice, Flash

from app.play import Play
from spicecore.storage.journal import Journal

ENDURANCE = 100_000


def play(record):
    """One game on the board's own code; how many events it had."""
    told = []
    board = Play(Journal("/f/log"), lambda kind, item: told.append(item))
    board.relook = lambda: None
    board.new(record["game"], record["options"], None, "wire")
    for seat in range(record["options"]["players"]):
        board.claim(seat)
    for event in record["events"]:
        refusal = board.apply(event)
        assert refusal is None, (event, refusal)
    assert not board.running() and not [item for item in told if item[0] == "journal"]


def main(path):
    """All games of the file, one after the other on one flash."""
    flash = Flash(Dice(1))
    os.VfsLfs2.mkfs(flash, progsize=PAGE)
    os.mount(os.VfsLfs2(flash, progsize=PAGE), "/f")
    flash.erases = flash.programs = games = events = 0
    with open(path) as file:
        for line in file:
            record = json.loads(line)
            play(record)
            games += 1
            events += len(record["events"])
    life = games * SECTORS * ENDURANCE // flash.erases
    print(
        f"{record['game']}: {games} games, {events} events, {flash.erases} erases, "
        f"{flash.programs} page programs; {life} games in the flash's life"
    )


main(sys.argv[1])
