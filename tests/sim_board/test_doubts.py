"""An open doubt holds up decisions: where a chip lies is settled before anything is turned up."""

from sim_board.lab import Lab


def test_nothing_is_turned_up_while_a_chip_is_in_doubt() -> None:
    with Lab(seed=1) as lab:
        lab.boot()
        options = {"players": 2, "mode": "full", "seed": 9, "chef": 0}
        lab.good("new", game="safranito", options=options)
        keys = [lab.good("claim", seat=seat)["key"] for seat in (0, 1)]
        for chip in ("b10", "r10", "b20", "r20", "b30", "r30", "b40"):
            lab.world.lay(chip, "curry")
            lab.run(500)
        lab.good("act", seat=1, key=keys[1], event=["missed", 1])
        lab.world.lay("r40", x=60 + 46, y=178)  # the last throw: on the edge of chili
        _, number, colour, zone = lab.until("board", "doubt")
        assert (colour, zone) == ("red", "chili")
        refusal = lab.refused("act", "doubt", seat=0, key=keys[0], event=["reveal", 0])
        assert refusal["text"] == "decide first whether the chip of red counts in chili"
        lab.refused("decide", "wrong_seat", seat=1, key=keys[1], doubt=number, counts=True)
        lab.good("decide", seat=0, key=keys[0], doubt=number, counts=True)
        assert lab.told("game", "back") == [["back", 1, "chili"]]
        lab.good("act", seat=0, key=keys[0], event=["reveal", 0])
        lab.good("act", seat=0, key=keys[0], event=["choose", 0, "chili"])
        assert lab.told("game", "price")[-1] == ["price", "chili", 40]
        assert lab.console == b""
