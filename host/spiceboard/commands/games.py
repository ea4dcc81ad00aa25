"""`spiceboard games`: the archive of finished games: list, show, export, import, replay, count."""

import argparse
import json
from pathlib import Path

from spiceboard.archive import counts, summary
from spiceboard.archive.score import Score, read
from spiceboard.archive.store import Archive
from spiceboard.board.connection import read_text, write_whole
from spiceboard.errors import UserError
from spiceboard.table import panel
from spiceboard.table.announcements import score_text, sentences
from spiceboard.words import _, ngettext
from spicecore import games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    file = _("FILE")
    parser.add_argument("--archive", type=Path, metavar=file, help=_("another archive's file"))
    actions = parser.add_subparsers(dest="action", metavar=_("action"))
    actions.add_parser("list", help=_("all games, the newest first (default)"))
    show = actions.add_parser("show", help=_("one game: who played, who won, how long it was"))
    text = _("one game as text, in the project's notation")
    export = actions.add_parser("export", help=text)
    where = _("into this file (default: print)")
    export.add_argument("--to", type=Path, metavar=file, help=where)
    take = actions.add_parser("import", help=_("put exported games into the archive"))
    take.add_argument("files", type=Path, nargs="+", metavar=file)
    replay = actions.add_parser("replay", help=_("what happened in a game, in sentences"))
    raw = _("events and effects as JSON, a line each")
    replay.add_argument("--json", action="store_true", help=raw)
    for action in (show, export, replay):
        action.add_argument("number", help=_("the game's number, or how it begins"))
    stats = actions.add_parser("stats", help=_("what many games have in common"))
    stats.add_argument("--json", action="store_true", help=_("as one line of JSON"))


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked for; without an action, list."""
    archive = Archive(arguments.archive)
    action = arguments.action or "list"
    if action == "list":
        return listed(archive)
    if action == "stats":
        return stats(archive, arguments.json)
    if action == "import":
        for path in arguments.files:
            number = archive.add(read_file(path))
            print(_("{number}  from {file}").format(number=number, file=path))
        return 0
    score = archive.get(arguments.number)
    if action == "show":
        return show(score)
    if action == "replay":
        return replay_json(score) if arguments.json else replay(score)
    if arguments.to is None:
        print(score.text(), end="")
    else:
        write_whole(arguments.to, score.text())
        print(_("{number}  to {file}").format(number=score.number, file=arguments.to))
    return 0


def read_file(path: Path) -> Score:
    """An exported game; UserError names the file and what is wrong with it."""
    try:
        return read(read_text(path))
    except UserError as error:
        raise UserError(f"{path}: {error}") from error


def listed(archive: Archive) -> int:
    """All games, a line each."""
    rows = archive.rows()
    for row in rows:
        many = ngettext("{n} event", "{n} events", row.events).format(n=row.events)
        events = many.rjust(11)
        winners = [_(name) for name in row.winners.split(",") if name]
        text = ngettext("{names} won", "{names} won together", len(winners))
        won = text.format(names=_(" and ").join(winners)) if winners else _("nobody won")
        print(f"{row.number}  {row.ended}  {row.game:9}  {events}  {won}")
    if not rows:
        print(_("No game has been finished yet: `spiceboard play` keeps each one here."))
    return 0


def show(score: Score) -> int:
    """One game in short."""
    rules = games.load(score.game)
    players = score.facts.get("players", "").split(",")
    many = len(score.events)
    events = ngettext("{n} event", "{n} events", many).format(n=many)
    print(f"{score.number}: {score.game}, {events}, {score.facts.get('ended')}")
    for seat, rank, points in score.standing():
        who = f" ({_(players[seat])})" if seat < len(players) and players[seat] else ""
        what = ", ".join(score_text(name, value) for name, value in points.items())
        print(f"{rank}. {_(rules.SEATS[seat])}{who}: {what}")
    print(rules.text(score.end()))
    return 0


def replay(score: Score) -> int:
    """What happened, in the sentences of the table."""
    words_of = panel.load(score.game)
    rules = games.load(score.game)
    before = None
    for state, effects in score.positions():
        view = rules.view(before if before is not None else state, None)
        for line in sentences(words_of, effects, view):
            print(line)
        before = state
    return 0


def replay_json(score: Score) -> int:
    """Every event, with its effects, as JSON."""
    for number, (_state, effects) in enumerate(score.positions()):
        if number:
            print(f"{number:4} {json.dumps(score.events[number - 1])}")
        for effect in effects:
            print(f"       {json.dumps(effect)}")
    return 0


def stats(archive: Archive, as_json: bool) -> int:
    """Figures of all games, by game."""
    found = counts.by_game(archive.all())
    if as_json:
        print(json.dumps(found))
        return 0
    for game, figures in found.items():
        print(f"{game}: {summary.length(figures)}")
        lines = summary.results(figures)
        for text, what in (
            (_("chips by zone: {list}"), "landed"),
            (_("doubts by zone: {list}"), "doubts"),
        ):
            if figures[what]:
                lines.append(text.format(list=summary.told(figures[what])))
        for line in lines:
            print(f"  {line}")
    if not found:
        print(_("No game has been finished yet."))
    return 0
