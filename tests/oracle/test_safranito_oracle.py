"""The rules against the oracle: random games step by step, and move counts of positions."""

import random
from pathlib import Path

import pytest

from oracle.safranito_oracle import COLOURS, SPICES, VALUES, ZONES, Game
from spicecore.games.safranito import rules as safranito

SOAK_GAMES_A_PART = 2500
STEPS = 320
VARIANTS = {
    "tie": "chef_last",
    "purses": "open",
    "sales": "turn",
    "decline": "top",
    "action_chips": "home",
}


def options_of(dice):
    """Options of a random game: each variant in one game of five."""
    options = {"players": dice.randint(2, 4), "seed": dice.randrange(2**30)}
    options["mode"] = dice.choice(["full", "full", "referee"])
    for key, variant in VARIANTS.items():
        if dice.random() < 0.2:
            options[key] = variant
    if dice.random() < 0.3:
        options["chef"] = dice.randrange(options["players"])
    return options


def some_zone(dice):
    return dice.choice([*ZONES, None])


def settled_change(dice, game):
    """A plausible change of the board: a throw, pushes, lifts, now and then nonsense."""
    pairs = {}
    chips = [c + str(v) for c in COLOURS[: game.n] for v in VALUES]
    if game.throwing():
        seats = game.asked() if dice.random() < 0.85 else [dice.randrange(game.n)]
        unseen = [c for c in chips if c not in game.seen and COLOURS.index(c[0]) == seats[0]]
        for chip in dice.sample(unseen, min(len(unseen), 1 + (dice.random() < 0.1))):
            pairs[chip] = some_zone(dice)
        if dice.random() < 0.15:
            back = [c for c in chips if c not in game.seen and game.missed[COLOURS.index(c[0])]]
            if back:
                pairs[dice.choice(back)] = some_zone(dice)
        for chip in game.lying:
            if dice.random() < 0.08:
                pairs[chip] = some_zone(dice)
    else:
        for chip in game.astray:
            if dice.random() < 0.7:
                pairs[chip] = None
        if dice.random() < 0.15:
            pairs[dice.choice(chips)] = some_zone(dice) if dice.random() < 0.3 else None
        if game.phase[0] == "buy" and dice.random() < 0.5:
            bowl = game.phase[1]
            pairs[game.top_chip(bowl, game.highest(bowl))] = None
        if dice.random() < 0.2:
            pairs["mill"] = some_zone(dice)
    items = [[chip, zone] for chip, zone in pairs.items()]
    dice.shuffle(items)
    return ["moved", None, items]


def nonsense(dice, game):
    """An event that is out of turn, malformed, or from another table."""
    chip = dice.choice(COLOURS) + str(dice.choice(VALUES))
    return dice.choice(
        [
            ["buy", 9],
            ["sell", 0, True],
            ["sell", 0, -1],
            ["moved", None, [[chip, "kitchen"]]],
            ["moved", None, [[chip, None], [chip, None]]],
            ["moved", None, [["b15", None]]],
            ["choose", game.chef, "head_chef"],
            ["cook_open", 0],
            ["cook_open", 0, 3],
            ["dance", 0],
            ["keep", 0, None],
            [],
            "moved",
            None,
            ["reveal"],
            dice.choice(game.candidates(dice.randrange(game.n))),
        ]
    )


def next_event(dice, game):
    kind = dice.random()
    if kind < 0.06:
        return nonsense(dice, game)
    if kind < 0.09:
        word, pairs = "accept", settled_change(dice, game)[2]
        return [word, dice.choice([None, game.chef]), pairs]
    if kind < 0.12:
        chips = [c + str(v) for c in COLOURS[: game.n] for v in VALUES]
        return ["judged", game.chef, dice.choice(chips), some_zone(dice)]
    if game.phase[0] == "throw" and game.phase[1] < game.all_throws() and kind < 0.9:
        return settled_change(dice, game)
    if kind < 0.3 or (game.astray and game.phase[0] == "round_over" and kind < 0.8):
        return settled_change(dice, game)
    return None


def chosen(dice, events):
    """A decision; cooking first, so that games end."""
    wanted = ("cook_open", "cook_reserved", "buy", "reserve", "draw")
    wished = [event for event in events if event[0] in wanted]
    events = (
        wished
        if wished and dice.random() < 0.9
        else [event for event in events if event[0] != "moved"]
    )
    return dice.choice(events) if events else None


def without_sentence(effects):
    return [effect[:2] if effect[1] == "refused" else effect for effect in effects]


def comparable(events):
    return sorted(map(repr, events))


def check_whole(state, game):
    """Nothing appears from nowhere: 54 cards, 18 blends, money only through the bank."""
    blends = len(game.open) + len(game.pile) + sum(map(len, game.reserved + game.cooked))
    assert blends == 18
    if game.full:
        cards = len(game.deck) + len(game.discard) + len(game.display) + sum(map(len, game.hands))
        cards += len(game.phase[2]) if game.phase[0] == "keep" else 0
        assert cards == 54
        assert all(money >= 0 for money in game.money)
    assert safranito.parse(safranito.text(state)) == state


def play_one(seed):
    """Play a random game with both; they must agree at every step. Returns its last phase."""
    dice = random.Random(seed)
    options = options_of(dice)
    game = Game(options)
    state = safranito.new(options)
    record = []
    for _ in range(STEPS):
        event = next_event(dice, game)
        if event is None:
            asked = dice.choice(game.asked() or [0])
            event = chosen(dice, safranito.legal(state, asked)) or ["abort", None]
            if event[0] == "abort" and game.phase[0] != "over" and dice.random() < 0.98:
                continue
        record.append(event)
        note = (options, record[-3:], len(record))
        expected = game.play(event)
        after, effects = safranito.step(state, event)
        assert without_sentence(effects) == without_sentence(expected), note
        if expected and expected[0][1] == "refused":
            assert after is state, note
        state = after
        seat = dice.randrange(game.n)
        assert safranito.view(state, None) == game.view(None), note
        assert safranito.view(state, seat) == game.view(seat), note
        assert safranito.seats_asked(state) == game.asked(), note
        if dice.random() < 0.04:
            mine, theirs = safranito.legal(state, seat), game.legal(seat)
            assert comparable(mine) == comparable(theirs), note
            check_whole(state, game)
        if game.phase[0] == "over":
            break
    return game.phase[0]


@pytest.mark.parametrize("games", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_random_games_agree_with_the_oracle(games):
    ends = [play_one(games * 1_000_000 + n) for n in range(games)]
    assert ends.count("over") > games // 5  # the games are no stumps


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
def test_soak_ten_thousand_games_agree_with_the_oracle(part):
    for n in range(SOAK_GAMES_A_PART):
        play_one(500_000_000 + part * 1_000_000 + n)


def script(options, events):
    """The same position in both implementations, reached by the same events."""
    game, state = Game(options), safranito.new(options)
    for event in events:
        assert game.play(event) and game.said is not None
        state, effects = safranito.step(state, event)
        assert effects[0][1] != "refused", (event, effects)
    return state, game


def count_both(state, game, depth):
    """Numbers of sequences of `depth` decisions by the seats that are asked: rules, oracle."""
    if depth == 0:
        return 1, 1
    mine = theirs = 0
    for seat in game.asked():
        events = [e for e in safranito.legal(state, seat) if e[0] != "moved"]
        others = [e for e in game.legal(seat) if e[0] != "moved"]
        assert comparable(events) == comparable(others)
        for event in events:
            branch = object.__new__(Game)
            branch.__dict__ = game.copy_of_all()
            branch.play(event)
            a, b = count_both(safranito.step(state, event)[0], branch, depth - 1)
            mine, theirs = mine + a, theirs + b
    return mine, theirs


def throws(*places):
    return [["moved", None, [[chip, zone]]] for chip, zone in places]


TWO = {"players": 2, "seed": 5, "chef": 0}
POSITIONS = {
    # name: (options, events that lead there, depth, number of sequences)
    "all throws made, three bowls": (
        TWO,
        [
            *throws(("b10", "saffron"), ("r20", "saffron"), ("b30", "curry"), ("r40", "mint")),
            *throws(("b60", "spice_card"), ("r60", "reserve"), ("b20", "saffron")),
            ["missed", 1],
        ],
        5,
        36,
    ),
    "sale in saffron, nobody has one": (
        TWO,
        [
            *throws(("b10", "saffron"), ("r20", "saffron"), ("b30", "curry"), ("r40", "saffron")),
            *throws(("b60", "cumin"), ("r60", "cumin"), ("b20", "saffron")),
            ["missed", 1],
            ["reveal", 0],
            ["choose", 0, "saffron"],
        ],
        4,
        15,
    ),
    "referee mode, sale of three seats": (
        {"players": 3, "mode": "referee", "chef": 1},
        [
            *throws(("r10", "mint"), ("g20", "mint"), ("b50", "mint"), ("r40", "mint")),
            *[["missed", (2 + k) % 3] for k in range(8)],
            ["reveal", 1],
            ["choose", 1, "mint"],
        ],
        3,
        474,
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_move_counts_from_named_positions(name):
    options, events, depth, expected = POSITIONS[name]
    mine, theirs = count_both(*script(options, events), depth)
    assert mine == theirs == expected


def test_the_oracle_is_independent():
    source = Path(__file__).with_name("safranito_oracle.py").read_text()
    imports = [line for line in source.splitlines() if line.startswith(("import", "from"))]
    assert imports == ["import copy"]
    assert SPICES[4] == "saffron"
