"""The case as solids, and the ribbons in it."""
