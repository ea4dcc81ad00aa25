"""Names that all code shares: zones in wiring order, chips in roster order, colours."""

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
# Named one by one: a name that the interpreter knows is one, wherever it comes from.
CHIPS = (
    "b10", "b20", "b30", "b40", "b50", "b60", "r10", "r20", "r30", "r40", "r50", "r60",
    "g10", "g20", "g30", "g40", "g50", "g60", "o10", "o20", "o30", "o40", "o50", "o60", MILL,
)  # fmt: skip


def colour(chip: str) -> str:
    """The public name of a chip: "blue" for "b10", "mill" for the pepper mill."""
    for name in COLOURS:
        if chip[0] == name[0] and chip != MILL:
            return name
    return chip
