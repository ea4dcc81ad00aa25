"""Loaded to begin a game, and unloaded after it."""
