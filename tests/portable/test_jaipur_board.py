"""Jaipur on the board: chips that choose, what rings show, and what must stay secret."""

import json

from jaipur_tables import cards, done, refused, table

from spicecore import chance
from spicecore.games.jaipur import rules as jaipur
from spicecore.games.jaipur.goods import GOODS
from spicecore.lights import rings
from spicecore.parts import LEDS, ZONES


def lay(state: dict, *pairs: tuple) -> dict:
    """The state after chips came to lie in zones: ("b10", "curry"), ..."""
    event = jaipur.sensed(state, [list(pair) for pair in pairs])
    after, effects = jaipur.step(state, event)
    assert effects == []
    return after


def test_chip_on_camels_and_ok_takes_the_camels():
    state = lay(table(), ("b10", "reserve"))
    assert jaipur.press(state, "ok") == ["camels", 0]
    assert jaipur.show(state)["reserve"] == ["whole", 0]
    assert jaipur.show(table())["reserve"] == ["blink", 0]


def test_chip_on_take_and_one_in_a_bowl_takes_that_good():
    state = lay(table(market="mmmcl"), ("b10", "extra_throw"), ("b20", "chili"))
    assert jaipur.press(state, "ok") == ["take", 0, "cloth"]
    assert jaipur.press(state, "no") is None and jaipur.press(state, "undo") is None
    assert jaipur.press(lay(state, ("b30", "garlic")), "ok") is None


def test_chips_on_sell_are_as_many_as_the_cards_sold():
    state = table(hands=("lllcc", "dg"))
    state = lay(state, ("b10", "head_chef"), ("b20", "garlic"), ("b30", "garlic"))
    assert jaipur.press(state, "ok") == ["sell", 0, "leather", 2]
    state = lay(state, ("b40", "garlic"))
    assert jaipur.press(state, "ok") == ["sell", 0, "leather", 3]
    assert jaipur.press(lay(state, ("b50", "garlic")), "ok") is None


def test_exchange_is_paid_in_camels_where_chips_name_goods_of_the_market_only():
    state = table(market="mdgcl", hands=("spp", "dg"), herds=(3, 0))
    state = lay(state, ("b10", "spice_card"), ("b20", "curry"), ("b30", "ginger"))
    assert jaipur.press(state, "ok") == ["exchange", 0, cards("dg"), cards("mm")]
    both = lay(state, ("b40", "cardamom"))
    assert jaipur.press(both, "ok") == ["exchange", 0, cards("dg"), cards("sm")]
    assert jaipur.press(lay(both, ("b50", "mint")), "ok") == jaipur.press(both, "ok")
    assert jaipur.press(lay(both, ("b50", "mint"), ("b60", "mint")), "ok") is None


def test_an_ambiguous_exchange_is_left_to_the_table():
    # a chip each on cloth and spice, both in hand and in the market: two exchanges fit
    state = table(market="mccpp", hands=("cdsp", "dg"), herds=(0, 0))
    state = lay(state, ("b10", "spice_card"), ("b20", "chili"), ("b30", "saffron"))
    state = lay(state, ("b40", "curry"), ("b50", "cardamom"))
    assert jaipur.press(state, "ok") == ["exchange", 0, cards("cp"), cards("ds")]
    state = table(market="mccpp", hands=("ccpp", "dg"), herds=(0, 0))
    state = lay(state, ("b10", "spice_card"), ("b20", "chili"), ("b30", "chili"))
    state = lay(state, ("b40", "saffron"), ("b50", "saffron"))
    assert jaipur.press(state, "ok") is None  # cloth for spice, or spice for cloth


def test_no_action_two_actions_or_the_other_ones_chips_choose_nothing():
    state = table()
    assert jaipur.press(lay(state, ("b20", "chili")), "ok") is None
    assert jaipur.press(lay(state, ("b10", "reserve"), ("b20", "head_chef")), "ok") is None
    assert jaipur.press(lay(state, ("r10", "reserve")), "ok") is None
    assert jaipur.press(lay(state, ("b10", "reserve"), ("b20", "cumin")), "ok") is None


def test_after_the_turn_its_chips_shall_be_lifted():
    state = lay(table(), ("b10", "reserve"))
    seen = {"b10": "reserve"}
    assert jaipur.mismatch(state, seen) == []
    after = done(state, jaipur.press(state, "ok"))
    assert jaipur.mismatch(after, seen) == [["b10", "reserve", None]]
    assert jaipur.public_mismatch(after, jaipur.mismatch(after, seen)) == [
        ["blue", "reserve", None]
    ]
    assert jaipur.mismatch(after, {}) == []


def test_a_chip_of_the_other_player_is_a_mismatch_until_it_is_accepted():
    state = lay(table(), ("r10", "curry"), ("b10", "reserve"))
    seen = {"r10": "curry", "b10": "reserve", "mill": "mint"}
    assert jaipur.mismatch(state, seen) == [["mill", "mint", None], ["r10", "curry", None]]
    state, effects = jaipur.step(state, ["accept", 0, [["r10", "curry"], ["mill", "mint"]]])
    assert effects == [] and jaipur.mismatch(state, seen) == []
    assert jaipur.press(state, "ok") == ["camels", 0]
    assert jaipur.parse(jaipur.text(state)) == state
    after = done(state, ["camels", 0])
    assert jaipur.mismatch(after, seen) == [["b10", "reserve", None]]


def test_a_doubt_is_judged_by_the_player_on_turn():
    state = table()
    assert jaipur.arbiter(state) == 0
    after, effects = jaipur.step(state, ["judged", 0, "b10", "reserve"])
    assert effects == [] and jaipur.press(after, "ok") == ["camels", 0]
    assert refused(state, ["judged", 1, "b10", "reserve"]) == "not_you"
    assert refused(state, ["judged", 0, "b15", "reserve"]) == "unknown_chip"


def test_facts_of_no_chip_or_no_zone_are_refused():
    state = table()
    assert refused(state, ["moved", None, [["b10", "kitchen"]]]) == "unknown_zone"
    assert refused(state, ["moved", None, [["x10", "curry"]]]) == "unknown_chip"
    assert refused(state, ["accept", 3, []]) == "malformed"


def test_an_aborted_game_is_over_and_turns_nothing_up():
    state = table(bonuses=(((3, 2),), ()), sold=("lll", ""))
    after, effects = jaipur.step(state, ["abort", None])
    assert jaipur.over(after) and effects == [[None, "aborted"]]
    assert jaipur.view(after, 1)["result"] is None
    assert "rupees" not in jaipur.standing(after)[0][2]
    assert jaipur.parse(jaipur.text(after)) == after
    assert refused(after, ["abort", None]) == "over" and jaipur.arbiter(after) is None
    jaipur.show(after)


def test_ok_opens_the_next_round_for_the_one_who_starts_it():
    state = table("mmmll", hands=("cc", "d"), sold=("cccccsssg", "pppppppssggg"), herds=(4, 4))
    after = done(state, ["sell", 0, "cloth", 2])
    assert after["phase"][0] == "scored"
    assert jaipur.press(after, "ok") == ["next_round", 1 - after["phase"][2]]
    assert jaipur.press(after, "no") is None


# --- rings ------------------------------------------------------------------------------------


def lit(shape: list, zone: str) -> int:
    """How many LEDs of a zone's ring are not dark."""
    count = LEDS[ZONES.index(zone)]
    pixels = bytearray(3 * count)
    rings.Painter().render(pixels, 0, count, shape, rings.frame(shape, 0))
    return sum(1 for i in range(count) if any(pixels[3 * i : 3 * i + 3]))


def test_every_zone_has_a_shape_that_the_rings_can_draw():
    x = chance.start(9)
    state = jaipur.new({"seed": 9})
    while not jaipur.over(state):
        shown = jaipur.show(state)
        assert sorted(shown) == sorted(ZONES)
        legal = jaipur.legal(state, jaipur.seats_asked(state)[0])
        x, k = chance.below(x, len(legal))
        state = jaipur.step(state, legal[k])[0]
    shown = jaipur.show(state)
    winner = state["phase"][2]
    spaces = ("extra_throw", "spice_card", "reserve", "head_chef")
    assert [shown[zone] for zone in spaces].count(["whole", winner]) == 2


def test_rings_of_goods_show_tokens_left_and_the_top_one_by_brightness():
    fresh, sold = table(), table(hands=("", "dg"), sold=("dd", ""))
    first, second = jaipur.show(fresh)["curry"], jaipur.show(sold)["curry"]
    assert first == ["arcs", [["#ff2020", 5], ["off", 0]]]  # top token 7 of 7: full
    assert second == ["arcs", [["#b61616", 3], ["off", 2]]]  # top token 5 of 7
    empty = table("mmmgl", hands=("c", "dg"), sold=("", "ccccccc"))
    assert jaipur.show(empty)["chili"] == ["dark"]
    assert [lit(shape, "curry") for shape in (first, second, ["dark"])] == [16, 10, 0]


def test_rings_show_camels_market_and_deck():
    shown = jaipur.show(table(market="mmdcl", deck="dgs"))
    assert shown["mint"][2:] == [2, 5]
    assert [weight for _, weight in shown["cumin"][1]] == [1, 1, 1]
    assert shown["cinnamon"] == ["count", "white", 40, 40]


def test_action_spaces_blink_for_the_seat_on_turn_where_it_may_act():
    spaces = ("extra_throw", "spice_card", "reserve", "head_chef")
    shown = jaipur.show(table(market="dgscl", hands=("dgscppp", "dg"), turn=0))
    assert [shown[zone] for zone in spaces] == [["dark"], ["blink", 0], ["dark"], ["blink", 0]]
    shown = jaipur.show(table(market="mmmmm", hands=("", "dg"), turn=0))
    assert [shown[zone] for zone in spaces] == [["dark"], ["dark"], ["blink", 0], ["dark"]]


# --- secrets ------------------------------------------------------------------------------------


def secrets_changed(state: dict, seat: int, x: int) -> dict:
    """The state with what `seat` may not know dealt again: the other hand, deck and bonuses.

    The other's herd follows from what is open (cards sold, sizes of hands and deck), so it stays.
    """
    other = 1 - seat
    after = jaipur.parse(jaipur.text(state))
    hand, deck, known = after["hands"][other], after["deck"], after["known"][other]
    hidden = []
    for k, good in enumerate(GOODS):
        hidden.extend([good] * (hand[k] - known[k]))
        hand[k] = known[k]
    pool = hidden + [card for card in deck if card != "camel"]
    camels = [card for card in deck if card == "camel"]
    x = chance.shuffle(x, pool)
    for card in pool[: len(hidden)]:
        hand[GOODS.index(card)] += 1
    after["deck"] = pool[len(hidden) :] + camels
    x = chance.shuffle(x, after["deck"])
    for size in (3, 4, 5):
        mine = [pair for pair in after["bonuses"][other] if pair[0] == size]
        pile = after["bonus"][size - 3] + [value for _, value in mine]
        x = chance.shuffle(x, pile)
        for pair in mine:
            pair[1] = pile.pop()
        after["bonus"][size - 3] = pile
    after["chance"] = x
    return jaipur.parse(jaipur.text(after))


def test_no_secret_of_the_other_seat_the_deck_or_chance_is_in_a_view():
    x = chance.start(77)
    changed = 0
    for seed in range(3):
        state = jaipur.new({"seed": seed})
        while not jaipur.over(state):
            if state["phase"][0] == "turn":
                for seat in (0, 1):
                    x = chance.rand(x)
                    other = secrets_changed(state, seat, x)
                    changed += other["hands"] != state["hands"]
                    assert jaipur.view(other, seat) == jaipur.view(state, seat)
                    assert jaipur.view(other, None) == jaipur.view(state, None)
                    assert jaipur.show(other) == jaipur.show(state)
                    assert jaipur.standing(other) == jaipur.standing(state)
            legal = jaipur.legal(state, jaipur.seats_asked(state)[0])
            x, k = chance.below(x, len(legal))
            state = jaipur.step(state, legal[k])[0]
    assert changed > 50


def test_a_view_holds_the_own_hand_herd_and_bonus_values_only():
    bonuses = (((3, 2),), ((4, 6),))
    state = table("mmmgc", ("ddl", "ggc"), (3, 2), sold=("lll", "pppp"), bonuses=bonuses)
    seen = jaipur.view(state, 0)
    assert seen["hand"] == cards("ddl") and seen["herd"] == 3 and seen["bonuses"] == [[3, 2]]
    assert seen["hand_sizes"] == [3, 3] and seen["bonus_sizes"] == [[3], [4]]
    public = jaipur.view(state, None)
    assert "hand" not in public and "herd" not in public and "bonuses" not in public
    assert seen["result"] is None and public["result"] is None
    assert json.loads(json.dumps(seen)) == seen


def test_reminder_herd_size_need_not_be_told_but_open_camels_are_known():
    state = done(table(market="mmmcl", herds=(2, 1)), ["camels", 0])
    assert "herds" not in jaipur.view(state, 1)
    assert jaipur.view(state, 1)["known"][0][6] == 3  # the market's camels are open


def test_cards_sold_lie_open():
    state = table(hands=("ddl", "ggc"), sold=("lll", "pppp"))
    assert jaipur.view(state, None)["discard"] == [0, 0, 0, 0, 4, 3]


def test_chips_laid_are_public_by_colour_only():
    state = lay(table(), ("b60", "reserve"), ("b10", "curry"))
    assert jaipur.view(state, 1)["laid"] == [["blue", "curry"], ["blue", "reserve"]]


def test_bonus_value_is_known_to_its_winner_at_once_and_to_the_other_after_the_round():
    state = table(hands=("lll", "dg"))
    after, effects = jaipur.step(state, ["sell", 0, "leather", 3])
    assert [effect for effect in effects if effect[1] == "bonus_value"] == [
        [0, "bonus_value", 3, 3]
    ]
    assert jaipur.view(after, 0)["bonuses"] == [[3, 3]]
    assert "bonuses" not in jaipur.view(after, None)
    state = table("mmmll", hands=("ccc", "d"), sold=("ccccsssg", "pppppppssggg"), herds=(4, 4))
    after, _ = jaipur.step(state, ["sell", 0, "cloth", 3])
    assert after["phase"][0] == "scored"
    assert jaipur.view(after, 1)["result"]["bonuses"] == [[[3, 3]], []]
