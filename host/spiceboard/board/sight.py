"""What eyes can tell of the chips on a board: where they lie, and whether they count there."""

from spiceboard.bots import targets


def lies_inside(chips: list[tuple[str, float, float]], colour: str, zone: str) -> bool:
    """Does a chip of that colour count in the zone? The one nearest to its edge is in doubt.

    chips: (colour, x, y) as eyes see them, millimetres on the plan.
    """
    places = [(x, y) for name, x, y in chips if name == colour]
    if not places:
        return False
    edge = targets.radius(zone)
    x, y = min(places, key=lambda place: abs(targets.distance(zone, *place) - edge))
    return targets.counts_in(zone, x, y)


def lying_inside(chips: list[tuple[str, float, float]], colour: str) -> int:
    """How many chips of that colour lie in zones, as eyes see them."""
    return sum(name == colour and targets.zone_at(x, y) is not None for name, x, y in chips)


def lying_in(chips: list[tuple[str, float, float]], colour: str, zone: str) -> int:
    """How many chips of that colour lie in that zone, as eyes see them."""
    return sum(name == colour and targets.counts_in(zone, x, y) for name, x, y in chips)


def on_the_flat(chips: list[tuple[str, float, float]]) -> int:
    """How many chips lie on the board and in no zone."""
    return sum(targets.on_board(x, y) and targets.zone_at(x, y) is None for _, x, y in chips)
