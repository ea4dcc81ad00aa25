"""Rat Hot: every ruling and every rule of the rule text under its own name."""

from rathot_tables import (
    DOWN,
    LEFT,
    PEACEFUL,
    RIGHT,
    UP,
    done,
    face_at,
    random_game,
    refused,
    scores,
    table,
)

from spicecore.games.rathot import rules as rathot
from spicecore.games.rathot.layout import numbers, pack_spots, places, surface, unpack_spots
from spicecore.games.rathot.strips import RATS, STANDARD

# --- the strips and the turns -----------------------------------------------------------------


def test_the_box_has_43_strips_each_spice_ten_times_eight_rats_a_colour():
    assert len(STANDARD) == 43 and STANDARD[0] == "_s_"
    squares = "".join(STANDARD)
    assert len(squares) == 129
    for square in "12345678":
        assert squares.count(square) == 10, square
    assert squares.count("r") == squares.count("g") == 8


def test_the_start_strip_lies_in_the_middle():
    state = rathot.new({"seed": 3})
    assert state["laid"] == [[0, -1, 0, 0]] and face_at(state, 0, 0) == "s"
    assert len(state["pile"]) == 42 and state["held"] == []


def test_first_player_lays_one_strip_then_two_a_turn_the_last_turn_one():
    turns = []
    for state, _ in random_game(4):
        if state["phase"][0] == "lay" and (not turns or turns[-1][0] != len(state["pile"])):
            turns.append([len(state["pile"]), len(state["held"]), state["phase"][1]])
    assert [held for _, held, _ in turns] == [1] + [2] * 20 + [1]
    seats = [seat for _, _, seat in turns]
    assert seats == [(seats[0] + n) % 2 for n in range(22)]


def test_both_strips_are_turned_up_first_then_laid_in_either_order():
    state = table("1_2 3_4", [], [])
    state["pile"] = [5, 4, 2, 1]
    state["laid"].append([3, -1, 1, RIGHT])
    state, effects = done(state, ["turn_up", 0])
    assert effects == [[None, "turned_up", 0, [1, 2]]] and state["held"] == [1, 2]
    for first, second in ((1, 2), (2, 1)):
        after, _ = done(state, ["lay", 0, first, -1, -1, RIGHT])
        assert after["held"] == [second] and after["phase"] == ["lay", 0]
        after, _ = done(after, ["lay", 0, second, -1, -2, RIGHT])
        assert after["phase"] == ["turn_up", 1]


def test_strips_are_turned_up_before_they_are_laid_and_not_twice():
    state = table("1_2 3_4", [], [], left=4)
    assert refused(state, ["lay", 0, 1, -1, 1, RIGHT])[0] == "not_now"
    state, _ = done(state, ["turn_up", 0])
    assert refused(state, ["turn_up", 0])[0] == "not_now"
    assert refused(state, ["lay", 0, 2, -1, 1, RIGHT])[0] == "strip"


def test_first_player_is_drawn_by_lot_or_chosen():
    assert {rathot.new({"seed": s})["first"] for s in range(20)} == {0, 1}
    for first in (0, 1):
        state = rathot.new({"seed": 1, "first": first})
        assert rathot.seats_asked(state) == [first] and state["phase"] == ["turn_up", first]


# --- where a strip may lie ----------------------------------------------------------------------


def test_a_strip_lies_four_ways():
    state = table("123", [], [1])
    for d, squares in (
        (RIGHT, ((0, 1), (1, 1), (2, 1))),
        (DOWN, ((0, 1), (0, 2), (0, 3))),
        (LEFT, ((0, 1), (-1, 1), (-2, 1))),
        (UP, ((2, 0), (2, -1), (2, -2))),
    ):
        x, y = squares[0]
        after, _ = done(state, ["lay", 0, 1, x, y, d])
        assert [face_at(after, *square) for square in squares] == ["1", "2", "3"]
    assert refused(state, ["lay", 0, 1, 0, 1, 4])[0] == "malformed"
    assert refused(state, ["lay", 0, 1, 0, 1, -1])[0] == "malformed"


def test_at_least_one_square_has_an_edge_in_common_with_a_strip():
    state = table("123", [], [1])
    done(state, ["lay", 0, 1, 2, 0, RIGHT])
    done(state, ["lay", 0, 1, 1, 1, RIGHT])
    code, sentence = refused(state, ["lay", 0, 1, 2, 1, RIGHT])  # a corner only
    assert code == "touch" and "(2, 1)" in sentence
    assert refused(state, ["lay", 0, 1, 3, 0, RIGHT])[0] == "touch"
    assert refused(state, ["lay", 0, 1, 500, 0, RIGHT])[0] == "touch"


def test_on_top_counts_as_adjacent():
    state = table("123 123 4_4", [[1, -1, 1, RIGHT], [2, -1, 2, RIGHT]], [3])
    after, _ = done(state, ["lay", 0, 3, 0, 0, DOWN])
    assert [face_at(after, 0, y) for y in range(3)] == ["4", "_", "4"]


def test_a_strip_covers_at_least_two_different_strips():
    state = table("123 456", [[1, 2, 0, RIGHT]], [2])
    code, sentence = refused(state, ["lay", 0, 2, -1, 0, RIGHT])  # wholly on the start strip
    assert code == "cover" and "(-1, 0)" in sentence
    assert refused(state, ["lay", 0, 2, 4, 0, LEFT])[0] == "cover"
    done(state, ["lay", 0, 2, 0, 0, RIGHT])
    done(state, ["lay", 0, 2, 1, 0, RIGHT])


def test_a_strip_never_lies_partly_on_the_table():
    state = table("123 456", [[1, 2, 0, RIGHT]], [2])
    code, sentence = refused(state, ["lay", 0, 2, 0, 0, DOWN])
    assert code == "table" and "(0, 1)" in sentence and "(0, 0)" in sentence
    code, sentence = refused(state, ["lay", 0, 2, 0, -2, DOWN])
    assert code == "table" and "(0, -2)" in sentence


def test_no_gap_below_so_all_three_squares_on_one_height():
    laid = [[1, 2, 0, RIGHT], [2, 1, 0, RIGHT]]  # the second lies on start and the first
    state = table("123 456 78_", laid, [3])
    code, sentence = refused(state, ["lay", 0, 3, 0, 0, RIGHT])
    assert code == "gap" and "(0, 0)" in sentence
    code, sentence = refused(state, ["lay", 0, 3, 2, 0, RIGHT])
    assert code == "gap" and "(4, 0)" in sentence


def test_a_third_level_needs_two_strips_of_the_second():
    laid = [[1, 2, 0, RIGHT], [2, -1, 1, RIGHT], [3, 2, 1, RIGHT]]
    laid += [[4, 0, 0, RIGHT], [5, 0, 1, RIGHT]]  # second level, one above the other
    state = table("123 123 123 456 456 78_", laid, [6])
    assert refused(state, ["lay", 0, 6, 0, 0, RIGHT])[0] == "cover"
    laid.append([7, -1, 2, RIGHT])
    laid.append([8, 2, 2, RIGHT])
    laid.append([9, 0, 2, RIGHT])
    state = table("123 123 123 456 456 78_ 123 123 456", laid, [6])
    after, _ = done(state, ["lay", 0, 6, 1, 0, DOWN])
    top, _ = surface(after["strips"], after["laid"])
    assert max(top.values()) // 64 == 3


def test_strips_once_laid_are_neither_moved_nor_taken_away():
    for state, _ in random_game(2):
        if len(state["laid"]) > 3:
            break
    assert refused(state, ["lay", state["phase"][1], state["laid"][1][0], 0, 1, 0])[0] in (
        "strip",
        "not_now",
    )


def test_edge_of_the_table_no_bound_by_default():
    state = table("123", [[2 + n, 2 + 3 * n, 0, RIGHT] for n in range(8)], [1])
    done(state, ["lay", 0, 1, 26, 0, RIGHT])


def test_option_bounds_keep_the_layout_within_a_width_and_a_height():
    state = table("123", [], [1], bounds=[5, 3])
    done(state, ["lay", 0, 1, 1, 1, RIGHT])
    code, sentence = refused(state, ["lay", 0, 1, 2, 0, RIGHT])
    assert code == "edge" and "(4, 0)" in sentence
    done(state, ["lay", 0, 1, 2, 0, DOWN])
    assert refused(state, ["lay", 0, 1, 0, 1, DOWN])[0] == "edge"
    for event in rathot.legal(state, 0):
        done(state, event)


def test_a_game_within_small_bounds_goes_on_until_no_strip_fits():
    left_over = 0
    for bounds in ([3, 3], [4, 3], [3, 4], [5, 5]):
        for seed in range(5):
            for state, events in random_game(seed, bounds=bounds):
                assert events or rathot.over(state), rathot.text(state)
            assert state["phase"][1] in ("end", "rats")
            left_over += len(state["pile"]) > 0
    assert left_over > 3  # the rest was set aside in some of them


def test_when_no_strip_fits_the_rest_is_set_aside_and_the_game_is_counted():
    left, state = last_before_full([5, 5], 1)
    after, effects = done(state, left)
    assert after["phase"][:2] == ["over", "end"]
    kinds = [effect[1] for effect in effects]
    assert kinds[-3:] == ["set_aside", "final", "over"]
    rest = effects[-3][2]
    assert rest == len(after["held"]) + len(after["pile"]) > 0
    assert rathot.standing(after)[0][2]["points"] == max(effects[-2][3])
    assert not rathot.undoable(state, left)
    if after["held"]:
        code, _ = refused(after, ["lay", left[1], after["held"][0], 0, 1, RIGHT])
        assert code == "over"


def test_three_own_rats_lose_also_when_no_strip_fits_any_more():
    left, state = last_before_full([5, 5], 1)
    mine = RATS[left[1]]
    state["strips"] = list(state["strips"])
    state["strips"][left[2]] = mine * 3
    after, effects = done(state, left)
    assert after["phase"] == ["over", "rats", 1 - left[1]]
    assert [effect[1] for effect in effects][-3:] == ["set_aside", "rats", "over"]


def last_before_full(bounds: list, seed: int) -> tuple:
    """(event, state) of the strip after which no other fits, in a random game."""
    for state, events in random_game(seed, bounds=bounds):
        for event in events:
            if event[0] == "lay":
                _after, effects = rathot.step(state, event)
                if any(effect[1] == "set_aside" for effect in effects):
                    return event, state
    raise AssertionError("this game never fills the table")


# --- scoring ------------------------------------------------------------------------------------


def test_two_alike_are_one_point_three_or_more_two():
    state = table("1_2 _1_ _1_", [[1, -1, 1, RIGHT]], [2, 3])
    state, effects = done(state, ["lay", 0, 2, -2, 1, UP])  # its 1 at (-2, 0): alone
    assert scores(effects) == []
    state = table("1_2 1__ 1__ 1__", [[1, 2, 0, RIGHT]], [2, 3])
    state, effects = done(state, ["lay", 0, 2, 2, 1, RIGHT])
    assert scores(effects) == [[0, 1, "1"]]
    state, effects = done(state, ["lay", 0, 3, 2, 2, RIGHT])
    assert scores(effects) == [[0, 2, "1"]]
    assert rathot.points(state, 0) == 3
    state["held"], state["phase"] = [4], ["lay", 0]
    state, effects = done(state, ["lay", 0, 4, 2, 3, RIGHT])
    assert scores(effects) == [[0, 2, "1"]] and rathot.points(state, 0) == 5


def test_the_owner_of_the_colour_scores_whoever_laid_the_strip():
    state = table("5_1 5_1", [[1, 2, 0, RIGHT]], [2], turn=0)
    state, effects = done(state, ["lay", 0, 2, 2, 1, RIGHT])
    assert scores(effects) == [[0, 1, "1"], [1, 1, "5"]]
    assert [rathot.points(state, seat) for seat in (0, 1)] == [1, 1]


def test_points_are_counted_after_each_of_the_two_strips():
    state = table("1_2 1__ 1__", [[1, 2, 0, RIGHT]], [2, 3])
    state, first = done(state, ["lay", 0, 2, 2, 1, RIGHT])
    state, second = done(state, ["lay", 0, 3, 2, 2, RIGHT])
    assert scores(first) == [[0, 1, "1"]] and scores(second) == [[0, 2, "1"]]


def test_single_spices_empty_squares_the_start_and_rats_score_nothing():
    state = table("r_1 r_2", [[1, 2, 0, RIGHT]], [2])
    state, effects = done(state, ["lay", 0, 2, 2, 1, RIGHT])
    assert scores(effects) == []
    state = table("_s_ _s_", [[1, -1, 1, RIGHT]], [2])
    assert scores(done(state, ["lay", 0, 2, -1, 2, RIGHT])[1]) == []


def test_different_spices_of_one_colour_make_no_group():
    state = table("1_3 2_4", [[1, 2, 0, RIGHT]], [2])
    assert scores(done(state, ["lay", 0, 2, 2, 1, RIGHT])[1]) == []


def test_groups_hang_together_by_edges_not_by_corners():
    state = table("1__ _1_", [[1, 2, 0, RIGHT]], [2])
    assert scores(done(state, ["lay", 0, 2, 2, 1, RIGHT])[1]) == []


def test_height_is_ignored_the_view_from_above_counts():
    laid = [[1, 2, 0, RIGHT], [2, -1, 1, RIGHT]]
    state = table("__1 ___ _1_", laid, [3])
    # on start and strip 1: its middle 1 lies at (2, 0) on height 2; (4, 0) shows a 1 on height 1
    state["strips"][1] = "_11"
    after, effects = done(state, ["lay", 0, 3, 1, 0, RIGHT])
    assert [face_at(after, x, 0) for x in (1, 2, 3, 4)] == ["_", "1", "_", "1"]
    assert scores(effects) == []  # the pair was broken, a 1 on either side is alone
    state["strips"][3] = "__1"
    after, effects = done(state, ["lay", 0, 3, 1, 0, RIGHT])
    assert scores(effects) == []  # the very same squares show 1: nothing has changed
    state["strips"][3] = "_11"
    assert scores(done(state, ["lay", 0, 3, 1, 0, RIGHT])[1]) == [[0, 2, "1"]]


def test_covered_spices_do_not_count_any_more():
    laid = [[1, 2, 0, RIGHT]]
    state = table("11_ ___", laid, [2])
    after, effects = done(state, ["lay", 0, 2, 1, 0, RIGHT])
    assert scores(effects) == [] and rathot.final_count(surface(*parts(after))[1]) == [0, 0]


def parts(state: dict) -> tuple:
    return state["strips"], state["laid"]


def test_a_new_group_scores():
    state = table("1__ 1__", [[1, 2, 0, RIGHT]], [2])
    assert scores(done(state, ["lay", 0, 2, 2, 1, RIGHT])[1]) == [[0, 1, "1"]]


def test_two_alike_on_one_strip_are_a_group():
    state = table("11_", [], [1])
    assert scores(done(state, ["lay", 0, 1, -1, 1, RIGHT])[1]) == [[0, 1, "1"]]


def test_a_grown_group_scores_as_a_whole():
    state = table("11_ 1__", [[1, 2, 0, RIGHT]], [2])
    assert scores(done(state, ["lay", 0, 2, 2, 1, RIGHT])[1]) == [[0, 2, "1"]]


def test_joined_groups_score_once_as_one():
    state = table("11_ 11_ 1__", [[1, 2, 0, RIGHT], [2, 2, 2, RIGHT]], [3])
    assert scores(done(state, ["lay", 0, 3, 2, 1, RIGHT])[1]) == [[0, 2, "1"]]


def test_a_shrunk_group_scores():
    laid = [[1, 2, 0, RIGHT], [2, 2, 1, RIGHT]]
    state = table("1__ 11_ ___", laid, [3])  # a corner of three: (2, 0), (2, 1), (3, 1)
    _, effects = done(state, ["lay", 0, 3, 0, 0, RIGHT])  # covers (2, 0)
    assert scores(effects) == [[0, 1, "1"]]


def test_a_split_group_scores_each_part_of_two_or_more():
    laid = [[1, -1, 1, RIGHT], [2, -1, 2, RIGHT], [3, -1, 3, RIGHT], [4, -1, 4, RIGHT]]
    laid.append([5, -1, 5, RIGHT])
    state = table("_1_ _1_ _1_ _1_ _1_ ___ ___", laid + [[6, 2, 3, RIGHT]], [7])
    _, effects = done(state, ["lay", 0, 7, 0, 3, RIGHT])  # covers (0, 3) of five in a column
    assert scores(effects) == [[0, 1, "1"], [0, 1, "1"]]


def test_unchanged_groups_give_nothing():
    laid = [[1, 2, 0, RIGHT]]
    state = table("11_ 2__", laid, [2])
    assert scores(done(state, ["lay", 0, 2, 2, 1, RIGHT])[1]) == []


def test_option_touching_scores_only_groups_with_a_square_of_the_strip():
    laid = [[1, 2, 0, RIGHT], [2, 2, 1, RIGHT]]
    state = table("1__ 11_ ___", laid, [3], groups="touching")
    assert scores(done(state, ["lay", 0, 3, 0, 0, RIGHT])[1]) == []
    state = table("11_ 1__", [[1, 2, 0, RIGHT]], [2], groups="touching")
    assert scores(done(state, ["lay", 0, 2, 2, 1, RIGHT])[1]) == [[0, 2, "1"]]


def test_the_start_strip_can_be_covered_like_any_other():
    state = table("123 456", [[1, 2, 0, RIGHT]], [2])
    after, _ = done(state, ["lay", 0, 2, 0, 0, RIGHT])
    assert face_at(after, 0, 0) == "4"


# --- rats ---------------------------------------------------------------------------------------


def test_three_own_rats_at_the_end_of_the_own_turn_lose_at_once_without_a_count():
    state = table("rr_ r11", [[1, 2, 0, RIGHT]], [2])
    after, effects = done(state, ["lay", 0, 2, -1, 1, RIGHT])
    assert after["phase"] == ["over", "rats", 1] and rathot.over(after)
    assert effects[-2:] == [[None, "rats", 0, 3], [None, "over", 1]]
    assert not any(effect[1] == "final" for effect in effects)
    assert rathot.standing(after) == [[1, 1, {"points": 0}], [0, 2, {"points": 1}]]


def test_more_than_three_rats_lose_too_and_two_do_not():
    state = table("rr_ rr_", [[1, 2, 0, RIGHT]], [2])
    assert done(state, ["lay", 0, 2, -1, 1, RIGHT])[0]["phase"] == ["over", "rats", 1]
    state = table("rr_ ___", [[1, 2, 0, RIGHT]], [2])
    assert done(state, ["lay", 0, 2, -1, 1, RIGHT])[0]["phase"] == ["turn_up", 1]


def test_rats_are_looked_at_when_the_turn_ends_not_between_its_two_strips():
    state = table("rr_ r__ ___", [[1, 2, 0, RIGHT]], [2, 3])
    state, _ = done(state, ["lay", 0, 2, 5, 0, RIGHT])
    assert state["phase"] == ["lay", 0]  # three are visible now
    state, _ = done(state, ["lay", 0, 3, 3, 0, RIGHT])  # covers one at (3, 0) and one at (5, 0)
    assert state["phase"] == ["turn_up", 1]


def test_covered_rats_do_not_count():
    laid = [[1, 2, 0, RIGHT], [2, 1, 0, RIGHT]]
    state = table("rr_ ___ rr_", laid, [3])
    assert done(state, ["lay", 0, 3, -1, 1, RIGHT])[0]["phase"] == ["turn_up", 1]


def test_opponent_at_three_rats_after_my_turn_has_his_whole_next_turn():
    state = table("gg_ g__ ___ ___", [[1, 2, 0, RIGHT]], [2], turn=0)
    state, _ = done(state, ["lay", 0, 2, 5, 0, RIGHT])
    assert state["phase"] == ["turn_up", 1]
    state["held"], state["phase"] = [3, 4], ["lay", 1]
    saved, _ = done(state, ["lay", 1, 3, 3, 0, RIGHT])
    saved, _ = done(saved, ["lay", 1, 4, -1, 1, RIGHT])
    assert saved["phase"] == ["turn_up", 0]
    lost, _ = done(state, ["lay", 1, 3, -1, 1, RIGHT])
    lost, _ = done(lost, ["lay", 1, 4, -1, 2, RIGHT])
    assert lost["phase"] == ["over", "rats", 0]


def test_opponent_at_three_rats_after_the_last_strip_does_not_lose_by_it():
    state = table("gg_ g11", [[1, 2, 0, RIGHT]], [2], turn=0, left=0)
    after, _ = done(state, ["lay", 0, 2, 5, 0, RIGHT])
    assert after["phase"] == ["over", "end", 0]


def test_the_last_player_loses_by_his_own_rats_before_any_count():
    state = table("rr_ r11", [[1, 2, 0, RIGHT]], [2], turn=0, left=0)
    after, _ = done(state, ["lay", 0, 2, 5, 0, RIGHT])
    assert after["phase"] == ["over", "rats", 1]


# --- the end ------------------------------------------------------------------------------------


def test_every_visible_group_is_counted_once_more_after_the_last_strip():
    state = table("11_ 555 1__", [[1, 2, 0, RIGHT], [2, 2, 1, RIGHT]], [3], left=0)
    state["noted"] = [3, 4]
    after, effects = done(state, ["lay", 0, 3, -1, 1, RIGHT])
    assert effects[-2:] == [[None, "final", [1, 2], [4, 6]], [None, "over", 1]]
    assert after["phase"] == ["over", "end", 1]
    assert rathot.standing(after) == [[1, 1, {"points": 6}], [0, 2, {"points": 4}]]


def test_a_tie_is_a_shared_win():
    state = table("11_ 55_ ___", [[1, 2, 0, RIGHT], [2, 2, 1, RIGHT]], [3], left=0)
    after, effects = done(state, ["lay", 0, 3, -1, 1, RIGHT])
    assert after["phase"] == ["over", "end", None] and effects[-1] == [None, "over", None]
    assert [row[1] for row in rathot.standing(after)] == [1, 1]


def test_nothing_is_legal_after_the_end():
    state = table("11_ ___", [[1, 2, 0, RIGHT]], [2], left=0)
    after, _ = done(state, ["lay", 0, 2, -1, 1, RIGHT])
    assert rathot.legal(after, 0) == [] and rathot.legal(after, 1) == []
    assert rathot.seats_asked(after) == [] and rathot.arbiter(after) is None
    assert refused(after, ["turn_up", 1])[0] == "over"
    assert refused(after, ["abort", None])[0] == "over"


# --- chips --------------------------------------------------------------------------------------


def test_points_are_paid_in_chips_of_one_and_two():
    state = table("11_ 1__", [[1, 2, 0, RIGHT]], [2])
    after, _ = done(state, ["lay", 0, 2, 2, 1, RIGHT])
    assert after["chips"] == [[0, 1], [0, 0]] and after["reserve"] == [15, 14]


def test_chips_run_out_two_ones_are_changed_for_a_two():
    state = table("11_", [], [1])
    state["reserve"], state["chips"] = [0, 5], [[9, 0], [6, 0]]
    after, _ = done(state, ["lay", 0, 1, -1, 1, RIGHT])
    assert after["chips"] == [[8, 1], [6, 0]] and after["reserve"] == [1, 4]
    assert rathot.points(after, 0) == 10
    state["chips"] = [[1, 2], [14, 0]]  # he has no two 1s: the other changes
    after, _ = done(state, ["lay", 0, 1, -1, 1, RIGHT])
    assert after["chips"] == [[2, 2], [12, 1]] and after["reserve"] == [1, 4]


def test_chips_run_out_two_points_are_paid_in_ones():
    state = table("111", [], [1])
    state["reserve"], state["chips"] = [3, 0], [[0, 0], [0, 0]]
    after, _ = done(state, ["lay", 0, 1, -1, 1, RIGHT])
    assert after["chips"] == [[2, 0], [0, 0]] and after["reserve"] == [1, 0]


def test_chips_run_out_altogether_the_count_goes_on():
    for strip, points in (("11_", 1), ("111", 2)):
        state = table(strip, [], [1])
        state["reserve"], state["chips"] = [0, 0], [[8, 7], [7, 8]]
        after, _ = done(state, ["lay", 0, 1, -1, 1, RIGHT])
        assert after["chips"] == state["chips"] and after["noted"] == [points, 0]
        assert rathot.points(after, 0) == 22 + points


# --- out of turn, nonsense, options --------------------------------------------------------------


def test_moves_out_of_turn_are_refused():
    state = table("1__ 2__", [], [1])
    assert refused(state, ["lay", 1, 1, -1, 1, 0])[0] == "not_you"
    assert rathot.legal(state, 1) == []


def test_events_of_another_game_and_nonsense_are_refused():
    state = table("1__ 2__", [], [1])
    nonsense = [
        None, 7, "lay", {}, [], [[]], ["lay"], ["lay", 0], ["lay", 0, 1, 0, 1],
        ["lay", 0, 1, 0, 1, 0, 0],
        ["lay", 0, 1, 0, 1, True], ["lay", 0, "1", 0, 1, 0], ["lay", 0, 1, 0.0, 1, 0],
        ["lay", True, 1, 0, 1, 0],
        ["lay", None, 1, 0, 1, 0], ["lay", 2, 1, 0, 1, 0], ["lay", 0, [1], 0, 1, 0],
        ["take", 0, "gold"],
        ["moved", None], ["moved", None, 3], ["moved", 0, []],
        ["moved", None, [["b10", "nowhere"]]],
        ["judged", 0, "b10"], ["abort", 0, 1], ["abort", 5], [None, 0], [{}, 0],
    ]  # fmt: skip
    for event in nonsense:
        refused(state, event)


def test_options_that_cannot_be_are_refused_with_the_reason():
    wrong = [
        {"players": 4}, {"mode": "referee"}, {"seed": 1.5}, {"first": 2}, {"first": False},
        {"groups": "all"},
        {"bounds": 9}, {"bounds": [2, 9]}, {"bounds": [9, 500]}, {"bounds": [9, True]},
        {"strips": []}, {"colour": 1},
    ]  # fmt: skip
    for options in wrong:
        try:
            rathot.new(options)
        except ValueError as error:
            assert len(str(error)) > 15
        else:
            raise AssertionError(options)


def test_laying_may_be_taken_back_until_strips_are_turned_up_or_it_is_over():
    state = table("1__ rrr", [], [1, 2])
    assert rathot.undoable(state, ["lay", 0, 1, -1, 1, 0])
    assert not rathot.undoable(state, ["lay", 0, 1, 9, 9, 0])
    assert not rathot.undoable(state, ["lay", 1, 1, -1, 1, 0])
    state, _ = done(state, ["lay", 0, 1, -1, 1, 0])
    assert not rathot.undoable(state, ["lay", 0, 2, -1, 2, 0])  # loses the game
    assert not rathot.undoable(table("1__", [], []), ["turn_up", 0])


# --- random play --------------------------------------------------------------------------------


def test_every_listed_event_is_accepted_and_none_stands_twice():
    for n, (state, legal) in enumerate(random_game(1)):
        if n % 12 == 3:
            assert len({repr(event) for event in legal}) == len(legal)
            for event in legal:
                done_quietly(state, event)


def done_quietly(state: dict, event: list) -> None:
    after, effects = rathot.step(state, event)
    assert after is not state and effects[0][1] != "refused", (event, effects)


def test_nothing_but_the_listed_events_is_accepted():
    for n, (state, legal) in enumerate(random_game(5)):
        if n not in (3, 19, 52) or state["phase"][0] != "lay":
            continue
        listed = {tuple(event) for event in legal}
        seat, strip = state["phase"][1], state["held"][0]
        top, _ = surface(state["strips"], state["laid"])
        xs, ys = [at % 512 - 256 for at in top], [at // 512 - 256 for at in top]
        for x in range(min(xs) - 4, max(xs) + 5):
            for y in range(min(ys) - 4, max(ys) + 5):
                for d in range(4):
                    event = ["lay", seat, strip, x, y, d]
                    if tuple(event) not in listed:
                        refused(state, event)


def test_a_position_that_is_kept_is_the_one_that_was_laid():
    for state, _ in random_game(8):
        strips, laid = parts(state)
        kept = surface(strips, laid)
        assert kept == surface(strips, list(laid)), "seen afresh"


def test_two_turns_from_one_position_do_not_mix():
    for state, legal in random_game(9):
        if len(legal) > 1 and legal[0][0] == "lay":
            for event in (legal[0], legal[-1], legal[0]):
                after = rathot.step(state, event)[0]
                line = rathot.text(after)
                assert rathot.view(after, 0) == rathot.view(rathot.parse(line), 0)
            assert rathot.legal(state, legal[0][1]) == legal


def test_packed_list_stands_for_the_legal_events():
    for n, (state, legal) in enumerate(random_game(6)):
        if n % 9 == 0 and legal:
            spots = places(surface(*parts(state))[0], None)
            assert unpack_spots(pack_spots(spots)) == numbers(spots)
            assert len(numbers(spots)) == len(spots)
            seat = rathot.seats_asked(state)[0]
            brief = rathot.packed(state, seat)
            assert rathot.unpacked(brief) == legal and rathot.packed(state, 1 - seat) is None
            assert brief[0] == "turn_up" or len(repr(brief)) < 3000


def test_43_strips_are_somewhere_in_every_state_and_points_are_chips():
    for peaceful in (True, False):
        for seed in range(4):
            for state, _ in random_game(seed, peaceful):
                strips = [each[0] for each in state["laid"]] + state["held"] + state["pile"]
                assert sorted(strips) == list(range(43))
                ones = state["reserve"][0] + state["chips"][0][0] + state["chips"][1][0]
                twos = state["reserve"][1] + state["chips"][0][1] + state["chips"][1][1]
                assert (ones, twos) == (15, 15)
    assert len(PEACEFUL) == 43
