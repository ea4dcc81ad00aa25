"""Safranito, phase 4 and the next round: blends, refill, the end."""

from safranito_tables import play, refused

from spicecore.games.safranito import rules as safranito


def take(pile, blend):
    pile.remove(blend)
    return blend


def kitchen(opened, hands, reserved=None, cooked=None, players=2, chef=0):
    """A game in phase 4: open blends, hands {seat: [blend, ...] whose spices he holds}."""
    state = safranito.new({"players": players, "chef": chef, "seed": 5})
    pile = state["pile"] + state["open"]
    state["open"] = [take(pile, blend) for blend in opened]
    for seat, blends in (reserved or {}).items():
        state["reserved"][seat] = [take(pile, blend) for blend in blends]
    for seat, blends in (cooked or {}).items():
        state["cooked"][seat] = [take(pile, blend) for blend in blends]
    state["pile"] = pile
    deck = list(state["deck"])
    for seat, blends in hands.items():
        for blend in blends:
            for spice in BLENDS[blend]:
                deck.remove(str(spice))
                state["hands"][seat][spice] += 1
    state["deck"] = "".join(deck)
    while state["phase"][0] == "throw":
        state, _ = play(state, safranito.legal(state, safranito.seats_asked(state)[0])[0])
    return state


BLENDS = {0: (0, 1, 2), 11: (2, 3, 7), 4: (1, 7, 8), 9: (0, 4, 8)}


def test_rule_book_blend_of_cardamom_chili_and_cumin():
    state = kitchen([11, 0], {0: [11]})
    assert safranito.view(state, None)["open"][0] == [11, ["cardamom", "chili", "cumin"]]
    state, effects = play(state, ["cook_open", 0, 11])
    assert effects == [[None, "cooked", 0, 11, "open"]]
    assert state["discard"] == [0, 0, 1, 1, 0, 0, 0, 1, 0] and state["hands"][0] == [0] * 9
    assert (
        state["cooked"] == [[11], []] and state["open"] == [0] and state["phase"] == ["cook", 1, 0]
    )


def test_ruling_cooking_goes_in_order_from_the_head_chef():
    state = kitchen([11, 0], {}, players=3, chef=1)
    order = []
    while state["phase"][0] == "cook":
        seat = safranito.seats_asked(state)[0]
        order.append(seat)
        refused(state, ["done", (seat + 1) % 3], "not_you")
        state, effects = play(state, ["done", seat])
    assert order == [1, 2, 0] and effects == [[None, "done", 0], [None, "phase", "round_over"]]


def test_ruling_at_most_one_open_blend_each():
    state = kitchen([11, 0], {0: [11, 0]}, {0: [4]})
    state, _ = play(state, ["cook_open", 0, 11])
    refused(state, ["cook_open", 0, 0], "no_blend")
    assert safranito.legal(state, 0) == [["done", 0]]


def test_ruling_any_number_of_reserved_blends_besides():
    state = kitchen([11], {0: [11, 0, 4]}, {0: [0, 4]})
    state, effects = play(state, ["cook_reserved", 0, 4], ["cook_open", 0, 11])
    assert state["phase"] == ["cook", 0, 1]
    state, effects = play(state, ["cook_reserved", 0, 0])
    assert effects[-2:] == [[None, "winner", 0], [None, "phase", "over"]]


def test_ruling_a_reserved_blend_is_his_alone():
    state = kitchen([11], {1: [0]}, {0: [0]})
    state, _ = play(state, ["done", 0])
    refused(state, ["cook_reserved", 1, 0], "no_blend")
    refused(state, ["cook_open", 1, 0], "no_blend")


def test_a_blend_without_its_three_spices_cannot_be_cooked():
    state = kitchen([11, 0], {0: [0]})
    refused(state, ["cook_open", 0, 11], "no_card")
    refused(state, ["cook_open", 0, 17], "no_blend")
    assert safranito.legal(state, 0) == [["cook_open", 0, 0], ["no_open", 0], ["done", 0]]


def test_open_blends_may_be_gone_for_those_who_come_later():
    state = kitchen([11], {0: [11], 1: [11]})
    state, _ = play(state, ["cook_open", 0, 11])
    assert (
        state["phase"] == ["round_over"] and state["open"] == []
    )  # red has nothing left to decide


def test_ruling_the_third_blend_ends_the_game_at_once():
    state = kitchen([11, 0], {0: [11]}, {0: [4]}, {0: [9, 1]})
    state, effects = play(state, ["cook_open", 0, 11])
    assert effects == [
        [None, "cooked", 0, 11, "open"],
        [None, "winner", 0],
        [None, "phase", "over"],
    ]
    assert safranito.over(state) and safranito.view(state, None)["winner"] == 0
    assert safranito.standing(state) == [[0, 1, {"blends": 3}], [1, 2, {"blends": 0}]]
    refused(state, ["done", 1], "over")


def test_without_open_blend_only_the_reserved_ones_are_left():
    state = kitchen([11, 0], {0: [11]}, {0: [4]})
    state, effects = play(state, ["no_open", 0])
    assert effects == [[None, "no_open", 0]] and state["phase"] == ["cook", 0, 1]
    refused(state, ["no_open", 0], "no_blend")


def test_seats_without_anything_to_decide_are_passed_over():
    state = kitchen([], {}, {1: [4]})
    assert state["phase"] == ["cook", 1, 0]
    assert kitchen([], {})["phase"] == ["round_over"]


def test_ruling_cards_are_added_but_open_blends_only_topped_up():
    for players, blends, cards in ((2, 2, 4), (3, 2, 5), (4, 3, 6)):
        state = safranito.new({"players": players, "chef": 0, "seed": 5})
        assert len(state["open"]) == blends and sum(state["display"]) == cards
        while state["phase"][0] != "round_over":
            seat = safranito.seats_asked(state)[0]
            state, _ = play(
                state,
                ["done", seat] if state["phase"][0] == "cook" else safranito.legal(state, seat)[0],
            )
        first = list(state["open"])
        state["pile"] = state["pile"] + [state["open"].pop()]
        top, deck = state["pile"][0], state["deck"]
        state, effects = play(state, ["next_round", 0])
        assert state["open"] == first[:-1] + [top] and sum(state["display"]) == 2 * cards
        assert effects[:3] == [[None, "chef", 1], [None, "round", 2], [None, "opened", [top]]]
        assert (
            effects[3][1] == "laid"
            and len(effects[3][2]) == cards
            and state["deck"] == deck[cards:]
        )
        assert state["phase"] == ["throw", 0] and state["seen"] == []


def test_ruling_any_number_of_cards_lie_in_one_place_per_spice():
    state = kitchen([], {})
    cards = state["deck"]
    laid = [cards[:4].count(str(spice)) + state["display"][spice] for spice in range(9)]
    state, _ = play(state, ["next_round", 0])
    assert state["display"] == laid and max(laid) > 1


def test_next_round_waits_for_a_clear_board():
    state = kitchen([], {})
    state["astray"] = {"b10": "mint", "r20": "curry"}
    after, effects = safranito.step(state, ["next_round", 0])
    assert after is state and effects[0][2] == "not_clear"
    assert effects[0][3].endswith("blue in mint, red in curry.")
    assert safranito.legal(state, 0) == [] and safranito.seats_asked(state) == [0]
    state, _ = play(state, ["moved", None, [["b10", None]]], ["accept", None, [["r20", None]]])
    state, _ = play(state, ["next_round", 0])
    refused(state, ["next_round", 1], "not_now")


def test_a_draw_pile_used_up_is_renewed_from_the_discard_pile():
    state = kitchen([], {})
    gone = state["deck"][1:]
    state["discard"] = [gone.count(str(spice)) for spice in range(9)]
    state["deck"] = state["deck"][:1]
    state, effects = play(state, ["next_round", 0])
    assert effects[3] == [None, "reshuffled", len(gone)] and effects[4][1] == "laid"
    assert len(effects[4][2]) == 4 and sum(state["discard"]) == 0


def test_no_card_left_anywhere_lays_fewer():
    state = kitchen([], {})
    state["hands"][0] = [state["deck"].count(str(spice)) for spice in range(9)]
    state["deck"] = ""
    state, effects = play(state, ["next_round", 0])
    assert effects[3] == [None, "laid", []]


def test_standing_shares_ranks():
    state = kitchen([11], {}, cooked={1: [0], 2: [4]}, players=3)
    assert safranito.standing(state) == [
        [1, 1, {"blends": 1}],
        [2, 1, {"blends": 1}],
        [0, 3, {"blends": 0}],
    ]
