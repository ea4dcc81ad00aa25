"""How Nine Bowls can be played: its options, values with the default first."""

CHOICES = {
    "first": (None, 0, 1),
}
