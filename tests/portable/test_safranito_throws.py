"""Safranito, phase 1: whose throw a change of the board was. See docs/notation.md, `moved`."""

from safranito_tables import moved, play, refused

from spicecore.games.safranito import rules as safranito


def start(players=2, **options):
    options.update({"players": players, "chef": 0, "seed": 5})
    return safranito.new(options)


def test_ruling_six_chips_a_player_from_10_to_60():
    s = start(4)
    for seat, letter in enumerate("brgo"):
        chips = safranito.view(s, seat)["you"]["chips"]
        assert sorted(chips) == [letter + v for v in ("10", "20", "30", "40", "50", "60")]


def test_throws_go_round_from_the_head_chef():
    s = safranito.new({"players": 3, "chef": 1})
    turns = []
    for chip in ("r10", "g10", "b10", "r20"):
        turns.append(safranito.seats_asked(s))
        s, _ = play(s, moved((chip, "mint")))
    assert turns == [[1], [2], [0], [1]]


def test_number_of_throws_by_players():
    for players, each in ((2, 4), (3, 4), (4, 3)):
        s = start(players)
        for _ in range(players * each):
            s, _ = play(s, ["missed", safranito.seats_asked(s)[0]])
        assert safranito.legal(s, 0) == [["reveal", 0]]
        refused(s, ["missed", 0], "not_now")


def test_a_throw_seen_tells_colour_and_zone_only():
    _, fx = play(start(), moved(("b60", "mint")))
    assert fx == [[None, "thrown", 0, "mint"]]


def test_ruling_off_the_board_is_out_without_a_second_throw():
    s, fx = play(start(), ["missed", 0])
    assert fx == [[None, "missed", 0]] and s["missed"] == [1, 0]
    assert safranito.seats_asked(s) == [1]


def test_ruling_a_missed_throw_is_known_by_the_next_chip():
    s, fx = play(start(), moved(("r10", "curry")))
    assert fx == [[None, "missed", 0], [None, "thrown", 1, "curry"]]
    assert s["phase"] == ["throw", 2] and s["missed"] == [1, 0]


def test_ruling_two_misses_inferred_at_once():
    s, fx = play(start(4), moved(("g10", "curry")))
    assert fx == [[None, "missed", 0], [None, "missed", 1], [None, "thrown", 2, "curry"]]
    assert safranito.seats_asked(s) == [3]


def test_ruling_an_unseen_chip_may_come_back_at_any_later_throw():
    s, _ = play(start(), ["missed", 0], moved(("r10", "curry")), moved(("b20", "mint")))
    s, fx = play(s, moved(("r20", "cumin"), ("b50", "saffron")))
    assert fx == [[None, "thrown", 1, "cumin"], [None, "back", 0, "saffron"]]
    assert s["missed"] == [0, 0] and s["phase"] == ["throw", 4]


def test_an_unseen_chip_comes_back_alone_and_no_throw_is_counted():
    s, _ = play(start(), ["missed", 0])
    s, fx = play(s, moved(("b50", "saffron")))
    assert fx == [[None, "back", 0, "saffron"]] and s["phase"] == ["throw", 1]


def test_ruling_chips_pushed_count_where_they_end():
    s, _ = play(start(), moved(("b30", "curry")))
    s, fx = play(s, moved(("r10", "curry"), ("b30", "ginger")))
    assert fx == [[None, "thrown", 1, "curry"], [None, "moved", 0, "curry", "ginger"]]
    s, fx = play(s, moved(("b10", "ginger"), ("b30", None)))
    assert s["lying"] == {"r10": "curry", "b10": "ginger"}
    assert [None, "moved", 0, "ginger", None] in fx


def test_ruling_a_chip_on_the_flat_can_be_pushed_into_a_zone_later():
    s, _ = play(start(), moved(("b30", "curry")), moved(("r10", "mint"), ("b30", None)))
    s, fx = play(s, moved(("b10", "mint"), ("b30", "reserve")))
    assert fx == [[None, "thrown", 0, "mint"], [None, "moved", 0, None, "reserve"]]


def test_never_two_throws_from_one_change():
    s = start()
    refused(s, moved(("b10", "mint"), ("b20", "mint")), "two_throws")
    refused(s, moved(("b10", "mint"), ("r20", "mint")), "two_throws")


def test_a_chip_of_a_seat_without_a_throw_left_is_refused():
    s = start()
    for chip in ("b10", "r10", "b20", "r20", "b30", "r30", "b40"):
        s, _ = play(s, moved((chip, "mint")))
    refused(s, moved(("b50", "mint")), "no_throw")
    s, _ = play(s, moved(("r40", "mint")))
    refused(s, moved(("r50", "mint")), "no_throw")


def test_ruling_extra_throw_needs_a_chip_not_seen_this_round():
    s, _ = play(start(), moved(("b10", "mint")))
    assert "b10" not in safranito.view(s, 0)["you"]["throwable"]
    assert len(safranito.view(s, 0)["you"]["throwable"]) == 5


def test_chips_of_nobody_and_strange_zones_are_refused():
    s = start()
    refused(s, moved(("g10", "mint")), "unknown_chip")
    refused(s, moved(("x", "mint")), "unknown_chip")
    refused(s, moved(("b10", "soup")), "unknown_zone")
    refused(s, moved(("b10", "mint"), ("b10", "curry")), "malformed")
    refused(s, ["moved", None, "b10"], "malformed")


def test_a_change_that_is_none_is_nothing():
    s, _ = play(start(), moved(("b10", "mint")))
    after, fx = play(s, moved(("b10", "mint"), ("r10", None), ("mill", "curry")))
    assert after == s and fx == []


def test_ruling_in_doubt_the_head_chef_decides():
    s = start()
    refused(s, ["judged", 1, "b10", "mint"], "not_you")
    s, fx = play(s, ["judged", 0, "b10", "mint"])
    assert fx == [[None, "judged", 0, "mint"], [None, "thrown", 0, "mint"]]
    s, fx = play(s, ["judged", 0, "b10", None])
    assert fx == [[None, "judged", 0, None], [None, "moved", 0, "mint", None]]
    assert safranito.arbiter(s) == 0 and s["lying"] == {}


def test_ruling_a_chip_lying_on_another_is_judged_by_the_head_chef():
    s, _ = play(start(), moved(("b10", "mint")))
    s, fx = play(s, ["judged", 0, "r10", "mint"])
    assert fx == [[None, "judged", 1, "mint"], [None, "thrown", 1, "mint"]]
    s, _ = play(s, ["judged", 0, "r10", "cumin"])  # its hole projects into the next bowl
    assert s["lying"] == {"b10": "mint", "r10": "cumin"} and s["phase"] == ["throw", 2]


def test_accept_adopts_two_throws_at_once_in_turn_order():
    s, fx = play(start(), ["accept", None, [["r10", "mint"], ["b10", "curry"]]])
    assert s["phase"] == ["throw", 2] and s["lying"] == {"r10": "mint", "b10": "curry"}
    assert fx == [
        [None, "accepted", [[0, None, "curry"], [1, None, "mint"]]],
        [None, "thrown", 0, "curry"],
        [None, "thrown", 1, "mint"],
    ]


def test_accept_more_chips_than_throws_lets_them_lie():
    s = start()
    for _ in range(8):
        s, _ = play(s, ["missed", safranito.seats_asked(s)[0]])
    s["missed"] = [0, 0]
    s, fx = play(s, ["accept", 0, [["b10", "mint"]]])
    assert fx == [[None, "accepted", [[0, None, "mint"]]]] and s["lying"] == {"b10": "mint"}
    refused(s, ["accept", 1, []], "not_you")


def test_mismatch_names_every_chip_that_lies_elsewhere():
    s, _ = play(start(), moved(("b10", "mint")), moved(("r10", "curry")))
    seen = {"b10": "cumin", "r20": "curry", "o60": "garlic", "mill": "mint"}
    wrong = safranito.mismatch(s, seen)
    assert wrong == [
        ["b10", "cumin", "mint"],
        ["r10", None, "curry"],
        ["r20", "curry", None],
        ["o60", "garlic", None],
    ]
    assert safranito.public_mismatch(s, wrong) == [
        ["blue", "cumin", "mint"],
        ["red", "curry", None],
        ["red", None, "curry"],
        ["orange", "garlic", None],
    ]
    assert safranito.mismatch(s, {"b10": "mint", "r10": "curry"}) == []


def test_abort_ends_the_game_without_a_winner():
    s, fx = play(start(), ["abort", None])
    assert fx == [[None, "aborted"], [None, "phase", "over"]] and safranito.over(s)
    refused(s, moved(("b10", "mint")), "over")
    refused(s, ["missed", 0], "over")
    assert safranito.seats_asked(s) == [] and safranito.legal(s, 0) == []


def test_undo_is_for_decisions_not_for_throws():
    s = start()
    assert safranito.undoable(s, ["missed", 0])
    assert not safranito.undoable(s, moved(("b10", "mint")))
    assert not safranito.undoable(s, ["missed", 1])


def test_wrong_options_are_refused_by_name():
    for options in (
        {"players": 5},
        {"players": True},
        {"players": 2, "mode": "fast"},
        {"players": 2, "seed": -1},
        {"players": 2, "seed": 1 << 30},
        {"players": 2, "chef": 2},
        {"players": 2, "tie": "last"},
        {"players": 2, "soup": 1},
    ):
        try:
            safranito.new(options)
        except ValueError as error:
            assert len(str(error)) > 15
        else:
            raise AssertionError(options)


def test_ruling_first_head_chef_chosen_or_drawn_by_lot():
    chefs = {safranito.new({"players": 4, "seed": seed})["chef"] for seed in range(40)}
    assert chefs == {0, 1, 2, 3}
    assert safranito.new({"players": 4, "chef": 2})["chef"] == 2
