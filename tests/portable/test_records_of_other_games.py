"""A position of one game is no position of another: each says so, whichever of them is asked."""

from spicecore.games.jaipur import rules as jaipur
from spicecore.games.rathot import rules as rathot
from spicecore.games.safranito import rules as safranito

GAMES = (safranito, jaipur, rathot)


def test_a_record_of_another_game_opened_as_this_one_is_refused_with_the_reason():
    asked = 0
    for game in GAMES:
        line = game.text(game.new({"players": 2, "mode": "full", "seed": 4}))
        assert game.text(game.parse(line)) == line
        for other in GAMES:
            if other is game:
                continue
            try:
                other.parse(line)
            except ValueError as error:
                assert "no position of" in str(error) or "not a position of" in str(error)
                asked += 1
    assert asked == 6


def test_an_event_of_another_game_changes_nothing_and_is_told():
    own = {
        safranito: ["reveal", 0],
        jaipur: ["camels", 0],
        rathot: ["turn_up", 0],
    }
    for game in GAMES:
        state = game.new({"players": 2, "mode": "full", "seed": 4})
        for other in GAMES:
            if other is not game:
                after, effects = game.step(state, own[other])
                assert after is state
                assert effects[0][1] == "refused" and len(effects[0][3]) > 10
