"""Safranito, referee mode: cards and bills lie on the table; chips, mill and buttons suffice."""

from safranito_tables import moved, play

from spicecore.games.safranito import rules as safranito


def press(s, button):
    """Press a button that means something now."""
    event = safranito.press(s, button)
    assert event is not None, (s["phase"], button)
    return play(s, event)


def market(places, **options):
    """A referee game whose trade begins, with these chips in the bowls."""
    options.update({"players": 4, "chef": 0, "mode": "referee"})
    s = safranito.new(options)
    s, _ = play(s, ["accept", None, [[chip, zone] for chip, zone in sorted(places.items())]])
    while s["phase"] != ["throw", 12]:
        s, _ = press(s, "no")
    s, _ = press(s, "ok")
    assert s["phase"] == ["choose"]
    return s


def test_no_card_and_no_money_in_the_state():
    s = safranito.new({"players": 2, "mode": "referee"})
    assert s["deck"] is None and s["hands"] is None and s["money"] is None
    assert safranito.view(s, 0)["display"] is None and safranito.view(s, 0)["deck"] is None
    assert s["open"] == [-1, -1] and len(s["pile"]) == 16


def test_a_whole_game_with_chips_mill_and_buttons_only():
    s = safranito.new({"players": 2, "chef": 0, "mode": "referee"})
    rounds = 0
    while not safranito.over(s):
        rounds += 1
        s = one_round(s)
    assert safranito.view(s, None)["winner"] == 0 and rounds == 3


def one_round(s):
    """Blue always wins the bowl, buys and cooks; red throws and misses."""
    chef = s["chef"]
    for k in range(8):
        seat = (chef + k) % 2
        if seat == 1:
            s, _ = press(s, "no")
        else:
            s, _ = play(s, moved(("b%d0" % (k // 2 + 1), "curry" if k < 4 else "mint")))
    s, _ = press(s, "ok")
    assert s["phase"] == ["choose"]
    s, fx = play(s, moved(("mill", "mint")))
    assert [None, "price", "mint", 70] in fx
    s, _ = press(s, "ok")
    s, fx = play(s, moved(("b40", None)))
    assert fx[1] == [None, "bought", 0, "mint", 70]
    s, _ = press(s, "no")
    s, _ = press(s, "ok")
    assert s["phase"][:2] == ["sale", "curry"]
    s, _ = press(s, "ok")
    s, fx = press(s, "no")  # no card of it is on display: the only one in the bowl declines
    assert fx[:2] == [[None, "declined", 0, "curry"], [None, "home", "curry", [[0, 2]]]]
    while s["phase"][0] == "cook":
        s, _ = press(s, "ok" if safranito.seats_asked(s) == [0] else "no")
    if not safranito.over(s):
        s, _ = play(s, moved(("b10", None), ("b20", None), ("b30", None)))
        s, _ = press(s, "ok")
    return s


def test_a_seller_says_so_by_lifting_a_chip():
    s = market({"b10": "mint", "b20": "mint", "r40": "mint"})
    s, _ = play(s, ["choose", 0, "mint"])
    s, fx = play(s, moved(("b10", None)))
    assert fx == [[None, "moved", 0, "mint", None], [None, "offers", 0, 1]]
    assert safranito.mismatch(s, {"b20": "mint", "r40": "mint"}) == []
    _, fx = play(s, moved(("b10", "mint")))
    assert fx == [[None, "moved", 0, None, "mint"], [None, "offers", 0, 0]]
    s, fx = press(s, "ok")
    assert fx[:2] == [[None, "sold", 0, "mint", 1, 70], [None, "home", "mint", [[0, 2]]]]
    assert safranito.seats_asked(s) == [1] and s["astray"] == {"b20": "mint"}


def test_a_page_may_tell_how_many_are_sold():
    s = market({"b10": "mint", "r40": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["sell", 2, 3])
    assert safranito.seats_asked(s) == [0]
    s, fx = press(s, "ok")
    assert fx[0] == [None, "sold", 2, "mint", 3, 150]
    _, fx = safranito.step(market({"b10": "mint"}), ["sell", 2, 3])
    assert fx[0][2] == "not_now"


def test_the_buyer_lifts_his_top_chip():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    wrong, fx = play(s, moved(("b10", None)))
    assert wrong["phase"][0] == "buy" and len(fx) == 1
    assert safranito.mismatch(wrong, {"b60": "mint", "r40": "mint"}) == [["b10", None, "mint"]]
    _, fx = play(s, moved(("r40", None)))
    assert len(fx) == 1
    s, fx = play(s, moved(("b60", None)))
    assert fx[1:] == [[None, "bought", 0, "mint", 70], [None, "home", "mint", [[0, 1]]]]
    assert safranito.undoable(s, moved(("r40", None)))
    s, fx = play(s, moved(("r40", None)), moved(("b10", None)))
    assert [effect[2] for effect in fx if effect[1] == "bought"] == [1, 0]
    assert s["phase"][0] == "cook" and s["astray"] == {}


def test_two_chips_lifted_at_once_are_one_purchase():
    s = market({"b10": "mint", "b60": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    s, fx = play(s, moved(("b60", None), ("b10", None)))
    assert len([effect for effect in fx if effect[1] == "bought"]) == 1
    assert s["lying"] == {"b10": "mint"} and s["astray"] == {"b10": None}


def test_the_no_button_declines():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    s, fx = press(s, "no")
    assert fx == [[None, "declined", 0, "mint"], [None, "home", "mint", [[0, 2]]]]


def test_the_ok_button_buys_as_it_says_yes_everywhere():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    s, fx = press(s, "ok")
    assert fx == [[None, "bought", 0, "mint", 70], [None, "home", "mint", [[0, 1]]]]
    assert ["b60", "mint", None] in safranito.mismatch(s, {"b60": "mint"})


def test_the_number_of_displayed_cards_may_be_told():
    s = market({"b10": "mint", "b60": "mint", "r40": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0], ["display", 0, 1])
    s, fx = play(s, moved(("b60", None)))
    assert [None, "no_card", "mint"] in fx and s["lying"] == {}
    _, fx = safranito.step(s, ["display", 0, 1])
    assert fx[0][2] == "not_now"


def test_more_than_six_displayed_cards_are_refused():
    s = market({"b10": "mint"})
    s, _ = play(s, ["choose", 0, "mint"], ["close", 0])
    assert safranito.step(s, ["display", 0, 7])[1][0][2] == "wrong_count"
    assert safranito.step(s, ["display", 1, 2])[1][0][2] == "not_you"


def test_sales_in_turn_with_two_buttons():
    s = market({"b10": "mint", "r10": "mint"}, sales="turn")
    s, _ = play(s, ["choose", 0, "mint"])
    for button in ("no", "ok", "no", "no"):
        s, _ = press(s, button)
    s, fx = press(s, "ok")
    assert fx[:2] == [[None, "sold", 1, "mint", 1, 20], [None, "home", "mint", [[1, 1]]]]


def test_action_spaces_with_two_buttons():
    s = safranito.new({"players": 2, "chef": 0, "mode": "referee"})
    places = [["r10", "extra_throw"], ["r20", "spice_card"], ["r30", "reserve"]]
    s, _ = play(s, ["accept", None, places + [["r40", "head_chef"]]])
    while s["phase"] != ["throw", 8]:
        s, _ = press(s, "no")
    effects = []
    for button in ("ok", "no", "ok", "ok", "ok", "ok"):
        s, fx = press(s, button)
        effects += [effect[1:] for effect in fx if effect[1] not in ("revealed", "phase")]
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
    assert s["reserved"] == [[], [-1]] and s["chef"] == 1


def test_cooking_with_two_buttons_first_open_then_reserved():
    s = safranito.new({"players": 2, "chef": 1, "mode": "referee"})
    s = dict(s, phase=["cook", 0, 0], pile=s["pile"][1:], reserved=[[], [-1]])
    s, fx = press(s, "no")
    assert fx == [[None, "no_open", 1]]
    s, fx = press(s, "ok")
    assert fx == [[None, "cooked", 1, -1, "reserved"]] and safranito.seats_asked(s) == [0]
    s, fx = press(s, "ok")
    assert fx[0] == [None, "cooked", 0, -1, "open"] and s["phase"] == ["round_over"]
    s, fx = press(s, "ok")
    assert fx[2:4] == [[None, "opened", [-1]], [None, "lay", 4]]


def test_undo_in_referee_mode_knows_no_secret_cards():
    s = safranito.new({"players": 2, "chef": 0, "mode": "referee"})
    s = dict(s, phase=["reserve", 1])
    assert safranito.undoable(s, ["reserve", 1])
    s = dict(s, phase=["round_over"])
    assert safranito.undoable(s, ["next_round", 0])
    full = dict(safranito.new({"players": 2, "chef": 0}), phase=["round_over"])
    assert not safranito.undoable(full, ["next_round", 0])


def test_buttons_that_mean_nothing():
    s = safranito.new({"players": 2, "mode": "referee"})
    assert safranito.press(s, "ok") is None and safranito.press(s, "undo") is None
    assert safranito.press(dict(s, phase=["over", None]), "ok") is None
    assert safranito.press(dict(s, phase=["keep", 0, "1"]), "ok") is None
