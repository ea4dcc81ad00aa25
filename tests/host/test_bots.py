"""Bots on the rules alone: they end every game, keep to the law, beat chance, and are fair."""

import copy
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from spiceboard import extras, words
from spiceboard.bots import bot, safranito, targets, throws
from spiceboard.bots.offline import Game, rules_of, throwable
from spiceboard.bots.throws import ThrowTable
from spiceboard.commands import main
from spiceboard.errors import UserError
from spiceboard.study import intervals, jobs
from spiceboard.words.refusals import said_by_board
from spicecore.games import GAMES


def game(names: list[str], seed: int) -> Game:
    bots = [bot.load("safranito", name)(seat, seed) for seat, name in enumerate(names)]
    return Game(rules_of("safranito"), bots, seed)


def test_the_sensible_bot_beats_chance() -> None:
    """100 of 100 in `spiceboard tournament`; here a smaller sample of other seeds."""
    job = jobs.Job("tournament", "safranito", ("sensible", "random"), 1000, 30)
    wins = jobs.wins(jobs.run_piece(job, 1000, 30), 2)
    assert sum(wins) == 30
    assert wins[0] >= 28


@pytest.mark.parametrize("names", [["random"] * 2, ["sensible"] * 3, ["sensible", "random"] * 2])
def test_games_end_with_a_winner(names: list[str]) -> None:
    for seed in range(3):
        played = game(names, seed)
        standing = played.play()
        assert sorted(row[0] for row in standing) == list(range(len(names)))
        assert max(row[2]["blends"] for row in standing) == 3


def test_the_same_seed_is_the_same_game() -> None:
    first, second, third = (game(["sensible"] * 2, seed) for seed in (5, 5, 6))
    assert first.play() == second.play()
    third.play()
    rules = rules_of("safranito")
    assert rules.text(first.state) == rules.text(second.state) != rules.text(third.state)


def test_a_bot_changes_nothing_that_it_is_given() -> None:
    rules = rules_of("safranito")
    state = rules.new({"players": 2, "mode": "full", "seed": 3, "chef": 0})
    view, legal = rules.view(state, 0), rules.legal(state, 0)
    before = copy.deepcopy((view, legal))
    for name in safranito.BOTS:
        player = bot.load("safranito", name)(0, 1)
        assert player.decide(view, legal) in legal
        aim = player.aim(view, legal)
        assert aim["chip"] in view["you"]["throwable"]
        assert aim["zone"] in targets.ZONES and 0 <= aim["strength"] <= 1
        assert (view, legal) == before


def own_view(**changes: object) -> dict[str, object]:
    """A seat's view in which it holds ginger and curry and 100 rupees; blend 0 lacks cardamom."""
    rules = rules_of("safranito")
    view = rules.view(rules.new({"players": 2, "mode": "full", "seed": 3, "chef": 0}), 0)
    view["open"] = [[0, ["curry", "ginger", "cardamom"]]]
    view["display"] = {}
    view["you"] |= {"hand": {"curry": 1, "ginger": 3}, "money": 100}
    return {**view, **changes}


def test_it_sells_what_no_blend_needs_and_keeps_the_rest() -> None:
    player = safranito.make_sensible(0, 1)
    legal = [["sell", 0, count] for count in range(4)] + [["close", 0]]
    sale = {"phase": ["sale", "ginger", 90, [None, None]], "bowl": "ginger", "price": 90}
    view = own_view(**sale, offers=[None, None])
    assert player.decide(view, legal) == ["sell", 0, 2]
    assert player.decide({**view, "offers": [2, None]}, legal) == ["close", 0]
    curry = {"phase": ["sale", "curry", 90, [None, None]], "bowl": "curry", "price": 90}
    assert player.decide(own_view(**curry, offers=[None, None]), legal) == ["sell", 0, 0]


def test_it_buys_what_makes_a_blend_complete_and_declines_what_is_dear() -> None:
    player = safranito.make_sensible(0, 1)
    legal = [["buy", 0], ["decline", 0]]
    wanted = own_view(phase=["buy", "cardamom", None], bowl="cardamom", total=90)
    assert player.decide(wanted, legal) == ["buy", 0]
    useless = own_view(phase=["buy", "mint", None], bowl="mint", total=90)
    assert player.decide(useless, legal) == ["decline", 0]
    assert player.decide(wanted, [["decline", 0]]) == ["decline", 0]


def test_it_keeps_the_card_that_is_missing_and_cooks_when_it_can() -> None:
    player = safranito.make_sensible(0, 1)
    keep = own_view(phase=["keep", 0, 3])
    cards = [["keep", 0, spice] for spice in ("curry", "cardamom", "mint")]
    assert player.decide(keep, cards) == ["keep", 0, "cardamom"]
    cook = own_view(phase=["cook", 0, 0])
    legal = [["no_open", 0], ["done", 0], ["cook_open", 0, 0]]
    assert player.decide(cook, legal) == ["cook_open", 0, 0]


def test_it_throws_at_what_it_needs() -> None:
    legal = [["moved", None, [[chip, None]]] for chip in ("b10", "b30", "b60")]
    view = own_view(display={"cardamom": 2, "mint": 1})
    aim = safranito.make_sensible(0, 1).aim(view, legal)
    assert aim["zone"] == "cardamom"


def test_throws_of_chips_that_landed_nowhere_are_left_out() -> None:
    legal = [["missed", 0], ["moved", None, [["b10", None]]], ["moved", None, [["b20", None]]]]
    assert throwable(legal, {"b10"}) == [["missed", 0], ["moved", None, [["b20", None]]]]


def landings(zone: str, strength: float, chips: int = 200) -> tuple[int, int]:
    """How many single throws ended in the zone, and how many chips a second throw there moved."""
    chance = random.Random(1)
    hits = pushed = 0
    for _ in range(chips):
        board = ThrowTable(chance)
        hits += ["b10", zone] in board.throw("b10", zone, strength)
        pushed += any(chip == "b10" for chip, _ in board.throw("r10", zone, strength))
    return hits, pushed


def test_throws_scatter_more_when_hard_and_push_more() -> None:
    soft, soft_pushed = landings("saffron", 0.0)
    hard, hard_pushed = landings("saffron", 1.0)
    assert 200 > soft > hard > 60
    assert soft_pushed < hard_pushed
    assert landings("reserve", 0.0)[0] < soft


def test_throws_are_those_of_the_table_of_the_compiled_rules() -> None:
    rows = json.loads(throws.FILE.read_text())["landed"]
    chance, found = random.Random(2), Counter()
    for _ in range(4000):
        board = ThrowTable(chance)
        board.throw("b10", "curry", 1.0)
        found[board.zones["b10"]] += 1
    outcomes = [*targets.ZONES, None, "stays"]
    expected = dict(zip(outcomes, rows[2], strict=True))
    assert {zone for zone in expected if not expected[zone]}.isdisjoint(found)
    for zone, share in expected.items():
        assert abs(found[zone] / 4000 - share / 1024) < 0.04


def test_a_pushed_chip_that_lies_in_no_zone_is_told_and_can_be_lifted() -> None:
    board = ThrowTable(random.Random(1))
    told: list[list[str | None]] = []
    while ["b10", None] not in told:
        board.zones = {"b10": "mint"}
        told = board.throw("r10", "mint", 1.0)
    assert board.zones["b10"] is None
    board.lift("b10")
    assert "b10" not in board.zones


def test_unknown_games_and_bots_are_named() -> None:
    with pytest.raises(UserError, match="no game is called 'chess'; there are: safranito"):
        rules_of("chess")
    with pytest.raises(UserError, match="no bot is called 'genius'; there are: random, beginner"):
        bot.load("safranito", "genius")
    with pytest.raises(UserError, match="no bots for the game 'chess'"):
        bot.load("chess", "random")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_levels(game: str) -> None:
    assert [name for name, _, _ in bot.levels(game)] == ["beginner", "sensible", "strong"]
    assert set(bot.LEVELS) <= set(bot.names(game))
    assert all(thinks in bot.about([game]) for _, _, thinks in bot.levels(game))


def test_a_beginner_loses_to_sensible() -> None:
    job = jobs.Job("tournament", "ninebowls", ("beginner", "sensible"), 1, 40)
    counts = jobs.run_piece(job, 1, 40)
    won = jobs.wins(counts, 2)
    assert won[0] < won[1]


def test_strong_without_numba_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.importlib.util, "find_spec", lambda name: None)
    for game in ("safranito", "jaipur", "rathot"):
        with pytest.raises(UserError, match=r"run tools/setup\.sh fast, or choose sensible"):
            bot.load(game, "strong")
        with words.using("fr"):
            told = said_by_board(bot.missing(game, "strong") or "")
        assert "lancez tools/setup.sh fast, ou" in told
    assert bot.load("ninebowls", "strong")


def test_without_a_checkout_pip_installs_an_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(extras, "SETUP", tmp_path / "tools" / "setup.sh")
    assert extras.install("fast") == "pip install 'spiceboard[fast]'"


def test_a_wrong_import_in_a_module_of_bots_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ModuleNotFoundError("No module named 'spicecore.nothing'", name="spicecore.nothing")

    monkeypatch.setattr(bot.importlib, "import_module", broken)
    with pytest.raises(ModuleNotFoundError, match=r"spicecore\.nothing"):
        bot.load("chess", "random")


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(0, 0, 0, 1), (100, 100, 0.963, 1), (50, 100, 0.404, 0.596)]
)
def test_wilsons_interval(wins: float, games: int, low: float, high: float) -> None:
    assert intervals.wilson(wins, games) == pytest.approx((low, high), abs=0.001)


def test_the_tournament_refuses_a_wrong_number_of_players() -> None:
    assert main.main(["tournament", "sensible", "--games", "1"]) == 2
    with pytest.raises(SystemExit) as ended:
        main.main(["tournament", "--games", "0"])
    assert ended.value.code == 2
