"""The tool for a built board, at the simulated one that runs the same firmware."""

import atboard
import pytest

from spiceboard.host.client import Client
from spiceboard.host.errors import UserError
from spiceboard.sim.headless import BoardLink
from spiceboard.sim.process import SimulatedBoard


@pytest.fixture(scope="module")
def board():
    with SimulatedBoard(seed=1) as simulated:
        yield simulated


@pytest.fixture
def client(board):
    client = Client(BoardLink(board))
    client.connect()
    return client


def test_one_field_is_held_on_and_goes_off(board, client):
    def on():
        return [zone for zone, reader in board.world.readers.items() if reader.antenna]

    seen = []

    def wait(seconds):
        client.link.sleep(seconds / 2)
        seen.append(on())
        client.link.sleep(seconds / 2)
        seen.append(on())

    atboard.hold_field(client, "mint", 25.0, wait)
    assert seen == [["mint"]] * 6  # 10, 10, and 5 seconds, looked at twice each
    client.link.sleep(0.05)
    assert len(on()) <= 1  # the sweep goes on with one field at a time


def test_what_cannot_be_is_said(client):
    with pytest.raises(UserError, match="no zone salt"):
        atboard.hold_field(client, "salt", 5.0)
    with pytest.raises(UserError, match="at most 600"):
        atboard.hold_field(client, "mint", 5000.0)
    with pytest.raises(UserError, match="is no value"):
        atboard.store(client, "hall", "ja")
    with pytest.raises(UserError, match="no such setting"):
        atboard.store(client, "gain", "3")


def test_a_setting_is_stored(client):
    assert client.request("settings")["values"]["led_cap_ma"] != 800
    assert atboard.store(client, "led_cap_ma", "800") == 800
    assert client.request("settings")["values"]["led_cap_ma"] == 800
    assert atboard.store(client, "hall", "true") is True
