"""Bringing the application onto a board: look, plan, upload into the idle slot, switch, prove.

Order is what makes it safe: nothing that runs is touched before every file of the other slot was
read back; then one rename switches; then the board itself must say that the new one is good.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from spiceboard.board import timeouts
from spiceboard.board.client import Client, Refused
from spiceboard.board.link import Transport
from spiceboard.board.repl import BoardFull, Repl
from spiceboard.board.scripts import script
from spiceboard.errors import NOT_GOOD, NOT_WRITTEN, LinkError, UserError
from spiceboard.flash.bundle import MANIFEST, Bundle
from spiceboard.flash.sources import board_data

SPARE = 32 * 1024  # flash that must stay free for the journal of a game
BLOCK: int = board_data("image")["ERASE"]
HELLO_S = 10.0  # a board that answers at all does so within 50 ms


class HashMismatch(UserError):
    """A file reads back differently from what was sent; the board starts what it had."""

    exit_code = NOT_WRITTEN


class NotGood(UserError):
    """The new application did not pass its self-test; the board has the old one."""

    exit_code = NOT_GOOD


@dataclass(frozen=True)
class Probe:
    """What a board holds, found without writing a byte."""

    machine: str
    chip: str | None
    python: str
    mpy: int
    board: str
    pointer: str | None  # the line of slot.txt
    files: dict[str, tuple[int, str]]  # path: (size, sha256) of the root's and the slots' files
    free: int
    total: int
    versions: dict[str, str] = field(default_factory=dict)  # slot: version by its manifest
    foreign: bool = False  # main.py is another program's: it knows no slots

    @property
    def slot(self) -> str | None:
        """Name of the slot that starts now."""
        words = (self.pointer or "").split()
        return words[0] if words and words[0] in ("a", "b") else None

    @property
    def state(self) -> list[str]:
        """Words of the pointer: current, previous, trial or good, failed starts."""
        words = (self.pointer or "").split()
        return words if len(words) == 4 else []

    def in_slot(self, name: str) -> dict[str, str]:
        """{path in the slot: sha256}."""
        root = f"/slot/{name}/"
        return {
            path[len(root) :]: value[1]
            for path, value in self.files.items()
            if path.startswith(root)
        }


def probe(repl: Repl) -> Probe:
    """Look at a board; reads only."""
    repl.run(script("probe"))
    about = repl.ask(
        "[sys.implementation[2],list(sys.implementation[1]),sys.implementation._mpy,"
        "binascii.hexlify(__import__('machine').unique_id()).decode(),read_if_any('/slot.txt'),"
        "list(os.statvfs('/'))]"
    )
    machine, version, mpy, board, pointer, stat = about
    found = repl.tree("/slot")
    for path in ("/main.py", "/slots.py"):
        value = repl.ask(f"hash_if_any({path!r})")
        if value:
            found[path] = tuple(value)
    versions = {}
    for name in ("a", "b"):
        text = repl.ask(f"read_if_any('/slot/{name}/{MANIFEST}')")
        try:
            versions[name] = str(json.loads(text)["version"])
        except (TypeError, ValueError, KeyError):
            continue  # no manifest, or one that was cut: that slot has no version
    chip = next((name for name in ("RP2040", "RP2350") if name in machine), None)
    return Probe(
        machine=machine,
        chip=chip,
        python=".".join(str(part) for part in version[:3]),
        mpy=mpy,
        board=board,
        pointer=pointer,
        files=found,
        free=stat[0] * stat[3] if stat[3] > 0 else stat[0] * stat[2] - _counted(repl.tree("")),
        total=stat[0] * stat[2],
        versions=versions,
        foreign=repl.ask("loader_is_ours()") is False,
    )


@dataclass(frozen=True)
class Plan:
    """What an update would do; nothing of it has been done."""

    target: str
    upload: list[str]  # paths in the slot that are sent
    copy: list[str]  # the same in the running slot: copied on the board
    keep: list[str]  # lie right in the idle slot already
    remove: list[str]  # lie there and do not belong to it
    root: list[str]  # files of the root that differ
    upload_bytes: int
    needed: int
    same_slot: bool  # the running slot is right already
    up_to_date: bool

    def as_dict(self) -> dict[str, Any]:
        """For --json."""
        return dict(self.__dict__)


def make_plan(found: Probe, bundle: Bundle) -> Plan:
    """Compare by hash. BoardFull when the idle slot would not fit beside what must stay free."""
    running = found.in_slot(found.slot) if found.slot else {}
    target = "b" if found.slot == "a" else "a"
    there = found.in_slot(target)
    same_slot = running == bundle.hashes
    upload, copy, keep = [], [], []
    for path, digest in sorted(bundle.hashes.items()):
        if there.get(path) == digest:
            keep.append(path)
        elif digest in running.values() and running.get(path) == digest:
            copy.append(path)
        else:
            upload.append(path)
    root = [
        name
        for name, content in bundle.root.items()
        if found.files.get("/" + name, (0, ""))[1] != _sha256(content)
    ]
    needed = sum(_blocks(len(bundle.files[path])) for path in upload + copy)
    freed = sum(
        _blocks(value[0])
        for path, value in found.files.items()
        if path.startswith(f"/slot/{target}/") and path.split("/", 3)[3] not in keep
    )
    if not same_slot and needed + SPARE > found.free + freed:
        raise BoardFull(
            f"the application needs {needed // 1024} KiB and {SPARE // 1024} KiB must stay free "
            f"for games, but the board has {(found.free + freed) // 1024} KiB: erase old games "
            "(spiceboard log), then repeat the command. Nothing was changed"
        )
    return Plan(
        target=target,
        upload=upload,
        copy=copy,
        keep=keep,
        remove=sorted(set(there) - set(bundle.hashes)),
        root=root,
        upload_bytes=sum(len(bundle.files[path]) for path in upload),
        needed=needed,
        same_slot=same_slot,
        up_to_date=same_slot and not root,
    )


def _counted(files: dict[str, tuple[int, str]]) -> int:
    """Bytes that files and their folders take of a littlefs: whole blocks, two for each folder.

    The board counts by littlefs' lfs_fs_size, a best effort: with two slots of many small
    folders it has been more than the flash holds. Where it matters the upload itself finds out.
    """
    folders = {path[:at] for path in files for at, sign in enumerate(path) if sign == "/"}
    return sum(_blocks(size) for size, _ in files.values()) + 2 * BLOCK * len(folders)


def _blocks(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def _sha256(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def upload(
    repl: Repl, plan: Plan, bundle: Bundle, found: Probe, sent: Callable[[int], None]
) -> None:
    """Fill the idle slot and read every hash of it back; HashMismatch when one differs."""
    root = f"/slot/{plan.target}"
    repl.run("make_folder('/slot')")
    repl.run(f"make_folder({root!r})")
    for path in plan.remove:
        repl.run(f"os.remove({root + '/' + path!r})")
    made: set[str] = set()
    for path in plan.copy + plan.upload:
        for folder in _folders(path):
            if folder not in made:
                repl.run(f"make_folder({root + '/' + folder!r})")
                made.add(folder)
        if path in plan.copy:
            repl.run(f"copy({'/slot/' + str(found.slot) + '/' + path!r},{root + '/' + path!r})")
        else:
            repl.write_file(f"{root}/{path}", bundle.files[path], sent)
    back = repl.tree(root)
    wrong = [
        path
        for path, digest in bundle.hashes.items()
        if back.get(f"{root}/{path}", (0, ""))[1] != digest
    ]
    wrong += [path for path in back if path[len(root) + 1 :] not in bundle.hashes]
    if wrong:
        raise HashMismatch(
            f"{', '.join(sorted(wrong))} did not arrive intact: the cable or the flash is bad. "
            "The board still starts the old application; repeat the command with another cable"
        )


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def write_root(repl: Repl, plan: Plan, bundle: Bundle, found: Probe) -> None:
    """The loader in the root, each file beside the old one, read back, then renamed.

    main.py comes last: before it is there, a half-installed board starts to the prompt. The
    main.py of another program is kept as main.old, when all else is in its place.
    """
    for name in sorted(plan.root, key=lambda name: name == "main.py"):
        repl.write_file(f"/{name}.new", bundle.root[name])
        if repl.ask(f"hash_of('/{name}.new')")[1] != _sha256(bundle.root[name]):
            raise HashMismatch(
                f"{name} did not arrive intact. The board still starts the old "
                "application; repeat the command"
            )
        keep = "os.rename('/main.py','/main.old')\n" if found.foreign and name == "main.py" else ""
        repl.run(f"{keep}os.rename('/{name}.new','/{name}')")


def point(repl: Repl, current: str, previous: str | None, state: str) -> None:
    """Switch by one rename, as slots.py reads it."""
    line = f"{current} {previous or '-'} {state} 0\n"
    repl.run(f"f=open('/slot.new','w')\nf.write({line!r})\nf.close()\n")
    if repl.ask("read_if_any('/slot.new')") != line:
        raise HashMismatch(
            "the pointer did not arrive intact. The board still starts the old "
            "application; repeat the command"
        )
    repl.run("os.rename('/slot.new','/slot.txt')")


def wait_good(
    open_link: Callable[[], Transport],
    target: str,
    seconds: float,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> dict[str, Any]:
    """The board's hello once it says that `target` is good.

    NotGood when it went back to the other slot by itself; LinkError after `seconds`.
    """
    end = now() + seconds
    last = "it did not answer"
    while now() < end:
        try:
            link = open_link()
        except LinkError as error:
            last = str(error)
            sleep(0.25)
            continue
        try:
            seconds_each = HELLO_S * timeouts.times(link.name, False)
            hello = Client(link).request("hello", timeout=seconds_each)
            slot = hello.get("slot") or {}
            if slot.get("name") == target and slot.get("state") == "good":
                return hello
            if slot.get("name") not in (target, None):
                raise NotGood(
                    "the new application did not start: the board itself went back to slot "
                    f"{slot['name']}, firmware {hello.get('firmware')}"
                )
            last = f"it is still on trial, start {slot.get('failed')} of 3"
        except Refused as error:
            last = str(error)
        except LinkError as error:
            last = str(error)
        finally:
            link.close()
        sleep(0.25)
    raise LinkError(
        f"the board did not report within {seconds:g} s that slot {target} is good: {last}"
    )
