"""Nine Bowls on the simulated board: by chips and buttons, and by wire with bots."""

import io
import json
from typing import Any

from lab import Hands
from spiceboard_sim import headless
from spicecore.games.ninebowls import rules
from spicecore.parts import BOWLS, ZONES

OPTIONS = {"players": 2, "seed": 1, "first": 0}
DARK = (0, 0, 0)


def lit(lab: Hands) -> dict[str, int]:
    """{bowl: seat} of the bowls that glow all round: blue light for 0, red for 1."""
    found = {}
    for zone in ZONES[:BOWLS]:
        ring = lab.ring(zone)
        if DARK not in ring:
            red, _, blue = ring[0]
            found[zone] = 0 if blue > red else 1
    return found


def test_a_game_by_chips_and_buttons() -> None:
    with Hands(seed=1) as lab:
        lab.boot()
        lab.good("new", game="ninebowls", options=OPTIONS)
        lab.lay("b10", "saffron")
        assert lab.told("game", "occupied") == [["occupied", 0, "saffron"]]
        lab.lay("r10", "curry")
        assert lit(lab) == {"saffron": 0, "curry": 1}
        lab.press("undo")  # red takes it back, lifts the chip and thinks again
        assert lab.good("snapshot")["mismatch"] == [["red", "curry", None]]
        lab.lift("r10")
        lab.lay("r10", "cardamom")
        lab.lay("r20", "mint")  # not red's turn: said, and to be lifted
        assert lab.told("board", "mismatch")[-1][1] == [["red", "mint", None]]
        lab.lift("r20")
        lab.lay("b30", "cumin")
        lab.lay("r60", "ginger")
        assert lit(lab) == {"saffron": 0, "cardamom": 1, "cumin": 0, "ginger": 1}
        for chip, zone in (
            ("b20", "curry"),
            ("r20", "cinnamon"),
            ("b40", "garlic"),
            ("r30", "chili"),
        ):
            lab.lay(chip, zone)
        assert not lab.good("snapshot")["game"]["over"]
        lab.press("ok")  # blue takes the only bowl that is left
        game = lab.good("snapshot")["game"]
        assert game["over"] and game["view"]["phase"] == ["over", "full", None]
        assert [row[1] for row in game["standing"]] == [1, 1]
        assert lab.told("board", "over") and lab.console == b"" and lab.told("board", "task") == []
        lab.press("ok")
        assert lab.good("snapshot")["game"] is None


def test_the_board_starts_it_by_its_buttons() -> None:
    with Hands(seed=1) as lab:
        lab.boot()
        for button in ("no", "no", "undo"):  # players of Safranito; then the next game
            lab.press(button)
        shapes = lab.good("snapshot")["show"]
        assert shapes["head_chef"] == ["count", "white", 2, 4]
        assert shapes["ginger"] == ["whole", "white"] and shapes["curry"] == ["dark"]
        lab.press("no")  # it has no other number of players
        lab.press("ok")
        game = lab.good("snapshot")["game"]
        assert (game["name"], game["mode"], game["players"]) == ("ninebowls", "full", 2)
        chip = "br"[game["asked"][0]] + "10"
        lab.lay(chip, "mint")
        assert lit(lab) == {"mint": game["asked"][0]}
        lab.world.press("undo", 3300)
        lab.run(3600)
        lab.lift(chip)
        lab.press("undo")  # back to Safranito, with two players
        assert lab.good("snapshot")["show"]["ginger"] == ["dark"]
        lab.press("ok")
        game = lab.good("snapshot")["game"]
        assert (game["name"], game["mode"], game["players"]) == ("safranito", "referee", 2)
        assert lab.console == b"" and lab.told("board", "task") == []


def test_a_line_blinks_and_the_game_is_kept_over_a_power_cut() -> None:
    with Hands(seed=1) as lab:
        lab.boot()
        lab.good("new", game="ninebowls", options=OPTIONS)
        for chip, zone in (("b10", "curry"), ("r10", "chili"), ("b20", "ginger"), ("r20", "mint")):
            lab.lay(chip, zone)
        lab.restart()
        lab.boot()
        assert lab.good("snapshot")["game"]["view"]["bowls"][:2] == [0, 0]
        lab.lay("b30", "cardamom")
        assert lab.good("snapshot")["game"]["standing"][0] == [0, 1, {"lines": 1}]
        shapes = lab.good("snapshot")["show"]
        assert [zone for zone in ZONES if shapes[zone][0] == "blink"] == list(ZONES[:3])
        pictures = set()
        for _ in range(20):
            lab.run(100)
            pictures.add((lab.ring("ginger")[0], lab.ring("chili")[0]))
        assert len({line for line, _ in pictures}) > 1 == len({other for _, other in pictures})
        assert shapes == rules.show(rules.parse(lab.good("text")["text"]))


def test_bots_play_it_on_the_board_and_hands_lay_their_chips() -> None:
    out = io.StringIO()
    counts = headless.play("ninebowls", "searcher", {**OPTIONS, "mode": "full"}, out)
    lines = out.getvalue().splitlines()
    told: list[Any] = [json.loads(line[5:]) for line in lines if line.startswith("game ")]
    taken = [item[2] for item in told if item[0] == "occupied"]
    assert len(taken) == len(set(taken)) == 9 and told[-1] == ["over", None]
    assert counts["throws"] == counts["accepted"] == 0
