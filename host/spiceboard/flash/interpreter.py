"""Installing MicroPython by UF2: the right file for the chip, and proof that it was taken."""

import contextlib
from collections.abc import Callable
from pathlib import Path

from spiceboard.board.link import boards, describe, one_board, same
from spiceboard.board.ports import INFO, Bootsel, in_bootsel, serial_of
from spiceboard.board.repl import Repl
from spiceboard.errors import LinkError, UserError
from spiceboard.flash import bootsel, images, install
from spiceboard.flash.report import Talk
from spiceboard.flash.uf2 import Uf2, read_uf2


class Installer:
    """One installation of the interpreter; `number` is the board's own, where it was told."""

    def __init__(self, talk: Talk, stop_application: Callable[[str], None]) -> None:
        self.talk = talk
        self.stop_application = stop_application
        self.number: str | None = None

    def run(self, place: str | Bootsel) -> str | None:
        """Check the family, copy, wait for the board; its port (None after a dry run)."""
        uf2 = self.file()
        before = {port.device for port in boards()}
        serial = None
        if isinstance(place, Bootsel):
            bootsel.check_family(uf2, place.chip, f"the board at {place.volume}")
            self.talk.say(str(place))
            if self.talk.arguments.dry_run:
                return None
            self.talk.confirm("Install it there?")
        else:
            serial = serial_of(place)
            drive = self.to_bootsel(place, uf2)
            if drive is None:
                return None
            place, before = drive, set()
        trouble = self.copy(uf2, place)
        volume = place.volume
        port = bootsel.wait_for_port(
            lambda: came_back(serial, before, self.talk.arguments.port),
            trouble=trouble,
            there=lambda: (volume / INFO).exists(),
        )
        self.check(port, uf2)
        return port

    def copy(self, uf2: Uf2, place: Bootsel) -> bootsel.Unclear | None:
        """Copy the file; the error, where only what comes back can say whether it was taken."""
        try:
            with self.talk.progress(len(uf2.data)) as sent:
                bootsel.copy(uf2, place, lambda _done, _all: sent(bootsel.CHUNK))
        except bootsel.Unclear as trouble:
            self.talk.say("The copy ended with an error; waiting for the board ...")
            return trouble
        self.talk.say("The file was copied; waiting for the board ...")
        return None

    def file(self) -> Uf2:
        """The file that is named, checked whole."""
        arguments, talk = self.talk.arguments, self.talk
        path = images.find() if arguments.uf2 == "pinned" else Path(arguments.uf2)
        uf2 = read_uf2(path, arguments.sha256)
        known = arguments.sha256 or uf2.sha256 in images.CHECKSUMS
        talk.say(f"MicroPython {uf2.about}, sha256 {uf2.sha256}")
        if not known:
            talk.say("This checksum is unknown: compare it with the one that your source gives.")
        talk.report["uf2"] = {
            "file": str(path),
            "versions": uf2.versions,
            "sha256": uf2.sha256,
            "checksum_known": bool(known),
        }
        return uf2

    def to_bootsel(self, port: str, uf2: Uf2) -> Bootsel | None:
        """Send a board that runs to BOOTSEL, if the file is for it; None after a dry run."""
        self.stop_application(port)
        with Repl(port) as repl:
            try:
                found = install.probe(repl)
                self.number = found.board
                bootsel.check_family(uf2, found.chip, f"the board on {port}")
                if self.talk.arguments.dry_run:
                    repl.reset()
                    return None
                self.talk.confirm(f"Install it on {port} (it has MicroPython {found.python})?")
            except BaseException:
                repl.reset()
                raise
            known = {board.volume for board in in_bootsel()}
            repl.bootloader()
        return bootsel.wait_for_volume(
            lambda: next((b for b in in_bootsel() if b.volume not in known), None)
        )

    def check(self, port: str, uf2: Uf2) -> None:
        """Is it the same board, and does it run the new version? A copy that was ignored is a
        failure."""
        with Repl(port) as repl:
            found = install.probe(repl)
        if self.number and found.board != self.number:
            raise LinkError(
                f"the board on {port} ({found.board}) is not the one that was sent to BOOTSEL "
                f"({self.number}): nothing was written to it. Unplug all boards but one and "
                "repeat the command"
            )
        version = uf2.versions.get(found.chip or "")
        if version is None or found.python != version.split("-")[0]:
            raise bootsel.WrongChip(
                f"the board still runs MicroPython {found.python}, not {uf2.about}: the file "
                "was ignored. Check that it is the image for this board"
            )
        self.talk.say(f"The board runs MicroPython {found.python}.")


def install_interpreter(
    talk: Talk, place: str | Bootsel, stop_application: Callable[[str], None]
) -> str | None:
    """Install it as the arguments ask; the board's port (None after a dry run)."""
    return Installer(talk, stop_application).run(place)


def came_back(serial: str | None, before: set[str], named: str | None) -> str | None:
    """The port of the board that was just given an interpreter; LinkError when it could be one
    of several."""
    ports = boards()
    if serial:
        return next((str(p.device) for p in ports if same(p.serial_number, serial)), None)
    if named and not named.startswith("id:"):
        return named if Path(named).exists() else None
    fresh = [port for port in ports if port.device not in before]
    if fresh and not one_board(fresh):
        listed = "".join(f"\n  {describe(port)}" for port in fresh)
        raise LinkError(f"several boards have appeared; choose one with --port:{listed}")
    return str(fresh[0].device) if fresh else None


def no_interpreter(board: Bootsel) -> UserError:
    """What to say of a board in BOOTSEL when no file is named."""
    way = images.where_from(board.chip)
    if board.chip != "RP2350":
        with contextlib.suppress(images.NoImage):
            images.find()
            way = f"use --uf2 pinned (the tested image, which is on this computer), or {way}"
    return UserError(
        f"the board at {board.volume} is in BOOTSEL, where no interpreter runs: {way}. If it "
        "has MicroPython already, unplug it and plug it in again"
    )
