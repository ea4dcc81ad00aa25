"""Safranito: secrets, invariants of every state, legal lists, and what the rings show."""

from safranito_tables import ZONES, some_event

from spicecore import chance
from spicecore.games.safranito import rules as safranito

DECISIONS = (
    "missed", "reveal", "pass", "draw", "keep", "reserve", "take", "choose", "sell", "close",
    "buy", "decline", "display", "cook_open", "cook_reserved", "no_open", "done", "next_round",
)  # fmt: skip


def games(most, *options):
    """States of games played at random: yields (state before, event, state, effects)."""
    for number, option in enumerate(options):
        s = safranito.new(option)
        x = chance.start(number)
        for _ in range(most):
            if safranito.over(s):
                break
            x, event = some_event(s, x)
            after, fx = safranito.step(s, event)
            yield s, event, after, fx
            s = after


EVERY = (
    {"players": 2, "seed": 1},
    {"players": 3, "seed": 2, "sales": "turn", "decline": "top", "action_chips": "home"},
    {"players": 4, "seed": 3, "tie": "chef_last", "purses": "open"},
    {"players": 2, "seed": 4, "mode": "referee"},
    {"players": 4, "seed": 5, "mode": "referee", "sales": "turn"},
)


def test_invariant_54_cards_18_blends_24_chips_and_money_of_the_bank():
    for before, _, s, fx in games(300, *EVERY):
        blends = s["open"] + s["pile"]
        for row in s["reserved"] + s["cooked"]:
            blends = blends + row
        assert len(blends) == 18
        assert set(s["lying"]) <= set(s["seen"]) and len(s["seen"]) <= 6 * s["n"]
        if s["mode"] != "full":
            continue
        assert sorted(blends) == list(range(18))
        drawn = len(s["phase"][2]) if s["phase"][0] == "keep" else 0
        hands = sum([sum(hand) for hand in s["hands"]])
        assert len(s["deck"]) + sum(s["discard"]) + sum(s["display"]) + hands + drawn == 54
        bank = 0
        for effect in fx:
            bank += effect[5] if effect[1] == "sold" else 0
            bank -= effect[4] if effect[1] == "bought" else 0
        assert sum(s["money"]) == sum(before["money"]) + bank and min(s["money"]) >= 0


def test_legal_is_exact():
    for s, _, _, _ in games(150, *EVERY):
        listed = []
        for seat in range(s["n"]):
            for event in safranito.legal(s, seat):
                assert event not in listed
                listed.append(event)
                after, fx = safranito.step(s, event)
                assert fx == [] or fx[0][1] != "refused", (s["phase"], event, fx)
                assert event[0] == "moved" or after is not s
        for event in candidates(s):
            if event not in listed:
                after, fx = safranito.step(s, event)
                assert after is s and fx[0][1] == "refused", (s["phase"], event, fx)


def candidates(s):
    """Every decision that can be written down, or nearly."""
    events = []
    for seat in range(s["n"]):
        for kind in DECISIONS:
            if kind in ("sell", "display"):
                events += [[kind, seat, count] for count in range(8)]
            elif kind in ("keep", "choose"):
                events += [[kind, seat, zone] for zone in ZONES]
            elif kind in ("cook_open", "cook_reserved") and s["mode"] == "full":
                events += [[kind, seat, blend] for blend in range(18)]
            else:
                events.append([kind, seat])
    return events


def test_asked_seats_can_always_do_something():
    for s, _, _, _ in games(300, *EVERY):
        asked = safranito.seats_asked(s)
        assert len(asked) >= 1
        for seat in asked:
            blocked = s["phase"][0] == "round_over" and s["astray"]
            assert safranito.legal(s, seat) or blocked


def swapped(s, seat):
    """The state with the hidden values of one seat's chips permuted, as far as they are hidden."""
    own = [c for c in safranito.view(s, seat)["you"]["chips"] if c not in s["revealed"]]
    own = sorted(own)
    names = dict(zip(own, own[1:] + own[:1]))
    new = dict(s)
    new["lying"] = {names.get(c, c): zone for c, zone in s["lying"].items()}
    new["astray"] = {names.get(c, c): zone for c, zone in s["astray"].items()}
    new["seen"] = sorted([names.get(c, c) for c in s["seen"]], key=safranito_order)
    return new, names


def safranito_order(chip):
    return "brgo".index(chip[0]) * 100 + int(chip[1:])


def test_view_and_rings_know_no_hidden_value():
    for s, _, _, _ in games(120, *EVERY):
        for seat in range(s["n"]):
            other = swapped(s, seat)[0]
            for viewer in [None] + [v for v in range(s["n"]) if v != seat]:
                assert safranito.view(other, viewer) == safranito.view(s, viewer)
            assert safranito.show(other) == safranito.show(s)
            assert safranito.seats_asked(other) == safranito.seats_asked(s)


def test_public_effects_of_throws_know_no_value():
    checked = 0
    for s, event, _, fx in games(200, *EVERY):
        if event[0] != "moved" or s["phase"][0] not in ("throw", "extra_throw"):
            continue
        for seat in range(s["n"]):
            other, names = swapped(s, seat)
            same = [[names.get(chip, chip), zone] for chip, zone in event[2]]
            assert safranito.step(other, ["moved", None, same])[1] == fx
            checked += 1
    assert checked > 100


def test_view_knows_no_hand_purse_blend_or_deck_of_others():
    for s, _, _, _ in games(200, *EVERY[:3]):
        for seat in range(s["n"]):
            other = dict(s)
            other["hands"] = [list(hand) for hand in s["hands"]]
            other["reserved"] = [list(blends) for blends in s["reserved"]]
            other["money"] = list(s["money"])
            for rival in range(s["n"]):
                if rival != seat:
                    other["hands"][rival] = other["hands"][rival][1:] + other["hands"][rival][:1]
                    other["reserved"][rival] = [17 - b for b in other["reserved"][rival]]
                    if s["options"]["purses"] == "secret":
                        other["money"][rival] += 50
            other["deck"] = "".join(reversed(s["deck"]))
            other["pile"] = list(reversed(s["pile"]))
            other["chance"] = 1
            if s["phase"][0] == "keep" and s["phase"][1] != seat:
                other["phase"] = s["phase"][:2] + ["0" * len(s["phase"][2])]
            assert safranito.view(other, seat) == safranito.view(s, seat)


def test_private_effects_go_to_their_seat_only():
    kinds = set()
    for _, _, s, fx in games(400, *EVERY):
        for effect in fx:
            if effect[0] is not None:
                kinds.add(effect[1])
                assert effect[1] in ("cards", "kept_card", "blend"), effect
                assert 0 <= effect[0] < s["n"] and s["mode"] == "full"
    assert kinds == {"cards", "kept_card", "blend"}


def test_a_step_changes_no_part_of_the_state_before():
    for s, event, _, _ in games(150, *EVERY):
        line = safranito.text(s)
        safranito.step(s, event)
        assert safranito.text(s) == line


def test_the_seed_is_not_to_be_seen():
    s = safranito.new({"players": 2, "seed": 987654321})
    assert "987654321" not in safranito.text(s) and "seed" not in safranito.view(s, 0)["options"]


def market(**chips):
    s = safranito.new({"players": 4, "chef": 0, "mode": "referee"})
    s = safranito.step(s, ["accept", None, [[chip, chips[chip]] for chip in chips]])[0]
    while s["phase"] != ["throw", 12]:
        s = safranito.step(s, safranito.press(s, "no"))[0]
    return s


def test_rings_before_the_reveal_count_chips():
    s = market(b10="mint", b60="mint", r50="mint", g10="reserve")
    shapes = safranito.show(s)
    assert len(shapes) == 13 and shapes["mint"] == ["arcs", [[0, 2], [1, 1]]]
    assert shapes["head_chef"] == ["blink", 0] and shapes["curry"] == ["dark"]


def test_rings_tell_whose_throw_it_is_where_nothing_lies():
    s = safranito.new({"players": 2, "chef": 1})
    assert safranito.show(s)["mint"] == ["pulse", 1]
    s = safranito.step(s, ["moved", None, [["r10", "mint"]]])[0]
    shapes = safranito.show(s)
    assert shapes["mint"] == ["arcs", [[1, 1]]] and shapes["curry"] == ["pulse", 0]


def test_rings_show_the_winner_of_a_space_and_shares_and_ties_of_a_bowl():
    s = market(b10="mint", b40="mint", r50="mint", g10="reserve")
    s = safranito.step(s, ["reveal", 0])[0]
    assert safranito.show(s)["reserve"] == ["blink", 2]
    s = safranito.step(s, ["pass", 2])[0]
    s = safranito.step(s, ["choose", 0, "mint"])[0]
    assert safranito.show(s)["mint"] == ["arcs", [[0, 50], [1, 50]]]
    s = safranito.step(s, ["close", 0])[0]
    assert safranito.show(s)["mint"] == ["blink", 0]
    s = safranito.step(s, ["display", 0, 0])[0]
    shapes = safranito.show(s)
    assert shapes["reserve"] == ["blink", 0] and shapes["saffron"] == ["count", 0, 0, 3]


def test_rings_at_the_end_are_all_the_winners():
    s = safranito.new({"players": 2})
    assert safranito.show(dict(s, phase=["over", 1]))["mint"] == ["whole", 1]
    assert safranito.show(dict(s, phase=["over", None]))["mint"] == ["dark"]


def test_garbage_is_refused_and_changes_nothing():
    s = safranito.new({"players": 2, "chef": 0})
    garbage = (
        None, 5, "moved", {}, [], [1], ["moved"], ["moved", None], ["missed", None], ["missed", 7],
        ["missed", True], ["missed", 0, 0], [["missed"], 0], ["sell", 0, -1], ["sell", 0, 1.5],
        ["choose", 0, ["mint"]], ["choose", 0, None], ["moved", None, [["b10"]]],
        ["moved", None, [[["b10"], "mint"]]], ["moved", None, [["b10", ["mint"]]]],
        ["judged", 0, None, None], ["judged", 0, "mill", None], ["judged", 0],
        ["accept", 0, None], ["accept", None], ["abort", None, 1], ["fly", 0],
        ["cook_open", 0, 10**30], ["keep", 0, ""],
    )  # fmt: skip
    for event in garbage:
        after, fx = safranito.step(s, event)
        assert after is s and len(fx) == 1 and fx[0][1] == "refused", event
        assert len(fx[0]) == 4 and fx[0][3].endswith(".")
