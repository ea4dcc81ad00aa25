"""`spiceboard roster`: which tag is which chip; pairing, copying, finding a chip or a stranger."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spiceboard.board.client import Client
from spiceboard.board.connection import (
    connected,
    file_for,
    json_of,
    light,
    maintenance,
    read_text,
    seconds,
    write_whole,
)
from spiceboard.errors import No, UserError
from spicecore.parts import CHIPS, COLOURS, MILL, ZONES, colour
from spicecore.storage.on_demand.settings import GAINS_DB

COLOUR_RGB = ((0, 0, 60), (60, 0, 0), (0, 60, 0), (60, 25, 0))
WHITE, GREEN = (30, 30, 30), (0, 60, 0)
CLEARLY_DB = 10  # by this the right one of two zones needs less gain, as on the board
LOOK_S = 0.1  # between two looks at the bowl
FORMAT = "spiceboard roster"
UNUSABLE = {  # why a zone was not read whole: the board's word (docs/protocol.md)
    "garbled": "its answers are always wrong (check byte, SAK, or a UID that ISO/IEC 14443-3 "
    "does not allow, such as four bytes beginning with 88). Use another tag",
    "crowded": "too many tags lie there. Remove everything but chips of this board",
    "timeout": "reading takes too long: too many tags lie there, or the tag is very weak",
    "dead": "the reader stopped answering: run spiceboard diag",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    actions = parser.add_subparsers(dest="action", metavar="action")
    pair = actions.add_parser("pair", help="pair chip by chip: lay each into the lit bowl")
    pair.add_argument(
        "--zone", default="saffron", choices=ZONES, help="the bowl to use (default saffron)"
    )
    pair.add_argument("--only", metavar="CHIPS", help="pair only these chips, such as r30,mill")
    pair.add_argument(
        "--again", action="store_true", help="pair chips that already have a tag, too"
    )
    pair.add_argument(
        "--seconds", type=seconds, default=60, help="seconds to wait for each chip (default 60)"
    )
    export = actions.add_parser("export", help="write the roster to a file")
    export.add_argument("file", type=Path)
    export.add_argument(
        "--overwrite", action="store_true", help="replace the file if it already exists"
    )
    imported = actions.add_parser("import", help="store the roster from a file on the board")
    imported.add_argument("file", type=Path)
    imported.add_argument(
        "--yes",
        action="store_true",
        help="confirm that chips missing from the file lose their tag",
    )
    find = actions.add_parser("find", help="say in which zone a chip lies")
    find.add_argument("chip", metavar="CHIP", help="b10 to o60, or mill")
    stray = actions.add_parser("strangers", help="list tags on the board that belong to no chip")
    for action in (pair, export, imported, find, stray):
        action.add_argument("--port", default=argparse.SUPPRESS, help="the board")
    parser.add_argument("--json", action="store_true", help="print the pairs as one line of JSON")
    for action in (find, stray):
        action.add_argument(
            "--json", action="store_true", default=argparse.SUPPRESS, help="print one line of JSON"
        )


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked for; without an action, show."""
    action = arguments.action or "show"
    if arguments.json and action in ("pair", "export", "import"):
        raise UserError(f"--json does not work with `{action}`")
    wanted = None
    if action == "import":
        wanted = read(arguments.file)  # a bad file is refused before the board is touched
    if action == "export":
        place_for(arguments.file, arguments.overwrite)  # and a bad place, too
    if action == "find":
        known(arguments.chip)
    with connected(arguments.port) as client:
        if action == "pair":
            return Pairing(client, arguments.zone, arguments.seconds).run(
                chosen(client, arguments.only, arguments.again)
            )
        if action == "export":
            return export_to(client, arguments.file)
        if wanted is not None:
            return import_from(client, wanted, arguments.yes)
        if action == "find":
            return find(client, arguments.chip, arguments.json)
        if action == "strangers":
            return strangers(client, arguments.json)
        return show(client, arguments.json)


def known(chip: str) -> str:
    """The chip's name, or UserError."""
    if chip not in CHIPS:
        raise UserError(f"there is no chip {chip[:40]}: chips are b10 to o60 (b r g o), and mill")
    return chip


def spoken(chip: str) -> str:
    """`Red 30` of r30."""
    return "the pepper mill" if chip == MILL else f"{colour(chip).capitalize()} {chip[1:]}"


def place_for(path: Path, overwrite: bool) -> None:
    """UserError where the roster cannot be written there, or would replace a file unasked."""
    file_for(path)
    if path.exists() and not overwrite:
        raise UserError(
            f"{path} already exists and is not overwritten: name another file, or use --overwrite"
        )


def show(client: Client, as_json: bool) -> int:
    """What is paired, and what is worth knowing about it."""
    reply = client.request("roster")
    if as_json:
        print(json.dumps({key: reply[key] for key in ("version", "chips", "warnings")}))
        return 0
    for chip in CHIPS:
        print(f"{chip:5} {reply['chips'][chip] or '-'}")
    warn(reply)
    return 0


def warn(reply: dict[str, Any]) -> None:
    """Print the board's warnings: UIDs that begin alike."""
    for text in reply["warnings"]:
        print(f"note: {text}")


def tuning_unknown() -> None:
    """A UID says nothing about how a tag is tuned, so nobody knows it yet."""
    print(
        "note: how these tags are tuned is not known. Ordinary ones fall silent in stacks: "
        "`spiceboard diag --tags` measures it"
    )


def chosen(client: Client, only: str | None, again: bool) -> list[str]:
    """The chips to pair, in the roster's order."""
    names = [known(name.strip()) for name in only.split(",")] if only is not None else list(CHIPS)
    stored = client.request("roster")["chips"]
    return [
        chip for chip in CHIPS if chip in names and (again or only is not None or not stored[chip])
    ]


class Pairing:
    """Guided: the ring lights in the chip's colour, the chip is laid there, and lifted again."""

    def __init__(self, client: Client, zone: str, seconds: float) -> None:
        self.client = client
        self.zone = zone
        self.seconds = seconds

    def run(self, chips: list[str]) -> int:
        """Pair them all; what was paired before an interruption is kept."""
        if not chips:
            print("Every chip has a tag. To pair again, use `--again` or `--only r30`.")
            return 0
        with maintenance(self.client):
            self._wait_empty()
            for number, chip in enumerate(chips, 1):
                print(
                    f"[{number}/{len(chips)}] Lay {spoken(chip)} (`{chip}`) into `{self.zone}`.",
                    flush=True,
                )
                rgb = WHITE if chip == MILL else COLOUR_RGB[COLOURS.index(colour(chip))]
                light(self.client, self.zone, rgb)
                uid = self._pair(chip)
                light(self.client, self.zone, GREEN)
                print(f"{chip} is tag {uid}. Lift it.", flush=True)
                self._wait_empty()
        warn(self.client.request("roster"))
        tuning_unknown()
        return 0

    def _tags(self) -> list[list[Any]]:
        reply = self.client.request("tags", zone=self.zone)
        self._unread: str | None = reply.get("unread", {}).get(self.zone)
        tags: list[list[Any]] = reply["tags"][self.zone]
        return tags

    def _pair(self, chip: str) -> str:
        """Wait for one tag that belongs to no chip, store it, and return its UID."""
        said = why = ""
        end = self.client.link.now() + self.seconds
        while self.client.link.now() < end:
            tags = self._tags()
            before, why = why, ""
            if self._unread:
                why = f"a tag in `{self.zone}` cannot be used: {UNUSABLE[self._unread]}"
            elif len(tags) > 1:
                why = f"{len(tags)} tags lie in `{self.zone}`: leave only `{chip}` there"
            elif tags and tags[0][1] not in (None, chip):
                why = f"refused: tag {tags[0][0]} already belongs to `{tags[0][1]}`"
            elif tags:
                uid = str(tags[0][0])
                self.client.request("roster_set", chips={chip: uid})
                return uid
            if why == before:  # a chip on its way may be read in part, once
                if why and why != said:
                    print(why, flush=True)
                said = why
            self.client.link.sleep(LOOK_S)
        if self._unread:
            raise No(
                f"{spoken(chip)} was not paired: {why}. The chips paired before it are stored"
            )
        raise No(
            f"no tag of {spoken(chip)} was seen in `{self.zone}` within {self.seconds:g} s: lay "
            "it flat in the middle, then repeat the command. The chips paired before it are "
            "stored"
        )

    def _wait_empty(self) -> None:
        said = False
        end = self.client.link.now() + self.seconds
        while tags := self._tags():
            if self.client.link.now() > end:
                raise No(f"a chip still lies in `{self.zone}`: lift it and repeat the command")
            if not said and tags[0][1]:
                print(f"`{tags[0][1]}` lies in `{self.zone}`: lift it.", flush=True)
                said = True
            self.client.link.sleep(LOOK_S)


def export_to(client: Client, path: Path) -> int:
    """The roster as a file."""
    chips = client.request("roster")["chips"]
    text = json.dumps({FORMAT: 1, "board": client.hello.get("board"), "chips": chips}, indent=1)
    write_whole(path, text + "\n")
    print(f"{sum(1 for uid in chips.values() if uid)} chips written to {path}")
    return 0


def read(path: Path) -> dict[str, str | None]:
    """The chips of a file, all of CHIPS named; UserError says what is wrong with it."""
    try:
        stored = json_of(read_text(path))
    except ValueError as error:
        raise UserError(f"{path} is not JSON: {error}") from error
    chips = stored.get("chips") if isinstance(stored, dict) else None
    if not isinstance(chips, dict) or stored.get(FORMAT) != 1:
        raise UserError(f"{path} is not a roster: `spiceboard roster export` writes one")
    owner: dict[str, str] = {}
    for chip, uid in chips.items():
        known(chip)
        if uid is None:
            continue
        if (
            not isinstance(uid, str)
            or len(uid) not in (8, 14, 20)
            or uid[:2] == "88"
            or set(uid) - set("0123456789abcdef")
        ):
            raise UserError(
                f"{path}: {chip}: {str(uid)[:40]!r} is not a UID of 4, 7 or 10 bytes in hex, "
                "which never begins with 88"
            )
        if uid in owner:
            raise UserError(f"{path}: tag {uid} belongs to both {owner[uid]} and {chip}")
        owner[uid] = chip
    return {chip: chips.get(chip) for chip in CHIPS}


def import_from(client: Client, chips: Mapping[str, str | None], yes: bool) -> int:
    """Store all at once, and compare what the board has then; UserError before chips lose their
    tag, unless that was agreed to."""
    stored = client.request("roster")["chips"]
    lost = [chip for chip in CHIPS if stored[chip] and not chips[chip]]
    if lost and not yes:
        raise UserError(
            f"the file does not contain {len(lost)} of the chips that have a tag on the board "
            f"({', '.join(lost)}), so they would lose it. Save the board's roster first "
            "(`spiceboard roster export FILE`), then repeat with --yes"
        )
    reply = client.request("roster_set", chips=chips)
    if reply["chips"] != chips:
        raise No("the board did not store the roster as sent: try again, then run `diag`")
    print(f"{sum(1 for uid in chips.values() if uid)} chips stored, version {reply['version']}")
    warn(reply)
    tuning_unknown()
    return 0


def hearing(tags: dict[str, list[list[Any]]], uid: str) -> list[str]:
    """Zones that hear a tag, the best first; without those that need clearly more gain."""
    heard = sorted(
        (GAINS_DB[step], ZONES.index(zone))
        for zone, found in tags.items()
        for tag, _chip, step in found
        if tag == uid
    )
    return [ZONES[zone] for db, zone in heard if db < heard[0][0] + CLEARLY_DB]


def find(client: Client, chip: str, as_json: bool) -> int:
    """Where a chip lies; its ring lights for a moment when no game is on."""
    uid = client.request("roster")["chips"][chip]
    if uid is None:
        raise No(
            f"{spoken(chip)} has no tag yet: pair it with `spiceboard roster pair --only {chip}`"
        )
    tags = client.request("tags", timeout=30)["tags"]
    zones = hearing(tags, uid)
    if as_json:
        only = zones[0] if len(zones) == 1 else None
        print(json.dumps({"chip": chip, "zone": only, "heard": zones}), flush=True)
    elif len(zones) > 1:
        print(
            f"{spoken(chip)} is heard in {' and '.join(f'`{zone}`' for zone in zones)}: it lies "
            "between them, or another chip has a copy of its tag. Lift it: if it is still heard, "
            "that is the copy.",
            flush=True,
        )
    elif zones:
        print(f"{spoken(chip)} is in `{zones[0]}`.", flush=True)
    else:
        print(f"{spoken(chip)} is not in any zone.")
    if len(zones) != 1:
        return 1
    if not client.hello.get("playing"):
        with maintenance(client):
            light(client, zones[0], WHITE)
            client.link.sleep(2.0)
    return 0


def strangers(client: Client, as_json: bool) -> int:
    """Tags that no chip has, and where they lie."""
    reply = client.request("tags", timeout=30)
    tags, unread = reply["tags"], reply.get("unread", {})
    found = [(zone, tag[0]) for zone in ZONES for tag in tags.get(zone, []) if tag[1] is None]
    if as_json:
        listed = [{"zone": zone, "tag": uid} for zone, uid in found]
        print(json.dumps({"strangers": listed, "unread": unread}))
        return 1 if found or unread else 0
    for zone, uid in found:
        print(f"{zone}: {uid}")
    for zone, reason in unread.items():
        print(f"{zone}: a tag cannot be used: {UNUSABLE[reason]}")
    if not found and not unread:
        print("There are no strangers on the board.")
    return 1 if found or unread else 0
