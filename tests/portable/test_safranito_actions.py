"""Safranito, phase 2: the four action spaces."""

from safranito_tables import play, refused

from spicecore.games.safranito import rules as safranito


def start(players=4, **options):
    options.update({"players": players, "chef": 0, "seed": 5})
    return safranito.new(options)


def thrown(s, places):
    """All throws are made, and the chips lie so: {chip: zone}; not yet revealed."""
    s, _ = play(s, ["accept", None, [[chip, zone] for chip, zone in sorted(places.items())]])
    while safranito.legal(s, s["chef"]) != [["reveal", s["chef"]]]:
        s, _ = play(s, ["missed", safranito.seats_asked(s)[0]])
    return s


def revealed(places, players=4, **options):
    return play(thrown(start(players, **options), places), ["reveal", 0])


def kinds(effects):
    return [effect[1] for effect in effects]


def test_rule_book_example_tie_red_and_orange_on_extra_throw():
    s, fx = revealed({"r40": "extra_throw", "o40": "extra_throw"})
    assert fx == [
        [None, "revealed", "extra_throw", [[1, 40], [3, 40]]],
        [None, "won", "extra_throw", 1, 40],
        [None, "phase", "extra_throw"],
    ]
    assert safranito.seats_asked(s) == [1]


def test_ruling_the_head_chef_is_first_in_a_tie():
    _, fx = revealed({"b40": "extra_throw", "r40": "extra_throw"})
    assert fx[1] == [None, "won", "extra_throw", 0, 40]


def test_option_the_head_chef_is_last_in_a_tie():
    _, fx = revealed({"b40": "extra_throw", "r40": "extra_throw"}, tie="chef_last")
    assert fx[1] == [None, "won", "extra_throw", 1, 40]


def test_ruling_the_highest_total_wins_a_space():
    _, fx = revealed({"b60": "reserve", "g30": "reserve", "g40": "reserve"})
    assert fx[1] == [None, "won", "reserve", 2, 70]


def test_spaces_are_evaluated_in_their_order():
    places = {"b10": "head_chef", "r20": "reserve", "g30": "spice_card", "o40": "extra_throw"}
    places["r30"] = "head_chef"
    s, _ = revealed(places)
    order = []
    while s["phase"][0] != "cook":
        order.append(s["phase"][0])
        event = safranito.legal(s, safranito.seats_asked(s)[0])[0]
        if event[0] == "missed":
            event = ["pass", event[1]]
        s, _ = play(s, event)
    assert order == ["extra_throw", "spice_card", "keep", "reserve", "head_chef"]


def test_ruling_declining_does_not_pass_on():
    s, _ = revealed({"r40": "extra_throw", "o30": "extra_throw"})
    s, fx = play(s, ["pass", 1])
    assert fx == [
        [None, "passed", 1, "extra_throw"],
        [None, "home", "extra_throw", [[1, 1], [3, 1]]],
        [None, "phase", "cook"],
    ]


def test_ruling_extra_throw_pushes_and_changes_later_spaces():
    s, _ = revealed({"r40": "extra_throw", "g10": "spice_card", "b10": "mint"})
    change = [["r60", "spice_card"], ["g10", "mint"], ["b10", None]]
    s, fx = play(s, ["moved", None, change])
    assert fx[0] == [None, "thrown", 1, "spice_card"] and s["phase"] == ["extra_throw", 1, 1]
    s, fx = play(s, ["reveal", 0])
    assert [None, "won", "spice_card", 1, 60] in fx and s["phase"] == ["spice_card", 1, 6]


def test_ruling_extra_throw_onto_the_space_is_not_resolved_twice():
    s, _ = revealed({"r40": "extra_throw"})
    s, _ = play(s, ["moved", None, [["r60", "extra_throw"]]])
    assert safranito.view(s, None)["zones"] == {"extra_throw": [[1, 40], [1, None]]}
    _, fx = play(s, ["reveal", 0])
    assert "won" not in kinds(fx)


def test_ruling_extra_throw_only_with_a_chip_not_seen_this_round():
    s, _ = revealed({"r40": "extra_throw", "r50": "mint"})
    assert safranito.view(s, 1)["you"]["throwable"] == ["r10", "r20", "r30", "r60"]
    s, fx = play(s, ["moved", None, [["r50", "curry"]]])
    assert fx == [[None, "moved", 1, "mint", "curry"]] and s["phase"] == ["extra_throw", 1, 0]
    refused(s, ["moved", None, [["r10", "curry"], ["r20", "curry"], ["r30", "mint"],
                                ["r60", "mint"]]], "two_throws")  # fmt: skip


def test_an_extra_throw_of_another_seat_is_refused():
    s, _ = revealed({"r40": "extra_throw", "b10": "mint", "b20": "mint", "b30": "mint"})
    refused(s, ["moved", None, [["b40", "curry"]]], "no_throw")


def test_an_extra_throw_that_nobody_saw():
    s, _ = revealed({"r40": "extra_throw"})
    refused(s, ["missed", 0], "not_you")
    s, fx = play(s, ["missed", 1])
    assert fx == [[None, "missed", 1]] and safranito.seats_asked(s) == [0]
    refused(s, ["pass", 1], "not_now")


def test_ruling_spice_card_looks_at_the_first_digit_of_the_highest_single_chip():
    s, _ = revealed({"g20": "spice_card", "g30": "spice_card", "o40": "spice_card"})
    assert s["phase"] == ["spice_card", 2, 3]
    deck = s["deck"]
    s, fx = play(s, ["draw", 2])
    assert fx[0] == [None, "drew", 2, 3] and s["phase"] == ["keep", 2, deck[:3]]
    cards = [safranito.view(s, 2)["you"]["drawn"], fx[1][2]]
    assert cards[0] == cards[1] and len(cards[0]) == 3 and fx[1][:2] == [2, "cards"]
    assert safranito.view(s, 1)["you"]["drawn"] == [] and safranito.view(s, 1)["deck"] == 45
    s, fx = play(s, ["keep", 2, cards[0][1]])
    kept, rest = cards[0][1], deck[0] + deck[2]
    assert fx[:2] == [[None, "kept", 2], [2, "kept_card", kept]]
    assert s["deck"] == deck[3:] + rest
    assert safranito.view(s, 2)["you"]["hand"] == {kept: 1}


def test_ruling_60_looks_at_six():
    s, _ = revealed({"g60": "spice_card"})
    s, fx = play(s, ["draw", 2])
    assert fx[0] == [None, "drew", 2, 6]


def test_a_card_that_was_not_drawn_cannot_be_kept():
    s, _ = revealed({"g10": "spice_card"})
    s, _ = play(s, ["draw", 2])
    drawn = safranito.view(s, 2)["you"]["drawn"]
    other = "mint" if drawn == ["curry"] else "curry"
    refused(s, ["keep", 2, other], "no_card")
    refused(s, ["keep", 1, other], "not_you")
    refused(s, ["keep", 2, "soup"], "no_card")


def test_ruling_draw_pile_short_takes_the_rest_and_shuffles_the_discard_pile():
    s, _ = revealed({"g60": "spice_card"})
    rest, gone = s["deck"][:2], s["deck"][2:]
    s = dict(s, deck=rest, discard=[gone.count(str(spice)) for spice in range(9)])
    s, fx = play(s, ["draw", 2])
    assert fx[:2] == [[None, "reshuffled", len(gone)], [None, "drew", 2, 6]]
    assert s["phase"][2][:2] == rest and len(s["deck"]) == len(gone) - 4
    assert s["discard"] == [0] * 9


def test_ruling_still_short_means_fewer_never_a_failure():
    s, _ = revealed({"g60": "spice_card"})
    hands = list(s["hands"])
    hands[0] = [s["deck"][2:].count(str(spice)) for spice in range(9)]
    s = dict(s, deck=s["deck"][:2], hands=hands)
    after, fx = play(s, ["draw", 2])
    assert fx[0] == [None, "drew", 2, 2] and len(after["phase"][2]) == 2
    s = dict(s, deck="")
    after, fx = play(s, ["draw", 2])
    assert fx[0] == [None, "drew", 2, 0] and after["phase"] == ["cook", 0, 0]


def test_reserve_takes_the_top_blend_for_him_alone():
    s, _ = revealed({"o10": "reserve"})
    top = s["pile"][0]
    s, fx = play(s, ["reserve", 3])
    assert fx[:2] == [[None, "reserved", 3], [3, "blend", top]]
    assert s["reserved"][3] == [top] and top not in s["pile"]
    assert safranito.view(s, 3)["you"]["reserved"][0][0] == top
    public = safranito.view(s, 0)
    assert public["reserved"] == [0, 0, 0, 1] and public["you"]["reserved"] == []


def test_ruling_reserve_with_no_blend_left_has_no_effect():
    s = thrown(start(), {"o10": "reserve"})
    s = dict(s, pile=[], cooked=[s["pile"], [], [], []])
    s, fx = play(s, ["reveal", 0])
    assert [None, "no_blend", 3] in fx and s["reserved"][3] == []


def test_ruling_head_chef_action_takes_effect_at_once():
    s, _ = revealed({"g10": "head_chef", "b20": "mint", "g20": "mint"})
    assert s["phase"] == ["head_chef", 2]
    s, fx = play(s, ["take", 2])
    assert fx[0] == [None, "chef", 2] and safranito.seats_asked(s) == [2]
    refused(s, ["choose", 0, "mint"], "not_you")
    s, _ = play(s, ["choose", 2, "mint"])
    refused(s, ["close", 0], "not_you")
    s = dict(s, display=[0, 0, 0, 0, 0, 0, 2, 0, 0])
    s, _ = play(s, ["close", 2])
    assert safranito.seats_asked(s) == [2]  # the tie is his now


def test_ruling_the_mill_passes_left_from_the_new_holder():
    s, _ = revealed({"g10": "head_chef"})
    s, _ = play(s, ["take", 2], ["moved", None, [["g10", None]]])
    for _ in range(4):
        assert s["phase"][0] == "cook"
        s, _ = play(s, ["done", safranito.seats_asked(s)[0]])
    s, fx = play(s, ["next_round", 2])
    assert fx[0] == [None, "chef", 3] and s["chef"] == 3


def test_the_head_chef_who_wins_his_own_space_is_not_asked():
    s, fx = revealed({"b10": "head_chef"})
    assert [None, "won", "head_chef", 0, 10] in fx and s["phase"] == ["cook", 0, 0]


def test_ruling_chips_on_action_spaces_lie_until_phase_2_ends():
    s, _ = revealed({"r40": "extra_throw", "b10": "reserve"})
    s, fx = play(s, ["pass", 1])
    assert s["lying"] == {"r40": "extra_throw", "b10": "reserve"} and "home" not in kinds(fx)
    s, fx = play(s, ["pass", 0])
    assert s["lying"] == {} and s["astray"] == {"r40": "extra_throw", "b10": "reserve"}


def test_option_chips_on_action_spaces_go_home_when_their_space_is_done():
    s, _ = revealed({"r40": "extra_throw", "b10": "reserve"}, action_chips="home")
    s, fx = play(s, ["pass", 1])
    assert s["lying"] == {"b10": "reserve"}
    assert fx[1] == [None, "home", "extra_throw", [[1, 1]]]


def test_ruling_invalid_chips_go_home_at_the_start_of_phase_3():
    s, _ = revealed({"b10": "mint"})
    assert s["phase"] == ["choose"] and s["missed"] == [0, 0, 0, 0]
    s, fx = play(s, ["moved", None, [["r10", "mint"]]])  # too late: it must be lifted again
    assert fx == [[None, "moved", 1, None, "mint"]] and s["lying"] == {"b10": "mint"}
    assert safranito.mismatch(s, {"b10": "mint", "r10": "mint"}) == [["r10", "mint", None]]


def test_late_moves_in_phase_2_change_nothing_in_the_game():
    s, _ = revealed({"g60": "spice_card", "b10": "mint"})
    s, fx = play(s, ["moved", None, [["b10", "curry"]]])
    assert fx == [[None, "moved", 0, "mint", "curry"]]
    assert s["lying"]["b10"] == "mint" and s["astray"] == {"b10": "curry"}
    assert safranito.mismatch(s, {"b10": "curry", "g60": "spice_card"}) == [
        ["b10", "curry", "mint"]
    ]
    righted, _ = play(s, ["moved", None, [["b10", "mint"]]])
    assert righted["astray"] == {}
    s, fx = play(s, ["accept", None, [["b10", "curry"]]])
    assert fx == [[None, "accepted", [[0, "mint", "curry"]]]]
    assert s["lying"]["b10"] == "curry" and s["astray"] == {}


def test_undo_never_after_a_secret_was_told():
    s = thrown(start(), {"g60": "spice_card"})
    assert not safranito.undoable(s, ["reveal", 0])
    s, _ = play(s, ["reveal", 0])
    assert not safranito.undoable(s, ["draw", 2]) and safranito.undoable(s, ["pass", 2])
