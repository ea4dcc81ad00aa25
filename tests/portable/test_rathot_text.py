"""Rat Hot's line of text, its sets of strips, its view and the board's rings."""

import json

from rathot_tables import PEACEFUL, random_game, table

from spicecore import chance
from spicecore.games.rathot import rules as rathot
from spicecore.games.rathot import strips as rathot_strips
from spicecore.lights import rings
from spicecore.parts import LEDS, ZONES


def refused(line: str) -> str:
    """The sentence with which a line is refused."""
    try:
        rathot.parse(line)
    except ValueError as error:
        return str(error)
    raise AssertionError("accepted: " + line)


def changed(line: str, name: str, value: str) -> str:
    """A line with another value of one field."""
    start = line.index(" " + name + "=") + len(name) + 2
    end = line.find(" ", start)
    return line[:start] + value + (line[end:] if end > 0 else "")


def played(seed: int, n: int, **options) -> dict:
    """The n-th state of a peaceful random game."""
    for k, (state, _) in enumerate(random_game(seed, **options)):
        if k == n:
            return state
    raise AssertionError("the game is shorter")


# --- text -------------------------------------------------------------------------------------


def test_round_trip_of_the_positions_of_random_games():
    for seed, peaceful, options in ((1, False, {}), (2, False, {"groups": "touching"})):
        for state, _ in random_game(seed, peaceful, **options):
            line = rathot.text(state)
            assert rathot.parse(line) == state and "\n" not in line
    for n, (state, _) in enumerate(random_game(3, bounds=[25, 25], first=1)):
        if n % 15 == 0 or rathot.over(state):
            assert rathot.parse(rathot.text(state)) == state


def test_a_state_is_plain_data():
    state = played(1, 9)
    assert json.loads(json.dumps(state)) == state


def test_known_line():
    state = rathot.new({"seed": 1, "first": 0})
    line = rathot.text(state)
    assert line.startswith("rathot options=c- first=0 strips=standard laid=- held=- pile=")
    assert line.endswith(" points=0,0 phase=turn_up,0")
    state = rathot.step(state, ["turn_up", 0])[0]
    held = state["held"][0]
    state = rathot.step(state, ["lay", 0, held, 0, 1, 1])[0]
    assert " laid=%d:0,1s held=- " % held in rathot.text(state)


def test_aborted_games_read_back():
    for n in (0, 1, 4, 5, 6):
        state, effects = rathot.step(played(2, n), ["abort", None])
        assert effects == [[None, "aborted"]] and rathot.over(state)
        assert rathot.parse(rathot.text(state)) == state


def test_a_record_of_another_game_is_refused_as_such():
    assert "no position of Rat Hot" in refused("jaipur x=1")
    assert "no position of Rat Hot" in refused("")


def test_positions_that_cannot_be_are_refused_with_the_reason():
    state = played(2, 8)
    line = rathot.text(state)
    laid = line[line.index("laid=") + 5 : line.index(" held=")]
    first = laid.split("/")[0]
    wrong = [
        ("options", "x-", "options"), ("options", "c9", "options"), ("options", "c2x9", "options"),
        ("first", "2", "first"), ("strips", "r3g.g7r", "43 strips"), ("strips", "", "43 strips"),
        ("laid", "-", "42 strips"), ("laid", laid + "/" + first, "42 strips"),
        ("laid", laid.replace(first, first[:-1] + "x"), "laid"), ("laid", "1", "laid"),
        ("held", "1,2,3,4", "42 strips"), ("held", "a", "held"), ("pile", "1,2", "42 strips"),
        ("points", "9,9", "points"), ("points", "0", "points"), ("phase", "lay,2", "phase"),
        ("phase", "over,rats,1", "phase"), ("phase", "over,end,-", "phase"),
    ]  # fmt: skip
    for name, value, word in wrong:
        sentence = refused(changed(line, name, value))
        assert word in sentence, (name, value, sentence)
    strip = first[: first.index(":")]
    sentence = refused(line.replace(first, strip + ":60,60e"))
    assert "laid" in sentence and "(60, 60)" in sentence


def test_text_is_canonical():
    line = rathot.text(rathot.new({"seed": 1, "first": 0}))
    assert "fields" in refused(line + " ")
    assert "points=0,0, not points=00,0" in refused(changed(line, "points", "00,0"))


# --- sets of strips -----------------------------------------------------------------------------


def data() -> dict:
    """The standard set as a file has it."""
    names = {letter: code for code, letter in rathot_strips.CODES.items()}
    strips = [[names[square] for square in strip] for strip in rathot_strips.STANDARD]
    return {"start": strips[0], "tiles": strips[1:]}


def test_a_set_of_the_same_form_can_be_loaded():
    assert rathot_strips.read(data()) == rathot_strips.STANDARD
    other = data()
    other["tiles"][0] = ["R1", "__", "G1"]
    other["tiles"].append(other["tiles"].pop(0))
    state = rathot.new({"seed": 4, "strips": other})
    assert state["strips"][42] == "1_5"
    assert rathot.parse(rathot.text(state)) == state and " strips=_s_." in rathot.text(state)


def test_sets_with_wrong_counts_or_squares_are_refused_with_the_reason():
    def wrong(change, *words: str) -> None:
        strips = data()
        change(strips)
        try:
            rathot.new({"strips": strips})
        except ValueError as error:
            for word in words:
                assert word in str(error), (word, str(error))
        else:
            raise AssertionError(words)

    wrong(lambda s: s["tiles"].pop(), "42 strips", "41")
    wrong(lambda s: s["tiles"].append(["__", "__", "__"]), "42 strips", "43")
    wrong(lambda s: s["tiles"][6].pop(), "strip 7", "three squares")
    wrong(lambda s: s["tiles"][6].append("R1"), "strip 7", "three squares")
    wrong(lambda s: s.update(start=["S", "__", "__"]), "middle")
    wrong(lambda s: s.update(start=["__", "__", "__"]), "start square")
    wrong(lambda s: s.update(tiles=[["S", "__", "__"]] + s["tiles"][1:]), "start square")
    wrong(lambda s: s.update(tiles=[["R5", "__", "__"]] + s["tiles"][1:]), "strip 1", "R5")
    wrong(lambda s: s.update(tiles=[[1, "__", "__"]] + s["tiles"][1:]), "strip 1")
    wrong(lambda s: s.update(tiles=[["R1", "G1", "RR"]] * 42), "G2", "0 squares")
    wrong(lambda s: s.update(tiles=7), "42 strips")
    for nothing in ([], 7, "strips", {"tiles": []}):
        try:
            rathot_strips.read(nothing)
        except ValueError as error:
            assert "start" in str(error)
        else:
            raise AssertionError(nothing)


# --- view ---------------------------------------------------------------------------------------


def test_the_order_of_the_pile_is_in_no_view():
    x = chance.start(5)
    for n, (state, _) in enumerate(random_game(7)):
        if n % 10 or len(state["pile"]) < 5:
            continue
        other = dict(state)
        other["pile"] = list(state["pile"])
        x = chance.shuffle(x, other["pile"])
        assert other["pile"] != state["pile"]
        for seat in (None, 0, 1):
            assert rathot.view(other, seat) == rathot.view(state, seat)
            if seat is not None:
                assert rathot.legal(other, seat) == rathot.legal(state, seat)
        assert rathot.show(other) == rathot.show(state)
        assert rathot.standing(other) == rathot.standing(state)


def test_view_tells_strips_layout_groups_rats_and_points():
    state = table("11_ 1rg", [[1, 2, 0, 0], [2, 2, 1, 0]], [3], left=4)
    seen = rathot.view(state, 1)
    assert seen["laid"] == [[0, -1, 0, 0], [1, 2, 0, 0], [2, 2, 1, 0]] and seen["held"] == [3]
    assert seen["groups"] == [[3], [], [], [], [], [], [], []] and seen["rats"] == [1, 1]
    assert seen["pile"] == 4 and seen["box"] == [-1, 0, 4, 1]
    assert json.loads(json.dumps(seen)) == seen


# --- board --------------------------------------------------------------------------------------


def lit(shape: list, zone: str) -> list:
    """The colours that are lit on a zone's ring, as they follow each other."""
    count = LEDS[ZONES.index(zone)]
    pixels = bytearray(3 * count)
    rings.Painter().render(pixels, 0, count, shape, rings.frame(shape, 0))
    return [bytes(pixels[3 * i : 3 * i + 3]) for i in range(count)]


def test_bowls_show_the_groups_of_their_spice():
    state = table("11_ 1rg 55_ _22", [[1, 2, 0, 0], [2, 2, 1, 0], [3, -1, 1, 0]], [4])
    shown = rathot.show(state)
    assert sorted(shown) == sorted(ZONES)
    assert shown["curry"] == ["arcs", [[1, 2], ["off", 1]]]
    assert shown["garlic"] == ["arcs", [[2, 1], ["off", 1]]]
    assert shown["ginger"] == ["dark"] and shown["spice_card"] == ["dark"]
    assert set(lit(shown["ginger"], "ginger")) == {b"\0\0\0"}
    assert len(set(lit(shown["curry"], "curry"))) > 1


def test_centre_shows_whose_turn_and_the_strips_left():
    assert rathot.show(table("1__", [], [1], turn=1))["saffron"] == ["count", 2, 9, 42]
    assert rathot.show(table("1__", [], [], turn=0))["saffron"] == ["blink", 1]
    state = table("11_ ___", [[1, 2, 0, 0]], [2], left=0)
    state = rathot.step(state, ["lay", 0, 2, -1, 1, 0])[0]
    assert rathot.show(state)["saffron"] == ["whole", 1]
    state = table("___", [], [1], left=0)
    state = rathot.step(state, ["lay", 0, 1, -1, 1, 0])[0]
    assert rathot.show(state)["saffron"] == ["arcs", [[1, 1], [2, 1]]]
    assert rathot.show(rathot.step(rathot.new({}), ["abort", 1])[0])["saffron"] == ["dark"]


def test_two_action_spaces_count_the_rats_and_warn_at_two():
    shapes = []
    for strip in ("___", "r__", "rr_", "rrr"):
        shown = rathot.show(table(strip, [[1, 2, 0, 0]], [2], left=3))
        assert shown["head_chef"] == ["dark"]
        shapes.append(shown["extra_throw"])
    assert shapes == [["dark"], ["count", 1, 1, 3], ["blink", 1], ["whole", 1]]
    assert rathot.show(table("gg_", [[1, 2, 0, 0]], [2]))["head_chef"] == ["blink", 2]


def test_ok_turns_up_the_strips_and_nothing_else():
    state = table("1__ 2__", [], [], turn=1)
    assert rathot.press(state, "ok") == ["turn_up", 1]
    assert rathot.press(state, "no") is None
    assert rathot.press(table("1__", [], [1]), "ok") is None


def test_chips_have_no_place_on_the_board():
    state = table("1__", [], [1])
    event = rathot.sensed(state, [["r10", "curry"]])
    after, effects = rathot.step(state, event)
    assert after is state and effects == []
    found = rathot.mismatch(state, {"r20": "mint", "r10": "curry"})
    assert found == [["r10", "curry", None], ["r20", "mint", None]]
    assert rathot.public_mismatch(state, found) == [["red", "curry", None], ["red", "mint", None]]
    assert rathot.mismatch(state, {}) == []
    for fact in (["accept", 1, [["r10", "curry"]]], ["judged", 0, "r10", "curry"]):
        assert rathot.step(state, fact) == (state, [])


def test_peaceful_strips_are_a_valid_set():
    rathot_strips.check(PEACEFUL)
