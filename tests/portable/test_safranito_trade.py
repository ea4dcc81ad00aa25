"""Safranito, phase 3: sale and purchase."""

from safranito_tables import play, refused

from spicecore.games.safranito import rules as safranito


def market(places, display=None, hands=None, players=4, **options):
    """A game whose throws are made and whose trade begins: chips, displayed cards, hands.

    display {spice: number}; hands {seat: {spice: number}}; the deck gives the cards.
    """
    options.update({"players": players, "chef": 0, "seed": 5})
    s = safranito.new(options)
    if s["mode"] == "full":
        deck = list(s["deck"])
        for spice, count in enumerate(s["display"]):
            deck += [str(spice)] * count
        s["display"] = cards(deck, display or {})
        for seat, hand in (hands or {}).items():
            s["hands"][seat] = cards(deck, hand)
        s["deck"] = "".join(deck)
    moves = [[chip, zone] for chip, zone in sorted(places.items())]
    s, _ = play(s, ["accept", None, moves])
    while s["phase"][0] == "throw":
        event = safranito.legal(s, safranito.seats_asked(s)[0])[0]
        s, _ = play(s, event)
    assert s["phase"] == ["choose"] and safranito.parse(safranito.text(s)) == s
    return s


def cards(deck, wanted):
    """Take cards out of the deck; returns nine counts."""
    counts = [0] * 9
    for spice, count in wanted.items():
        index = SPICES.index(spice)
        for _ in range(count):
            deck.remove(str(index))
        counts[index] = count
    return counts


SPICES = ("curry", "ginger", "cardamom", "chili", "saffron", "garlic", "mint", "cumin", "cinnamon")


def test_rule_book_example_saffron_bowl_of_120_sold_by_blue_and_red():
    chips = {"b40": "saffron", "g30": "saffron", "o20": "saffron", "g20": "saffron"}
    chips["o10"] = "saffron"
    s = market(chips, {"saffron": 1}, {0: {"saffron": 2}, 1: {"saffron": 1}})
    s, fx = play(s, ["choose", 0, "saffron"])
    assert fx[1] == [None, "price", "saffron", 120]
    s, fx = play(s, ["sell", 0, 2], ["sell", 1, 1], ["close", 0])
    assert fx[2:] == [
        [None, "sold", 0, "saffron", 2, 240],
        [None, "sold", 1, "saffron", 1, 120],
        [None, "home", "saffron", [[0, 1]]],
        [None, "phase", "buy"],
    ]
    assert s["money"] == [440, 320, 200, 200] and "b40" not in s["lying"]
    assert s["discard"] == [0, 0, 0, 0, 3, 0, 0, 0, 0]
    assert safranito.mismatch(s, chips) == [["b40", "saffron", None]]


def test_rule_book_example_orange_50_then_green_20():
    chips = {"o30": "saffron", "o20": "saffron", "g20": "saffron"}
    s = market(chips, {"saffron": 2})
    s, fx = play(s, ["choose", 0, "saffron"], ["close", 0], ["buy", 3])
    assert fx[-2:] == [[None, "bought", 3, "saffron", 50], [None, "home", "saffron", [[3, 1]]]]
    assert "o30" not in s["lying"] and safranito.seats_asked(s) == [2]
    s, fx = play(s, ["buy", 2])
    assert fx == [
        [None, "bought", 2, "saffron", 20],
        [None, "home", "saffron", [[2, 1]]],
        [None, "no_card", "saffron"],
        [None, "home", "saffron", [[3, 1]]],
        [None, "traded", "saffron"],
        [None, "phase", "cook"],
    ]
    assert s["money"] == [200, 200, 180, 150]


def test_rule_book_example_green_with_only_a_10_lets_orange_buy_twice():
    chips = {"o30": "saffron", "o20": "saffron", "g10": "saffron"}
    s = market(chips, {"saffron": 2})
    s, fx = play(s, ["choose", 0, "saffron"], ["close", 0], ["buy", 3], ["buy", 3])
    assert [None, "bought", 3, "saffron", 20] in fx and s["phase"][0] == "cook"
    assert s["money"] == [200, 200, 200, 130]


def test_the_head_chef_chooses_any_bowl_with_chips():
    s = market({"b10": "mint", "r10": "curry"})
    assert safranito.legal(s, 0) == [["choose", 0, "curry"], ["choose", 0, "mint"]]
    refused(s, ["choose", 0, "cumin"], "empty_bowl")
    refused(s, ["choose", 0, "reserve"], "empty_bowl")
    refused(s, ["choose", 1, "mint"], "not_you")


def test_the_mill_laid_on_a_bowl_chooses_it():
    s = market({"b10": "mint", "r10": "curry"})
    refused(s, ["moved", None, [["mill", "cumin"]]], "empty_bowl")
    after, _ = play(s, ["moved", None, [["mill", "reserve"]]])
    assert after["phase"] == ["choose"]
    s, _ = play(s, ["moved", None, [["mill", "mint"]]])
    assert s["phase"][:3] == ["sale", "mint", 10]


def test_values_are_told_when_their_bowl_is_chosen_and_not_before():
    s = market({"b10": "mint", "b60": "mint", "r10": "curry"})
    assert safranito.view(s, 1)["zones"]["mint"] == [[0, None], [0, None]]
    s, fx = play(s, ["choose", 0, "mint"])
    assert fx[0] == [None, "revealed", "mint", [[0, 60], [0, 10]]]
    zones = safranito.view(s, 1)["zones"]
    assert zones["mint"] == [[0, 60], [0, 10]] and zones["curry"] == [[1, None]]


def test_ruling_anyone_with_cards_sells_own_chip_there_or_not():
    s = market({"b10": "mint"}, {}, {2: {"mint": 3}})
    s, _ = play(s, ["choose", 0, "mint"])
    s, fx = play(s, ["sell", 2, 3], ["close", 0])
    assert [None, "sold", 2, "mint", 3, 30] in fx and s["money"][2] == 230


def test_ruling_the_price_is_fixed_during_the_sale():
    s = market({"b10": "mint", "r60": "mint"}, {}, {0: {"mint": 1}, 1: {"mint": 1}})
    s, _ = play(s, ["choose", 0, "mint"], ["sell", 1, 1], ["sell", 0, 1], ["close", 0])
    assert s["money"] == [270, 270, 200, 200]


ALL_HOLD_CARDS = {0: {"curry": 1}, 1: {"curry": 1}, 2: {"mint": 3}, 3: {"curry": 1}}


def test_ruling_declarations_are_open_and_may_be_changed_until_closed():
    s = market({"b10": "mint"}, {}, ALL_HOLD_CARDS)
    s, _ = play(s, ["choose", 0, "mint"])
    assert safranito.seats_asked(s) == [0, 1, 2, 3]
    s, fx = play(s, ["sell", 2, 3], ["sell", 2, 1])
    assert fx == [[None, "offers", 2, 3], [None, "offers", 2, 1]]
    assert safranito.view(s, 0)["offers"] == [None, None, 1, None]
    refused(s, ["sell", 2, 4], "wrong_count")
    refused(s, ["sell", 1, 1], "wrong_count")
    s, _ = play(s, ["sell", 0, 0], ["sell", 1, 0], ["sell", 3, 0])
    assert safranito.seats_asked(s) == [0]
    refused(s, ["close", 1], "not_you")


def test_in_a_full_game_nobody_is_shut_out_of_a_sale():
    """Whoever holds a card at all is waited for: to wait for holders of the spice alone would
    tell who they are. By the page and by the button alike."""
    s, _ = play(market({"b10": "mint"}, {}, ALL_HOLD_CARDS), ["choose", 0, "mint"])
    for seat in (0, 1, 3, 2):  # the only holder is the last
        refused(s, ["close", 0], "undeclared")
        refused(s, safranito.press(s, "ok"), "undeclared")
        assert ["close", 0] not in safranito.legal(s, 0)
        s, _ = play(s, ["sell", seat, 1 if seat == 2 else 0])
    assert ["close", 0] in safranito.legal(s, 0)
    s, fx = play(s, safranito.press(s, "ok"))
    assert [None, "sold", 2, "mint", 1, 10] in fx


def test_what_is_traded_stays_traded():
    """Blue sold mint; his chip, laid back and accepted, neither buys nor opens the bowl again."""
    chips = {"b20": "mint", "r30": "mint", "g40": "curry"}
    s = market(chips, {"mint": 2, "curry": 1}, {0: {"mint": 1}})
    s, _ = play(s, ["choose", 0, "mint"], ["sell", 0, 1], ["close", 0])
    assert s["phase"][0] == "buy" and s["traded"] == ["mint"]
    back = ["accept", None, [["b20", "mint"]]]
    refused(s, back, "no_place")  # while red buys
    refused(s, ["accept", None, [["o50", "mint"]]], "no_place")  # one that was never there
    s, fx = play(s, ["buy", 1])
    assert s["phase"] == ["choose"] and [None, "traded", "mint"] in fx
    refused(s, back, "no_place")
    refused(s, ["judged", 0, "b20", "mint"], "no_place")
    refused(s, ["accept", None, [["g40", "mint"]]], "no_place")
    refused(s, ["choose", 0, "mint"], "empty_bowl")
    assert safranito.parse(safranito.text(s)) == s
    s, fx = play(s, ["accept", None, [["b20", "curry"]]])  # a bowl that is not traded yet
    s, _ = play(s, ["choose", 0, "curry"], ["sell", 1, 0], ["close", 0])
    assert s["traded"] == ["curry", "mint"]
    s, _ = play(s, ["decline", 2], ["decline", 0])
    assert s["phase"][0] not in ("choose", "sale", "buy") and s["traded"] == []


def test_option_sales_in_turn_are_binding():
    s = market({"b10": "mint"}, {}, ALL_HOLD_CARDS, sales="turn")
    s, _ = play(s, ["choose", 0, "mint"])
    refused(s, ["close", 0], "undeclared")
    refused(s, ["sell", 2, 1], "not_you")
    for seat, count in enumerate((0, 0, 2, 0)):
        assert safranito.seats_asked(s) == [seat]
        s, _ = play(s, ["sell", seat, count])
    refused(s, ["sell", 2, 1], "declared")
    s, fx = play(s, ["close", 0])
    assert [None, "sold", 2, "mint", 2, 20] in fx


def test_who_holds_no_card_at_all_is_not_asked_whether_he_sells():
    for sales in ("open", "turn"):
        hands = {1: {"curry": 1}, 2: {"mint": 3}}
        s, _ = play(market({"b10": "mint"}, {}, hands, sales=sales), ["choose", 0, "mint"])
        assert safranito.view(s, None)["offers"] == [0, None, None, 0]
        # red holds no mint, but that is his secret: he is asked
        assert safranito.seats_asked(s) == ([1, 2] if sales == "open" else [1])
        s, _ = play(s, ["sell", 1, 0], ["sell", 2, 1])
        assert safranito.seats_asked(s) == [0] and safranito.parse(safranito.text(s)) == s
        s, fx = play(s, ["close", 0])
        assert [None, "sold", 2, "mint", 1, 10] in fx


def test_nobody_holds_a_card_and_the_sale_is_closed_at_once():
    s, _ = play(market({"b10": "mint"}, {"mint": 1}, {}), ["choose", 0, "mint"])
    assert safranito.legal(s, safranito.seats_asked(s)[0])[-1] == ["close", 0]
    s, _ = play(s, ["close", 0])
    assert s["phase"] == ["buy", "mint", None]


def test_ruling_all_chips_of_all_sellers_leave_and_they_cannot_buy():
    chips = {"b10": "mint", "b60": "mint", "r30": "mint", "g20": "curry"}
    s = market(chips, {"mint": 3}, {0: {"mint": 1}})
    s, fx = play(s, ["choose", 0, "mint"], ["sell", 0, 1], ["close", 0])
    assert [None, "home", "mint", [[0, 2]]] in fx
    assert safranito.seats_asked(s) == [1]
    s, _ = play(s, ["buy", 1])
    assert s["phase"] == ["choose"]  # no chip left in the bowl, two cards stay on display
    assert s["display"][6] == 2


def test_ruling_sold_cards_go_to_the_discard_pile():
    s = market({"b10": "mint"}, {"mint": 1}, {2: {"mint": 2}})
    s, _ = play(s, ["choose", 0, "mint"], ["sell", 2, 2], ["close", 0])
    assert s["discard"][6] == 2 and s["display"][6] == 1


def test_ruling_the_buyer_pays_his_current_total_and_only_his_top_chip_leaves():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"}, {"mint": 3})
    s, fx = play(s, ["choose", 0, "mint"], ["close", 0], ["buy", 0], ["buy", 1], ["buy", 0])
    paid = [effect[2:] for effect in fx if effect[1] == "bought"]
    assert paid == [[0, "mint", 70], [1, "mint", 40], [0, "mint", 10]]


def test_ruling_declining_sends_all_his_chips_home():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"}, {"mint": 3})
    s, fx = play(s, ["choose", 0, "mint"], ["close", 0], ["decline", 0])
    assert fx[-2:] == [[None, "declined", 0, "mint"], [None, "home", "mint", [[0, 2]]]]
    assert safranito.seats_asked(s) == [1]


def test_option_declining_sends_only_the_top_chip_home():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"}, {"mint": 3}, decline="top")
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0], ["decline", 0], ["buy", 1])
    assert safranito.seats_asked(s) == [0] and s["lying"] == {"b10": "mint"}


def test_ruling_unable_to_pay_can_only_decline():
    chips = {"b60": "mint", "b50": "mint", "b40": "mint"}
    s = market(chips, {"mint": 3})
    s["money"] = [140, 0, 0, 0]
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    refused(s, ["buy", 0], "no_money")
    assert safranito.legal(s, 0) == [["decline", 0]]


def test_ruling_no_card_displayed_means_sale_but_no_purchase():
    s = market({"b10": "mint"}, {}, {1: {"mint": 1}})
    s, fx = play(s, ["choose", 0, "mint"], ["sell", 1, 1], ["close", 0])
    assert fx[-5:] == [
        [None, "sold", 1, "mint", 1, 10],
        [None, "no_card", "mint"],
        [None, "home", "mint", [[0, 1]]],
        [None, "traded", "mint"],
        [None, "phase", "cook"],
    ]


def test_ruling_cards_run_out_and_the_remaining_chips_go_home():
    s = market({"b60": "mint", "r40": "mint", "g20": "mint"}, {"mint": 1})
    s, fx = play(s, ["choose", 0, "mint"], ["close", 0], ["buy", 0])
    assert [None, "home", "mint", [[1, 1], [2, 1]]] in fx and s["lying"] == {}


def test_ruling_ties_between_buyers_go_by_play_order():
    s = market({"g20": "mint", "o20": "mint", "b20": "mint"}, {"mint": 3})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    for seat in (0, 2, 3):
        assert safranito.seats_asked(s) == [seat]
        s, _ = play(s, ["buy", seat])


def test_ruling_purses_are_secret_by_default_and_open_by_option():
    s = market({"b10": "mint"})
    assert (
        safranito.view(s, 1)["money"] == [None] * 4 and safranito.view(s, 1)["you"]["money"] == 200
    )
    s = market({"b10": "mint"}, purses="open")
    assert safranito.view(s, None)["money"] == [200] * 4


def test_ruling_the_bank_is_unlimited():
    s = market({"b60": "mint", "b50": "mint", "b40": "mint"}, {}, {1: {"mint": 6}})
    s["money"] = [200, 5000, 200, 200]
    s, _ = play(s, ["choose", 0, "mint"], ["sell", 1, 6], ["close", 0])
    assert s["money"][1] == 5900


def test_chips_sent_home_and_not_lifted_are_named_and_stop_nothing():
    s = market({"b10": "mint", "r40": "curry"}, {"mint": 1})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0], ["buy", 0])
    assert safranito.mismatch(s, {"b10": "mint", "r40": "curry"}) == [["b10", "mint", None]]
    assert safranito.view(s, None)["to_lift"] == [[0, "mint"]]
    s, _ = play(s, ["choose", 0, "curry"], ["moved", None, [["b10", None]]])
    assert s["astray"] == {}


def test_a_seller_may_lift_before_the_sale_is_closed():
    s = market({"b10": "mint"}, {}, {0: {"mint": 1}})
    s, _ = play(s, ["choose", 0, "mint"], ["sell", 0, 1], ["moved", None, [["b10", None]]])
    assert safranito.mismatch(s, {}) == []
    s, _ = play(s, ["close", 0])
    assert s["astray"] == {} and safranito.mismatch(s, {}) == []


def test_full_mode_lifting_is_no_purchase():
    s = market({"b10": "mint"}, {"mint": 1})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0], ["moved", None, [["b10", None]]])
    assert s["phase"][0] == "buy" and safranito.mismatch(s, {}) == [["b10", None, "mint"]]
    s, _ = play(s, ["buy", 0])
    assert s["astray"] == {} and s["phase"][0] == "cook"


def test_accept_in_the_trade_adopts_but_not_on_an_action_space():
    s = market({"b10": "mint", "r40": "curry"}, {"mint": 1})
    refused(s, ["accept", None, [["b10", "reserve"]]], "no_place")
    s, _ = play(s, ["choose", 0, "mint"])
    s, fx = play(s, ["accept", 0, [["r40", "mint"]]])
    assert fx == [
        [None, "accepted", [[1, "curry", "mint"]]],
        [None, "revealed", "mint", [[0, 10], [1, 40]]],
    ]
    assert s["phase"][2] == 10  # the price stays as it was called
    s, _ = play(s, ["close", 0])
    s, fx = play(s, ["accept", 0, [["r40", None], ["b10", None]]])
    assert fx[1:] == [[None, "traded", "mint"], [None, "phase", "cook"]]


def test_undo_of_sale_and_purchase():
    s = market({"b10": "mint", "b20": "mint"}, {"mint": 2})
    assert not safranito.undoable(s, ["choose", 0, "mint"])
    s, _ = play(s, ["choose", 0, "mint"])
    assert safranito.undoable(s, ["sell", 0, 0]) and safranito.undoable(s, ["close", 0])
    s, _ = play(s, ["close", 0])
    assert safranito.undoable(s, ["buy", 0]) and safranito.undoable(s, ["decline", 0])


def test_text_refuses_a_trade_with_a_chip_on_an_action_space():
    line = safranito.text(market({"b10": "mint"}))
    try:
        safranito.parse(line.replace("b10@mint", "b10@reserve"))
    except ValueError as error:
        assert "action space" in str(error)
    else:
        raise AssertionError(line)
