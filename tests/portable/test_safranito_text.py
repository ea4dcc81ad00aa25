"""Safranito: one line of text for a position, and the positions that are refused."""

from safranito_tables import some_event

from spicecore import chance
from spicecore.games.safranito import rules as safranito

FULL = (
    "safranito full 2 - 1 0 throw/2 b10@mint,r20@curry - b10,r20 0,0 - ab cdefghijklmnopqr "
    "-/- -/- 77 111111222222333333444444555555666666777777888888 000000000 400000000 "
    "200000000/000000000 200/200"
)


def wrong(line, part):
    """The line is refused, and the reason names the part."""
    try:
        safranito.parse(line)
    except ValueError as error:
        assert part in str(error), str(error)
    else:
        raise AssertionError(line)


def test_a_position_written_by_hand():
    state = safranito.parse(FULL)
    assert state["lying"] == {"b10": "mint", "r20": "curry"} and state["open"] == [0, 1]
    assert state["hands"][0][0] == 2 and safranito.text(state) == FULL
    assert safranito.seats_asked(state) == [0]


def test_every_state_of_whole_games_comes_back():
    for mode in ("full", "referee"):
        for players in (2, 3, 4):
            state = safranito.new({"players": players, "mode": mode, "seed": players})
            x, steps = chance.start(players), 0
            while not safranito.over(state) and steps < 250:
                steps += 1
                x, event = some_event(state, x)
                state, effects = safranito.step(state, event)
                assert effects == [] or effects[0][1] != "refused", (event, effects)
                line = safranito.text(state)
                assert "\n" not in line and safranito.parse(line) == state, line
            assert steps > 50


def test_what_is_not_a_position():
    wrong("chess", "word safranito")
    wrong("safranito", "mode")
    wrong("safranito quick 2", "mode")
    wrong(FULL + " 1", "fields")
    wrong(FULL.replace(" full 2 ", " full 5 "), "number of players")
    wrong(FULL.replace(" 2 - 1 0", " 2 X 1 0"), "letter X")
    wrong(FULL.replace(" 2 - 1 0", " 2 - 1 2"), "head chef")
    wrong(FULL.replace(" 2 - 1 0", " 2 - 0 0"), "round")
    wrong(FULL.replace("throw/2", "fly/2"), "phase")
    wrong(FULL.replace("throw/2", "throw/9"), "throws made")
    wrong(FULL.replace("throw/2", "throw"), "phase")
    wrong(FULL.replace(" 77 ", " 0 "), "chance")
    wrong(FULL.replace(" 77 ", " 077 "), "usual way")


def test_impossible_chips():
    wrong(FULL.replace("b10@mint", "g10@mint"), "g10")
    wrong(FULL.replace("b10@mint", "b10@soup"), "soup")
    wrong(FULL.replace("r20@curry", "b10@curry"), "twice")
    wrong(FULL.replace(" - b10,r20", " - b10"), "r20")
    wrong(FULL.replace(" - b10,r20", " - r20,b10"), "sorted")
    wrong(FULL.replace(" - b10,r20", " r20@mint b10,r20"), "astray")
    wrong(FULL.replace("throw/2", "throw/0"), "before the first throw")
    wrong(FULL.replace("0,0 - ab", "0 - ab"), "missed")


def test_impossible_cards_and_blends():
    wrong(FULL.replace("400000000", "300000000"), "5 cards of curry")
    wrong(FULL.replace("0,0 - ab c", "0,0 - ab d"), "blend")
    wrong(FULL.replace("0,0 - ab c", "0,0 - ab "), "blend")
    wrong(FULL.replace("0,0 - ab c", "0,0 - abc "), "open")
    wrong(FULL.replace("0,0 - ab c", "0,0 - a? c"), "?")
    wrong(FULL.replace("200/200", "200/205"), "tens")
    wrong(FULL.replace("200/200", "200"), "money")
    wrong(FULL.replace("jklmnopqr -/- -/-", "jklmno -/- pqr/-"), "first 3")
    wrong(FULL.replace("888888 ", "889888 "), "9")
    wrong(FULL.replace("200000000/", "20000000/"), "nine digits")


def test_impossible_phases():
    chips = "b10@mint,r20@curry - b10,r20"
    wrong(FULL.replace("throw/2", "cook/0/0"), "trade is over")
    wrong(FULL.replace("throw/2 " + chips, "choose - - b10,r20"), "trade for")
    wrong(FULL.replace("throw/2", "sale/soup/30/-,-"), "soup")
    wrong(FULL.replace("throw/2", "sale/curry/30/3,-"), "sells more")
    wrong(FULL.replace("throw/2", "buy/cumin/-").replace("0,0 -", "0,0 7"), "nobody")
    wrong(FULL.replace("throw/2", "buy/mint/-").replace("0,0 -", "0,0 6"), "on display")
    wrong(FULL.replace("throw/2", "buy/mint/-"), "sale is closed")
    wrong(FULL.replace("throw/2", "sale/mint/30/-,-").replace("0,0 -", "0,0 6"), "sale is closed")
    wrong(FULL.replace("throw/2", "choose").replace("0,0 -", "0,0 6"), "was traded")
    wrong(FULL.replace("0,0 -", "0,0 6"), "before or after the trade")
    wrong(FULL.replace("throw/2", "choose").replace("0,0 -", "0,0 54"), "usual way")
    wrong(FULL.replace("throw/2", "head_chef/0"), "mill")
    wrong(FULL.replace("throw/2", "over/0"), "winner")
    wrong(FULL.replace("throw/2", "reserve/2"), "seat of the phase")
    wrong(FULL.replace("throw/2", "spice_card/0/7"), "look at")


def test_options_have_letters():
    options = {"players": 2, "tie": "chef_last", "purses": "open", "sales": "turn"}
    options.update({"decline": "top", "action_chips": "home"})
    line = safranito.text(safranito.new(options))
    assert line.split(" ")[3] == "LOTDH" and safranito.parse(line)["options"]["tie"] == "chef_last"
