"""Safranito, referee mode: cards and bills lie on the table; chips, mill and buttons suffice."""

from safranito_tables import moved, play

from spicecore.games.safranito import rules as safranito


def press(state, button):
    """Press a button that means something now."""
    event = safranito.press(state, button)
    assert event is not None, (state["phase"], button)
    return play(state, event)


def market(places, **options):
    """A referee game whose trade begins, with these chips in the bowls."""
    options.update({"players": 4, "chef": 0, "mode": "referee"})
    state = safranito.new(options)
    state, _ = play(
        state, ["accept", None, [[chip, zone] for chip, zone in sorted(places.items())]]
    )
    while state["phase"] != ["throw", 12]:
        state, _ = press(state, "no")
    state, _ = press(state, "ok")
    assert state["phase"] == ["choose"]
    return state


def test_no_card_and_no_money_in_the_state():
    state = safranito.new({"players": 2, "mode": "referee"})
    assert state["deck"] is None and state["hands"] is None and state["money"] is None
    assert safranito.view(state, 0)["display"] is None and safranito.view(state, 0)["deck"] is None
    assert state["open"] == [-1, -1] and len(state["pile"]) == 16


def test_a_whole_game_with_chips_mill_and_buttons_only():
    state = safranito.new({"players": 2, "chef": 0, "mode": "referee"})
    rounds = 0
    while not safranito.over(state):
        rounds += 1
        state = one_round(state)
    assert safranito.view(state, None)["winner"] == 0 and rounds == 3


def one_round(state):
    """Blue always wins the bowl, buys and cooks; red throws and misses."""
    chef = state["chef"]
    for k in range(8):
        seat = (chef + k) % 2
        if seat == 1:
            state, _ = press(state, "no")
        else:
            state, _ = play(state, moved(("b%d0" % (k // 2 + 1), "curry" if k < 4 else "mint")))
    state, _ = press(state, "ok")
    assert state["phase"] == ["choose"]
    state, effects = play(state, moved(("mill", "mint")))
    assert [None, "price", "mint", 70] in effects
    state, _ = press(state, "ok")
    state, effects = play(state, moved(("b40", None)))
    assert effects[1] == [None, "bought", 0, "mint", 70]
    state, _ = press(state, "no")
    state, _ = press(state, "ok")
    assert state["phase"][:2] == ["sale", "curry"]
    state, _ = press(state, "ok")
    state, effects = press(
        state, "no"
    )  # no card of it is on display: the only one in the bowl declines
    assert effects[:2] == [[None, "declined", 0, "curry"], [None, "home", "curry", [[0, 2]]]]
    while state["phase"][0] == "cook":
        state, _ = press(state, "ok" if safranito.seats_asked(state) == [0] else "no")
    if not safranito.over(state):
        state, _ = play(state, moved(("b10", None), ("b20", None), ("b30", None)))
        state, _ = press(state, "ok")
    return state


def test_a_seller_says_so_by_lifting_a_chip():
    state = market({"b10": "mint", "b20": "mint", "r40": "mint"})
    state, _ = play(state, ["choose", 0, "mint"])
    state, effects = play(state, moved(("b10", None)))
    assert effects == [[None, "moved", 0, "mint", None], [None, "offers", 0, 1]]
    assert safranito.mismatch(state, {"b20": "mint", "r40": "mint"}) == []
    _, effects = play(state, moved(("b10", "mint")))
    assert effects == [[None, "moved", 0, None, "mint"], [None, "offers", 0, 0]]
    state, effects = press(state, "ok")
    assert effects[:2] == [[None, "sold", 0, "mint", 1, 70], [None, "home", "mint", [[0, 2]]]]
    assert safranito.seats_asked(state) == [1] and state["astray"] == {"b20": "mint"}


def test_a_page_may_tell_how_many_are_sold():
    state = market({"b10": "mint", "r40": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["sell", 2, 3])
    assert safranito.seats_asked(state) == [0]
    state, effects = press(state, "ok")
    assert effects[0] == [None, "sold", 2, "mint", 3, 150]
    _, effects = safranito.step(market({"b10": "mint"}), ["sell", 2, 3])
    assert effects[0][2] == "not_now"


def test_the_buyer_lifts_his_top_chip():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    wrong, effects = play(state, moved(("b10", None)))
    assert wrong["phase"][0] == "buy" and len(effects) == 1
    assert safranito.mismatch(wrong, {"b60": "mint", "r40": "mint"}) == [["b10", None, "mint"]]
    _, effects = play(state, moved(("r40", None)))
    assert len(effects) == 1
    state, effects = play(state, moved(("b60", None)))
    assert effects[1:] == [[None, "bought", 0, "mint", 70], [None, "home", "mint", [[0, 1]]]]
    assert safranito.undoable(state, moved(("r40", None)))
    state, effects = play(state, moved(("r40", None)), moved(("b10", None)))
    assert [effect[2] for effect in effects if effect[1] == "bought"] == [1, 0]
    assert state["phase"][0] == "cook" and state["astray"] == {}


def test_two_chips_lifted_at_once_are_one_purchase():
    state = market({"b10": "mint", "b60": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    state, effects = play(state, moved(("b60", None), ("b10", None)))
    assert len([effect for effect in effects if effect[1] == "bought"]) == 1
    assert state["lying"] == {"b10": "mint"} and state["astray"] == {"b10": None}


def test_the_no_button_declines():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    state, effects = press(state, "no")
    assert effects == [[None, "declined", 0, "mint"], [None, "home", "mint", [[0, 2]]]]


def test_the_ok_button_buys_as_it_says_yes_everywhere():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    state, effects = press(state, "ok")
    assert effects == [[None, "bought", 0, "mint", 70], [None, "home", "mint", [[0, 1]]]]
    assert ["b60", "mint", None] in safranito.mismatch(state, {"b60": "mint"})


def test_the_number_of_displayed_cards_may_be_told():
    state = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0], ["display", 0, 1])
    state, effects = play(state, moved(("b60", None)))
    assert [None, "no_card", "mint"] in effects and state["lying"] == {}
    _, effects = safranito.step(state, ["display", 0, 1])
    assert effects[0][2] == "not_now"


def test_more_than_six_displayed_cards_are_refused():
    state = market({"b10": "mint"})
    state, _ = play(state, ["choose", 0, "mint"], ["close", 0])
    assert safranito.step(state, ["display", 0, 7])[1][0][2] == "wrong_count"
    assert safranito.step(state, ["display", 1, 2])[1][0][2] == "not_you"


def test_sales_in_turn_with_two_buttons():
    state = market({"b10": "mint", "r10": "mint"}, sales="turn")
    state, _ = play(state, ["choose", 0, "mint"])
    for button in ("no", "ok", "no", "no"):
        state, _ = press(state, button)
    state, effects = press(state, "ok")
    assert effects[:2] == [[None, "sold", 1, "mint", 1, 20], [None, "home", "mint", [[1, 1]]]]


def test_action_spaces_with_two_buttons():
    state = safranito.new({"players": 2, "chef": 0, "mode": "referee"})
    places = [["r10", "extra_throw"], ["r20", "spice_card"], ["r30", "reserve"]]
    state, _ = play(state, ["accept", None, places + [["r40", "head_chef"]]])
    while state["phase"] != ["throw", 8]:
        state, _ = press(state, "no")
    effects = []
    for button in ("ok", "no", "ok", "ok", "ok", "ok"):
        state, came = press(state, button)
        effects += [effect[1:] for effect in came if effect[1] not in ("revealed", "phase")]
    assert effects == [
        ["won", "extra_throw", 1, 10],
        ["missed", 1],
        ["won", "spice_card", 1, 20],
        ["drew", 1, 2],
        ["won", "reserve", 1, 30],
        ["reserved", 1],
        ["won", "head_chef", 1, 40],
        ["chef", 1],
        ["home", "extra_throw", [[1, 1]]],
        ["home", "spice_card", [[1, 1]]],
        ["home", "reserve", [[1, 1]]],
        ["home", "head_chef", [[1, 1]]],
    ]
    assert state["reserved"] == [[], [-1]] and state["chef"] == 1


def test_cooking_with_two_buttons_first_open_then_reserved():
    state = safranito.new({"players": 2, "chef": 1, "mode": "referee"})
    state = dict(state, phase=["cook", 0, 0], pile=state["pile"][1:], reserved=[[], [-1]])
    state, effects = press(state, "no")
    assert effects == [[None, "no_open", 1]]
    state, effects = press(state, "ok")
    assert effects == [[None, "cooked", 1, -1, "reserved"]] and safranito.seats_asked(state) == [0]
    state, effects = press(state, "ok")
    assert effects[0] == [None, "cooked", 0, -1, "open"] and state["phase"] == ["round_over"]
    state, effects = press(state, "ok")
    assert effects[2:4] == [[None, "opened", [-1]], [None, "lay", 4]]


def test_undo_in_referee_mode_knows_no_secret_cards():
    state = safranito.new({"players": 2, "chef": 0, "mode": "referee"})
    state = dict(state, phase=["reserve", 1])
    assert safranito.undoable(state, ["reserve", 1])
    state = dict(state, phase=["round_over"])
    assert safranito.undoable(state, ["next_round", 0])
    full = dict(safranito.new({"players": 2, "chef": 0}), phase=["round_over"])
    assert not safranito.undoable(full, ["next_round", 0])


def test_buttons_that_mean_nothing():
    state = safranito.new({"players": 2, "mode": "referee"})
    assert safranito.press(state, "ok") is None and safranito.press(state, "undo") is None
    assert safranito.press(dict(state, phase=["over", None]), "ok") is None
    assert safranito.press(dict(state, phase=["keep", 0, "1"]), "ok") is None
