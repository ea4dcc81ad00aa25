"""What a page may ask for: one function for each `do`, each checks who asks."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from spiceboard import words
from spiceboard.bots import bot
from spiceboard.bots.targets import SIZE, ZONES
from spiceboard.pages import sentences
from spiceboard.pages.desk import Chair
from spiceboard.pages.finished import finished, moment, replay, statistics
from spiceboard.pages.games import SHOWN
from spiceboard.pages.hub import Page
from spiceboard.pages.office import Office, Refusal, number
from spiceboard.words import N_
from spiceboard.words.refusals import said_by_board
from spicecore.games import GAMES, load
from spicecore.parts import COLOURS

Frame = dict[str, Any]
EVENT_MAX = 24  # parts of an event; the longest exchange has fewer
READ_S = 90.0  # so long bots wait for somebody who reads
ABOUT = 200.0  # mm beyond the rim where a throw may be aimed


async def answer(server: Office, page: Page, message: Frame) -> Frame | None:
    """Do what a page asks for; UserError with a sentence when it may not be."""
    do = message.get("do")
    handler = HANDLERS.get(do) if isinstance(do, str) else None
    if handler is None:
        raise Refusal(N_("this page asks for something unknown: load it again"))
    return await handler(server, page, message)


def seat_of(server: Office, page: Page, message: Frame) -> int:
    """The seat of a message, which the page must play."""
    seat = message.get("seat")
    if type(seat) is not int or seat not in server.hub.seats_of(page):
        raise Refusal(N_("this page does not play that seat"))
    return seat


def only_table(page: Page) -> None:
    """Only the table's own page may go on."""
    if not page.table:
        raise Refusal(N_("only the table's own page may do that"))


async def hello(server: Office, page: Page, message: Frame) -> Frame | None:
    """Who a page is: the table, a seat, or a spectator."""
    if str(message.get("lang")) in words.languages():
        page.language = str(message["lang"])
    key = message.get("key")
    page.table, page.own = False, None
    if isinstance(key, str) and len(key) < 100:
        page.table = server.hub.keys.is_table(key)
        page.own = None if page.table else server.hub.keys.seat_of(key)
    known = page.table or page.own is not None
    server.hub.pages.add(page)
    page.waiting.clear()
    for frame in server.hub.welcome(page):
        page.put(frame)
    server.hub.tell_again()
    if key and not known:
        raise Refusal(N_("this key is not good any more: you watch as a spectator"))
    return None


async def join(server: Office, page: Page, message: Frame) -> Frame | None:
    """Take a free seat by its invitation."""
    seat, key = server.hub.keys.join(str(message.get("code", ""))[:100])
    page.own, page.table = seat, False
    server.changed()
    server.hub.tell_again()
    return {"key": key, "seat": seat}


async def leave(server: Office, page: Page, message: Frame) -> Frame | None:
    """Give the own seat back, or at the table take a seat over."""
    seat = message.get("seat")
    if type(seat) is not int or not (page.table or page.own == seat):
        raise Refusal(N_("this page does not play that seat"))
    server.hub.keys.give_back(seat)
    for other in server.hub.pages:
        if other.own == seat:
            other.own = None
            other.put({"is": "notice", "text": "seat-gone"})
    server.changed()
    server.hub.tell_again()
    return None


async def language(server: Office, page: Page, message: Frame) -> Frame | None:
    """Another language for this page, at once."""
    if str(message.get("lang")) not in words.languages():
        raise Refusal(N_("there is no such language here"))
    page.language = str(message["lang"])
    for frame in server.hub.welcome(page):
        page.put(frame)
    return None


async def act(server: Office, page: Page, message: Frame) -> Frame | None:
    """A decision."""
    seat, event = seat_of(server, page, message), event_of(message)
    step = message.get("step")
    checked = step if type(step) is int else None
    await server.at_desk(lambda desk: desk.act(seat, event, checked))
    return None


def event_of(message: Frame) -> list[Any]:
    """The event of a message; what it means is the board's to judge."""
    event = message.get("event")
    if not isinstance(event, list) or not 0 < len(event) <= EVENT_MAX:
        raise Refusal(N_("this page is out of date: load it again"))
    return event


async def why(server: Office, page: Page, message: Frame) -> Frame | None:
    """Why the seat may not do this; the empty text when it may."""
    seat, event = seat_of(server, page, message), event_of(message)
    text, view = await server.at_desk(lambda desk: desk.why(seat, event))
    with words.using(page.language):
        return {
            "why": said_by_board(text) if text else "",
            "text": sentences.described(event, view),
        }


async def throw(server: Office, page: Page, message: Frame) -> Frame | None:
    """A chip is thrown on a virtual board."""
    seat, chip = seat_of(server, page, message), str(message.get("chip"))[:8]
    aim: Frame = {"strength": number(message, "strength", 0, 1)}
    if "zone" in message:
        if message["zone"] not in ZONES:
            raise Refusal(N_("there is no such zone"))
        aim["zone"] = message["zone"]
    else:
        for name in ("x", "y"):
            aim[name] = number(message, name, -ABOUT, SIZE + ABOUT)
    await server.at_desk(lambda desk: desk.throw(seat, chip, aim))
    return None


async def decide(server: Office, page: Page, message: Frame) -> Frame | None:
    """A doubt."""
    seat = seat_of(server, page, message)
    doubt, counts = int(number(message, "doubt", 0, 1e9)), message.get("counts") is True
    await server.at_desk(lambda desk: desk.decide(seat, doubt, counts))
    return None


async def lies(server: Office, page: Page, message: Frame) -> Frame | None:
    """A person says where their chip lies that no reader hears."""
    seat = seat_of(server, page, message)
    chip, zone = str(message.get("chip"))[:8], message.get("zone")
    if zone not in ZONES:
        raise Refusal(N_("there is no such zone"))
    await server.at_desk(lambda desk: desk.lies(seat, chip, str(zone)))
    return None


async def accept(server: Office, page: Page, message: Frame) -> Frame | None:
    """The board is taken as it lies."""
    if not server.hub.seats_of(page):
        raise Refusal(N_("only players may do that"))
    await server.at_desk(lambda desk: desk.accept())
    return None


async def put_right(server: Office, page: Page, message: Frame) -> Frame | None:
    """A chip that lies elsewhere than the game says is lifted or laid back by a click."""
    if not server.hub.seats_of(page):
        raise Refusal(N_("only players may do that"))
    colour, seen, due = (message.get(name) for name in ("colour", "seen", "due"))
    if not all(part is None or isinstance(part, str) for part in (colour, seen, due)):
        raise Refusal(N_("this page is out of date: load it again"))
    await server.at_desk(lambda desk: desk.put_right(str(colour), seen, due))
    return None


async def manner(server: Office, page: Page, message: Frame) -> Frame | None:
    """How fast bots play, and whether chips go home by themselves."""
    only_table(page)
    pace, lifts = number(message, "pace", 0, 5), message.get("lifts") is not False
    await server.at_desk(lambda desk: desk.manner(pace, lifts))
    return None


async def lend(server: Office, page: Page, message: Frame) -> Frame | None:
    """Another program may use the board's port."""
    only_table(page)
    await server.at_desk(lambda desk: desk.lend())
    return None


async def take_back(server: Office, page: Page, message: Frame) -> Frame | None:
    """It is done: the game goes on."""
    only_table(page)
    if server.desk is not None:
        server.desk.take_back()  # a desk that has lent its board answers no questions
    return None


async def reading(server: Office, page: Page, message: Frame) -> Frame | None:
    """Somebody reads a page of the guide: bots wait for them, though not for ever."""
    page.reads_until = time.monotonic() + READ_S if message.get("on") is True else 0.0
    return None


async def go_on(server: Office, page: Page, message: Frame) -> Frame | None:
    """This seat has looked at the end of the round."""
    seat = seat_of(server, page, message)
    await server.at_desk(lambda desk: desk.go_on(seat))
    return None


async def undo(server: Office, page: Page, message: Frame) -> Frame | None:
    """Take the last decision back, or ask the others for it."""
    seat = seat_of(server, page, message)
    await server.at_desk(lambda desk: desk.ask_undo(seat))
    return None


async def answer_undo(server: Office, page: Page, message: Frame) -> Frame | None:
    """Yes or no to somebody who wants to take something back."""
    seat = seat_of(server, page, message)
    await server.at_desk(lambda desk: desk.answer_undo(seat, message.get("yes") is True))
    return None


async def missed(server: Office, page: Page, message: Frame) -> Frame | None:
    """The throw that people made for a bot hit nothing."""
    if not server.hub.seats_of(page):
        raise Refusal(N_("only players may do that"))
    await server.at_desk(lambda desk: desk.wish_missed())
    return None


async def games(server: Office, page: Page, message: Frame) -> Frame | None:
    """What the start page offers."""
    with words.using(page.language):
        return {"games": [game_of(name) for name in SHOWN]}


def level_of(game: str, name: str, title: str, thinks: str) -> Frame:
    """One level of a game's bots for the start page; lack: why it cannot play here, or None."""
    lack = bot.missing(game, name)
    told = {"name": name, "title": words._(title), "thinks": words._(thinks)}
    return told | {"lack": said_by_board(lack) if lack else None}


def game_of(name: str) -> Frame:
    """One game for the start page."""
    entry = SHOWN[name]
    return {
        "name": name,
        "title": entry.title,
        "about": words._(entry.about),
        "players": GAMES[name],
        "flick": entry.flick,
        "modes": entry.modes,
        "levels": [level_of(name, *level) for level in bot.levels(name)],
        "colours": [COLOURS.index(colour) for colour in load(name).SEATS],
        "options": [
            {
                "name": option.name,
                "title": words._(option.title),
                "values": [[value, words._(text)] for value, text in option.values],
            }
            for option in entry.options
        ],
    }


async def new(server: Office, page: Page, message: Frame) -> Frame | None:
    """Start a game."""
    only_table(page)
    name = message.get("game")
    if name not in SHOWN:
        raise Refusal(N_("there is no such game"))
    entry, chairs = SHOWN[name], message.get("chairs")
    low, high = GAMES[name]
    if not isinstance(chairs, list) or not low <= len(chairs) <= high:
        raise Refusal(N_("the number of players does not fit this game"))
    seated = [chair_of(chair) for chair in chairs]
    options: Frame = {
        "players": len(seated),
        "mode": str(message.get("mode", "full")),
        "seed": message["seed"] if "seed" in message else secrets.randbelow(1 << 30),
    }
    known = {option.name: [value for value, _ in option.values] for option in entry.options}
    for option, value in dict(message.get("options") or {}).items():
        if value not in known.get(option, []):
            raise Refusal(
                N_("this page offers an option that the game does not know: load it again")
            )
        options[option] = value
    await server.at_desk(lambda desk: desk.begin(str(name), options, seated))
    server.hub.keys.begin(seat for seat, chair in enumerate(seated) if chair.who == "person")
    for other in server.hub.pages:
        other.own = None
    server.changed()
    server.hub.tell_again()
    return None


async def saved(server: Office, page: Page, message: Frame) -> Frame | None:
    """Games that were put aside."""
    only_table(page)
    shelf = server.desk.shelf if server.desk else None
    rows = await asyncio.to_thread(shelf.rows) if shelf else []
    return {
        "games": [
            {
                "name": row["name"],
                "title": SHOWN[row["game"]].title if row["game"] in SHOWN else row["game"],
                "round": row["round"],
                "when": row["when"],
                "who": [chair["who"] for chair in row["chairs"]],
            }
            for row in rows
        ]
    }


async def aside(server: Office, page: Page, message: Frame) -> Frame | None:
    """Put the current game aside, and go on with the one of that name, if one is named."""
    only_table(page)
    then = message.get("then")
    name = None if then is None else str(then)[:60]
    chairs = await server.at_desk(lambda desk: desk.put_aside(name))
    server.hub.keys.begin(seat for seat, who in enumerate(chairs) if who == "person")
    for other in server.hub.pages:
        other.own = None
    server.changed()
    server.hub.tell_again()
    return None


def chair_of(chair: Any) -> Chair:
    """A chair of a message."""
    if not isinstance(chair, dict) or chair.get("who") not in ("person", "bot"):
        raise Refusal(N_("each seat is a person or a bot"))
    return Chair(chair["who"], str(chair.get("level", "sensible"))[:20])


Handler = Callable[[Office, Page, Frame], Awaitable[Frame | None]]
HANDLERS: dict[str, Handler] = {
    handler.__name__: handler
    for handler in (
        hello, join, leave, language, act, why, throw, decide, lies, accept, put_right, manner,
        lend, take_back, reading, go_on, undo, answer_undo, missed, games, new, saved, aside,
        finished, statistics, replay, moment,
    )
}  # fmt: skip
