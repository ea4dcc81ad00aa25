"""`spiceboard play`: pages or the terminal table, on a simulated board or on any board.

Without --port the simulator is started as a child process, with hands for what people would do at
a real table. With --port the same table shows a real or emulated board.
"""

import argparse
import random
from typing import Any

from spiceboard.board.connection import json_of, seed, whole
from spiceboard.bots import bot
from spiceboard.bots.offline import DEFAULT_GAME, rules_of
from spiceboard.commands.process import run_module
from spiceboard.errors import UserError
from spiceboard.words import _
from spicecore.games import GAMES

HTTP_PORT = 8017


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add = parser.add_argument
    games = ", ".join(GAMES)
    add("--port", help=_("a board (see `spiceboard --help`); else one is simulated"))
    add(
        "--game",
        default=DEFAULT_GAME,
        help=_("{list} (default {name})").format(list=games, name=DEFAULT_GAME),
    )
    add("--players", type=int, help=_("how many in all (default 2)"))
    people = _("how many of them at this table, 0 to 4 (default 1; referee: all)")
    add("--people", type=int, help=people)
    level = _("how well the others play: {list} (default {name})")
    add(
        "--bot", default="sensible", help=level.format(list=", ".join(bot.LEVELS), name="sensible")
    )
    parser.epilog = f"{bot.about(GAMES)}\n\n{parser.epilog or ''}"
    add("--seed", type=seed, help=_("of all chance (default: another one each time)"))
    option = _(
        "an option of the game, such as purses=open, bounds=[12,12] or strips=@FILE "
        "(may be given several times)"
    )
    add("--option", action="append", default=[], metavar=_("NAME=VALUE"), help=option)
    add("--new", action="store_true", help=_("abort the game that is on, instead of joining it"))
    board = _(
        "keep the simulated board's flash there: a game can be left and taken up again "
        "(default: a folder of the table's own)"
    )
    add("--board", metavar=_("FOLDER"), help=board)
    terminal = _("the table in this terminal, without a browser")
    add("--terminal", action="store_true", help=terminal)
    lan = _("let phones in your local network reach the pages, each seat by a code of its own")
    add("--lan", action="store_true", help=lan)
    http = _("where the pages are served (default {n}; 0: any free port)").format(n=HTTP_PORT)
    add("--http", type=whole(0, 65535), default=HTTP_PORT, metavar=_("PORT"), help=http)
    browser = _("print the address of the table page, and open no browser")
    add("--no-browser", dest="browser", action="store_false", help=browser)
    archive = _("where finished games are kept (see `spiceboard games`)")
    add("--archive", metavar=_("FILE"), help=archive)
    headless = _("bots only, one event a line, the same output for the same seed")
    add("--headless", action="store_true", help=headless)


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The game's options from the command line; UserError for anything else."""
    options: dict[str, Any] = {
        "players": arguments.players,
        "mode": "full",
        "seed": arguments.seed,
    }
    for text in arguments.option:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UserError(_("--option wants NAME=VALUE, not {text}").format(text=repr(text)))
        options[name] = option_value(name, value)
    return options


def option_value(name: str, value: str) -> Any:
    """A value from the command line: JSON (5, false, [9,9]), @FILE with JSON in it, or a word."""
    if not value.startswith("@"):
        try:
            return json_of(value)
        except ValueError:
            return value
    try:
        with open(value[1:], encoding="utf-8") as file:
            return json_of(file.read())
    except OSError as error:
        text = _("--option {name}: cannot read {file}: {error}")
        told = text.format(name=name, file=value[1:], error=error.strerror)
        raise UserError(told) from error
    except ValueError as error:
        text = _("--option {name}: {file} is not JSON: {error}")
        raise UserError(text.format(name=name, file=value[1:], error=error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Play; the exit code is 0 also when the table is left."""
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(1 << 30)
    rules_of(arguments.game)
    arguments.asked = arguments.players  # None: however many are at the table, or two
    arguments.players = arguments.players or 2
    options = options_of(arguments)
    referee = options["mode"] == "referee"
    if arguments.headless:
        if referee:
            raise UserError(_(bot.NO_BOTS))
        return headless(arguments)
    if not 0 <= (arguments.people or 0) <= min(4, arguments.players):
        raise UserError(_("--people is from 0 to 4, and not more than --players"))
    if not arguments.terminal:
        from spiceboard.pages.serve import serve  # here: the terminal needs no server

        if arguments.people is None:
            arguments.people = arguments.players if referee else 1
        return serve(arguments, options)
    from spiceboard.table.evening import at_terminal  # here: the pages need no terminal

    return at_terminal(arguments, options)


def headless(arguments: argparse.Namespace) -> int:
    """Bots only: world, client and bots are one process of the simulator, in virtual time."""
    if arguments.port:
        raise UserError(_("--headless plays on a simulated board; leave --port away"))
    if arguments.board:
        raise UserError(_("--headless keeps nothing; leave --board away"))
    if arguments.terminal:
        raise UserError(_("--headless shows no table; leave --terminal away"))
    words: list[str] = []
    for name in ("game", "players", "bot", "seed"):
        words += [f"--{name}", str(getattr(arguments, name))]
    for option in arguments.option:
        words += ["--option", option]
    return run_module("sim", "spiceboard_sim.headless", words)
