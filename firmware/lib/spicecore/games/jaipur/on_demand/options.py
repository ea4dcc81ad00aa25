"""How Jaipur can be played: its options, values with the default first."""

CHOICES = {
    "empty_sale": (True, False),
    "replay": ("other", "same"),
    "first": (None, 0, 1),
}
