"""A match over the wire: bots play whole games, hands tidy up, doubts and refusals are settled."""

from typing import Any

import pytest

from rulesboard import RulesBoard
from spiceboard.board import match as matches
from spiceboard.board.client import Client, Refused
from spiceboard.board.match import Match
from spiceboard.board.sight import lies_inside, on_the_flat
from spiceboard.bots import bot, targets
from spiceboard.bots.offline import rules_of
from spiceboard.errors import UserError


def match_of(
    players: int, bots: int, seed: int = 1, hands: bool = True, board: RulesBoard | None = None
) -> tuple[RulesBoard, Match]:
    board = board or RulesBoard(rules_of("safranito"), seed)
    client = Client(board)
    client.connect()
    players_of = {
        seat: bot.load("safranito", "sensible")(seat, seed)
        for seat in range(players - bots, players)
    }
    match = Match(client, players_of, board if hands else None)
    match.start("safranito", {"players": players, "mode": "full", "seed": seed, "chef": 0})
    return board, match


@pytest.mark.parametrize("players", [2, 4])
def test_bots_play_a_whole_game_over_the_wire(players: int) -> None:
    items: list[Any] = []
    _, match = match_of(players, players)
    match.on_item = items.append
    standing = match.play()
    assert standing[0][1] == 1 and standing[0][2]["blends"] == 3
    assert ("game", ["winner", standing[0][0]]) in items
    assert all(kind != "resync" for kind, _ in items)
    assert match.counts["throws"] > 20 and match.counts["misses"] > 0
    assert match.counts["flat"] > 0
    assert match.counts["pushes"] > 0 or players == 2
    assert match.counts["misses"] == sum(value[0] == "missed" for k, value in items if k == "game")


def test_a_throw_that_nobody_saw_is_said_to_be_a_miss() -> None:
    board, match = match_of(2, 2)
    board.flat.throw = lambda chip, zone, strength: []  # type: ignore[method-assign]
    match.throw(0, "b10", "saffron", 0.0)
    assert match.game["view"]["missed"] == [1, 0]
    assert match.game["view"]["phase"] == ["throw", 1]


def test_what_settles_late_from_an_earlier_throw_makes_no_miss() -> None:
    board, match = match_of(2, 2)
    read, lands = board.read, 0.8  # seconds after the throw

    def throw(chip: str, zone: str, strength: float) -> None:
        board.event(board=["moved", [["red", None, "mint"]]])
        due = board.now() + lands

        def later(timeout: float) -> bytes:
            if not board._out and board.now() + timeout >= due:
                board._now = max(board.now(), due)
                board.read = read  # type: ignore[method-assign]
                board.lay(chip, zone)
            return read(timeout)

        board.read = later  # type: ignore[method-assign]

    board.throw = throw  # type: ignore[method-assign]
    match.throw(0, "b10", "saffron", 0.0)
    assert match.game["view"]["missed"] == [0, 0]
    assert match.game["view"]["zones"] == {"saffron": [[0, None]]}


class Slow(RulesBoard):
    """Its readers see a thrown chip only after `delay` seconds."""

    delay = matches.SETTLE_S + 2  # long after a miss is usually said
    due: float | None = None

    def throw(self, chip: str, zone: str, strength: float) -> None:
        self.flat.places[chip] = targets.CENTRES[zone]
        self.due, self.late = self._now + self.delay, [[chip, zone]]

    def seen(self) -> dict[str, str]:
        return super().seen() if self.due is None else {}

    def read(self, timeout: float) -> bytes:
        if self.due is not None and self._now + timeout >= self.due:
            self._now, self.due = max(self._now, self.due), None
            self.moved([[str(chip), zone] for chip, zone in self.late])
        return super().read(timeout)


def slow_throw(delay: float) -> tuple[Match, list[Any], float]:
    """A throw at such a board: what was told of the game, and how long it took."""
    board, match = match_of(2, 2, board=Slow(rules_of("safranito")))
    assert isinstance(board, Slow)
    board.delay = delay
    told: list[Any] = []
    match.on_item = lambda item: told.append(item[1]) if item[0] == "game" else None
    began = board.now()
    match.throw(0, "b10", "saffron", 0.0)
    return match, told, board.now() - began


def test_a_chip_that_eyes_see_in_a_bowl_is_waited_for_and_not_called_a_miss() -> None:
    match, told, _ = slow_throw(Slow.delay)
    assert told == [["thrown", 0, "saffron"]]
    assert match.game["view"]["missed"] == [0, 0]


def test_a_chip_that_no_reader_hears_is_said_to_lie_where_eyes_see_it() -> None:
    match, told, seconds = slow_throw(1000.0)
    assert told == [["judged", 0, "saffron"], ["thrown", 0, "saffron"]]
    assert match.game["view"]["missed"] == [0, 0]
    assert matches.LATE_S <= seconds < matches.LATE_S + 2 * matches.SETTLE_S


def test_bots_wait_while_a_chip_is_in_doubt() -> None:
    board, match = match_of(2, 2)
    match.snapshot["doubts"] = [[1, "blue", "mint"]]
    assert not match.bot_turn()
    assert board.steps == 0


def test_a_chip_that_landed_nowhere_is_not_thrown_again() -> None:
    board, match = match_of(2, 2)
    board.flat.throw = lambda chip, zone, strength: []  # type: ignore[method-assign]
    match.throw(0, "b10", "saffron", 0.0)
    match.throw(1, "r10", "saffron", 0.0)
    assert ["moved", None, [["b10", None]]] in board.rules.legal(board.state, 0)
    legal = match.page(0)["legal"]
    assert ["moved", None, [["b10", None]]] not in legal
    assert ["moved", None, [["b20", None]]] in legal


def test_in_a_new_round_the_flat_is_cleared() -> None:
    board, match = match_of(2, 2)
    match._thrown.add("b10")
    board.flat.places["b10"] = (119.0, 60.0)
    match._round = 0
    match.refresh()
    assert board.flat.places == {}
    assert ["moved", None, [["b10", None]]] in match.page(0)["legal"]


def test_hands_lift_what_goes_home_and_lay_back_what_was_lifted_too_early() -> None:
    board, match = match_of(2, 2)
    board.lay("b10", "mint")
    match.refresh()
    assert match.game["view"]["zones"] == {"mint": [[0, None]]}
    del board.flat.places["b10"]  # somebody took it without the board's noticing
    match.refresh()
    assert match.snapshot["mismatch"] == [["blue", None, "mint"]]
    assert match.tidy()
    assert board.seen() == {"b10": "mint"}
    board.flat.places["r60"] = targets.CENTRES["curry"]  # not thrown, just lying there
    match.refresh()
    assert match.tidy()
    assert board.seen() == {"b10": "mint"}
    assert not match.tidy()


def test_the_head_chef_decides_a_doubt_by_looking() -> None:
    board, match = match_of(2, 2)
    x, y = targets.CENTRES["mint"]
    for offset, counts in ((44.0, True), (46.0, False)):
        board.flat.places["b10"] = (x + offset, y)
        board.doubts = [[int(offset), "blue", "mint"]]
        match.refresh()
        match.settle_doubts()
        assert board.log[-2]["do"] == "decide"
        assert (board.log[-2]["seat"], board.log[-2]["counts"]) == (0, counts)
        assert match.snapshot["doubts"] == []


def test_the_head_chef_lays_a_chip_that_no_reader_hears_so_that_it_is_heard() -> None:
    """Or says that the rest lies nowhere, where eyes see none."""
    board, match = match_of(2, 2)
    for number, place, heard in ((1, targets.CENTRES["mint"], True), (2, (119.0, 60.0), False)):
        match._thrown = {"b10", "b20"}
        board.flat.places = {"b10": place}
        hears = board.seen
        board.seen = dict  # type: ignore[method-assign]
        board.doubts = [[number, "blue", None]]
        match.refresh()
        laid: list[str] = []
        lay = board.lay
        board.lay = lambda chip, zone, lay=lay, laid=laid: laid.append(zone) or lay(chip, zone)  # type: ignore[method-assign,func-returns-value,misc]
        match.settle_doubts()
        board.seen, board.lay = hears, lay  # type: ignore[method-assign]
        assert laid == (["mint"] if heard else [])
        assert match.snapshot["doubts"] == []


def test_refusals_come_with_the_boards_sentence() -> None:
    _, match = match_of(2, 0)
    with pytest.raises(Refused, match="not possible now"):
        match.act(0, ["close", 0])
    with pytest.raises(Refused, match="board and game agree"):
        match.accept()
    with pytest.raises(Refused, match="told a secret"):
        match.undo()
    with pytest.raises(Refused, match="2 to 4"):
        match.start("safranito", {"players": 7})


def test_what_a_chip_that_is_seen_late_makes_senseless_is_let_go() -> None:
    board, match = match_of(2, 2)
    stale = match.page(0)["step"]
    board.lay("b10", "mint")
    match._act_if_still(0, ["missed", 0], stale)
    assert match.game["view"]["phase"] == ["throw", 1]
    with pytest.raises(Refused):
        match._act_if_still(0, ["missed", 0], match.game["step"])


def test_on_a_real_board_nobody_throws_by_program() -> None:
    board, match = match_of(2, 0, hands=False)
    with pytest.raises(UserError, match="throw the chip by hand"):
        match.throw(0, "b10", "mint", 0.0)
    board.lay("b10", "mint")
    assert match.listen(0)
    match.refresh()
    assert match.game["asked"] == [1]
    assert not match.tidy()


def test_a_game_that_does_not_go_on_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "PATIENCE", 3)
    _, match = match_of(2, 0)
    with pytest.raises(UserError, match="the game does not continue"):
        match.play()


def test_what_eyes_see() -> None:
    x, y = targets.CENTRES["mint"]
    chips = [("blue", x, y), ("blue", x + 44, y), ("red", x + 60, y), ("red", -20.0, y)]
    assert lies_inside(chips, "blue", "mint")
    assert not lies_inside(chips, "red", "mint")
    assert not lies_inside(chips, "green", "mint")
    assert on_the_flat(chips) == 1
