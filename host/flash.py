"""`spiceboard flash`: get a board running and keep it up to date, so that it always starts.

Exit codes: 0 done, or nothing to do; 1 --verify found a difference, or you said no; 2 wrong use;
3 no board, several, or the connection was lost; 4 the interpreter does not answer; 5 wrong chip,
wrong UF2 or wrong interpreter; 6 flash full or a file did not arrive; 7 the new application
failed its self-test and the board has the old one. Whatever the code: the board starts.
"""

import argparse
import contextlib
import json
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from spiceboard.host import bootsel, install
from spiceboard.host.bundle import Bundle, build, firmware_folder, profile
from spiceboard.host.client import Client
from spiceboard.host.errors import LinkError, UserError
from spiceboard.host.link import SerialLink, boards
from spiceboard.host.ports import Bootsel, choose, in_bootsel, serial_of
from spiceboard.host.repl import Repl
from spiceboard.host.uf2 import Uf2, read_uf2

GOOD_S = 60.0  # three failed starts and the way back, with a watchdog of 8 s


class Declined(UserError):
    """The user said no; nothing was changed."""

    exit_code = 1


class WrongProfile(UserError):
    """The board is wired otherwise than the firmware to install."""

    exit_code = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    parser.add_argument("--volume", type=Path, help="the volume of a board in BOOTSEL")
    parser.add_argument(
        "--uf2", metavar="FILE", help="install MicroPython first: a file, or `pinned` (built here)"
    )
    parser.add_argument("--sha256", help="the checksum that FILE must have")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("--verify", action="store_true", help="compare every hash, write nothing")
    doing.add_argument("--rollback", action="store_true", help="start the other slot again")
    doing.add_argument("--backup", type=Path, metavar="ZIP", help="copy the whole board and end")
    parser.add_argument("--dry-run", action="store_true", help="print the plan and end")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--firmware", type=Path, default=firmware_folder(), help="folder of the firmware's sources"
    )
    parser.add_argument(
        "--wait",
        type=float,
        default=GOOD_S,
        help="seconds to wait for the self-test (%(default)s)",
    )


class Flasher:
    """One run of the command. `report` collects what --json prints."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.report: dict[str, Any] = {}
        self.console = Console(stderr=True, quiet=bool(arguments.json), highlight=False)
        self.on_chunk: Callable[[int], None] | None = None  # for tests that cut the supply

    # -- the ways through

    def run(self) -> int:
        """Do what the arguments ask; the exit code."""
        place = choose(self.arguments.port, self.arguments.volume)
        if self.arguments.uf2:
            port = self.install_interpreter(place)
            if port is None:
                return 0
            place = port
        if isinstance(place, Bootsel):
            raise UserError(
                f"the board at {place.volume} is in BOOTSEL and has no interpreter to talk to: "
                "name one with --uf2 FILE, or unplug it and plug it in again"
            )
        self.stop_application(place)
        with self.restarting(place) as repl:
            return self.with_board(place, repl)

    def with_board(self, port: str, repl: Repl) -> int:
        """Everything that needs the interpreter's attention."""
        if self.arguments.backup:
            return self.backup(repl, self.arguments.backup)
        found = install.probe(repl)
        self.report["board"] = {
            key: value for key, value in found.__dict__.items() if key != "files"
        }
        if self.arguments.rollback:
            return self.rollback(port, repl, found)
        bundle = build(found.mpy, self.arguments.firmware)
        plan = install.make_plan(found, bundle)
        self.report["plan"] = plan.as_dict()
        if self.arguments.verify:
            return self.verify(found, bundle)
        self.tell(found, plan, bundle)
        if self.arguments.dry_run or plan.up_to_date:
            return 0
        self.confirm("Install it?")
        return self.update(port, repl, found, plan, bundle)

    # -- stopping and starting

    def stop_application(self, port: str) -> None:
        """Ask a running application to end by itself: fields off, journal closed. Best effort:
        where nothing answers, the interpreter is interrupted afterwards."""
        link = SerialLink(port)
        try:
            client = Client(link)
            hello = client.request("hello", timeout=2.0)
            self.report["running"] = hello
            has, made_for = hello.get("profile"), profile(self.arguments.firmware)
            if has and made_for and has != made_for:
                raise WrongProfile(
                    f"the board has the hardware profile {has}, this firmware is for {made_for}: "
                    "it could drive the wrong pins. Nothing was changed"
                )
            if hello.get("playing"):
                self.say(f"A game of {hello['playing']} is on; it goes on after the restart.")
                self.confirm("Stop it for now?")
            client.request("quiesce", timeout=5.0)
        except LinkError:
            return  # no application, an old one, or one that hangs: the ladder deals with it
        except UserError as error:
            if isinstance(error, Declined | WrongProfile):
                raise
            self.say(f"The application does not end by itself: {error}")
        finally:
            link.close()

    @contextlib.contextmanager
    def restarting(self, port: str) -> Iterator[Repl]:
        """The interpreter; whatever happens, the board is started again at the end."""
        repl = Repl(port)
        with repl:
            try:
                yield repl
            finally:
                repl.reset()

    # -- what can be done

    def update(
        self,
        port: str,
        repl: Repl,
        found: install.Probe,
        plan: install.Plan,
        bundle: Bundle,
    ) -> int:
        """Upload, switch, prove. The loader in the root follows in a step of its own."""
        first = found.slot is None
        if not plan.same_slot:
            with self.progress(plan.upload_bytes) as sent:
                install.upload(repl, plan, bundle, found, sent)
            install.point(repl, plan.target, found.slot, "trial")
            if first:
                install.write_root(repl, plan, bundle, found)
            repl.reset()
            hello = self.prove(port, plan.target, found)
            self.say(f"Slot {plan.target} is good: firmware {hello.get('firmware')}.")
        if plan.root and not first:
            self.stop_application(port)
            with self.restarting(port) as again:
                again.run(install.PROBE)
                install.write_root(again, plan, bundle, found)
            self.prove(port, plan.target if not plan.same_slot else str(found.slot), found)
            self.say(f"The loader was renewed: {', '.join(plan.root)}.")
        before = found.versions.get(found.slot or "", "nothing")
        slot = found.slot if plan.same_slot else plan.target
        self.report["result"] = {"before": before, "after": bundle.version, "slot": slot}
        self.say(f"Before: {before}. Now: {bundle.version}.")
        return 0

    def prove(self, port: str, target: str, found: install.Probe) -> dict[str, Any]:
        """Wait until the board says the new slot is good; else see that the old one is back."""
        self.say(f"Waiting for the board's self-test (up to {self.arguments.wait:g} s) ...")
        try:
            return install.wait_good(
                lambda: SerialLink(self.same_board(port)), target, self.arguments.wait
            )
        except LinkError as error:
            if found.slot is None:
                raise install.NotGood(
                    f"{error}. There is no older application to go back to; look at what the "
                    "board prints: spiceboard monitor"
                ) from error
            with self.restarting(self.same_board(port)) as repl:
                repl.run(install.PROBE)
                install.point(repl, found.slot, target, "good")
            raise install.NotGood(
                f"{error}. The board was put back to slot {found.slot}"
            ) from error

    def same_board(self, port: str) -> str:
        """The port of the same board after a restart: by its USB serial number, if it has one."""
        serial = self.report.setdefault("serial", serial_of(port))
        if serial:
            for candidate in boards():
                if candidate.serial_number == serial:
                    return str(candidate.device)
        return port

    def rollback(self, port: str, repl: Repl, found: install.Probe) -> int:
        """Start the other slot again, if it is whole by its own manifest."""
        words = found.state
        previous = words[1] if words and words[1] in ("a", "b") else None
        if not words or previous is None:
            raise UserError("there is no other application on this board to go back to")
        check_slot(repl, found, previous)
        self.say(
            f"Back from {found.versions.get(words[0], '?')} (slot {words[0]}) to "
            f"{found.versions[previous]} (slot {previous})."
        )
        if self.arguments.dry_run:
            return 0
        self.confirm("Do it?")
        install.point(repl, previous, words[0], "trial")
        repl.reset()
        self.prove(port, previous, found)
        self.report["result"] = {"slot": previous, "after": found.versions[previous]}
        return 0

    def verify(self, found: install.Probe, bundle: Bundle) -> int:
        """Compare what starts with what this version would install."""
        there = found.in_slot(found.slot) if found.slot else {}
        differ = sorted(
            path
            for path in set(there) | set(bundle.hashes)
            if there.get(path) != bundle.hashes.get(path)
        )
        plan: list[str] = self.report["plan"]["root"]
        differ += [f"/{name}" for name in plan]
        self.report["differ"] = differ
        for path in differ:
            self.say(f"differs: {path}")
        if not differ:
            self.say(f"All {len(bundle.hashes)} files of slot {found.slot} are as they should be.")
        return 1 if differ else 0

    def backup(self, repl: Repl, path: Path) -> int:
        """Every file of the board into a new ZIP; each is checked against the board's hash."""
        if path.exists():
            raise UserError(f"{path} exists already and is not overwritten")
        files = repl.ask("T('',{})")
        temporary = path.with_name(path.name + ".part")
        try:
            with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, (_size, digest) in sorted(files.items()):
                    content = repl.read_file(name)
                    if install._sha256(content) != digest:
                        raise install.HashMismatch(f"{name} did not arrive whole; repeat")
                    archive.writestr(name.lstrip("/"), content)
            temporary.rename(path)
        except OSError as error:
            raise UserError(f"cannot write {path}: {error.strerror}") from error
        finally:
            temporary.unlink(missing_ok=True)
        self.report["backup"] = {"file": str(path), "files": len(files)}
        self.say(f"{len(files)} files copied to {path}.")
        return 0

    # -- the interpreter

    def install_interpreter(self, place: str | Bootsel) -> str | None:
        """Check the family, copy, wait for the board; its port (None after a dry run)."""
        named = self.arguments.uf2
        path, checksum = Path(named), self.arguments.sha256
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
        self.say(f"MicroPython {uf2.version or '?'} for the {uf2.chip}, sha256 {uf2.sha256}")
        self.report["uf2"] = {"file": str(path), "chip": uf2.chip, "sha256": uf2.sha256}
        before = {port.device for port in boards()}
        if not isinstance(place, Bootsel):
            self.stop_application(place)
            with Repl(place) as repl:
                chip = install.probe(repl).chip
                try:
                    bootsel.check_family(uf2, chip, f"the board on {place}")
                    if not self.arguments.dry_run:
                        self.confirm(f"Install it on {where}?")
                except UserError:
                    repl.reset()
                    raise
                if self.arguments.dry_run:
                    repl.reset()
                    return None
                known = {board.volume for board in in_bootsel()}
                repl.bootloader()
            place = bootsel.wait_for_volume(
                lambda: next((b for b in in_bootsel() if b.volume not in known), None)
            )
            before = set()
        elif self.arguments.dry_run:
            return None
        else:
            self.confirm(f"Install it on {where}?")
        with self.progress(uf2.path.stat().st_size) as sent:
            bootsel.copy(uf2, place, lambda _done, _all: sent(bootsel.CHUNK))
        port = bootsel.wait_for_port(lambda: came_back(serial, before, self.arguments.port))
        self.check_interpreter(port, uf2)
        return port

    def check_interpreter(self, port: str, uf2: Uf2) -> None:
        """Read the version again: a copy that was ignored is a failure."""
        with Repl(port) as repl:
            found = install.probe(repl)
        if uf2.version and found.python != uf2.version.split("-")[0]:
            raise bootsel.WrongChip(
                f"the board still runs MicroPython {found.python}, not {uf2.version}: the file "
                "was ignored. Is it the image for this board?"
            )
        self.say(f"The board runs MicroPython {found.python}.")

    # -- talking to the user

    def say(self, text: str) -> None:
        """A line for the user (on stderr, not with --json)."""
        self.console.print(text, soft_wrap=True)

    def tell(self, found: install.Probe, plan: install.Plan, bundle: Bundle) -> None:
        """The plan in words."""
        slot = f"slot {found.slot}" if found.slot else "no slot"
        has = found.versions.get(found.slot or "", "no application")
        self.say(f"Board {found.board}: {found.machine}, MicroPython {found.python}")
        self.say(f"It has {has} ({slot}), {found.free // 1024} of {found.total // 1024} KiB free.")
        if plan.up_to_date:
            self.say(f"It is up to date: {bundle.version}.")
            return
        self.say(
            f"{bundle.version} into slot {plan.target}: {len(plan.upload)} files to send "
            f"({plan.upload_bytes} bytes), {len(plan.copy)} the same as in the running slot, "
            f"{len(plan.keep)} there already, {len(plan.remove)} to remove."
        )
        for path in plan.upload:
            self.say(f"  send {path}")
        for name in plan.root:
            self.say(f"  loader {name}")
        if found.slot is None and "/main.py" in found.files and "main.py" in plan.root:
            self.say("  another program's main.py is kept as main.old")

    def confirm(self, question: str) -> None:
        """Ask, unless --yes; UserError where nobody can answer."""
        if self.arguments.yes or self.arguments.dry_run:
            return
        if not sys.stdin.isatty():
            raise UserError(f"{question} Nobody can answer here: say --yes. Nothing was changed")
        if input(f"{question} [y/N] ").strip().lower() not in ("y", "yes"):
            raise Declined("stopped; nothing was changed")

    @contextlib.contextmanager
    def progress(self, total: int) -> Iterator[Callable[[int], None]]:
        """A bar on stderr; also tells `on_chunk`."""
        columns = (TextColumn("sending"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=self.console, transient=True) as bar:
            task = bar.add_task("sending", total=total)

            def sent(count: int) -> None:
                bar.advance(task, count)
                if self.on_chunk:
                    self.on_chunk(count)

            yield sent


def check_slot(repl: Repl, found: install.Probe, name: str) -> None:
    """HashMismatch unless a slot is whole by its own manifest."""
    text = repl.ask(f"R('/slot/{name}/manifest.json')")
    try:
        listed = json.loads(text)["files"]
    except (TypeError, ValueError, KeyError) as error:
        raise install.HashMismatch(f"slot {name} has no readable manifest") from error
    there = found.in_slot(name)
    wrong = [path for path, (_size, digest) in listed.items() if there.get(path) != digest]
    if wrong:
        raise install.HashMismatch(f"slot {name} is damaged: {', '.join(sorted(wrong))}")


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


def run(arguments: argparse.Namespace) -> int:
    """The command; prints the report with --json, whatever happens."""
    flasher = Flasher(arguments)
    started = time.monotonic()
    try:
        code = flasher.run()
    except UserError as error:
        flasher.report["error"] = str(error)
        flasher.report["exit_code"] = error.exit_code
        raise
    else:
        flasher.report["exit_code"] = code
        return code
    finally:
        flasher.report["seconds"] = round(time.monotonic() - started, 1)
        if arguments.json:
            print(json.dumps(flasher.report, indent=1, default=str))


if __name__ == "__main__":
    from spiceboard.host import cli

    sys.exit(cli.main(["flash", *sys.argv[1:]]))
