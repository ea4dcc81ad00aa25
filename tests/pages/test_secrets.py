"""A spy on everything that the server sends: no page learns what its player may not know.

Names and keys are searched for as values, whatever the field is called; and secrets that a page
may not see are exchanged for others: its frames must stay the same, byte by byte.
"""

import copy
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from pagesbench import CalmBoard, people
from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard.pages.desk import Board, Desk
from spiceboard.pages.hub import Hub, Page
from spiceboard.pages.keys import Keys
from spicecore import games
from spicecore.games.jaipur.goods import GOODS

CHIP = re.compile(r"\b([brgo])[1-6]0\b")
Frame = dict[str, Any]


class Spied:
    """Server and desk without sockets or threads, a spectator and a page for each seat."""

    def __init__(self, game: str, seats: int, seed: int) -> None:
        self.rules = games.load(game)
        self.board = CalmBoard(self.rules, seed)
        self.keys = Keys()
        self.hub = Hub(self.keys, "http://127.0.0.1:1")
        self.spectator = Page("en")
        self.pages = {seat: Page("fr" if seat else "en") for seat in range(seats)}
        self.hub.pages = {self.spectator, *self.pages.values()}
        self.desk = Desk(lambda: None, self.hub.take, pace=0)  # type: ignore[arg-type,return-value]
        client = Client(self.board)
        client.connect()
        self.desk.board = Board(client, self.board)
        self.desk.match = Match(client, {}, self.board, self.desk._item)
        self.desk.watched = lambda seat: True
        self.desk.begin(game, {"players": seats, "mode": "full", "seed": seed}, people(seats))
        self.keys.begin(range(seats))
        for seat, page in self.pages.items():
            page.own = self.keys.join(self.keys.invitations[seat])[0]
        self.bots = {seat: bot.load(game, "sensible")(seat, seed) for seat in range(seats)}
        self.game = game

    def frames(self, page: Page) -> list[Frame]:
        """What a page was sent since the last look; nothing may be dropped."""
        assert not page.closed
        found = list(page.waiting)
        page.waiting.clear()
        return found

    def step(self) -> bool:
        """Let the first seat that is asked do something; False when the game is over."""
        desk = self.desk
        desk._look()
        game = desk._match().game
        if game["over"]:
            return False
        waits = desk.waits_for()
        seat = game["asked"][0]
        page = desk._match().page(seat)
        if page["legal"] and not self.board.doubts:
            event = self.bots[seat].decide(page["view"], page["legal"])
            if event[0] == "moved":
                aim = self.bots[seat].aim(page["view"], page["legal"])
                desk.throw(seat, aim["chip"], {"zone": aim["zone"], "strength": aim["strength"]})
            else:
                desk.act(seat, event)
        for waiting in waits:
            desk.go_on(waiting)
        return True


def check(spied: Spied) -> int:
    """Search the frames of this step; how many were looked at."""
    secrets = [*spied.keys.seats.values(), *spied.keys.invitations.values(), spied.keys.table]
    board_keys = list(spied.board._keys.values())
    looked = 0
    for page in (spied.spectator, *spied.pages.values()):
        letter = "" if page.own is None else "brgo"[page.own]
        for frame in spied.frames(page):
            text = json.dumps(frame)
            looked += 1
            for key in (*secrets, *board_keys):
                assert f'"{key}"' not in text and f"={key}" not in text, frame
            for found in CHIP.finditer(text):
                assert found[1] == letter, (page.own, frame)
    return looked


@pytest.mark.parametrize("game,seats", [("safranito", 4), ("jaipur", 2), ("rathot", 2)])
def test_no_frame_names_a_key_or_anothers_chip(game: str, seats: int) -> None:
    spied = Spied(game, seats, seed=3)
    looked = 0
    while spied.step():
        looked += check(spied)
    assert looked > 60


@pytest.mark.soak
@pytest.mark.parametrize("game,seats", [("safranito", 4), ("jaipur", 2), ("rathot", 2)])
def test_no_frame_names_a_key_or_anothers_chip_in_many_games(game: str, seats: int) -> None:
    looked = 0
    for seed in range(67):
        spied = Spied(game, seats, seed)
        while spied.step():
            looked += check(spied)
    print(f"{game}: {looked} frames of 67 games")


def exchanged(game: str, state: Any, seat: int, chance: random.Random) -> Any:
    """The same position with everything changed that the seat may not know."""
    other = copy.deepcopy(state)
    if game == "safranito":
        _exchange_safranito(other, seat, chance)
    elif game == "jaipur":
        _exchange_jaipur(other, seat, chance)
    else:
        chance.shuffle(other["pile"])
    return other


def _exchange_safranito(state: Any, seat: int, chance: random.Random) -> None:
    deck = list(state["deck"])
    for owner in range(state["n"]):
        if owner == seat:
            continue
        state["money"][owner] += 10 * chance.randrange(1, 9)
        chance.shuffle(deck)
        hand = [spice for spice, n in enumerate(state["hands"][owner]) for _ in range(n)]
        drawn = [int(deck.pop()) for _ in hand if deck]
        state["hands"][owner] = [drawn.count(spice) for spice in range(9)]
        deck += [str(spice) for spice in hand[: len(drawn)]]
        for spice in hand[len(drawn) :]:
            state["hands"][owner][spice] += 1
        blends = state["reserved"][owner]
        for index in range(len(blends)):
            if state["pile"]:
                at = chance.randrange(len(state["pile"]))
                blends[index], state["pile"][at] = state["pile"][at], blends[index]
    chance.shuffle(deck)
    state["deck"] = "".join(deck)
    chance.shuffle(state["pile"])


def _exchange_jaipur(state: Any, seat: int, chance: random.Random) -> None:
    owner = 1 - seat
    deck = list(state["deck"])
    free = [
        n - known for n, known in zip(state["hands"][owner], state["known"][owner], strict=False)
    ]
    for good in range(len(GOODS)):
        for _ in range(free[good]):
            swaps = [at for at, card in enumerate(deck) if card != "camel"]
            if not swaps:
                continue
            at = chance.choice(swaps)
            state["hands"][owner][good] -= 1
            state["hands"][owner][GOODS.index(deck[at])] += 1
            deck[at] = GOODS[good]
    state["deck"] = deck
    for size in range(3):
        chance.shuffle(state["bonus"][size])


@pytest.mark.parametrize("game,seats", [("safranito", 3), ("jaipur", 2), ("rathot", 2)])
def test_exchanged_secrets_change_no_frame(game: str, seats: int, tmp_path: Path) -> None:
    """At moments all over a game: what a seat and the public are sent does not depend on secrets
    of the others. (The seat that is asked is left out where the question itself follows from what
    another holds.)"""
    chance = random.Random(game)
    spied = Spied(game, seats, seed=8)
    compared = 0
    while spied.step():
        if chance.random() > 0.15:
            continue
        kept = spied.board.state
        for seat in range(seats):
            spied.board.state = kept
            before = shown(spied, seat)
            spied.board.state = exchanged(game, kept, seat, chance)
            assert shown(spied, seat) == before
            compared += 1
        spied.board.state = kept
    assert compared > 10


def shown(spied: Spied, seat: int) -> str:
    """All that the seat and the public are sent of the position."""
    desk = spied.desk
    desk._match().refresh()
    desk._publish()
    frames = [
        spied.hub.table_frame(spied.spectator),
        spied.hub._seat_frame(spied.pages[seat], seat),
    ]
    for page in spied.hub.pages:
        page.waiting.clear()
    for frame in frames:
        if "snapshot" in frame:
            frame["snapshot"] = {
                k: v for k, v in frame["snapshot"].items() if k not in ("seq", "re")
            }
            if frame["snapshot"]["game"]["asked"] != [seat]:
                frame["snapshot"] = {**frame["snapshot"], "asked": None}
    return json.dumps(frames, sort_keys=True)
