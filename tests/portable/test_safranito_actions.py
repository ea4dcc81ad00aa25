"""Safranito, phase 2: the four action spaces."""

from safranito_tables import play, refused

from spicecore.games.safranito import rules as safranito


def start(players=4, **options):
    options.update({"players": players, "chef": 0, "seed": 5})
    return safranito.new(options)


def thrown(state, places):
    """All throws are made, and the chips lie so: {chip: zone}; not yet revealed."""
    state, _ = play(
        state, ["accept", None, [[chip, zone] for chip, zone in sorted(places.items())]]
    )
    while safranito.legal(state, state["chef"]) != [["reveal", state["chef"]]]:
        state, _ = play(state, ["missed", safranito.seats_asked(state)[0]])
    return state


def revealed(places, players=4, **options):
    return play(thrown(start(players, **options), places), ["reveal", 0])


def kinds(effects):
    return [effect[1] for effect in effects]


def test_rule_book_example_tie_red_and_orange_on_extra_throw():
    state, effects = revealed({"r40": "extra_throw", "o40": "extra_throw"})
    assert effects == [
        [None, "revealed", "extra_throw", [[1, 40], [3, 40]]],
        [None, "won", "extra_throw", 1, 40],
        [None, "phase", "extra_throw"],
    ]
    assert safranito.seats_asked(state) == [1]


def test_ruling_the_head_chef_is_first_in_a_tie():
    _, effects = revealed({"b40": "extra_throw", "r40": "extra_throw"})
    assert effects[1] == [None, "won", "extra_throw", 0, 40]


def test_option_the_head_chef_is_last_in_a_tie():
    _, effects = revealed({"b40": "extra_throw", "r40": "extra_throw"}, tie="chef_last")
    assert effects[1] == [None, "won", "extra_throw", 1, 40]


def test_ruling_the_highest_total_wins_a_space():
    _, effects = revealed({"b60": "reserve", "g30": "reserve", "g40": "reserve"})
    assert effects[1] == [None, "won", "reserve", 2, 70]


def test_spaces_are_evaluated_in_their_order():
    places = {"b10": "head_chef", "r20": "reserve", "g30": "spice_card", "o40": "extra_throw"}
    places["r30"] = "head_chef"
    state, _ = revealed(places)
    order = []
    while state["phase"][0] != "cook":
        order.append(state["phase"][0])
        event = safranito.legal(state, safranito.seats_asked(state)[0])[0]
        if event[0] == "missed":
            event = ["pass", event[1]]
        state, _ = play(state, event)
    assert order == ["extra_throw", "spice_card", "keep", "reserve", "head_chef"]


def test_ruling_declining_does_not_pass_on():
    state, _ = revealed({"r40": "extra_throw", "o30": "extra_throw"})
    state, effects = play(state, ["pass", 1])
    assert effects == [
        [None, "passed", 1, "extra_throw"],
        [None, "home", "extra_throw", [[1, 1], [3, 1]]],
        [None, "phase", "cook"],
    ]


def test_ruling_extra_throw_pushes_and_changes_later_spaces():
    state, _ = revealed({"r40": "extra_throw", "g10": "spice_card", "b10": "mint"})
    change = [["r60", "spice_card"], ["g10", "mint"], ["b10", None]]
    state, effects = play(state, ["moved", None, change])
    assert effects[0] == [None, "thrown", 1, "spice_card"] and state["phase"] == [
        "extra_throw",
        1,
        1,
    ]
    state, effects = play(state, ["reveal", 0])
    assert [None, "won", "spice_card", 1, 60] in effects and state["phase"] == ["spice_card", 1, 6]


def test_ruling_extra_throw_onto_the_space_is_not_resolved_twice():
    state, _ = revealed({"r40": "extra_throw"})
    state, _ = play(state, ["moved", None, [["r60", "extra_throw"]]])
    assert safranito.view(state, None)["zones"] == {"extra_throw": [[1, 40], [1, None]]}
    _, effects = play(state, ["reveal", 0])
    assert "won" not in kinds(effects)


def test_ruling_extra_throw_only_with_a_chip_not_seen_this_round():
    state, _ = revealed({"r40": "extra_throw", "r50": "mint"})
    assert safranito.view(state, 1)["you"]["throwable"] == ["r10", "r20", "r30", "r60"]
    state, effects = play(state, ["moved", None, [["r50", "curry"]]])
    assert effects == [[None, "moved", 1, "mint", "curry"]] and state["phase"] == [
        "extra_throw",
        1,
        0,
    ]
    refused(state, ["moved", None, [["r10", "curry"], ["r20", "curry"], ["r30", "mint"],
                                ["r60", "mint"]]], "two_throws")  # fmt: skip


def test_an_extra_throw_of_another_seat_is_refused():
    state, _ = revealed({"r40": "extra_throw", "b10": "mint", "b20": "mint", "b30": "mint"})
    refused(state, ["moved", None, [["b40", "curry"]]], "no_throw")


def test_an_extra_throw_that_nobody_saw():
    state, _ = revealed({"r40": "extra_throw"})
    refused(state, ["missed", 0], "not_you")
    state, effects = play(state, ["missed", 1])
    assert effects == [[None, "missed", 1]] and safranito.seats_asked(state) == [0]
    refused(state, ["pass", 1], "not_now")


def test_ruling_spice_card_looks_at_the_first_digit_of_the_highest_single_chip():
    state, _ = revealed({"g20": "spice_card", "g30": "spice_card", "o40": "spice_card"})
    assert state["phase"] == ["spice_card", 2, 3]
    deck = state["deck"]
    state, effects = play(state, ["draw", 2])
    assert effects[0] == [None, "drew", 2, 3] and state["phase"] == ["keep", 2, deck[:3]]
    cards = [safranito.view(state, 2)["you"]["drawn"], effects[1][2]]
    assert cards[0] == cards[1] and len(cards[0]) == 3 and effects[1][:2] == [2, "cards"]
    assert (
        safranito.view(state, 1)["you"]["drawn"] == [] and safranito.view(state, 1)["deck"] == 45
    )
    state, effects = play(state, ["keep", 2, cards[0][1]])
    kept, rest = cards[0][1], deck[0] + deck[2]
    assert effects[:2] == [[None, "kept", 2], [2, "kept_card", kept]]
    assert state["deck"] == deck[3:] + rest
    assert safranito.view(state, 2)["you"]["hand"] == {kept: 1}


def test_ruling_60_looks_at_six():
    state, _ = revealed({"g60": "spice_card"})
    state, effects = play(state, ["draw", 2])
    assert effects[0] == [None, "drew", 2, 6]


def test_a_card_that_was_not_drawn_cannot_be_kept():
    state, _ = revealed({"g10": "spice_card"})
    state, _ = play(state, ["draw", 2])
    drawn = safranito.view(state, 2)["you"]["drawn"]
    other = "mint" if drawn == ["curry"] else "curry"
    refused(state, ["keep", 2, other], "no_card")
    refused(state, ["keep", 1, other], "not_you")
    refused(state, ["keep", 2, "soup"], "no_card")


def test_ruling_draw_pile_short_takes_the_rest_and_shuffles_the_discard_pile():
    state, _ = revealed({"g60": "spice_card"})
    rest, gone = state["deck"][:2], state["deck"][2:]
    state = dict(state, deck=rest, discard=[gone.count(str(spice)) for spice in range(9)])
    state, effects = play(state, ["draw", 2])
    assert effects[:2] == [[None, "reshuffled", len(gone)], [None, "drew", 2, 6]]
    assert state["phase"][2][:2] == rest and len(state["deck"]) == len(gone) - 4
    assert state["discard"] == [0] * 9


def test_ruling_still_short_means_fewer_never_a_failure():
    state, _ = revealed({"g60": "spice_card"})
    hands = list(state["hands"])
    hands[0] = [state["deck"][2:].count(str(spice)) for spice in range(9)]
    state = dict(state, deck=state["deck"][:2], hands=hands)
    after, effects = play(state, ["draw", 2])
    assert effects[0] == [None, "drew", 2, 2] and len(after["phase"][2]) == 2
    state = dict(state, deck="")
    after, effects = play(state, ["draw", 2])
    assert effects[0] == [None, "drew", 2, 0] and after["phase"] == ["cook", 0, 0]


def test_reserve_takes_the_top_blend_for_him_alone():
    state, _ = revealed({"o10": "reserve"})
    top = state["pile"][0]
    state, effects = play(state, ["reserve", 3])
    assert effects[:2] == [[None, "reserved", 3], [3, "blend", top]]
    assert state["reserved"][3] == [top] and top not in state["pile"]
    assert safranito.view(state, 3)["you"]["reserved"][0][0] == top
    public = safranito.view(state, 0)
    assert public["reserved"] == [0, 0, 0, 1] and public["you"]["reserved"] == []


def test_ruling_reserve_with_no_blend_left_has_no_effect():
    state = thrown(start(), {"o10": "reserve"})
    state = dict(state, pile=[], cooked=[state["pile"], [], [], []])
    state, effects = play(state, ["reveal", 0])
    assert [None, "no_blend", 3] in effects and state["reserved"][3] == []


def test_ruling_head_chef_action_takes_effect_at_once():
    state, _ = revealed({"g10": "head_chef", "b20": "mint", "g20": "mint"})
    assert state["phase"] == ["head_chef", 2]
    state, effects = play(state, ["take", 2])
    assert effects[0] == [None, "chef", 2] and safranito.seats_asked(state) == [2]
    refused(state, ["choose", 0, "mint"], "not_you")
    state, _ = play(state, ["choose", 2, "mint"])
    refused(state, ["close", 0], "not_you")
    state = dict(state, display=[0, 0, 0, 0, 0, 0, 2, 0, 0])
    state, _ = play(state, ["close", 2])
    assert safranito.seats_asked(state) == [2]  # the tie is his now


def test_ruling_the_mill_passes_left_from_the_new_holder():
    state, _ = revealed({"g10": "head_chef"})
    state, _ = play(state, ["take", 2], ["moved", None, [["g10", None]]])
    for _ in range(4):
        assert state["phase"][0] == "cook"
        state, _ = play(state, ["done", safranito.seats_asked(state)[0]])
    state, effects = play(state, ["next_round", 2])
    assert effects[0] == [None, "chef", 3] and state["chef"] == 3


def test_the_head_chef_who_wins_his_own_space_is_not_asked():
    state, effects = revealed({"b10": "head_chef"})
    assert [None, "won", "head_chef", 0, 10] in effects and state["phase"] == ["cook", 0, 0]


def test_ruling_chips_on_action_spaces_lie_until_phase_2_ends():
    state, _ = revealed({"r40": "extra_throw", "b10": "reserve"})
    state, effects = play(state, ["pass", 1])
    assert state["lying"] == {"r40": "extra_throw", "b10": "reserve"} and "home" not in kinds(
        effects
    )
    state, effects = play(state, ["pass", 0])
    assert state["lying"] == {} and state["astray"] == {"r40": "extra_throw", "b10": "reserve"}


def test_option_chips_on_action_spaces_go_home_when_their_space_is_done():
    state, _ = revealed({"r40": "extra_throw", "b10": "reserve"}, action_chips="home")
    state, effects = play(state, ["pass", 1])
    assert state["lying"] == {"b10": "reserve"}
    assert effects[1] == [None, "home", "extra_throw", [[1, 1]]]


def test_ruling_invalid_chips_go_home_at_the_start_of_phase_3():
    state, _ = revealed({"b10": "mint"})
    assert state["phase"] == ["choose"] and state["missed"] == [0, 0, 0, 0]
    state, effects = play(
        state, ["moved", None, [["r10", "mint"]]]
    )  # too late: it must be lifted again
    assert effects == [[None, "moved", 1, None, "mint"]] and state["lying"] == {"b10": "mint"}
    assert safranito.mismatch(state, {"b10": "mint", "r10": "mint"}) == [["r10", "mint", None]]


def test_late_moves_in_phase_2_change_nothing_in_the_game():
    state, _ = revealed({"g60": "spice_card", "b10": "mint"})
    state, effects = play(state, ["moved", None, [["b10", "curry"]]])
    assert effects == [[None, "moved", 0, "mint", "curry"]]
    assert state["lying"]["b10"] == "mint" and state["astray"] == {"b10": "curry"}
    assert safranito.mismatch(state, {"b10": "curry", "g60": "spice_card"}) == [
        ["b10", "curry", "mint"]
    ]
    righted, _ = play(state, ["moved", None, [["b10", "mint"]]])
    assert righted["astray"] == {}
    state, effects = play(state, ["accept", None, [["b10", "curry"]]])
    assert effects == [[None, "accepted", [[0, "mint", "curry"]]]]
    assert state["lying"]["b10"] == "curry" and state["astray"] == {}


def test_undo_never_after_a_secret_was_told():
    state = thrown(start(), {"g60": "spice_card"})
    assert not safranito.undoable(state, ["reveal", 0])
    state, _ = play(state, ["reveal", 0])
    assert not safranito.undoable(state, ["draw", 2]) and safranito.undoable(state, ["pass", 2])
