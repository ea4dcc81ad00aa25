"""What the tests of Safranito share: playing events, refusals, and an event by chance."""

from spicecore import chance
from spicecore.games.safranito import rules as safranito

ZONES = (
    "curry", "ginger", "cardamom", "chili", "saffron", "garlic", "mint", "cumin", "cinnamon",
    "extra_throw", "spice_card", "reserve", "head_chef",
)  # fmt: skip


def moved(*moves):
    return ["moved", None, [list(move) for move in moves]]


def play(state, *events):
    """Play the events, none of which may be refused; returns (state, all effects)."""
    effects = []
    for event in events:
        state, came = safranito.step(state, event)
        assert not [f for f in came if f[1] == "refused"], (event, came)
        effects += came
    return state, effects


def refused(state, event, code):
    """The event is refused by this code with a sentence, and nothing changes."""
    line = safranito.text(state)
    after, effects = safranito.step(state, event)
    assert after is state and safranito.text(state) == line
    assert len(effects) == 1 and effects[0][1] == "refused" and effects[0][2] == code, effects
    assert effects[0][3].endswith(".") and len(effects[0][3]) > 10


def some_event(state, x):
    """(x', an event that is legal now); a throw moves other chips now and then."""
    x, roll = chance.below(x, 1000)
    if state["phase"][0] == "round_over" and state["astray"]:
        return x, moved(*[[chip, None] for chip in state["astray"]])
    asked = safranito.seats_asked(state)
    seat = asked[roll % len(asked)]
    events = safranito.legal(state, seat)
    event = events[roll % len(events)]
    if event[0] == "moved":
        event = moved([event[2][0][0], ZONES[roll % 13]])
        for chip in sorted(state["lying"])[: roll % 3]:
            event[2].append([chip, None if roll % 2 else ZONES[(roll + 5) % 13]])
    return x, event
