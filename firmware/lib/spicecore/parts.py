"""The parts that everybody names alike: zones in wiring order, chips in roster order, colours."""

ZONES = (
    "curry",
    "ginger",
    "cardamom",
    "chili",
    "saffron",
    "garlic",
    "mint",
    "cumin",
    "cinnamon",
    "extra_throw",
    "spice_card",
    "reserve",
    "head_chef",
)
BOWLS = 9  # the first nine zones; the others are action spaces
LEDS = (16,) * 9 + (8,) * 4  # of each zone's ring
COLOURS = ("blue", "red", "green", "orange")  # in seat order
MILL = "mill"
CHIPS = tuple(
    [colour[0] + str(value) for colour in COLOURS for value in (10, 20, 30, 40, 50, 60)] + [MILL]
)


def colour(chip: str) -> str:
    """What everybody may know of a chip: "blue" of "b10"; "mill" of the pepper mill."""
    for name in COLOURS:
        if chip[0] == name[0] and chip != MILL:
            return name
    return chip
