"""Noise on the board's line: terminals that echo, text that is none of ours, floods."""

import random

import pytest

from lab import Lab
from spicecore.wire import messages


def cooked(data: bytes) -> bytes:
    """What a terminal with ECHO sends back: a line feed comes as carriage return, line feed."""
    return data.replace(b"\n", b"\r\n")


def replies_to_nothing(raw: bytes) -> int:
    """Messages with "re": null in what the board said."""
    found = messages.Decoder().feed(raw)
    return sum(
        1
        for kind, value in found
        if kind == messages.MESSAGE and isinstance(value, dict) and value.get("re", 0) is None
    )


@pytest.mark.parametrize("damage", [0.0, 0.02], ids=["whole", "damaged"])
def test_a_terminal_that_echoes_gets_no_endless_answer(damage: float) -> None:
    """`stty -F PORT sane; cat PORT`: all that the board says comes back to it."""
    chance = random.Random(1)
    with Lab(seed=1) as lab:
        lab.boot()
        lab.raw = b""
        lab.world.lay("b30", "curry")
        lab.board.write(b"who is there?\n" + messages.encode({"id": 1, "do": "status"}))
        sent = 0
        for _ in range(400):
            before = len(lab.raw)
            lab.run(10)
            echo = bytearray(cooked(lab.raw[before:]))
            for at in range(len(echo)):
                if chance.random() < damage:
                    echo[at] = chance.choice(b"\r\n$*{x")
            sent += len(echo)
            if echo:
                lab.board.write(bytes(echo))
        assert replies_to_nothing(lab.raw) <= 10
        assert sent < 8000  # and it is quiet in the end
        before = len(lab.raw)
        lab.run(2000)
        assert len(lab.raw) == before
        assert lab.good("ping", data=1)["data"] == 1


def test_noise_of_any_amount_costs_no_more_than_its_bytes() -> None:
    """100 kB of nonsense: eight answers, no growth of the heap, sweeps go on, and the next
    request is answered; then eight unreadable lines are answered again."""
    chance = random.Random(2)
    with Lab(seed=1) as lab:
        lab.boot()
        before = lab.good("status")
        lab.raw = b""
        for _ in range(100):
            piece = bytes(chance.choice(b'ab$*{}[]"\n\r\x00\xff0') for _ in range(1000))
            lab.board.write(piece)
            lab.run(30)
        lab.board.write(b"\n")
        lab.run(500)
        assert replies_to_nothing(lab.raw) == 8
        after = lab.good("status")
        assert after["sweeps"] > before["sweeps"] + 20
        assert set(after["tasks"].values()) == {"runs"}
        lab.raw = b""
        for _ in range(12):
            lab.board.write(b"and again\n")
            lab.run(20)
        assert replies_to_nothing(lab.raw) == 8
