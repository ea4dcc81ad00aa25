"""Jaipur: every ruling and every reminder of the rule text under its own name."""

from jaipur_tables import cards, done, kinds, refused, table

from spicecore.games.jaipur import rules as jaipur
from spicecore.games.jaipur.goods import BONUS, CARDS, GOODS, TOKENS, cards_of, count, result

# --- the set-up -----------------------------------------------------------------------------


def test_box_holds_55_cards_38_goods_tokens_and_18_bonus_tokens():
    assert sum(CARDS) == 55
    assert sum(len(pile) for pile in TOKENS) == 38
    assert sum(len(pile) for pile in BONUS) == 18
    assert all(list(pile) == sorted(pile) for pile in TOKENS)


def test_set_up_three_camels_five_cards_each_two_more_to_the_market():
    for seed in range(40):
        state = jaipur.new({"seed": seed})
        assert state["market"][:3] == ["camel"] * 3 and len(state["market"]) == 5
        assert len(state["deck"]) == 40
        for seat in (0, 1):
            assert sum(state["hands"][seat]) + state["herds"][seat] == 5
        assert [len(pile) for pile in state["bonus"]] == [7, 6, 5]


def test_first_player_is_drawn_by_lot_or_chosen():
    assert {jaipur.new({"seed": s})["phase"][1] for s in range(20)} == {0, 1}
    for first in (0, 1):
        for seed in range(5):
            assert jaipur.seats_asked(jaipur.new({"seed": seed, "first": first})) == [first]


def test_same_seed_gives_the_same_game_and_another_seed_another():
    assert jaipur.new({"seed": 5}) == jaipur.new({"seed": 5})
    assert jaipur.new({"seed": 5}) != jaipur.new({"seed": 6})


# --- taking ---------------------------------------------------------------------------------


def test_take_one_good_and_turn_up_the_next_card():
    state = table(market="mmmcl", hands=("dgscp", "dgscp"), deck="sg")
    after, effects = jaipur.step(state, ["take", 0, "cloth"])
    assert after["market"] == cards("mmmgl") and after["hands"][0] == [1, 1, 1, 2, 1, 0]
    assert len(after["deck"]) == len(state["deck"]) - 1
    assert effects == [
        [None, "took", 0, "cloth"],
        [None, "turned", ["gold"]],
        [None, "turn", 1],
    ]


def test_taking_one_with_seven_in_hand_is_illegal():
    state = table(hands=("dgscpll", "dg"))
    assert "take" not in kinds(state, 0)
    assert refused(state, ["take", 0, "leather"]) == "hand"


def test_a_camel_is_never_taken_as_the_one_good():
    assert refused(table(), ["take", 0, "camel"]) == "malformed"


def test_reminder_camels_are_taken_all_together():
    state = table(market="mmmcl", herds=(2, 0), deck="sgd")
    after = done(state, ["camels", 0])
    assert after["herds"] == [5, 0] and after["market"] == cards("dgscl")
    assert refused(state, ["camels", 0, 2]) == "malformed"
    assert refused(table(market="dgscl", herds=(3, 0)), ["camels", 0]) == "market"


def test_reminder_cards_taken_are_goods_or_camels_never_a_mix():
    state = table(market="mmdcl", hands=("gsp", "gsp"))
    assert refused(state, ["exchange", 0, ["diamond", "camel"], ["gold", "silver"]]) == "camel"


# --- exchange -------------------------------------------------------------------------------


def test_exchange_two_goods_for_a_good_and_a_camel():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(2, 0))
    after, effects = jaipur.step(state, ["exchange", 0, ["diamond", "gold"], ["spice", "camel"]])
    assert after["hands"][0] == [1, 1, 1, 0, 1, 0] and after["herds"] == [1, 0]
    assert sorted(after["market"]) == sorted(cards("mpmcl"))
    assert after["deck"] == state["deck"]
    assert effects[0] == [None, "exchanged", 0, ["diamond", "gold"], ["spice", "camel"]]


def test_reminder_cards_given_may_be_camels_goods_or_both():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(2, 0))
    taken = ["diamond", "gold"]
    for given in (["camel", "camel"], ["silver", "spice"], ["spice", "camel"]):
        done(state, ["exchange", 0, taken, given])


def test_reminder_no_good_is_both_taken_and_given():
    state = table(market="mdgcl", hands=("dsp", "dg"), herds=(2, 0))
    assert refused(state, ["exchange", 0, ["diamond", "gold"], ["diamond", "spice"]]) == "both"
    for event in jaipur.legal(state, 0):
        if event[0] == "exchange":
            assert not set(event[2]) & set(event[3])


def test_reminder_one_card_is_never_exchanged_for_one():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(2, 0))
    assert refused(state, ["exchange", 0, ["diamond"], ["spice"]]) == "number"
    assert refused(state, ["exchange", 0, [], []]) == "number"


def test_exchange_gives_as_many_as_it_takes():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(2, 0))
    assert refused(state, ["exchange", 0, ["diamond", "gold"], ["spice"]]) == "number"


def test_exchange_of_all_five_cards_of_the_market():
    state = table(market="ddgcl", hands=("sspp", "gg"), herds=(3, 0))
    after = done(
        state,
        [
            "exchange",
            0,
            cards("ddgcl"),
            cards("sspp") + ["camel"],
        ],
    )
    assert after["hands"][0] == [2, 1, 0, 1, 0, 1] and after["herds"][0] == 2


def test_camels_given_may_not_lift_the_hand_over_seven():
    state = table(market="mdgcl", hands=("sssppp", "dg"), herds=(4, 0))
    done(state, ["exchange", 0, ["diamond", "gold"], ["spice", "camel"]])
    assert refused(state, ["exchange", 0, ["diamond", "gold"], ["camel", "camel"]]) == "hand"
    full = table(market="mdgcl", hands=("ssspppp", "dg"), herds=(4, 0))
    assert refused(full, ["exchange", 0, ["diamond", "gold"], ["spice", "camel"]]) == "hand"
    done(full, ["exchange", 0, ["diamond", "gold"], ["spice", "spice"]])


def test_cards_of_an_exchange_are_named_in_one_order():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(2, 0))
    assert refused(state, ["exchange", 0, ["gold", "diamond"], ["silver", "spice"]]) == "malformed"
    assert refused(state, ["exchange", 0, ["diamond", "gold"], ["camel", "spice"]]) == "malformed"


def test_exchange_refuses_cards_that_are_not_there():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(1, 0))
    assert refused(state, ["exchange", 0, ["diamond", "diamond"], ["spice", "spice"]]) == "market"
    assert refused(state, ["exchange", 0, ["diamond", "gold"], ["silver", "silver"]]) == "hand"
    assert refused(state, ["exchange", 0, ["diamond", "gold"], ["camel", "camel"]]) == "herd"


# --- selling --------------------------------------------------------------------------------


def test_sale_takes_the_dearest_tokens_first():
    state = table(hands=("lll", "dg"))
    after, effects = jaipur.step(state, ["sell", 0, "leather", 3])
    assert effects[0] == [None, "sold", 0, "leather", 3, [4, 3, 2]]
    assert after["won"][0] == [["leather", 4], ["leather", 3], ["leather", 2]]
    assert after["tokens"][5] == 6 and after["hands"][0] == [0] * 6


def test_reminder_one_kind_only_is_sold_in_a_turn():
    state = table(hands=("llcc", "dg"))
    assert refused(state, ["sell", 0, "leather", 2, "cloth", 2]) == "malformed"
    assert jaipur.step(state, ["sell", 0, "leather", 2])[0]["phase"] == ["turn", 1]


def test_a_sale_shows_cards_that_are_held():
    state = table(hands=("llcc", "dg"))
    assert refused(state, ["sell", 0, "leather", 3]) == "hand"
    assert refused(state, ["sell", 0, "leather", 0]) == "number"
    assert refused(state, ["sell", 0, "leather", -1]) == "number"
    assert refused(state, ["sell", 0, "leather", True]) == "malformed"


def test_diamond_gold_and_silver_need_at_least_two_cards():
    for letter, good in (("d", "diamond"), ("g", "gold"), ("s", "silver")):
        state = table(hands=(letter * 2, "cp"))
        assert refused(state, ["sell", 0, good, 1]) == "precious"
        done(state, ["sell", 0, good, 2])
    for letter, good in (("c", "cloth"), ("p", "spice"), ("l", "leather")):
        done(table(hands=(letter, "dg")), ["sell", 0, good, 1])


def test_precious_minimum_holds_even_with_one_token_left():
    state = table(hands=("dd", "cp"), sold=("", "dddd"))
    assert state["tokens"][0] == 1
    assert refused(state, ["sell", 0, "diamond", 1]) == "precious"
    assert done(state, ["sell", 0, "diamond", 2])["won"][0] == [["diamond", 5]]


def test_bonus_for_three_four_and_five_cards():
    for n, size, value in ((2, 0, 0), (3, 3, 3), (4, 4, 6), (5, 5, 10), (6, 5, 10), (7, 5, 10)):
        state = table(hands=("l" * n, "dg"))
        after, effects = jaipur.step(state, ["sell", 0, "leather", n])
        assert after["bonuses"][0] == ([[size, value]] if size else [])
        if size:
            assert [None, "bonus", 0, size] in effects
            assert [0, "bonus_value", size, value] in effects


def test_reminder_fewer_tokens_than_cards_takes_what_is_left_and_the_bonus_by_cards():
    state = table("mmmgl", hands=("ccc", "dg"), sold=("", "ccccc"))
    after = done(state, ["sell", 0, "cloth", 3])
    assert after["won"][0] == [["cloth", 1], ["cloth", 1]]
    assert [size for size, _ in after["bonuses"][0]] == [3]


def test_sale_from_an_already_empty_pile_is_legal_and_brings_no_token():
    state = table("mmmgl", hands=("c", "dg"), sold=("", "ccccccc"))
    after, effects = jaipur.step(state, ["sell", 0, "cloth", 1])
    assert effects[0] == [None, "sold", 0, "cloth", 1, []]
    assert after["won"][0] == [] and after["hands"][0] == [0] * 6


def test_option_no_sale_from_an_empty_pile():
    state = table("mmmgl", hands=("c", "dg"), sold=("", "ccccccc"), empty_sale=False)
    assert refused(state, ["sell", 0, "cloth", 1]) == "tokens"
    assert "sell" not in kinds(state, 0)


def test_bonus_pile_empty_gives_no_bonus_and_no_substitute():
    won = tuple((5, value) for value in BONUS[2])
    sold = "lllllcccccpppppdddddggggg"  # 25 cards, five sales of five
    state = table(hands=("lllll", "s"), sold=("", ""), bonuses=((), ()))
    state["bonus"][2] = []
    state["bonuses"][1] = [list(pair) for pair in won]
    after, effects = jaipur.step(state, ["sell", 0, "leather", 5])
    assert after["bonuses"][0] == [] and len(sold) == 25
    assert not any(effect[1] in ("bonus", "bonus_value") for effect in effects)
    assert [len(pile) for pile in after["bonus"]] == [7, 6, 0]


# --- hand limit, camels, no legal move --------------------------------------------------------


def test_reminder_camels_never_count_for_the_hand_limit():
    state = table(market="mmmcl", hands=("dgscppp", "dg"), herds=(8, 0))
    assert done(state, ["camels", 0])["herds"][0] == 11


def test_hand_is_at_most_seven_after_every_turn_of_random_games():
    for seed in range(6):
        for state, _ in random_game(seed):
            for seat in (0, 1):
                assert sum(state["hands"][seat]) <= 7


def test_a_player_always_has_a_legal_move():
    for seed in range(6):
        for state, legal in random_game(seed):
            assert jaipur.over(state) or legal
    assert kinds(table(hands=("ddgsspp", "g"), market="ddgll"), 0) >= {"sell"}
    assert kinds(table(hands=("", "g"), market="mmmmm"), 0) == {"camels"}


# --- the end of a round -----------------------------------------------------------------------


def test_round_ends_when_three_piles_are_empty():
    state = table(hands=("dd", "cp"), sold=("ggggg", "sssssddd"))
    after, effects = jaipur.step(state, ["sell", 0, "diamond", 2])
    assert after["phase"][:2] == ["scored", "piles"]
    assert effects[1][:3] == [None, "round_over", "piles"]


def test_third_empty_pile_completes_the_sale_with_its_bonus():
    state = table(hands=("ppp", "c"), sold=("gggggpppp", "sssss"))
    after = done(state, ["sell", 0, "spice", 3])
    assert [size for size, _ in after["bonuses"][0]] == [3]
    assert after["won"][0][-3:] == [["spice", 2], ["spice", 1], ["spice", 1]]
    assert after["phase"][:2] == ["scored", "piles"]


def almost_empty(market: str, deck_letters: str, hands: tuple, herds: tuple) -> dict:
    """A position with this deck, everything else sold by seat 1, two piles empty."""
    rest = list(CARDS)
    for letter in market + deck_letters + hands[0] + hands[1]:
        rest["dgscplm".index(letter)] -= 1
    sold = "".join(letter * rest[k] for k, letter in enumerate("dgscpl"))
    state = table(
        market=market, hands=hands, herds=herds, sold=("", sold), deck=deck_letters or ""
    )
    assert jaipur.parse(jaipur.text(state)) == state
    return state


def test_deck_at_zero_ends_the_round_only_when_a_refill_is_due():
    state = almost_empty("mmpll", "", ("ssccppp", "ssslllll"[:7]), (4, 5))
    after = done(state, ["sell", 0, "silver", 2])
    assert after["phase"] == ["turn", 1]
    after = done(state, ["exchange", 0, ["leather", "leather"], ["cloth", "cloth"]])
    assert after["phase"] == ["turn", 1]


def test_deck_at_zero_and_a_good_taken_ends_the_round():
    state = almost_empty("mmpll", "", ("ssccpp", "sssllll"), (4, 5))
    after = done(state, ["take", 0, "leather"])
    assert after["phase"][:2] == ["scored", "deck"] and len(after["market"]) == 4


def test_taking_camels_with_too_few_cards_left_fills_what_can_be_filled_then_ends():
    state = almost_empty("mmmpl", "pc", ("sscpp", "sssllll"), (4, 4))
    after, effects = jaipur.step(state, ["camels", 0])
    assert effects[1] == [None, "turned", ["cloth", "spice"]]
    assert sorted(after["market"]) == sorted(cards("cppl"))
    assert after["herds"] == [7, 4] and after["phase"][:2] == ["scored", "deck"]


def test_taking_the_very_last_cards_that_just_refill_does_not_end_the_round():
    state = almost_empty("mmmpl", "pcl", ("sscpp", "sssllll"), (4, 4))
    after = done(state, ["camels", 0])
    assert after["deck"] == [] and after["phase"] == ["turn", 1]


# --- counting a round -------------------------------------------------------------------------


def ending(herds: tuple, sold: tuple, bonuses: tuple = ((), ()), **options: object) -> dict:
    """After seat 0 sold two spices and so emptied a third pile (two tokens of 1)."""
    full = ("ppppp" + sold[0], sold[1])
    state = table(hands=("pp", "c"), herds=herds, sold=full, bonuses=bonuses, **options)
    return jaipur.step(state, ["sell", 0, "spice", 2])[0]


def test_camel_token_goes_to_the_larger_herd():
    after = ending((3, 4), ("ddddd", "ggggg"))
    found = result(after)
    assert found["camel_token"] == 1
    assert found["rupees"] == [15 + 2 + 29, 27 + 5]


def test_reminder_equal_herds_nobody_gets_the_camel_token():
    found = result(ending((4, 4), ("ddddd", "ggggg")))
    assert found["camel_token"] is None and found["rupees"] == [46, 27]


def test_the_richer_gets_the_seal():
    after = ending((3, 4), ("ddddd", "ggggg"))
    assert after["phase"] == ["scored", "piles", 0] and after["seals"] == [1, 0]


def tied(more: tuple, bonuses: tuple = ((), ()), **options: object) -> dict:
    """After seat 0 emptied the third pile, both having 38 rupees in 11 goods tokens, and `more`.

    Seat 0: cloth 17, silver 5 5 5, gold 6. Seat 1: spice 17, silver 5 5, gold 6 5.
    """
    sold = ("cccccsssg" + more[0], "pppppppssgg" + more[1])
    state = table("mmmll", hands=("cc", "d"), herds=(4, 4), sold=sold, bonuses=bonuses, **options)
    after = jaipur.step(state, ["sell", 0, "cloth", 2])[0]
    assert result(after)["rupees"][0] == result(after)["rupees"][1], result(after)
    return after


def test_round_tie_is_broken_by_the_number_of_bonus_tokens():
    after = tied(("l", ""), ((), ((4, 4),)))  # one leather token of 4 against a bonus of 4
    assert len(after["won"][0]) > len(after["won"][1])
    assert after["phase"] == ["scored", "piles", 1]


def test_round_tie_is_then_broken_by_the_number_of_goods_tokens():
    after = tied(("ll", "llllll"))  # 4 + 3 against 2 + 1 + 1 + 1 + 1 + 1
    assert after["phase"] == ["scored", "piles", 1]


def test_round_tied_in_everything_gives_no_seal_and_the_other_player_starts():
    after = tied(("", ""))
    assert after["phase"] == ["scored", "piles", None] and after["seals"] == [0, 0]
    assert after["starter"] == 0 and jaipur.seats_asked(after) == [1]
    again, effects = jaipur.step(after, ["next_round", 1])
    assert again["phase"] == ["turn", 1] and again["round"] == 2 and again["seals"] == [0, 0]
    assert not any(effect[1] == "seal" for effect in effects)


def test_option_same_player_starts_again_after_a_wholly_tied_round():
    after = tied(("", ""), replay="same")
    assert jaipur.seats_asked(after) == [0]


# --- rounds and the game ------------------------------------------------------------------------


def test_the_loser_of_the_round_starts_the_next_one():
    after = ending((3, 4), ("ddddd", "ggggg"))
    assert jaipur.seats_asked(after) == [1]
    assert jaipur.legal(after, 1) == [["next_round", 1]] and jaipur.legal(after, 0) == []
    assert refused(after, ["next_round", 0]) == "not_you"
    assert refused(after, ["take", 1, "cloth"]) == "not_now"
    again, effects = jaipur.step(after, ["next_round", 1])
    assert again["phase"] == ["turn", 1] and again["seals"] == [1, 0] and again["round"] == 2
    assert [effect[0] for effect in effects if effect[1] == "hand"] == [0, 1]


def test_two_seals_win_the_game_at_once():
    state = table(hands=("pp", "c"), sold=("pppppddddd", "ggggg"), herds=(4, 4))
    state["seals"] = [1, 1]
    state["round"] = 3
    after, effects = jaipur.step(state, ["sell", 0, "spice", 2])
    assert after["phase"] == ["over", "piles", 0] and jaipur.over(after)
    assert effects[-2:] == [[None, "seal", 0, 2], [None, "over", 0]]
    assert jaipur.legal(after, 0) == [] and jaipur.legal(after, 1) == []
    assert jaipur.seats_asked(after) == []
    assert refused(after, ["next_round", 1]) == "over"
    assert jaipur.standing(after) == [
        [0, 1, {"seals": 2, "rupees": 46}],
        [1, 2, {"seals": 1, "rupees": 27}],
    ]


def test_standing_tells_no_rupees_while_a_round_is_played():
    assert jaipur.standing(jaipur.new({})) == [[0, 1, {"seals": 0}], [1, 1, {"seals": 0}]]


# --- out of turn, of another game, nonsense -----------------------------------------------------


def test_a_turn_out_of_turn_is_refused():
    state = table(turn=0)
    assert refused(state, ["take", 1, "cloth"]) == "not_you"
    assert refused(state, ["next_round", 0]) == "not_now"
    assert jaipur.legal(state, 1) == []


def test_events_of_another_game_and_nonsense_are_refused():
    state = table()
    nonsense = [
        None, 7, "take", {}, [], [[]], ["take"], ["take", 0], ["take", 0, 3],
        ["take", 0, ["gold"]], ["lay", 0, 4, 1, 1, 0], ["throw", 0, "b10"],
        ["take", True, "cloth"],
        ["take", None, "cloth"],
        ["take", 2, "cloth"], ["take", "0", "cloth"], ["sell", 0, "camel", 2], ["sell", 0, [], 2],
        ["exchange", 0, "cloth", "gold"], ["exchange", 0, [1, 2], [3, 4]],
        ["exchange", 0, [[]], [{}]],
        ["moved", 0, []], ["moved", None], ["moved", None, [["b10"]]], ["moved", None, [[1, 2]]],
        ["moved", None, {"b10": "curry"}], [None, 0], [{}, 0], ["take", 0.0, "cloth"],
    ]  # fmt: skip
    for event in nonsense:
        refused(state, event)


def test_options_that_cannot_be_are_refused_with_the_reason():
    wrong = [
        {"players": 3}, {"players": True}, {"mode": "referee"}, {"seed": "7"}, {"first": 2},
        {"first": True},
        {"empty_sale": 1}, {"replay": "never"}, {"purses": "open"},
    ]  # fmt: skip
    for options in wrong:
        try:
            jaipur.new(options)
        except ValueError as error:
            assert len(str(error)) > 15
        else:
            raise AssertionError(options)


# --- undo, chance, purity -----------------------------------------------------------------------


def test_a_turn_that_turned_up_a_card_cannot_be_taken_back():
    state = table()
    assert not jaipur.undoable(state, ["take", 0, "cloth"])
    assert not jaipur.undoable(state, ["camels", 0])


def test_a_turn_that_showed_hidden_cards_or_drew_a_bonus_cannot_be_taken_back():
    state = table(market="mdgcl", hands=("spplll", "dg"), herds=(2, 0))
    taken = ["diamond", "gold"]
    assert (
        jaipur.undoable(state, ["exchange", 0, taken[:1] + ["cloth"], ["camel", "camel"]]) is False
    )
    state = table(market="mdgcl", hands=("sppl", "dg"), herds=(2, 0))
    assert jaipur.undoable(state, ["exchange", 0, taken, ["camel", "camel"]])
    assert not jaipur.undoable(state, ["exchange", 0, taken, ["spice", "camel"]])
    assert not jaipur.undoable(state, ["sell", 0, "spice", 2])
    state["known"][0] = [0, 0, 0, 0, 2, 0, 0]
    assert jaipur.undoable(state, ["exchange", 0, taken, ["spice", "camel"]])
    assert jaipur.undoable(state, ["sell", 0, "spice", 2])
    assert not jaipur.undoable(state, ["sell", 1, "spice", 2])


# --- random play ----------------------------------------------------------------------------


def random_game(seed: int):
    """(state, legal events of the seat asked) for each state of a random game."""
    from spicecore import chance

    x = chance.start(seed)
    state = jaipur.new({"seed": seed})
    while True:
        asked = jaipur.seats_asked(state)
        legal = jaipur.legal(state, asked[0]) if asked else []
        yield state, legal
        if not asked:
            return
        x, k = chance.below(x, len(legal))
        state = jaipur.step(state, legal[k])[0]


def test_every_listed_event_is_accepted_and_none_stands_twice():
    for seed in range(2):
        for n, (state, legal) in enumerate(random_game(seed)):
            seen = {repr(event) for event in legal}
            assert len(seen) == len(legal)
            if n % 5 == 0:
                for event in legal:
                    done(state, event)


def test_packed_list_stands_for_the_legal_events_and_is_short():
    for state, _ in random_game(8):
        for seat in (0, 1):
            brief = jaipur.packed(state, seat)
            assert jaipur.unpacked(brief) == jaipur.legal(state, seat)
            assert len(repr(brief)) < 200


def test_nothing_but_the_listed_events_is_accepted():
    for n, (state, legal) in enumerate(random_game(3)):
        if n % 30 or jaipur.over(state):
            continue
        listed = {repr(event) for event in legal}
        seat = jaipur.seats_asked(state)[0]
        for event in candidates(state, seat):
            if repr(event) not in listed:
                refused(state, event)


def candidates(state: dict, seat: int) -> list:
    """Many events near the legal ones: every small number, every pair of cards, both seats."""
    found = [["next_round", s] for s in (0, 1)] + [["camels", s] for s in (0, 1)]
    for good in GOODS:
        found.append(["take", seat, good])
        found.append(["take", 1 - seat, good])
        found.extend(["sell", seat, good, n] for n in range(-1, 9))
    names = GOODS + ("camel",)
    pairs = [[a, b] for i, a in enumerate(names) for b in names[i:]]
    found.extend(["exchange", seat, taken, given] for taken in pairs for given in pairs)
    return found


def test_nothing_is_lost_in_random_games():
    for seed in (11, 12):
        for state, _ in random_game(seed):
            places = cards_of([0] * 6) + state["market"] + state["deck"]
            for seat in (0, 1):
                places = places + cards_of(state["hands"][seat] + [state["herds"][seat]])
            found = count(places)
            for k in range(6):
                sold = CARDS[k] - found[k]
                assert len(TOKENS[k]) - state["tokens"][k] == min(sold, len(TOKENS[k]))
            assert found[6] == CARDS[6]
            assert sum(state["tokens"]) + sum(len(won) for won in state["won"]) == 38
            piles = sum(len(pile) for pile in state["bonus"])
            assert piles + sum(len(won) for won in state["bonuses"]) == 18
