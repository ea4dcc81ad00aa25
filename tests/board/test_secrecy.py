"""The whole system keeps a full game's secrets: who permutes the values among one player's
tags changes no public byte and no pixel before the reveal."""

from typing import Any

from lab import Lab
from spiceboard_sim.board.world import World, default_uids
from spicecore.storage.on_demand.roster import Roster
from spicecore.wire import messages

SWAP = {"b10": "b60", "b60": "b20", "b20": "b10", "r30": "r50", "r50": "r30"}


def story(swapped: bool) -> dict[str, Any]:
    """The same hands, twice: only which tag is called which value differs."""
    uids = default_uids()
    if swapped:  # the chip that hands call b10 carries the tag that the board knows as b60
        told = {SWAP.get(chip, chip): uid for chip, uid in uids.items()}
    else:
        told = dict(uids)
    world = World(4, uids)
    with Lab(world=world, roster=False) as lab:
        lab.board.kill()
        (lab.flash() / "data").mkdir(exist_ok=True)
        Roster(str(lab.flash() / "data/roster")).change(
            {chip: uid.hex() for chip, uid in told.items()}
        )
        lab.restart()
        lab.boot()
        options = {"players": 2, "mode": "full", "seed": 9, "chef": 0}
        lab.good("new", game="safranito", options=options)
        key = lab.good("claim", seat=0)["key"]
        other = lab.good("claim", seat=1)["key"]
        lab.raw = b""
        pixels: list[Any] = []

        def lay(chip: str, zone: str | None, **place: float) -> None:
            lab.world.lay(chip, zone, **place)
            for _ in range(30):
                lab.run(50)
                pixels.append(lab.world.rings())

        lay("b10", "curry")
        lay("r30", "curry")
        lay("b60", "mint")
        lay("r50", None, x=60 + 45.5, y=178)  # a doubt
        lab.good("decide", seat=0, key=key, doubt=1, counts=True)
        lay("b20", "extra_throw")
        lab.world.lift("b60")  # a mismatch is public too
        lab.run(2500)
        pixels.append(lab.world.rings())
        snapshot = lab.good("snapshot")
        lab.refused("roster", "secret")
        lab.refused("tags", "secret")
        lab.refused("text", "secret")
        name = lab.good("log")["logs"][-1][0]
        lab.refused("log_read", "secret", name=name)
        lab.refused("diag", "playing", what="read", zone="curry")
        public = masked(lab.raw, (key, other))
        before = lab.good("view", seat=0, key=key)
        # up to here all was public; now the last throws and the reveal
        for chip, zone in (("r10", "garlic"), ("b40", "garlic"), ("r20", "cumin")):
            lay(chip, zone)
        lab.refused("act", "doubt", seat=0, key=key, event=["reveal", 0])
        [[number, *question]] = lab.good("snapshot")["doubts"]
        assert question == ["blue", "mint"]  # where is the chip that was lifted?
        lab.good("decide", seat=0, key=key, doubt=number, counts=False)
        lab.good("act", seat=0, key=key, event=["reveal", 0])
        revealed = lab.told("game", "revealed")[0]
        assert before["view"]["you"]["chips"]["b40"] is None
    return {
        "public": public,
        "pixels": pixels,
        "snapshot": snapshot,
        "own": before["view"],
        "revealed": revealed,
    }


def masked(raw: bytes, keys: tuple[str, str]) -> list[Any]:
    """All messages but what differs from start to start by design: keys, and health figures."""
    found = []
    for kind, value in messages.Decoder().feed(raw):
        assert kind == messages.MESSAGE
        text = str(sorted(value.items()))  # type: ignore[union-attr]
        for key in keys:
            text = text.replace(key, "key")
        found.append(text)
    return found


def test_values_are_secret_until_the_reveal() -> None:
    one, two = story(False), story(True)
    assert len(one["public"]) > 20 and len(one["pixels"]) > 150
    assert one["public"] == two["public"]
    assert one["pixels"] == two["pixels"]
    assert one["snapshot"] == two["snapshot"]
    # and it is a real difference: the owner sees it, and the reveal shows it
    assert one["own"] != two["own"]
    assert one["revealed"] == ["revealed", "extra_throw", [[0, 20]]]
    assert two["revealed"] == ["revealed", "extra_throw", [[0, 10]]]
