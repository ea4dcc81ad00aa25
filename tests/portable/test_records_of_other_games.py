"""A position of one game is no position of another: each says so, whichever of them is asked."""

from spicecore import games

RULES = [games.load(name) for name in sorted(games.GAMES)]
OPTIONS = {"players": 2, "mode": "full", "seed": 4}


def test_a_record_of_another_game_opened_as_this_one_is_refused_with_the_reason():
    asked = 0
    for rules in RULES:
        line = rules.text(rules.new(OPTIONS))
        assert rules.text(rules.parse(line)) == line
        for other in RULES:
            if other is rules:
                continue
            try:
                other.parse(line)
            except ValueError as error:
                assert "no position of" in str(error) or "not a position of" in str(error)
                asked += 1
    assert asked == len(RULES) * (len(RULES) - 1) >= 6


def test_an_event_of_another_game_changes_nothing_and_is_told():
    for rules in RULES:
        state = rules.new(OPTIONS)
        for other in RULES:
            begun = other.new(OPTIONS)
            for event in other.legal(begun, other.seats_asked(begun)[0])[:9]:
                # what the board tells, and that a throw missed, is told in every game alike
                if other is not rules and event[0] not in ("moved", "missed"):
                    after, effects = rules.step(state, event)
                    assert after is state
                    assert effects[0][1] == "refused" and len(effects[0][3]) > 10
