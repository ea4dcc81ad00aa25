"""What pages may ask of the archive. Its games are over: nothing in them is secret any more."""

import asyncio
from typing import Any

from spiceboard import words
from spiceboard.archive import summary
from spiceboard.pages.games import SHOWN
from spiceboard.pages.hub import Page
from spiceboard.pages.office import Office, number

Frame = dict[str, Any]
LISTED = 200  # finished games that a page is shown


async def finished(server: Office, page: Page, message: Frame) -> Frame | None:
    """The archive's list; its games are over, so nothing in them is secret any more."""
    rows = await asyncio.to_thread(server.archive.rows)
    return {
        "games": [
            {
                "number": row.number,
                "game": row.game,
                "title": SHOWN[row.game].title if row.game in SHOWN else row.game,
                "ended": row.ended,
                "events": row.events,
                "winners": [name for name in row.winners.split(",") if name],
            }
            for row in rows[:LISTED]
        ]
    }


async def statistics(server: Office, page: Page, message: Frame) -> Frame | None:
    """What finished games have in common: wins, length, misses, chips and doubts by zone."""
    found = await asyncio.to_thread(server.reels.figures)
    with words.using(page.language):
        return {
            "games": [
                {
                    "title": SHOWN[game].title if game in SHOWN else game,
                    "length": summary.length(figures),
                    "results": summary.results(figures),
                    "zones": summary.zones(figures),
                    "doubts": sum(figures["doubts"].values()),
                }
                for game, figures in found.items()
            ]
        }


async def replay(server: Office, page: Page, message: Frame) -> Frame | None:
    """A finished game: what happened event by event, and its course."""
    reel = await asyncio.to_thread(server.reels.get, str(message.get("number"))[:40])
    return {
        "number": reel.score.number,
        "game": reel.score.game,
        "title": SHOWN[reel.score.game].title,
        "lines": reel.lines(page.language),
        "course": reel.course,
    }


async def moment(server: Office, page: Page, message: Frame) -> Frame | None:
    """One position of a finished game."""
    reel = await asyncio.to_thread(server.reels.get, str(message.get("number"))[:40])
    return reel.moment(int(number(message, "at", 0, 1e6)))
