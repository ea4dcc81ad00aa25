"""Bots: they decide from what their seat may see, never from the state."""
