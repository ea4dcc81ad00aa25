"""Jaipur's line of text: exact round trip, and impossible positions refused with the reason."""

import json

from jaipur_tables import table

from spicecore import chance
from spicecore.games.jaipur import rules as jaipur


def without(line: str, name: str) -> tuple:
    """(text before the field's value, the value, text after it)."""
    start = line.index(" " + name + "=") + len(name) + 2
    end = line.find(" ", start)
    end = len(line) if end < 0 else end
    return line[:start], line[start:end], line[end:]


def refused(line: str) -> str:
    """The sentence with which a line is refused."""
    try:
        jaipur.parse(line)
    except ValueError as error:
        return str(error)
    raise AssertionError("accepted: " + line)


def changed(state: dict, name: str, value: str) -> str:
    """The line of a state with another value of one field."""
    before, _, after = without(jaipur.text(state), name)
    return before + value + after


def test_round_trip_of_every_position_of_random_games():
    x = chance.start(4)
    for seed in range(3):
        state = jaipur.new({"seed": seed, "replay": "same", "empty_sale": seed != 1})
        while True:
            line = jaipur.text(state)
            assert jaipur.parse(line) == state and "\n" not in line
            assert jaipur.text(jaipur.parse(line)) == line
            if jaipur.over(state):
                break
            legal = jaipur.legal(state, jaipur.seats_asked(state)[0])
            x, k = chance.below(x, len(legal))
            state = jaipur.step(state, legal[k])[0]


def test_a_state_is_plain_data():
    state = table()
    assert json.loads(json.dumps(state)) == state


def test_known_line():
    line = jaipur.text(table(hands=("ddl", "ggc"), herds=(1, 0), market="mmmcl"))
    for part in (
        " options=eo ", " round=1 ", " seals=0,0 ", " phase=turn,0 ", " market=mmmcl ",
        " hands=ddl/ggc ", " known=-/- ", " herds=1,0 ", " tokens=5,5,5,7,7,9 ",
        " bonus=1.1.2.2.2.3.3/4.4.5.5.6.6/8.8.9.10.10 ", " won=-/- ", " bonuses=-/- ",
    ):  # fmt: skip
        assert part in line, (part, line)
    assert line.startswith("jaipur x=") and line.endswith(" laid=-")


def test_a_record_of_another_game_is_refused_as_such():
    assert "no position of Jaipur" in refused("safranito x=1")
    assert "no position of Jaipur" in refused("")


def test_missing_and_misnamed_fields_are_named():
    line = jaipur.text(table())
    assert "16 fields" in refused(line[: line.rindex(" ")])
    assert "field round" in refused(line.replace(" round=", " rund="))


def test_positions_that_cannot_be_are_refused_with_the_field():
    state = table(hands=("ddl", "ggc"), herds=(1, 0), market="mmmcl", sold=("ll", "p"))
    wrong = [
        ("x", "0", "x"), ("x", "-3", "x"), ("x", "1e3", "x"), ("options", "ex", "options"),
        ("round", "0", "round"), ("starter", "2", "starter"), ("seals", "0", "seals"),
        ("seals", "1,0", "seals"), ("phase", "turn,2", "phase"),
        ("phase", "scored,piles,0", "phase"),
        ("market", "mmmc", "tokens"), ("market", "mmmclx", "market"),
        ("market", "mmmcll", "tokens"),
        ("hands", "ddl", "hands"), ("hands", "ddll/ggc", "tokens"), ("hands", "dd/ggc", "tokens"),
        ("hands", "ddllllll/ggc", "hands"), ("hands", "ddlm/ggc", "as text() writes"),
        ("known", "g/-", "known"), ("herds", "2,0", "cards"), ("herds", "0,0", "camels"),
        ("herds", "1", "herds"), ("tokens", "4,5,5,7,6,7", "tokens"),
        ("tokens", "5,5,5,7,6", "tokens"),
        ("bonus", "1.1.2.2.2.3/4.4.5.5.6.6/8.8.9.10.10", "bonus"), ("bonus", "-/-", "bonus"),
        ("bonus", "1.1.2.2.2.3.4/4.4.5.5.6.6/8.8.9.10.10", "bonus"),
        ("won", "l4/p5", "won"), ("won", "l4.l4/p5", "won"), ("won", "l4.m3/p5", "won"),
        ("bonuses", "6:2/-", "bonuses"), ("bonuses", "3:2/-", "bonus"),
        ("laid", "b10", "laid"), ("laid", "b15:curry", "laid"), ("laid", "b10:kitchen", "laid"),
    ]  # fmt: skip
    for name, value, word in wrong:
        sentence = refused(changed(state, name, value))
        assert word in sentence, (name, value, sentence)


def test_more_bonus_tokens_than_sales_is_refused():
    state = table(hands=("l", "g"), sold=("lll", ""), bonuses=(((3, 2),), ()))
    line = changed(state, "bonus", "1.1.2.2.3.3/4.4.5.5.6.6/8.8.9.10")
    before, _, after = without(line, "bonuses")
    assert "bonuses" in refused(before + "3:2.5:10/-" + after)


def test_nobody_is_on_turn_when_three_piles_are_empty():
    state = table("mmmll", hands=("cc", "d"), sold=("cccccsssg", "pppppppssggg"), herds=(4, 4))
    after = jaipur.step(state, ["sell", 0, "cloth", 2])[0]
    assert jaipur.parse(jaipur.text(after)) == after
    later = jaipur.parse(changed(after, "round", "2"))
    assert "over" in refused(changed(later, "phase", "turn,0"))
    winner = after["phase"][2]
    assert "did not win" in refused(changed(after, "phase", "scored,piles,%d" % (1 - winner)))
    assert "ended by deck" in refused(changed(after, "phase", "scored,deck,%d" % winner))
    assert "seals" in refused(changed(after, "seals", "0,0"))
    assert "seals" in refused(changed(after, "phase", "over,piles,%d" % winner))


def test_text_is_canonical():
    state = table(hands=("ddl", "ggc"))
    assert "as text() writes" in refused(changed(state, "hands", "dld/ggc"))
    assert "as text() writes" in refused(changed(state, "round", "01"))
