"""`spiceboard log`: list, copy and replay the games that a board has kept; erasing is separate.

Nothing but `log erase --yes` ever removes anything, and it removes what it names.
"""

import argparse
import contextlib
import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from spiceboard.board.client import Client, Refused
from spiceboard.board.connection import connected, json_of, read_text, whole, write_whole
from spiceboard.board.link import Absent
from spiceboard.board.simulated import VirtualBoard
from spiceboard.errors import No, UserError
from spiceboard.table import panel
from spiceboard.table.announcements import sentences
from spicecore import games
from spicecore.games import GAMES

FORMAT = "spiceboard log"
ROOM, LEAST_ROOM = 2000, 200  # bytes of records that a board is asked for at once

Record = list[Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    port = argparse.ArgumentParser(add_help=False)
    port.add_argument("--port", default=argparse.SUPPRESS, help="the board")
    parser.add_argument("--port", help="the board (see `spiceboard --help`)")
    folder = "a simulated board that is kept there, as by `spiceboard play --board FOLDER`"
    for where, default in ((parser, None), (port, argparse.SUPPRESS)):
        where.add_argument("--board", type=Path, metavar="FOLDER", default=default, help=folder)
    actions = parser.add_subparsers(dest="action", metavar="action")
    parser.add_argument("--json", action="store_true", help="print the list as one line of JSON")
    listing = actions.add_parser(
        "list", parents=[port], help="list the logs on the board (default)"
    )
    listing.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="as JSON")
    copy = actions.add_parser("copy", parents=[port], help="copy logs to files; erase nothing")
    copy.add_argument("names", nargs="*", metavar="NAME", help="logs (default: all)")
    copy.add_argument(
        "--to", type=Path, default=Path("."), metavar="DIR", help="write to this folder"
    )
    replay = actions.add_parser("replay", parents=[port], help="replay a game with the rules")
    replay.add_argument("log", metavar="FILE|NAME", help="a copied file, or a log on the board")
    replay.add_argument(
        "--until", type=whole(1, 1_000_000), metavar="N", help="stop after this many records"
    )
    replay.add_argument("--words", action="store_true", help="in sentences, as a table tells it")
    erase = actions.add_parser("erase", parents=[port], help="remove one log from the board")
    erase.add_argument("name", metavar="NAME")
    erase.add_argument("--yes", action="store_true", help="yes, erase it")


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked for; without an action, list."""
    action = arguments.action or "list"
    if arguments.json and action != "list":
        raise UserError(f"--json works only with the list, not with `{action}`")
    if action == "replay":
        if is_file(arguments.log):
            return replay(from_file(Path(arguments.log)), arguments.until, arguments.words)
    if action == "erase" and not arguments.yes:
        raise UserError(
            f"erasing `{arguments.name}` cannot be undone: copy it first (`spiceboard log copy "
            f"{arguments.name}`), then repeat with --yes"
        )
    try:
        return at_board(action, arguments)
    except Absent as error:
        if action == "replay":
            raise Absent(f"there is no file {arguments.log} here, and {error}") from error
        raise


def is_file(log: str) -> bool:
    """A copied file, or else the name of a log on the board; UserError for what is neither."""
    path = Path(log)
    if path.is_dir():
        raise UserError(f"{log} is a folder: name one of the files in it")
    there = path.is_file() or path.is_fifo()
    if not there and (log.endswith(".jsonl") or path.name != log):
        raise UserError(
            f"there is no file {log} here; logs on the board have names like g0001-000.log "
            "(`spiceboard log list`)"
        )
    return there


def at_board(action: str, arguments: argparse.Namespace) -> int:
    """What needs the board."""
    with port_of(arguments) as port, connected(port) as client:
        if action == "copy":
            return copy(client, arguments.names, arguments.to)
        if action == "replay":
            (name,) = named([arguments.log], logs_of(client))
            return replay(fetch(client, name), arguments.until, arguments.words)
        if action == "erase":
            (name,) = named([arguments.name], logs_of(client))
            client.request("log_erase", name=name, confirm=True)
            print(f"{name} was erased.")
            return 0
        return show(client, arguments.json)


@contextlib.contextmanager
def port_of(arguments: argparse.Namespace) -> Iterator[str | None]:
    """The port of the board that is meant; one that is kept in a folder is simulated meanwhile."""
    folder: Path | None = arguments.board
    if folder is None:
        yield arguments.port
        return
    flash = folder / "flash" if (folder / "flash").is_dir() else folder  # pages keep keys beside
    if not (flash / "data" / "log").is_dir():
        raise UserError(f"{folder} keeps no simulated board: `spiceboard play --board` makes one")
    with VirtualBoard(["--flash", str(flash)]) as board:
        yield board.port


def logs_of(client: Client) -> dict[str, int]:
    """{name: records} of all logs on the board, the newest last."""
    return {name: records for name, _, records, _ in client.request("log")["logs"]}


def named(names: list[str], logs: Collection[str]) -> list[str]:
    """The logs that are meant, `.log` or not; No, with what there is, where one is none."""
    found = []
    for name in names:
        whole = name if name.endswith(".log") else name + ".log"
        if whole not in logs:
            there = f"the board has {', '.join(logs)}" if logs else "the board has no games"
            raise No(f"there is no log {name}; {there}")
        found.append(whole)
    return found


def show(client: Client, as_json: bool) -> int:
    """All logs, the newest last."""
    logs = client.request("log")["logs"]
    if as_json:
        keys = ("name", "bytes", "records", "over")
        print(json.dumps({"logs": [dict(zip(keys, log, strict=True)) for log in logs]}))
        return 0
    for name, size, records, finished in logs:
        print(f"{name}  {size:6} bytes  {records:4} records  {'over' if finished else 'open'}")
    if not logs:
        print("The board has no games.")
    return 0


def fetch(client: Client, name: str) -> list[Record]:
    """All records of a log; Refused with its sentence while a full game is on. A board whose
    memory is in pieces is asked for fewer at once."""
    texts: list[str] = []
    at: int | None = 0
    room = ROOM
    while at is not None:
        try:
            reply = client.request("log_read", name=name, at=at, room=room)
        except Refused as refused:
            if refused.code == "no_memory" and room > LEAST_ROOM:
                room //= 2
                continue
            if refused.code != "secret":
                raise
            raise Refused(
                "secret",
                "a full game is being played, and its record contains secrets: copy or replay "
                "it when the game is over or aborted. `spiceboard log list` lists it, "
                "`spiceboard monitor` shows what is public",
            ) from refused
        texts += reply["records"]
        at = reply["next"]
    return [json.loads(text) for text in texts]


def copy(client: Client, names: list[str], folder: Path) -> int:
    """Copy, and hold the copy against the board's count."""
    logs = logs_of(client)
    for name in named(names, logs) or logs:
        records = fetch(client, name)
        if len(records) < logs.get(name, 0):
            raise No(f"{name}: only {len(records)} of {logs[name]} records arrived; try again")
        head = {FORMAT: 1, "name": name, "board": client.hello.get("board")}
        lines = [json.dumps(line) for line in (head, *records)]
        path = folder / f"{name.removesuffix('.log')}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot create {folder}: {error.strerror}") from error
        keep_other(path, lines)
        write_whole(path, "\n".join(lines) + "\n")
        print(f"{name}: {len(records)} records to {path}")
    if not (names or logs):
        print("The board has no games.")
    return 0


def keep_other(path: Path, lines: list[str]) -> None:
    """UserError if the file is not an earlier copy of this log: names start again on each board,
    and after `log erase`."""
    if not path.exists():
        return
    there = read_text(path).splitlines()
    if there[:1] != lines[:1] or there != lines[: len(there)]:
        raise UserError(
            f"{path} contains another game and is not overwritten: copy to another folder (--to)"
        )


def from_file(path: Path) -> list[Record]:
    """The records of a copied log; UserError names the line that is not a record."""
    lines = read_text(path).splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(json_of(line))
        except ValueError as error:
            raise UserError(f"{path}, line {number} is damaged: {error}") from error
    if not found or not isinstance(found[0], dict) or found[0].get(FORMAT) != 1:
        raise UserError(f"{path} is not a copied log: `spiceboard log copy` writes one")
    if not all(isinstance(record, list) and record for record in found[1:]):
        raise UserError(f"{path} contains a line that is not a record")
    return found[1:]


class Replay:
    """A game played again from its records, by the rules of this computer."""

    def __init__(self) -> None:
        self.game: Any = None
        self.state: Any = None
        self.undo: list[Any] = []
        self.step = 0

    def take(self, record: Record) -> list[Any]:
        """One record; the effects that it had. UserError when it does not fit the rules."""
        kind = record[0]
        try:
            if kind in ("new", "state"):
                self._begin(record)
            elif kind == "e":
                return self._event(record[1])
            elif kind == "undo":
                self.state = self.undo.pop()
                self.step += 1
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise UserError(
                f"record {json.dumps(record)[:80]} cannot be replayed: {str(error)[:200]}"
            ) from error
        return []

    def _begin(self, record: Record) -> None:
        if record[0] == "new":
            _, name, options, position, _ = record
        else:
            name, position, options = record[1]["game"], record[1]["text"], {}
        if name not in GAMES:
            raise ValueError(f"this program does not have the game {name}")
        self.game = games.load(name)
        self.state = self.game.new(options) if position is None else self.game.parse(position)
        if record[0] == "state":
            self.step = record[1]["step"]
            self.undo = [self.game.parse(text) for text in record[1]["undo"]]

    def _event(self, event: list[Any]) -> list[Any]:
        before = self.state
        self.state, effects = self.game.step(before, event)
        if self.state is before and effects and effects[0][1] == "refused":
            raise ValueError(
                f"the rules refuse it ({effects[0][3]}); perhaps it was recorded with other rules"
            )
        self.step += 1
        if self.game.undoable(before, event):
            self.undo.append(before)
        elif any(effect[1] not in self.game.PHYSICAL for effect in effects):
            self.undo = []
        return list(effects)


def replay(records: list[Record], until: int | None, words: bool = False) -> int:
    """Print each record and what it did, the position at the end, and the standing; in words only
    what a table would tell."""
    play = Replay()
    for number, record in enumerate(records[:until]):
        before = play.state
        effects = play.take(record)
        if words and effects:
            view = play.game.view(before, None)
            for line in sentences(panel.load(play.game.NAME), effects, view):
                print(line)
        if words:
            continue
        shown = record if record[0] not in ("key", "keys") else [record[0]]  # keys are secret
        print(f"{number:4} {json.dumps(shown)}")
        for effect in effects:
            print(f"       {json.dumps(effect)}")
    if play.game is None:
        raise UserError(
            "this log contains no start of a game: it may continue another file of the same game"
        )
    if not words:
        print(play.game.text(play.state))
    for seat, rank, score in play.game.standing(play.state):
        print(f"{rank}. {play.game.SEATS[seat]} {json.dumps(score)}")
    return 0
