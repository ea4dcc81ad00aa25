"""What the bots for Safranito take for worth, in rupees; also the compiled one's."""

from spiceboard.bots.bot import Event

ANY_CARD = 25  # of a card that no blend in sight needs: it can be sold some day
GUESS = 35  # value of a chip that is not turned up
TASTE = 0.25  # share of a promise that is a matter of taste
LATE = 0.8  # worth of money at the end of the game, per rupee


def throws_of(legal: list[Event]) -> list[str]:
    """The chips that may be thrown."""
    return [event[2][0][0] for event in legal if event[0] == "moved"]
