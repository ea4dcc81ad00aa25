"""Nine Bowls: turns by wire and by chips, the board's part, refusals, positions as text."""

from spicecore.games.ninebowls import rules
from spicecore.parts import BOWLS, MILL, ZONES


def table(bowls="---------", phase=None, first=0):
    """A position: one letter a bowl, b or r; whose turn it is follows."""
    chips, used = [], {"b": 0, "r": 0}
    for letter in bowls:
        if letter != "-":
            used[letter] += 10
        chips.append("-" if letter == "-" else letter + str(used[letter]))
    turn = first if used["b"] == used["r"] else 1 if used["b"] > used["r"] else 0
    line = "ninebowls first=%d bowls=%s phase=%s" % (
        first, ",".join(chips), phase or "occupy,%d" % turn,
    )  # fmt: skip
    return rules.parse(line)


def done(state, event):
    """(state, effects) after an event that must be possible; the given state stays as it was."""
    before = repr(state)
    after, effects = rules.step(state, event)
    assert repr(state) == before
    assert not [effect for effect in effects if effect[1] == "refused"], effects
    return after, effects


def refused(state, event):
    """The code with which an event is refused; nothing changes."""
    before = repr(state)
    after, effects = rules.step(state, event)
    assert after is state and repr(state) == before
    assert len(effects) == 1 and effects[0][1] == "refused" and effects[0][3].endswith(".")
    return effects[0][2]


def moved(*pairs):
    return ["moved", None, [list(pair) for pair in pairs]]


def test_who_begins_is_drawn_by_lot_or_chosen():
    first = {rules.new({"seed": seed})["first"] for seed in range(8)}
    assert first == {0, 1}
    assert rules.new({"first": 1})["phase"] == ["occupy", 1]
    for wrong in ({"first": 2}, {"first": True}, {"players": 3}, {"mode": "referee"}, {"size": 4}):
        try:
            rules.new(wrong)
        except ValueError as error:
            assert len(str(error)) > 15
        else:
            raise AssertionError(wrong)


def test_turns_go_by_the_wire_until_a_line():
    state = rules.new({"first": 0})
    for bowl in (4, 0, 2, 6):
        seat = state["phase"][1]
        assert rules.seats_asked(state) == [seat] and rules.legal(state, 1 - seat) == []
        event = ["occupy", seat, ZONES[bowl]]
        assert event in rules.legal(state, seat)
        state, effects = done(state, event)
        assert effects == [[None, "occupied", seat, ZONES[bowl]]]
    assert rules.view(state, None)["bowls"] == [1, None, 0, None, 0, None, 1, None, None]
    assert rules.text(rules.parse(rules.text(state))) == rules.text(state)
    state, effects = done(state, ["occupy", 0, ZONES[3]])
    state, effects = done(state, ["occupy", 1, ZONES[5]])
    assert not rules.over(state) and rules.standing(state)[0][1] == rules.standing(state)[1][1]
    state = table("b-br-r---", first=0)
    state, effects = done(state, ["occupy", 0, "ginger"])
    line = ["curry", "ginger", "cardamom"]
    assert effects[1:] == [[None, "aligned", 0, line], [None, "over", 0]]
    assert rules.standing(state) == [[0, 1, {"lines": 1}], [1, 2, {"lines": 0}]]
    assert rules.seats_asked(state) == [] and rules.legal(state, 0) == []
    assert rules.arbiter(state) is None


def test_nine_bowls_without_a_line_are_a_draw():
    state = table("brbbrrr-b", first=0)
    assert rules.press(state, "ok") == ["occupy", 0, ZONES[7]]
    assert rules.press(state, "no") is None
    state, effects = done(state, ["occupy", 0, ZONES[7]])
    assert state["phase"] == ["over", "full", None] and effects[-1] == [None, "over", None]
    assert [row[1] for row in rules.standing(state)] == [1, 1]
    assert rules.press(state, "ok") is None


def test_a_button_decides_only_where_nothing_is_left_to_choose():
    assert rules.press(rules.new({"first": 0}), "ok") is None
    assert rules.press(table("brbbrr--b", first=0), "ok") is None


def test_a_chip_in_an_empty_bowl_is_a_turn():
    state, effects = done(rules.new({"first": 0}), moved(["b40", "saffron"]))
    assert effects == [[None, "occupied", 0, "saffron"]] and state["bowls"][4] == "b40"
    assert state["phase"] == ["occupy", 1]
    assert rules.mismatch(state, {"b40": "saffron"}) == []
    assert rules.mismatch(state, {}) == [["b40", None, "saffron"]]
    assert rules.sensed(state, [("r10", "mint")]) == moved(["r10", "mint"])
    state, effects = done(state, ["judged", 1, "r20", "mint"])
    assert effects == [[None, "occupied", 1, "mint"]]


def test_a_turn_of_the_wire_is_laid_with_any_chip_of_the_same_colour():
    state, _ = done(rules.new({"first": 1}), ["occupy", 1, "chili"])
    assert rules.mismatch(state, {}) == [["r10", None, "chili"]]
    assert done(state, moved(["r10", "chili"])) == (state, [])
    after, effects = done(state, moved(["r50", "chili"]))
    assert effects == [] and rules.mismatch(after, {"r50": "chili"}) == []
    assert after["phase"] == state["phase"]


def test_chips_that_are_no_turn_are_refused():
    state = table("b--------", first=0)
    assert refused(state, moved(["b20", "mint"])) == "not_you"
    assert refused(state, moved(["r10", "curry"])) == "occupied"
    assert refused(state, moved(["r10", "reserve"])) == "no_bowl"
    assert refused(state, moved(["g10", "mint"])) == "unknown_chip"
    assert refused(state, moved([MILL, "mint"])) == "unknown_chip"
    assert refused(state, moved(["r10", "mint"], ["r20", "chili"])) == "two_chips"
    assert refused(state, ["occupy", 0, "mint"]) == "not_you"
    assert refused(state, ["occupy", 1, "curry"]) == "occupied"
    assert refused(state, ["occupy", 1, "reserve"]) == "no_bowl"
    assert refused(state, ["occupy", 1, "attic"]) == "unknown_zone"


def test_chips_that_are_lifted_or_shifted_change_nothing():
    state = table("b--r-----", first=0)
    for change in (["b10", None], ["b10", "mint"], ["r20", None]):
        assert done(state, moved(change)) == (state, [])
    assert rules.mismatch(state, {"b10": "mint", "r10": "chili"}) == [["b10", "mint", "curry"]]
    assert rules.public_mismatch(state, [["b10", "mint", "curry"]]) == [["blue", "mint", "curry"]]


def test_to_accept_makes_a_turn_of_a_chip_that_may_lie_there():
    state = table("b--------", first=0)
    after, effects = done(state, ["accept", None, [["r30", "mint"]]])
    assert effects == [[None, "occupied", 1, "mint"]] and after["phase"] == ["occupy", 0]
    assert refused(state, ["accept", 0, [["b10", "mint"]]]) == "no_place"
    assert refused(state, ["accept", 0, []]) == "no_place"


def test_a_turn_may_be_taken_back_until_the_game_is_over():
    state = table("b-br-r---", first=0)
    assert rules.undoable(state, ["occupy", 0, "mint"])
    assert rules.undoable(state, moved(["b60", "mint"]))
    assert not rules.undoable(state, ["occupy", 0, "ginger"])
    assert not rules.undoable(state, ["occupy", 1, "mint"])
    assert not rules.undoable(state, moved(["b10", None]))


def test_an_aborted_game_has_no_winner():
    state, effects = done(table("b-br-r---", first=0), ["abort", 1])
    assert effects == [[None, "aborted"]] and state["phase"] == ["over", "aborted", None]
    assert rules.parse(rules.text(state)) == state
    assert refused(state, ["abort", None]) == refused(state, ["occupy", 0, "mint"]) == "over"
    assert done(state, moved(["b10", None])) == (state, [])
    assert refused(state, ["accept", None, [["b10", None]]]) == "over"


def test_rings_show_bowls_turns_and_the_line():
    shapes = rules.show(table("b-br-r---", first=0))
    assert shapes["curry"] == ["whole", 0] and shapes["chili"] == ["whole", 1]
    assert shapes["ginger"] == ["dark"]
    assert [shapes[zone] for zone in ZONES[BOWLS:]] == [["pulse", 0]] * 4
    shapes = rules.show(table("bbbr-r---", "over,line,0"))
    assert shapes["ginger"] == ["blink", 0] and shapes["chili"] == ["whole", 1]
    assert shapes["reserve"] == ["dark"] and len(shapes) == len(ZONES)


def test_positions_that_cannot_be_are_refused_with_the_reason():
    good = "ninebowls first=0 bowls=b10,-,-,r30,-,-,-,-,- phase=occupy,0"
    assert rules.text(rules.parse(good)) == good
    for old, new, word in (
        ("ninebowls", "jaipur", "Nine Bowls"), ("first=0", "first=2", "first"),
        ("r30", "-", "phase"), ("r30", "b20", "turns"), ("r30", "b10", "once"),
        ("r30", "g10", "no chip"), ("b10,-", "b10", "nine"), ("occupy,0", "occupy,1", "phase"),
        ("occupy,0", "over,line,0", "phase"), (",-,- phase", ",- phase", "nine"),
        ("bowls=b10,-,-,r30,-,-,-,-,-", "bowls=b10,b20,b30,r10,r20,r30,-,-,-", "over before"),
    ):  # fmt: skip
        try:
            rules.parse(good.replace(old, new))
        except ValueError as error:
            assert word in str(error), (word, error)
        else:
            raise AssertionError((old, new))
