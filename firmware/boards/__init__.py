"""One folder for each board: its pins, and what only its chip can do."""
