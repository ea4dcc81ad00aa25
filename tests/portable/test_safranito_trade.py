"""Safranito, phase 3: sale and purchase."""

from safranito_tables import play, refused

from spicecore.games.safranito import rules as safranito


def market(places, display=None, hands=None, players=4, **options):
    """A game whose throws are made and whose trade begins: chips, displayed cards, hands.

    display {spice: number}; hands {seat: {spice: number}}; the deck gives the cards.
    """
    options.update({"players": players, "chef": 0, "seed": 5})
    state = safranito.new(options)
    if state["mode"] == "full":
        deck = list(state["deck"])
        for spice, count in enumerate(state["display"]):
            deck += [str(spice)] * count
        state["display"] = cards(deck, display or {})
        for seat, hand in (hands or {}).items():
            state["hands"][seat] = cards(deck, hand)
        state["deck"] = "".join(deck)
    moves = [[chip, zone] for chip, zone in sorted(places.items())]
    state, _ = play(state, ["accept", None, moves])
    while state["phase"][0] == "throw":
        event = safranito.legal(state, safranito.seats_asked(state)[0])[0]
        state, _ = play(state, event)
    assert state["phase"] == ["choose"] and safranito.parse(safranito.text(state)) == state
    return state


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
    state = market(chips, {"saffron": 1}, {0: {"saffron": 2}, 1: {"saffron": 1}})
    state, effects = play(state, ["choose", 0, "saffron"])
    assert effects[1] == [None, "price", "saffron", 120]
    state, effects = play(state, ["sell", 0, 2], ["sell", 1, 1], ["close", 0])
    assert effects[2:] == [
        [None, "sold", 0, "saffron", 2, 240],
        [None, "sold", 1, "saffron", 1, 120],
        [None, "home", "saffron", [[0, 1]]],
        [None, "phase", "buy"],
    ]
    assert state["money"] == [440, 320, 200, 200] and "b40" not in state["lying"]
    assert state["discard"] == [0, 0, 0, 0, 3, 0, 0, 0, 0]
    assert safranito.mismatch(state, chips) == [["b40", "saffron", None]]


def test_rule_book_example_orange_50_then_green_20():
    chips = {"o30": "saffron", "o20": "saffron", "g20": "saffron"}
    state = market(chips, {"saffron": 2})
    state, effects = play(state, ["choose", 0, "saffron"], ["close", 0], ["buy", 3])
    assert effects[-2:] == [
        [None, "bought", 3, "saffron", 50],
        [None, "home", "saffron", [[3, 1]]],
    ]
    assert "o30" not in state["lying"] and safranito.seats_asked(state) == [2]
    state, effects = play(state, ["buy", 2])
    assert effects == [
        [None, "bought", 2, "saffron", 20],
        [None, "home", "saffron", [[2, 1]]],
        [None, "no_card", "saffron"],
        [None, "home", "saffron", [[3, 1]]],
        [None, "traded", "saffron"],
        [None, "phase", "cook"],
    ]
    assert state["money"] == [200, 200, 180, 150]


def test_rule_book_example_green_with_only_a_10_lets_orange_buy_twice():
    chips = {"o30": "saffron", "o20": "saffron", "g10": "saffron"}
    state = market(chips, {"saffron": 2})
    state, effects = play(state, ["choose", 0, "saffron"], ["close", 0], ["buy", 3], ["buy", 3])
    assert [None, "bought", 3, "saffron", 20] in effects and state["phase"][0] == "cook"
    assert state["money"] == [200, 200, 200, 130]


def test_the_head_chef_chooses_any_bowl_with_chips():
    state = market({"b10": "mint", "r10": "curry"})
    assert safranito.legal(state, 0) == [["choose", 0, "curry"], ["choose", 0, "mint"]]
    refused(state, ["choose", 0, "cumin"], "empty_bowl")
    refused(state, ["choose", 0, "reserve"], "empty_bowl")
    refused(state, ["choose", 1, "mint"], "not_you")


def test_the_mill_laid_on_a_bowl_chooses_it():
    state = market({"b10": "mint", "r10": "curry"})
    refused(state, ["moved", None, [["mill", "cumin"]]], "empty_bowl")
    after, _ = play(state, ["moved", None, [["mill", "reserve"]]])
    assert after["phase"] == ["choose"]
    state, _ = play(state, ["moved", None, [["mill", "mint"]]])
    assert state["phase"][:3] == ["sale", "mint", 10]


def test_values_are_told_when_their_bowl_is_chosen_and_not_before():
    state = market({"b10": "mint", "b60": "mint", "r10": "curry"})
    assert safranito.view(state, 1)["zones"]["mint"] == [[0, None], [0, None]]
    state, effects = play(state, ["choose", 0, "mint"])
    assert effects[0] == [None, "revealed", "mint", [[0, 60], [0, 10]]]
    zones = safranito.view(state, 1)["zones"]
    assert zones["mint"] == [[0, 60], [0, 10]] and zones["curry"] == [[1, None]]


def test_ruling_anyone_with_cards_sells_own_chip_there_or_not():
    state = market({"b10": "mint"}, {}, {2: {"mint": 3}})
    state, _ = play(state, ["choose", 0, "mint"])
    state, effects = play(state, ["sell", 2, 3], ["close", 0])
    assert [None, "sold", 2, "mint", 3, 30] in effects and state["money"][2] == 230


def test_ruling_the_price_is_fixed_during_the_sale():
    state = market({"b10": "mint", "r60": "mint"}, {}, {0: {"mint": 1}, 1: {"mint": 1}})
    state, _ = play(state, ["choose", 0, "mint"], ["sell", 1, 1], ["sell", 0, 1], ["close", 0])
    assert state["money"] == [270, 270, 200, 200]


ALL_HOLD_CARDS = {0: {"curry": 1}, 1: {"curry": 1}, 2: {"mint": 3}, 3: {"curry": 1}}


def test_ruling_declarations_are_open_and_may_be_changed_until_closed():
    state = market({"b10": "mint"}, {}, ALL_HOLD_CARDS)
    state, _ = play(state, ["choose", 0, "mint"])
    assert safranito.seats_asked(state) == [0, 1, 2, 3]
    state, effects = play(state, ["sell", 2, 3], ["sell", 2, 1])
    assert effects == [[None, "offers", 2, 3], [None, "offers", 2, 1]]
    assert safranito.view(state, 0)["offers"] == [None, None, 1, None]
    refused(state, ["sell", 2, 4], "wrong_count")
    refused(state, ["sell", 1, 1], "wrong_count")
    state, _ = play(state, ["sell", 0, 0], ["sell", 1, 0], ["sell", 3, 0])
    assert safranito.seats_asked(state) == [0]
    refused(state, ["close", 1], "not_you")


def test_in_a_full_game_nobody_is_shut_out_of_a_sale():
    """Whoever holds a card at all is waited for: to wait for holders of the spice alone would
    tell who they are. By the page and by the button alike."""
    state, _ = play(market({"b10": "mint"}, {}, ALL_HOLD_CARDS), ["choose", 0, "mint"])
    for seat in (0, 1, 3, 2):  # the only holder is the last
        refused(state, ["close", 0], "undeclared")
        refused(state, safranito.press(state, "ok"), "undeclared")
        assert ["close", 0] not in safranito.legal(state, 0)
        state, _ = play(state, ["sell", seat, 1 if seat == 2 else 0])
    assert ["close", 0] in safranito.legal(state, 0)
    state, effects = play(state, safranito.press(state, "ok"))
    assert [None, "sold", 2, "mint", 1, 10] in effects


def test_what_is_traded_stays_traded():
    """Blue sold mint; his chip, laid back and accepted, neither buys nor opens the bowl again."""
    chips = {"b20": "mint", "r30": "mint", "g40": "curry"}
    state = market(chips, {"mint": 2, "curry": 1}, {0: {"mint": 1}})
    state, _ = play(state, ["choose", 0, "mint"], ["sell", 0, 1], ["close", 0])
    assert state["phase"][0] == "buy" and state["traded"] == ["mint"]
    back = ["accept", None, [["b20", "mint"]]]
    refused(state, back, "no_place")  # while red buys
    refused(state, ["accept", None, [["o50", "mint"]]], "no_place")  # one that was never there
    state, effects = play(state, ["buy", 1])
    assert state["phase"] == ["choose"] and [None, "traded", "mint"] in effects
    refused(state, back, "no_place")
    refused(state, ["judged", 0, "b20", "mint"], "no_place")
    refused(state, ["accept", None, [["g40", "mint"]]], "no_place")
    refused(state, ["choose", 0, "mint"], "empty_bowl")
    assert safranito.parse(safranito.text(state)) == state
    state, effects = play(
        state, ["accept", None, [["b20", "curry"]]]
    )  # a bowl that is not traded yet
    state, _ = play(state, ["choose", 0, "curry"], ["sell", 1, 0], ["close", 0])
    assert state["traded"] == ["curry", "mint"]
    state, _ = play(state, ["decline", 2], ["decline", 0])
    assert state["phase"][0] not in ("choose", "sale", "buy") and state["traded"] == []


def test_option_sales_in_turn_are_binding():
    state = market({"b10": "mint"}, {}, ALL_HOLD_CARDS, sales="turn")
    state, _ = play(state, ["choose", 0, "mint"])
    refused(state, ["close", 0], "undeclared")
    refused(state, ["sell", 2, 1], "not_you")
    for seat, count in enumerate((0, 0, 2, 0)):
        assert safranito.seats_asked(state) == [seat]
        state, _ = play(state, ["sell", seat, count])
    refused(state, ["sell", 2, 1], "declared")
    state, effects = play(state, ["close", 0])
    assert [None, "sold", 2, "mint", 2, 20] in effects


def test_who_holds_no_card_at_all_is_not_asked_whether_he_sells():
    for sales in ("open", "turn"):
        hands = {1: {"curry": 1}, 2: {"mint": 3}}
        state, _ = play(market({"b10": "mint"}, {}, hands, sales=sales), ["choose", 0, "mint"])
        assert safranito.view(state, None)["offers"] == [0, None, None, 0]
        # red holds no mint, but that is his secret: he is asked
        assert safranito.seats_asked(state) == ([1, 2] if sales == "open" else [1])
        state, _ = play(state, ["sell", 1, 0], ["sell", 2, 1])
        assert (
            safranito.seats_asked(state) == [0] and safranito.parse(safranito.text(state)) == state
        )
        state, effects = play(state, ["close", 0])
        assert [None, "sold", 2, "mint", 1, 10] in effects


def test_nobody_holds_a_card_and_the_sale_is_closed_at_once():
    state, _ = play(market({"b10": "mint"}, {"mint": 1}, {}), ["choose", 0, "mint"])
    assert safranito.legal(state, safranito.seats_asked(state)[0])[-1] == ["close", 0]
    state, _ = play(state, ["close", 0])
    assert state["phase"] == ["buy", "mint", None]


def test_ruling_all_chips_of_all_sellers_leave_and_they_cannot_buy():
    chips = {"b10": "mint", "b60": "mint", "r30": "mint", "g20": "curry"}
    state = market(chips, {"mint": 3}, {0: {"mint": 1}})
    state, effects = play(state, ["choose", 0, "mint"], ["sell", 0, 1], ["close", 0])
    assert [None, "home", "mint", [[0, 2]]] in effects
    assert safranito.seats_asked(state) == [1]
    state, _ = play(state, ["buy", 1])
    assert state["phase"] == ["choose"]  # no chip left in the bowl, two cards stay on display
    assert state["display"][6] == 2


def test_ruling_sold_cards_go_to_the_discard_pile():
    state = market({"b10": "mint"}, {"mint": 1}, {2: {"mint": 2}})
    state, _ = play(state, ["choose", 0, "mint"], ["sell", 2, 2], ["close", 0])
    assert state["discard"][6] == 2 and state["display"][6] == 1


def test_ruling_the_buyer_pays_his_current_total_and_only_his_top_chip_leaves():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"}, {"mint": 3})
    state, effects = play(
        state, ["choose", 0, "mint"], ["close", 0], ["buy", 0], ["buy", 1], ["buy", 0]
    )
    paid = [effect[2:] for effect in effects if effect[1] == "bought"]
    assert paid == [[0, "mint", 70], [1, "mint", 40], [0, "mint", 10]]


def test_ruling_declining_sends_all_his_chips_home():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"}, {"mint": 3})
    state, effects = play(state, ["choose", 0, "mint"], ["close", 0], ["decline", 0])
    assert effects[-2:] == [[None, "declined", 0, "mint"], [None, "home", "mint", [[0, 2]]]]
    assert safranito.seats_asked(state) == [1]


def test_option_declining_sends_only_the_top_chip_home():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"}, {"mint": 3}, decline="top")
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0], ["decline", 0], ["buy", 1])
    assert safranito.seats_asked(state) == [0] and state["lying"] == {"b10": "mint"}


def test_ruling_unable_to_pay_can_only_decline():
    chips = {"b60": "mint", "b50": "mint", "b40": "mint"}
    state = market(chips, {"mint": 3})
    state["money"] = [140, 0, 0, 0]
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    refused(state, ["buy", 0], "no_money")
    assert safranito.legal(state, 0) == [["decline", 0]]


def test_ruling_no_card_displayed_means_sale_but_no_purchase():
    state = market({"b10": "mint"}, {}, {1: {"mint": 1}})
    state, effects = play(state, ["choose", 0, "mint"], ["sell", 1, 1], ["close", 0])
    assert effects[-5:] == [
        [None, "sold", 1, "mint", 1, 10],
        [None, "no_card", "mint"],
        [None, "home", "mint", [[0, 1]]],
        [None, "traded", "mint"],
        [None, "phase", "cook"],
    ]


def test_ruling_cards_run_out_and_the_remaining_chips_go_home():
    state = market({"b60": "mint", "r40": "mint", "g20": "mint"}, {"mint": 1})
    state, effects = play(state, ["choose", 0, "mint"], ["close", 0], ["buy", 0])
    assert [None, "home", "mint", [[1, 1], [2, 1]]] in effects and state["lying"] == {}


def test_ruling_ties_between_buyers_go_by_play_order():
    state = market({"g20": "mint", "o20": "mint", "b20": "mint"}, {"mint": 3})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    for seat in (0, 2, 3):
        assert safranito.seats_asked(state) == [seat]
        state, _ = play(state, ["buy", seat])


def test_ruling_purses_are_secret_by_default_and_open_by_option():
    state = market({"b10": "mint"})
    assert (
        safranito.view(state, 1)["money"] == [None] * 4
        and safranito.view(state, 1)["you"]["money"] == 200
    )
    state = market({"b10": "mint"}, purses="open")
    assert safranito.view(state, None)["money"] == [200] * 4


def test_ruling_the_bank_is_unlimited():
    state = market({"b60": "mint", "b50": "mint", "b40": "mint"}, {}, {1: {"mint": 6}})
    state["money"] = [200, 5000, 200, 200]
    state, _ = play(state, ["choose", 0, "mint"], ["sell", 1, 6], ["close", 0])
    assert state["money"][1] == 5900


def test_chips_sent_home_and_not_lifted_are_named_and_stop_nothing():
    state = market({"b10": "mint", "r40": "curry"}, {"mint": 1})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0], ["buy", 0])
    assert safranito.mismatch(state, {"b10": "mint", "r40": "curry"}) == [["b10", "mint", None]]
    assert safranito.view(state, None)["to_lift"] == [[0, "mint"]]
    state, _ = play(state, ["choose", 0, "curry"], ["moved", None, [["b10", None]]])
    assert state["astray"] == {}


def test_a_seller_may_lift_before_the_sale_is_closed():
    state = market({"b10": "mint"}, {}, {0: {"mint": 1}})
    state, _ = play(state, ["choose", 0, "mint"], ["sell", 0, 1], ["moved", None, [["b10", None]]])
    assert safranito.mismatch(state, {}) == []
    state, _ = play(state, ["close", 0])
    assert state["astray"] == {} and safranito.mismatch(state, {}) == []


def test_full_mode_lifting_is_no_purchase():
    state = market({"b10": "mint"}, {"mint": 1})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0], ["moved", None, [["b10", None]]])
    assert state["phase"][0] == "buy" and safranito.mismatch(state, {}) == [["b10", None, "mint"]]
    state, _ = play(state, ["buy", 0])
    assert state["astray"] == {} and state["phase"][0] == "cook"


def test_accept_in_the_trade_adopts_but_not_on_an_action_space():
    state = market({"b10": "mint", "r40": "curry"}, {"mint": 1})
    refused(state, ["accept", None, [["b10", "reserve"]]], "no_place")
    state, _ = play(state, ["choose", 0, "mint"])
    state, effects = play(state, ["accept", 0, [["r40", "mint"]]])
    assert effects == [
        [None, "accepted", [[1, "curry", "mint"]]],
        [None, "revealed", "mint", [[0, 10], [1, 40]]],
    ]
    assert state["phase"][2] == 10  # the price stays as it was called
    state, _ = play(state, ["close", 0])
    state, effects = play(state, ["accept", 0, [["r40", None], ["b10", None]]])
    assert effects[1:] == [[None, "traded", "mint"], [None, "phase", "cook"]]


def test_undo_of_sale_and_purchase():
    state = market({"b10": "mint", "b20": "mint"}, {"mint": 2})
    assert not safranito.undoable(state, ["choose", 0, "mint"])
    state, _ = play(state, ["choose", 0, "mint"])
    assert safranito.undoable(state, ["sell", 0, 0]) and safranito.undoable(state, ["close", 0])
    state, _ = play(state, ["close", 0])
    assert safranito.undoable(state, ["buy", 0]) and safranito.undoable(state, ["decline", 0])


def test_text_refuses_a_trade_with_a_chip_on_an_action_space():
    line = safranito.text(market({"b10": "mint"}))
    try:
        safranito.parse(line.replace("b10@mint", "b10@reserve"))
    except ValueError as error:
        assert "action space" in str(error)
    else:
        raise AssertionError(line)
