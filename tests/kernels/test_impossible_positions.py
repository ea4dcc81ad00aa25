"""A kernel reads no position that cannot be: it says what is wrong with it, as the rules do."""

import pytest

pytest.importorskip("numba")

from spiceboard.kernels import jaipur_text, rathot_text, safranito_text
from spicecore import games

TEXTS = {"jaipur": jaipur_text, "rathot": rathot_text, "safranito": safranito_text}
# game, what the position at the start says, what is put there instead, what is said about it
WRONG = [
    ("jaipur", "jaipur x", "chess x", "no position of Jaipur: it begins with 'chess'"),
    ("jaipur", "market=mmmgm", "market=mmmgg", "cards: 1 too many of gold"),
    ("jaipur", "hands=ddpll", "hands=ddplllll", "seat 0 holds more than 7 goods"),
    ("jaipur", "known=-/-", "known=gg/-", "seat 0 is known to hold what it does not"),
    ("jaipur", "won=-", "won=d5", "tokens won of diamond are not those gone from its pile"),
    ("jaipur", "seals=0,0", "seals=2,2", "more of them than rounds were ended"),
    ("jaipur", "herds=0,2", "herds=0,3", "1 too many of camel"),
    ("jaipur", " laid=-", "", "16 fields, not 15"),
    ("rathot", "pile=14,9", "pile=14,14", "laid, held and pile are not the 42 strips, each once"),
    ("rathot", "points=0,0", "points=3,0", "the strips as laid give points=0,0, not points=3,0"),
    ("rathot", "held=-", "held=14", "laid, held and pile are not the 42 strips"),
    ("rathot", "laid=-", "laid=14,0,0,0", "is not STRIP:X,Y and one of e s w n"),
    ("safranito", "200/200", "200/-5", "money must be a number from 0"),
    ("safranito", "throw/0", "throw/13", "throws made must be a number from 0 to 8, not 13"),
    ("safranito", "11274676", "11274677", "5 cards of mint, not 6"),
    ("safranito", "mbjh", "mbjj", "each of the 18 blends must be in one place"),
    ("safranito", "full 2", "full 5", "number of players must be a number from 2 to 4, not 5"),
]


def at_the_start(game: str, mode: str = "full") -> str:
    rules = games.load(game)
    return str(rules.text(rules.new({"seed": 1, "players": 2, "mode": mode})))


@pytest.mark.parametrize(("game", "there", "instead", "said"), WRONG)
def test_it_is_refused_with_a_reason(game: str, there: str, instead: str, said: str) -> None:
    text = at_the_start(game)
    assert there in text
    with pytest.raises(ValueError, match=r"^[^\n]{10,200}$") as refused:
        TEXTS[game].from_text(text.replace(there, instead, 1))
    assert said in str(refused.value)


def test_a_referee_game_is_none_for_the_kernel() -> None:
    with pytest.raises(ValueError, match="keeps cards and purses: mode full only"):
        safranito_text.from_text(at_the_start("safranito", "referee"))
