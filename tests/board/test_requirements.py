"""Numbered requirements (docs/requirements.md) that need the whole board over some time.

Each is short in `make test` and as long as the requirement says in `make soak`. Time is the
board's virtual time.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from spiceboard.board.client import Client, Refused
from spiceboard.board.link import SerialLink
from spiceboard.board.match import Match
from spiceboard.board.simulated import VirtualBoard
from spiceboard.bots import bot, targets
from spiceboard.errors import LinkError
from spiceboard_sim.board.process import SimulatedBoard
from spiceboard_sim.headless import BoardLink, WorldHands

SOAK = pytest.mark.soak
CHIPS = [f"{colour}{value}" for colour in "brgo" for value in (10, 20, 30, 40)]


@pytest.fixture
def board() -> Iterator[SimulatedBoard]:
    with SimulatedBoard(seed=1) as simulated:
        yield simulated


def client_of(board: SimulatedBoard) -> Client:
    client = Client(BoardLink(board))
    client.connect()
    return client


def listen(client: Client, seconds: float) -> list[Any]:
    """All board and game events of so much virtual time."""
    end = client.link.now() + seconds
    items: list[Any] = []
    while (left := end - client.link.now()) > 0:
        items += client.poll(left)
    return items


def kinds(items: list[Any]) -> list[str]:
    return [value[0] for kind, value in items if kind in ("board", "game")]


@pytest.mark.parametrize("seconds", [10, pytest.param(3600, marks=SOAK)])
def test_01_neighbours_make_no_ghosts(board: SimulatedBoard, seconds: int) -> None:
    """Chips in every zone and at the edges of neighbours: nothing is ever seen elsewhere."""
    for chip, zone in zip(CHIPS, targets.ZONES, strict=False):
        x, y = targets.CENTRES[zone]
        board.world.lay(chip, None, x + 0.6 * targets.radius(zone), y)
    client = client_of(board)
    listen(client, 2)
    before = client.resync()["chips"]
    fields_before = board.world.fields_on
    items = listen(client, seconds)
    assert board.world.fields_on > fields_before
    assert board.world.overlaps > 10  # and none of them was refused
    assert [item for item in items if item[0] == "board" and item[1][0] != "show"] == []
    assert client.resync()["chips"] == before


@pytest.mark.parametrize("sweeps", [100, pytest.param(10_000, marks=SOAK)])
def test_09_a_chip_that_lies_still_never_leaves(board: SimulatedBoard, sweeps: int) -> None:
    for index, chip in enumerate(CHIPS):
        board.world.lay(chip, targets.ZONES[index % len(targets.ZONES)])
    client = client_of(board)
    listen(client, 2)
    done = client.request("status")["sweeps"] + sweeps
    items: list[Any] = []
    while client.request("status")["sweeps"] < done:
        items += listen(client, 2)
    assert "moved" not in kinds(items)


def test_27_two_chips_within_100_ms_are_both_told_in_order(board: SimulatedBoard) -> None:
    client = client_of(board)
    options = {"players": 2, "mode": "full", "seed": 1, "chef": 0}
    client.request("new", game="safranito", options=options)
    listen(client, 0.5)
    start = client.link.now()
    board.world.lay("b10", "mint")
    board.run_for(100)
    board.world.lay("r10", "curry")
    told: list[Any] = []
    while len(told) < 2:
        told += [value for kind, value in client.poll(0.05) if kind == "game"]
        assert client.link.now() - start < 1.0
    assert [event for event in told if event[0] == "thrown"] == [
        ["thrown", 0, "mint"],
        ["thrown", 1, "curry"],
    ]
    assert client.link.now() - start < 0.6  # p95 of one event is in `spiceboard bench`


class Lossy(BoardLink):
    """A link that loses a line now and then."""

    def __init__(self, board: SimulatedBoard, seed: int) -> None:
        super().__init__(board)
        self.chance = random.Random(seed)
        self.lost = 0
        self.begun = b""  # of a line whose rest has not come yet: events are lost whole

    def read(self, timeout: float) -> bytes:
        data = self.begun + super().read(timeout)
        end = data.rfind(b"\n") + 1
        data, self.begun = data[:end], data[end:]
        lines = data.splitlines(keepends=True)
        kept = [line for line in lines if b'"re":' in line or self.chance.random() > 0.1]
        self.lost += len(lines) - len(kept)
        return b"".join(kept)


def undo_at_random(match: Match, chance: random.Random) -> bool:
    """Take something back now and then; True when the board did."""
    if chance.random() > 0.2:
        return False
    try:
        match.undo()
    except Refused:
        return False
    return True


@pytest.mark.parametrize("steps", [15, pytest.param(2000, marks=SOAK)])
def test_31_undo_and_lost_lines_always_end_in_sync(board: SimulatedBoard, steps: int) -> None:
    link = Lossy(board, 5)
    client = Client(link)
    client.connect()
    chance = random.Random(5)
    bots = {seat: bot.load("safranito", "sensible")(seat, 5) for seat in range(2)}
    match = Match(client, bots, WorldHands(board.world))
    undone = done = games = 0
    while done < steps:
        if not match.snapshot.get("game") or match.game["over"]:
            if games:
                client.request("abort", confirm=True)
            client.keys.clear()
            match.start("safranito", {"players": 2, "mode": "full", "seed": 5 + games})
            games += 1
        match.settle_doubts()
        if not match.tidy():
            match.bot_turn()
        undone += undo_at_random(match, chance)
        done += 1
    listen(client, 1)
    match.refresh()
    reply = client.request("view")
    assert match.game["view"] == reply["view"] and match.game["step"] == reply["step"]
    assert link.lost > 0 and client.counts["gaps"] > 0 and undone > 0


def test_36_a_host_that_comes_back_within_10_s_goes_on_with_the_game() -> None:
    with VirtualBoard(["--seed", "1", "--tcp", "0"]) as virtual:
        client = Client(SerialLink(virtual.port), reopen=lambda: SerialLink(virtual.port))
        client.connect()
        options = {"players": 2, "mode": "full", "seed": 1, "chef": 0}
        client.request("new", game="safranito", options=options)
        key = client.claim(0)
        client.link.close()
        items: list[Any] = []
        while not items:
            items = [item for item in client.poll(0.2) if item[0] == "resync"]
        assert items == [("resync", "the connection was lost and is back")]
        assert client.snapshot["game"]["view"]["phase"] == ["throw", 0]
        client.request("act", seat=0, key=key, event=["missed", 0])
        assert client.resync()["game"]["view"]["phase"] == ["throw", 1]
        client.close()


@pytest.mark.parametrize("seconds", [10, pytest.param(600, marks=SOAK)])
def test_42_an_animation_and_an_echo_do_not_hinder_each_other(
    board: SimulatedBoard, seconds: int
) -> None:
    client = client_of(board)
    client.request("new", game="safranito", options={"players": 2, "mode": "full", "seed": 1})
    before = client.request("status")["frames"]
    times = []
    end = client.link.now() + seconds
    number = 0
    while client.link.now() < end:
        number += 1
        start = client.link.now()
        assert client.request("ping", data=number)["data"] == number
        times.append(client.link.now() - start)
        client.link.sleep(0.02)
    frames = client.request("status")["frames"] - before
    assert frames >= 8 * seconds  # whose throw it is pulses, ten pictures a second
    assert board.world.led_frames_in_field == 0
    assert sorted(times)[int(0.99 * len(times))] < 0.020 + SLICE


SLICE = 0.01  # what BoardLink adds: it looks every 10 ms


@pytest.mark.parametrize("cycles", [5, pytest.param(100, marks=SOAK)])
def test_43_every_power_cycle_is_a_good_start(board: SimulatedBoard, cycles: int) -> None:
    client = client_of(board)
    boots = {client.hello["boot"]}
    chance = random.Random(1)
    for _ in range(cycles):
        board.run_for(chance.uniform(1, 1500))
        board.kill()
        board.restart()
        client = client_of(board)
        boots.add(client.hello["boot"])
        listen(client, 1)
        assert set(client.request("status")["readers"].values()) == {"ok"}
    assert len(boots) == cycles + 1


def test_a_dead_interpreter_is_a_lost_link(board: SimulatedBoard) -> None:
    client = client_of(board)
    board.kill()
    with pytest.raises(LinkError):
        client.request("ping")
