"""The whole firmware on the emulated RP2040: start, a scripted round of Safranito, a restart.

A start costs half a minute of a desktop, so one test does all that needs no second one.
"""

from pathlib import Path
from typing import Any

import pytest

from spiceboard.board.client import Client
from spiceboard.board.match import Match
from spiceboard.bots import bot
from spiceboard_sim.board.world import World
from spiceboard_sim.emulator.board import (
    EmulatedBoard,
    VirtualLink,
    installed,
    roster_files,
    settings_files,
)
from spicecore.lights import rings
from spicecore.parts import COLOURS, LEDS, ZONES

pytestmark = pytest.mark.emulated
SEED = 5
THROWS = (  # zone and chip value of each throw, seat by seat: bowls shared, one action space
    ("curry", 10), ("curry", 20), ("mint", 30), ("mint", 10),
    ("garlic", 20), ("saffron", 60), ("extra_throw", 60), ("garlic", 40),
)  # fmt: skip
ANSWER_S = 30.0  # of the board's time, for one request


class ScriptedHands:
    """Hands that lay chips exactly where the script says, and eyes that see them."""

    def __init__(self, board: Any) -> None:
        self.board = board

    def throw(self, chip: str, zone: str, strength: float) -> None:
        self.lay(chip, zone)

    def lay(self, chip: str, zone: str) -> None:
        self.board.lay(chip, zone)

    def lift(self, chip: str) -> None:
        self.board.lift(chip)

    def now(self) -> float:
        return self.board.now_ms / 1000

    def look(self) -> list[tuple[str, float, float]]:
        world = self.board.world
        chips = [world.chips[name] for name in world.order()]
        return [(c.colour, c.pose.x, c.pose.y) for c in chips if c.pose is not None]


class Round:
    """One round of two players, driven over the wire and by hands at the world."""

    def __init__(self, board: Any, client: Client) -> None:
        self.board, self.client = board, client
        self.events: list[Any] = []
        bots = {seat: bot.load("safranito", "sensible")(seat, SEED) for seat in (0, 1)}
        self.match = Match(client, bots, ScriptedHands(board), self.events.append)

    def until(self, found, seconds: float) -> bool:
        """Listen until an event satisfies `found`."""
        end = self.client.link.now() + seconds
        seen = len(self.events)
        while self.client.link.now() < end:
            self.match.listen(0.05)
            if any(found(item) for item in self.events[seen:]):
                return True
        return False

    def throws(self, count: int) -> None:
        """The script's first throws; each is told on the wire with colour and zone, no value."""
        for number, (zone, value) in enumerate(THROWS[:count]):
            seat = number % 2
            self.board.lay(f"{COLOURS[seat][0]}{value}", zone)
            told = ["moved", [[COLOURS[seat], None, zone]]]
            assert self.until(lambda item, told=told: item == ("board", told), 3.0), told
        self.match.listen_for(0.3)  # the game steps after it was told
        self.match.refresh()

    def decisions(self) -> None:
        """Whatever the game asks after the throws, until the next round begins."""
        for _ in range(80):
            if self.match.snapshot["game"]["view"]["round"] == 2:
                return
            if not self.match.tidy() and not self.match.bot_turn():
                self.match.listen_for(0.2)
        raise AssertionError(f"the round does not end: {self.match.snapshot}")


def painted(shape: list[Any], zone: str, moment: int) -> list[tuple[int, int, int]]:
    """What the ring should show, drawn by the same code, at full brightness and no cap."""
    chain = bytearray(3 * LEDS[ZONES.index(zone)])
    rings.Painter(100, "RGB").render(chain, 0, len(chain) // 3, shape, moment)
    return [tuple(chain[n : n + 3]) for n in range(0, len(chain), 3)]


def same_picture(seen: list[tuple[int, int, int]], due: list[tuple[int, int, int]]) -> bool:
    """Equal up to one brightness: the firmware dims and caps the whole frame alike."""
    peak_seen, peak_due = max(map(max, seen)), max(map(max, due))
    if not peak_seen or not peak_due:
        return peak_seen == peak_due
    return all(
        abs(a / peak_seen - b / peak_due) < 0.2
        for one, other in zip(seen, due, strict=True)
        for a, b in zip(one, other, strict=True)
    )


def check_rings(board: Any, show: dict[str, list[Any]]) -> int:
    """Compare each ring, decoded from the pin, with what the board says; how many are lit."""
    lit = 0
    for zone, shape in show.items():
        seen = board.world.rings()[zone]
        if shape[0] in ("blink", "doubt", "pulse"):
            continue  # moves: which picture is due depends on the moment
        assert same_picture(seen, painted(shape, zone, 0)), f"{zone}: {shape}, seen {seen}"
        lit += shape[0] != "dark"
    return lit


def switched_on(image: Path) -> tuple[EmulatedBoard, Client]:
    """A board with power, and a client whose `hello` it answered in time.

    The script lays chips, no hand passes through: events need not wait for one (`pass_ms`).
    """
    world = World(0)
    files = installed() | roster_files(world) | settings_files({"pass_ms": 0})
    board = EmulatedBoard(image, world, files)
    client = Client(VirtualLink(board))
    hello = client.connect()
    assert board.now_ms < 2500, "hello should come within 2 s of the power"
    assert "RP2040" in hello["machine"] and hello["slot"]["name"] == "a"
    return board, client


def new_game(client: Client) -> None:
    options = {"players": 2, "mode": "full", "seed": SEED, "chef": 0}
    client.request("new", timeout=ANSWER_S, game="safranito", options=options)


def check_health(client: Client) -> None:
    """Everything on the emulated pins answers."""
    client.link.sleep(0.5)
    status = client.request("status", timeout=ANSWER_S)
    assert set(status["readers"].values()) == {"ok"}
    assert set(status["tasks"].values()) == {"runs"}
    assert 4900 <= status["supply_mv"] <= 5100, "the ADC and its divider"
    assert status["free"] > 60_000


def check_button(board: EmulatedBoard, client: Client) -> None:
    """A press on the pin is an event on the wire."""
    board.press("no")
    heard: list[Any] = []
    for _ in range(20):
        heard += [item for item in client.poll(0.05) if item[0] == "board"]
        if ("board", ["button", "no"]) in heard:
            return
    raise AssertionError(f"not heard: {heard}")


@pytest.mark.parametrize("throws", [2, pytest.param(len(THROWS), marks=pytest.mark.slow)])
def test_a_round_of_safranito_is_played(image: Path, throws: int) -> None:
    """The first two throws, and the whole round by `make test-all`."""
    board, client = switched_on(image)
    check_health(client)
    check_button(board, client)
    new_game(client)
    played = Round(board, client)
    played.match.refresh()
    played.throws(throws)
    snapshot = played.match.snapshot
    assert snapshot["chips"]["curry"] == {"blue": 1, "red": 1}
    board.run_for(100)
    assert check_rings(board, snapshot["show"]) >= 1
    if throws == len(THROWS):
        assert snapshot["chips"]["mint"] == {"blue": 1, "red": 1}
        assert check_rings(board, snapshot["show"]) >= 4
        played.decisions()
        kinds = {item[1][0] for item in played.events if item[0] == "game"}
        assert "round" in kinds
    assert board.world.led_frames_in_field == 0, "no LED frame while a field is on"
    assert board.chip.resets == 0, "the watchdog had no reason"


@pytest.mark.soak
def test_the_game_goes_on_after_the_supply_was_cut(image: Path) -> None:
    board, client = switched_on(image)
    check_health(client)  # by then every reader was looked at: what is laid now is a throw
    new_game(client)
    board.run_for(200)
    board.lay("b10", "curry")
    for _ in range(20):  # until the throw is told and kept
        board.run_for(100)
        before = client.request("view", timeout=ANSWER_S)
        if before["step"]:
            break
    assert before["step"] == 1
    board.power_cycle()
    again = Client(VirtualLink(board))
    hello = again.connect()
    assert hello["playing"] == "safranito" and hello["boot"] != client.hello["boot"]
    after = again.request("view", timeout=ANSWER_S)
    assert after["view"] == before["view"] and after["step"] == before["step"] == 1
