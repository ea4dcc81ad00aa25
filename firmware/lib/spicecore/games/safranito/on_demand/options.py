"""How Safranito can be played: its options, and their letters in a position."""

# Option: its values, the default first. The rule text leaves all of them open.
OPTIONS = {
    "tie": ("chef_first", "chef_last"),
    "purses": ("secret", "open"),
    "sales": ("open", "turn"),
    "decline": ("all", "top"),
    "action_chips": ("stay", "home"),
}
OPTION_LETTERS = (
    ("tie", "L"), ("purses", "O"), ("sales", "T"), ("decline", "D"), ("action_chips", "H"),
)  # fmt: skip
# All that `new` takes.
CHOICES = dict(OPTIONS, mode=("full", "referee"), chef=(None, 0, 1, 2, 3))
