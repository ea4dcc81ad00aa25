"""`spiceboard flash`: get a board running and keep it up to date, so that it always starts.

Exit codes: host/spiceboard/errors.py. Whatever the code: the board starts.
"""

import argparse
import contextlib
import json
import os
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spiceboard.board import timeouts
from spiceboard.board.client import Client, Refused
from spiceboard.board.connection import file_for, seconds
from spiceboard.board.link import Absent, boards, borrowed, once_there, same
from spiceboard.board.ports import Bootsel, choose, serial_of
from spiceboard.board.repl import Repl
from spiceboard.board.scripts import script
from spiceboard.errors import EXIT_CODES, STOPPED, UNFIT, LinkError, No, UserError, epilog
from spiceboard.flash import install
from spiceboard.flash.bootsel import WrongChip
from spiceboard.flash.bundle import Bundle, build
from spiceboard.flash.interpreter import install_interpreter, no_interpreter
from spiceboard.flash.report import Talk
from spiceboard.flash.sources import FIRMWARE, profile
from spiceboard.flash.uf2 import CHIP_FAMILIES

HELLO_S, QUIESCE_S = 3.0, 5.0
GOOD_S = 60.0  # three failed starts and the way back, with a watchdog of 8 s


class WrongProfile(UserError):
    """The board's wiring is not the one that this firmware is for."""

    exit_code = UNFIT


def checksum(text: str) -> str:
    """The type of --sha256: 64 hexadecimal digits; an empty one would check nothing."""
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a SHA-256: it must have 64 hexadecimal digits"
        )
    return text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.epilog = epilog(EXIT_CODES)
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    parser.add_argument("--volume", type=Path, help="the volume of a board in BOOTSEL")
    parser.add_argument(
        "--uf2",
        metavar="FILE",
        help="install MicroPython first: a file, or `pinned` (the tested image)",
    )
    parser.add_argument("--sha256", type=checksum, help="the checksum that FILE must have")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument(
        "--verify", action="store_true", help="compare every hash and write nothing"
    )
    doing.add_argument(
        "--rollback", action="store_true", help="go back to the application in the other slot"
    )
    doing.add_argument(
        "--backup", type=Path, metavar="ZIP", help="copy all files of the board and exit"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the plan and exit")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    parser.add_argument("--yes", action="store_true", help="ask no questions")
    parser.add_argument(
        "--firmware", type=Path, default=FIRMWARE, help="folder of the firmware's sources"
    )
    parser.add_argument(
        "--wait",
        type=seconds,
        default=GOOD_S,
        help="seconds to wait for the self-test (%(default)s; an emulated board gets twelve times "
        "as long)",
    )


def refuse_together(arguments: argparse.Namespace) -> None:
    """UserError where --uf2 would write to a board that was only to be looked at or kept."""
    for name in ("verify", "rollback", "backup"):
        if arguments.uf2 and getattr(arguments, name):
            raise UserError(
                f"--uf2 replaces the interpreter and cannot be combined with --{name}: run "
                f"--{name} by itself, before or after"
            )
    if arguments.backup is not None:
        file_for(arguments.backup)


class GameOn(No):
    """The request would reveal secrets of the current game."""


class Flasher(Talk):
    """One run of the command."""

    # -- the ways through

    def run(self) -> int:
        """Do what the arguments ask; the exit code."""
        refuse_together(self.arguments)
        place = self.found()
        if self.arguments.uf2:
            port = install_interpreter(self, place, self.stop_application)
            if port is None:
                return 0
            place = port
        if isinstance(place, Bootsel):
            raise no_interpreter(place)
        self.stop_application(place)
        with self.restarting(place) as repl:
            return self.with_board(place, repl)

    def found(self) -> str | Bootsel:
        """The board that is meant, once it is there."""
        named = self.arguments.port

        def look() -> str | Bootsel:
            place = choose(named, self.arguments.volume)
            if isinstance(place, str) and "://" not in place and not os.path.exists(place):
                raise Absent(
                    f"cannot open {place}: there is no such port; check that the board is "
                    "plugged in"
                )
            return place

        return once_there(look, named, self.say)

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
        link = once_there(lambda: borrowed(port), port, self.say)
        try:
            client = Client(link)
            hello = client.request("hello", timeout=HELLO_S * timeouts.times(port, False))
            self.report["running"] = hello
            if hello.get("playing") and self.arguments.backup:
                raise GameOn(
                    f"a game of {hello['playing']} is being played, and a copy of the whole "
                    "board would contain its hidden values and the keys of the seats: finish "
                    "or abort it first"
                )
            machine = str(hello.get("machine", ""))
            if machine and not any(chip in machine for chip in CHIP_FAMILIES):
                raise WrongChip(
                    f"the board on {port} is a {machine}, not an RP2040 or RP2350 (perhaps a "
                    "simulated board): it cannot be flashed. Nothing was changed"
                )
            has, made_for = hello.get("profile"), profile(self.arguments.firmware)
            if has and made_for and has != made_for:
                raise WrongProfile(
                    f"the board has the hardware profile {has}, but this firmware is for "
                    f"{made_for}: it could drive the wrong pins. Nothing was changed"
                )
            if hello.get("playing"):
                self.say(
                    f"A game of {hello['playing']} is being played; it continues after the "
                    "restart."
                )
                self.confirm("Stop it for now?")
            client.request("quiesce", timeout=QUIESCE_S * timeouts.times(port, True))
        except LinkError:
            return  # no application, an old one, or one that hangs: the ladder deals with it
        except Refused as error:
            self.say(f"The application does not end by itself: {error}")
        finally:
            link.close()

    @contextlib.contextmanager
    def restarting(self, port: str) -> Iterator[Repl]:
        """The interpreter; whatever happens, the board is started again at the end."""
        repl = once_there(lambda: Repl(port), port, self.say)
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
                again.run(script("probe"))
                install.write_root(again, plan, bundle, found)
            self.prove(port, plan.target if not plan.same_slot else str(found.slot), found)
            self.say(f"The loader was updated: {', '.join(plan.root)}.")
        before = found.versions.get(found.slot or "", "nothing")
        slot = found.slot if plan.same_slot else plan.target
        self.report["result"] = {"before": before, "after": bundle.version, "slot": slot}
        self.say(f"Before: {before}. Now: {bundle.version}.")
        return 0

    def prove(self, port: str, target: str, found: install.Probe) -> dict[str, Any]:
        """Wait until the board says the new slot is good; else see that the old one is back."""
        wait = self.arguments.wait * timeouts.times(port, True)
        self.say(f"Waiting for the board's self-test (up to {wait:g} s) ...")
        try:
            return install.wait_good(lambda: borrowed(self.same_board(port)), target, wait)
        except LinkError as error:
            if found.slot is None:
                raise install.NotGood(
                    f"{error}. There is no older application to go back to; read what the board "
                    "prints: spiceboard monitor"
                ) from error
            with self.restarting(self.same_board(port)) as repl:
                repl.run(script("probe"))
                install.point(repl, found.slot, target, "good")
            raise install.NotGood(
                f"{error}. The board was switched back to slot {found.slot}"
            ) from error

    def same_board(self, port: str) -> str:
        """The port of the same board after a restart: by its USB serial number, if it has one."""
        serial = self.report.setdefault("serial", serial_of(port))
        if serial:
            devices = [str(p.device) for p in boards() if same(p.serial_number, serial)]
            if devices and port not in devices:
                return devices[0]
        return port

    def rollback(self, port: str, repl: Repl, found: install.Probe) -> int:
        """Start the other slot again, if it is whole by its own manifest."""
        words = found.state
        previous = words[1] if words and words[1] in ("a", "b") else None
        if not words or previous is None:
            raise No("there is no other application on this board to go back to")
        check_slot(repl, found, previous)
        self.say(
            f"Went back from {found.versions.get(words[0], '?')} (slot {words[0]}) to "
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
            self.say(f"All {len(bundle.hashes)} files of slot {found.slot} are correct.")
        return 1 if differ else 0

    def backup(self, repl: Repl, path: Path) -> int:
        """Every file of the board into a new ZIP; each is checked against the board's hash."""
        if path.exists():
            raise UserError(f"{path} already exists and is not overwritten: name another file")
        path = file_for(path)
        files = repl.tree("")
        temporary = path.with_name(path.name + ".part")
        try:
            with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, (_size, digest) in sorted(files.items()):
                    content = repl.read_file(name)
                    if install._sha256(content) != digest:
                        raise install.HashMismatch(
                            f"{name} did not arrive completely: repeat the command"
                        )
                    archive.writestr(name.lstrip("/"), content)
            temporary.rename(path)
        except OSError as error:
            raise UserError(f"cannot write {path}: {error.strerror}") from error
        finally:
            temporary.unlink(missing_ok=True)
        self.report["backup"] = {"file": str(path), "files": len(files)}
        self.say(f"{len(files)} files copied to {path}.")
        return 0


def check_slot(repl: Repl, found: install.Probe, name: str) -> None:
    """HashMismatch unless a slot is whole by its own manifest."""
    text = repl.ask(f"read_if_any('/slot/{name}/manifest.json')")
    try:
        listed = json.loads(text)["files"]
    except (TypeError, ValueError, KeyError) as error:
        raise install.HashMismatch(f"slot {name} has no readable manifest") from error
    there = found.in_slot(name)
    wrong = [path for path, (_size, digest) in listed.items() if there.get(path) != digest]
    if wrong:
        raise install.HashMismatch(f"slot {name} is damaged: {', '.join(sorted(wrong))}")


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
    except KeyboardInterrupt:
        flasher.report["exit_code"] = STOPPED
        raise
    except SystemExit as ended:  # SIGTERM, or the terminal was closed
        flasher.report["exit_code"] = ended.code
        raise
    else:
        flasher.report["exit_code"] = code
        return code
    finally:
        flasher.report["seconds"] = round(time.monotonic() - started, 1)
        if arguments.json:
            print(json.dumps(flasher.report, indent=1, default=str))
