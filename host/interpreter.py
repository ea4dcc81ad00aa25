"""Installing MicroPython by UF2: the right file for the chip, and proof that it was taken."""

from collections.abc import Callable
from pathlib import Path

from spiceboard.host import bootsel, install
from spiceboard.host.errors import UserError
from spiceboard.host.flash_talk import Talk
from spiceboard.host.link import boards
from spiceboard.host.ports import Bootsel, in_bootsel, serial_of
from spiceboard.host.repl import Repl
from spiceboard.host.uf2 import Uf2, read_uf2


def install_interpreter(
    talk: Talk, place: str | Bootsel, stop_application: Callable[[str], None]
) -> str | None:
    """Check the family, copy, wait for the board; its port (None after a dry run)."""
    named = talk.arguments.uf2
    path, checksum = Path(named), talk.arguments.sha256
    if named == "pinned":
        path = bootsel.pinned_image()
        checksum = checksum or bootsel.pinned_checksum(path)
    uf2 = read_uf2(path, checksum)
    serial = None
    if isinstance(place, Bootsel):
        bootsel.check_family(uf2, place.chip, f"the board at {place.volume}")
        where = str(place)
    else:
        serial = serial_of(place)
        where = place
    talk.say(f"MicroPython {uf2.version or '?'} for the {uf2.chip}, sha256 {uf2.sha256}")
    talk.report["uf2"] = {"file": str(path), "chip": uf2.chip, "sha256": uf2.sha256}
    before = {port.device for port in boards()}
    if not isinstance(place, Bootsel):
        stop_application(place)
        with Repl(place) as repl:
            chip = install.probe(repl).chip
            try:
                bootsel.check_family(uf2, chip, f"the board on {place}")
                if not talk.arguments.dry_run:
                    talk.confirm(f"Install it on {where}?")
            except UserError:
                repl.reset()
                raise
            if talk.arguments.dry_run:
                repl.reset()
                return None
            known = {board.volume for board in in_bootsel()}
            repl.bootloader()
        place = bootsel.wait_for_volume(
            lambda: next((b for b in in_bootsel() if b.volume not in known), None)
        )
        before = set()
    elif talk.arguments.dry_run:
        return None
    else:
        talk.confirm(f"Install it on {where}?")
    with talk.progress(uf2.path.stat().st_size) as sent:
        bootsel.copy(uf2, place, lambda _done, _all: sent(bootsel.CHUNK))
    port = bootsel.wait_for_port(lambda: came_back(serial, before, talk.arguments.port))
    check_interpreter(talk, port, uf2)
    return port


def check_interpreter(talk: Talk, port: str, uf2: Uf2) -> None:
    """Read the version again: a copy that was ignored is a failure."""
    with Repl(port) as repl:
        found = install.probe(repl)
    if uf2.version and found.python != uf2.version.split("-")[0]:
        raise bootsel.WrongChip(
            f"the board still runs MicroPython {found.python}, not {uf2.version}: the file "
            "was ignored. Is it the image for this board?"
        )
    talk.say(f"The board runs MicroPython {found.python}.")


def came_back(serial: str | None, before: set[str], named: str | None) -> str | None:
    """The port of the board that was just given an interpreter."""
    for port in boards():
        if serial and port.serial_number == serial:
            return str(port.device)
        if not serial and port.device not in before:
            return str(port.device)
    if named and not named.startswith("id:") and Path(named).exists():
        return named
    return None
