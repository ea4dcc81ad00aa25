"""Whatever answers in a bowl has one name in sweep, tags, `roster strangers` and pairing."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

from lab import Lab
from spiceboard.commands.roster import Pairing, strangers
from spiceboard.errors import No
from spiceboard_sim.chips.ntag213 import Tag


class RandomUid(Tag):
    """A phone: a UID of 08 and three bytes, new in each field."""

    def __init__(self) -> None:
        super().__init__(bytes.fromhex("08010203"), sak=0x20)
        self.chance = random.Random(8)

    def power(self, now: int) -> None:
        drawn = Tag(b"\x08" + self.chance.randbytes(3), sak=0x20)
        self.uid, self._levels = drawn.uid, drawn._levels
        super().power(now)


STRANGERS = {
    "MIFARE Classic": Tag(bytes.fromhex("a1b2c3d4"), sak=0x08),
    "bank card": Tag(bytes.fromhex("04a1b2c3d4e5f6"), sak=0x20),
    "pass of 10 bytes": Tag(bytes.fromhex("04a1b2c3d4e5f6010203"), sak=0x20),
    "SAK with RFU bits": Tag(bytes.fromhex("04a1b2c3d4e5f7"), sak=0x3B),
    "phone": RandomUid(),
}
UNUSABLE = {
    "UID of four bytes that begins with 88": Tag(bytes.fromhex("88b2c3d4"), sak=8, legal=False),
    "never complete, 4 bytes": Tag(bytes.fromhex("a1b2c3d4"), sak=0x04),
    "never complete, 7 bytes": Tag(bytes.fromhex("04a1b2c3d4e5f6"), sak=0x04),
    "wrong check byte at level 1": Tag(bytes.fromhex("04a1b2c3d4e5f6"), bad_bcc=1),
    "wrong check byte at level 2": Tag(bytes.fromhex("04a1b2c3d4e5f6"), bad_bcc=2),
}


class Asking:
    """The client of the tools, at a board whose time is virtual."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.hello: dict[str, Any] = {}
        self.link = SimpleNamespace(
            now=lambda: lab.board.now_ms / 1000, sleep=lambda seconds: lab.run(1000 * seconds)
        )

    def request(self, do: str, timeout: float = 0, **arguments: Any) -> dict[str, Any]:
        return self.lab.good(do, **arguments)


@pytest.fixture(scope="module")
def lab() -> Any:
    with Lab(seed=1) as made:
        made.boot()
        yield made


def laid(lab: Lab, tag: Tag, zone: str) -> None:
    """The chip b10 has another tag now, and lies in the zone; once more, for the sweep may have
    seen it move."""
    lab.world.lift("b10")
    lab.run(600)
    lab.world.chips["b10"].tag = tag
    lab.world.lay("b10", zone)
    lab.run(1500)


@pytest.mark.parametrize("what", STRANGERS)
def test_a_strange_tag(lab: Lab, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    laid(lab, STRANGERS[what], "curry")
    assert lab.good("snapshot")["readers"]["curry"] == "stranger"
    reply = lab.good("tags", zone="curry")
    (tag,) = reply["tags"]["curry"]
    assert tag[1] is None and reply["unread"] == {}
    assert what == "phone" or tag[0] == STRANGERS[what].uid.hex()
    assert strangers(Asking(lab), False) == 1  # type: ignore[arg-type]
    assert "curry: " in capsys.readouterr().out


@pytest.mark.parametrize("what", UNUSABLE)
def test_a_tag_that_cannot_be_used(
    lab: Lab, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    laid(lab, UNUSABLE[what], "curry")
    lab.world.lay("r30", "curry")
    lab.run(1000)
    assert lab.good("snapshot")["readers"]["curry"] == "incomplete"
    assert lab.good("tags", zone="curry")["unread"] == {"curry": "garbled"}
    assert strangers(Asking(lab), False) == 1  # type: ignore[arg-type]
    assert "curry: a tag cannot be used: its answers are always wrong" in capsys.readouterr().out
    lab.world.lift("r30")
    laid(lab, UNUSABLE[what], "saffron")
    pairing = Pairing(Asking(lab), "saffron", 2)  # type: ignore[arg-type]
    with pytest.raises(No, match="was not paired: a tag in `saffron` cannot"):
        pairing._pair("b10")
    assert "a tag in `saffron` cannot be used" in capsys.readouterr().out


def test_nothing_remains_of_them(lab: Lab) -> None:
    lab.world.lift("b10")
    lab.run(2000)
    readers = lab.good("snapshot")["readers"]
    assert set(readers.values()) == {"ok"}
    assert strangers(Asking(lab), False) == 0  # type: ignore[arg-type]
