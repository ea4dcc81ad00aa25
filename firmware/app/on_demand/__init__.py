"""Loaded for one request or one start, and unloaded after it (see app.unload)."""
