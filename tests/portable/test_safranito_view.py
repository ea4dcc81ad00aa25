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
        state = safranito.new(option)
        x = chance.start(number)
        for _ in range(most):
            if safranito.over(state):
                break
            x, event = some_event(state, x)
            after, effects = safranito.step(state, event)
            yield state, event, after, effects
            state = after


EVERY = (
    {"players": 2, "seed": 1},
    {"players": 3, "seed": 2, "sales": "turn", "decline": "top", "action_chips": "home"},
    {"players": 4, "seed": 3, "tie": "chef_last", "purses": "open"},
    {"players": 2, "seed": 4, "mode": "referee"},
    {"players": 4, "seed": 5, "mode": "referee", "sales": "turn"},
)


def test_invariant_54_cards_18_blends_24_chips_and_money_of_the_bank():
    for before, _, state, effects in games(300, *EVERY):
        blends = state["open"] + state["pile"]
        for row in state["reserved"] + state["cooked"]:
            blends = blends + row
        assert len(blends) == 18
        assert set(state["lying"]) <= set(state["seen"]) and len(state["seen"]) <= 6 * state["n"]
        if state["mode"] != "full":
            continue
        assert sorted(blends) == list(range(18))
        drawn = len(state["phase"][2]) if state["phase"][0] == "keep" else 0
        hands = sum([sum(hand) for hand in state["hands"]])
        assert (
            len(state["deck"]) + sum(state["discard"]) + sum(state["display"]) + hands + drawn
            == 54
        )
        bank = 0
        for effect in effects:
            bank += effect[5] if effect[1] == "sold" else 0
            bank -= effect[4] if effect[1] == "bought" else 0
        assert sum(state["money"]) == sum(before["money"]) + bank and min(state["money"]) >= 0


def test_legal_is_exact():
    for state, _, _, _ in games(150, *EVERY):
        listed = []
        for seat in range(state["n"]):
            for event in safranito.legal(state, seat):
                assert event not in listed
                listed.append(event)
                after, effects = safranito.step(state, event)
                assert effects == [] or effects[0][1] != "refused", (
                    state["phase"],
                    event,
                    effects,
                )
                assert event[0] == "moved" or after is not state
        for event in candidates(state):
            if event not in listed:
                after, effects = safranito.step(state, event)
                assert after is state and effects[0][1] == "refused", (
                    state["phase"],
                    event,
                    effects,
                )


def candidates(state):
    """Every decision that can be written down, or nearly."""
    events = []
    for seat in range(state["n"]):
        for kind in DECISIONS:
            if kind in ("sell", "display"):
                events += [[kind, seat, count] for count in range(8)]
            elif kind in ("keep", "choose"):
                events += [[kind, seat, zone] for zone in ZONES]
            elif kind in ("cook_open", "cook_reserved") and state["mode"] == "full":
                events += [[kind, seat, blend] for blend in range(18)]
            else:
                events.append([kind, seat])
    return events


def test_asked_seats_can_always_do_something():
    for state, _, _, _ in games(300, *EVERY):
        asked = safranito.seats_asked(state)
        assert len(asked) >= 1
        for seat in asked:
            blocked = state["phase"][0] == "round_over" and state["astray"]
            assert safranito.legal(state, seat) or blocked


def swapped(state, seat):
    """The state with the hidden values of one seat's chips permuted, as far as they are hidden."""
    own = [c for c in safranito.view(state, seat)["you"]["chips"] if c not in state["revealed"]]
    own = sorted(own)
    names = dict(zip(own, own[1:] + own[:1]))
    new = dict(state)
    new["lying"] = {names.get(c, c): zone for c, zone in state["lying"].items()}
    new["astray"] = {names.get(c, c): zone for c, zone in state["astray"].items()}
    new["seen"] = sorted([names.get(c, c) for c in state["seen"]], key=safranito_order)
    return new, names


def safranito_order(chip):
    return "brgo".index(chip[0]) * 100 + int(chip[1:])


def test_view_and_rings_know_no_hidden_value():
    for state, _, _, _ in games(120, *EVERY):
        for seat in range(state["n"]):
            other = swapped(state, seat)[0]
            for viewer in [None] + [v for v in range(state["n"]) if v != seat]:
                assert safranito.view(other, viewer) == safranito.view(state, viewer)
            assert safranito.show(other) == safranito.show(state)
            assert safranito.seats_asked(other) == safranito.seats_asked(state)


def test_public_effects_of_throws_know_no_value():
    checked = 0
    for state, event, _, effects in games(200, *EVERY):
        if event[0] != "moved" or state["phase"][0] not in ("throw", "extra_throw"):
            continue
        for seat in range(state["n"]):
            other, names = swapped(state, seat)
            same = [[names.get(chip, chip), zone] for chip, zone in event[2]]
            assert safranito.step(other, ["moved", None, same])[1] == effects
            checked += 1
    assert checked > 100


def test_view_knows_no_hand_purse_blend_or_deck_of_others():
    for state, _, _, _ in games(200, *EVERY[:3]):
        for seat in range(state["n"]):
            other = dict(state)
            other["hands"] = [list(hand) for hand in state["hands"]]
            other["reserved"] = [list(blends) for blends in state["reserved"]]
            other["money"] = list(state["money"])
            for rival in range(state["n"]):
                if rival != seat:
                    other["hands"][rival] = other["hands"][rival][1:] + other["hands"][rival][:1]
                    other["reserved"][rival] = [17 - b for b in other["reserved"][rival]]
                    if state["options"]["purses"] == "secret":
                        other["money"][rival] += 50
            other["deck"] = "".join(reversed(state["deck"]))
            other["pile"] = list(reversed(state["pile"]))
            other["chance"] = 1
            if state["phase"][0] == "keep" and state["phase"][1] != seat:
                other["phase"] = state["phase"][:2] + ["0" * len(state["phase"][2])]
            assert safranito.view(other, seat) == safranito.view(state, seat)


def test_private_effects_go_to_their_seat_only():
    kinds = set()
    for _, _, state, effects in games(400, *EVERY):
        for effect in effects:
            if effect[0] is not None:
                kinds.add(effect[1])
                assert effect[1] in ("cards", "kept_card", "blend"), effect
                assert 0 <= effect[0] < state["n"] and state["mode"] == "full"
    assert kinds == {"cards", "kept_card", "blend"}


def test_a_step_changes_no_part_of_the_state_before():
    for state, event, _, _ in games(150, *EVERY):
        line = safranito.text(state)
        safranito.step(state, event)
        assert safranito.text(state) == line


def test_the_seed_is_not_to_be_seen():
    state = safranito.new({"players": 2, "seed": 987654321})
    assert (
        "987654321" not in safranito.text(state)
        and "seed" not in safranito.view(state, 0)["options"]
    )


def market(**chips):
    state = safranito.new({"players": 4, "chef": 0, "mode": "referee"})
    state = safranito.step(state, ["accept", None, [[chip, chips[chip]] for chip in chips]])[0]
    while state["phase"] != ["throw", 12]:
        state = safranito.step(state, safranito.press(state, "no"))[0]
    return state


def test_rings_before_the_reveal_count_chips():
    state = market(b10="mint", b60="mint", r50="mint", g10="reserve")
    shapes = safranito.show(state)
    assert len(shapes) == 13 and shapes["mint"] == ["arcs", [[0, 2], [1, 1]]]
    assert shapes["head_chef"] == ["blink", 0] and shapes["curry"] == ["dark"]


def test_rings_tell_whose_throw_it_is_where_nothing_lies():
    state = safranito.new({"players": 2, "chef": 1})
    assert safranito.show(state)["mint"] == ["pulse", 1]
    state = safranito.step(state, ["moved", None, [["r10", "mint"]]])[0]
    shapes = safranito.show(state)
    assert shapes["mint"] == ["arcs", [[1, 1]]] and shapes["curry"] == ["pulse", 0]


def test_rings_show_the_winner_of_a_space_and_shares_and_ties_of_a_bowl():
    state = market(b10="mint", b40="mint", r50="mint", g10="reserve")
    state = safranito.step(state, ["reveal", 0])[0]
    assert safranito.show(state)["reserve"] == ["blink", 2]
    state = safranito.step(state, ["pass", 2])[0]
    state = safranito.step(state, ["choose", 0, "mint"])[0]
    assert safranito.show(state)["mint"] == ["arcs", [[0, 50], [1, 50]]]
    state = safranito.step(state, ["close", 0])[0]
    assert safranito.show(state)["mint"] == ["blink", 0]
    state = safranito.step(state, ["display", 0, 0])[0]
    shapes = safranito.show(state)
    assert shapes["reserve"] == ["blink", 0] and shapes["saffron"] == ["count", 0, 0, 3]


def test_rings_at_the_end_are_all_the_winners():
    state = safranito.new({"players": 2})
    assert safranito.show(dict(state, phase=["over", 1]))["mint"] == ["whole", 1]
    assert safranito.show(dict(state, phase=["over", None]))["mint"] == ["dark"]


def test_garbage_is_refused_and_changes_nothing():
    state = safranito.new({"players": 2, "chef": 0})
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
        after, effects = safranito.step(state, event)
        assert after is state and len(effects) == 1 and effects[0][1] == "refused", event
        assert len(effects[0]) == 4 and effects[0][3].endswith(".")
