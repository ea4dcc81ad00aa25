"""Whole games on the board by hand: Safranito with chips and buttons alone, the others as far as
chips and buttons take part in them."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lab import Hands
from spiceboard.bots import bot
from spicecore.games.jaipur import board, goods
from spicecore.games.jaipur import rules as jaipur
from spicecore.games.safranito import data
from spicecore.games.safranito import rules as safranito
from spicecore.parts import ZONES
from twin import Twin

LETTERS = "brgo"


class Kitchen:
    """Two players of Safranito without a computer. What they know they read from the table; here
    it is read from the position, which a referee game does not hide."""

    def __init__(self, lab: Hands, chance: random.Random) -> None:
        self.lab, self.chance = lab, chance

    def turn(self) -> bool:
        """Somebody does what is due; False when the game is over."""
        s = safranito.parse(self.lab.good("text")["text"])
        wrong = [row[0] for row in safranito.mismatch(s, self.lab.lying()) if row[2] is None]
        if wrong:
            self.lab.lift(*wrong)
        elif s["phase"][0] == "over":
            return False
        elif s["phase"][0] in ("throw", "extra_throw"):
            self._throw(s)
        elif s["phase"][0] in ("choose", "sale", "buy"):
            self._trade(s)
        else:
            keen = s["phase"][0] == "round_over" or self.chance.random() < 0.6
            self.lab.press("ok" if keen else "no")
        return True

    def _throw(self, s: dict[str, Any]) -> None:
        seat = safranito.seats_asked(s)[0]
        if ["reveal", seat] in safranito.legal(s, seat):
            self.lab.press("ok")
        elif self.chance.random() < 0.2:
            self.lab.press("no")  # it missed, he says
        else:
            zone = self.chance.choice([*ZONES[:4], *ZONES[9:]])
            self.lab.lay(self.chance.choice(data.throwable(s, seat)), zone)

    def _trade(self, s: dict[str, Any]) -> None:
        phase, lab = s["phase"], self.lab
        if phase[0] == "choose" and self.chance.random() < 0.5:
            bowl = self.chance.choice(data.bowls_left(s))
            lab.lay("mill", bowl)
            assert lab.told("game", "price")[-1][1] == bowl
            lab.lift("mill")
        elif phase[0] == "sale" and not any(phase[3]) and self.chance.random() < 0.3:
            lab.lift(data.chips_in(s, phase[1])[0])
            assert lab.told("game", "offers")[-1][2] == 1
        elif phase[0] == "buy" and self.chance.random() < 0.5:
            buyer = data.leader(s, phase[1])[0]
            lab.lift(data.top_chip(s, phase[1], buyer))
            assert lab.told("game", "bought")[-1][1] == buyer
        elif phase[0] == "buy" and self.chance.random() < 0.5:
            lab.press("no")
        else:
            lab.press("ok")


@pytest.mark.slow
def test_a_whole_game_of_safranito_by_chips_and_buttons(tmp_path: Path) -> None:
    with Hands(seed=1, flash=tmp_path / "flash") as lab:
        lab.boot()
        lab.press("ok")
        assert lab.told("board", "started") == [["started", "safranito", "referee", 2]]
        kitchen = Kitchen(lab, random.Random(3))
        turns = 0
        while kitchen.turn():
            turns += 1
            assert turns < 600
        game = lab.good("snapshot")["game"]
        winner = game["standing"][0]
        assert game["over"] and winner[1:] == [1, {"blends": 3}]
        assert lab.told("game", "winner") == [["winner", winner[0]]]
        lab.run(500)
        lit = {tuple(light) for zone in ZONES for light in lab.ring(zone)}
        assert all(light[2] > light[0] for light in lit) == (winner[0] == 0)
        assert {1108, 1760} <= {hz for _, hz in lab.world.buzzer.heard}  # the four rising tones
        assert game["view"]["round"] >= 3 and not lab.lying()
        assert min(lab.done[what] for what in ("ok", "no", "lay", "lift", "mill")) >= 3, lab.done
        assert lab.console == b"" and lab.told("board", "task") == []
        assert lab.told("board", "mismatch")[-1][1] == []
        # the record is whole: it ends, and another game begins by a button
        assert lab.good("log")["logs"][-1][3] is True
        lab.press("ok")
        assert lab.good("snapshot")["game"] is None
        print(turns, "turns,", game["view"]["round"], "rounds,", dict(lab.done))


def named_by(event: list[Any]) -> list[tuple[str, str]] | None:
    """Chips of the seat that name a turn of Jaipur: [(chip, zone), ...]; None: too many."""
    kind, seat = event[0], event[1]
    cards_of = {
        "take": event[2:3],
        "camels": [],
        "sell": event[2:3] * event[3] if kind == "sell" else [],
    }
    cards = cards_of[kind] if kind in cards_of else event[2] + event[3]
    zones = dict(zip(goods.GOODS, board.GOODS_ZONES, strict=True))
    places = [board.ACTION_ZONES[board.ACTIONS.index(kind)]]
    places += [zones[card] for card in cards if card in zones]
    chips = [f"{LETTERS[seat]}{value}" for value in (10, 20, 30, 40, 50, 60)]
    return list(zip(chips, places, strict=False)) if len(places) <= len(chips) else None


def jaipur_by_chips(lab: Hands, twin: Twin, event: list[Any]) -> bool:
    """Name a turn by chips and press ok; True when exactly this turn was done by it."""
    places = named_by(event)
    if places is None:
        return False
    laid, _ = jaipur.step(twin.state, ["moved", None, [list(place) for place in places]])
    fits = jaipur.press(laid, "ok")
    for chip, zone in places:
        lab.lay(chip, zone)
    step = lab.good("snapshot")["game"]["step"]
    lab.press("ok")
    after = lab.good("snapshot")["game"]["step"]
    if fits is not None:
        assert fits == event and after == step + 1
        twin.did(event)
    else:
        assert after == step  # it is not plain: nothing happens, and the table asks
    lab.lift(*[chip for chip, _ in places])
    assert lab.good("snapshot")["mismatch"] == []
    # chips are facts that the game takes note of; the twin has no hands
    twin.step = lab.good("snapshot")["game"]["step"]
    return fits is not None


@pytest.mark.slow
def test_a_whole_game_of_jaipur_with_chips_and_buttons() -> None:
    chance = random.Random(4)
    done: Counter[str] = Counter()
    with Hands(seed=1) as lab:
        lab.boot()
        twin = Twin(lab, "jaipur", 11)
        bots = [bot.load("jaipur", "sensible")(seat, 11) for seat in (0, 1)]
        while not jaipur.over(twin.state):
            seat = jaipur.seats_asked(twin.state)[0]
            legal = jaipur.legal(twin.state, seat)
            event = bots[seat].decide(jaipur.view(twin.state, seat), legal)
            if event[0] == "next_round":
                lab.press("ok")
                twin.did(event)
                twin.step = lab.good("snapshot")["game"]["step"]
                done["round"] += 1
            elif done[event[0]] < 4 and chance.random() < 0.6:
                by_chips = jaipur_by_chips(lab, twin, event)
                done[event[0] if by_chips else "asked"] += 1
                if not by_chips:
                    lab.good(**twin.request(event))
                    twin.did(event)
            else:
                lab.good(**twin.request(event))
                twin.did(event)
            twin.compare()
        game = lab.good("snapshot")["game"]
        assert game["over"] and max(game["view"]["seals"]) == 2
        assert lab.told("board", "over") and lab.console == b""
    print(dict(done))
    assert min(done[kind] for kind in ("take", "sell", "camels", "exchange", "round")) >= 1, done


def test_a_whole_game_of_rat_hot_with_the_button() -> None:
    with Hands(seed=1) as lab:
        lab.boot()
        twin = Twin(lab, "rathot", 3)
        bots = [bot.load("rathot", "sensible")(seat, 3) for seat in (0, 1)]
        lab.lay("b10", "mint")  # chips have no part in it: lift it
        assert lab.good("snapshot")["mismatch"] == [["blue", "mint", None]]
        lab.lift("b10")
        twin.step = lab.good("snapshot")["game"]["step"]
        while not twin.rules.over(twin.state):
            seat = twin.rules.seats_asked(twin.state)[0]
            legal = twin.rules.legal(twin.state, seat)
            event = bots[seat].decide(twin.rules.view(twin.state, seat), legal)
            if event[0] == "turn_up":
                lab.press("ok")
            else:
                lab.good(**twin.request(event))
            twin.did(event)
            twin.step = lab.good("snapshot")["game"]["step"]
            twin.compare()
        snapshot = lab.good("snapshot")
        assert snapshot["game"]["over"] and lab.done["ok"] >= 20
        assert snapshot["show"] == twin.rules.show(twin.state)
        assert lab.told("board", "over") and lab.console == b""
        print(lab.done["ok"], "turns,", twin.state["phase"])


@pytest.mark.parametrize("name", ["jaipur", "rathot"])
def test_what_rings_show_is_what_the_rules_say(name: str) -> None:
    """After every turn of a short piece of a game, decoded from the wire and seen on the LEDs."""
    chance = random.Random(6)
    with Hands(seed=1) as lab:
        lab.boot()
        twin = Twin(lab, name, 3)
        for _ in range(8):
            event = twin.event(chance)
            lab.good(**twin.request(event))
            twin.did(event)
            lab.run(150)
            shapes = twin.rules.show(twin.state)
            assert lab.good("snapshot")["show"] == shapes
            for zone in ZONES:
                dark = not any(map(any, lab.ring(zone)))
                assert dark == (shapes[zone] == ["dark"] or (shapes[zone][:1] == ["count"] and
                                not shapes[zone][2])), (zone, shapes[zone])  # fmt: skip
