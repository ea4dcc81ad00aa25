"""Safranito, phase 4 and the next round: blends, refill, the end."""

from safranito_tables import play, refused

from spicecore.games.safranito import rules as safranito


def take(pile, blend):
    pile.remove(blend)
    return blend


def kitchen(opened, hands, reserved=None, cooked=None, players=2, chef=0):
    """A game in phase 4: open blends, hands {seat: [blend, ...] whose spices he holds}."""
    s = safranito.new({"players": players, "chef": chef, "seed": 5})
    pile = s["pile"] + s["open"]
    s["open"] = [take(pile, blend) for blend in opened]
    for seat, blends in (reserved or {}).items():
        s["reserved"][seat] = [take(pile, blend) for blend in blends]
    for seat, blends in (cooked or {}).items():
        s["cooked"][seat] = [take(pile, blend) for blend in blends]
    s["pile"] = pile
    deck = list(s["deck"])
    for seat, blends in hands.items():
        for blend in blends:
            for spice in BLENDS[blend]:
                deck.remove(str(spice))
                s["hands"][seat][spice] += 1
    s["deck"] = "".join(deck)
    while s["phase"][0] == "throw":
        s, _ = play(s, safranito.legal(s, safranito.seats_asked(s)[0])[0])
    return s


BLENDS = {0: (0, 1, 2), 11: (2, 3, 7), 4: (1, 7, 8), 9: (0, 4, 8)}


def test_rule_book_blend_of_cardamom_chili_and_cumin():
    s = kitchen([11, 0], {0: [11]})
    assert safranito.view(s, None)["open"][0] == [11, ["cardamom", "chili", "cumin"]]
    s, fx = play(s, ["cook_open", 0, 11])
    assert fx == [[None, "cooked", 0, 11, "open"]]
    assert s["discard"] == [0, 0, 1, 1, 0, 0, 0, 1, 0] and s["hands"][0] == [0] * 9
    assert s["cooked"] == [[11], []] and s["open"] == [0] and s["phase"] == ["cook", 1, 0]


def test_ruling_cooking_goes_in_order_from_the_head_chef():
    s = kitchen([11, 0], {}, players=3, chef=1)
    order = []
    while s["phase"][0] == "cook":
        seat = safranito.seats_asked(s)[0]
        order.append(seat)
        refused(s, ["done", (seat + 1) % 3], "not_you")
        s, fx = play(s, ["done", seat])
    assert order == [1, 2, 0] and fx == [[None, "done", 0], [None, "phase", "round_over"]]


def test_ruling_at_most_one_open_blend_each():
    s = kitchen([11, 0], {0: [11, 0]}, {0: [4]})
    s, _ = play(s, ["cook_open", 0, 11])
    refused(s, ["cook_open", 0, 0], "no_blend")
    assert safranito.legal(s, 0) == [["done", 0]]


def test_ruling_any_number_of_reserved_blends_besides():
    s = kitchen([11], {0: [11, 0, 4]}, {0: [0, 4]})
    s, fx = play(s, ["cook_reserved", 0, 4], ["cook_open", 0, 11])
    assert s["phase"] == ["cook", 0, 1]
    s, fx = play(s, ["cook_reserved", 0, 0])
    assert fx[-2:] == [[None, "winner", 0], [None, "phase", "over"]]


def test_ruling_a_reserved_blend_is_his_alone():
    s = kitchen([11], {1: [0]}, {0: [0]})
    s, _ = play(s, ["done", 0])
    refused(s, ["cook_reserved", 1, 0], "no_blend")
    refused(s, ["cook_open", 1, 0], "no_blend")


def test_a_blend_without_its_three_spices_cannot_be_cooked():
    s = kitchen([11, 0], {0: [0]})
    refused(s, ["cook_open", 0, 11], "no_card")
    refused(s, ["cook_open", 0, 17], "no_blend")
    assert safranito.legal(s, 0) == [["cook_open", 0, 0], ["no_open", 0], ["done", 0]]


def test_open_blends_may_be_gone_for_those_who_come_later():
    s = kitchen([11], {0: [11], 1: [11]})
    s, _ = play(s, ["cook_open", 0, 11])
    assert s["phase"] == ["round_over"] and s["open"] == []  # red has nothing left to decide


def test_ruling_the_third_blend_ends_the_game_at_once():
    s = kitchen([11, 0], {0: [11]}, {0: [4]}, {0: [9, 1]})
    s, fx = play(s, ["cook_open", 0, 11])
    assert fx == [
        [None, "cooked", 0, 11, "open"],
        [None, "winner", 0],
        [None, "phase", "over"],
    ]
    assert safranito.over(s) and safranito.view(s, None)["winner"] == 0
    assert safranito.standing(s) == [[0, 1, {"blends": 3}], [1, 2, {"blends": 0}]]
    refused(s, ["done", 1], "over")


def test_without_open_blend_only_the_reserved_ones_are_left():
    s = kitchen([11, 0], {0: [11]}, {0: [4]})
    s, fx = play(s, ["no_open", 0])
    assert fx == [[None, "no_open", 0]] and s["phase"] == ["cook", 0, 1]
    refused(s, ["no_open", 0], "no_blend")


def test_seats_without_anything_to_decide_are_passed_over():
    s = kitchen([], {}, {1: [4]})
    assert s["phase"] == ["cook", 1, 0]
    assert kitchen([], {})["phase"] == ["round_over"]


def test_ruling_cards_are_added_but_open_blends_only_topped_up():
    for players, blends, cards in ((2, 2, 4), (3, 2, 5), (4, 3, 6)):
        s = safranito.new({"players": players, "chef": 0, "seed": 5})
        assert len(s["open"]) == blends and sum(s["display"]) == cards
        while s["phase"][0] != "round_over":
            seat = safranito.seats_asked(s)[0]
            s, _ = play(
                s, ["done", seat] if s["phase"][0] == "cook" else safranito.legal(s, seat)[0]
            )
        first = list(s["open"])
        s["pile"] = s["pile"] + [s["open"].pop()]
        top, deck = s["pile"][0], s["deck"]
        s, fx = play(s, ["next_round", 0])
        assert s["open"] == first[:-1] + [top] and sum(s["display"]) == 2 * cards
        assert fx[:3] == [[None, "chef", 1], [None, "round", 2], [None, "opened", [top]]]
        assert fx[3][1] == "laid" and len(fx[3][2]) == cards and s["deck"] == deck[cards:]
        assert s["phase"] == ["throw", 0] and s["seen"] == []


def test_ruling_any_number_of_cards_lie_in_one_place_per_spice():
    s = kitchen([], {})
    cards = s["deck"]
    laid = [cards[:4].count(str(spice)) + s["display"][spice] for spice in range(9)]
    s, _ = play(s, ["next_round", 0])
    assert s["display"] == laid and max(laid) > 1


def test_next_round_waits_for_a_clear_board():
    s = kitchen([], {})
    s["astray"] = {"b10": "mint", "r20": "curry"}
    after, fx = safranito.step(s, ["next_round", 0])
    assert after is s and fx[0][2] == "not_clear"
    assert fx[0][3].endswith("blue in mint, red in curry.")
    assert safranito.legal(s, 0) == [] and safranito.seats_asked(s) == [0]
    s, _ = play(s, ["moved", None, [["b10", None]]], ["accept", None, [["r20", None]]])
    s, _ = play(s, ["next_round", 0])
    refused(s, ["next_round", 1], "not_now")


def test_a_draw_pile_used_up_is_renewed_from_the_discard_pile():
    s = kitchen([], {})
    gone = s["deck"][1:]
    s["discard"] = [gone.count(str(spice)) for spice in range(9)]
    s["deck"] = s["deck"][:1]
    s, fx = play(s, ["next_round", 0])
    assert fx[3] == [None, "reshuffled", len(gone)] and fx[4][1] == "laid"
    assert len(fx[4][2]) == 4 and sum(s["discard"]) == 0


def test_no_card_left_anywhere_lays_fewer():
    s = kitchen([], {})
    s["hands"][0] = [s["deck"].count(str(spice)) for spice in range(9)]
    s["deck"] = ""
    s, fx = play(s, ["next_round", 0])
    assert fx[3] == [None, "laid", []]


def test_standing_shares_ranks():
    s = kitchen([11], {}, cooked={1: [0], 2: [4]}, players=3)
    assert safranito.standing(s) == [
        [1, 1, {"blends": 1}],
        [2, 1, {"blends": 1}],
        [0, 3, {"blends": 0}],
    ]
