"""Loaded to begin, write or read a position, and unloaded after it."""
