"""`spiceboard games`: the archive of finished games: list, show, export, import, replay, count."""

import argparse
import json
from pathlib import Path

from spiceboard.archive import counts
from spiceboard.archive.score import Score, read
from spiceboard.archive.store import Archive
from spiceboard.board.connection import read_text, write_whole
from spiceboard.errors import UserError
from spicecore import games


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--archive", type=Path, metavar="FILE", help="another archive's file")
    actions = parser.add_subparsers(dest="action", metavar="action")
    actions.add_parser("list", help="all games, the newest first (default)")
    show = actions.add_parser("show", help="one game: who played, who won, how long it was")
    export = actions.add_parser("export", help="one game as text, in the project's notation")
    export.add_argument("--to", type=Path, metavar="FILE", help="into this file (default: print)")
    take = actions.add_parser("import", help="put exported games into the archive")
    take.add_argument("files", type=Path, nargs="+", metavar="FILE")
    replay = actions.add_parser("replay", help="every event of a game, and what it did")
    for action in (show, export, replay):
        action.add_argument("number", help="the game's number, or how it begins")
    stats = actions.add_parser("stats", help="what many games have in common")
    stats.add_argument("--json", action="store_true", help="as one line of JSON")


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
            print(f"{archive.add(read_file(path))}  from {path}")
        return 0
    score = archive.get(arguments.number)
    if action == "show":
        return show(score)
    if action == "replay":
        return replay(score)
    if arguments.to is None:
        print(score.text(), end="")
    else:
        write_whole(arguments.to, score.text())
        print(f"{score.number} to {arguments.to}")
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
        won = row.winners.replace(",", " and ")
        print(f"{row.number}  {row.ended}  {row.game:9}  {row.events:4} events  {won} won")
    if not rows:
        print("No game has been finished yet: `spiceboard play` keeps each one here.")
    return 0


def show(score: Score) -> int:
    """One game in short."""
    rules = games.load(score.game)
    players = score.facts.get("players", "").split(",")
    print(f"{score.number}: {score.game}, {len(score.events)} events, {score.facts.get('ended')}")
    for seat, rank, points in score.standing():
        who = f" ({players[seat]})" if seat < len(players) and players[seat] else ""
        what = ", ".join(f"{value} {name}" for name, value in points.items())
        print(f"{rank}. {rules.SEATS[seat]}{who}: {what}")
    print(rules.text(score.end()))
    return 0


def replay(score: Score) -> int:
    """Every event, with its effects."""
    for number, (_, effects) in enumerate(score.positions()):
        if number:
            print(f"{number:4} {json.dumps(score.events[number - 1])}")
        for effect in effects:
            print(f"       {json.dumps(effect)}")
    return 0


def stats(archive: Archive, as_json: bool) -> int:
    """Figures of all games, by game."""
    found = {}
    scores = list(archive.all())
    for game in games.GAMES:
        mine = [score for score in scores if score.game == game]
        if mine:
            found[game] = counts.together(mine)
    if as_json:
        print(json.dumps(found))
        return 0
    for game, figures in found.items():
        lengths = figures["events"]
        print(
            f"{game}: {figures['games']} games of {lengths['least']} to {lengths['most']} events"
        )
        print(f"  won: {told(figures['wins'])}")
        if figures["throws"]:
            share = 100 * figures["misses"] / figures["throws"]
            print(f"  throws: {figures['throws']}, missed {share:.0f} %")
        if figures["doubts"]:
            print(f"  doubts by zone: {told(figures['doubts'])}")
    if not found:
        print("No game has been finished yet.")
    return 0


def told(numbers: dict[str, int]) -> str:
    """`blue (person) 3, red (sensible) 2`."""
    return ", ".join(f"{name} {n}" for name, n in numbers.items()) or "nobody"
