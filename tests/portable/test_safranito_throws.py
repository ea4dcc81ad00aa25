"""Safranito, phase 1: whose throw a change of the board was. See docs/notation.md, `moved`."""

from safranito_tables import moved, play, refused

from spicecore.games.safranito import rules as safranito


def start(players=2, **options):
    options.update({"players": players, "chef": 0, "seed": 5})
    return safranito.new(options)


def test_ruling_six_chips_a_player_from_10_to_60():
    state = start(4)
    for seat, letter in enumerate("brgo"):
        chips = safranito.view(state, seat)["you"]["chips"]
        assert sorted(chips) == [letter + v for v in ("10", "20", "30", "40", "50", "60")]


def test_throws_go_round_from_the_head_chef():
    state = safranito.new({"players": 3, "chef": 1})
    turns = []
    for chip in ("r10", "g10", "b10", "r20"):
        turns.append(safranito.seats_asked(state))
        state, _ = play(state, moved((chip, "mint")))
    assert turns == [[1], [2], [0], [1]]


def test_number_of_throws_by_players():
    for players, each in ((2, 4), (3, 4), (4, 3)):
        state = start(players)
        for _ in range(players * each):
            state, _ = play(state, ["missed", safranito.seats_asked(state)[0]])
        assert safranito.legal(state, 0) == [["reveal", 0]]
        refused(state, ["missed", 0], "not_now")


def test_a_throw_seen_tells_colour_and_zone_only():
    _, effects = play(start(), moved(("b60", "mint")))
    assert effects == [[None, "thrown", 0, "mint"]]


def test_ruling_off_the_board_is_out_without_a_second_throw():
    state, effects = play(start(), ["missed", 0])
    assert effects == [[None, "missed", 0]] and state["missed"] == [1, 0]
    assert safranito.seats_asked(state) == [1]


def test_ruling_a_missed_throw_is_known_by_the_next_chip():
    state, effects = play(start(), moved(("r10", "curry")))
    assert effects == [[None, "missed", 0], [None, "thrown", 1, "curry"]]
    assert state["phase"] == ["throw", 2] and state["missed"] == [1, 0]


def test_ruling_two_misses_inferred_at_once():
    state, effects = play(start(4), moved(("g10", "curry")))
    assert effects == [[None, "missed", 0], [None, "missed", 1], [None, "thrown", 2, "curry"]]
    assert safranito.seats_asked(state) == [3]


def test_ruling_an_unseen_chip_may_come_back_at_any_later_throw():
    state, _ = play(start(), ["missed", 0], moved(("r10", "curry")), moved(("b20", "mint")))
    state, effects = play(state, moved(("r20", "cumin"), ("b50", "saffron")))
    assert effects == [[None, "thrown", 1, "cumin"], [None, "back", 0, "saffron"]]
    assert state["missed"] == [0, 0] and state["phase"] == ["throw", 4]


def test_an_unseen_chip_comes_back_alone_and_no_throw_is_counted():
    state, _ = play(start(), ["missed", 0])
    state, effects = play(state, moved(("b50", "saffron")))
    assert effects == [[None, "back", 0, "saffron"]] and state["phase"] == ["throw", 1]


def test_ruling_chips_pushed_count_where_they_end():
    state, _ = play(start(), moved(("b30", "curry")))
    state, effects = play(state, moved(("r10", "curry"), ("b30", "ginger")))
    assert effects == [[None, "thrown", 1, "curry"], [None, "moved", 0, "curry", "ginger"]]
    state, effects = play(state, moved(("b10", "ginger"), ("b30", None)))
    assert state["lying"] == {"r10": "curry", "b10": "ginger"}
    assert [None, "moved", 0, "ginger", None] in effects


def test_ruling_a_chip_on_the_flat_can_be_pushed_into_a_zone_later():
    state, _ = play(start(), moved(("b30", "curry")), moved(("r10", "mint"), ("b30", None)))
    state, effects = play(state, moved(("b10", "mint"), ("b30", "reserve")))
    assert effects == [[None, "thrown", 0, "mint"], [None, "moved", 0, None, "reserve"]]


def test_never_two_throws_from_one_change():
    state = start()
    refused(state, moved(("b10", "mint"), ("b20", "mint")), "two_throws")
    refused(state, moved(("b10", "mint"), ("r20", "mint")), "two_throws")


def test_a_chip_of_a_seat_without_a_throw_left_is_refused():
    state = start()
    for chip in ("b10", "r10", "b20", "r20", "b30", "r30", "b40"):
        state, _ = play(state, moved((chip, "mint")))
    refused(state, moved(("b50", "mint")), "no_throw")
    state, _ = play(state, moved(("r40", "mint")))
    refused(state, moved(("r50", "mint")), "no_throw")


def test_ruling_extra_throw_needs_a_chip_not_seen_this_round():
    state, _ = play(start(), moved(("b10", "mint")))
    assert "b10" not in safranito.view(state, 0)["you"]["throwable"]
    assert len(safranito.view(state, 0)["you"]["throwable"]) == 5


def test_chips_of_nobody_and_strange_zones_are_refused():
    state = start()
    refused(state, moved(("g10", "mint")), "unknown_chip")
    refused(state, moved(("x", "mint")), "unknown_chip")
    refused(state, moved(("b10", "soup")), "unknown_zone")
    refused(state, moved(("b10", "mint"), ("b10", "curry")), "malformed")
    refused(state, ["moved", None, "b10"], "malformed")


def test_a_change_that_is_none_is_nothing():
    state, _ = play(start(), moved(("b10", "mint")))
    after, effects = play(state, moved(("b10", "mint"), ("r10", None), ("mill", "curry")))
    assert after == state and effects == []


def test_ruling_in_doubt_the_head_chef_decides():
    state = start()
    refused(state, ["judged", 1, "b10", "mint"], "not_you")
    state, effects = play(state, ["judged", 0, "b10", "mint"])
    assert effects == [[None, "judged", 0, "mint"], [None, "thrown", 0, "mint"]]
    state, effects = play(state, ["judged", 0, "b10", None])
    assert effects == [[None, "judged", 0, None], [None, "moved", 0, "mint", None]]
    assert safranito.arbiter(state) == 0 and state["lying"] == {}


def test_ruling_a_chip_lying_on_another_is_judged_by_the_head_chef():
    state, _ = play(start(), moved(("b10", "mint")))
    state, effects = play(state, ["judged", 0, "r10", "mint"])
    assert effects == [[None, "judged", 1, "mint"], [None, "thrown", 1, "mint"]]
    state, _ = play(state, ["judged", 0, "r10", "cumin"])  # its hole projects into the next bowl
    assert state["lying"] == {"b10": "mint", "r10": "cumin"} and state["phase"] == ["throw", 2]


def test_accept_adopts_two_throws_at_once_in_turn_order():
    state, effects = play(start(), ["accept", None, [["r10", "mint"], ["b10", "curry"]]])
    assert state["phase"] == ["throw", 2] and state["lying"] == {"r10": "mint", "b10": "curry"}
    assert effects == [
        [None, "accepted", [[0, None, "curry"], [1, None, "mint"]]],
        [None, "thrown", 0, "curry"],
        [None, "thrown", 1, "mint"],
    ]


def test_accept_more_chips_than_throws_lets_them_lie():
    state = start()
    for _ in range(8):
        state, _ = play(state, ["missed", safranito.seats_asked(state)[0]])
    state["missed"] = [0, 0]
    state, effects = play(state, ["accept", 0, [["b10", "mint"]]])
    assert effects == [[None, "accepted", [[0, None, "mint"]]]] and state["lying"] == {
        "b10": "mint"
    }
    refused(state, ["accept", 1, []], "not_you")


def test_mismatch_names_every_chip_that_lies_elsewhere():
    state, _ = play(start(), moved(("b10", "mint")), moved(("r10", "curry")))
    seen = {"b10": "cumin", "r20": "curry", "o60": "garlic", "mill": "mint"}
    wrong = safranito.mismatch(state, seen)
    assert wrong == [
        ["b10", "cumin", "mint"],
        ["r10", None, "curry"],
        ["r20", "curry", None],
        ["o60", "garlic", None],
    ]
    assert safranito.public_mismatch(state, wrong) == [
        ["blue", "cumin", "mint"],
        ["red", "curry", None],
        ["red", None, "curry"],
        ["orange", "garlic", None],
    ]
    assert safranito.mismatch(state, {"b10": "mint", "r10": "curry"}) == []


def test_abort_ends_the_game_without_a_winner():
    state, effects = play(start(), ["abort", None])
    assert effects == [[None, "aborted"], [None, "phase", "over"]] and safranito.over(state)
    refused(state, moved(("b10", "mint")), "over")
    refused(state, ["missed", 0], "over")
    assert safranito.seats_asked(state) == [] and safranito.legal(state, 0) == []


def test_undo_is_for_decisions_not_for_throws():
    state = start()
    assert safranito.undoable(state, ["missed", 0])
    assert not safranito.undoable(state, moved(("b10", "mint")))
    assert not safranito.undoable(state, ["missed", 1])


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
