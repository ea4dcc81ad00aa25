"""What the tests of Safranito share: playing events, refusals, and an event by chance."""

from spicecore import chance
from spicecore.games.safranito import rules as safranito

ZONES = (
    "curry", "ginger", "cardamom", "chili", "saffron", "garlic", "mint", "cumin", "cinnamon",
    "extra_throw", "spice_card", "reserve", "head_chef",
)  # fmt: skip


def moved(*moves):
    return ["moved", None, [list(move) for move in moves]]


def play(s, *events):
    """Play the events, none of which may be refused; returns (state, all effects)."""
    effects = []
    for event in events:
        s, fx = safranito.step(s, event)
        assert not [f for f in fx if f[1] == "refused"], (event, fx)
        effects += fx
    return s, effects


def refused(s, event, code):
    """The event is refused by this code with a sentence, and nothing changes."""
    line = safranito.text(s)
    after, fx = safranito.step(s, event)
    assert after is s and safranito.text(s) == line
    assert len(fx) == 1 and fx[0][1] == "refused" and fx[0][2] == code, fx
    assert fx[0][3].endswith(".") and len(fx[0][3]) > 10


def some_event(s, x):
    """(x', an event that is legal now); a throw moves other chips now and then."""
    x, roll = chance.below(x, 1000)
    if s["phase"][0] == "round_over" and s["astray"]:
        return x, moved(*[[chip, None] for chip in s["astray"]])
    asked = safranito.seats_asked(s)
    seat = asked[roll % len(asked)]
    events = safranito.legal(s, seat)
    event = events[roll % len(events)]
    if event[0] == "moved":
        event = moved([event[2][0][0], ZONES[roll % 13]])
        for chip in sorted(s["lying"])[: roll % 3]:
            event[2].append([chip, None if roll % 2 else ZONES[(roll + 5) % 13]])
    return x, event
